/* SPDX-License-Identifier: MIT
 *
 * Solves games of numbers naively, by recursion over all moves on an array, without symmetries or
 * shortcuts. Shares no code with what it checks.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct oracle_board {
    int size, target;
    int number[4][4];   /* [column][row], 0: empty */
    bool owns[2][17];   /* [player][number]: has it at the start */
    bool played[2][17]; /* [player][number]: has placed it */
    int placed;         /* numbers on the board; if even, the first player is to move */
} oracle_board;

/* Place a number of the player to move on an empty cell. Returns whether this completes a line. */
bool oracle_place(oracle_board *board, int number, int column, int row);
void oracle_take_back(oracle_board *board, int column, int row, int number);

/* A hash table of every position that can arise, with its score. */
typedef struct oracle_scores {
    uint64_t *slots; /* [capacity] 256 * code + score + 128; 0: empty */
    size_t capacity, count;
} oracle_scores;

/* Score all positions of a board of at most 9 cells. False: out of memory. Free *scores with
 * oracle_free_scores.
 *
 * Code of a position: a decimal number with one digit per cell, column by column from the bottom
 * up; the units digit is cell 0. The digit is 0 for an empty cell, otherwise the number on it; if a
 * number belongs to both players, the largest number is added for the second player.
 * Score for the player to move: 100 - d for a win in d plies, 0 for a draw, d - 100 for a loss. */
bool oracle_score_all(const oracle_board *empty, oracle_scores *scores);
void oracle_free_scores(oracle_scores *scores);

/* Can a player force a win at ply `by` or earlier? Nobody has won yet. */
bool oracle_can_force(oracle_board *board, int player, int by);
