/* SPDX-License-Identifier: MIT
 *
 * Who wins, and when: the results of a ply, from its positions one by one.
 */
#ifndef PLB_BUILDER_KEYS_KEY_TALLY_H
#define PLB_BUILDER_KEYS_KEY_TALLY_H

#include "builder/engine.h"

typedef struct plb_key_tally {
    const plb_game *game;
    const plb_outcome_code *coding;
    int ply;
    plb_ply_stats stats;
    plb_ply_distances distances;            /* but for the words of the longest */
    plb_position longest_win, longest_loss; /* keys, where distances says that there is one */
} plb_key_tally;

plb_key_tally plb_key_tally_begin(const plb_game *game, const plb_outcome_code *coding, int ply);

/* Count a key, for all positions of its orbit. */
void plb_key_tally_add(plb_key_tally *tally, plb_position key, int orbit, unsigned code);

/* Add what another thread has counted: the sum does not depend on who counted what. */
void plb_key_tally_merge(const plb_key_tally *other, plb_key_tally *tally);

/* Stats and distances of the ply. */
void plb_key_tally_end(const plb_key_tally *tally, plb_ply_results *results);

#endif
