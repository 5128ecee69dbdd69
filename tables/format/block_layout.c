/* SPDX-License-Identifier: MIT
 *
 * Blocks and segments of a ply.
 */
#include "tables/format/block_layout.h"

/* PLB_SEGMENT_ENTRIES is large enough that the directory and record of a segment cost nearly
 * nothing. */
plb_block_layout plb_block_layout_make(uint64_t slab_size, uint64_t slabs, uint64_t block_entries) {
    plb_block_layout cut = {.slab_size = slab_size, .slabs = slabs};
    if (slab_size > block_entries) {
        cut.block_entries = block_entries;
        cut.blocks_per_slab = plb_divide_up(slab_size, block_entries);
        cut.slabs_per_segment = plb_max(1, PLB_SEGMENT_ENTRIES / slab_size);
        cut.blocks_per_segment = cut.slabs_per_segment * cut.blocks_per_slab;
    } else {
        cut.slabs_per_block = block_entries / slab_size;
        cut.block_entries = cut.slabs_per_block * slab_size;
        cut.blocks_per_segment = plb_max(1, PLB_SEGMENT_ENTRIES / cut.block_entries);
        cut.slabs_per_segment = cut.blocks_per_segment * cut.slabs_per_block;
    }
    cut.segments = plb_divide_up(slabs, cut.slabs_per_segment);
    return cut;
}

plb_block_layout plb_block_layout_ply(const plb_index *index, int ply, uint64_t block_entries) {
    const plb_index_ply *p = &index->plies[ply];
    return plb_block_layout_make(p->slab_size, p->slabs, block_entries);
}

uint64_t plb_block_layout_count_segments(const plb_game *game, const plb_symmetry *symmetry,
                                         uint64_t block_entries) {
    uint64_t segments = 0;
    for (int ply = 0; ply <= game->cells; ply++) {
        double slabs = plb_index_count_slabs(game, symmetry, ply);
        double slab_size = plb_index_slab_size(ply);
        if (slabs * slab_size > 0x1p62) return 0;
        segments +=
            plb_block_layout_make((uint64_t)slab_size, (uint64_t)slabs, block_entries).segments;
    }
    return segments;
}

plb_spot plb_block_layout_find(const plb_block_layout *cut, uint64_t slab, uint64_t rank) {
    uint64_t segment = slab / cut->slabs_per_segment, within = slab % cut->slabs_per_segment;
    if (cut->slabs_per_block)
        return (plb_spot){segment, within / cut->slabs_per_block,
                          within % cut->slabs_per_block * cut->slab_size + rank};
    return (plb_spot){segment, within * cut->blocks_per_slab + rank / cut->block_entries,
                      rank % cut->block_entries};
}

void plb_block_layout_entry(const plb_block_layout *cut, plb_spot spot, uint64_t *slab,
                            uint64_t *rank) {
    uint64_t first = spot.segment * cut->slabs_per_segment;
    if (cut->slabs_per_block) {
        *slab = first + spot.block * cut->slabs_per_block + spot.offset / cut->slab_size;
        *rank = spot.offset % cut->slab_size;
    } else {
        *slab = first + spot.block / cut->blocks_per_slab;
        *rank = spot.block % cut->blocks_per_slab * cut->block_entries + spot.offset;
    }
}

void plb_block_layout_slabs(const plb_block_layout *cut, uint64_t segment, uint64_t *first,
                            uint64_t *last) {
    *first = segment * cut->slabs_per_segment;
    *last = plb_min(*first + cut->slabs_per_segment, cut->slabs);
}

uint64_t plb_block_layout_blocks(const plb_block_layout *cut, uint64_t segment) {
    uint64_t first, last;
    plb_block_layout_slabs(cut, segment, &first, &last);
    if (cut->slabs_per_block) return plb_divide_up(last - first, cut->slabs_per_block);
    return (last - first) * cut->blocks_per_slab;
}

uint64_t plb_block_layout_block_entries(const plb_block_layout *cut, uint64_t segment,
                                        uint64_t block) {
    uint64_t first, last;
    plb_block_layout_slabs(cut, segment, &first, &last);
    if (cut->slabs_per_block) {
        uint64_t begin = first + block * cut->slabs_per_block;
        return plb_min(cut->slabs_per_block, last - begin) * cut->slab_size;
    }
    uint64_t begin = block % cut->blocks_per_slab * cut->block_entries;
    return plb_min(cut->block_entries, cut->slab_size - begin);
}
