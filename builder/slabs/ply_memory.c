/* SPDX-License-Identifier: MIT
 *
 * The pool is one range of addresses, from whose free gaps planes are allocated
 * (builder/buffer.h). Pages become writable when they are needed, so that a limit on the memory of
 * the process counts only these.
 */
#include "builder/slabs/ply_memory.h"

#include <pthread.h>
#include <stdlib.h>

#include "builder/buffer.h"
#include "builder/planes/slab_shape.h"
#include "tables/bits.h"
#include "tables/message.h"

struct plb_ply_memory {
    plb_memory_pool *pool;
    const plb_planes **slab_planes; /* [slabs] */
    uint64_t slabs;
};

struct plb_memory_pool {
    pthread_mutex_t lock; /* guards unused and writable */
    plb_huge_pages range;
    plb_free_ranges unused;
    bool *writable; /* [pages of the range] */
    plb_ply_memory plies[2];
};

/* ---- the pool ---- */

int plb_memory_pool_open(uint64_t bytes, plb_memory_pool **pool) {
    plb_memory_pool *made = calloc(1, sizeof *made);
    if (!made) return PLB_ENOMEM;
    pthread_mutex_init(&made->lock, NULL);
    for (int i = 0; i < 2; i++) made->plies[i] = (plb_ply_memory){.pool = made};
    made->range = plb_huge_pages_map(bytes);
    made->writable = calloc(made->range.size / PLB_HUGE_PAGE + 1, sizeof *made->writable);
    int error = plb_free_ranges_open(made->range.size, &made->unused);
    if (!made->writable) error = PLB_ENOMEM;
    return PLB_HAND_OVER(error, made, pool, plb_memory_pool_close);
}

void plb_memory_pool_close(plb_memory_pool *pool) {
    if (!pool) return;
    for (int i = 0; i < 2; i++) plb_ply_memory_clear(&pool->plies[i]);
    plb_free_ranges_close(&pool->unused);
    free(pool->writable);
    plb_huge_pages_unmap(&pool->range);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

plb_ply_memory *plb_memory_pool_ply(plb_memory_pool *pool, int ply) {
    return pool ? &pool->plies[ply % 2] : NULL;
}

/* Make pages [first, end) writable, or give them back to the system; false: it refuses. */
static bool set_writable(plb_memory_pool *pool, uint64_t first, uint64_t end, bool writable) {
    while (first < end) {
        uint64_t last = first;
        while (last < end && pool->writable[last] != writable) last++;
        if (!plb_huge_pages_set(&pool->range, first * PLB_HUGE_PAGE, (last - first) * PLB_HUGE_PAGE,
                                writable))
            return false;
        for (; first < last; first++) pool->writable[first] = writable;
        first++;
    }
    return true;
}

void plb_memory_pool_trim(plb_memory_pool *pool) {
    for (size_t g = 0; g < pool->unused.count; g++) {
        const plb_gap *gap = &pool->unused.gaps[g];
        set_writable(pool, plb_divide_up(gap->from, PLB_HUGE_PAGE), gap->end / PLB_HUGE_PAGE,
                     false);
    }
}

/* The bytes that planes take of the pool. */
static uint64_t allocation_bytes(const plb_slab *shape, int planes) {
    uint64_t bytes = plb_slab_planes_bytes(shape, planes);
    return plb_divide_up(bytes, PLB_PLANES_ALIGNMENT) * PLB_PLANES_ALIGNMENT;
}

/* ---- ply memories ---- */

void plb_ply_memory_forget(plb_ply_memory *memory, uint64_t first, uint64_t last) {
    plb_memory_pool *pool = memory->pool;
    pthread_mutex_lock(&pool->lock);
    for (uint64_t slab = first; slab < plb_min(last, memory->slabs); slab++) {
        const plb_planes *planes = memory->slab_planes[slab];
        if (planes)
            plb_free_ranges_give_back(&pool->unused,
                                      (uint64_t)((const uint8_t *)planes - pool->range.bytes),
                                      allocation_bytes(planes->shape, planes->count));
        memory->slab_planes[slab] = NULL;
    }
    pthread_mutex_unlock(&pool->lock);
}

void plb_ply_memory_clear(plb_ply_memory *memory) {
    plb_ply_memory_forget(memory, 0, memory->slabs);
    free(memory->slab_planes);
    memory->slab_planes = NULL;
    memory->slabs = 0;
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
    plb_memory_pool *pool = memory->pool;
    uint64_t from, bytes = allocation_bytes(shape, planes);
    pthread_mutex_lock(&pool->lock);
    bool taken = plb_free_ranges_take(&pool->unused, bytes, &from);
    if (taken && !set_writable(pool, from / PLB_HUGE_PAGE,
                               plb_divide_up(from + bytes, PLB_HUGE_PAGE), true)) {
        plb_free_ranges_give_back(&pool->unused, from, bytes);
        taken = false;
    }
    pthread_mutex_unlock(&pool->lock);
    if (!taken) return NULL;
    plb_slab_planes *made = (plb_slab_planes *)(pool->range.bytes + from);
    plb_slab_planes_lay_out(made, shape, planes);
    return memory->slab_planes[slab] = &made->planes;
}

size_t plb_ply_memory_slab_bytes(void) {
    return sizeof(plb_planes *) + sizeof(plb_slab_planes) + 2 * sizeof(uint64_t) +
           PLB_PLANES_ALIGNMENT / 2;
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
