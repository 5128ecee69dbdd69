/* SPDX-License-Identifier: MIT
 *
 * Masks of reachable colourings, by recursion over the unread columns.
 */
#include "builder/planes/reach_masks.h"

#include <stdlib.h>
#include <string.h>

#include "tables/array.h"

/* The state after reading a column. x: the colours of its stones in the lowest bits. */
static int read_column(const plb_column_automaton *columns, int slot, int state, uint64_t x,
                       int stones) {
    int word = plb_column_words_find(&columns->words, x & plb_low_bits(stones), stones);
    if (word == PLB_NO_WORD) return PLB_DEAD_COLUMNS;
    return plb_column_next(columns, columns->width - 1 - slot, state, word);
}

/* ---- levels and caches ---- */

enum {
    LEVEL_PLACES = 1 << 12,
    MAX_LEVELS = LEVEL_PLACES / 2,
    MASK_WORDS = PLB_BLOCK_WORDS + 1,
    RECENT_BITS = 10, /* log2 of the entries for recent masks: more cost more than they save */
    FIRST_WORD = 1,   /* offset of the first mask; 0 means that a mask was not made */
};

/* The unread columns of a block, after the others were read. In the highest of them, high stones
 * may be above low ones. */
typedef struct unread {
    uint64_t cells;  /* occupied cells of these columns */
    int slot;        /* highest of the columns; -1: none is left */
    int state;       /* state after the columns that were read */
    int ones;        /* number of ones among the low stones */
    int high;        /* number of high stones */
    uint64_t high_x; /* colours of the high stones */
} unread;

/* An entry of the cache of recent masks; empty if of.cells is 0. */
typedef struct plb_recent_mask {
    unread of;
    uint64_t mask[MASK_WORDS];
} plb_recent_mask;

/* Discard all levels and their masks. */
static void discard(plb_reach_masks *masks) {
    for (size_t i = 0; i < masks->level_count; i++) free(masks->levels[i].mask);
    if (masks->places) memset(masks->places, 0, LEVEL_PLACES * sizeof *masks->places);
    masks->level_count = masks->bytes = 0;
    masks->word_count = FIRST_WORD;
}

void plb_reach_masks_free(plb_reach_masks *masks) {
    discard(masks);
    free(masks->levels);
    free(masks->places);
    free(masks->words);
    free(masks->recent);
    *masks = (plb_reach_masks){.columns = masks->columns, .max_bytes = masks->max_bytes};
}

/* Find the level of a set of columns, or make it. */
static int find_level(plb_reach_masks *masks, uint64_t cells, int slot,
                      const plb_mask_level **level) {
    uint64_t mixed = (cells + (uint64_t)slot) * 0x9E3779B97F4A7C15ULL;
    size_t at = mixed >> 40;
    for (; masks->places[at % LEVEL_PLACES]; at++) {
        *level = &masks->levels[masks->places[at % LEVEL_PLACES] - 1];
        if ((*level)->cells == cells && (*level)->slot == slot) return PLB_OK;
    }
    const plb_column_automaton *automaton = masks->columns;
    plb_mask_level made = {.cells = cells, .slot = slot, .stones = plb_popcount(cells)};
    size_t capacity =
        (size_t)automaton->layers[automaton->width - 1 - slot].states * (made.stones + 1);
    made.mask = calloc(capacity, sizeof *made.mask);
    if (!made.mask) return PLB_ENOMEM;
    masks->bytes += capacity * sizeof *made.mask;
    *level = &masks->levels[masks->level_count];
    masks->levels[masks->level_count++] = made;
    masks->places[at % LEVEL_PLACES] = (uint16_t)masks->level_count;
    return PLB_OK;
}

/* ---- making masks ---- */

static int find_mask(plb_reach_masks *masks, const plb_mask_level *level, int state, int ones,
                     uint32_t *at);

/* Make the mask of unread columns: concatenate those of all fillings of the highest column. */
static int make_mask(plb_reach_masks *masks, const unread *u, uint64_t mask[MASK_WORDS]) {
    const plb_column_automaton *columns = masks->columns;
    if (u->slot < 0) {
        mask[0] = u->state == columns->accepting;
        return PLB_OK;
    }
    uint64_t cells = u->cells & plb_low_bits(u->slot * columns->words.height), at = 0;
    int left = plb_popcount(cells), stones = plb_popcount(u->cells) - left;
    int low = stones - u->high;
    const plb_mask_level *next;
    int error = find_level(masks, cells, u->slot - 1, &next);
    for (uint64_t x = 0; x < 1ULL << low && !error; x++) {
        int ones = u->ones - plb_popcount(x);
        uint64_t count = plb_masks_block_bits(left, ones);
        if (count == 0) continue;
        int state = read_column(columns, u->slot, u->state, x | u->high_x << low, stones);
        uint32_t begin = 0;
        if (state != PLB_DEAD_COLUMNS) error = find_mask(masks, next, state, ones, &begin);
        if (begin) {
            /* Append bits at bit `at`; the mask is 0 from there on. */
            const uint64_t *bits = masks->words + begin;
            uint64_t *to = mask + at / 64;
            for (uint64_t i = 0; i < plb_divide_up(count, 64); i++) {
                to[i] |= bits[i] << at % 64;
                if (at % 64) to[i + 1] |= bits[i] >> (64 - at % 64);
            }
        }
        at += count;
    }
    return error;
}

