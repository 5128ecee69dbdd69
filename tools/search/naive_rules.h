/* SPDX-License-Identifier: MIT
 *
 * A second, naive implementation of the rules of every game, as simple as can be: a board of
 * characters, runs met by stepping from cell to cell, squares by their corners, stones that
 * fall to the lowest empty cell. The forward search takes its rules from here, and what builder,
 * probe and verifier use (tables/games/) is compared with them before a search begins.
 *
 * Must not know: tables/games/ and whatever rests on it; sets of cells as bits. Slow, on purpose.
 */
#ifndef PLB_TOOLS_SEARCH_NAIVE_RULES_H
#define PLB_TOOLS_SEARCH_NAIVE_RULES_H

#include <stdbool.h>

enum { NAIVE_CELLS = 64 };

/* Gets the cells of a group, as indices of a board. */
typedef void naive_visitor(void *context, const int *cells, int count);

typedef struct naive_rules naive_rules;
struct naive_rules {
    int width, height, k;
    bool gravity, misere, cylinder;
    /* Visit every group, some more than once. */
    void (*visit_groups)(const naive_rules *rules, naive_visitor *visit, void *context);
};

/* A board: [row * width + column] is 'x', 'o' or '.'; row 0 is the bottom one. */
typedef char naive_board[NAIVE_CELLS];

/* Read a canonical spec, such as connect-4x3-k3-misere-cylinder. False: it is none. */
bool naive_read(const char *spec, naive_rules *rules);

void naive_clear(naive_board board);

/* May a stone be placed on a cell? A column whose lowest empty cell is another one drops it
 * there. */
bool naive_may_place(const naive_rules *rules, const naive_board board, int column, int row);

/* Has a colour all cells of a group? */
bool naive_is_complete(const naive_rules *rules, const naive_board board, char colour);

/* ---- games of numbers: a board of numbers and owners, sums taken by stepping along lines ---- */

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
