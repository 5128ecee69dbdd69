/* SPDX-License-Identifier: MIT
 *
 * What a follow-up strategy proves in Connect-k. The mover's opponent, the follower, plays each
 * stone on top of the mover's last one. With rows numbered from the top, from 0 on, the mover then
 * gets the empty cells of rows 1, 3, 5.. and the follower those of rows 0, 2, 4.. If a column has
 * an odd number of empty cells, its lowest one lies in a row of the follower, but either player may
 * take it: it is contested. If the number of contested cells is even, the follower makes pairs of
 * them, and each player gets one cell of each pair.
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
#pragma once

#include "tables/games/drop_board.h"

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
