/* SPDX-License-Identifier: MIT */
#include "tables/codec/quiet_cursor.h"

#include "tables/bits.h"

static void begin_slab(plb_quiet_cursor *c, uint64_t slab, uint64_t rank) {
    c->slab = slab;
    c->first = rank;
    c->last = plb_min(c->block->layout->slab_size, rank + c->entries - c->begin);
    c->word = c->words = 0;
    /* A batch at the end of a block may be that at the begin of the next one, too. */
    plb_colour_cursor_begin(c->colours, plb_index_slab_cells(c->index, c->block->ply, slab), rank,
                            c->entries == c->all ? c->block->layout->slab_size : c->last);
}

plb_quiet_cursor plb_quiet_cursor_begin(const plb_index *index, plb_colour_cursor *colours,
                                        const plb_ply_block *block, uint64_t until) {
    plb_block_address begin = {block->ply, block->number, 0};
    plb_entry first = plb_block_layout_entry(block->layout, begin);
    plb_quiet_cursor c = {.index = index, .block = block, .colours = colours};
    c.all = plb_block_layout_block_entries(block->layout, block->number);
    c.entries = plb_min(until, c.all);
    begin_slab(&c, first.slab, first.rank);
    return c;
}

/* Go on to the next batch that may have a quiet position. */
static bool find_batch(plb_quiet_cursor *c) {
    for (;;) {
        bool is_at_end = c->batch && c->batch->rank + c->batch->entries >= c->last;
        if (is_at_end) {
            c->begin += c->last - c->first;
            c->batch = NULL;
            if (c->begin == c->entries) return false;
            begin_slab(c, c->slab + 1, 0);
        }
        c->batch = plb_colour_cursor_next(c->colours);
        if (!c->batch->is_decided) return true;
    }
}

/* The next word of a batch that has a quiet position, without what is in other blocks. */
bool plb_quiet_cursor_next(plb_quiet_cursor *c, plb_quiet_word *found) {
    uint64_t rank, quiet, skipped;
    do {
        if (++c->word >= c->words) {
            if (!find_batch(c)) return false;
            c->words = (c->batch->entries + 63) / 64;
            c->word = 0;
        }
        rank = c->batch->rank + 64ULL * (unsigned)c->word;
        quiet = c->batch->quiet[c->word];
        if (rank + 64 > c->last) quiet &= rank < c->last ? plb_low_bits((int)(c->last - rank)) : 0;
        skipped = rank < c->first ? c->first - rank : 0;
        quiet = skipped < 64 ? quiet >> skipped : 0;
    } while (!quiet);
    found->quiet = quiet;
    for (int f = 0; f < PLB_FEATURES; f++)
        found->features[f] = c->batch->features[f][c->word] >> skipped;
    found->offset = c->begin + rank + skipped - c->first;
    found->low_stones = c->batch->low_stones + 64 * c->word + skipped;
    return true;
}
