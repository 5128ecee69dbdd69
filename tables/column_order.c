/* SPDX-License-Identifier: MIT
 *
 * Taking stones back. Columns have an order exactly if there are none, or if x has as many stones
 * as o or one more and some column is left with an order when it loses its top stone. (That stone's
 * colour is right, since what is left has the right counts as well.) Whether a set of columns has
 * an order is remembered, and most that have none are recognised at once by their levels, as
 * tables/alternation.c describes: each column falls on its own as long as the others have seen
 * levels that keep the sum in reach of 0 and 1; and rises likewise.
 */
#include "tables/column_order.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <xxhash.h>

#include "tables/vocabulary.h"

enum {
    FIRST_SLOTS = 1 << 16,
    MOST_SLOTS = 1 << 28, /* 2 GiB at most */
    HUGE_PAGE = 2 << 20,
};

/* Columns that are not empty. */
typedef struct column_set {
    uint16_t columns[PLB_MOST_COLUMNS];
    int count, balance;
    uint64_t hash;
} column_set;

/* Free slots. They are looked up at random, so that on huge pages 4x9 takes three quarters of the
 * time. */
static uint64_t *make_slots(uint64_t count) {
    size_t bytes = count * sizeof(uint64_t);
    if (bytes < HUGE_PAGE) return calloc(count, sizeof(uint64_t));
    uint64_t *slots = aligned_alloc(HUGE_PAGE, bytes);
    if (!slots) return NULL;
    madvise(slots, bytes, MADV_HUGEPAGE);
    return memset(slots, 0, bytes);
}

int plb_column_order_begin(const plb_column_words *words, plb_column_order *order) {
    *order = (plb_column_order){.words = words, .slot_count = FIRST_SLOTS};
    order->marks = calloc(words->count, sizeof *order->marks);
    order->slots = make_slots(FIRST_SLOTS);
    if (!order->marks || !order->slots) {
        plb_column_order_end(order);
        return PLB_ENOMEM;
    }
    for (int w = 1; w < words->count; w++) order->marks[w] = XXH3_64bits(&w, sizeof w);
    return PLB_OK;
}

void plb_column_order_end(plb_column_order *order) {
    free(order->marks);
    free(order->slots);
    *order = (plb_column_order){.slot_count = 0};
}

/* ---- memory ---- */

/* The slot of a hash, or the free one where it belongs. */
static uint64_t *find_slot(const plb_column_order *o, uint64_t hash) {
    uint64_t slot = hash >> 8;
    while (o->slots[slot & (o->slot_count - 1)] &&
           (o->slots[slot & (o->slot_count - 1)] ^ hash) > 1)
        slot++;
    return &o->slots[slot & (o->slot_count - 1)];
}

/* Make room; where there is none, begin afresh: what is forgotten is found again. */
static void make_room(plb_column_order *o) {
    uint64_t *old = o->slots, count = o->slot_count;
    uint64_t *grown = count < MOST_SLOTS ? make_slots(4 * count) : NULL;
    o->filled = 0;
    if (!grown) {
        memset(old, 0, count * sizeof *old);
        return;
    }
    o->slots = grown;
    o->slot_count = 4 * count;
    for (uint64_t i = 0; i < count; i++)
        if (old[i]) *find_slot(o, old[i] & ~1ULL) = old[i], o->filled++;
    free(old);
}

/* hash is even and not 0. */
static void remember(plb_column_order *o, uint64_t hash, bool exists) {
    if (2 * (o->filled + 1) > o->slot_count) make_room(o);
    *find_slot(o, hash) = hash | exists;
    o->filled++;
}

/* ---- the bound by levels ---- */

static int level_at(const plb_column_word *w, int height) {
    return 2 * __builtin_popcount(w->x & ((1U << height) - 1)) - height;
}

/* May columns come to their tops from the bottom, or to the bottom from their tops, as far as
 * levels show? */
static bool levels_allow(const plb_column_order *o, const column_set *set, bool up) {
    int at[PLB_MOST_COLUMNS], lowest[PLB_MOST_COLUMNS], highest[PLB_MOST_COLUMNS];
    int low = up ? 0 : set->balance, high = low;
    for (int i = 0; i < set->count; i++) {
        const plb_column_word *w = &o->words->items[set->columns[i]];
        at[i] = up ? 0 : w->stones;
        lowest[i] = highest[i] = up ? 0 : w->balance;
    }
    bool moved = true, arrived = false;
    while (moved && !arrived) {
        moved = false, arrived = true;
        for (int i = 0; i < set->count; i++) {
            const plb_column_word *w = &o->words->items[set->columns[i]];
            int end = up ? w->stones : 0, others_low = low - lowest[i];
            int others_high = high - highest[i];
            while (at[i] != end) {
                int level = level_at(w, up ? at[i] + 1 : at[i] - 1);
                if (others_high + level < 0 || others_low + level > 1) break;
                at[i] += up ? 1 : -1;
                moved = true;
                if (level < lowest[i]) lowest[i] = level;
                if (level > highest[i]) highest[i] = level;
            }
            low = others_low + lowest[i], high = others_high + highest[i];
            arrived &= at[i] == end;
        }
    }
    return arrived;
}

/* ---- the search ---- */

static bool search(plb_column_order *o, const column_set *set);

/* The set without the top stone of a column. */
static column_set take_top(const plb_column_order *o, const column_set *set, int i) {
    column_set left = *set;
    int word = set->columns[i], below = o->words->items[word].below;
    left.hash += o->marks[below] - o->marks[word];
    left.balance -= plb_column_word_x_on_top(&o->words->items[word]) ? 1 : -1;
    left.columns[i] = (uint16_t)below;
    if (below == 0) left.columns[i] = left.columns[--left.count];
    return left;
}

/* Is the word of a column also that of one before? */
static bool is_repeated(const column_set *set, int i) {
    for (int j = 0; j < i; j++)
        if (set->columns[j] == set->columns[i]) return true;
    return false;
}

static bool search_below(plb_column_order *o, const column_set *set) {
    bool x_last = set->balance == 1;
    for (int i = 0; i < set->count; i++) {
        if (plb_column_word_x_on_top(&o->words->items[set->columns[i]]) != x_last) continue;
        if (is_repeated(set, i)) continue;
        column_set left = take_top(o, set, i);
        if (search(o, &left)) return true;
    }
    return false;
}

static bool search(plb_column_order *o, const column_set *set) {
    if (set->count == 0) return true;
    uint64_t hash = (set->hash << 1) ? set->hash << 1 : 2, known = *find_slot(o, hash);
    if (known) return known & 1;
    bool exists = levels_allow(o, set, false) && levels_allow(o, set, true) && search_below(o, set);
    remember(o, hash, exists);
    return exists;
}

bool plb_column_order_exists(plb_column_order *order, const uint16_t *columns, int count) {
    column_set set = {.count = 0};
    for (int i = 0; i < count; i++) {
        if (columns[i] == 0) continue;
        set.columns[set.count++] = columns[i];
        set.balance += order->words->items[columns[i]].balance;
        set.hash += order->marks[columns[i]];
    }
    return (set.balance == 0 || set.balance == 1) && search(order, &set);
}
