/* SPDX-License-Identifier: MIT
 *
 * Games of numbers by plain play on an array: no symmetry, no shortcut, nothing remembered. Shares
 * no code with what it checks.
 */
#ifndef PLB_TESTS_SUPPORT_NUMBER_ORACLE_H
#define PLB_TESTS_SUPPORT_NUMBER_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct oracle_board {
    int size, target;
    int number[4][4];   /* [column][row], 0 where empty */
    bool owns[2][17];   /* [player][number] has it from the start */
    bool played[2][17]; /* [player][number] */
    int placed;         /* numbers on the board; the first player moves where it is even */
} oracle_board;

/* Put a number of the player to move on an empty cell; is a line complete by it? */
bool oracle_place(oracle_board *board, int number, int column, int row);
void oracle_take_back(oracle_board *board, int column, int row, int number);

/* Every position that can arise, with its score. */
typedef struct oracle_scores {
    uint64_t *slots; /* [room] 256 * code + score + 128; 0 where empty */
    size_t room, count;
} oracle_scores;

/* The code of a position: for each cell, column by column from the bottom up, a digit 0 to 9: 0
 * where it is empty, else the number, and where both own it the largest more for the second player;
 * the digit of cell 0 counts least. To the player to move a win in d plies scores 100 - d, a draw
 * 0, a loss in d plies d - 100. Of boards of at most 9 cells. False: no memory; else *scores is
 * freed with oracle_free_scores. */
bool oracle_score_all(const oracle_board *empty, oracle_scores *scores);
void oracle_free_scores(oracle_scores *scores);

/* Can a player force a win, by a ply at the latest? Nobody has won yet. */
bool oracle_can_force(oracle_board *board, int player, int by);

#endif
