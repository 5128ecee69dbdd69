/* SPDX-License-Identifier: MIT
 *
 * The stretch of cells around a gap is classified by the player's stones that touch the gap; what
 * lies beyond them is an opponent's stone or the end of the row, and so is all that the definitions
 * call a filler. Two stones on both sides are no canonical board, for play by the rule makes none.
 */
#include "tools/strategy/bottom_row.h"

typedef enum board_kind { BOARD_A, BOARD_B, BOARD_C, BOARD_D, BOARD_E, BOARD_KINDS } board_kind;

/* A canonical board: where its empty cells are, and its kind; BOARD_KINDS: it is none. */
typedef struct canonical_board {
    row_gap gap;
    int left, right; /* own stones next to the gap */
    board_kind kind;
} canonical_board;

static int count_own(const bottom_row *row, int from, int step) {
    int count = 0;
    for (int c = from; c >= 0 && c < row->width && row->cells[c] == CELL_OWN; c += step) count++;
    return count;
}

static board_kind kind_of(int fewer, int more) {
    static const board_kind kinds[2][3] = {{BOARD_A, BOARD_B, BOARD_D},
                                           {BOARD_KINDS, BOARD_C, BOARD_E}};
    return fewer > 1 || more > 2 ? BOARD_KINDS : kinds[fewer][more];
}

static canonical_board classify(const bottom_row *row, row_gap gap) {
    canonical_board b = {
        .gap = gap, .left = count_own(row, gap.begin - 1, -1), .right = count_own(row, gap.end, 1)};
    b.kind = b.left < b.right ? kind_of(b.left, b.right) : kind_of(b.right, b.left);
    return b;
}

/* A becomes B, B becomes C, C becomes E, D becomes E. */
static uint64_t moves_in(const canonical_board *b) {
    uint64_t first = 1ULL << b->gap.begin, last = 1ULL << (b->gap.end - 1);
    if (b->left == b->right) return first | last;
    return b->left < b->right ? first : last;
}

/* The priority of a board, 0 the first; -1: the rule does not move there. */
static int priority(const canonical_board *b, bool odd_total) {
    static const int of_odd[2][BOARD_KINDS + 1] = {{-1, -1, -1, -1, -1, -1},
                                                   {0, 0, -1, -1, -1, -1}};
    static const int of_even[2][BOARD_KINDS + 1] = {{1, 2, 2, 0, -1, -1}, {1, 1, -1, -1, -1, -1}};
    bool is_odd = (b->gap.end - b->gap.begin) % 2 == 1;
    return (odd_total ? of_odd : of_even)[is_odd][b->kind];
}

uint64_t canonical_board_moves(const bottom_row *row) {
    bool odd_total = bottom_row_empty(row) % 2 == 1;
    uint64_t moves[3] = {0, 0, 0};
    for (row_gap gap = bottom_row_gap(row, 0); gap.begin < row->width;
         gap = bottom_row_gap(row, gap.end)) {
        canonical_board b = classify(row, gap);
        int rank = priority(&b, odd_total);
        if (rank >= 0) moves[rank] |= moves_in(&b);
    }
    return moves[0] ? moves[0] : moves[1] ? moves[1] : moves[2];
}
