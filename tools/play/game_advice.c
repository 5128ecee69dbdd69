/* SPDX-License-Identifier: MIT
 *
 * Searches of a bounded size: no clock is asked.
 */
#include "tools/play/game_advice.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Positions that one question may look at. */
enum { SEARCH_NODES = 200000 };

static int search_best(const game_session *session, uint64_t nodes, plb_best *best,
                       plb_message *message) {
    plb_limits limits = {.nodes = nodes};
    return plb_find_best(session->table, session->x, session->o, &limits, best, message);
}

int advice_best(const game_session *session, plb_best *best, plb_message *message) {
    return search_best(session, SEARCH_NODES, best, message);
}

/* Search for the distance after a move, if the table has none. */
static int find_distance(const game_session *session, uint64_t nodes, plb_move *move,
                         plb_message *message) {
    if (move->value == PLB_DRAW || move->dtm != PLB_NO_DTM) return PLB_OK;
    game_session after = *session;
    plb_best best;
    session_play(&after, move);
    int error = search_best(&after, nodes, &best, message);
    if (!error && best.bounds.least == best.bounds.most) move->dtm = best.bounds.least;
    return error;
}

/* As plb_moves sorts; no distance is the longest. */
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
