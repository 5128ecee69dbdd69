/* SPDX-License-Identifier: MIT
 *
 * Games of numbers by plain play on an array: no symmetry, no shortcut, nothing remembered. Shares
 * no code with what it checks.
 */
#ifndef PLB_TESTS_NUMBER_ORACLE_H
#define PLB_TESTS_NUMBER_ORACLE_H

#include <stdbool.h>

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

/* Can a player force a win, by a ply at the latest? Nobody has won yet. */
bool oracle_can_force(oracle_board *board, int player, int by);

#endif
