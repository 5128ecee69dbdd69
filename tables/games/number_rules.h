/* SPDX-License-Identifier: MIT
 *
 * Rules of numbers (numerical tic-tac-toe). x owns some of the numbers, o the others. The player
 * who completes a row, a column or a main diagonal with the target as its sum wins; numbers of the
 * other player count, too.
 *
 *     numeric-4x4               1 to 16, the odd ones are x's; the target is 34
 *     numeric-3x3-first12345    another split: `1` to `9`, then `a` = 10 to `g` = 16
 *     numeric-4x4-each          1 to 8 for each player; the target is 18
 *
 *     tile    0  1  2 ..        a number with its owner; a set of tiles is a bit mask
 *     usual   1  2  3 ..        tile t is number t + 1
 *     each    1  2 .. 8  1' ..  the tiles of x, then those of o, written with a prime
 *
 *     position, N = 2    `3,./.,2`      rows from the top; numbers, `.` for an empty cell
 *     moves              `3@a2 2@b1`    a number and its cell: column letter, row from the bottom
 *
 * In a plb_position, `x` has the tiles, 4 bits for each cell, 0 for an empty cell; `o` is the set
 * of occupied cells. A move is the cell plus 64 times the tile. Must not know: indices, files.
 */
#pragma once

#include "tables/bits.h"
#include "tables/games/rules.h"

enum {
    PLB_MAX_LINES = 10,           /* groups of the 4x4 board */
    PLB_MAX_LINE_SYMMETRIES = 32, /* of the 4x4 board */
};

extern const plb_rules plb_rules_of_numbers;

/* Parse and write the part of a spec after the board (game_spec.h). */
int plb_numbers_read_rest(const char *rest, plb_game *game, plb_message *message);
void plb_numbers_format_rest(const plb_game *game, char *text);

static inline int plb_numbers_ply(plb_position p) {
    return plb_popcount(p.o);
}

/* The player to move: 0 is x, 1 is o. Index of plb_game.tiles. */
static inline int plb_numbers_mover(plb_position p) {
    return plb_numbers_ply(p) % 2;
}

/* The tile on an occupied cell. */
static inline int plb_numbers_tile(plb_position p, int cell) {
    return (int)(p.x >> (4 * cell)) & 15;
}

/* The position after a tile is put on an empty cell. */
static inline plb_position plb_numbers_put(plb_position p, int tile, int cell) {
    return (plb_position){p.x | (uint64_t)tile << (4 * cell), p.o | 1ULL << cell};
}

/* The number of a tile. */
static inline int plb_numbers_value(const plb_game *game, int tile) {
    return game->each ? tile % (game->cells / 2) + 1 : tile + 1;
}

/* The tiles on the board. */
uint32_t plb_numbers_played(plb_position p);

/* The groups that are full and sum to the target, as a bit mask. */
uint32_t plb_numbers_complete(const plb_game *game, plb_position p);

/* ---- symmetries of the lines ---- */

typedef struct plb_line_symmetry {
    uint8_t cells[PLB_MAX_TILES]; /* [cell] image of a cell */
    uint8_t lines[PLB_MAX_LINES]; /* [group] image of a group */
} plb_line_symmetry;

/* Find all permutations of the cells that map groups to groups, the identity first: 24 of 2x2, 8 of
 * 3x3, 32 of 4x4. They include those of a rectangle (symmetry.h). Returns their number. */
int plb_numbers_symmetries(const plb_game *game,
                           plb_line_symmetry symmetries[PLB_MAX_LINE_SYMMETRIES]);

/* `add_symmetries` (rules.h): adds all of these; and each of them combined with the exchange of
 * every number v for largest + 1 - v, if that keeps the owners and the target: 16 elements for
 * numeric-3x3, 8 for numeric-3x3-first12345. */
void plb_numbers_add_symmetries(const plb_game *game, plb_symmetry *symmetry);
