/* SPDX-License-Identifier: MIT
 *
 * A second, naive implementation of the rules of every game, as simple as can be: a board of
 * characters, runs counted by stepping from cell to cell, squares by their corners, stones that
 * fall to the lowest empty cell. The forward search takes its rules from here, and what builder,
 * probe and verifier use (tables/game.h, tables/rules.h) is compared with them before a search
 * begins.
 *
 * Must not know: tables/game.c and whatever rests on it; sets of cells as bits. Slow, on purpose.
 */
#ifndef PLB_TOOLS_SEARCH_NAIVE_RULES_H
#define PLB_TOOLS_SEARCH_NAIVE_RULES_H

#include <stdbool.h>

enum { NAIVE_CELLS = 64 };

typedef struct naive_rules {
    int width, height, k;
    bool squares, gravity, misere, cylinder;
} naive_rules;

/* A board: [row * width + column] is 'x', 'o' or '.'; row 0 is the bottom one. */
typedef char naive_board[NAIVE_CELLS];

/* Read a canonical spec, such as connect-4x3-k3-misere-cylinder. False: it is none. */
bool naive_read(const char *spec, naive_rules *rules);

void naive_clear(naive_board board);

/* May a stone be placed on a cell? A column whose lowest empty cell is another one drops it
 * there. */
bool naive_may_place(const naive_rules *rules, const naive_board board, int column, int row);

/* Has a colour k stones in a row, or the four corners of a square? */
bool naive_is_complete(const naive_rules *rules, const naive_board board, char colour);

/* Every group, some more than once: its cells, as indices of a board. */
void naive_visit_groups(const naive_rules *rules,
                        void (*visit)(void *context, const int *cells, int count), void *context);

#endif
