/* SPDX-License-Identifier: MIT
 *
 * A cache of unpacked planes of slabs. All workers share it, because neighbouring slabs, and slabs
 * of other workers, have common children.
 */
#pragma once

#include "builder/planes/slab_shape.h"

typedef struct plb_plane_cache plb_plane_cache;

/* A slab in the cache. */
typedef struct plb_cached_slab {
    bool is_there; /* false: the caller must fill the planes; others wait for it */
    const plb_planes *planes;
    /* Private to the cache: */
    uint64_t slab, begin, end; /* bytes [begin, end) of the range */
    bool is_being_filled;
    int users;
    struct plb_cached_slab *before, *after; /* neighbours in the range */
    plb_slab_planes memory;
} plb_cached_slab;

/* max_bytes: of all slabs together. Errors: PLB_ENOMEM. Close accepts NULL. */
int plb_plane_cache_open(uint64_t max_bytes, plb_plane_cache **cache);
void plb_plane_cache_close(plb_plane_cache *cache);

/* Clear the cache, of which no slab may be in use, and begin a ply: how many slabs it has, and how
 * many bytes the cache may take. Errors: PLB_ENOMEM; the cache then takes no slab. */
int plb_plane_cache_begin(plb_plane_cache *cache, uint64_t slabs, uint64_t bytes);

/* Take a slab; wait if another thread is filling it. NULL: it is not in the cache. Threads: safe,
 * as are the functions below. */
plb_cached_slab *plb_plane_cache_take(plb_plane_cache *cache, uint64_t slab);

/* Add a slab, or take it if another thread has added it. If is_there is false the caller fills the
 * planes, then says whether it succeeded; if not, a waiting thread fills them. NULL: no space. */
plb_cached_slab *plb_plane_cache_add(plb_plane_cache *cache, uint64_t slab, const plb_slab *shape,
                                     int planes);
void plb_plane_cache_filled(plb_plane_cache *cache, plb_cached_slab *cached, bool success);

/* End the use of a slab that was taken or added. */
void plb_plane_cache_leave(plb_plane_cache *cache, plb_cached_slab *cached);
