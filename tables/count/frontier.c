/* SPDX-License-Identifier: MIT */
#include "tables/count/frontier.h"

#include <string.h>

#include "tables/bits.h"

/* The rows of the next column to which a direction leads from these rows. */
static uint32_t follow(uint32_t rows, int direction) {
    return direction == 2 ? rows << 1 : direction == 0 ? rows >> 1 : rows;
}

static bool is_in_rows(const plb_frontier_board *b, int row) {
    return row >= 0 && row < b->height;
}

void plb_frontier_board_clear(const plb_frontier_board *board) {
    uint32_t rows = (uint32_t)plb_low_bits(board->height);
    for (int c = 0; c < board->width; c++)
        board->columns[c] =
            (plb_board_column){.max_stones = board->height, .allowed = {rows, rows}};
    plb_frontier_board_look_ahead(board);
}

void plb_frontier_board_look_ahead(const plb_frontier_board *board) {
    for (int c = board->width - 2; c >= 0; c--)
        for (int d = 0; d < PLB_DIRECTIONS; d++)
            for (int x = 0; x < 2; x++)
                for (int row = 0; row < board->height; row++) {
                    const plb_board_column *next = &board->columns[c + 1];
                    int to = row + d - 1;
                    bool goes_on = is_in_rows(board, to) && next->allowed[x] >> to & 1;
                    board->columns[c].ahead[d][x][row] =
                        goes_on ? (uint8_t)(1 + next->ahead[d][x][to]) : 0;
                }
}

/* ---- runs ---- */

/* Can a run of this many stones, which ends in this row, still become a group? */
static bool may_become_group(const plb_frontier_board *b, int column, int direction, int row,
                             bool x, int stones) {
    return stones + b->columns[column].ahead[direction][x][row] >= b->k;
}

/* The length of the run that ends in a row, if it is of this colour; else 0. */
static int run_length(const plb_frontier_board *b, const plb_frontier *f, int direction, int row,
                      bool x) {
    int n = 0;
    if ((f->x[direction] >> row & 1) != x) return 0;
    while (n < b->k - 1 && f->runs[direction][n] >> row & 1) n++;
    return n;
}

/* Set the run that ends in a row; 0 stones: no run, or one that cannot become a group. */
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

/* Twice the column of the middle of the run, whose last stone is in `column`. */
static int twice_middle(const plb_marked_line *line, int column) {
    return 2 * column - line->after - line->before;
}

/* Can the middle of a level run reach the right half? The run goes on as far as it can while the
 * first mark is in all groups. */
static bool may_be_right(const plb_frontier_board *b, int column, const plb_marked_line *line) {
    int ahead = b->columns[column].ahead[1][line->x][line->row];
    int after_mark = b->k - 1 - line->after, more = ahead < after_mark ? ahead : after_mark;
    return line->direction != 1 || twice_middle(line, column) + more >= b->width - 1;
}

int plb_frontier_line_times(const plb_frontier_board *board, int column, bool begins,
                            const plb_marked_line *line) {
    int middle = twice_middle(line, column);
    if (line->direction == 2) return begins ? 2 : 1;
    return (begins ? middle >= board->width : middle == board->width) ? 2 : 1;
}

bool plb_frontier_begin_line(const plb_frontier_board *board, int column, int row, bool x,
                             int direction, plb_frontier *frontier) {
    int stones = run_length(board, frontier, direction, row, x);
    if (!stones) return false; /* no group can contain the stone */
    frontier->line = (plb_marked_line){.is_there = 1,
                                       .direction = (uint8_t)direction,
                                       .x = x,
                                       .row = (uint8_t)row,
                                       .before = (uint8_t)(stones - 1),
                                       .marks = 1};
    set_run(board, direction, row, x, 0, frontier);
    return may_be_right(board, column, &frontier->line);
}

/* End the marked line, whose last stone is in the column before `column`. True if it counts. */
static bool end_line(const plb_frontier_board *b, int column, plb_frontier *f) {
    bool is_right = f->line.direction != 1 || twice_middle(&f->line, column - 1) >= b->width - 1;
    bool counts = is_right && f->line.marks == 2 && plb_frontier_has_group(b, &f->line);
    f->line = (plb_marked_line){0};
    return counts;
}

/* Extend the marked line by a stone of its colour. Every group on the line must contain the first
 * mark, so at most k - 1 stones may follow it. */
static bool extend_line(const plb_frontier_board *b, int column, plb_frontier *f) {
    plb_marked_line *line = &f->line;
    line->pending = 0;
    line->after++;
    set_run(b, line->direction, line->row, line->x, 0, f);
    return line->after <= b->k - 1 && may_be_right(b, column, line) &&
           may_become_group(b, column, line->direction, line->row, line->x,
                            line->before + 1 + line->after);
}

bool plb_frontier_is_exchanged(const plb_frontier *frontier) {
    for (int d = 0; d < PLB_DIRECTIONS; d++) {
        uint32_t rows = frontier->runs[d][0], lowest = rows & -rows;
        if (rows) return !(frontier->x[d] & lowest);
    }
    return frontier->line.is_there && !frontier->line.x;
}

