/* SPDX-License-Identifier: MIT
 *
 * The pool is one range of addresses; the two ply memories grow into it from its ends. Pages become
 * writable when they are needed, so that a bound on the memory of the process counts just those:
 *
 *     [ply 0: used | writable ->        no memory        <- writable | used: ply 1]
 */
#include "builder/slabs/ply_memory.h"

#include <pthread.h>
#include <stdlib.h>

#include "builder/slabs/address_range.h"
#include "builder/slabs/slab_piece.h"
#include "tables/bits.h"
#include "tables/message.h"

struct plb_ply_memory {
    plb_memory_pool *pool;
    int end;                        /* that it grows from */
    uint64_t used, writable;        /* bytes */
    const plb_planes **slab_planes; /* [slabs] */
    uint64_t slabs;
};

struct plb_memory_pool {
    pthread_mutex_t lock; /* guards used and writable of the ply memories */
    plb_address_range range;
    plb_ply_memory plies[2];
};

/* ---- the pool ---- */

int plb_memory_pool_open(uint64_t bytes, plb_memory_pool **pool) {
    plb_memory_pool *made = calloc(1, sizeof *made);
    if (!made) return PLB_ENOMEM;
    pthread_mutex_init(&made->lock, NULL);
    for (int end = 0; end < 2; end++) made->plies[end] = (plb_ply_memory){.pool = made, .end = end};
    made->range = plb_address_range_map(bytes);
    *pool = made;
    return PLB_OK;
}

void plb_memory_pool_close(plb_memory_pool *pool) {
    if (!pool) return;
    for (int end = 0; end < 2; end++) plb_ply_memory_clear(&pool->plies[end]);
    plb_address_range_unmap(&pool->range);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

plb_ply_memory *plb_memory_pool_ply(plb_memory_pool *pool, int ply) {
    return pool ? &pool->plies[ply % 2] : NULL;
}

/* Make more of the range writable, or give pages back that are not used. */
static bool set_writable(plb_ply_memory *memory, uint64_t bytes) {
    return plb_address_range_set(&memory->pool->range, memory->end, &memory->writable, bytes);
}

static uint64_t whole_pages(uint64_t bytes) {
    return plb_divide_up(bytes, PLB_RANGE_PAGE) * PLB_RANGE_PAGE;
}

void plb_memory_pool_trim(plb_memory_pool *pool) {
    for (int end = 0; end < 2; end++)
        set_writable(&pool->plies[end], whole_pages(pool->plies[end].used));
}

/* Cut a piece off the range; the lock is held. NULL when there is no room. */
static void *cut_piece(plb_ply_memory *memory, uint64_t bytes) {
    plb_memory_pool *pool = memory->pool;
    plb_ply_memory *other = &pool->plies[!memory->end];
    uint64_t needed = whole_pages(memory->used + bytes);
    if (needed > memory->writable) {
        if (needed + whole_pages(other->used) > pool->range.room) return NULL;
        if (needed + other->writable > pool->range.room &&
            !set_writable(other, whole_pages(other->used)))
            return NULL;
        if (!set_writable(memory, needed)) return NULL;
    }
    uint64_t place = memory->end ? pool->range.room - memory->used - bytes : memory->used;
    void *piece = pool->range.bytes + place;
    memory->used += bytes;
    return piece;
}

/* ---- ply memories ---- */

void plb_ply_memory_clear(plb_ply_memory *memory) {
    free(memory->slab_planes);
    memory->slab_planes = NULL;
    memory->slabs = memory->used = 0;
}

int plb_ply_memory_begin(plb_ply_memory *memory, uint64_t slabs) {
    plb_ply_memory_clear(memory);
    memory->slab_planes = calloc(slabs, sizeof(void *));
    if (!memory->slab_planes) return PLB_ENOMEM;
    memory->slabs = slabs;
    return PLB_OK;
}

const plb_planes *plb_ply_memory_add(plb_ply_memory *memory, uint64_t slab, const plb_slab *shape,
                                     int planes) {
    if (!memory) return NULL;
    uint64_t bytes = plb_slab_piece_bytes(shape, planes);
    pthread_mutex_lock(&memory->pool->lock);
    plb_slab_piece *piece =
        cut_piece(memory, plb_divide_up(bytes, PLB_PIECE_ALIGNMENT) * PLB_PIECE_ALIGNMENT);
    pthread_mutex_unlock(&memory->pool->lock);
    if (!piece) return NULL;
    plb_slab_piece_lay_out(piece, shape, planes);
    return memory->slab_planes[slab] = &piece->planes;
}

size_t plb_ply_memory_slab_bytes(void) {
    return sizeof(plb_planes *) + sizeof(plb_slab_piece) + 2 * sizeof(uint64_t) +
           PLB_PIECE_ALIGNMENT / 2;
}

const plb_planes *plb_ply_memory_find(const plb_ply_memory *memory, uint64_t slab) {
    return memory && slab < memory->slabs ? memory->slab_planes[slab] : NULL;
}

bool plb_ply_memory_has_begun(const plb_ply_memory *memory) {
    return memory->slab_planes != NULL;
}

bool plb_ply_memory_has(const plb_ply_memory *memory, uint64_t first, uint64_t last) {
    while (first < last && plb_ply_memory_find(memory, first)) first++;
    return memory && memory->slab_planes && first == last;
}
