/* SPDX-License-Identifier: MIT
 *
 * Walks by slabs. A chunk is a run of colourings of one slab, from one word to the next with as
 * many ones. In a list each set of cells comes once: it is the image of one canonical set, so the
 * symmetries that give distinct images are gone through slab by slab.
 */
#include "tables/index/enumerate_slabs.h"

#include "tables/binomial.h"

enum { CHUNK_ENTRIES = 1 << 12 };

static uint64_t chunks_of_slab(const plb_index *index, int ply) {
    return plb_divide_up(index->plies[ply].slab_size, CHUNK_ENTRIES);
}

uint64_t plb_enumeration_slab_chunks(const plb_index *index, int ply) {
    return index->plies[ply].slabs * chunks_of_slab(index, ply);
}

/* Colourings of a set of cells. */
typedef struct colourings {
    const plb_space *space;
    int ply;
    uint64_t occupied;
    uint64_t count; /* what a position on it stands for */
} colourings;

/* Visit colourings from a rank to an end, until visit returns false; returns whether to go on. */
static bool visit_colourings(const colourings *c, uint64_t *next, uint64_t end,
                             plb_enumeration_visitor *visit, void *context) {
    uint64_t rank = *next, word = plb_binomial_unrank(c->ply, plb_ply_ones(c->ply), rank);
    bool more = true;
    for (; more && rank < end; rank++) {
        uint64_t x = plb_scatter_bits(word, c->occupied);
        plb_position position = {x, c->occupied ^ x};
        if (plb_space_check(c->space, position, NULL) == PLB_OK)
            more = visit(context, position, c->count);
        if (rank + 1 < end) word = plb_next_combination(word);
    }
    *next = rank;
    return more;
}

static uint64_t count_images(const plb_index *index, uint64_t occupied) {
    return (uint64_t)plb_symmetry_orbit_size(index->symmetry, occupied);
}

void plb_enumeration_slab_chunk(const plb_space *space, int ply, uint64_t chunk,
                                plb_enumeration_visitor *visit, void *context) {
    const plb_index *index = &space->index;
    uint64_t chunks = chunks_of_slab(index, ply), slab_size = index->plies[ply].slab_size;
    uint64_t rank = chunk % chunks * CHUNK_ENTRIES, end = plb_min(rank + CHUNK_ENTRIES, slab_size);
    uint64_t occupied = plb_index_slab_cells(index, ply, chunk / chunks);
    colourings c = {space, ply, occupied, count_images(index, occupied)};
    visit_colourings(&c, &rank, end, visit, context);
}

plb_position plb_enumeration_slab_canonical(const plb_index *index, plb_position position) {
    plb_position least = position;
    for (int e = 1; e < index->symmetry->order; e++) {
        plb_position image = index->game->rules->map(index->symmetry, e, position);
        if (plb_stones_occupied(image) == plb_stones_occupied(position) && image.x < least.x)
            least = image;
    }
    return least;
}

bool plb_enumeration_slab_draw(const plb_space *space, int ply, uint64_t *random,
                               plb_position *position, uint64_t *count) {
    const plb_index *index = &space->index;
    const plb_index_ply *p = &index->plies[ply];
    uint64_t slab = plb_random_below(random, p->slabs);
    plb_entry entry = {ply, slab, plb_random_below(random, p->slab_size)};
    *position = plb_index_unrank(index, entry);
    *count = count_images(index, plb_stones_occupied(*position));
    return plb_space_check(space, *position, NULL) == PLB_OK;
}

/* ---- all, each once ---- */

bool plb_enumeration_is_slab_cursor(const plb_index *index, const plb_enumeration_cursor *cursor) {
    const plb_index_ply *ply = &index->plies[cursor->ply];
    return cursor->done ||
           (cursor->slab < ply->slabs && cursor->element < (uint64_t)index->symmetry->order &&
            cursor->rank < ply->slab_size);
}

/* Does an element give the set an image that no earlier element gives it? */
static bool is_first_image(const plb_symmetry *symmetry, uint64_t cells, int element) {
    uint64_t image = plb_symmetry_map(symmetry, element, cells);
    for (int e = 0; e < element; e++)
        if (plb_symmetry_map(symmetry, e, cells) == image) return false;
    return true;
}

static void step_to_next_set(const plb_index *index, plb_enumeration_cursor *at) {
    uint64_t cells = plb_index_slab_cells(index, at->ply, at->slab);
    uint64_t order = index->symmetry->order;
    at->rank = 0;
    do at->element++;
    while (at->element < order && !is_first_image(index->symmetry, cells, (int)at->element));
    if (at->element < order) return;
    at->element = 0;
    at->done = ++at->slab == index->plies[at->ply].slabs;
}

bool plb_enumeration_slab_list(const plb_space *space, plb_enumeration_cursor *at,
                               uint64_t *entries, plb_enumeration_visitor *visit, void *context) {
    const plb_index *index = &space->index;
    uint64_t cells = plb_index_slab_cells(index, at->ply, at->slab), begin = at->rank;
    uint64_t slab_size = index->plies[at->ply].slab_size;
    colourings c = {space, at->ply, plb_symmetry_map(index->symmetry, (int)at->element, cells), 1};
    uint64_t end = plb_min(begin + *entries, slab_size);
    bool more = visit_colourings(&c, &at->rank, end, visit, context);
    *entries -= at->rank - begin;
    if (at->rank == slab_size) step_to_next_set(index, at);
    return more;
}
