/* SPDX-License-Identifier: MIT
 *
 * Rank permutations by whole blocks, where the symmetry maps all low stones but a few among
 * themselves, though in any order. The colours of those that leave choose the block of `from` that
 * a word comes from, so that a block of `to` comes from 2, 4, 8 or 16. Which bits go where depends
 * on the ones among the low stones, and on the colours of the low stones of `from` that come from
 * above.
 */
#include <string.h>

#include "builder/planes/bit_transpose.h"
#include "builder/planes/permute_common.h"
#include "tables/bits.h"

enum { SOURCES = 1 << PLB_MAX_LEAVING }; /* of a block, at most */
_Static_assert(SOURCES <= (int)PLB_TRANSPOSE_SOURCES,
               "a transposition has a source for each block");

/* The low stones on their way. */
typedef struct low_stones {
    unsigned leaving;     /* of `to`: they are high stones of `from` */
    unsigned coming;      /* of `from`: they are high stones of `to` */
    int sources;          /* colours of those that leave; of those that come there are as many */
    uint64_t hi[SOURCES]; /* by their colours: their part of a word of high stones of `from` */
    bool made[PLB_LOW + 1][SOURCES];               /* by ones among the low stones, and by .. */
    plb_bit_transpose kinds[PLB_LOW + 1][SOURCES]; /* .. the colours of those that come */
} low_stones;

/* The blocks with some number of ones among the low stones, when those that come are `colours`. */
static plb_bit_transpose *find_kind(const plb_permutation_plan *c, low_stones *s, int ones,
                                    unsigned colours) {
    int come = (int)plb_gather_bits(colours, s->coming);
    plb_bit_transpose *kind = &s->kinds[ones][come];
    if (s->made[ones][come]) return kind;
    kind->bits = (int)plb_masks_block_bits(c->to->low, ones);
    kind->sources = s->sources;
    kind->waiting = 0;
    for (int source = 0; source < s->sources; source++)
        kind->source_bits[source] = (int)plb_masks_block_bits(
            c->from->low, ones - plb_popcount(source) + plb_popcount(colours));
    for (int i = 0; i < kind->bits; i++) {
        unsigned word = plb_low_words[ones][i];
        unsigned mapped = (unsigned)plb_permute_low(c, word) & (unsigned)plb_low_bits(c->from->low);
        kind->order[i] = (uint16_t)(plb_gather_bits(word, s->leaving) * PLB_TRANSPOSE_STRIDE +
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
