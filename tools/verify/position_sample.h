/* SPDX-License-Identifier: MIT
 *
 * Positions of a ply that can arise, drawn at random. Must not know: values, files.
 */
#ifndef PLB_TOOLS_VERIFY_POSITION_SAMPLE_H
#define PLB_TOOLS_VERIFY_POSITION_SAMPLE_H

#include "tables/index/enumerate.h"

/* Draw a position of a ply; the same seed, ply and number give the same one on any machine.
 *
 * Positions are drawn uniformly, with repetition, from the entries of an enumeration, which has
 * begun the ply. Where hardly any entry is one that can arise, the end of a random game is taken
 * instead, which is not uniform. False: none was found, most likely there is none. Cost: at most a
 * few thousand tries.  Threads: safe.  */
bool sample_draw(const plb_enumeration *enumeration, int ply, uint64_t seed, uint64_t number,
                 plb_position *position);

#endif
