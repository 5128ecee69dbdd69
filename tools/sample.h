/* SPDX-License-Identifier: MIT
 *
 * The positions of a ply that can arise, one of each class of symmetric ones: all of them in the
 * order of the index, or some at random. Must not know: values, files.
 */
#ifndef PLB_TOOLS_SAMPLE_H
#define PLB_TOOLS_SAMPLE_H

#include "tables/index.h"

/* A ply is visited in parts, which may go to different threads. */
uint64_t sample_parts(const plb_index *index, int ply);

/* Visit the positions of a part in [0, parts), until visit returns false.
 * Cost: plb_rules_check for every entry of the part. */
void sample_visit(const plb_index *index, int ply, uint64_t part,
                  bool (*visit)(void *context, plb_position position), void *context);

/* A number in [0, bound), each as likely as any other. bound > 0. */
uint64_t sample_below(uint64_t *random, uint64_t bound);

/* Take one entry of a ply, each as likely as any other. False: it is no position that can arise. */
bool sample_try(const plb_index *index, int ply, uint64_t *random, plb_position *position);

/* Draw a position of a ply; the same seed, ply and number give the same one on any machine.
 *
 * Positions are drawn uniformly, with repetition, from the entries of the index. Where hardly any
 * entry is one that can arise, the end of a random game is taken instead, which is not uniform.
 * False: none was found, most likely there is none.
 * Cost: at most a few thousand tries.  Threads: safe.  */
bool sample_draw(const plb_index *index, int ply, uint64_t seed, uint64_t number,
                 plb_position *position);

#endif
