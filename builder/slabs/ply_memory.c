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
#include <string.h>
#include <sys/mman.h>

#include "tables/bits.h"
#include "tables/message.h"

enum {
    PAGE_BYTES = 2 << 20, /* that become writable at a time: a huge page */
    PIECE_BYTES = 64,     /* pieces begin at a multiple of it */
};

struct plb_ply_memory {
    plb_memory_pool *pool;
    int end;                        /* that it grows from */
    uint64_t used, writable;        /* bytes */
    const plb_planes **slab_planes; /* [slabs] */
    uint64_t slabs;
};

struct plb_memory_pool {
    pthread_mutex_t lock;    /* guards used and writable of the ply memories */
    uint8_t *range, *usable; /* what is mapped, and what of it is used */
    uint64_t mapped, room;   /* bytes of them; room: a multiple of PAGE_BYTES */
    plb_ply_memory plies[2];
};

/* ---- the pool ---- */

static uint8_t *map_bytes(uint64_t bytes) {
    return mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* The same if as much is left. */
static uint8_t *map_half(uint64_t bytes) {
    uint8_t *half = map_bytes(bytes), *rest = map_bytes(bytes);
    if (rest != MAP_FAILED) munmap(rest, bytes);
    if (rest != MAP_FAILED || half == MAP_FAILED) return half;
    munmap(half, bytes);
    return MAP_FAILED;
}

/* Where the system grants less, less is held: at most half of what is left of the address space, as
 * all else has to have some. */
static void map_range(plb_memory_pool *pool, uint64_t bytes) {
    const uint64_t aligning = PAGE_BYTES; /* so that huge pages can be aligned */
    uint8_t *range = bytes ? map_bytes(bytes + aligning) : MAP_FAILED;
    while (range == MAP_FAILED && bytes) {
        bytes = bytes / 2 / PAGE_BYTES * PAGE_BYTES;
        if (bytes) range = map_half(bytes + aligning);
    }
    if (range == MAP_FAILED) return;
    uint64_t mapped = bytes + aligning;
    madvise(range, mapped, MADV_HUGEPAGE); /* else much of the time is page faults */
    pool->range = range;
    pool->mapped = mapped;
    pool->usable = range + (PAGE_BYTES - (uintptr_t)range % PAGE_BYTES);
    pool->room = bytes;
}

int plb_memory_pool_open(uint64_t bytes, plb_memory_pool **pool) {
    plb_memory_pool *made = calloc(1, sizeof *made);
    if (!made) return PLB_ENOMEM;
    pthread_mutex_init(&made->lock, NULL);
    for (int end = 0; end < 2; end++) made->plies[end] = (plb_ply_memory){.pool = made, .end = end};
    map_range(made, bytes - bytes % PAGE_BYTES);
    *pool = made;
    return PLB_OK;
}

void plb_memory_pool_close(plb_memory_pool *pool) {
    if (!pool) return;
    for (int end = 0; end < 2; end++) plb_ply_memory_clear(&pool->plies[end]);
    if (pool->range) munmap(pool->range, pool->mapped);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

plb_ply_memory *plb_memory_pool_ply(plb_memory_pool *pool, int ply) {
    return pool ? &pool->plies[ply % 2] : NULL;
}

/* The first of `bytes` bytes that lie `offset` bytes from the ply's end of the range. */
static uint8_t *address(const plb_ply_memory *memory, uint64_t offset, uint64_t bytes) {
    const plb_memory_pool *pool = memory->pool;
    return memory->end ? pool->usable + pool->room - offset - bytes : pool->usable + offset;
}

/* Make more of the range writable, or give pages back that are not used. */
static bool set_writable(plb_ply_memory *memory, uint64_t bytes) {
    uint64_t from = plb_min(memory->writable, bytes),
             size = plb_max(memory->writable, bytes) - from;
    bool more = bytes > memory->writable;
    uint8_t *pages = address(memory, from, size);
    if (!more) madvise(pages, size, MADV_DONTNEED);
    if (size && mprotect(pages, size, more ? PROT_READ | PROT_WRITE : PROT_NONE) != 0) return false;
    memory->writable = bytes;
    return true;
}

static uint64_t whole_pages(uint64_t bytes) {
    return plb_divide_up(bytes, PAGE_BYTES) * PAGE_BYTES;
}

/* Cut a piece off the range; the lock is held. NULL when there is no room. */
static void *cut_piece(plb_ply_memory *memory, uint64_t bytes) {
    plb_memory_pool *pool = memory->pool;
    plb_ply_memory *other = &pool->plies[!memory->end];
    uint64_t needed = whole_pages(memory->used + bytes);
    if (needed > memory->writable) {
        if (needed + whole_pages(other->used) > pool->room) return NULL;
        if (needed + other->writable > pool->room && !set_writable(other, whole_pages(other->used)))
            return NULL;
        if (!set_writable(memory, needed)) return NULL;
    }
    void *piece = address(memory, memory->used, bytes);
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

/* The beginning of a piece: [slab_piece][planes, one word][hi][start]. */
typedef struct slab_piece {
    plb_planes planes;
    plb_slab shape;
} slab_piece;

static const plb_planes *lay_out(slab_piece *piece, const plb_slab *shape, int planes) {
    plb_slab *copy = &piece->shape;
    piece->planes = (plb_planes){copy, planes, (uint64_t *)(piece + 1)};
    *copy = *shape;
    copy->groups = copy->rank = NULL;
    copy->group_count = copy->low_groups = 0;
    copy->hi = piece->planes.words + planes * shape->words + 1;
    copy->start = copy->hi + shape->blocks;
    copy->start[0] = 0;
    if (shape->blocks) {
        memcpy(copy->hi, shape->hi, shape->blocks * sizeof *shape->hi);
        memcpy(copy->start, shape->start, (shape->blocks + 1) * sizeof *shape->start);
    }
    return &piece->planes;
}

const plb_planes *plb_ply_memory_add(plb_ply_memory *memory, uint64_t slab, const plb_slab *shape,
                                     int planes) {
    if (!memory) return NULL;
    uint64_t words = planes * shape->words + 1 + 2 * shape->blocks + 1;
    uint64_t bytes = sizeof(slab_piece) + words * sizeof(uint64_t);
    pthread_mutex_lock(&memory->pool->lock);
    slab_piece *piece = cut_piece(memory, plb_divide_up(bytes, PIECE_BYTES) * PIECE_BYTES);
    pthread_mutex_unlock(&memory->pool->lock);
    return piece ? memory->slab_planes[slab] = lay_out(piece, shape, planes) : NULL;
}

size_t plb_ply_memory_slab_bytes(void) {
    return sizeof(plb_planes *) + sizeof(slab_piece) + 2 * sizeof(uint64_t) + PIECE_BYTES / 2;
}

const plb_planes *plb_ply_memory_find(const plb_ply_memory *memory, uint64_t slab) {
    return memory && slab < memory->slabs ? memory->slab_planes[slab] : NULL;
}

bool plb_ply_memory_has_begun(const plb_ply_memory *memory) {
    return memory->slab_planes != NULL;
}

bool plb_ply_memory_has(const plb_ply_memory *memory, uint64_t first, uint64_t last) {
    while (first < last && plb_ply_memory_find(memory, first)) first++;
    return memory->slab_planes && first == last;
}
