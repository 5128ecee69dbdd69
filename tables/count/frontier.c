/* SPDX-License-Identifier: MIT
 *
 * Frontiers, by a few operations on sets of rows; and a list of them with a hash table of their
 * numbers.
 */
#include "tables/count/frontier.h"

#include <stdlib.h>
#include <string.h>

#include "tables/array.h"
#include "tables/vocabulary.h"

/* Rows of a column, as rows of the next one in a direction. */
static uint32_t follow(uint32_t rows, int direction) {
    return direction == 2 ? rows << 1 : direction == 0 ? rows >> 1 : rows;
}

static bool is_in_rows(const plb_frontier_board *b, int row) {
    return row >= 0 && row < b->height;
}

/* ---- boards ---- */

void plb_frontier_board_clear(const plb_frontier_board *board) {
    uint32_t rows = (uint32_t)plb_low_bits(board->height);
    for (int c = 0; c < board->width; c++)
        board->columns[c] = (plb_board_column){.most = board->height, .may = {rows, rows}};
    plb_frontier_board_look_ahead(board);
}

void plb_frontier_board_look_ahead(const plb_frontier_board *board) {
    for (int c = board->width - 2; c >= 0; c--)
        for (int d = 0; d < PLB_DIRECTIONS; d++)
            for (int x = 0; x < 2; x++)
                for (int row = 0; row < board->height; row++) {
                    const plb_board_column *next = &board->columns[c + 1];
                    int to = row + d - 1;
                    bool goes_on = is_in_rows(board, to) && next->may[x] >> to & 1;
                    board->columns[c].ahead[d][x][row] =
                        goes_on ? (uint8_t)(1 + next->ahead[d][x][to]) : 0;
                }
}

/* ---- runs ---- */

