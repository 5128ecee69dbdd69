/* SPDX-License-Identifier: MIT
 *
 * Best moves and best lines. If the table has no distances, a search finds them.
 */
#include <string.h>

#include "probe/distance.h"

/* State of a search for best moves in one position or along a line. */
typedef struct plb_best_search {
    const plb_table *table;
    const plb_limits *limits;
    plb_distance_search *search; /* NULL until a distance must be searched */
} plb_best_search;

/* ---- moves by search ---- */

/* Find whether the distance after a move is within a limit; span: bounds of that distance. */
static int compare_move(const plb_best_search *s, plb_position position, const plb_move *move,
                        int limit, plb_known_bounds *span, plb_message *message) {
    return plb_distance_compare(s->search, plb_position_after(s->table, position, move),
                                (plb_value)-move->value, limit, span, message);
}

/* Of the moves that keep the value, keep the first `wanted` ones that also keep the distance. */
static int keep_best(const plb_best_search *s, plb_position position, int wanted, plb_best *best,
                     plb_message *message) {
    int kept = 0, dtm = best->bounds.least - 1, limit = best->value == PLB_WIN ? dtm : dtm - 2;
    for (int m = 0; m < best->count && kept < wanted; m++) {
        plb_known_bounds span;
        int error = compare_move(s, position, &best->moves[m], limit, &span, message);
        if (error) return error;
        if ((span.upper <= limit) != (best->value == PLB_WIN)) continue;
        best->moves[kept] = best->moves[m];
        best->moves[kept++].dtm = dtm;
    }
    best->count = kept;
    return PLB_OK;
}

/* Compare the bounds after two moves, for the player to move: positive if a is better. */
static int compare_bounds(plb_value value, plb_known_bounds a, plb_known_bounds b) {
    if (value == PLB_WIN) return a.upper != b.upper ? b.upper - a.upper : b.lower - a.lower;
    return a.lower != b.lower ? a.lower - b.lower : a.upper - b.upper;
}

/* Of the moves that keep the value, keep those with the best bounds. The search has stopped, so
 * compare_move only gives the bounds that were proven. */
static int keep_promising(const plb_best_search *s, plb_position position, plb_best *best,
                          plb_message *message) {
    int kept = 0;
    plb_known_bounds top = {0, 0};
    for (int m = 0; m < best->count; m++) {
        plb_known_bounds span;
        int error = compare_move(s, position, &best->moves[m], 0, &span, message);
        if (error) return error;
        int order = kept ? compare_bounds(best->value, span, top) : 1;
        if (order < 0) continue;
        if (order > 0) kept = 0;
        top = span;
        best->moves[kept] = best->moves[m];
        best->moves[kept++].dtm = span.lower == span.upper ? span.lower : PLB_NO_DTM;
    }
    best->count = kept;
    return PLB_OK;
}

int plb_values_find_distance(const plb_table *table, plb_best_search *s, plb_position position,
                             int wanted, plb_best *best, plb_message *message) {
    plb_known_bounds span = {0, 0};
    int error = PLB_OK;
    if (!s->search) error = plb_distance_open(table, s->limits, &s->search, message);
    if (!error) error = plb_distance_find(s->search, position, best->value, &span, message);
    if (error) return error;
    best->bounds.least = span.lower;
    best->bounds.most = span.upper;
    plb_best exact = *best;
    if (!plb_distance_stopped(s->search)) error = keep_best(s, position, wanted, &exact, message);
    best->exact = !plb_distance_stopped(s->search);
    if (best->exact)
        *best = exact;
    else if (!error)
        error = keep_promising(s, position, best, message);
    plb_distance_cost(s->search, &best->bounds);
    return error;
}

/* ---- best moves ---- */

/* Find the best moves of a position; if they must be searched, `wanted` of them are enough. */
static int find_best(plb_best_search *s, uint64_t x, uint64_t o, int wanted, plb_best *best,
                     plb_message *message) {
    const plb_game *game = &s->table->file.space.game;
    plb_best found = {.exact = true};
    int error = plb_moves(s->table, x, o, found.moves, &found.count, message);
    if (error) return error;
    plb_position position = plb_position_of_words(s->table, x, o);
    if (found.count == 0) {
        found.value = plb_rules_final_value(game, position);
    } else {
        found.value = found.moves[0].value;
        found.count = plb_count_best(found.moves, found.count);
        if (found.value != PLB_DRAW && found.moves[0].dtm == PLB_NO_DTM) {
            error = s->table->kind->find_distance(s->table, s, position, wanted, &found, message);
        } else if (found.value != PLB_DRAW) {
            found.bounds.least = found.moves[0].dtm + 1;
            found.bounds.most = found.bounds.least;
        }
    }
    if (!error) *best = found;
    return error;
}

int plb_find_best(const plb_table *table, uint64_t x, uint64_t o, const plb_limits *limits,
                  plb_best *best, plb_message *message) {
    if (PLB_REJECT_NULL(message, table, best)) return PLB_EARGUMENT;
    plb_best_search s = {table, limits, NULL};
    int error = find_best(&s, x, o, PLB_MAX_MOVES, best, message);
    plb_distance_close(s.search);
    return error;
}

int plb_find_line(const plb_table *table, uint64_t x, uint64_t o, const plb_limits *limits,
                  plb_line *line, plb_message *message) {
    if (PLB_REJECT_NULL(message, table, line)) return PLB_EARGUMENT;
    plb_best_search s = {table, limits, NULL};
    plb_line found;
    plb_best best;
    if (!table->kind->is_whole)
        return plb_fail(message, PLB_EUNKNOWN,
                        "a strategy has no distances, and so no best lines: `plybase play` plays "
                        "against it");
    found.count = 0;
    int error = find_best(&s, x, o, 1, &best, message);
    while (!error && best.count) {
        if (best.exact)
            error = plb_play(table, &best.moves[0], &x, &o, message);
        else
            error = plb_fail(message, PLB_EUNKNOWN,
                             "the search was stopped before the line was found; a table with "
                             "distances needs none");
        found.moves[found.count++] = best.moves[0];
        if (!error) error = find_best(&s, x, o, 1, &best, message);
    }
    plb_distance_close(s.search);
    if (error) return error;
    line->count = found.count;
    memcpy(line->moves, found.moves, found.count * sizeof *found.moves);
    return PLB_OK;
}
