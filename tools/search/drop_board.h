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
#ifndef PLB_TOOLS_SEARCH_DROP_BOARD_H
#define PLB_TOOLS_SEARCH_DROP_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "tables/bits.h"

enum { DROP_MAX_K = 16 };

typedef struct drop_board {
    int width, height, stride, cells, k;
    uint64_t cells_of_board, bottom;
    uint64_t follower_rows, mover_rows; /* 0, 2, 4.. and 1, 3, 5.. from the top (pairs, below) */
} drop_board;

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
    for (int i = 0; i < k; i++) {
        found |= below & above[k - 1 - i];
        below &= stones << (i + 1) * step;
    }
    return found;
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

/* ---- pairs ----
 *
 * What a follow-up strategy proves. The mover's opponent, the follower, plays each stone on top of
 * the mover's last one. With rows numbered from the top, from 0 on, the mover then gets the empty
 * cells of rows 1, 3, 5.. and the follower those of rows 0, 2, 4.. If a column has an odd number of
 * empty cells, its lowest one lies in a row of the follower, but either player may take it: it is
 * contested. If the number of contested cells is even, the follower makes pairs of them, and each
 * player gets one cell of each pair.
 *
 *     F F     F: the follower's
 *     M M     M: the mover's
 *     C F     C: contested, forms a pair with a second C
 *     x M     x: a stone
 *
 * The mover can get his stones, all M and one C of each pair. If these cells never contain k in a
 * row, the mover does not win. If, besides, the follower completes k in a row with his stones and
 * all F, the mover loses. A follower's threat in an F ends the game, so nobody gets the cells above
 * it. If the number of contested cells is odd, the mover has the last move. Then a follower's
 * threat in a mover row of a column with a contested cell changes the parity: below the threat the
 * mover gets the follower rows of this column, and the other contested cells form pairs.
 *
 * Source: the rules claimeven, baseinverse and control of zugzwang of V. Allis, A Knowledge-based
 * Approach of Connect-Four, 1988; here combined into one strategy for the whole board.
 */

/* Can four contested cells be paired so that no choice of one of each pair gives k in a row? */
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

/* Can the contested cells, an even number, be paired so that `cells` with one of each pair never
 * contain k in a row? False may mean that it is not known. */
static inline bool drop_gets_nothing(const drop_board *b, uint64_t cells, uint64_t contested) {
    uint64_t first = contested & -contested, rest = contested ^ first;
    if (!contested) return !drop_has_row(b, cells);
    if (!(rest & (rest - 1)))
        return !drop_has_row(b, cells | first) && !drop_has_row(b, cells | rest);
    if (!drop_has_row(b, cells | contested)) return true;
    return plb_popcount(contested) == 4 && drop_four_are_harmless(b, cells, contested);
}

/* The follower's score (drop_search.h) if he completes k in a row in this cell as late as possible:
 * only this cell and those above it are empty. */
static inline int drop_latest_score(const drop_board *b, int cell) {
    return (b->height - 1 - cell % b->stride + 2) / 2;
}

/* drop_pairing_holds with an even number of contested cells. */
static inline bool drop_even_pairing_holds(const drop_board *b, uint64_t mine, uint64_t occupied,
                                           uint64_t contested, uint64_t threats, int need) {
    uint64_t empty = b->cells_of_board & ~occupied;
    uint64_t mover_cells = empty & b->mover_rows;
    bool enough = need <= 0;
    for (uint64_t left = threats & b->follower_rows & ~contested; left; left &= left - 1) {
        int cell = plb_lowest(left);
        mover_cells &= ~(drop_column_of(b, cell) & ~plb_low_bits(cell + 1));
        enough |= drop_latest_score(b, cell) >= need;
    }
    if (!enough &&
        (need > 1 || !drop_has_row(b, (mine ^ occupied) | (empty & b->follower_rows & ~contested))))
        return false;
    return drop_gets_nothing(b, mine | mover_cells, contested);
}

/* Do pairs prove that the mover's score is at most -need?
 *
 * mine      stones of the mover, who cannot complete k in a row at once
 * occupied  all stones
 * threats   empty cells with which his opponent completes k in a row (drop_completing)
 * need      0 or more; 0: the mover does not win */
static inline bool drop_pairing_holds(const drop_board *b, uint64_t mine, uint64_t occupied,
                                      uint64_t threats, int need) {
    uint64_t playable = drop_playable(b, occupied), contested = playable & b->follower_rows;
    if (plb_popcount(contested) % 2 == 0)
        return drop_even_pairing_holds(b, mine, occupied, contested, threats, need);
    uint64_t empty = b->cells_of_board & ~occupied;
    for (uint64_t left = threats & b->mover_rows; left; left &= left - 1) {
        int cell = plb_lowest(left);
        uint64_t column = drop_column_of(b, cell);
        if (drop_latest_score(b, cell) < need || !(contested & column)) continue;
        uint64_t mover_cells = (empty & b->mover_rows & ~column) |
                               (empty & b->follower_rows & column & plb_low_bits(cell));
        if (drop_gets_nothing(b, mine | mover_cells, contested & ~column)) return true;
    }
    return false;
}

#endif
