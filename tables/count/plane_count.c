/* SPDX-License-Identifier: MIT
 *
 * Columns "have an order" if x and o, in turn, can have placed their stones (column_automaton.h).
 * Open positions have an order and no group. A terminal position P has a group, and a top stone
 * that is part of every group and without which the columns have an order. Let T(P) be the set of
 * such stones. By inclusion and exclusion, the sum of (-1)^(|S|+1) over the nonempty subsets S of
 * T(P) is 1. So the number of terminal positions is this sum over all marked positions (P, S):
 *
 * |S| = 1:  pairs (Q, column) where Q is open and the column is not full, less those in which Q
 *           with one more stone there has no group. Both are counted on frontiers without groups:
 *           the first marks the cell above a column, the second removes the top stone of a column,
 *           but only for the automaton.
 * |S| > 1:  all groups lie on the line through S. The sweep chooses its direction and its first
 *           mark from the left; the frontier lets the run on this line grow while all its groups
 *           contain all marks (frontier.c). Of two lines that are mirror images one counts twice.
 */
#include "tables/count/plane_count.h"

#include <string.h>

#include "tables/vocabulary.h"

static int add(plb_sweep_worker *w, plb_transition t, const plb_frontier *to) {
    t.last = !to->line.is_there || !plb_frontier_wants_marks(&w->sweep->board, to);
    return plb_sweep_add(w, &t, to);
}

/* Add a frontier whose line goes on, unless the line can no longer get two marks and a complete
 * group. At the right edge of the board the line ends. */
static int add_line(plb_sweep_worker *w, const plb_transition *t, plb_frontier *to) {
    const plb_frontier_board *board = &w->sweep->board;
    bool has_marks = to->line.marks == 2;
    if (w->sweep->column == board->width - 1) {
        if (!has_marks || !plb_frontier_has_group(board, &to->line)) return PLB_OK;
        memset(to, 0, sizeof *to);
    } else if (!has_marks && !plb_frontier_wants_marks(board, to)) {
        return PLB_OK;
    }
    return add(w, *t, to);
}

/* The line goes on: without a mark in this column, and with one. */
static int extend_line(plb_sweep_worker *w, plb_transition t, plb_frontier to) {
    const plb_frontier_board *board = &w->sweep->board;
    int top = w->sweep->automaton->words.items[t.word].stones - 1;
    plb_frontier marked = to;
    t.times = plb_frontier_line_times(board, w->sweep->column, false, &to.line);
    int error = add_line(w, &t, &to);
    if (error || !plb_frontier_may_mark(board, &marked, top)) return error;
    t.mark = PLB_MARK_MORE;
    marked.line.marks = 2;
    return add_line(w, &t, &marked);
}

/* Begin the marked lines that start in this column, of the kinds that are counted. */
static int begin_lines(plb_sweep_worker *w, plb_marks marks, plb_transition t,
                       const plb_frontier *to) {
    const plb_column_word *word = &w->sweep->automaton->words.items[t.word];
    int column = w->sweep->column, error = PLB_OK;
    t.mark = PLB_MARK_FIRST;
    for (int d = 1; d < PLB_DIRECTIONS && t.word && !error; d++) {
        plb_frontier begun = *to;
        if (!(marks >> d & 1) ||
            !plb_frontier_begin_line(&w->sweep->board, column, word->stones - 1,
                                     plb_column_word_x_on_top(word), d, &begun))
            continue;
        t.times = plb_frontier_line_times(&w->sweep->board, column, true, &begun.line);
        error = add_line(w, &t, &begun);
    }
    return error;
}

static int apply_word(const void *context, plb_sweep_worker *w, const plb_transition *t,
                      const plb_frontier *to) {
    const plb_marks *marks = context;
    if (to->line.is_there) return extend_line(w, *t, *to);
    int error = add(w, *t, to);
    return error ? error : begin_lines(w, *marks, *t, to);
}

int plb_plane_count(plb_sweep *sweep, plb_marks marks, plb_ply_count *plies) {
    const plb_transition_rule rule = {apply_word, &marks};
    int width = sweep->board.width;
    bool has_single = marks & PLB_MARKS_SINGLE;
    sweep->unmarked_end = has_single ? width : width - 2; /* no line begins in the last column */
    /* Of two mirror images with one mark, the one with the mark further right counts for both: a
     * state that is marked late goes through fewer columns. */
    for (int column = 0; column < width; column++) {
        int mirrored = width - 1 - column, times = column > mirrored ? 2 : column == mirrored;
        sweep->single_marks[column] = (uint8_t)(has_single ? times : 0);
    }
    return plb_sweep_count(sweep, &rule, 1, plies);
}
