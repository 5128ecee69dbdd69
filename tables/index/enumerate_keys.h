/* SPDX-License-Identifier: MIT
 *
 * The walk (enumerate.h) where positions have keys: the canonical positions of each ply, enumerated
 * forward. Of any game. Must not know: indices, values, files.
 */
#ifndef PLB_TABLES_INDEX_ENUMERATE_KEYS_H
#define PLB_TABLES_INDEX_ENUMERATE_KEYS_H

#include <signal.h>

#include "tables/index/orbit.h"

/* The canonical positions of a ply that can arise, ascending. */
typedef struct plb_key_ply {
    uint64_t count;
    plb_position *positions; /* [count], or NULL */
} plb_key_ply;

/* The ply that follows another one. Positions in which the game is over have no children.
 *
 * stop  [in]   or NULL
 * next  [out]  to be freed with plb_key_ply_free
 *
 * Errors: PLB_ENOMEM, PLB_EINTERRUPTED. */
int plb_key_ply_next(const plb_game *game, const plb_symmetry *symmetry, const plb_key_ply *ply,
                     const volatile sig_atomic_t *stop, plb_key_ply *next);

/* The empty board. Errors: PLB_ENOMEM. */
int plb_key_ply_first(plb_key_ply *first);

void plb_key_ply_free(plb_key_ply *ply);

#endif
