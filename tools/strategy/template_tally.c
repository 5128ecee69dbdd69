/* SPDX-License-Identifier: MIT
 *
 * A stone prescribes alternating stones up to the next one: its template. A move in a gap agrees
 * with the stone on either side, or contradicts it; where the two stones agree with each other, a
 * move agrees with both or with neither.
 */
#include "tools/strategy/bottom_row.h"

static bool has_stone(const bottom_row *row, int column) {
    return column >= 0 && column < row->width && row->cells[column] != CELL_EMPTY;
}

/* Whose stone does the template of a stone prescribe so many cells away? */
static row_cell prescribed(row_cell stone, int away) {
    return away % 2 == 0 ? stone : stone == CELL_OWN ? CELL_OTHER : CELL_OWN;
}

/* Of a gap that ends at a wall, with a stone on its other side: whose is the cell at the wall? */
static row_cell owner_of_wall(const bottom_row *row, row_gap gap) {
    int cells = gap.end - gap.begin;
    return prescribed(row->cells[gap.begin ? gap.begin - 1 : gap.end], cells);
}

static row_gap gap_around(const bottom_row *row, int column) {
    while (column > 0 && row->cells[column - 1] == CELL_EMPTY) column--;
    return bottom_row_gap(row, column);
}

template_play bottom_row_play(const bottom_row *row, int column) {
    row_gap gap = gap_around(row, column);
    bool left = has_stone(row, gap.begin - 1), right = has_stone(row, gap.end);
    int away_left = column - gap.begin + 1, away_right = gap.end - column;
    if (!left && !right) return PLAY_NONE;
    if ((left && away_left == 1 && row->cells[gap.begin - 1] == CELL_OWN) ||
        (right && away_right == 1 && row->cells[gap.end] == CELL_OWN))
        return PLAY_NONE;
    if ((left && prescribed(row->cells[gap.begin - 1], away_left) == CELL_OWN) ||
        (right && prescribed(row->cells[gap.end], away_right) == CELL_OWN))
        return PLAY_IN_TEMPLATE;
    if (left && right) return PLAY_DOUBLE;
    return owner_of_wall(row, gap) == CELL_OWN ? PLAY_IMMOLATION : PLAY_OFFENSIVE;
}

static uint64_t moves_of_play(const bottom_row *row, template_play play) {
    uint64_t moves = 0;
    for (int c = 0; c < row->width; c++)
        if (row->cells[c] == CELL_EMPTY && bottom_row_play(row, c) == play) moves |= 1ULL << c;
    return moves;
}

/* Does a gap lie between stones that contradict each other? */
static bool has_contradiction(const bottom_row *row) {
    for (row_gap gap = bottom_row_gap(row, 0); gap.begin < row->width;
         gap = bottom_row_gap(row, gap.end)) {
        if (!has_stone(row, gap.begin - 1) || !has_stone(row, gap.end)) continue;
        row_cell here = row->cells[gap.end];
        if (prescribed(row->cells[gap.begin - 1], gap.end - gap.begin + 1) != here) return true;
    }
    return false;
}

static uint64_t open_at_wall(const bottom_row *row) {
    uint64_t walls = 1ULL | 1ULL << (row->width - 1);
    uint64_t offensive = moves_of_play(row, PLAY_OFFENSIVE) & walls;
    return offensive ? offensive : moves_of_play(row, PLAY_IN_TEMPLATE) & walls;
}

uint64_t tally_moves(const bottom_row *row) {
    if (row->width - bottom_row_empty(row) == 1) return open_at_wall(row);
    bool walled = has_stone(row, 0) && has_stone(row, row->width - 1);
    uint64_t doubles = row->width % 2 == 0 && walled && !has_contradiction(row)
                           ? moves_of_play(row, PLAY_DOUBLE)
                           : 0;
    return doubles ? doubles : moves_of_play(row, PLAY_IN_TEMPLATE);
}
