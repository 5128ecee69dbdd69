/* SPDX-License-Identifier: MIT
 *
 * The walk (enumerate.h, which says what the functions do) where the index has slabs. Must not
 * know: values, files.
 */
#ifndef PLB_TABLES_INDEX_ENUMERATE_SLABS_H
#define PLB_TABLES_INDEX_ENUMERATE_SLABS_H

#include "tables/index/enumerate.h"

uint64_t plb_enumeration_slab_chunks(const plb_index *index, int ply);
void plb_enumeration_slab_chunk(const plb_space *space, int ply, uint64_t chunk,
                                plb_enumeration_visitor *visit, void *context);
plb_position plb_enumeration_slab_canonical(const plb_index *index, plb_position position);
bool plb_enumeration_slab_draw(const plb_space *space, int ply, uint64_t *random,
                               plb_position *position, uint64_t *count);

bool plb_enumeration_is_slab_cursor(const plb_index *index, const plb_enumeration_cursor *cursor);

/* Visit positions on the set of cells of a cursor. Takes the entries that were looked at off
 * *entries, which are looked at at most; returns whether to go on. */
bool plb_enumeration_slab_list(const plb_space *space, plb_enumeration_cursor *cursor,
                               uint64_t *entries, plb_enumeration_visitor *visit, void *context);

#endif
