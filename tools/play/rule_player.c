/* SPDX-License-Identifier: MIT
 *
 * In the public library the rules of a game belong to a table. So the session gets a strategy
 * without stored moves: it has the claim, and answers all that needs no values.
 */
#include "tools/play/rule_player.h"

#include <stdio.h>
#include <stdlib.h>

#include "probe/table.h"
#include "tables/bits.h"
#include "tables/strategies/strategy_file.h"

/* ---- a table of rules only ---- */

static int open_rules(rule_player *p, plb_value claim, plb_message *message) {
    char spec[PLB_SPEC_TEXT];
    plb_game_format(p->game, spec);
    int error = plb_table_of_game(spec, &p->table, message);
    if (error) return error;
    p->table->kind = &plb_table_of_strategy;
    p->table->claim = (plb_strategy_claim){p->player, claim, 1};
    p->table->info.player = plb_strategy_player_text(p->player);
    p->table->strategy = calloc(1, sizeof *p->table->strategy);
    return p->table->strategy ? PLB_OK : plb_fail(message, PLB_ENOMEM, "out of memory for a rule");
}

/* ---- turns ---- */

static int read_turn(const rule_player *p, const game_session *session, strategy_turn *turn,
                     plb_message *message) {
    const plb_game *g = p->game;
    *turn = (strategy_turn){.game = g, .player = p->player, .last = -1};
    if (session->count) {
        const plb_move *last = &session->moves[session->count - 1];
        turn->last = plb_game_cell(g, last->column, last->row);
    }
    return g->rules->from_words(g, session->x, session->o, &turn->position, message);
}

static int list_moves(void *context, const game_session *session, plb_move moves[PLB_MAX_MOVES],
                      int *count, plb_message *message) {
    const rule_player *p = context;
    strategy_turn turn;
    int error = read_turn(p, session, &turn, message);
    if (error) return error;
    *count = 0;
    for (uint64_t cells = p->strategy->moves(&turn); cells; cells &= cells - 1) {
        plb_move *move = &moves[(*count)++];
        *move = (plb_move){.dtm = PLB_NO_DTM};
        p->game->rules->to_public_move(p->game, plb_lowest(cells), move);
    }
    return *count ? PLB_OK
                  : plb_fail(message, PLB_EUNKNOWN, "the rule of %s has no move here",
                             p->strategy->name);
}

static const char *explain(void *context, const game_session *session, const plb_move *move) {
    const rule_player *p = context;
    strategy_turn turn;
    if (read_turn(p, session, &turn, NULL)) return "it follows the rule";
    /* cppcheck-suppress returnDanglingLifetime; what is returned is a static text */
    return p->strategy->reason(&turn, plb_game_cell(p->game, move->column, move->row));
}

int rule_player_open(const plb_game *game, const named_strategy *strategy, int player,
                     const strategy_terms *terms, rule_player *opened, plb_message *message) {
    *opened = (rule_player){.game = game, .strategy = strategy, .player = player};
    opened->guide = (session_guide){.list_moves = list_moves,
                                    .explain = explain,
                                    .introduction = opened->introduction,
                                    .context = opened};
    snprintf(opened->introduction, sizeof opened->introduction,
             "My rule is %s: %s. %s by ply %d (%s).", strategy->name, strategy->rule,
             terms->reaches == PLB_WIN ? "It wins" : "It does not lose, and the game ends",
             terms->most_plies, terms->theorem);
    return open_rules(opened, terms->reaches, message);
}
