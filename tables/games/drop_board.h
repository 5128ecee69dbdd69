/* SPDX-License-Identifier: MIT
 *
 * A bitboard of Connect-k: columns from left to right, and above each column one bit that is always
 * 0, so that shifts find no line of stones that runs from the top of a column into the next one.
 *
 *     5 11 17     bits of a board of three columns and five rows: stride 6
 *     4 10 16     Bits 5, 11 and 17 are always 0.
 *     3  9 15
 *     2  8 14     A bit + 1 is the cell above; + 5, + 6 and + 7 are the cells
 *     1  7 13     to the lower right, right and upper right.
 *     0  6 12
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "tables/bits.h"

enum { DROP_MAX_K = 16 };

typedef struct drop_board {
    int width, height, stride, cells, k;
    uint64_t cells_of_board, bottom;
    uint64_t follower_rows, mover_rows; /* 0, 2, 4.. and 1, 3, 5.. from the top */
} drop_board;

/* Can such a board be represented? k, width and height are those of a game. */
static inline bool drop_board_fits(int width, int height, int k) {
    return k >= 2 && k <= DROP_MAX_K && width * (height + 1) <= 64 && (k - 1) * (height + 2) <= 63;
}

static inline drop_board drop_board_make(int width, int height, int k) {
    drop_board b = {width, height, height + 1, width * height, k, 0, 0, 0, 0};
    for (int column = 0; column < width; column++) b.bottom |= 1ULL << (column * b.stride);
    b.cells_of_board = b.bottom * plb_low_bits(height);
    for (int row = 0; row < height; row++) {
        uint64_t cells = b.bottom << row;
        *((height - 1 - row) % 2 == 0 ? &b.follower_rows : &b.mover_rows) |= cells;
    }
    return b;
}

/* The lowest empty cell of each column. */
static inline uint64_t drop_playable(const drop_board *b, uint64_t occupied) {
    return (occupied + b->bottom) & b->cells_of_board;
}

static inline uint64_t drop_column_of(const drop_board *b, int cell) {
    return plb_low_bits(b->height) << (cell - cell % b->stride);
}

/* Bits that complete k in a row in one direction; also occupied ones and those above a column. */
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
    for (int i = 1; i < k; i++) { /* k * step may be 64 or more */
        found |= below & above[k - i];
        below &= stones << i * step;
    }
    return found | below;
}

/* Empty cells, playable or not, in which a player's stone completes k in a row. */
static inline uint64_t drop_completing(const drop_board *b, uint64_t stones, uint64_t occupied) {
    int stride = b->stride, k = b->k;
    uint64_t cells =
        drop_completing_along(stones, 1, k) | drop_completing_along(stones, stride - 1, k) |
        drop_completing_along(stones, stride, k) | drop_completing_along(stones, stride + 1, k);
    return cells & b->cells_of_board & ~occupied;
}

/* The first bit of each k in a row in one direction. */
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

/* Will the opponent win with his next stone, whatever the mover plays? `dangers` are the empty
 * cells that complete k in a row for him; the mover cannot win at once. If not, *moves gets the
 * moves that prevent it. */
static inline bool drop_is_lost(const drop_board *b, uint64_t occupied, uint64_t dangers,
                                uint64_t *moves) {
    uint64_t playable = drop_playable(b, occupied), forced = dangers & playable;
    *moves = (forced ? forced : playable) & ~(dangers >> 1);
    return (forced & (forced - 1)) || !*moves;
}
