/* SPDX-License-Identifier: MIT
 *
 * From a position that can arise to its outcome: settled by the rules, stored, or that of its best
 * move. What the functions of the library share; programs include plybase.h alone.
 */
#ifndef PLB_PROBE_RESOLVE_H
#define PLB_PROBE_RESOLVE_H

#include "probe/lookup.h"
#include "tables/meta.h"
#include "tables/scale.h"

struct plb_table {
    plb_game game;
    plb_symmetry symmetry;
    plb_index index;
    plb_scale scale;
    plb_store *store;
    plb_lookup *lookup;
    plb_meta meta;
    plb_table_info info;
    plb_ply_stats stats[PLB_MAX_CELLS + 1];
};

/* A table, and the reader that the calling thread uses. */
struct plb_context {
    const plb_table *table;
    plb_reader *reader;
};

/* Borrow a reader for a while. Errors: PLB_ENOMEM. Give it back with plb_context_return. */
int plb_context_borrow(const plb_table *table, plb_context *context, plb_message *message);
void plb_context_return(plb_context *context);

/* Outcome of a position that can arise (plb_rules_check); it is not checked again.
 * Errors: PLB_ECORRUPT, PLB_ENOMEM. Threads: each its own context. */
int plb_resolve(const plb_context *context, plb_position position, plb_outcome *outcome,
                plb_message *message);

/* The position of two bitboards, if it can arise. Errors: those of plb_probe about positions. */
int plb_read_position(const plb_table *table, uint64_t x, uint64_t o, plb_position *position,
                      plb_message *message);

#endif
