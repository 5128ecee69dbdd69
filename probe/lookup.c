/* SPDX-License-Identifier: MIT
 *
 * Reading of stored values. A reader has a decompressor and a set-associative cache of blocks. Idle
 * readers are kept in an array of slots; an atomic exchange takes one or puts it back.
 */
#include "probe/lookup.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "tables/bits.h"
#include "tables/index/orbit.h"

enum {
    CACHE_WAYS = 4,        /* blocks of a set */
    CACHE_SETS = 1 << 12,  /* maximum for a reader */
    READER_SLOTS = 64,     /* idle readers that are kept */
    ALLOCATION_BYTES = 32, /* overhead of malloc */
    DERIVED = 1 << 12,     /* derived outcomes that a reader caches */
    WANTED = 1 << 10,      /* blocks whose questions a reader counts */
    MIN_QUESTIONS = 4,     /* about a block, before it is read */
};

/* A block in the cache. An empty one is all zeros, so that an unused cache takes no memory: calloc
 * gets pages that were never written. */
typedef struct cached_block {
    uint32_t plies;       /* its ply + 1; 0 while empty */
    uint32_t used_before; /* linked list of the ways that have planes: index + 1; 0: the end */
    uint64_t number;
    uint64_t plane_words; /* of each plane */
    uint64_t until;       /* entries [0, until) are decoded */
    uint64_t *planes;     /* allocated at the first use of the way */
} cached_block;

/* A block that is not cached, and the questions about it (plb_lookup_prefers_block). */
typedef struct wanted_block {
    uint32_t plies; /* its ply + 1; 0: none */
    uint32_t questions;
    uint64_t number;
} wanted_block;

/* Counters of all readers of a table. They are written when a block is read, not at every probe. */
typedef struct lookup_counts {
    _Atomic uint64_t cached_bytes, blocks_read;
} lookup_counts;

/* An empty one is all zeros. */
typedef struct derived_outcome {
    plb_position canonical;
    plb_outcome outcome;
    bool known;
} derived_outcome;

struct plb_reader {
    plb_block_reader *block_reader;
    lookup_counts *counts;
    uint64_t cached_bytes;
    bool skips_missing;       /* see plb_lookup_skip_missing */
    unsigned next_evicted;    /* round robin over the ways of a set */
    derived_outcome *derived; /* [DERIVED]; NULL before the first one */
    wanted_block wanted[WANTED];
    uint32_t used;        /* first of the list of used ways: index + 1; 0: none */
    cached_block cache[]; /* [sets * CACHE_WAYS] */
};

struct plb_lookup {
    const plb_block_codec *codec;
    const plb_store *store;
    const plb_stored_segment *segments[PLB_MAX_CELLS + 1]; /* [codec->layouts[ply].segments] */
    uint64_t block_words;                                  /* all planes of the largest block */
    uint32_t sets;                                         /* of a reader's cache */
    bool fits_cache;                                       /* all blocks do */
    bool skips_missing;
    lookup_counts *counts;
    _Atomic(plb_reader *) *idle; /* [READER_SLOTS] NULL: an empty slot */
};

/* ---- readers ---- */

static void free_reader(plb_reader *r) {
    if (!r) return;
    plb_block_reader_close(r->block_reader);
    atomic_fetch_sub_explicit(&r->counts->cached_bytes, r->cached_bytes, memory_order_relaxed);
    free(r->derived);
    for (uint32_t b = r->used; b; b = r->cache[b - 1].used_before) free(r->cache[b - 1].planes);
    free(r);
}