/* May a run of so many stones that ends in a row still become a group? */
static bool may_become_group(const plb_frontier_board *b, int column, int direction, int row,
                             bool x, int stones) {
    return stones + b->columns[column].ahead[direction][x][row] >= b->k;
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

/* The columns of the first and the last stone of the run, which is in a column, together: twice its
 * middle. */
static int twice_middle(const plb_marked_line *line, int column) {
    return 2 * column - line->after - line->before;
}

/* May the middle of a level run come to lie in the right half? The run goes on as far as it can,
 * but the first mark must be in all groups. */
static bool may_be_right(const plb_frontier_board *b, int column, const plb_marked_line *line) {
    int ahead = b->columns[column].ahead[1][line->x][line->row];
    int after_mark = b->k - 1 - line->after, most = ahead < after_mark ? ahead : after_mark;
    return line->direction != 1 || twice_middle(line, column) + most >= b->width - 1;
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
    if (!stones) return false; /* forgotten: no group can contain it */
    frontier->line = (plb_marked_line){.is_there = 1,
                                       .direction = (uint8_t)direction,
                                       .x = x,
                                       .row = (uint8_t)row,
                                       .before = (uint8_t)(stones - 1),
                                       .marks = 1};
    set_run(board, direction, row, x, 0, frontier);
    return may_be_right(board, column, &frontier->line);
}

/* In a column, or on the way to it: the last stone is in the one before. */
static bool end_line(const plb_frontier_board *b, int column, plb_frontier *f) {
    bool is_right = f->line.direction != 1 || twice_middle(&f->line, column - 1) >= b->width - 1;
    bool counts = is_right && f->line.marks == 2 && plb_frontier_has_group(b, &f->line);
    f->line = (plb_marked_line){0};
    return counts;
}

/* One stone more, in the row where it belongs. Every group on the line must contain the first mark,
 * so no more than k - 1 stones may follow it. */
static bool extend_line(const plb_frontier_board *b, int column, plb_frontier *f) {
    plb_marked_line *line = &f->line;
    line->pending = 0;
    line->after++;
    set_run(b, line->direction, line->row, line->x, 0, f);
    return line->after <= b->k - 1 && may_be_right(b, column, line) &&
           may_become_group(b, column, line->direction, line->row, line->x,
                            line->before + 1 + line->after);
}

/* ---- colours ---- */

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
    if (!is_in_rows(board, row)) return end_line(board, 0, frontier); /* a rising line */
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

/* ---- distinct frontiers, by number ---- */

enum { LINE_BITS = 18, MOST_FRONTIER_WORDS = 12 };

_Static_assert(LINE_BITS + PLB_DIRECTIONS * (PLB_MOST_RUN + 1) * PLB_FRONTIER_ROWS <=
                   64 * MOST_FRONTIER_WORDS,
               "the biggest frontier fits");

/* ---- packing ---- */

static int words_of(const plb_frontier_table *l) {
    return (LINE_BITS + PLB_DIRECTIONS * l->k * (l->rows + 1) + 63) / 64;
}

/* The next bits of a frontier go to `at`, where all bits from there on are 0. */
static void put_bits(uint64_t *words, int *at, int count, uint64_t bits) {
    plb_write_bits(words, *at, count, bits);
    *at += count;
}

static uint32_t take_bits(const uint64_t *words, int *at, int count) {
    uint64_t bits = plb_read_bits(words, *at, count);
    *at += count;
    return (uint32_t)(bits & plb_low_bits(count));
}

/* words: zeros. */
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
    const uint64_t *words = list->items + (size_t)number * words_of(list);
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

/* ---- numbers ---- */

static bool is_same(const uint64_t *a, const uint64_t *b, int words) {
    for (int i = 0; i < words; i++)
        if (a[i] != b[i]) return false;
    return true;
}

/* The slot where to look for a frontier first. */
static uint32_t *first_slot(const plb_frontier_table *l, const uint64_t *words) {
    uint64_t hash = 0;
    for (int i = 0, count = words_of(l); i < count; i++)
        hash = (hash ^ words[i]) * 0x9E3779B97F4A7C15ULL, hash ^= hash >> 29;
    return &l->slots[hash & (l->slot_count - 1)];
}

/* The slot, from the first one on, that has a frontier or none. */
static uint32_t *find_slot(const plb_frontier_table *l, uint32_t *slot, const uint64_t *words) {
    int count = words_of(l);
    for (;; slot++) {
        if (slot == l->slots + l->slot_count) slot = l->slots;
        if (!*slot) return slot;
        if (is_same(l->items + (size_t)(*slot - 1) * count, words, count)) return slot;
    }
}

/* Room for so many more, at most PLB_FOUND_TOGETHER. */
static int grow_list(plb_frontier_table *l, uint32_t more) {
    size_t words = words_of(l);
    if (l->count + more > l->capacity) {
        uint32_t capacity = l->capacity + l->capacity / 2 + PLB_FOUND_TOGETHER;
        if (!PLB_ARRAY_RESIZE(l->items, capacity * words)) return PLB_ENOMEM;
        l->capacity = capacity;
    }
    if (3 * (uint64_t)(l->count + more) <= 2 * (uint64_t)l->slot_count) return PLB_OK;
    uint32_t count = l->slot_count ? (l->count < 50000 ? 4 : 2) * l->slot_count : 64;
    uint32_t *slots = calloc(count, sizeof *slots);
    if (!slots) return PLB_ENOMEM;
    free(l->slots);
    l->slots = slots, l->slot_count = count;
    for (uint32_t i = 0; i < l->count; i++) {
        const uint64_t *item = l->items + i * words;
        *find_slot(l, first_slot(l, item), item) = i + 1;
    }
    return PLB_OK;
}

int plb_frontier_table_find(plb_frontier_table *list, const plb_frontier *frontier,
                            uint32_t *number) {
    return plb_frontier_table_find_several(list, frontier, 1, number);
}

/* Slots and frontiers are in memory here and there: all are prefetched before any is used. */
int plb_frontier_table_find_several(plb_frontier_table *list, const plb_frontier *frontiers,
                                    int count, uint32_t *numbers) {
    uint64_t words[PLB_FOUND_TOGETHER][MOST_FRONTIER_WORDS];
    uint32_t *slots[PLB_FOUND_TOGETHER];
    int size = words_of(list);
    if (grow_list(list, count)) return PLB_ENOMEM;
    for (int f = 0; f < count; f++) {
        memset(words[f], 0, size * sizeof *words[f]);
        pack(list, &frontiers[f], words[f]);
        slots[f] = first_slot(list, words[f]);
        __builtin_prefetch(slots[f]);
    }
    for (int f = 0; f < count; f++)
        if (*slots[f]) __builtin_prefetch(list->items + (size_t)(*slots[f] - 1) * size);
    for (int f = 0; f < count; f++) {
        uint32_t *slot = find_slot(list, slots[f], words[f]);
        if (!*slot) {
            memcpy(list->items + (size_t)list->count * size, words[f], size * sizeof *words[f]);
            *slot = ++list->count;
        }
        numbers[f] = *slot - 1;
    }
    return PLB_OK;
}

void plb_frontier_table_clear(plb_frontier_table *list) {
    if (list->count) memset(list->slots, 0, list->slot_count * sizeof *list->slots);
    list->count = 0;
}

void plb_frontier_table_free(plb_frontier_table *list) {
    free(list->items);
    free(list->slots);
    *list = (plb_frontier_table){.rows = list->rows, .k = list->k};
}
