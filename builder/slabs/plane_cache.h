/* SPDX-License-Identifier: MIT
 *
 * A cache of unpacked planes of slabs. All workers share it, because neighbouring slabs, and slabs
 * of other workers, have common children.
 */
#ifndef PLB_BUILDER_SLABS_PLANE_CACHE_H
#define PLB_BUILDER_SLABS_PLANE_CACHE_H

#include "builder/planes/slab_shape.h"

typedef struct plb_plane_cache plb_plane_cache;

/* A slab that was taken. */
typedef struct plb_cached_slab {
    bool is_there; /* else who has added it fills the planes, and no one else can take it */
    const plb_planes *planes;
    /* Of the cache alone: */
    uint64_t slab, begin, end; /* its bytes in the range */
    bool is_being_filled;
    int users;
    struct plb_cached_slab *before, *after; /* in the range */
    plb_slab_planes memory;
} plb_cached_slab;

/* max_bytes: of all slabs at any time. Errors: PLB_ENOMEM. Close accepts NULL. */
int plb_plane_cache_open(uint64_t max_bytes, plb_plane_cache **cache);
void plb_plane_cache_close(plb_plane_cache *cache);

/* Forget all, and begin a ply of so many slabs, which may take so many bytes; none is in use.
 * Errors: PLB_ENOMEM; the cache then takes no slab. */
int plb_plane_cache_begin(plb_plane_cache *cache, uint64_t slabs, uint64_t bytes);

/* Take a slab; wait if another thread is filling it. NULL: it is not there. Threads: safe, as are
 * those below. */
plb_cached_slab *plb_plane_cache_take(plb_plane_cache *cache, uint64_t slab);

/* Add a slab of a shape, or take it if another thread has. If it is not there the caller fills it
 * and says whether that went well; if it did not, who waits for it takes his place. NULL: there is
 * no space for it. */
plb_cached_slab *plb_plane_cache_add(plb_plane_cache *cache, uint64_t slab, const plb_slab *shape,
                                     int planes);
void plb_plane_cache_filled(plb_plane_cache *cache, plb_cached_slab *cached, bool well);

/* A slab that was taken or added is used no more. */
void plb_plane_cache_leave(plb_plane_cache *cache, plb_cached_slab *cached);

#endif