void plb_frontier_exchange(plb_frontier *frontier) {
    for (int d = 0; d < PLB_DIRECTIONS; d++) frontier->x[d] ^= frontier->runs[d][0];
    frontier->line.x ^= frontier->line.is_there;
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
    if (!is_in_rows(board, row))
        return end_line(board, 0, frontier); /* it rises: `column` is unused */
    line->row = (uint8_t)row;
    line->pending = 1;
    return true;
}

bool plb_frontier_put(const plb_frontier_board *board, int column, int row, bool x,
                      plb_frontier *frontier) {
    bool is_last = column == board->width - 1;
    for (int d = 0; d < PLB_DIRECTIONS && board->k > 1; d++) {
        int stones = run_length(board, frontier, d, row, x) + 1;
        bool may_go_on = may_become_group(board, column, d, row, x, stones);
        if (stones == board->k || (is_last && may_go_on)) return false;
        if (!may_go_on) stones = 0;
        set_run(board, d, row, x, stones, frontier);
    }
    if (!frontier->line.pending || frontier->line.row != row) return true;
    return frontier->line.x == x ? extend_line(board, column, frontier)
                                 : end_line(board, column, frontier);
}

bool plb_frontier_end_column(const plb_frontier_board *board, int column, int stones,
                             plb_frontier *frontier) {
    uint32_t rows = (uint32_t)plb_low_bits(stones);
    for (int d = 0; d < PLB_DIRECTIONS; d++) {
        frontier->x[d] &= rows;
        for (int n = 0; n < board->k - 1; n++) frontier->runs[d][n] &= rows;
    }
    bool ends = frontier->line.pending && frontier->line.row >= stones;
    return !ends || end_line(board, column, frontier);
}

/* ---- tables of distinct frontiers ---- */

enum { LINE_BITS = 18, MAX_FRONTIER_WORDS = 12 };

_Static_assert(LINE_BITS + PLB_DIRECTIONS * (PLB_MAX_RUN + 1) * PLB_FRONTIER_ROWS <=
                   64 * MAX_FRONTIER_WORDS,
               "the biggest frontier fits");

/* Append bits; all bits from *at on are 0. */
static void put_bits(uint64_t *words, int *at, int count, uint64_t bits) {
    plb_write_bits(words, *at, count, bits);
    *at += count;
}

static uint32_t take_bits(const uint64_t *words, int *at, int count) {
    uint64_t bits = plb_read_bits(words, *at, count);
    *at += count;
    return (uint32_t)(bits & plb_low_bits(count));
}

/* `words` are zeros. */
static void pack(const plb_frontier_table *l, const plb_frontier *f, uint64_t *words) {
    const plb_marked_line *line = &f->line;
    int at = 0, rows = l->rows + 1;
    put_bits(words, &at, LINE_BITS,
             line->is_there | line->x << 1 | line->pending << 2 | line->direction << 3 |
                 line->marks << 5 | line->before << 7 | line->after << 10 | line->row << 13);
    for (int d = 0; d < PLB_DIRECTIONS; d++) put_bits(words, &at, rows, f->x[d]);
    for (int n = 0; n < l->k - 1; n++)
        for (int d = 0; d < PLB_DIRECTIONS; d++) put_bits(words, &at, rows, f->runs[d][n]);
}

void plb_frontier_table_get(const plb_frontier_table *list, uint32_t number,
                            plb_frontier *frontier) {
    const uint64_t *words = plb_tuple_set_at(&list->set, number);
    int at = 0, rows = list->rows + 1;
    memset(frontier->runs, 0, sizeof frontier->runs);
    uint32_t bits = take_bits(words, &at, LINE_BITS);
    frontier->line = (plb_marked_line){.is_there = bits & 1,
                                       .x = bits >> 1 & 1,
                                       .pending = bits >> 2 & 1,
                                       .direction = bits >> 3 & 3,
                                       .marks = bits >> 5 & 3,
                                       .before = bits >> 7 & 7,
                                       .after = bits >> 10 & 7,
                                       .row = bits >> 13 & 31};
    for (int d = 0; d < PLB_DIRECTIONS; d++) frontier->x[d] = take_bits(words, &at, rows);
    for (int n = 0; n < list->k - 1; n++)
        for (int d = 0; d < PLB_DIRECTIONS; d++) frontier->runs[d][n] = take_bits(words, &at, rows);
}

plb_frontier_table plb_frontier_table_of(const plb_frontier_board *board) {
    size_t bits = LINE_BITS + PLB_DIRECTIONS * board->k * (board->height + 1);
    return (plb_frontier_table){
        .rows = board->height, .k = board->k, .set.bytes = (bits + 63) / 64 * sizeof(uint64_t)};
}

int plb_frontier_table_find(plb_frontier_table *list, const plb_frontier *frontiers, int count,
                            uint32_t *numbers) {
    uint64_t packed[PLB_ADDED_TOGETHER * MAX_FRONTIER_WORDS];
    size_t words = list->set.bytes / sizeof *packed;
    memset(packed, 0, count * list->set.bytes);
    for (int f = 0; f < count; f++) pack(list, &frontiers[f], packed + f * words);
    return plb_tuple_set_add_several(&list->set, packed, count, numbers);
}
