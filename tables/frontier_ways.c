/* SPDX-License-Identifier: MIT
 *
 * Numbers of ways. They are summed for one owner at a time, in an array with room for every state,
 * of which only what was touched is read and cleared again.
 */
#include "tables/frontier_ways.h"

#include <stdlib.h>
#include <string.h>

#include "tables/vocabulary.h"

__extension__ typedef unsigned __int128 wide;

/* ---- frontiers ---- */

static uint32_t *find_slot(const plb_frontier_list *l, const plb_frontier *f) {
    uint64_t hash = 0, words[sizeof *f / sizeof(uint64_t)];
    _Static_assert(sizeof *f % sizeof(uint64_t) == 0, "a frontier is whole words");
    memcpy(words, f, sizeof *f);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        hash = (hash ^ words[i]) * 0x9E3779B97F4A7C15ULL, hash ^= hash >> 29;
    for (;; hash++) {
        uint32_t *slot = &l->slots[hash & (l->slot_count - 1)];
        if (!*slot || memcmp(&l->items[*slot - 1], f, sizeof *f) == 0) return slot;
    }
}

static int grow_list(plb_frontier_list *l) {
    if (l->count == l->room) {
        uint32_t room = 2 * l->room + 16;
        plb_frontier *items = realloc(l->items, room * sizeof *items);
        if (!items) return PLB_ENOMEM;
        l->items = items, l->room = room;
    }
    if (2 * (l->count + 1) <= l->slot_count) return PLB_OK;
    uint32_t count = l->slot_count ? 4 * l->slot_count : 64;
    uint32_t *slots = calloc(count, sizeof *slots);
    if (!slots) return PLB_ENOMEM;
    free(l->slots);
    l->slots = slots, l->slot_count = count;
    for (uint32_t i = 0; i < l->count; i++) *find_slot(l, &l->items[i]) = i + 1;
    return PLB_OK;
}

int plb_frontier_list_find(plb_frontier_list *list, const plb_frontier *frontier,
                           uint32_t *number) {
    if (grow_list(list)) return PLB_ENOMEM;
    uint32_t *slot = find_slot(list, frontier);
    if (!*slot) {
        list->items[list->count++] = *frontier;
        *slot = list->count;
    }
    *number = *slot - 1;
    return PLB_OK;
}

void plb_frontier_list_free(plb_frontier_list *list) {
    free(list->items);
    free(list->slots);
    *list = (plb_frontier_list){.count = 0};
}

/* ---- room ---- */

void plb_ways_free(plb_ways *ways) {
    free(ways->runs);
    free(ways->values);
    free(ways->runs_end);
    free(ways->values_end);
    *ways = (plb_ways){.limbs = ways->limbs};
}

/* Room for one owner more, with so many runs and words of values, and never none: they have
 * addresses also while there are none of them. */
static int make_room(plb_ways *w, size_t runs, size_t values) {
    if (w->owners == w->owner_room) {
        uint32_t room = 2 * w->owner_room + 16;
        size_t *grown = realloc(w->runs_end, room * sizeof *grown);
        if (!grown) return PLB_ENOMEM;
        w->runs_end = grown;
        grown = realloc(w->values_end, room * sizeof *grown);
        if (!grown) return PLB_ENOMEM;
        w->values_end = grown, w->owner_room = room;
    }
    if (w->run_count + runs >= w->run_room) {
        size_t room = w->run_room + w->run_room / 2 + runs + 16;
        plb_way_run *grown = realloc(w->runs, room * sizeof *grown);
        if (!grown) return PLB_ENOMEM;
        w->runs = grown, w->run_room = room;
    }
    if (w->value_count + values >= w->value_room) {
        size_t room = w->value_room + w->value_room / 2 + values + 64;
        uint64_t *grown = realloc(w->values, room * sizeof *grown);
        if (!grown) return PLB_ENOMEM;
        w->values = grown, w->value_room = room;
    }
    return PLB_OK;
}

static void end_owner(plb_ways *w) {
    w->runs_end[w->owners] = w->run_count;
    w->values_end[w->owners++] = w->value_count;
}

static int make_states_room(plb_way_sums *s, uint32_t state) {
    if (state < s->state_room) return PLB_OK;
    uint32_t room = 2 * state + 256;
    size_t row = (size_t)s->stride * s->limbs;
    uint64_t *sums = realloc(s->sums, room * row * sizeof *sums);
    if (!sums) return PLB_ENOMEM;
    s->sums = sums;
    uint16_t(*spans)[2] = realloc(s->spans, room * sizeof *spans);
    if (!spans) return PLB_ENOMEM;
    s->spans = spans;
    uint32_t *touched = realloc(s->touched, room * sizeof *touched);
    if (!touched) return PLB_ENOMEM;
    s->touched = touched;
    memset(sums + s->state_room * row, 0, (room - s->state_room) * row * sizeof *sums);
    memset(spans + s->state_room, 0, (room - s->state_room) * sizeof *spans);
    s->state_room = room;
    return PLB_OK;
}

void plb_way_sums_free(plb_way_sums *sums) {
    free(sums->sums);
    free(sums->spans);
    free(sums->touched);
    *sums = (plb_way_sums){.limbs = sums->limbs, .stride = sums->stride};
}

/* ---- sums ---- */

