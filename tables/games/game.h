/* SPDX-License-Identifier: MIT
 *
 * Positional games. A game is a board, a list of groups, and three properties: gravity, misere,
 * cylinder. Families of games (game_spec.h) differ only in their groups and properties; games of
 * numbers also have tiles (number_rules.h).
 *
 * A cell has the number `slot * height + row`; a slot is a column, row 0 the bottom row. Slots go
 * from the outer columns inwards in mirror pairs. So a mirrored board differs only by swaps of
 * neighbouring slots, and the busiest columns have the highest numbers:
 *
 *     columns  0 1 2 3 4 5 6                    cells of a 3x2 board  1 5 3
 *     slots    0 2 4 6 5 3 1                    (slots 0 2 1)         0 4 2
 *
 * A set of cells is a uint64_t, bit i for cell i. Must not know: positions, indices, files.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "tables/message.h"

typedef struct plb_family plb_family; /* game_spec.h */
typedef struct plb_rules plb_rules;   /* rules.h */

enum {
    PLB_MAX_GROUPS = 4 * PLB_MAX_CELLS, /* lines: four from each cell; squares: at most 140 */
    PLB_MAX_TILES = 16,                 /* in games of numbers, of both players together */
};

typedef struct plb_game {
    const plb_family *family;
    const plb_rules *rules;            /* what positions and moves mean */
    int width, height, k;              /* k: stones of a group */
    bool misere;                       /* the player who completes a group loses */
    bool cylinder;                     /* columns 0 and width - 1 are adjacent */
    bool gravity;                      /* a stone rests on another one or on the bottom */
    int cells;                         /* width * height, at most 64 */
    uint64_t board;                    /* all cells */
    uint64_t bottom;                   /* cells of row 0 */
    int group_count;                   /* 0 if no group fits on the board: every game is a draw */
    int min_group;                     /* stones of the smallest group; 0 if there is none */
    uint64_t groups[PLB_MAX_GROUPS];   /* [group_count] sets of cells; distinct, ascending */
    uint64_t supports[PLB_MAX_GROUPS]; /* [group_count] the cells of a group and, with gravity, all
                                          cells below them */
    /* In games of numbers (number_rules.h), else 0. */
    int target;        /* sum of a winning line */
    bool each;         /* both players own the same numbers */
    uint32_t tiles[2]; /* numbers of x, of o */
} plb_game;

/* ---- while a game is made ---- */

/* Callback: add the groups that begin at a cell, with plb_game_add_group. */
typedef void plb_group_lister(plb_game *game, int column, int row);

/* Fill in the groups, and the fields derived from them. All other fields are set. */
void plb_game_make_groups(plb_game *game, plb_group_lister *list);

/* Add a group. 0 is ignored, and duplicates are removed later. */
void plb_game_add_group(plb_game *game, uint64_t group);

/* ---- cells ---- */

/* Cell at a column and row, and back. */
int plb_game_cell(const plb_game *game, int column, int row);
int plb_game_column(const plb_game *game, int cell);
int plb_game_row(const plb_game *game, int cell);

/* The cells of a natural bitboard (bit column * height + row), and back. */
uint64_t plb_game_cells_of_bits(const plb_game *game, uint64_t bits);
uint64_t plb_game_bits_of_cells(const plb_game *game, uint64_t cells);

/* These cells and all cells below them. bottom: the cells of row 0. */
static inline uint64_t plb_fill_below(uint64_t cells, uint64_t bottom, int height) {
    for (int row = 1; row < height; row++) cells |= (cells & ~bottom) >> 1;
    return cells;
}

/* Does a set of stones of one colour contain a group? Cost: one step per group. */
static inline bool plb_game_has_group(const plb_game *game, uint64_t stones) {
    int complete = 0;
    for (int g = 0; g < game->group_count; g++) complete |= (game->groups[g] & ~stones) == 0;
    return complete;
}

/* The empty cells where a stone of this colour completes a group. Cost: one step per group. */
static inline uint64_t plb_game_completing(const plb_game *game, uint64_t stones, uint64_t empty) {
    uint64_t cells = 0;
    for (int g = 0; g < game->group_count; g++) {
        uint64_t missing = game->groups[g] & ~stones;
        cells |= (missing & (missing - 1)) == 0 ? missing & empty : 0;
    }
    return cells;
}

/* The empty cells where a stone may be placed. */
static inline uint64_t plb_game_playable(const plb_game *game, uint64_t occupied) {
    uint64_t empty = game->board & ~occupied;
    /* The shift moves the top cell of a full column to the bottom cell of the next slot, which is
     * supported anyway. */
    return game->gravity ? empty & ((occupied << 1) | game->bottom) : empty;
}

/* The stones that can have been placed last: with gravity, those with nothing above them. */
static inline uint64_t plb_game_removable(const plb_game *game, uint64_t occupied) {
    if (!game->gravity) return occupied;
    uint64_t below_stone = (occupied >> 1) & ~(game->bottom >> 1);
    return occupied & ~below_stone;
}
