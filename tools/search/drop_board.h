/* SPDX-License-Identifier: MIT
 *
 * A board of Connect-k as shifts see it: columns from left to right, and above each column one bit
 * that stays empty, so that no line of stones leaves a column at the top and enters the next.
 *
 *     5 11 17     bits of a board of three columns and five rows, of which
 *     4 10 16     5, 11 and 17 stay empty: stride 6
 *     3  9 15
 *     2  8 14     From a cell the next one of its column is 1 further, those of the right
 *     1  7 13     column are 5, 6 and 7 further.
 *     0  6 12
 */
#ifndef PLB_TOOLS_SEARCH_DROP_BOARD_H
#define PLB_TOOLS_SEARCH_DROP_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "tables/bits.h"

enum { DROP_MAX_K = 16 };

typedef struct drop_board {
    int width, height, stride, cells, k;
    uint64_t cells_of_board, bottom;
    /* Rows by their distance from the top: 0, 2, 4.. and 1, 3, 5.. (pairs, below) */
    uint64_t answer_rows, move_rows;
} drop_board;

static inline drop_board drop_board_make(int width, int height, int k) {
    drop_board b = {width, height, height + 1, width * height, k, 0, 0, 0, 0};
    for (int column = 0; column < width; column++) b.bottom |= 1ULL << (column * b.stride);
    b.cells_of_board = b.bottom * plb_low_bits(height);
    for (int row = 0; row < height; row++) {
        uint64_t cells = b.bottom << row;
        *((height - 1 - row) % 2 == 0 ? &b.answer_rows : &b.move_rows) |= cells;
    }
    return b;
}

/* Cells in which the next stone of each column lands. */
static inline uint64_t drop_playable(const drop_board *b, uint64_t occupied) {
    return (occupied + b->bottom) & b->cells_of_board;
}

static inline uint64_t drop_column_of(const drop_board *b, int cell) {
    return plb_low_bits(b->height) << (cell - cell % b->stride);
}

/* Cells, on the board or off it, that complete k in a row in one direction. */
static inline uint64_t drop_completing_along(uint64_t stones, int step, int k) {
    if (k == 4) {
        uint64_t below1 = stones << step, below2 = below1 & stones << 2 * step;
        uint64_t above1 = stones >> step, above2 = above1 & stones >> 2 * step;
        return (below2 & stones << 3 * step) | (below2 & above1) | (below1 & above2) |
               (above2 & stones >> 3 * step);
    }
    uint64_t above[DROP_MAX_K], below = ~0ULL, found = 0;
    above[0] = ~0ULL;
    for (int i = 1; i < k; i++) above[i] = above[i - 1] & stones >> i * step;
    for (int i = 0; i < k; i++) {
        found |= below & above[k - 1 - i];
        below &= stones << (i + 1) * step;
    }
    return found;
}

/* Empty cells that complete k in a row of a player. */
static inline uint64_t drop_completing(const drop_board *b, uint64_t stones, uint64_t occupied) {
    int stride = b->stride, k = b->k;
    uint64_t cells =
        drop_completing_along(stones, 1, k) | drop_completing_along(stones, stride - 1, k) |
        drop_completing_along(stones, stride, k) | drop_completing_along(stones, stride + 1, k);
    return cells & b->cells_of_board & ~occupied;
}

/* The lowest cells of k in a row in one direction. */
static inline uint64_t drop_rows_along(uint64_t stones, int step, int k) {
    int length = 1;
    for (; 2 * length <= k; length *= 2) stones &= stones >> length * step;
    return length < k ? stones & stones >> (k - length) * step : stones;
}

static inline bool drop_has_row(const drop_board *b, uint64_t stones) {
    int stride = b->stride, k = b->k;
    return (drop_rows_along(stones, 1, k) | drop_rows_along(stones, stride - 1, k) |
            drop_rows_along(stones, stride, k) | drop_rows_along(stones, stride + 1, k)) != 0;
}

/* Has the player to move lost, his opponent completing k in a row with these cells? He cannot
 * complete one himself. Otherwise *moves gets those that do not lose at once. */
static inline bool drop_is_lost(const drop_board *b, uint64_t occupied, uint64_t dangers,
                                uint64_t *moves) {
    uint64_t playable = drop_playable(b, occupied), forced = dangers & playable;
    *moves = (forced ? forced : playable) & ~(dangers >> 1);
    return (forced & (forced - 1)) || !*moves;
}

