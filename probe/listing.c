/* SPDX-License-Identifier: MIT
 *
 * The positions of a ply, one after another. Every set of cells that stones of the ply can occupy
 * is one image of one canonical set, so the sets are visited by slab and by the symmetries that
 * give distinct images; on each set all colourings are, in the order of their ranks.
 */
#include "probe/resolve.h"
#include "tables/binomial.h"

/* Entries of the index that a call looks at, at most. */
enum { MOST_ENTRIES = 1 << 14 };

/* Does an element give the set an image that no earlier element gives it? */
static bool is_first_image(const plb_symmetry *symmetry, uint64_t cells, int element) {
    uint64_t image = plb_symmetry_map(symmetry, element, cells);
    for (int e = 0; e < element; e++)
        if (plb_symmetry_map(symmetry, e, cells) == image) return false;
    return true;
}

static bool is_listing(const plb_table *table, const plb_listing *l) {
    if (l->ply < 0 || l->ply > table->space.game.cells) return false;
    const plb_index_ply *ply = &table->space.index.plies[l->ply];
    return l->done || (l->slab < ply->slabs && l->element < (uint64_t)table->space.symmetry.order &&
                       l->rank < ply->slab_size);
}

static void step_to_next_set(const plb_table *table, plb_listing *l) {
    uint64_t cells = plb_index_slab_cells(&table->space.index, l->ply, l->slab);
    l->rank = 0;
    do l->element++;
    while (l->element < (uint64_t)table->space.symmetry.order &&
           !is_first_image(&table->space.symmetry, cells, (int)l->element));
    if (l->element < (uint64_t)table->space.symmetry.order) return;
    l->element = 0;
    l->done = ++l->slab == table->space.index.plies[l->ply].slabs;
}

/* Where the positions of a call go. */
typedef struct page {
    uint64_t *x, *o; /* [room] */
    size_t room, count;
} page;

static void add_position(const plb_table *table, plb_position position, page *to) {
    if (plb_rules_check(&table->space.game, position, NULL) != PLB_OK) return;
    plb_write_position(table, position, &to->x[to->count], &to->o[to->count]);
    to->count++;
}

/* Visit colourings of one set from listing->rank on: the rest of them, or `entries`, or until the
 * page is full. Returns how many were visited. */
static uint64_t list_set(const plb_table *table, plb_listing *l, uint64_t entries, page *to) {
    uint64_t cells = plb_index_slab_cells(&table->space.index, l->ply, l->slab);
    uint64_t occupied = plb_symmetry_map(&table->space.symmetry, (int)l->element, cells);
    uint64_t slab_size = table->space.index.plies[l->ply].slab_size, begin = l->rank;
    uint64_t end = plb_min(begin + entries, slab_size);
    uint64_t word = plb_binomial_unrank(l->ply, plb_ply_ones(l->ply), begin);
    while (l->rank < end && to->count < to->room) {
        uint64_t stones = plb_scatter_bits(word, occupied);
        add_position(table, (plb_position){stones, occupied ^ stones}, to);
        if (++l->rank < slab_size) word = plb_next_combination(word);
    }
    uint64_t visited = l->rank - begin;
    if (l->rank == slab_size) step_to_next_set(table, l);
    return visited;
}

int plb_list_positions(const plb_table *table, plb_listing *listing, size_t room, uint64_t *x,
                       uint64_t *o, size_t *count) {
    if (!table || !listing || !x || !o || !count) return PLB_EARGUMENT;
    if (!room || !is_listing(table, listing)) return PLB_EARGUMENT;
    page to = {x, o, room, 0};
    for (uint64_t left = MOST_ENTRIES; left && to.count < room && !listing->done;)
        left -= list_set(table, listing, left, &to);
    *count = to.count;
    return PLB_OK;
}
