/* SPDX-License-Identifier: MIT
 *
 * Rules of numbers (numerical tic-tac-toe): x owns some of the numbers, o the others; the
 * player who completes a row, a column or a main diagonal that sums to the target wins, also with
 * numbers of the other player in it.
 *
 *     numeric-4x4               1 to 16, the odd ones are x's; the target is 34
 *     numeric-3x3-first12345    another split: `1` to `9`, then `a` = 10 to `g` = 16
 *     numeric-4x4-each          1 to 8 for each player; the target is 18
 *
 *     tile    0  1  2 ..        a number with its owner; a set of tiles is a word of bits
 *     usual   1  2  3 ..        tile t is number t + 1
 *     each    1  2 .. 8  1' ..  those of x, then those of o, written with a prime
 *
 *     position, N = 2    `3,./.,2`      rows from the top; numbers, `.` for an empty cell
 *     moves              `3@a2 2@b1`    a number and its cell: column letter, row from the bottom
 *
 * A position is the word of tiles, 4 bits for each cell and 0 where none lies, and the set of
 * occupied cells. A move is the cell and 64 times the tile. Must not know: indices, files.
 */
#ifndef PLB_TABLES_GAMES_NUMBER_RULES_H
#define PLB_TABLES_GAMES_NUMBER_RULES_H

#include "tables/bits.h"
#include "tables/games/rules.h"

enum {
    PLB_MAX_LINES = 10,           /* of the 4x4 board */
    PLB_MAX_LINE_SYMMETRIES = 32, /* of the 4x4 board */
};

extern const plb_rules plb_rules_of_numbers;

/* What a spec says after the board (game_spec.h). */
int plb_numbers_read_rest(const char *rest, plb_game *game, plb_message *message);
void plb_numbers_format_rest(const plb_game *game, char *text);

static inline int plb_numbers_ply(plb_position p) {
    return plb_popcount(p.o);
}

/* Whose turn it is: 0 is x, 1 is o; so are the owners of tiles. */
static inline int plb_numbers_mover(plb_position p) {
    return plb_numbers_ply(p) % 2;
}

/* The tile on an occupied cell. */
static inline int plb_numbers_tile(plb_position p, int cell) {
    return (int)(p.x >> (4 * cell)) & 15;
}

/* The position after a tile was put on an empty cell. */
static inline plb_position plb_numbers_put(plb_position p, int tile, int cell) {
    return (plb_position){p.x | (uint64_t)tile << (4 * cell), p.o | 1ULL << cell};
}

/* The number on a tile. */
static inline int plb_numbers_value(const plb_game *game, int tile) {
    return game->each ? tile % (game->cells / 2) + 1 : tile + 1;
}

/* The tiles on the board. */
uint32_t plb_numbers_played(plb_position p);

/* The groups that are full and sum to the target, as bits by their numbers. */
uint32_t plb_numbers_complete(const plb_game *game, plb_position p);

/* ---- symmetries of the lines ---- */

typedef struct plb_line_symmetry {
    uint8_t cells[PLB_MAX_TILES]; /* where each cell goes */
    uint8_t lines[PLB_MAX_LINES]; /* where each group goes */
} plb_line_symmetry;

/* All permutations of cells that map groups to groups, the identity first, of which symmetry.h has
 * those of the rectangle: 24 of 2x2, 8 of 3x3, 32 of 4x4. Returns how many. */
int plb_numbers_symmetries(const plb_game *game,
                           plb_line_symmetry symmetries[PLB_MAX_LINE_SYMMETRIES]);

/* Propose to a symmetry all of these, and each with an exchange of numbers where that keeps the
 * game (rules.h). */
void plb_numbers_add_symmetries(const plb_game *game, plb_symmetry *symmetry);

/* Symmetries of the game (symmetry.h) are these, and each of them together with the exchange of
 * every number v for the largest plus 1 minus v, where that keeps the owners and the target: 16 of
 * numeric-3x3, 8 of numeric-3x3-first12345. */

#endif
