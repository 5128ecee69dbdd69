/* SPDX-License-Identifier: MIT
 *
 * A second, naive implementation of the rules of numbers: a board of numbers and owners, sums taken
 * by stepping along rows, columns and the two long diagonals. What builder, probe and verifier use
 * (tables/games/number_rules.h) is compared with it.
 *
 * Must not know: tables/games/number_rules.c and whatever rests on it; sets as bits. Slow, on
 * purpose.
 */
#ifndef PLB_TOOLS_SEARCH_NAIVE_NUMBERS_H
#define PLB_TOOLS_SEARCH_NAIVE_NUMBERS_H

#include <stdbool.h>

enum { NAIVE_SIZE = 4, NAIVE_NUMBERS = 17 };

typedef struct naive_numbers {
    int size, largest, target;
    bool owns[2][NAIVE_NUMBERS];       /* [player][number] */
    bool played[2][NAIVE_NUMBERS];     /* [player][number] */
    int board[NAIVE_SIZE][NAIVE_SIZE]; /* [column][row], row 0 the bottom one; 0: empty */
    int moves;                         /* made; the first player moves where it is even */
} naive_numbers;

/* Read a canonical spec, such as numeric-3x3-first12345, and begin with an empty board. False: it
 * is none. */
bool naive_numbers_read(const char *spec, naive_numbers *game);

/* May the player to move put a number on a cell, the game going on? */
bool naive_numbers_may_place(const naive_numbers *game, int number, int column, int row);
void naive_numbers_place(naive_numbers *game, int number, int column, int row);

/* Does a full line sum to the target? */
bool naive_numbers_is_complete(const naive_numbers *game);

#endif