/* Numbers of two words; memcpy, as they need not lie where wide ones would have to. */
static void add_wide(uint64_t *sums, const uint64_t *values, int count, bool negative) {
    for (int i = 0; i < 2 * count; i += 2) {
        wide sum, value;
        memcpy(&sum, sums + i, sizeof sum);
        memcpy(&value, values + i, sizeof value);
        sum = negative ? sum - value : sum + value;
        memcpy(sums + i, &sum, sizeof sum);
    }
}

int plb_way_sums_add(plb_way_sums *sums, uint32_t state, int first, int count,
                     const uint64_t *values, bool negative) {
    if (make_states_room(sums, state)) return PLB_ENOMEM;
    uint64_t *to = sums->sums + ((size_t)state * sums->stride + first) * sums->limbs;
    uint16_t *span = sums->spans[state];
    if (span[1] == 0) {
        sums->touched[sums->touched_count++] = state;
        span[0] = (uint16_t)first;
    }
    if (first < span[0]) span[0] = (uint16_t)first;
    if (first + count > span[1]) span[1] = (uint16_t)(first + count);
    if (sums->limbs == 2)
        add_wide(to, values, count, negative);
    else if (negative)
        for (int i = 0; i < count; i++) to[i] -= values[i];
    else
        for (int i = 0; i < count; i++) to[i] += values[i];
    return PLB_OK;
}

int plb_way_sums_add_owner(plb_way_sums *sums, const plb_ways *ways, uint32_t owner) {
    const uint64_t *values = plb_ways_values(ways, owner);
    int error = PLB_OK;
    for (size_t r = plb_ways_runs_begin(ways, owner); r < ways->runs_end[owner] && !error; r++) {
        const plb_way_run *run = &ways->runs[r];
        error = plb_way_sums_add(sums, run->state, run->first, run->count, values, false);
        values += (size_t)run->count * ways->limbs;
    }
    return error;
}

static bool is_zero(const uint64_t *value, int limbs) {
    return !value[0] && (limbs == 1 || !value[1]);
}

/* What is not 0 of the sums of one state. */
static void take_run(plb_way_sums *s, uint32_t state, plb_ways *to) {
    int first = s->spans[state][0], end = s->spans[state][1], limbs = s->limbs;
    uint64_t *sums = s->sums + (size_t)state * s->stride * limbs;
    s->spans[state][0] = s->spans[state][1] = 0;
    while (first < end && is_zero(sums + (size_t)first * limbs, limbs)) first++;
    while (end > first && is_zero(sums + (size_t)(end - 1) * limbs, limbs)) end--;
    if (first == end) return;
    to->runs[to->run_count++] = (plb_way_run){state, (uint16_t)first, (uint16_t)(end - first)};
    for (int i = first * limbs; i < end * limbs; i++) {
        to->values[to->value_count++] = sums[i];
        sums[i] = 0;
    }
}

int plb_way_sums_take(plb_way_sums *sums, plb_ways *ways) {
    size_t values = (size_t)sums->touched_count * sums->stride * sums->limbs;
    if (make_room(ways, sums->touched_count, values)) return PLB_ENOMEM;
    for (uint32_t t = 0; t < sums->touched_count; t++) take_run(sums, sums->touched[t], ways);
    sums->touched_count = 0;
    end_owner(ways);
    return PLB_OK;
}

/* ---- gathering ---- */

/* Owners by the place that they go to, those of place p up to end[p]. Counting sort. */
static int sort_owners(const plb_ways *from, const int64_t *to, uint32_t count, uint32_t **end,
                       uint32_t **sorted) {
    uint32_t *at = *end = calloc((size_t)count + 1, sizeof *at);
    *sorted = calloc((size_t)from->owners + 1, sizeof **sorted);
    if (!at || !*sorted) return PLB_ENOMEM;
    for (uint32_t o = 0; o < from->owners; o++)
        if (to[o] != PLB_NOWHERE) at[to[o] + 1]++;
    for (uint32_t p = 0; p < count; p++) at[p + 1] += at[p];
    for (uint32_t o = 0; o < from->owners; o++)
        if (to[o] != PLB_NOWHERE) (*sorted)[at[to[o]]++] = o;
    return PLB_OK;
}

/* One owner as it is. */
static int copy_owner(const plb_ways *from, uint32_t owner, plb_ways *to) {
    size_t runs_begin = plb_ways_runs_begin(from, owner);
    size_t runs = from->runs_end[owner] - runs_begin;
    const uint64_t *values = plb_ways_values(from, owner);
    size_t words = from->values + from->values_end[owner] - values;
    if (make_room(to, runs, words)) return PLB_ENOMEM;
    if (runs) {
        memcpy(to->runs + to->run_count, from->runs + runs_begin, runs * sizeof *to->runs);
        memcpy(to->values + to->value_count, values, words * sizeof *values);
    }
    to->run_count += runs;
    to->value_count += words;
    end_owner(to);
    return PLB_OK;
}

int plb_ways_gather(const plb_ways *from, const int64_t *to, uint32_t count, plb_way_sums *sums,
                    plb_ways *made) {
    uint32_t *end = NULL, *sorted = NULL, at = 0;
    *made = (plb_ways){.limbs = from->limbs};
    int error = sort_owners(from, to, count, &end, &sorted);
    for (uint32_t place = 0; place < count && !error; place++) {
        if (end[place] - at == 1) {
            error = copy_owner(from, sorted[at++], made);
            continue;
        }
        for (; at < end[place] && !error; at++)
            error = plb_way_sums_add_owner(sums, from, sorted[at]);
        if (!error) error = plb_way_sums_take(sums, made);
    }
    free(end);
    free(sorted);
    return error;
}
