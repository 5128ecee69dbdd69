/* SPDX-License-Identifier: MIT
 *
 * The space of a game's positions: its rules, its symmetry and the index of its positions. They
 * belong together, the symmetry and the index being made from the game, and are opened once.
 *
 *     spec -> game -> symmetry -> index
 *
 * The index refers to the two others, so a space stays where it was opened. Must not know: values,
 * bytes, files.
 */
#ifndef PLB_TABLES_INDEX_SPACE_H
#define PLB_TABLES_INDEX_SPACE_H

#include "tables/index/index.h"

typedef struct plb_space {
    plb_game game;
    plb_symmetry symmetry;
    plb_index index;
} plb_space;

/* Open the space of a spec (game.h), with the kind of index that tables of the game have. *space is
 * written in any case, and after a failure is empty.
 *
 * Errors: those of plb_game_parse and plb_index_init. Cost: that of plb_index_init.
 * The caller owns *space and frees it with plb_space_close. Threads: reading an open space is safe.
 */
int plb_space_open(const char *spec, plb_space *space, plb_message *message);

/* The same in two steps, for those who can refuse a game before its index is made: game and
 * symmetry first, then the index, of slabs for games of stones only (PLB_EARGUMENT). After a
 * failure of the second the space has no index. */
int plb_space_begin(const char *spec, plb_space *space, plb_message *message);
int plb_space_add_index(plb_space *space, plb_index_kind kind, plb_message *message);

/* Accepts NULL and a space that is zeroed or has no index. */
void plb_space_close(plb_space *space);

#endif
