/* SPDX-License-Identifier: MIT
 *
 * Frontiers, by a few operations on sets of rows.
 */
#include "tables/frontier.h"

#include <string.h>

#include "tables/bits.h"

/* Rows of a column, as rows of the next one in a direction. */
static uint32_t follow(uint32_t rows, int direction) {
    return direction == 2 ? rows << 1 : direction == 0 ? rows >> 1 : rows;
}

static bool is_in_rows(const plb_frontier_board *b, int row) {
    return row >= 0 && row < b->height;
}

/* Rows in which a run of so many stones may still become a group, so many columns being left. */
static uint32_t useful_rows(const plb_frontier_board *b, int direction, int stones, int left) {
    int missing = b->k - stones;
    uint32_t rows = (uint32_t)plb_low_bits(b->height);
    if (missing > left) return 0;
    if (missing >= b->height && direction != 1) return 0;
    return direction == 2 ? rows >> missing : direction == 0 ? rows & rows << missing : rows;
}

/* Forget runs that no group can contain. */
static void forget_useless(const plb_frontier_board *b, int left, plb_frontier *f) {
    uint32_t any = 0;
    for (int d = 0; d < PLB_DIRECTIONS; d++) {
        uint32_t longer = 0, kept = 0;
        for (int n = b->k - 2; n >= 0; n--) {
            kept |= f->runs[d][n] & ~longer & useful_rows(b, d, n + 1, left);
            longer = f->runs[d][n];
        }
        for (int n = 0; n < b->k - 1; n++) f->runs[d][n] &= kept;
        any |= kept;
    }
    f->x &= any;
}

/* Runs that end in a new column; false if one is a group. */
static bool extend_runs(const plb_frontier_board *b, const plb_frontier *from,
                        const plb_column_word *word, plb_frontier *to) {
    uint32_t stones = (uint32_t)plb_low_bits(word->stones);
    to->x = word->x;
    for (int d = 0; d < PLB_DIRECTIONS && b->k > 1; d++) {
        uint32_t equal = stones & ~(word->x ^ follow(from->x, d));
        if (equal & follow(from->runs[d][b->k - 2], d)) return false;
        to->runs[d][0] = stones;
        for (int n = 1; n < b->k - 1; n++) to->runs[d][n] = equal & follow(from->runs[d][n - 1], d);
    }
    return true;
}

static void forget_run(const plb_frontier_board *b, int direction, int row, plb_frontier *f) {
    for (int n = 0; n < b->k - 1; n++) f->runs[direction][n] &= ~(1U << row);
}

static bool has_stone(const plb_column_word *word, int row, bool x) {
    return row >= 0 && row < word->stones && (word->x >> row & 1) == x;
}

/* The marked line in a new column, if its run goes on there. */
static plb_marked_line extend_line(plb_marked_line line, const plb_column_word *word) {
    int row = line.row + line.direction - 1;
    if (!line.is_there || !has_stone(word, row, line.x)) return (plb_marked_line){0};
    line.row = (uint8_t)row;
    line.after++;
    return line;
}

/* Every group on the line must contain the first mark. */
static bool is_too_long(const plb_frontier_board *b, const plb_marked_line *line) {
    return line->after > b->k - 1;
}

/* Can the line still get its group? */
static bool may_have_group(const plb_frontier_board *b, const plb_marked_line *line, int left) {
    int missing = b->k - (line->before + 1 + line->after);
    return missing <= 0 ||
           (missing <= left && is_in_rows(b, line->row + missing * (line->direction - 1)));
}

bool plb_frontier_read(const plb_frontier_board *board, const plb_frontier *frontier, int column,
                       const plb_column_word *word, plb_frontier *next) {
    int left = board->width - 1 - column;
    memset(next, 0, sizeof *next);
    if (!extend_runs(board, frontier, word, next)) return false;
    next->line = extend_line(frontier->line, word);
    if (next->line.is_there) {
        if (is_too_long(board, &next->line) || !may_have_group(board, &next->line, left))
            return false;
        forget_run(board, next->line.direction, next->line.row, next);
    }
    forget_useless(board, left, next);
    return true;
}

/* Equal stones that end in a row, 0 where they are of the other colour. */
static int run_length(const plb_frontier_board *b, const plb_frontier *f, int direction, int row,
                      bool x) {
    int n = 0;
    if (!is_in_rows(b, row) || (f->x >> row & 1) != x) return 0;
    while (n < b->k - 1 && f->runs[direction][n] >> row & 1) n++;
    return n;
}

bool plb_frontier_begin_line(const plb_frontier_board *board, const plb_frontier *frontier,
                             int column, const plb_column_word *word, int direction,
                             plb_frontier *next) {
    int row = word->stones - 1, left = board->width - 1 - column;
    bool x = plb_column_word_x_on_top(word);
    int before = run_length(board, frontier, direction, row - (direction - 1), x);
    plb_marked_line line = {1, (uint8_t)direction, x, (uint8_t)row, (uint8_t)before, 0, 1, 0};
    if (before > board->k - 2 || !may_have_group(board, &line, left)) return false;
    if (!plb_frontier_read(board, frontier, column, word, next)) return false;
    next->line = line;
    forget_run(board, direction, row, next);
    forget_useless(board, left, next);
    return true;
}

bool plb_frontier_may_mark(const plb_frontier_board *board, const plb_frontier *next,
                           const plb_column_word *word) {
    const plb_marked_line *line = &next->line;
    return line->row == word->stones - 1 && line->after <= board->k - 1 - line->before;
}

bool plb_frontier_wants_marks(const plb_frontier_board *board, const plb_frontier *frontier) {
    const plb_marked_line *line = &frontier->line;
    return line->after < board->k - 1 - line->before;
}

bool plb_frontier_has_group(const plb_frontier_board *board, const plb_marked_line *line) {
    return line->before + 1 + line->after >= board->k;
}
