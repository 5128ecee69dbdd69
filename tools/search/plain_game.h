/* SPDX-License-Identifier: MIT
 *
 * A second, independent implementation of the rules, for the checks of tables and strategies. It is
 * as simple as possible: groups are found by stepping from cell to cell, and a symmetry is any
 * candidate that maps groups to groups. Positions have the form of the public library.
 *
 * Must not know: tables/games/ and all that uses it, searches, how strategies are made.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    PLAIN_CELLS = 64,
    PLAIN_MAX_MOVES = 128,
    PLAIN_MAX_GROUPS = 4 * PLAIN_CELLS, /* runs in four directions */
    PLAIN_MAX_SYMMETRIES = 256,
};

typedef struct plain_position {
    uint64_t x, o; /* as in plybase.h */
} plain_position;

typedef struct plain_game {
    int width, height;
    int k; /* stones in a row; 0: groups are not rows of stones */
    bool gravity, misere, cylinder, numbers;
    int target;             /* numbers: the sum of a line that wins */
    bool each;              /* numbers: both players have the same ones */
    uint32_t first_numbers; /* numbers: bit mask of the first player's tiles */
    int group_count;
    uint64_t groups[PLAIN_MAX_GROUPS]; /* bits column * height + row; ascending, distinct */
    int symmetry_count;
    uint8_t symmetries[PLAIN_MAX_SYMMETRIES][PLAIN_CELLS]; /* [symmetry][bit] its image */
} plain_game;

/* A cell, and in games of numbers a tile, from 0 on. */
typedef struct plain_move {
    int bit, tile;
} plain_move;

/* Parse a canonical spec, such as connect-4x3-k3-misere-cylinder. False: it is not a spec. */
bool plain_read(const char *spec, plain_game *game);

int plain_ply(const plain_game *game, plain_position position);

/* List all moves of a position that is not over. Returns their number. */
int plain_moves(const plain_game *game, plain_position position, plain_move moves[PLAIN_MAX_MOVES]);

/* The move to a column and row, both from 0 on, with a number of the mover in games of numbers. */
plain_move plain_move_to(const plain_game *game, plain_position position, int column, int row,
                         int number);

/* Is the move legal? */
bool plain_may_move(const plain_game *game, plain_position position, plain_move move);

/* The position after a legal move. */
plain_position plain_play(const plain_game *game, plain_position position, plain_move move);

/* Is the game over after the last move, and who has won? */
typedef enum plain_end { PLAIN_OPEN, PLAIN_FIRST, PLAIN_SECOND, PLAIN_DRAW } plain_end;
plain_end plain_result(const plain_game *game, plain_position position);

/* Can the player to move win by completing a group? */
bool plain_wins_at_once(const plain_game *game, plain_position position);

/* The least image of the position under the symmetries. */
plain_position plain_least_image(const plain_game *game, plain_position position);
