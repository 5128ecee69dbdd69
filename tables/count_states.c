/* SPDX-License-Identifier: MIT
 *
 * States of a count, each kept once.
 */
#include "tables/count_states.h"

#include <stdlib.h>
#include <string.h>

#include "tables/vocabulary.h"

/* ---- numbers ---- */

static uint32_t *find_slot(const plb_count_layer *l, const plb_count_state *s) {
    uint64_t hash = 0, words[sizeof *s / 4 + 1] = {0};
    memcpy(words, s, sizeof *s);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        hash = (hash ^ words[i]) * 0x9E3779B97F4A7C15ULL, hash ^= hash >> 29;
    for (;; hash++) {
        uint32_t *slot = &l->slots[hash & (l->slot_count - 1)];
        if (!*slot || memcmp(&l->items[*slot], s, sizeof *s) == 0) return slot;
    }
}

/* Arrows are remembered once there is room for them. */
static int grow_arrows(plb_count_layer *l, int words, uint32_t room) {
    for (int reading = 0; reading < PLB_READINGS; reading++) {
        uint32_t *known = l->next[reading];
        if (!known) continue;
        uint32_t *grown = calloc((size_t)words * room, sizeof *grown);
        if (!grown) return PLB_ENOMEM;
        for (size_t w = 0; w < (size_t)words; w++)
            memcpy(grown + w * room, known + w * l->room, l->room * sizeof *grown);
        free(known);
        l->next[reading] = grown;
    }
    return PLB_OK;
}

static int grow_items(plb_count_layer *l, int words) {
    uint32_t room = 2 * l->room + 64;
    plb_count_state *items = realloc(l->items, room * sizeof *items);
    if (!items) return PLB_ENOMEM;
    l->items = items;
    if (grow_arrows(l, words, room)) return PLB_ENOMEM;
    l->room = room;
    return PLB_OK;
}

static int grow_slots(plb_count_layer *l) {
    uint32_t count = l->slot_count ? 4 * l->slot_count : 1024;
    uint32_t *slots = calloc(count, sizeof *slots);
    if (!slots) return PLB_ENOMEM;
    free(l->slots);
    l->slots = slots;
    l->slot_count = count;
    for (uint32_t i = 1; i < l->count; i++) *find_slot(l, &l->items[i]) = i;
    return PLB_OK;
}

static int64_t number_state(plb_count_states *states, int layer, const plb_count_state *s) {
    plb_count_layer *l = &states->layers[layer];
    if (l->count == 0) l->count = 1; /* PLB_NO_STATE */
    if (l->count >= l->room && grow_items(l, states->automaton->words.count)) return PLB_ENOMEM;
    if (2 * (l->count + 1) > l->slot_count && grow_slots(l)) return PLB_ENOMEM;
    uint32_t *slot = find_slot(l, s);
    if (!*slot) {
        *slot = l->count;
        l->items[l->count++] = *s;
    }
    return *slot;
}

/* ---- what is known after a column ---- */

static int after(const plb_count_states *states, int layer, int state, int word) {
    return state == PLB_NO_COLUMNS ? PLB_NO_COLUMNS
                                   : plb_column_next(states->automaton, layer, state, word);
}

static bool is_odd(const plb_count_states *states, int word) {
    return states->automaton->words.items[word].stones % 2;
}

/* All of the states must accept: one that accepts whatever another one does is needless. */
static bool add_lost(const plb_column_inclusion *in, plb_count_state *s, int state) {
    int kept = 0;
    if (state == PLB_DEAD_COLUMNS) return false;
    for (int i = 0; i < s->count; i++)
        if (plb_column_includes(in, s->lost[i], state)) return true;
    for (int i = 0; i < s->count; i++)
        if (!plb_column_includes(in, state, s->lost[i])) s->lost[kept++] = s->lost[i];
    int at = kept;
    for (; at > 0 && s->lost[at - 1] > state; at--) s->lost[at] = s->lost[at - 1];
    s->lost[at] = (uint16_t)state;
    for (int i = kept + 1; i < s->count; i++) s->lost[i] = 0;
    s->count = (uint8_t)(kept + 1);
    return true;
}

/* The state after a column whose top stays; false if nothing completes it. */
static bool read_word(const plb_count_states *states, int layer, const plb_count_state *from,
                      int word, plb_count_state *to) {
    *to = (plb_count_state){
        .colour = from->colour, .odd = from->odd ^ is_odd(states, word), .settled = from->settled};
    to->whole = (uint16_t)after(states, layer, from->whole, word);
    for (int i = 0; i < from->count; i++)
        if (!add_lost(&states->inclusions[layer + 1], to,
                      after(states, layer, from->lost[i], word)))
            return false;
    return from->colour != PLB_UNMARKED || to->whole != PLB_DEAD_COLUMNS;
}

