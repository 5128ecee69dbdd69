/* SPDX-License-Identifier: MIT
 *
 * The oracle solves small games in a slow, naive way, for comparison with tables. It shares no code
 * with the project and includes none of its headers. Boards are arrays of characters, groups are
 * found cell by cell, and values come from plain minimax over the set of all reachable positions.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum {
    ORACLE_CELLS = 24,         /* maximal size of a board */
    ORACLE_TEXT = 64,          /* bytes for any board or spec as text, with the final zero */
    ORACLE_CAPACITY = 4 << 20, /* maximal number of positions of a game */
    ORACLE_NO_DTM = -1,        /* distance of a draw */
};

typedef enum oracle_family { ORACLE_CONNECT, ORACLE_MNK, ORACLE_SQUARE } oracle_family;

typedef struct oracle_game {
    oracle_family family;
    int width, height, k; /* k is not used for square */
    bool misere, cylinder;
} oracle_game;

/* A reachable position. board[row * width + column] is 'x', 'o' or '.'; row 0 is the bottom row. */
typedef struct oracle_position {
    char board[ORACLE_CELLS + 1];
    signed char ply, value, dtm; /* value for the side to move: 1 win, 0 draw, -1 loss */
    bool over, complete;         /* the game is over; a group is complete */
} oracle_position;

/* Counts of a ply; won and lost are for the first player. */
typedef struct oracle_counts {
    size_t total, terminal, won, drawn, lost;
} oracle_counts;

typedef struct oracle {
    oracle_game game;
    int cells;
    size_t count;               /* reachable positions */
    oracle_position *positions; /* [count] sorted by ply */
    unsigned *slots;            /* hash set of positions: 1 + number, 0: empty */
    oracle_counts plies[ORACLE_CELLS + 1];
} oracle;

typedef struct oracle_move {
    int column, row;
    const oracle_position *child;
} oracle_move;

/* Find and solve every position. False: more than ORACLE_CAPACITY positions, or out of memory. Free
 * *solved with oracle_free. */
bool oracle_solve(const oracle_game *game, oracle *solved);
void oracle_free(oracle *solved);

/* The same for the positions that are reachable from a board, where the game is not over. */
bool oracle_solve_from(const oracle_game *game, const char *board, oracle *solved);

/* Find a reachable position by its board. NULL: there is none. */
const oracle_position *oracle_find(const oracle *solved, const char *board);

/* List the moves of a position, by column, then by row. Returns their number. */
int oracle_moves(const oracle *solved, const oracle_position *position,
                 oracle_move moves[ORACLE_CELLS]);

/* Does a colour have a complete group? */
bool oracle_has_group(const oracle_game *game, const char *board, char colour);

/* The board in the project's notation, and the game's spec. */
void oracle_board_text(const oracle_game *game, const char *board, char text[ORACLE_TEXT]);
void oracle_spec_text(const oracle_game *game, char text[ORACLE_TEXT]);
