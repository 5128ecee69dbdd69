/* SPDX-License-Identifier: MIT
 *
 * The rules once more, as simple as can be, for those who check tables and strategies: any game, on
 * the two words of the public library, straight from the spec. Groups are found by stepping from
 * cell to cell; symmetries are candidates that were tried on the groups, and only those that keep
 * them are used.
 *
 * Must not know: tables/games/ and whatever rests on it, searches, how strategies are made.
 */
#ifndef PLB_TOOLS_SEARCH_PLAIN_GAME_H
#define PLB_TOOLS_SEARCH_PLAIN_GAME_H

#include <stdbool.h>
#include <stdint.h>

enum {
    PLAIN_CELLS = 64,
    PLAIN_MAX_MOVES = 128,
    PLAIN_MAX_GROUPS = 4 * PLAIN_CELLS, /* runs in four directions */
    PLAIN_MAX_SYMMETRIES = 256,
};

typedef struct plain_position {
    uint64_t x, o; /* as plybase.h has them */
} plain_position;

typedef struct plain_game {
    int width, height;
    int k; /* stones in a row; 0: groups are no rows of stones */
    bool gravity, misere, cylinder, numbers;
    int target;             /* of numbers: sum of a line that wins */
    bool each;              /* of numbers: both players have the same ones */
    uint32_t first_numbers; /* of numbers: the tiles of the first player */
    int group_count;
    uint64_t groups[PLAIN_MAX_GROUPS]; /* bits column * height + row, ascending, distinct */
    int symmetry_count;
    uint8_t symmetries[PLAIN_MAX_SYMMETRIES]
                      [PLAIN_CELLS]; /* where each bit goes; 0: nowhere else */
} plain_game;

/* A cell, and a number in games of numbers: 0 is tile 0. */
typedef struct plain_move {
    int bit, tile;
} plain_move;

/* Read a canonical spec, such as connect-4x3-k3-misere-cylinder. False: it is none. */
bool plain_read(const char *spec, plain_game *game);

int plain_ply(const plain_game *game, plain_position position);

/* All moves of a position that is not over. Returns how many. */
int plain_moves(const plain_game *game, plain_position position, plain_move moves[PLAIN_MAX_MOVES]);

/* The move to a column and row, both from 0 on, in games of numbers of a number of the player to
 * move.
 */
plain_move plain_move_to(const plain_game *game, plain_position position, int column, int row,
                         int number);

/* May the move be made? And the position after it. */
bool plain_may_move(const plain_game *game, plain_position position, plain_move move);
plain_position plain_play(const plain_game *game, plain_position position, plain_move move);

/* How a position stands after its last move. */
typedef enum plain_end { PLAIN_OPEN, PLAIN_FIRST, PLAIN_SECOND, PLAIN_DRAW } plain_end;
plain_end plain_result(const plain_game *game, plain_position position);

/* Can the player to move complete a group and win by that? */
bool plain_wins_at_once(const plain_game *game, plain_position position);

/* The least image under the symmetries. */
plain_position plain_least_image(const plain_game *game, plain_position position);

#endif
