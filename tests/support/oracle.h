/* SPDX-License-Identifier: MIT
 *
 * The oracle: solves small games the slow, naive way, so that tables can be compared with it.
 * It shares no code with the project and includes none of its headers. Boards are arrays of
 * characters, groups are looked for cell by cell, and values come from plain minimax over the
 * set of all positions that moves lead to.
 */
#ifndef TESTS_ORACLE_H
#define TESTS_ORACLE_H

#include <stdbool.h>
#include <stddef.h>

enum {
    ORACLE_CELLS = 24,         /* of a board, at most */
    ORACLE_TEXT = 64,          /* bytes for any board or spec as text, with the final zero */
    ORACLE_CAPACITY = 4 << 20, /* positions of a game, at most */
    ORACLE_NO_DTM = -1,        /* draws have no distance */
};

typedef enum oracle_family { ORACLE_CONNECT, ORACLE_MNK, ORACLE_SQUARE } oracle_family;

typedef struct oracle_game {
    oracle_family family;
    int width, height, k; /* k is not looked at for square */
    bool misere, cylinder;
} oracle_game;

/* A reachable position. board[row * width + column] is 'x', 'o' or '.', row 0 the bottom one. */
typedef struct oracle_position {
    char board[ORACLE_CELLS + 1];
    signed char ply, value, dtm; /* value for the side to move: 1 win, 0 draw, -1 loss */
    bool over, complete;         /* the game is over; a group is complete */
} oracle_position;

/* Counts of a ply; won and lost are the first player's. */
typedef struct oracle_counts {
    size_t total, terminal, won, drawn, lost;
} oracle_counts;

typedef struct oracle {
    oracle_game game;
    int cells;
    size_t count;               /* reachable positions */
    oracle_position *positions; /* [count] by ply, the empty board first */
    unsigned *slots;            /* a hash set of positions: 1 + number, 0 where empty */
    oracle_counts plies[ORACLE_CELLS + 1];
} oracle;

typedef struct oracle_move {
    int column, row;
    const oracle_position *child;
} oracle_move;

/* Find and solve every position. False if there are more than ORACLE_CAPACITY, or no memory.
 * The caller frees *solved with oracle_free. */
bool oracle_solve(const oracle_game *game, oracle *solved);
void oracle_free(oracle *solved);

/* The same of the positions that moves lead to from a board on, which is not over. */
bool oracle_solve_from(const oracle_game *game, const char *board, oracle *solved);

/* A reachable position by its board, NULL where there is none. */
const oracle_position *oracle_find(const oracle *solved, const char *board);

/* Moves of a position, by column, then by row; their number. */
int oracle_moves(const oracle *solved, const oracle_position *position,
                 oracle_move moves[ORACLE_CELLS]);

/* Does a colour have a complete group? */
bool oracle_has_group(const oracle_game *game, const char *board, char colour);

/* The board in the project's notation, and the game's spec. */
void oracle_board_text(const oracle_game *game, const char *board, char text[ORACLE_TEXT]);
void oracle_spec_text(const oracle_game *game, char text[ORACLE_TEXT]);

#endif
