/* SPDX-License-Identifier: MIT
 *
 * The public library knows rules of games by tables. A strategy file without any move is one: it
 * has the claim, and answers what needs no values.
 */
#include "tools/play/rule_player.h"

#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tables/bits.h"
#include "tables/games/symmetry.h"
#include "tables/strategies/strategy_file.h"

/* ---- a table of the rules ---- */

static int write_rules(const rule_player *p, const char *path, plb_message *message) {
    static const plb_strategy none;
    plb_symmetry symmetry;
    plb_strategy_meta meta = {.claim = {p->player, p->terms.reaches, 1},
                              .compression = {PLB_ZSTD, 1},
                              .builder = "plybase " PLB_VERSION_TEXT,
                              .block_entries = PLB_STRATEGY_BLOCK};
    if (plb_symmetry_init(p->game, &symmetry))
        return plb_fail(message, PLB_ENOMEM, "out of memory for symmetries");
    meta.symmetries = symmetry.order;
    plb_symmetry_free(&symmetry);
    plb_game_format(p->game, meta.spec);
    return plb_strategy_write(path, &meta, &none, p->game->cells + 1, message);
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

static void add_moves(const plb_game *game, uint64_t cells, plb_move moves[PLB_MAX_MOVES],
                      int *count) {
    *count = 0;
    for (; cells; cells &= cells - 1) {
        plb_move *move = &moves[(*count)++];
        *move = (plb_move){.dtm = PLB_NO_DTM};
        game->rules->to_public_move(game, plb_lowest(cells), move);
    }
}

static int list_moves(void *context, const game_session *session, plb_move moves[PLB_MAX_MOVES],
                      int *count, plb_message *message) {
    const rule_player *p = context;
    strategy_turn turn;
    int error = read_turn(p, session, &turn, message);
    if (error) return error;
    bool over = plb_rules_is_over(p->game, turn.position);
    uint64_t occupied = turn.position.x | turn.position.o;
    add_moves(p->game, over ? 0 : plb_game_playable(p->game, occupied), moves, count);
    return PLB_OK;
}

static int list_replies(void *context, const game_session *session, plb_move moves[PLB_MAX_MOVES],
                        int *count, plb_message *message) {
    const rule_player *p = context;
    strategy_turn turn;
    int error = read_turn(p, session, &turn, message);
    if (error) return error;
    add_moves(p->game, p->strategy->moves(&turn), moves, count);
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
    *opened = (rule_player){.game = game, .strategy = strategy, .player = player, .terms = *terms};
    opened->guide = (session_guide){.list_moves = list_moves,
                                    .list_replies = list_replies,
                                    .explain = explain,
                                    .introduction = opened->introduction,
                                    .context = opened};
    snprintf(opened->introduction, sizeof opened->introduction,
             "My rule is %s: %s. %s by ply %d (%s).", strategy->name, strategy->rule,
             terms->reaches == PLB_WIN ? "It wins" : "It does not lose, and the game ends",
             terms->most_plies, terms->theorem);
    char path[32];
    int file = memfd_create("rules", MFD_CLOEXEC);
    if (file < 0) return plb_fail_errno(message, errno, "cannot make a file in", "memory");
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    int error = write_rules(opened, path, message);
    if (!error) error = plb_open(path, &opened->table, message);
    close(file);
    return error;
}
