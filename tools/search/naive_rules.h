/* SPDX-License-Identifier: MIT
 *
 * A second, naive implementation of the rules of every game, as simple as can be: a board of
 * characters, runs met by stepping from cell to cell, squares by their corners, stones that
 * fall to the lowest empty cell. The forward search takes its rules from here, and what builder,
 * probe and verifier use (tables/games/game.h, tables/games/rules.h) is compared with them before a
 * search begins.
 *
 * Must not know: tables/games/game.c and whatever rests on it; sets of cells as bits. Slow, on
 * purpose.
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

#endif
