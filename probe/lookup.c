/* SPDX-License-Identifier: MIT
 *
 * Reading of stored values. A reader holds a decompressor and a set-associative cache of blocks.
 * Idle readers wait in a row of slots; taking and giving back is one atomic exchange.
 */
#include "probe/lookup.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "tables/segment.h"

enum {
    CACHE_BITS = 12,   /* log2 of the sets of a reader's cache */
    CACHE_WAYS = 4,    /* blocks of a set; memory is taken as they are used */
    READER_SLOTS = 64, /* idle readers that are kept */
    CACHE_BLOCKS = CACHE_WAYS << CACHE_BITS,
    NO_PLY = -1,
};

/* A block that was read. */
typedef struct cached_block {
    int ply; /* NO_PLY while empty */
    uint64_t number;
    uint64_t *planes; /* allocated with the first use of the entry */
} cached_block;

struct plb_reader {
    plb_unpacker *unpacker;
    unsigned evicted; /* the way that is given up next */
    cached_block cache[CACHE_BLOCKS];
};

typedef struct segment {
    const uint8_t *bytes;
    size_t size;
} segment;

struct plb_lookup {
    const plb_index *index;
    plb_cut cuts[PLB_MAX_CELLS + 1];
    segment *segments[PLB_MAX_CELLS + 1]; /* [cuts[ply].segments] */
    int planes;                           /* bits of a code */
    uint64_t block_words;                 /* of the largest block, all planes */
    _Atomic(plb_reader *) *idle;          /* [READER_SLOTS], NULL where empty */
};

/* ---- readers ---- */

static void free_reader(plb_reader *r) {
    if (!r) return;
    plb_unpacker_close(r->unpacker);
    for (int b = 0; b < CACHE_BLOCKS; b++) free(r->cache[b].planes);
    free(r);
}

static plb_reader *new_reader(void) {
    plb_reader *made = calloc(1, sizeof *made);
    if (!made || plb_unpacker_open(&made->unpacker)) {
        free(made);
        return NULL;
    }
    for (int b = 0; b < CACHE_BLOCKS; b++) made->cache[b].ply = NO_PLY;
    return made;
}

plb_reader *plb_lookup_take_reader(const plb_lookup *lookup) {
    for (int slot = 0; slot < READER_SLOTS; slot++) {
        if (!atomic_load_explicit(&lookup->idle[slot], memory_order_relaxed)) continue;
        plb_reader *r = atomic_exchange_explicit(&lookup->idle[slot], NULL, memory_order_acquire);
        if (r) return r;
    }
    return new_reader();
}

void plb_lookup_give_reader(const plb_lookup *lookup, plb_reader *r) {
    if (!r) return;
    for (int slot = 0; slot < READER_SLOTS; slot++) {
        plb_reader *empty = NULL;
        if (atomic_compare_exchange_strong_explicit(&lookup->idle[slot], &empty, r,
                                                    memory_order_release, memory_order_relaxed))
            return;
    }
    free_reader(r);
}

/* ---- opening ---- */

static int find_segments(plb_lookup *lookup, const plb_store *store, int ply,
                         plb_message *message) {
    const plb_cut *cut = &lookup->cuts[ply];
    lookup->segments[ply] = calloc(cut->segments, sizeof *lookup->segments[ply]);
    if (!lookup->segments[ply]) return plb_fail(message, PLB_ENOMEM, "out of memory");
    int error = PLB_OK;
    for (uint64_t s = 0; s < cut->segments && !error; s++)
        error = plb_store_get_segment(store, ply, s * cut->blocks_per_segment,
                                      &lookup->segments[ply][s].bytes,
                                      &lookup->segments[ply][s].size, message);
    return error;
}

int plb_lookup_open(const plb_index *index, const plb_store *store, int block_positions, int planes,
                    plb_lookup **lookup, plb_message *message) {
    plb_lookup *made = calloc(1, sizeof *made);
    if (made) made->idle = calloc(READER_SLOTS, sizeof *made->idle);
    if (!made || !made->idle) {
        plb_lookup_close(made);
        return plb_fail(message, PLB_ENOMEM, "out of memory");
    }
    made->index = index;
    made->planes = planes;
    made->block_words = planes * plb_segment_plane_words(block_positions);
    int error = PLB_OK;
    for (int ply = 0; ply <= index->game->cells && !error; ply++) {
        made->cuts[ply] = plb_cut_ply(index, ply, block_positions);
        error = find_segments(made, store, ply, message);
    }
    if (error)
        plb_lookup_close(made);
    else
        *lookup = made;
    return error;
}

