/* SPDX-License-Identifier: MIT
 *
 * A small search by the rules alone. A game in which a player cannot avoid the loss of two threats
 * is decided, so the search ends two plies earlier than the games.
 */
#include "tables/strategies/strategy_rules.h"

typedef struct looker {
    const plb_game *game;
    const plb_strategy_claim *claim;
    bool to_the_end; /* of the board: a draw can be reached */
} looker;

static bool reach(const looker *l, plb_position p, int plies);

/* Is a decided position good for the player, and soon enough? */
static bool is_good(const looker *l, const plb_static_result *s, bool own_turn, int plies) {
    plb_value value = own_turn ? s->value : (plb_value)-s->value;
    return value >= l->claim->value && (value == PLB_DRAW || s->dtm <= plies);
}

/* A position of the opponent that is not decided: do all of his moves fail? Those that lose at once
 * need no look. */
static bool holds(const looker *l, plb_position p, uint64_t cells, int plies) {
    int moves[PLB_MAX_MOVES];
    int count = l->game->rules->list_moves(l->game, p, cells, moves);
    for (int m = 0; m < count; m++)
        if (!reach(l, plb_rules_play(l->game, p, moves[m]), plies - 1)) return false;
    return true;
}

/* The first move to some cells that reaches the claim, those after which the opponent has one cell
 * before others; -1: there is none. */
static int find_move(const looker *l, plb_position p, uint64_t cells, int plies) {
    int moves[PLB_MAX_MOVES];
    plb_static_result after[PLB_MAX_MOVES];
    int count = l->game->rules->list_moves(l->game, p, cells, moves);
    for (int m = 0; m < count; m++) {
        plb_position next = plb_rules_play(l->game, p, moves[m]);
        after[m] = plb_rules_static_value(l->game, next);
        bool decided = after[m].kind == PLB_DECIDED;
        if (decided && is_good(l, &after[m], false, plies - 1)) return moves[m];
        if (l->claim->value == PLB_DRAW && /* the opponent can win no more */
            l->game->rules->least_plies(l->game, next, l->claim->player == 1) == PLB_NEVER)
            return moves[m];
    }
    /* What can still be reached after a move that does not decide the game. */
    bool is_worth_a_look = l->claim->value == PLB_WIN ? plies >= 5 : plies >= 3 && l->to_the_end;
    if (!is_worth_a_look) return -1;
    for (plb_static_result_kind kind = PLB_FORCED; kind <= PLB_QUIET; kind++)
        for (int m = 0; m < count; m++)
            if (after[m].kind == kind &&
                holds(l, plb_rules_play(l->game, p, moves[m]), after[m].cells, plies - 1))
                return moves[m];
    return -1;
}

static bool reach(const looker *l, plb_position p, int plies) {
    plb_static_result s = plb_rules_static_value(l->game, p);
    if (s.kind == PLB_DECIDED) return is_good(l, &s, true, plies);
    return plies >= (l->claim->value == PLB_WIN ? 3 : 1) && find_move(l, p, s.cells, plies) >= 0;
}

plb_strategy_rule plb_strategy_find_rule(const plb_game *game, const plb_strategy_claim *claim,
                                         plb_position position, int *move) {
    int left = game->cells - plb_rules_ply(game, position), depth = claim->look_ahead;
    const looker l = {game, claim, left <= depth};
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
