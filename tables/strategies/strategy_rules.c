/* SPDX-License-Identifier: MIT
 *
 * A small search without a table. A position in which a player faces two threats is decided
 * (static_value.h), so the search ends two plies before the end of the game.
 */
#include "tables/strategies/strategy_rules.h"

typedef struct look_ahead {
    const plb_game *game;
    const plb_strategy_claim *claim;
    bool to_the_end; /* the look-ahead reaches the full board, so a draw can be reached */
} look_ahead;

static bool can_reach(const look_ahead *l, plb_position p, int plies);

/* Is a decided position worth the claim, or more, to the player, within `plies`? */
static bool meets_claim(const look_ahead *l, const plb_static_result *s, bool own_turn, int plies) {
    plb_value value = own_turn ? s->value : (plb_value)-s->value;
    return value >= l->claim->value && (value == PLB_DRAW || s->dtm <= plies);
}

/* Does the player reach the claim after every move of the opponent to these cells? The caller
 * leaves out moves that lose at once. */
static bool beats_all_replies(const look_ahead *l, plb_position p, uint64_t cells, int plies) {
    int moves[PLB_MAX_MOVES];
    int count = l->game->rules->list_moves(l->game, p, cells, moves);
    for (int m = 0; m < count; m++)
        if (!can_reach(l, plb_rules_play(l->game, p, moves[m]), plies - 1)) return false;
    return true;
}

/* Find a move to these cells that reaches the claim; moves that force the opponent are tried first.
 * -1: there is none. */
static int find_move(const look_ahead *l, plb_position p, uint64_t cells, int plies) {
    int moves[PLB_MAX_MOVES];
    plb_static_result after[PLB_MAX_MOVES];
    int count = l->game->rules->list_moves(l->game, p, cells, moves);
    for (int m = 0; m < count; m++) {
        plb_position next = plb_rules_play(l->game, p, moves[m]);
        after[m] = plb_rules_static_value(l->game, next);
        bool decided = after[m].kind == PLB_DECIDED;
        if (decided && meets_claim(l, &after[m], false, plies - 1)) return moves[m];
        if (l->claim->value == PLB_DRAW && /* the opponent can no longer win */
            l->game->rules->least_plies(l->game, next, l->claim->player == 1) == PLB_NEVER)
            return moves[m];
    }
    /* can the claim be reached later than by the next move? */
    bool can_go_on = l->claim->value == PLB_WIN ? plies >= 5 : plies >= 3 && l->to_the_end;
    if (!can_go_on) return -1;
    for (plb_static_result_kind kind = PLB_FORCED; kind <= PLB_QUIET; kind++)
        for (int m = 0; m < count; m++)
            if (after[m].kind == kind && beats_all_replies(l, plb_rules_play(l->game, p, moves[m]),
                                                           after[m].cells, plies - 1))
                return moves[m];
    return -1;
}

/* Does the player, who is to move, reach the claim within `plies`? */
static bool can_reach(const look_ahead *l, plb_position p, int plies) {
    plb_static_result s = plb_rules_static_value(l->game, p);
    if (s.kind == PLB_DECIDED) return meets_claim(l, &s, true, plies);
    return plies >= (l->claim->value == PLB_WIN ? 3 : 1) && find_move(l, p, s.cells, plies) >= 0;
}

plb_strategy_rule plb_strategy_find_rule(const plb_game *game, const plb_strategy_claim *claim,
                                         plb_position position, int *move) {
    int left = game->cells - plb_rules_ply(game, position), depth = claim->look_ahead;
    const look_ahead l = {game, claim, left <= depth};
    plb_static_result s = plb_rules_static_value(game, position);
    if (s.kind == PLB_DECIDED && s.value < claim->value) return PLB_RULE_NONE;
    uint64_t cells = s.kind == PLB_DECIDED ? game->board : s.cells;
    int moves[PLB_MAX_MOVES];
    if (claim->value == PLB_DRAW && !l.to_the_end && depth > 3) depth = 3;
    for (int plies = 1; plies <= depth; plies += 2) {
        int found = find_move(&l, position, cells, plies);
        if (found < 0) continue;
        *move = found;
        return PLB_RULE_CLAIM;
    }
    if (s.kind != PLB_FORCED || game->rules->list_moves(game, position, cells, moves) != 1)
        return PLB_RULE_NONE;
    *move = moves[0];
    return PLB_RULE_FORCED;
}