plb_reader *plb_lookup_take_reader(const plb_lookup *lookup) {
    for (int slot = 0; slot < READER_SLOTS; slot++) {
        if (!atomic_load_explicit(&lookup->idle[slot], memory_order_relaxed)) continue;
        plb_reader *r = atomic_exchange_explicit(&lookup->idle[slot], NULL, memory_order_acquire);
        if (r) r->skips_missing = lookup->skips_missing;
        if (r) return r;
    }
    size_t blocks = (size_t)lookup->sets * CACHE_WAYS;
    plb_reader *made = calloc(1, sizeof *made + blocks * sizeof *made->cache);
    if (!made || plb_block_reader_open(lookup->codec, &made->block_reader)) {
        free(made);
        return NULL;
    }
    made->counts = lookup->counts;
    made->skips_missing = lookup->skips_missing;
    return made;
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

void plb_lookup_trim(const plb_lookup *lookup) {
    for (int slot = 0; slot < READER_SLOTS; slot++)
        free_reader(atomic_exchange_explicit(&lookup->idle[slot], NULL, memory_order_acquire));
}

void plb_lookup_skip_missing(plb_lookup *lookup, bool skips_missing) {
    lookup->skips_missing = skips_missing;
}

void plb_lookup_find_usage(const plb_lookup *lookup, uint64_t *cached_bytes,
                           uint64_t *blocks_read) {
    *cached_bytes = atomic_load_explicit(&lookup->counts->cached_bytes, memory_order_relaxed);
    *blocks_read = atomic_load_explicit(&lookup->counts->blocks_read, memory_order_relaxed);
}

/* ---- opening ---- */

/* Check that the next segments of the store are exactly those of a ply. */
static int find_segments(plb_lookup *lookup, int ply, const plb_stored_segment **next,
                         const plb_stored_segment *end, plb_message *message) {
    const plb_block_layout *layout = &lookup->codec->layouts[ply];
    lookup->segments[ply] = *next;
    for (uint64_t s = 0; s < layout->segments; s++, ++*next) {
        uint64_t first = s * layout->blocks_per_segment;
        if (*next == end || (*next)->ply != ply || (*next)->first_block != first)
            return plb_fail(message, PLB_ECORRUPT,
                            "%s is damaged: at block %llu of ply %d its segments do not match its "
                            "game",
                            plb_store_path(lookup->store), (unsigned long long)first, ply);
    }
    return PLB_OK;
}

int plb_lookup_open(const plb_block_codec *codec, const plb_store *store, plb_lookup **lookup,
                    plb_message *message) {
    plb_lookup *made = calloc(1, sizeof *made);
    if (made) made->idle = calloc(READER_SLOTS, sizeof *made->idle);
    if (made) made->counts = calloc(1, sizeof *made->counts);
    if (!made || !made->idle || !made->counts) {
        plb_lookup_close(made);
        return plb_fail(message, PLB_ENOMEM, "out of memory");
    }
    made->codec = codec;
    made->store = store;
    made->block_words = plb_block_codec_max_words(codec);
    /* As many sets as fit in the memory of a reader, at least one: a block has at most
     * PLB_SEGMENT_ENTRIES entries. */
    uint64_t way = sizeof(cached_block) + made->block_words * sizeof(uint64_t) + ALLOCATION_BYTES;
    uint64_t others =
        sizeof(plb_reader) + plb_block_reader_bytes(codec) + DERIVED * sizeof(derived_outcome);
    uint64_t sets = (PLB_READER_BYTES - others) / (CACHE_WAYS * way);
    made->sets = (uint32_t)plb_min(sets, CACHE_SETS);
    uint64_t count;
    const plb_stored_segment *next = plb_store_segments(made->store, &count);
    const plb_stored_segment *end = count ? next + count : next; /* next may be NULL */
    int cells = made->codec->index->game->cells, error = PLB_OK;
    uint64_t blocks = 0;
    for (int ply = 0; ply <= cells && !error; ply++) {
        blocks += codec->layouts[ply].segments * codec->layouts[ply].blocks_per_segment;
        error = find_segments(made, ply, &next, end, message);
    }
    made->fits_cache = blocks <= (uint64_t)made->sets * CACHE_WAYS;
    if (!error && next != end)
        error =
            plb_fail(message, PLB_ECORRUPT, "%s is damaged: it has a segment too many, of ply %d",
                     plb_store_path(made->store), next->ply);
    return PLB_HAND_OVER(error, made, lookup, plb_lookup_close);
}

void plb_lookup_close(plb_lookup *lookup) {
    if (!lookup) return;
    for (int slot = 0; lookup->idle && slot < READER_SLOTS; slot++) free_reader(lookup->idle[slot]);
    free(lookup->idle);
    free(lookup->counts);
    free(lookup);
}

/* ---- reading ---- */

static int fail_block(const plb_lookup *lookup, plb_block_address at, plb_message *message) {
    return plb_fail(message, PLB_ECORRUPT, "%s is damaged: block %llu of ply %d is not as written",
                    plb_store_path(lookup->store), (unsigned long long)at.block, at.ply);
}

static int fail_memory(plb_message *message) {
    return plb_fail(message, PLB_ENOMEM, "out of memory for a block");
}

/* Read the bytes of a block to the buffer of the reader: first their place, then the bytes. */
static int fetch_block(const plb_lookup *lookup, plb_block_reader *block_reader,
                       plb_block_address at, size_t *size, plb_message *message) {
    const plb_block_layout *layout = &lookup->codec->layouts[at.ply];
    uint64_t number = at.block / layout->blocks_per_segment;
    const plb_stored_segment *stored = &lookup->segments[at.ply][number];
    size_t max_bytes = plb_segment_reader_max_bytes(lookup->block_words);
    uint8_t bytes[PLB_SEARCH_BYTES], *buffer = plb_block_reader_buffer(block_reader, max_bytes);
    plb_segment segment = {.size = stored->size, .blocks = plb_block_layout_blocks(layout, number)};
    plb_block_search search;
    if (!buffer) return fail_memory(message);
    bool fails = plb_segment_search(&segment, at.block % layout->blocks_per_segment, &search);
    for (; !fails && !search.is_found; fails = plb_segment_search_step(&search, bytes)) {
        int error = plb_store_read(lookup->store, stored, search.where.offset, bytes,
                                   (size_t)search.where.size, message);
        if (error) return error;
    }
    if (fails || search.where.size > max_bytes) return fail_block(lookup, at, message);
    *size = (size_t)search.where.size;
    return plb_store_read(lookup->store, stored, search.where.offset, buffer, *size, message);
}

static uint64_t hash_address(plb_block_address at) {
    return (at.block * 64 + at.ply) * 0x9E3779B97F4A7C15ULL >> 32;
}

static bool is_cached(const cached_block *cached, plb_block_address at) {
    return cached->plies == (uint32_t)at.ply + 1 && cached->number == at.block;
}

/* The way that has a block or, if it is not cached, the way to put it in. */
static cached_block *find_cached(const plb_lookup *lookup, plb_reader *r, plb_block_address at) {
    cached_block *set = &r->cache[(hash_address(at) * lookup->sets >> 32) * CACHE_WAYS];
    cached_block *empty = NULL;
    for (cached_block *way = set; way < set + CACHE_WAYS; way++) {
        if (is_cached(way, at)) return way;
        if (!way->plies) empty = way;
    }
    return empty ? empty : &set[r->next_evicted++ % CACHE_WAYS];
}

/* Load a block into the cache. The first time it is decoded only up to the wanted entry, which
 * takes half the time on average; if a later entry is wanted, it is decoded whole. */
static int load_block(const plb_lookup *lookup, plb_reader *r, plb_block_address at,
                      cached_block *cached, plb_message *message) {
    uint64_t entries = plb_block_layout_block_entries(&lookup->codec->layouts[at.ply], at.block);
    uint64_t until = is_cached(cached, at) ? entries : at.offset + 1;
    size_t size = 0;
    cached->plies = 0;
    if (!cached->planes) {
        uint64_t bytes = lookup->block_words * sizeof *cached->planes;
        cached->planes = malloc(plb_size(bytes));
        if (!cached->planes) return fail_memory(message);
        cached->used_before = r->used;
        r->used = (uint32_t)(cached - r->cache) + 1;
        r->cached_bytes += bytes;
        atomic_fetch_add_explicit(&lookup->counts->cached_bytes, bytes, memory_order_relaxed);
    }
    atomic_fetch_add_explicit(&lookup->counts->blocks_read, 1, memory_order_relaxed);
    int error = fetch_block(lookup, r->block_reader, at, &size, message);
    if (error) return error;
    if (plb_block_reader_unpack_until(r->block_reader, size, at.ply, at.block, until,
                                      cached->planes))
        return fail_block(lookup, at, message);
    cached->until = until;
    cached->plane_words = plb_segment_plane_words(entries);
    cached->plies = at.ply + 1;
    cached->number = at.block;
    return PLB_OK;
}

int plb_lookup_code(const plb_lookup *lookup, plb_reader *reader, plb_block_address at,
                    unsigned *code, plb_message *message) {
    cached_block *cached = find_cached(lookup, reader, at);
    if (!is_cached(cached, at) || at.offset >= cached->until) {
        int error = load_block(lookup, reader, at, cached, message);
        if (error && reader->skips_missing) *code = 0;
        if (error) return reader->skips_missing ? PLB_OK : error;
    }
    unsigned bits = 0;
    const uint64_t *word = cached->planes + at.offset / 64;
    for (int p = 0; p < lookup->codec->planes; p++, word += cached->plane_words)
        bits |= (unsigned)(*word >> at.offset % 64 & 1) << p;
    *code = bits;
    return PLB_OK;
}

bool plb_lookup_prefers_block(const plb_lookup *lookup, plb_reader *r, plb_block_address at) {
    if (lookup->fits_cache || is_cached(find_cached(lookup, r, at), at)) return true;
    wanted_block *wanted = &r->wanted[hash_address(at) % WANTED];
    if (wanted->plies != (uint32_t)at.ply + 1 || wanted->number != at.block)
        *wanted = (wanted_block){.plies = at.ply + 1, .number = at.block};
    if (wanted->questions < MIN_QUESTIONS) wanted->questions++;
    return wanted->questions == MIN_QUESTIONS;
}

/* ---- derived outcomes ---- */

static size_t slot_of(plb_position canonical) {
    return plb_position_hash(canonical).high % DERIVED;
}

bool plb_reader_recall(const plb_reader *r, plb_position canonical, plb_outcome *outcome) {
    const derived_outcome *d = r->derived ? &r->derived[slot_of(canonical)] : NULL;
    if (!d || !d->known || !plb_position_is_same(d->canonical, canonical)) return false;
    *outcome = d->outcome;
    return true;
}

void plb_reader_remember(plb_reader *r, plb_position canonical, plb_outcome outcome) {
    if (r->skips_missing) return;
    if (!r->derived) r->derived = calloc(DERIVED, sizeof *r->derived);
    if (r->derived) r->derived[slot_of(canonical)] = (derived_outcome){canonical, outcome, true};
}