void plb_lookup_close(plb_lookup *lookup) {
    if (!lookup) return;
    for (int slot = 0; lookup->idle && slot < READER_SLOTS; slot++) free_reader(lookup->idle[slot]);
    for (int ply = 0; ply <= PLB_MAX_CELLS; ply++) free(lookup->segments[ply]);
    free(lookup->idle);
    free(lookup);
}

/* ---- reading ---- */

static uint64_t block_number(const plb_cut *cut, plb_spot spot) {
    return spot.segment * cut->blocks_per_segment + spot.block;
}

uint64_t plb_lookup_block(const plb_lookup *lookup, plb_place place) {
    const plb_cut *cut = &lookup->cuts[place.ply];
    return block_number(cut, plb_cut_find(cut, place.slab, place.rank));
}

/* Read a block into its entry of the cache. */
static int read_block(const plb_lookup *lookup, plb_reader *r, int ply, plb_spot spot,
                      cached_block *entry) {
    const plb_cut *cut = &lookup->cuts[ply];
    const segment *s = &lookup->segments[ply][spot.segment];
    uint64_t first = spot.segment * cut->blocks_per_segment;
    uint64_t words =
        lookup->planes * plb_segment_plane_words(plb_cut_positions(cut, spot.segment, spot.block));
    entry->ply = NO_PLY;
    if (!entry->planes) entry->planes = malloc(lookup->block_words * sizeof *entry->planes);
    if (!entry->planes) return PLB_ENOMEM;
    int error =
        plb_unpack_block(r->unpacker, s->bytes, s->size, ply, plb_cut_blocks(cut, spot.segment),
                         first, spot.block, words, entry->planes);
    if (error) return error;
    entry->ply = ply;
    entry->number = first + spot.block;
    return PLB_OK;
}

/* The entry of a block in the cache: where it is, or where it may be put. */
static cached_block *find_entry(plb_reader *r, int ply, uint64_t number) {
    uint64_t hash = (number * 64 + ply) * 0x9E3779B97F4A7C15ULL;
    cached_block *set = &r->cache[(hash >> (64 - CACHE_BITS)) * CACHE_WAYS];
    for (int way = 0; way < CACHE_WAYS; way++)
        if (set[way].number == number && set[way].ply == ply) return &set[way];
    return &set[r->evicted++ % CACHE_WAYS];
}

static int find_block(const plb_lookup *lookup, plb_reader *r, int ply, plb_spot spot,
                      const uint64_t **planes) {
    uint64_t number = block_number(&lookup->cuts[ply], spot);
    cached_block *entry = find_entry(r, ply, number);
    int error = PLB_OK;
    if (entry->ply != ply || entry->number != number)
        error = read_block(lookup, r, ply, spot, entry);
    *planes = entry->planes;
    return error;
}

static bool bit_at(const uint64_t *plane, uint64_t bit) {
    return plane[bit / 64] >> bit % 64 & 1;
}

int plb_lookup_code(const plb_lookup *lookup, plb_reader *reader, plb_place place, unsigned *code,
                    plb_message *message) {
    const plb_cut *cut = &lookup->cuts[place.ply];
    plb_spot spot = plb_cut_find(cut, place.slab, place.rank);
    const uint64_t *planes = NULL;
    int error = find_block(lookup, reader, place.ply, spot, &planes);
    if (error == PLB_ECORRUPT)
        return plb_fail(message, error,
                        "the table is damaged: block %llu of ply %d is not as written",
                        (unsigned long long)block_number(cut, spot), place.ply);
    if (error) return plb_fail(message, error, "out of memory for a block");
    uint64_t words = plb_segment_plane_words(plb_cut_positions(cut, spot.segment, spot.block));
    unsigned bits = 0;
    for (int p = 0; p < lookup->planes; p++)
        bits |= (unsigned)bit_at(planes + p * words, spot.offset) << p;
    *code = bits;
    return PLB_OK;
}
