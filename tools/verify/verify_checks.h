/* SPDX-License-Identifier: MIT
 *
 * The checks of the verifier, each of which looks at one ply at a time or at all.
 */
#ifndef PLB_TOOLS_VERIFY_VERIFY_CHECKS_H
#define PLB_TOOLS_VERIFY_VERIFY_CHECKS_H

#include "tools/verify/verify_findings.h"

void verify_blocks(verifier *v, int ply); /* every block of the ply is there and as written */
void verify_contents(verifier *v);        /* the digest of what the blocks hold, and the counts */
void verify_begin_plies(verifier *v);     /* the walk through positions has all plies */
void verify_counts(verifier *v);          /* the counts of all plies are possible */
void verify_columns(verifier *v);         /* what says which columns can arise is proved */
void verify_exact_counts(verifier *v);    /* they are those of the board, counted exactly */
void verify_choose_plies(verifier *v);    /* which are checked whole */
void verify_values(verifier *v, int ply); /* values follow from those of the children */
void verify_samples(verifier *v, int ply);
void verify_find_chances(verifier *v); /* of finding an error, by what was checked */

/* Is what the table says of a position the outcome that follows from its children? Otherwise that
 * is found. *outcome is written where it does. */
bool verify_position(verifier *v, plb_position position, plb_outcome *outcome);

/* Statistics of distances: count positions of a ply, one of each orbit of slabs, and compare with
 * what the table says, if it has any. Of plies that are not counted only the longest are checked:
 * whether they are as long as they should be. */
void verify_clear_distances(plb_ply_distances *counts);
void verify_count_distance(const verifier *v, plb_position position, plb_outcome outcome,
                           uint64_t orbit, plb_ply_distances *counts);
void verify_add_distances(const verifier *v, const plb_ply_distances *more,
                          plb_ply_distances *counts);
void verify_distances(verifier *v, int ply, const plb_ply_distances *counted);
void verify_longest(verifier *v, int ply);

/* Searches are opened once, for all plies; close accepts what was not opened. */
void verify_open_searches(verifier *v);
void verify_close_searches(verifier *v);
void verify_by_search(verifier *v, int ply);

#endif
