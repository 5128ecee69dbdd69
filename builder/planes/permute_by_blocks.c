/* SPDX-License-Identifier: MIT
 *
 * Rank permutations by whole blocks, for a symmetry that maps all low stones except a few among
 * themselves, in any order. A low stone of `to` is leaving if it is a high stone of `from`; a low
 * stone of `from` is coming if it is a high stone of `to`. The colours of leaving stones determine
 * the block of `from`, so that a block of `to` has 2, 4, 8 or 16 sources. The order of bits depends
 * on the number of ones among the low stones, and on the colours of coming stones.
 */
#include <string.h>

#include "builder/planes/bit_transpose.h"
#include "builder/planes/permute_common.h"
#include "tables/bits.h"

enum { SOURCES = 1 << PLB_MAX_LEAVING }; /* maximum for a block */
_Static_assert(SOURCES <= (int)PLB_TRANSPOSE_SOURCES,
               "a transposition has a source for each block");

typedef struct low_stones {
    unsigned leaving;     /* bit mask of low stones of `to` */
    unsigned coming;      /* bit mask of low stones of `from`; as many */
    int sources;          /* 1 << number of leaving stones */
    uint64_t hi[SOURCES]; /* [colours of leaving stones] their bits in a hi of `from` */
    /* [ones among the low stones][colours of coming stones] */
    bool made[PLB_LOW + 1][SOURCES];
    plb_bit_transpose kinds[PLB_LOW + 1][SOURCES];
} low_stones;

/* The permutation of blocks with this number of ones among the low stones of `to`. colours: those
 * of the coming stones, as low stones of `from`. */
static plb_bit_transpose *find_kind(const plb_permutation_plan *c, low_stones *s, int ones,
                                    unsigned colours) {
    int come = (int)plb_gather_bits(colours, s->coming);
    plb_bit_transpose *kind = &s->kinds[ones][come];
    if (s->made[ones][come]) return kind;
    kind->bits = (int)plb_masks_block_bits(c->to->low, ones);
    kind->sources = s->sources;
    kind->queued = 0;
    for (int source = 0; source < s->sources; source++)
        kind->source_bits[source] = (int)plb_masks_block_bits(
            c->from->low, ones - plb_popcount(source) + plb_popcount(colours));
    for (int i = 0; i < kind->bits; i++) {
        unsigned low = plb_low_colourings[ones][i];
        unsigned mapped = (unsigned)plb_permute_low(c, low) & (unsigned)plb_low_bits(c->from->low);
        kind->order[i] = (uint16_t)(plb_gather_bits(low, s->leaving) * PLB_TRANSPOSE_STRIDE +
                                    plb_transpose_place(plb_low_rank[mapped | colours]));
    }
    s->made[ones][come] = true;
    return kind;
}

static void permute_block(const plb_permutation_plan *c, const plb_hi_group *directory,
                          low_stones *s, size_t block) {
    static const uint64_t zeros[PLB_BLOCK_WORDS],
        ones[PLB_BLOCK_WORDS] = {~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL,
                                 ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL};
    uint64_t high = plb_permute_hi(c, block), start[SOURCES];
    unsigned colours = (unsigned)(high & plb_low_bits(c->from->low));
    plb_bit_transpose *kind = find_kind(c, s, plb_slab_low_ones(c->to, block), colours);
    for (int source = 0; source < s->sources; source++)
        start[source] =
            plb_permute_find_block(c, directory, (high >> c->from->low) | s->hi[source]);
    for (int p = 0; p < c->planes; p++) {
        for (int source = 0; source < s->sources; source++) {
            bool is_there = start[source] != PLB_MISSING_BLOCK;
            plb_bit_transpose_set_source(kind, source,
                                         is_there        ? c->source[p]
                                         : c->missing[p] ? ones
                                                         : zeros,
                                         is_there ? start[source] : 0);
        }
        plb_bit_transpose_add(kind, c->target[p], 64 * c->to->start[block]);
    }
}

void plb_permute_by_blocks(const plb_permutation_plan *c, const void *directory,
                           plb_block_range blocks) {
    low_stones s;
    uint64_t first = c->to->start[blocks.first], words = c->to->start[blocks.last] - first;
    unsigned low = (unsigned)plb_low_bits(c->to->low);
    s.leaving = plb_permute_leaving(c);
    s.coming = low & ~(unsigned)plb_permute_low(c, low & ~s.leaving);
    s.sources = 1 << plb_popcount(s.leaving);
    for (int source = 0; source < s.sources; source++) {
        unsigned colours = (unsigned)plb_scatter_bits(source, s.leaving);
        s.hi[source] = plb_permute_low(c, colours) >> c->from->low;
    }
    memset(s.made, 0, sizeof s.made);
    for (int p = 0; p < c->planes; p++)
        memset(c->target[p] + first, 0, words * sizeof *c->target[p]);
    for (size_t block = blocks.first; block < blocks.last; block++)
        permute_block(c, directory, &s, block);
    for (int ones = 0; ones <= c->to->low; ones++)
        for (int come = 0; come < s.sources; come++)
            if (s.made[ones][come]) plb_bit_transpose_flush(&s.kinds[ones][come]);
}
