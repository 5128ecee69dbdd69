/* SPDX-License-Identifier: MIT
 *
 * Blocks and segments of a ply.
 */
#include "tables/cut.h"

/* Indices of a segment, about: enough that what a segment costs besides does not matter. */
enum { SEGMENT_POSITIONS = 1 << 20 };

plb_cut plb_cut_ply(const plb_index *index, int ply, uint64_t block_positions) {
    const plb_index_ply *p = &index->plies[ply];
    plb_cut cut = {.slab_size = p->slab_size, .slabs = p->slabs};
    if (p->slab_size > block_positions) {
        cut.block_positions = block_positions;
        cut.blocks_per_slab = plb_divide_up(p->slab_size, block_positions);
        cut.slabs_per_segment = plb_max(1, SEGMENT_POSITIONS / p->slab_size);
        cut.blocks_per_segment = cut.slabs_per_segment * cut.blocks_per_slab;
    } else {
        cut.slabs_per_block = block_positions / p->slab_size;
        cut.block_positions = cut.slabs_per_block * p->slab_size;
        cut.blocks_per_segment = plb_max(1, SEGMENT_POSITIONS / cut.block_positions);
        cut.slabs_per_segment = cut.blocks_per_segment * cut.slabs_per_block;
    }
    cut.segments = plb_divide_up(p->slabs, cut.slabs_per_segment);
    return cut;
}

plb_spot plb_cut_find(const plb_cut *cut, uint64_t slab, uint64_t rank) {
    uint64_t segment = slab / cut->slabs_per_segment, within = slab % cut->slabs_per_segment;
    if (cut->slabs_per_block)
        return (plb_spot){segment, within / cut->slabs_per_block,
                          within % cut->slabs_per_block * cut->slab_size + rank};
    return (plb_spot){segment, within * cut->blocks_per_slab + rank / cut->block_positions,
                      rank % cut->block_positions};
}

void plb_cut_slabs(const plb_cut *cut, uint64_t segment, uint64_t *first, uint64_t *last) {
    *first = segment * cut->slabs_per_segment;
    *last = plb_min(*first + cut->slabs_per_segment, cut->slabs);
}

uint64_t plb_cut_blocks(const plb_cut *cut, uint64_t segment) {
    uint64_t first, last;
    plb_cut_slabs(cut, segment, &first, &last);
    if (cut->slabs_per_block) return plb_divide_up(last - first, cut->slabs_per_block);
    return (last - first) * cut->blocks_per_slab;
}

uint64_t plb_cut_positions(const plb_cut *cut, uint64_t segment, uint64_t block) {
    uint64_t first, last;
    plb_cut_slabs(cut, segment, &first, &last);
    if (cut->slabs_per_block) {
        uint64_t begin = first + block * cut->slabs_per_block;
        return plb_min(cut->slabs_per_block, last - begin) * cut->slab_size;
    }
    uint64_t begin = block % cut->blocks_per_slab * cut->block_positions;
    return plb_min(cut->block_positions, cut->slab_size - begin);
}
