/* SPDX-License-Identifier: MIT
 *
 * Two planes of outcomes, x wins and o wins, as two that compress better. Draws are rare and most
 * outcomes are never asked for; those of them that are known not to be have both bits:
 *
 *     asked for            x wins   o wins   draw      never: both
 *     first   x wins       1        0        0         as the position before it
 *     second  decided      any      1        0         any
 *
 * Any is as the position before it, too, so that both have long runs of equal bits. What comes back
 * is the outcome, or where there were both bits, any one.
 */
#ifndef PLB_BUILDER_SCRATCH_PLANE_FOLD_H
#define PLB_BUILDER_SCRATCH_PLANE_FOLD_H

#include <stddef.h>
#include <stdint.h>

/* All are [words]; none may overlap another. */
void plb_plane_fold(const uint64_t *x_wins, const uint64_t *o_wins, size_t words, uint64_t *first,
                    uint64_t *second);

/* In place: from first and second to x_wins and o_wins. */
void plb_plane_unfold(uint64_t *first, uint64_t *second, size_t words);

#endif
