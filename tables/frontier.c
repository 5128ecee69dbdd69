/* SPDX-License-Identifier: MIT
 *
 * Frontiers, by a few operations on sets of rows.
 */
#include "tables/frontier.h"

#include "tables/bits.h"

/* Rows of a column, as rows of the next one in a direction. */
static uint32_t follow(uint32_t rows, int direction) {
    return direction == 2 ? rows << 1 : direction == 0 ? rows >> 1 : rows;
}

static bool is_in_rows(const plb_frontier_board *b, int row) {
    return row >= 0 && row < b->height;
}

/* May a run of so many stones that ends in a row still become a group, so many columns being left?
 */
static bool may_become_group(const plb_frontier_board *b, int direction, int row, int stones,
                             int left) {
    int missing = b->k - stones;
    return missing <= 0 || (missing <= left && is_in_rows(b, row + missing * (direction - 1)));
}

/* Equal stones of a colour in the run that ends in a row. */
static int run_length(const plb_frontier_board *b, const plb_frontier *f, int direction, int row,
                      bool x) {
    int n = 0;
    if ((f->x[direction] >> row & 1) != x) return 0;
    while (n < b->k - 1 && f->runs[direction][n] >> row & 1) n++;
    return n;
}

/* The run that ends in a row; 0 stones: none that matters. */
static void set_run(const plb_frontier_board *b, int direction, int row, bool x, int stones,
                    plb_frontier *f) {
    uint32_t bit = 1U << row;
    for (int n = 0; n < b->k - 1; n++) {
        uint32_t others = f->runs[direction][n] & ~bit;
        f->runs[direction][n] = n < stones ? others | bit : others;
    }
    f->x[direction] &= ~bit;
    if (x && stones) f->x[direction] |= bit;
}

/* ---- the marked line ---- */

bool plb_frontier_has_group(const plb_frontier_board *board, const plb_marked_line *line) {
    return line->before + 1 + line->after >= board->k;
}

bool plb_frontier_wants_marks(const plb_frontier_board *board, const plb_frontier *frontier) {
    const plb_marked_line *line = &frontier->line;
    return line->after < board->k - 1 - line->before;
}

bool plb_frontier_may_mark(const plb_frontier_board *board, const plb_frontier *frontier, int row) {
    const plb_marked_line *line = &frontier->line;
    return line->row == row && line->after <= board->k - 1 - line->before;
}

bool plb_frontier_begin_line(const plb_frontier_board *board, int row, bool x, int direction,
                             plb_frontier *frontier) {
    int stones = run_length(board, frontier, direction, row, x);
    if (!stones) return false; /* forgotten: no group can contain it */
    frontier->line = (plb_marked_line){.is_there = 1,
                                       .direction = (uint8_t)direction,
                                       .x = x,
                                       .row = (uint8_t)row,
                                       .before = (uint8_t)(stones - 1),
                                       .marks = 1};
    set_run(board, direction, row, x, 0, frontier);
    return true;
}

static bool end_line(const plb_frontier_board *b, plb_frontier *f) {
    bool counts = f->line.marks == 2 && plb_frontier_has_group(b, &f->line);
    f->line = (plb_marked_line){0};
    return counts;
}

/* One stone more, in the row where it belongs. Every group on the line must contain the first mark,
 * so no more than k - 1 stones may follow it. */
static bool extend_line(const plb_frontier_board *b, int left, plb_frontier *f) {
    plb_marked_line *line = &f->line;
    line->pending = 0;
    line->after++;
    set_run(b, line->direction, line->row, line->x, 0, f);
    return line->after <= b->k - 1 &&
           may_become_group(b, line->direction, line->row, line->before + 1 + line->after, left);
}

/* ---- a column ---- */

bool plb_frontier_begin_column(const plb_frontier_board *board, plb_frontier *frontier) {
    plb_marked_line *line = &frontier->line;
    for (int d = 0; d < PLB_DIRECTIONS; d++) {
        frontier->x[d] = follow(frontier->x[d], d);
        for (int n = 0; n < board->k - 1; n++)
            frontier->runs[d][n] = follow(frontier->runs[d][n], d);
    }
    if (!line->is_there) return true;
    int row = line->row + line->direction - 1;
    if (!is_in_rows(board, row)) return end_line(board, frontier);
    line->row = (uint8_t)row;
    line->pending = 1;
    return true;
}

bool plb_frontier_put(const plb_frontier_board *board, int column, int row, bool x,
                      plb_frontier *frontier) {
    int left = board->width - 1 - column;
    for (int d = 0; d < PLB_DIRECTIONS && board->k > 1; d++) {
        int stones = run_length(board, frontier, d, row, x) + 1;
        if (stones == board->k) return false;
        if (!may_become_group(board, d, row, stones, left)) stones = 0;
        set_run(board, d, row, x, stones, frontier);
    }
    if (!frontier->line.pending || frontier->line.row != row) return true;
    return frontier->line.x == x ? extend_line(board, left, frontier) : end_line(board, frontier);
}

bool plb_frontier_end_column(const plb_frontier_board *board, int stones, plb_frontier *frontier) {
    uint32_t rows = (uint32_t)plb_low_bits(stones);
    for (int d = 0; d < PLB_DIRECTIONS; d++) {
        frontier->x[d] &= rows;
        for (int n = 0; n < board->k - 1; n++) frontier->runs[d][n] &= rows;
    }
    bool ends = frontier->line.pending && frontier->line.row >= stones;
    return !ends || end_line(board, frontier);
}
