/* SPDX-License-Identifier: MIT
 *
 * Runs through the cut, column by column, by a few operations on sets of rows.
 */
#include "tables/count/cylinder_cut.h"

#include <string.h>

#include "tables/bits.h"
#include "tables/vocabulary.h"

static int least_of(int a, int b) {
    return a < b ? a : b;
}

/* Stones of a run that are looked at: more of them are a group, or the run goes round. */
static int longest(const plb_cylinder_cut *s) {
    return least_of(s->k - 1, s->width);
}

static uint32_t rows_of(int stones) {
    return (uint32_t)plb_low_bits(stones);
}

/* Rows of a column as those of column 0 in a direction, and back. */
static uint32_t move_back(uint32_t rows, int direction, int column) {
    return direction == 2 ? rows >> column : direction == 0 ? rows << column : rows;
}

static uint32_t move_on(uint32_t rows, int direction, int column) {
    return move_back(rows, 2 - direction, column);
}

/* ---- which runs there can be ---- */

/* Can a run that begins in a row of column 0 be part of a group through the cut? */
static bool may_matter(const plb_cylinder_cut *s, int direction, int row) {
    if (s->exempt[0][direction] >> row & 1) return false;
    if (direction == 1) return s->k <= s->width;
    if (s->k > s->width) return s->k <= s->height;
    int below = row, above = s->height - 1 - row;
    int behind = direction == 2 ? below : above, ahead = direction == 2 ? above : below;
    return behind > 0 && least_of(behind, s->k - 1) + least_of(ahead + 1, longest(s)) >= s->k;
}

bool plb_cylinder_cut_may_have(const plb_cylinder_cut *cut, int column, int word) {
    const plb_board_column *c = &cut->columns[column];
    const plb_column_word *w = &cut->words->items[word];
    uint32_t o = rows_of(w->stones) & ~w->x;
    return w->stones >= c->least && w->stones <= c->most && !(w->x & ~c->may[1]) &&
           !(o & ~c->may[0]);
}

int plb_cylinder_cut_find_runs(const plb_cylinder_cut *cut, plb_frontier_table *runs) {
    plb_frontier going_on = {.x = {0}};
    uint32_t number;
    *runs = (plb_frontier_table){.rows = cut->height, .k = cut->k};
    for (int d = 0; d < PLB_DIRECTIONS; d++)
        for (int row = 0; row < cut->words->items[cut->first].stones; row++)
            if (may_matter(cut, d, row)) going_on.runs[d][0] |= 1U << row;
    int error = plb_frontier_table_find(runs, &going_on, &number);
    for (int column = 1; column < longest(cut) && !error; column++) {
        plb_frontier_table from = *runs;
        *runs = (plb_frontier_table){.rows = cut->height, .k = cut->k};
        for (int word = cut->lowest; word < cut->words->count; word++)
            for (uint32_t i = 0; i < from.count && !error; i++) {
                if (!plb_cylinder_cut_may_have(cut, column, word)) break;
                plb_frontier_table_get(&from, i, &going_on);
                /* Which runs go on in a column with a word. */
                const plb_column_word *w = &cut->words->items[word],
                                      *first = &cut->words->items[cut->first];
                for (int d = 0; d < PLB_DIRECTIONS; d++) {
                    uint32_t stones = move_back(rows_of(w->stones), d, column);
                    uint32_t other = move_back(w->x, d, column) ^ first->x;
                    going_on.runs[d][column] = going_on.runs[d][column - 1] & stones & ~other;
                }
                error = plb_frontier_table_find(runs, &going_on, &number);
            }
        plb_frontier_table_free(&from);
    }
    return error;
}

/* ---- the board of one way ---- */

/* Runs in one direction go on in a column, or end in front of it. */
static void restrict_column(const plb_cylinder_cut *s, const plb_frontier *runs, int direction,
                            int column, plb_board_column *c) {
    uint32_t grown = runs->runs[direction][column];
    uint32_t ended = runs->runs[direction][column - 1] & ~grown;
    uint32_t x = s->words->items[s->first].x;
    uint32_t all = move_on(grown, direction, column);
    c->may[0] &= ~move_on((grown & x) | (ended & ~x), direction, column);
    c->may[1] &= ~move_on((grown & ~x) | (ended & x), direction, column);
    if (all && plb_bit_length(all) > c->least) c->least = plb_bit_length(all);
}

/* How many stones go on from the last column into a row of column 0. */
static int count_beyond(const plb_cylinder_cut *s, const plb_frontier *runs, int direction, int row,
                        bool x) {
    uint32_t rows = runs->runs[direction][0];
    uint32_t of_colour = x ? s->words->items[s->first].x : ~s->words->items[s->first].x;
    int stones = 0;
    while (row >= 0 && row < s->height && (rows & of_colour) >> row & 1) {
        int length = 0;
        while (length < longest(s) && runs->runs[direction][length] >> row & 1) length++;
        stones += length;
        if (length < s->width) break;
        row += s->width * (direction - 1);
    }
    return stones;
}

/* False if a run that goes round is a group. */
static bool join_ends(const plb_cylinder_cut *s, const plb_frontier *runs, plb_board_column *last) {
    for (int d = 0; d < PLB_DIRECTIONS; d++)
        for (int row = -1; row <= s->height; row++)
            for (int x = 0; x < 2; x++) {
                int stones = count_beyond(s, runs, d, row + d - 1, x);
                if (stones >= s->k) return false;
                if (row >= 0 && row < s->height) last->ahead[d][x][row] = (uint8_t)stones;
            }
    return true;
}

bool plb_cylinder_cut_set_board(const plb_cylinder_cut *cut, const plb_frontier *runs,
                                const plb_frontier_board *board) {
    bool is_there = true;
    memcpy(board->columns, cut->columns, cut->width * sizeof *board->columns);
    for (int column = 1; column < longest(cut); column++)
        for (int d = 0; d < PLB_DIRECTIONS; d++)
            restrict_column(cut, runs, d, column, &board->columns[column]);
    for (int column = 0; column < cut->width; column++) {
        plb_board_column *c = &board->columns[column];
        uint32_t gaps = rows_of(cut->height) & ~(c->may[0] | c->may[1]);
        if (gaps) c->most = least_of(c->most, plb_lowest(gaps)); /* below what cannot be filled */
        is_there = is_there && c->least <= c->most;
    }
    if (!is_there || !join_ends(cut, runs, &board->columns[cut->width - 1])) return false;
    plb_frontier_board_look_ahead(board);
    for (int c = 0; c < cut->width; c++)
        for (int d = 0; d < PLB_DIRECTIONS; d++)
            for (uint32_t rows = cut->exempt[c][d]; rows; rows &= rows - 1)
                board->columns[c].ahead[d][0][plb_lowest(rows)] =
                    board->columns[c].ahead[d][1][plb_lowest(rows)] = 0;
    return true;
}
