/* SPDX-License-Identifier: MIT
 *
 * A list of frontiers with a hash table of their numbers.
 */
#include "tables/count/frontier_table.h"

#include <stdlib.h>
#include <string.h>

#include "tables/bits.h"
#include "tables/vocabulary.h"

enum { LINE_BITS = 18, MOST_FRONTIER_WORDS = 12 };

_Static_assert(LINE_BITS + PLB_DIRECTIONS * (PLB_MOST_RUN + 1) * PLB_FRONTIER_ROWS <=
                   64 * MOST_FRONTIER_WORDS,
               "the biggest frontier fits");

/* ---- packing ---- */

static int words_of(const plb_frontier_table *l) {
    return (LINE_BITS + PLB_DIRECTIONS * l->k * (l->rows + 1) + 63) / 64;
}

/* The next bits of a frontier go to `at`, where all bits from there on are 0. */
static void put_bits(uint64_t *words, int *at, int count, uint64_t bits) {
    plb_write_bits(words, *at, count, bits);
    *at += count;
}

static uint32_t take_bits(const uint64_t *words, int *at, int count) {
    uint64_t bits = plb_read_bits(words, *at, count);
    *at += count;
    return (uint32_t)(bits & plb_low_bits(count));
}

/* words: zeros. */
static void pack(const plb_frontier_table *l, const plb_frontier *f, uint64_t *words) {
    const plb_marked_line *line = &f->line;
    int at = 0, rows = l->rows + 1;
    put_bits(words, &at, LINE_BITS,
             line->is_there | line->x << 1 | line->pending << 2 | line->direction << 3 |
                 line->marks << 5 | line->before << 7 | line->after << 10 | line->row << 13);
    for (int d = 0; d < PLB_DIRECTIONS; d++) put_bits(words, &at, rows, f->x[d]);
    for (int n = 0; n < l->k - 1; n++)
        for (int d = 0; d < PLB_DIRECTIONS; d++) put_bits(words, &at, rows, f->runs[d][n]);
}

void plb_frontier_table_get(const plb_frontier_table *list, uint32_t number,
                            plb_frontier *frontier) {
    const uint64_t *words = list->items + (size_t)number * words_of(list);
    int at = 0, rows = list->rows + 1;
    memset(frontier->runs, 0, sizeof frontier->runs);
    uint32_t bits = take_bits(words, &at, LINE_BITS);
    frontier->line = (plb_marked_line){.is_there = bits & 1,
                                       .x = bits >> 1 & 1,
                                       .pending = bits >> 2 & 1,
                                       .direction = bits >> 3 & 3,
                                       .marks = bits >> 5 & 3,
                                       .before = bits >> 7 & 7,
                                       .after = bits >> 10 & 7,
                                       .row = bits >> 13 & 31};
    for (int d = 0; d < PLB_DIRECTIONS; d++) frontier->x[d] = take_bits(words, &at, rows);
    for (int n = 0; n < list->k - 1; n++)
        for (int d = 0; d < PLB_DIRECTIONS; d++) frontier->runs[d][n] = take_bits(words, &at, rows);
}

/* ---- numbers ---- */

static bool is_same(const uint64_t *a, const uint64_t *b, int words) {
    for (int i = 0; i < words; i++)
        if (a[i] != b[i]) return false;
    return true;
}

/* The slot where to look for a frontier first. */
static uint32_t *first_slot(const plb_frontier_table *l, const uint64_t *words) {
    uint64_t hash = 0;
    for (int i = 0, count = words_of(l); i < count; i++)
        hash = (hash ^ words[i]) * 0x9E3779B97F4A7C15ULL, hash ^= hash >> 29;
    return &l->slots[hash & (l->slot_count - 1)];
}

/* The slot, from the first one on, that has a frontier or none. */
static uint32_t *find_slot(const plb_frontier_table *l, uint32_t *slot, const uint64_t *words) {
    int count = words_of(l);
    for (;; slot++) {
        if (slot == l->slots + l->slot_count) slot = l->slots;
        if (!*slot) return slot;
        if (is_same(l->items + (size_t)(*slot - 1) * count, words, count)) return slot;
    }
}

/* Room for so many more, at most PLB_FOUND_TOGETHER. */
static int grow_list(plb_frontier_table *l, uint32_t more) {
    size_t words = words_of(l);
    if (l->count + more > l->capacity) {
        uint32_t capacity = l->capacity + l->capacity / 2 + PLB_FOUND_TOGETHER;
        uint64_t *items = realloc(l->items, capacity * words * sizeof *items);
        if (!items) return PLB_ENOMEM;
        l->items = items, l->capacity = capacity;
    }
    if (3 * (uint64_t)(l->count + more) <= 2 * (uint64_t)l->slot_count) return PLB_OK;
    uint32_t count = l->slot_count ? (l->count < 50000 ? 4 : 2) * l->slot_count : 64;
    uint32_t *slots = calloc(count, sizeof *slots);
    if (!slots) return PLB_ENOMEM;
    free(l->slots);
    l->slots = slots, l->slot_count = count;
    for (uint32_t i = 0; i < l->count; i++) {
        const uint64_t *item = l->items + i * words;
        *find_slot(l, first_slot(l, item), item) = i + 1;
    }
    return PLB_OK;
}

int plb_frontier_table_find(plb_frontier_table *list, const plb_frontier *frontier,
                            uint32_t *number) {
    return plb_frontier_table_find_several(list, frontier, 1, number);
}

/* Slots and frontiers are in memory here and there: all are prefetched before any is used. */
int plb_frontier_table_find_several(plb_frontier_table *list, const plb_frontier *frontiers,
                                    int count, uint32_t *numbers) {
    uint64_t words[PLB_FOUND_TOGETHER][MOST_FRONTIER_WORDS];
    uint32_t *slots[PLB_FOUND_TOGETHER];
    int size = words_of(list);
    if (grow_list(list, count)) return PLB_ENOMEM;
    for (int f = 0; f < count; f++) {
        memset(words[f], 0, size * sizeof *words[f]);
        pack(list, &frontiers[f], words[f]);
        slots[f] = first_slot(list, words[f]);
        __builtin_prefetch(slots[f]);
    }
    for (int f = 0; f < count; f++)
        if (*slots[f]) __builtin_prefetch(list->items + (size_t)(*slots[f] - 1) * size);
    for (int f = 0; f < count; f++) {
        uint32_t *slot = find_slot(list, slots[f], words[f]);
        if (!*slot) {
            memcpy(list->items + (size_t)list->count * size, words[f], size * sizeof *words[f]);
            *slot = ++list->count;
        }
        numbers[f] = *slot - 1;
    }
    return PLB_OK;
}

void plb_frontier_table_clear(plb_frontier_table *list) {
    if (list->count) memset(list->slots, 0, list->slot_count * sizeof *list->slots);
    list->count = 0;
}

void plb_frontier_table_free(plb_frontier_table *list) {
    free(list->items);
    free(list->slots);
    *list = (plb_frontier_table){.rows = list->rows, .k = list->k};
}
