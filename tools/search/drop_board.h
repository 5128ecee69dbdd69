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

enum { DROP_MOST_K = 16 };

typedef struct drop_board {
    int width, height, stride, cells, k;
    uint64_t cells_of_board, bottom;
    /* Rows by their distance from the top: 0, 2, 4.. and 1, 3, 5.. (drop_pairing.h) */
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
    uint64_t above[DROP_MOST_K], below = ~0ULL, found = 0;
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

#endif