static int find_mask(plb_reach_masks *masks, const plb_mask_level *level, int state, int ones,
                     uint32_t *at) {
    uint32_t *known = &level->mask[state * (level->stones + 1) + ones];
    *at = *known;
    if (*known) return PLB_OK;
    unread u = {.cells = level->cells, .slot = level->slot, .state = state, .ones = ones};
    uint64_t mask[MASK_WORDS] = {0};
    int error = make_mask(masks, &u, mask);
    if (error) return error;
    size_t words = plb_masks_block_words(level->stones, ones);
    if (masks->word_count + words > masks->word_capacity) {
        size_t capacity = 2 * (masks->word_capacity + words);
        if (!PLB_ARRAY_RESIZE(masks->words, capacity)) return PLB_ENOMEM;
        masks->word_capacity = capacity;
    }
    *at = *known = (uint32_t)masks->word_count;
    memcpy(masks->words + *at, mask, words * sizeof *mask);
    masks->word_count += words;
    masks->bytes += words * sizeof *mask;
    return PLB_OK;
}

/* Read the columns of a block that have no low stone. Returns the unread rest. */
static unread read_block(const plb_column_automaton *columns, const plb_slab *slab, size_t block,
                         plb_high_columns *h) {
    if (h->occupied != slab->occupied) {
        /* A new slab: find its columns without low stones. */
        int height = columns->words.height, above = slab->stones;
        *h = (plb_high_columns){.occupied = slab->occupied,
                                .hi = UINT64_MAX, /* no block has it: all columns are read */
                                .unread = slab->occupied,
                                .slot = columns->width - 1};
        h->state[0] = (uint16_t)columns->first;
        for (; h->slot >= 0; h->slot--) {
            uint64_t left = h->unread & plb_low_bits(h->slot * height);
            int below = plb_popcount(left);
            if (below < slab->low) break;
            h->below[h->count] = (uint8_t)(below - slab->low);
            h->stones[h->count++] = (uint8_t)(above - below);
            h->unread = left;
            above = below;
        }
    }
    /* Read the columns from the first one on that differs from the last block. */
    uint64_t hi = slab->hi[block];
    uint64_t differ = h->hi ^ hi;
    int c = 0;
    while (c < h->count && !(differ >> h->below[c])) c++;
    for (; c < h->count; c++)
        h->state[c + 1] = (uint16_t)read_column(columns, columns->width - 1 - c, h->state[c],
                                                hi >> h->below[c], h->stones[c]);
    h->hi = hi;
    int high = plb_popcount(h->unread) - slab->low;
    return (unread){.cells = h->unread,
                    .slot = h->slot,
                    .state = h->state[h->count],
                    .ones = plb_slab_low_ones(slab, block),
                    .high = high,
                    .high_x = h->hi & plb_low_bits(high)};
}

/* The mask of a block in which a column is divided: half of them are found in the cache. */
static int find_recent(plb_reach_masks *masks, const unread *u, const uint64_t **mask) {
    uint64_t mixed = u->cells + (uint64_t)u->state * 64 + (uint64_t)u->ones + (u->high_x << 48);
    plb_recent_mask *recent = &masks->recent[mixed * 0x9E3779B97F4A7C15ULL >> (64 - RECENT_BITS)];
    *mask = recent->mask;
    const unread *of = &recent->of;
    if (of->cells == u->cells && of->state == u->state && of->ones == u->ones &&
        of->high == u->high && of->high_x == u->high_x)
        return PLB_OK;
    memset(recent, 0, sizeof *recent);
    int error = make_mask(masks, u, recent->mask);
    if (!error) recent->of = *u;
    return error;
}

int plb_reach_masks_keep(plb_reach_masks *masks, const plb_slab *slab, size_t block,
                         uint64_t *block_words) {
    static const uint64_t nothing[MASK_WORDS];
    const uint64_t *mask = nothing;
    const plb_mask_level *level;
    uint32_t at = 0;
    int error = PLB_OK;
    if (!masks->recent) {
        if (!masks->places) masks->places = calloc(LEVEL_PLACES, sizeof *masks->places);
        if (!masks->levels) masks->levels = calloc(MAX_LEVELS, sizeof *masks->levels);
        masks->recent = calloc(1 << RECENT_BITS, sizeof *masks->recent);
        if (!masks->places || !masks->levels || !masks->recent) return PLB_ENOMEM;
        masks->word_count = FIRST_WORD;
        masks->high.occupied = UINT64_MAX;
    }
    if (masks->bytes > masks->max_bytes || masks->level_count > MAX_LEVELS / 2) discard(masks);
    unread u = read_block(masks->columns, slab, block, &masks->high);
    if (u.state != PLB_DEAD_COLUMNS && u.high == 0) {
        error = find_level(masks, u.cells, u.slot, &level);
        if (!error) error = find_mask(masks, level, u.state, u.ones, &at);
        mask = masks->words + at;
    } else if (u.state != PLB_DEAD_COLUMNS) {
        error = find_recent(masks, &u, &mask);
    }
    for (uint64_t i = 0; i < slab->start[block + 1] - slab->start[block] && !error; i++)
        block_words[i] &= mask[i];
    return error;
}