/* The same, with a mark on the column's top stone. */
static bool mark_word(const plb_count_states *states, int layer, const plb_count_state *from,
                      int word, plb_count_state *to) {
    const plb_column_word *w = &states->automaton->words.items[word];
    bool first = from->colour == PLB_UNMARKED;
    if (!read_word(states, layer, from, word, to) && !first) return false;
    to->colour = plb_column_word_x_on_top(w);
    to->odd ^= first;
    return add_lost(&states->inclusions[layer + 1], to,
                    after(states, layer, from->whole, w->below));
}

/* The same, with a mark on a stone above the column. */
static bool mark_above(const plb_count_states *states, int layer, const plb_count_state *from,
                       int word, bool x, plb_count_state *to) {
    if (!read_word(states, layer, from, word, to)) return false;
    to->colour = x;
    to->lost[to->count++] = to->whole;
    return true;
}

static bool read_as(const plb_count_states *states, int layer, const plb_count_state *from,
                    int word, plb_reading reading, plb_count_state *to) {
    bool is_live;
    if (reading == PLB_READ_MORE_O || reading == PLB_READ_MORE_X)
        is_live = mark_above(states, layer, from, word, reading == PLB_READ_MORE_X, to);
    else if (reading == PLB_READ_ALL || reading == PLB_READ_LAST)
        is_live = read_word(states, layer, from, word, to);
    else
        is_live = mark_word(states, layer, from, word, to);
    bool may_mark = reading == PLB_READ_ALL || reading == PLB_READ_MARKED;
    if (!may_mark && to->colour != PLB_UNMARKED) to->whole = PLB_NO_COLUMNS;
    return is_live;
}

/* ---- states ---- */

int64_t plb_count_states_first(plb_count_states *states) {
    plb_count_state s = {.colour = PLB_UNMARKED, .whole = states->automaton->first};
    return number_state(states, 0, &s);
}

/* Where the arrows of a layer are remembered, or NULL. */
static uint32_t *arrows_of(plb_count_states *states, int layer, plb_reading reading) {
    plb_count_layer *l = &states->layers[layer];
    uint32_t *arrows = __atomic_load_n(&l->next[reading], __ATOMIC_ACQUIRE);
    if (arrows) return arrows;
    pthread_mutex_lock(&states->lock);
    arrows = l->next[reading];
    if (!arrows) arrows = calloc((size_t)states->automaton->words.count * l->room, sizeof *arrows);
    __atomic_store_n(&l->next[reading], arrows, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&states->lock);
    return arrows;
}

int64_t plb_count_states_read(plb_count_states *states, int layer, uint32_t state, int word,
                              plb_reading reading) {
    uint32_t *arrows = arrows_of(states, layer, reading);
    if (!arrows) return PLB_ENOMEM;
    uint32_t *arrow = &arrows[(size_t)word * states->layers[layer].room + state];
    uint32_t known = __atomic_load_n(arrow, __ATOMIC_RELAXED);
    if (known) return known - 1;
    plb_count_state to;
    int64_t next = PLB_NO_STATE;
    if (read_as(states, layer, &states->layers[layer].items[state], word, reading, &to)) {
        pthread_mutex_lock(&states->lock);
        next = number_state(states, layer + 1, &to);
        pthread_mutex_unlock(&states->lock);
    }
    if (next >= 0) __atomic_store_n(arrow, (uint32_t)next + 1, __ATOMIC_RELAXED);
    return next;
}

int64_t plb_count_states_settle(plb_count_states *states, int layer, uint32_t state) {
    pthread_mutex_lock(&states->lock);
    plb_count_state settled = states->layers[layer].items[state];
    settled.settled = 1;
    int64_t number = number_state(states, layer, &settled);
    pthread_mutex_unlock(&states->lock);
    return number;
}

bool plb_count_states_accept(const plb_count_states *states, uint32_t state) {
    int width = states->automaton->width, accepting = states->automaton->accepting;
    const plb_count_state *s = &states->layers[width].items[state];
    if (state == PLB_NO_STATE) return false;
    if (s->colour == PLB_UNMARKED) return s->whole == accepting;
    return s->count == 1 && s->lost[0] == accepting && s->odd != s->colour;
}

/* ---- begin and end ---- */

int plb_count_states_begin(const plb_column_automaton *automaton, const volatile sig_atomic_t *stop,
                           plb_count_states *states) {
    *states = (plb_count_states){.automaton = automaton};
    pthread_mutex_init(&states->lock, NULL);
    states->inclusions = calloc(automaton->width + 1, sizeof *states->inclusions);
    states->layers = calloc(automaton->width + 1, sizeof *states->layers);
    if (!states->inclusions || !states->layers) return PLB_ENOMEM;
    return plb_column_inclusions_make(automaton, stop, states->inclusions);
}

void plb_count_states_end(plb_count_states *states) {
    for (int layer = 0; states->layers && layer <= states->automaton->width; layer++) {
        free(states->layers[layer].items);
        free(states->layers[layer].slots);
        for (int reading = 0; reading < PLB_READINGS; reading++)
            free(states->layers[layer].next[reading]);
    }
    free(states->layers);
    plb_column_inclusions_free(states->automaton, states->inclusions);
    pthread_mutex_destroy(&states->lock);
}
