/* SPDX-License-Identifier: MIT
 *
 * The two passes of the engine of keys over a ply. Errors: those of an engine.
 */
#ifndef PLB_BUILDER_KEYS_KEY_PASSES_H
#define PLB_BUILDER_KEYS_KEY_PASSES_H

#include "builder/keys/key_state.h"

/* Forward (key_reach.c): make and commit the reach file of a ply.
 *
 * before   [in]   reach file of the ply before; NULL: this is ply 0
 * reached  [out]  its notes  */
int plb_key_reach_ply(plb_key_state *engine, int ply, const plb_scratch *before,
                      plb_key_reached *reached, plb_message *message);

/* A ply that is solved. */
typedef struct plb_key_solved {
    plb_key_values values;   /* from those of the engine, which are of the ply after */
    plb_scratch *table;      /* the table file, not committed, */
    plb_ply_results results; /* and its notes */
} plb_key_solved;

/* Backward (key_solve.c).
 *
 * reach   [in]      of the ply
 * solved  [in,out]  with a table file that was begun  */
int plb_key_solve_ply(plb_key_state *engine, int ply, const plb_scratch *reach,
                      plb_key_solved *solved, plb_message *message);

#endif
