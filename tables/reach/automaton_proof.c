/* SPDX-License-Identifier: MIT
 *
 * The enumeration behind the proof. Of the states that columns with one top stone less can have led
 * to only the greatest are kept: a state that accepts whatever another one accepts makes that other
 * needless.
 */
#include "tables/reach/automaton_proof.h"

#include <stdlib.h>
#include <string.h>

#include "tables/array.h"
#include "tables/stop.h"
#include "tables/vocabulary.h"

enum { MOST_LOWER = 256 }; /* greatest states of one situation */

/* ---- situations ---- */

/* After some columns: the state that they lead to; those they lead to with one top stone less; x
 * less o; and were all of them empty? */
typedef struct situation {
    uint16_t state;
    int16_t balance;
    uint16_t lower_count;
    bool empty;
    size_t lower; /* where they begin in the pool, ascending */
} situation;

typedef struct situations {
    situation *items;
    uint32_t count, capacity, slot_count;
    uint32_t *slots; /* [slot_count] number of a situation + 1, or 0 */
    uint16_t *pool;
    size_t used, pool_capacity;
} situations;

typedef struct prover {
    const plb_column_automaton *a;
    plb_state_inclusion *inclusions; /* [width + 1] */
    situations *layers;              /* [width + 1] */
} prover;

static bool is_same(const situations *in, const situation *a, const situation *b,
                    const uint16_t *lower) {
    return a->state == b->state && a->balance == b->balance && a->empty == b->empty &&
           a->lower_count == b->lower_count &&
           (!b->lower_count ||
            memcmp(in->pool + a->lower, lower, b->lower_count * sizeof *lower) == 0);
}

static uint32_t *find_slot(const situations *in, const situation *s, const uint16_t *lower) {
    uint64_t hash = ((uint64_t)s->state << 17 | (uint16_t)s->balance << 1 | s->empty) + 1;
    for (int i = 0; i < s->lower_count; i++) hash = (hash ^ lower[i]) * 0x9E3779B97F4A7C15ULL;
    hash *= 0xC2B2AE3D27D4EB4FULL;
    uint64_t slot = hash ^ hash >> 29;
    for (;; slot++) {
        uint32_t *at = &in->slots[slot & (in->slot_count - 1)];
        if (!*at || is_same(in, &in->items[*at - 1], s, lower)) return at;
    }
}

static int grow_slots(situations *in) {
    uint32_t count = in->slot_count ? 4 * in->slot_count : 1024;
    uint32_t *slots = calloc(count, sizeof *slots);
    if (!slots) return PLB_ENOMEM;
    free(in->slots);
    in->slots = slots;
    in->slot_count = count;
    for (uint32_t i = 0; i < in->count; i++)
        *find_slot(in, &in->items[i], in->pool + in->items[i].lower) = i + 1;
    return PLB_OK;
}

static int add_situation(situations *in, situation s, const uint16_t *lower) {
    if (!PLB_ARRAY_EXTEND(in->items, in->count, in->capacity)) return PLB_ENOMEM;
    if (in->used + MOST_LOWER > in->pool_capacity) {
        size_t capacity = 2 * in->pool_capacity + MOST_LOWER;
        if (!PLB_ARRAY_RESIZE(in->pool, capacity)) return PLB_ENOMEM;
        in->pool_capacity = capacity;
    }
    int error = 2 * (in->count + 1) > in->slot_count ? grow_slots(in) : PLB_OK;
    if (error) return error;
    uint32_t *slot = find_slot(in, &s, lower);
    if (*slot) return PLB_OK;
    s.lower = in->used;
    if (s.lower_count) memcpy(in->pool + in->used, lower, s.lower_count * sizeof *lower);
    in->used += s.lower_count;
    in->items[in->count++] = s;
    *slot = in->count;
    return PLB_OK;
}

/* ---- one column more ---- */

/* Add a state to the greatest ones, which stay ascending. */
static int add_lower(const plb_state_inclusion *in, uint16_t lower[MOST_LOWER], int count,
                     int state) {
    if (state == PLB_DEAD_COLUMNS) return count;
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (plb_state_includes(in, state, lower[i])) return count;
    for (int i = 0; i < count; i++)
        if (!plb_state_includes(in, lower[i], state)) lower[kept++] = lower[i];
    int at = kept;
    for (; at > 0 && lower[at - 1] > state; at--) lower[at] = lower[at - 1];
    lower[at] = (uint16_t)state;
    return kept + 1;
}

/* Counts of states are bounded by MOST_LOWER, since more are an error. */
static int read_column(prover *p, int layer, uint32_t number, int word) {
    const plb_column_automaton *a = p->a;
    const situation *from = &p->layers[layer].items[number];
    const uint16_t *old = p->layers[layer].pool + from->lower;
    const plb_state_inclusion *in = &p->inclusions[layer + 1];
    uint16_t lower[MOST_LOWER];
    int count = 0;
    if (from->lower_count + 1 >= MOST_LOWER) return PLB_ETOOBIG;
    for (int i = 0; i < from->lower_count; i++)
        count = add_lower(in, lower, count, plb_column_next(a, layer, old[i], word));
    if (word)
        count = add_lower(in, lower, count,
                          plb_column_next(a, layer, from->state, a->words.items[word].below));
    situation s = {.state = (uint16_t)plb_column_next(a, layer, from->state, word),
                   .balance = (int16_t)(from->balance + a->words.items[word].balance),
                   .lower_count = (uint16_t)count,
                   .empty = from->empty && word == 0};
    if (s.state == PLB_DEAD_COLUMNS && count == 0) return PLB_OK;
    return add_situation(&p->layers[layer + 1], s, lower);
}

/* ---- the whole ---- */

/* Does the last layer accept what has an order, and nothing else? */
static bool is_right(const prover *p) {
    const situations *last = &p->layers[p->a->width];
    for (uint32_t i = 0; i < last->count; i++) {
        const situation *s = &last->items[i];
        bool is_balanced = s->balance == 0 || s->balance == 1;
        bool has_order = s->empty || (is_balanced && s->lower_count > 0);
        if (has_order != (s->state == p->a->accepting)) return false;
    }
    return true;
}

int plb_automaton_proof_check(const plb_column_automaton *automaton,
                              const volatile sig_atomic_t *stop) {
    int width = automaton->width;
    const situation first = {.state = automaton->first, .empty = true};
    prover p = {.a = automaton,
                .inclusions = calloc(width + 1, sizeof *p.inclusions),
                .layers = calloc(width + 1, sizeof *p.layers)};
    int error = p.inclusions && p.layers ? PLB_OK : PLB_ENOMEM;
    if (!error) error = plb_state_inclusions_make(automaton, stop, p.inclusions);
    if (!error) error = add_situation(&p.layers[0], first, NULL);
    for (int layer = 0; layer < width && !error; layer++)
        for (uint32_t i = 0; i < p.layers[layer].count && !error; i++) {
            if (plb_is_stopped(stop)) error = PLB_EINTERRUPTED;
            for (int word = 0; word < automaton->words.count && !error; word++)
                error = read_column(&p, layer, i, word);
        }
    if (!error && !is_right(&p)) error = PLB_ECORRUPT;
    for (int layer = 0; p.layers && layer <= width; layer++) {
        free(p.layers[layer].items);
        free(p.layers[layer].slots);
        free(p.layers[layer].pool);
    }
    plb_state_inclusions_free(automaton, p.inclusions);
    free(p.layers);
    return error;
}
