/* SPDX-License-Identifier: MIT
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
#ifndef PLB_TOOLS_SEARCH_DROP_PAIRING_H
#define PLB_TOOLS_SEARCH_DROP_PAIRING_H

#include "tools/search/drop_board.h"

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
