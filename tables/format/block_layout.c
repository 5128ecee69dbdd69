/* SPDX-License-Identifier: MIT */
#include "tables/format/block_layout.h"

plb_block_layout plb_block_layout_make(uint64_t slab_size, uint64_t slabs, uint64_t block_entries) {
    plb_block_layout layout = {.slab_size = slab_size, .slabs = slabs};
    if (slab_size > block_entries) {
        layout.block_entries = block_entries;
        layout.blocks_per_slab = plb_divide_up(slab_size, block_entries);
        layout.slabs_per_segment = plb_max(1, PLB_SEGMENT_ENTRIES / slab_size);
        layout.blocks_per_segment = layout.slabs_per_segment * layout.blocks_per_slab;
    } else {
        layout.slabs_per_block = block_entries / slab_size;
        layout.block_entries = layout.slabs_per_block * slab_size;
        layout.blocks_per_segment = plb_max(1, PLB_SEGMENT_ENTRIES / layout.block_entries);
        layout.slabs_per_segment = layout.blocks_per_segment * layout.slabs_per_block;
    }
    layout.segments = plb_divide_up(slabs, layout.slabs_per_segment);
    return layout;
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

plb_block_address plb_block_layout_find(const plb_block_layout *layout, plb_entry entry) {
    if (layout->slabs_per_block)
        return (plb_block_address){
            entry.ply, entry.slab / layout->slabs_per_block,
            entry.slab % layout->slabs_per_block * layout->slab_size + entry.rank};
    return (plb_block_address){
        entry.ply, entry.slab * layout->blocks_per_slab + entry.rank / layout->block_entries,
        entry.rank % layout->block_entries};
}

plb_entry plb_block_layout_entry(const plb_block_layout *layout, plb_block_address at) {
    if (layout->slabs_per_block)
        return (plb_entry){at.ply,
                           at.block * layout->slabs_per_block + at.offset / layout->slab_size,
                           at.offset % layout->slab_size};
    return (plb_entry){at.ply, at.block / layout->blocks_per_slab,
                       at.block % layout->blocks_per_slab * layout->block_entries + at.offset};
}

void plb_block_layout_slabs(const plb_block_layout *layout, uint64_t segment, uint64_t *first,
                            uint64_t *last) {
    *first = segment * layout->slabs_per_segment;
    *last = plb_min(*first + layout->slabs_per_segment, layout->slabs);
}

uint64_t plb_block_layout_blocks(const plb_block_layout *layout, uint64_t segment) {
    uint64_t first, last;
    plb_block_layout_slabs(layout, segment, &first, &last);
    if (layout->slabs_per_block) return plb_divide_up(last - first, layout->slabs_per_block);
    return (last - first) * layout->blocks_per_slab;
}

uint64_t plb_block_layout_block_entries(const plb_block_layout *layout, uint64_t block) {
    if (layout->slabs_per_block) {
        uint64_t begin = block * layout->slabs_per_block;
        return plb_min(layout->slabs_per_block, layout->slabs - begin) * layout->slab_size;
    }
    uint64_t begin = block % layout->blocks_per_slab * layout->block_entries;
    return plb_min(layout->block_entries, layout->slab_size - begin);
}
