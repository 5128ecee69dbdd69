/* SPDX-License-Identifier: MIT
 *
 * What the strategies of the bottom row share, and the shortest of them.
 */
#include "tools/strategy/bottom_row.h"

row_gap bottom_row_gap(const bottom_row *row, int from) {
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
