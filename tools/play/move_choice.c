/* SPDX-License-Identifier: MIT */
#include "tools/play/move_choice.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tables/bits.h"
#include "tables/message.h"

enum { SEARCH_NODES = 200000 }; /* node limit of one request */

/* ---- the best moves ---- */

int advice_best(const game_session *session, int plies, plb_resistance *found,
                plb_message *message) {
    const plb_limits limits = {.nodes = SEARCH_NODES};
    found->plies = plb_info(session->table)->player ? 0 : plies;
    return plb_find_resistance(session->table, session->x, session->o, &limits, found, message);
}

/* Find the distance of a move by a search, if the table has none. */
static int find_distance(const game_session *session, uint64_t nodes, plb_move *move,
                         plb_message *message) {
    if (move->value == PLB_DRAW || move->dtm != PLB_NO_DTM) return PLB_OK;
    game_session after = *session;
    plb_best best;
    session_play(&after, move);
    int error =
        plb_find_best(after.table, after.x, after.o, &(plb_limits){.nodes = nodes}, &best, message);
    if (!error && best.bounds.least == best.bounds.most) move->dtm = best.bounds.least;
    return error;
}

/* The order of plb_moves; an unknown distance is the longest. */
static int compare_moves(const void *a, const void *b) {
    const plb_move *m = a, *n = b;
    int m_dtm = m->dtm < 0 ? INT_MAX : m->dtm, n_dtm = n->dtm < 0 ? INT_MAX : n->dtm;
    if (m->value != n->value) return n->value - m->value;
    if (m_dtm != n_dtm) return (m_dtm < n_dtm ? -1 : 1) * (m->value == PLB_LOSS ? -1 : 1);
    if (m->column != n->column) return m->column - n->column;
    return m->row != n->row ? m->row - n->row : m->number - n->number;
}

int advice_moves(const game_session *session, plb_move moves[PLB_MAX_MOVES], int *count,
                 plb_message *message) {
    plb_move found[PLB_MAX_MOVES];
    int n = 0, error = plb_moves(session->table, session->x, session->o, found, &n, message);
    for (int m = 0; m < n && !error; m++)
        error = find_distance(session, SEARCH_NODES / (uint64_t)n, &found[m], message);
    if (error) return error;
    qsort(found, n, sizeof *found, compare_moves);
    memcpy(moves, found, n * sizeof *found);
    *count = n;
    return PLB_OK;
}

/* ---- the move of the table ---- */

char *describe_level(const move_choice *choice, char text[LEVEL_TEXT]) {
    snprintf(
        text, LEVEL_TEXT,
        "I err on purpose: at level %d, %d times in %d where a move of mine can give up a win or "
        "a draw.",
        choice->level, LEVELS - choice->level, LEVELS);
    return text;
}

/* A random move is chosen only if the moves are known to be equal: from a guide, or after a
 * complete search. Otherwise the first is the most promising one. */
int choose_move(const game_session *s, move_choice *choice, plb_move *move, plb_message *message) {
    const session_guide *guide = s->guide;
    plb_resistance found;
    plb_best *best = &found.best;
    best->exact = true;
    int error = PLB_OK;
    if (choice->level) { /* sometimes a mistake, if a move has a lower value */
        plb_move moves[PLB_MAX_MOVES];
        int count = 0, worse = 0;
        error = plb_moves(s->table, s->x, s->o, moves, &count, message);
        if (error) return error;
        while (worse < count && moves[worse].value == moves[0].value) worse++;
        if (worse < count && (int)plb_random_below(&choice->random, LEVELS) >= choice->level) {
            *move =
                moves[worse + (int)plb_random_below(&choice->random, (uint64_t)(count - worse))];
            return PLB_OK;
        }
    }
    error = guide ? guide->list_moves(guide->context, s, best->moves, &best->count, message)
                  : advice_best(s, !choice->is_random, &found, message);
    if (error) return error;
    if (!best->count) return plb_fail(message, PLB_EMOVE, "the game is over: there is no move");
    bool is_random = choice->is_random && best->exact;
    *move = best->moves[is_random ? plb_next_random(&choice->random) % (uint64_t)best->count : 0];
    return PLB_OK;
}
