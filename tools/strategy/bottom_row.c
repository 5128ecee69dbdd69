/* SPDX-License-Identifier: MIT */
#include "tools/strategy/bottom_row.h"

/* A maximal run of empty cells: columns [begin, end). */
typedef struct row_gap {
    int begin, end;
} row_gap;

/* The first gap from a column on; begin == end == width: there is none. */
static row_gap find_gap(const bottom_row *row, int from) {
    row_gap gap = {from, from};
    while (gap.begin < row->width && row->cells[gap.begin] != CELL_EMPTY) gap.begin++;
    gap.end = gap.begin;
    while (gap.end < row->width && row->cells[gap.end] == CELL_EMPTY) gap.end++;
    return gap;
}

int bottom_row_empty(const bottom_row *row) {
    int count = 0;
    for (int c = 0; c < row->width; c++) count += row->cells[c] == CELL_EMPTY;
    return count;
}

uint64_t take_other_moves(const bottom_row *row) {
    uint64_t begun = 0, rightmost = 0;
    for (int c = 0; c < row->width; c++) {
        int half = c ^ 1;
        if (row->cells[c] != CELL_EMPTY) continue;
        rightmost = 1ULL << c;
        if (half < row->width && row->cells[half] == CELL_OTHER) begun |= 1ULL << c;
    }
    return begun ? begun : rightmost;
}

/* ---- the tally ----
 *
 * A stone prescribes alternating stones up to the next stone: its template. A move in a gap agrees
 * with the stone on a side or contradicts it. If the two stones agree with each other, a move
 * agrees with both or with neither. */

static bool has_stone(const bottom_row *row, int column) {
    return column >= 0 && column < row->width && row->cells[column] != CELL_EMPTY;
}

/* Whose stone does the template of a stone prescribe in the cell at this distance? */
static row_cell prescribed(row_cell stone, int away) {
    return away % 2 == 0 ? stone : stone == CELL_OWN ? CELL_OTHER : CELL_OWN;
}

template_play bottom_row_play(const bottom_row *row, int column) {
    int first = column;
    while (first > 0 && row->cells[first - 1] == CELL_EMPTY) first--;
    row_gap gap = find_gap(row, first);
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
    row_cell stone = row->cells[left ? gap.begin - 1 : gap.end];
    row_cell wall = prescribed(stone, gap.end - gap.begin); /* in the cell at the wall */
    return wall == CELL_OWN ? PLAY_IMMOLATION : PLAY_OFFENSIVE;
}

static uint64_t moves_of_play(const bottom_row *row, template_play play) {
    uint64_t moves = 0;
    for (int c = 0; c < row->width; c++)
        if (row->cells[c] == CELL_EMPTY && bottom_row_play(row, c) == play) moves |= 1ULL << c;
    return moves;
}

/* Does a gap lie between stones that contradict each other? */
static bool has_contradiction(const bottom_row *row) {
    for (row_gap gap = find_gap(row, 0); gap.begin < row->width; gap = find_gap(row, gap.end)) {
        if (!has_stone(row, gap.begin - 1) || !has_stone(row, gap.end)) continue;
        row_cell here = row->cells[gap.end];
        if (prescribed(row->cells[gap.begin - 1], gap.end - gap.begin + 1) != here) return true;
    }
    return false;
}

uint64_t tally_moves(const bottom_row *row) {
    if (row->width - bottom_row_empty(row) == 1) {
        uint64_t walls = 1ULL | 1ULL << (row->width - 1);
        uint64_t offensive = moves_of_play(row, PLAY_OFFENSIVE) & walls;
        return offensive ? offensive : moves_of_play(row, PLAY_IN_TEMPLATE) & walls;
    }
    bool walled = has_stone(row, 0) && has_stone(row, row->width - 1);
    uint64_t doubles = row->width % 2 == 0 && walled && !has_contradiction(row)
                           ? moves_of_play(row, PLAY_DOUBLE)
                           : 0;
    return doubles ? doubles : moves_of_play(row, PLAY_IN_TEMPLATE);
}

/* ---- canonical boards ----
 *
 * A gap is classified by the player's stones next to it. Beyond them is an opponent's stone or the
 * end of the row, which stand for all that the definitions call a filler. Two stones on both sides
 * are not a canonical board: play by the rule never makes one.
 */

static int count_own(const bottom_row *row, int from, int step) {
    int count = 0;
    for (int c = from; c >= 0 && c < row->width && row->cells[c] == CELL_OWN; c += step) count++;
    return count;
}

/* The move changes A to B, B to C, C to E and D to E. */
uint64_t canonical_board_moves(const bottom_row *row) {
    enum { A, B, C, D, E, BOARDS };
    static const int boards[2][3] = {{A, B, D}, {E, C, E}}; /* [fewer stones][more stones] */
    /* [parity of all empty cells][parity of the gap][board]: 0 comes first; 3: no move there */
    static const int ranks[2][2][BOARDS] = {{{1, 2, 2, 0, 3}, {1, 1, 3, 3, 3}},
                                            {{3, 3, 3, 3, 3}, {0, 0, 3, 3, 3}}};
    int odd_total = bottom_row_empty(row) % 2;
    uint64_t moves[4] = {0, 0, 0, 0};
    for (row_gap gap = find_gap(row, 0); gap.begin < row->width; gap = find_gap(row, gap.end)) {
        int left = count_own(row, gap.begin - 1, -1), right = count_own(row, gap.end, 1);
        int fewer = left < right ? left : right, more = left < right ? right : left;
        if (fewer > 1 || more > 2) continue;
        int rank = ranks[odd_total][(gap.end - gap.begin) % 2][boards[fewer][more]];
        if (left <= right) moves[rank] |= 1ULL << gap.begin;
        if (right <= left) moves[rank] |= 1ULL << (gap.end - 1);
    }
    return moves[0] ? moves[0] : moves[1] ? moves[1] : moves[2];
}
