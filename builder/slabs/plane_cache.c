/* SPDX-License-Identifier: MIT
 *
 * A ring buffer: each new slab is placed behind the previous one and evicts the oldest ones there;
 * slabs in use are skipped.
 *
 *     [ newest ..  | at -> | oldest, older .. ]
 *
 * (First in, first out has as many hits as least recently used. Pages are kept from ply to ply,
 * because page faults cost time.)
 */
#include "builder/slabs/plane_cache.h"

#include <pthread.h>
#include <stdlib.h>

#include "builder/buffer.h"
#include "tables/message.h"

struct plb_plane_cache {
    pthread_mutex_t lock; /* guards the fields below and the cache's own fields of slabs */
    pthread_cond_t filled;
    plb_huge_pages range;
    uint64_t writable, at;     /* bytes that may be used; offset where the next slab goes */
    plb_cached_slab ends;      /* list head: `after` is the first slab, `before` the last one */
    plb_cached_slab *next;     /* the first slab behind `at`, or &ends */
    plb_cached_slab **by_slab; /* [slabs] NULL: not cached */
    uint64_t slabs;
};

int plb_plane_cache_open(uint64_t max_bytes, plb_plane_cache **cache) {
    plb_plane_cache *made = calloc(1, sizeof *made);
    if (!made) return PLB_ENOMEM;
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->filled, NULL);
    made->range = plb_huge_pages_map(max_bytes);
    made->ends.before = made->ends.after = made->next = &made->ends;
    *cache = made;
    return PLB_OK;
}

void plb_plane_cache_close(plb_plane_cache *cache) {
    if (!cache) return;
    plb_huge_pages_unmap(&cache->range);
    pthread_cond_destroy(&cache->filled);
    pthread_mutex_destroy(&cache->lock);
    free(cache->by_slab);
    free(cache);
}

int plb_plane_cache_begin(plb_plane_cache *cache, uint64_t slabs, uint64_t bytes) {
    cache->ends.before = cache->ends.after = cache->next = &cache->ends;
    cache->at = 0;
    bytes = plb_min(bytes - bytes % PLB_HUGE_PAGE, cache->range.size);
    uint64_t from = plb_min(cache->writable, bytes), end = plb_max(cache->writable, bytes);
    if (plb_huge_pages_set(&cache->range, from, end - from, bytes > cache->writable))
        cache->writable = bytes; /* else the system refuses, and nothing changes */
    free(cache->by_slab);
    cache->by_slab = calloc(slabs, sizeof(plb_cached_slab *));
    cache->slabs = cache->by_slab ? slabs : 0;
    return cache->by_slab ? PLB_OK : PLB_ENOMEM;
}

/* ---- space ---- */

static void forget(plb_plane_cache *cache, plb_cached_slab *cached) {
    if (cache->next == cached) cache->next = cached->after;
    cached->before->after = cached->after;
    cached->after->before = cached->before;
    cache->by_slab[cached->slab] = NULL;
}

/* Move `at` to a place with so many free bytes; false if there is none. */
static bool find_space(plb_plane_cache *cache, uint64_t bytes) {
    for (int round = 0; round < 2; round++) {
        while (cache->at + bytes <= cache->writable) {
            plb_cached_slab *next = cache->next;
            if (next == &cache->ends || next->begin >= cache->at + bytes) return true;
            if (next->users) {
                cache->at = next->end;
                cache->next = next->after;
            } else {
                forget(cache, next);
            }
        }
        cache->at = 0;
        cache->next = cache->ends.after;
    }
    return false;
}

/* ---- taking ---- */

/* Add a user. If another thread is filling the slab, wait; if it is not filled then, the caller
 * must fill it. */
static void use(plb_plane_cache *cache, plb_cached_slab *cached) {
    cached->users++;
    while (cached->is_being_filled) pthread_cond_wait(&cache->filled, &cache->lock);
    cached->is_being_filled = !cached->is_there;
}

static plb_cached_slab *find(const plb_plane_cache *cache, uint64_t slab) {
    return slab < cache->slabs ? cache->by_slab[slab] : NULL;
}

plb_cached_slab *plb_plane_cache_take(plb_plane_cache *cache, uint64_t slab) {
    pthread_mutex_lock(&cache->lock);
    plb_cached_slab *cached = find(cache, slab);
    if (cached) use(cache, cached);
    pthread_mutex_unlock(&cache->lock);
    return cached;
}

plb_cached_slab *plb_plane_cache_add(plb_plane_cache *cache, uint64_t slab, const plb_slab *shape,
                                     int planes) {
    uint64_t bytes = offsetof(plb_cached_slab, memory) + plb_slab_planes_bytes(shape, planes);
    bytes = plb_divide_up(bytes, PLB_PLANES_ALIGNMENT) * PLB_PLANES_ALIGNMENT;
    pthread_mutex_lock(&cache->lock);
    plb_cached_slab *cached = find(cache, slab);
    if (!cached && slab < cache->slabs && find_space(cache, bytes)) {
        cached = (plb_cached_slab *)(cache->range.bytes + cache->at);
        *cached = (plb_cached_slab){.slab = slab,
                                    .planes = &cached->memory.planes,
                                    .begin = cache->at,
                                    .end = cache->at + bytes,
                                    .before = cache->next->before,
                                    .after = cache->next};
        plb_slab_planes_lay_out(&cached->memory, shape, planes);
        cached->before->after = cached->after->before = cached;
        cache->at = cached->end;
        cache->by_slab[slab] = cached;
    }
    if (cached) use(cache, cached);
    pthread_mutex_unlock(&cache->lock);
    return cached;
}

void plb_plane_cache_filled(plb_plane_cache *cache, plb_cached_slab *cached, bool success) {
    pthread_mutex_lock(&cache->lock);
    cached->is_there = success;
    cached->is_being_filled = false;
    pthread_cond_broadcast(&cache->filled);
    pthread_mutex_unlock(&cache->lock);
}

void plb_plane_cache_leave(plb_plane_cache *cache, plb_cached_slab *cached) {
    pthread_mutex_lock(&cache->lock);
    if (--cached->users == 0 && !cached->is_there) forget(cache, cached);
    pthread_mutex_unlock(&cache->lock);
}
