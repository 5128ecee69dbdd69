/* SPDX-License-Identifier: MIT
 *
 * The pool is one range of addresses; the two holds grow into it from its ends. Pages become
 * writable when they are needed, so that a bound on the memory of the process counts just those:
 *
 *     [hold 0: used | writable ->        no memory        <- writable | used: hold 1]
 */
#include "builder/slabs/hold.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tables/bits.h"
#include "tables/message.h"

enum {
    PAGE_BYTES = 2 << 20, /* that become writable at a time: a huge page */
    PIECE_BYTES = 64,     /* pieces begin at a multiple of it */
};

struct plb_hold {
    plb_pool *pool;
    int end;                 /* that it grows from */
    uint64_t used, writable; /* bytes */
    plb_held **held;         /* [slabs] */
    uint64_t slabs, count;   /* count: of those that are held */
};

struct plb_pool {
    pthread_mutex_t lock;    /* guards used, writable and count of the holds */
    uint8_t *range, *memory; /* what is mapped, and what of it is used */
    uint64_t mapped, room;   /* bytes of them; room: a multiple of PAGE_BYTES */
    plb_hold holds[2];
};

/* ---- the pool ---- */

/* Where the system grants less, less is held. */
static void map_range(plb_pool *pool, uint64_t bytes) {
    uint8_t *range = MAP_FAILED;
    uint64_t mapped = 0;
    for (; bytes > 0; bytes = bytes / 2 / PAGE_BYTES * PAGE_BYTES) {
        mapped = bytes + PAGE_BYTES; /* so that huge pages can be aligned */
        range = mmap(NULL, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (range != MAP_FAILED) break;
    }
    if (range == MAP_FAILED) return;
    madvise(range, mapped, MADV_HUGEPAGE); /* else much of the time is page faults */
    pool->range = range;
    pool->mapped = mapped;
    pool->memory = range + (PAGE_BYTES - (uintptr_t)range % PAGE_BYTES);
    pool->room = bytes;
}

int plb_pool_open(uint64_t bytes, plb_pool **pool) {
    plb_pool *made = calloc(1, sizeof *made);
    if (!made) return PLB_ENOMEM;
    pthread_mutex_init(&made->lock, NULL);
    for (int end = 0; end < 2; end++) made->holds[end] = (plb_hold){.pool = made, .end = end};
    map_range(made, bytes - bytes % PAGE_BYTES);
    *pool = made;
    return PLB_OK;
}

void plb_pool_close(plb_pool *pool) {
    if (!pool) return;
    for (int end = 0; end < 2; end++) plb_hold_clear(&pool->holds[end]);
    if (pool->range) munmap(pool->range, pool->mapped);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

plb_hold *plb_pool_hold(plb_pool *pool, int ply) {
    return pool ? &pool->holds[ply % 2] : NULL;
}

/* The first of so many bytes that lie `offset` bytes from a hold's end of the range. */
static uint8_t *address(const plb_hold *hold, uint64_t offset, uint64_t bytes) {
    const plb_pool *pool = hold->pool;
    return hold->end ? pool->memory + pool->room - offset - bytes : pool->memory + offset;
}

/* Make more of the range writable, or give pages back that are not used. */
static bool set_writable(plb_hold *hold, uint64_t bytes) {
    uint64_t from = plb_min(hold->writable, bytes), size = plb_max(hold->writable, bytes) - from;
    bool more = bytes > hold->writable;
    uint8_t *pages = address(hold, from, size);
    if (!more) madvise(pages, size, MADV_DONTNEED);
    if (size && mprotect(pages, size, more ? PROT_READ | PROT_WRITE : PROT_NONE) != 0) return false;
    hold->writable = bytes;
    return true;
}

static uint64_t whole_pages(uint64_t bytes) {
    return plb_divide_up(bytes, PAGE_BYTES) * PAGE_BYTES;
}

/* Cut a piece off the range; the lock is held. NULL when there is no room. */
static void *cut_piece(plb_hold *hold, uint64_t bytes) {
    plb_pool *pool = hold->pool;
    plb_hold *other = &pool->holds[!hold->end];
    uint64_t needed = whole_pages(hold->used + bytes);
    if (needed > hold->writable) {
        if (needed + whole_pages(other->used) > pool->room) return NULL;
        if (needed + other->writable > pool->room && !set_writable(other, whole_pages(other->used)))
            return NULL;
        if (!set_writable(hold, needed)) return NULL;
    }
    void *piece = address(hold, hold->used, bytes);
    hold->used += bytes;
    hold->count++;
    return piece;
}

/* ---- holds ---- */

void plb_hold_clear(plb_hold *hold) {
    free(hold->held);
    hold->held = NULL;
    hold->slabs = hold->count = hold->used = 0;
}

int plb_hold_begin(plb_hold *hold, uint64_t slabs) {
    plb_hold_clear(hold);
    hold->held = calloc(slabs, sizeof(plb_held *));
    if (!hold->held) return PLB_ENOMEM;
    hold->slabs = slabs;
    return PLB_OK;
}

/* Lay out a piece: [plb_held][planes, one word][hi][start]. */
static plb_held *lay_out(uint64_t *piece, const plb_slab *shape, uint64_t words) {
    plb_held *held = (plb_held *)piece;
    held->planes = (uint64_t *)(held + 1);
    held->shape = *shape;
    held->shape.groups = held->shape.rank = NULL;
    held->shape.group_count = 0;
    held->shape.hi = held->planes + words;
    held->shape.start = held->shape.hi + shape->blocks;
    held->shape.start[0] = 0;
    if (shape->blocks) {
        memcpy(held->shape.hi, shape->hi, shape->blocks * sizeof *shape->hi);
        memcpy(held->shape.start, shape->start, (shape->blocks + 1) * sizeof *shape->start);
    }
    return held;
}

plb_held *plb_hold_add(plb_hold *hold, uint64_t slab, const plb_slab *shape, int planes) {
    if (!hold) return NULL;
    uint64_t words = planes * shape->words + 1;
    uint64_t bytes = sizeof(plb_held) + (words + 2 * shape->blocks + 1) * sizeof(uint64_t);
    pthread_mutex_lock(&hold->pool->lock);
    uint64_t *piece = cut_piece(hold, plb_divide_up(bytes, PIECE_BYTES) * PIECE_BYTES);
    pthread_mutex_unlock(&hold->pool->lock);
    return piece ? hold->held[slab] = lay_out(piece, shape, words) : NULL;
}

const plb_held *plb_hold_find(const plb_hold *hold, uint64_t slab) {
    return hold && slab < hold->slabs ? hold->held[slab] : NULL;
}

bool plb_hold_has_all(const plb_hold *hold) {
    return hold->held && hold->count == hold->slabs;
}