/* ---- pairs ----
 *
 * What pairs of cells prove on boards on which stones drop. The mover's opponent, the answerer,
 * answers each stone in the same column, right on top of it. Seen from the top of a column, cells
 * 1, 3, 5.. are then the mover's and cells 0, 2, 4.. the answerer's: move rows and answer rows. A
 * column with an odd number of empty cells has one more, the lowest, which is in an answer row and
 * is contested; if there is an even number of such columns, the answerer pairs them, too, and each
 * takes one cell of a pair.
 *
 *     . A     A: the answerer's, if he answers in the column     all cells that the mover can get
 *     . M     M: the mover's                                     are his stones, the M, and of the
 *     C A     C: contested: with a second one a pair             contested cells one of each pair
 *     x M     x: a stone
 *
 * If all these cells hold no k in a row, the mover does not win. If besides the answerer completes
 * k in a row with cells that are certainly his, the mover loses. A threat of the answerer in a cell
 * that he gets ends its column: cells above it belong to neither. With an odd number of contested
 * cells, when the mover has the last move, a threat of the answerer in a move row of a column with
 * a contested cell changes the parity: in that column the mover gets the answer rows below it.
 *
 * Source: the rules claimeven, baseinverse and the control of zugzwang of V. Allis, A
 * Knowledge-based Approach of Connect-Four, 1988; here one strategy for the whole board.
 */

/* Can four contested cells be paired so that the mover gets nothing with any two of them? */
static inline bool drop_four_are_harmless(const drop_board *b, uint64_t cells, uint64_t contested) {
    uint64_t c[4];
    bool safe[4][4];
    for (int i = 0; i < 4; i++, contested &= contested - 1) c[i] = contested & -contested;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < i; j++) safe[i][j] = safe[j][i] = !drop_has_row(b, cells | c[i] | c[j]);
    for (int with = 1; with < 4; with++) { /* pairs: 0 and `with`, the two others */
        int p = with == 1 ? 2 : 1, q = with == 3 ? 2 : 3;
        if (safe[0][p] && safe[0][q] && safe[with][p] && safe[with][q]) return true;
    }
    return false;
}

/* Does a player get no k in a row with these cells and one of each pair of contested ones, of which
 * there is an even number? */
static inline bool drop_gets_nothing(const drop_board *b, uint64_t cells, uint64_t contested) {
    uint64_t first = contested & -contested, rest = contested ^ first;
    if (!contested) return !drop_has_row(b, cells);
    if (!(rest & (rest - 1)))
        return !drop_has_row(b, cells | first) && !drop_has_row(b, cells | rest);
    if (!drop_has_row(b, cells | contested)) return true;
    return plb_popcount(contested) == 4 && drop_four_are_harmless(b, cells, contested);
}

/* The score of the answerer who completes a row there at the latest, when all other cells are full
 * (drop_search.h). */
static inline int drop_latest_score(const drop_board *b, int cell) {
    return (b->height - 1 - cell % b->stride + 2) / 2;
}

/* The mover to be kept from winning, with an even number of contested cells. */
static inline bool drop_answers_hold(const drop_board *b, uint64_t mine, uint64_t occupied,
                                     uint64_t contested, uint64_t threats, int need) {
    uint64_t empty = b->cells_of_board & ~occupied;
    uint64_t mover_gets = empty & b->move_rows;
    bool enough = need <= 0;
    for (uint64_t left = threats & b->answer_rows & ~contested; left; left &= left - 1) {
        int cell = plb_lowest(left);
        mover_gets &= ~(drop_column_of(b, cell) & ~plb_low_bits(cell + 1));
        enough |= drop_latest_score(b, cell) >= need;
    }
    if (!enough &&
        (need > 1 || !drop_has_row(b, (mine ^ occupied) | (empty & b->answer_rows & ~contested))))
        return false;
    return drop_gets_nothing(b, mine | mover_gets, contested);
}

/* Do pairs show that the mover's score is -need at most?
 *
 * mine      stones of the mover, who cannot complete k in a row at once
 * occupied  all stones
 * threats   empty cells with which his opponent completes k in a row (drop_completing)
 * need      from 0 (he does not win) on: how badly he loses */
static inline bool drop_pairing_holds(const drop_board *b, uint64_t mine, uint64_t occupied,
                                      uint64_t threats, int need) {
    uint64_t playable = drop_playable(b, occupied), contested = playable & b->answer_rows;
    if (plb_popcount(contested) % 2 == 0)
        return drop_answers_hold(b, mine, occupied, contested, threats, need);
    uint64_t empty = b->cells_of_board & ~occupied;
    for (uint64_t left = threats & b->move_rows; left; left &= left - 1) {
        int cell = plb_lowest(left);
        uint64_t column = drop_column_of(b, cell);
        if (drop_latest_score(b, cell) < need || !(contested & column)) continue;
        uint64_t mover_gets = (empty & b->move_rows & ~column) |
                              (empty & b->answer_rows & column & plb_low_bits(cell));
        if (drop_gets_nothing(b, mine | mover_gets, contested & ~column)) return true;
    }
    return false;
}

#endif
