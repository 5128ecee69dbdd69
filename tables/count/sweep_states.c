/* SPDX-License-Identifier: MIT */
#include "tables/count/sweep_states.h"

#include <stdlib.h>
#include <string.h>

#include "tables/array.h"
#include "tables/vocabulary.h"

/* An edge: the number of a state << EDGE_SHIFT, and these bits. */
enum {
    KNOWN_EDGE = 1,
    EXCHANGE_EDGE = 2, /* the state with colours exchanged is another one */
    EDGE_SHIFT = 2
};

enum { UNUSED = 3 }; /* in place of the colour of marks */

static bool same_state(const plb_sweep_state *a, const plb_sweep_state *b) {
    return memcmp(a, b, sizeof *a) == 0;
}

/* Grow the arrays of blocks to the capacity for states. After a failure some of them are longer
 * than l->blocks, which does no harm. */
static int grow_edges(plb_state_layer *l, int words) {
    size_t all = (size_t)words * ((l->states.capacity + PLB_FIRST_STATE) / PLB_EDGE_BLOCK + 1);
    if (all <= l->blocks) return PLB_OK;
    for (int marking = 0; marking < PLB_COLUMN_MARKINGS; marking++) {
        if (!PLB_ARRAY_RESIZE(l->next[marking], all)) return PLB_ENOMEM;
        memset(l->next[marking] + l->blocks, 0, (all - l->blocks) * sizeof **l->next);
    }
    l->blocks = all;
    return PLB_OK;
}

static plb_sweep_state exchanged(const plb_sweep_state *s) {
    plb_sweep_state made = {.colour = s->colour == PLB_UNMARKED ? PLB_UNMARKED : !s->colour,
                            .odd = s->odd,
                            .rotated = s->rotated,
                            .orientations = {s->orientations[1], s->orientations[0]}};
    return made;
}

/* Find or add a state. It is added together with the same state with colours exchanged, so a new
 * state gets an even number. */
static int64_t number_state(plb_sweep_states *states, int layer, const plb_sweep_state *s) {
    plb_state_layer *l = &states->layers[layer];
    plb_sweep_state other = exchanged(s);
    uint32_t before = l->states.count;
    if (same_state(s, &other)) other.colour = UNUSED;
    if (plb_tuple_set_reserve(&l->states, 2) || grow_edges(l, states->automaton->words.count))
        return PLB_ENOMEM;
    int64_t number = plb_tuple_set_add(&l->states, s);
    if (number == before) plb_tuple_set_add(&l->states, &other);
    return number + PLB_FIRST_STATE;
}

/* ---- the state after a column ---- */

static int after(const plb_sweep_states *states, int layer, int state, int word) {
    return state == PLB_NO_COLUMNS ? PLB_NO_COLUMNS
                                   : plb_column_next(states->automaton, layer, state, word);
}

/* Add an automaton's state to those that must all accept. A state that accepts whatever another one
 * of them accepts is redundant. False if the new one is dead. */
static bool add_lost(const plb_state_inclusion *in, plb_orientation *s, int state) {
    int kept = 0;
    if (state == PLB_DEAD_COLUMNS) return false;
    for (int i = 0; i < s->count; i++)
        if (plb_state_includes(in, s->lost[i], state)) return true;
    for (int i = 0; i < s->count; i++)
        if (!plb_state_includes(in, state, s->lost[i])) s->lost[kept++] = s->lost[i];
    int at = kept;
    for (; at > 0 && s->lost[at - 1] > state; at--) s->lost[at] = s->lost[at - 1];
    s->lost[at] = (uint16_t)state;
    for (int i = kept + 1; i < s->count; i++) s->lost[i] = 0;
    s->count = (uint16_t)(kept + 1);
    return true;
}

/* The next column. */
typedef struct column {
    int layer, word;
    plb_column_marking marking;
    bool first; /* the columns before have no marks */
} column;

static bool is_marked(const column *c) {
    return c->marking == PLB_COLUMN_MARKED || c->marking == PLB_COLUMN_LESS ||
           c->marking == PLB_COLUMN_MARKED_LAST;
}

/* One orientation after a column; false, and *to is incomplete, if no order is possible. */
static bool follow_word(const plb_sweep_states *states, const column *c,
                        const plb_orientation *from, plb_orientation *to) {
    const plb_state_inclusion *in = &states->inclusions[c->layer + 1];
    bool more = c->marking == PLB_COLUMN_MORE_O || c->marking == PLB_COLUMN_MORE_X;
    if (!c->first && from->count == 0) return false;
    to->whole = (uint16_t)after(states, c->layer, from->whole, c->word);
    for (int i = 0; i < from->count; i++)
        if (!add_lost(in, to, after(states, c->layer, from->lost[i], c->word))) return false;
    if (more) return add_lost(in, to, to->whole);
    if (!is_marked(c)) return !c->first || to->whole != PLB_DEAD_COLUMNS;
    int below = states->automaton->words.items[c->word].below;
    return add_lost(in, to, after(states, c->layer, from->whole, below));
}

static bool next_orientation(const plb_sweep_states *states, const column *c,
                             const plb_orientation *from, plb_orientation *to) {
    bool may_mark = c->marking == PLB_COLUMN_UNMARKED || c->marking == PLB_COLUMN_MARKED;
    bool is_live = follow_word(states, c, from, to);
    if (!is_live) *to = (plb_orientation){0};
    if (is_live && to->count && !may_mark) to->whole = PLB_NO_COLUMNS;
    return is_live;
}

/* The state after a column; false if no orientation can have an order. */
static bool next_state(const plb_sweep_states *states, const plb_sweep_state *from, const column *c,
                       plb_sweep_state *to) {
    column other = *c;
    *to = (plb_sweep_state){.rotated = from->rotated, .colour = from->colour};
    if (c->marking == PLB_COLUMN_MORE_O || c->marking == PLB_COLUMN_MORE_X)
        to->colour = c->marking == PLB_COLUMN_MORE_X;
    else if (is_marked(c))
        to->colour = plb_column_word_x_on_top(&states->automaton->words.items[c->word]);
    to->odd = from->odd ^ (states->automaton->words.items[c->word].stones & 1) ^
              (c->first && is_marked(c));
    other.word = states->automaton->words.items[c->word].exchanged;
    bool is_live = next_orientation(states, c, &from->orientations[0], &to->orientations[0]);
    return next_orientation(states, &other, &from->orientations[1], &to->orientations[1]) ||
           is_live;
}

int64_t plb_sweep_states_first(plb_sweep_states *states) {
    plb_sweep_state s = {.colour = PLB_UNMARKED};
    s.orientations[0].whole = s.orientations[1].whole = states->automaton->first;
    return number_state(states, 0, &s);
}

/* Address of an edge; NULL: out of memory. */
static uint32_t *edge_at(plb_sweep_states *states, int layer, uint32_t state, int word,
                         plb_column_marking marking) {
    size_t words = states->automaton->words.count;
    uint32_t **at = &states->layers[layer].next[marking][state / PLB_EDGE_BLOCK * words + word];
    uint32_t *block = __atomic_load_n(at, __ATOMIC_ACQUIRE);
    if (!block) {
        pthread_mutex_lock(&states->lock);
        block = *at;
        if (!block) block = calloc(PLB_EDGE_BLOCK, sizeof *block);
        __atomic_store_n(at, block, __ATOMIC_RELEASE);
        pthread_mutex_unlock(&states->lock);
    }
    return block ? block + state % PLB_EDGE_BLOCK : NULL;
}

int64_t plb_sweep_states_next(plb_sweep_states *states, int layer, uint32_t state, int word,
                              plb_column_marking marking, bool exchange) {
    uint32_t *at = edge_at(states, layer, state, word, marking);
    if (!at) return PLB_ENOMEM;
    int64_t edge = __atomic_load_n(at, __ATOMIC_RELAXED);
    if (!edge) {
        const plb_sweep_state *from = plb_sweep_state_at(states, layer, state);
        const column c = {layer, word, marking, from->colour == PLB_UNMARKED};
        plb_sweep_state to;
        edge = KNOWN_EDGE;
        if (next_state(states, from, &c, &to)) {
            plb_sweep_state other = exchanged(&to);
            pthread_mutex_lock(&states->lock);
            int64_t number = number_state(states, layer + 1, &to);
            pthread_mutex_unlock(&states->lock);
            if (number < 0) return number;
            edge |= number << EDGE_SHIFT | (same_state(&to, &other) ? 0 : EXCHANGE_EDGE);
        }
        __atomic_store_n(at, (uint32_t)edge, __ATOMIC_RELAXED);
    }
    return edge >> EDGE_SHIFT ^ (exchange && edge & EXCHANGE_EDGE);
}

int64_t plb_sweep_states_rotate(plb_sweep_states *states, int layer, uint32_t state) {
    pthread_mutex_lock(&states->lock);
    plb_sweep_state rotated = *plb_sweep_state_at(states, layer, state);
    rotated.rotated = 1;
    int64_t number = number_state(states, layer, &rotated);
    pthread_mutex_unlock(&states->lock);
    return number;
}

int plb_sweep_states_accept(const plb_sweep_states *states, uint32_t state) {
    int width = states->automaton->width, accepting = states->automaton->accepting, times = 0;
    if (state == PLB_NO_STATE) return 0;
    const plb_sweep_state *s = plb_sweep_state_at(states, width, state);
    for (int exchange = 0; exchange < 2; exchange++) {
        const plb_orientation *o = &s->orientations[exchange];
        if (s->colour == PLB_UNMARKED)
            times += o->whole == accepting;
        else
            times += o->count == 1 && o->lost[0] == accepting && s->odd != (s->colour ^ exchange);
    }
    return times;
}

int plb_sweep_states_begin(const plb_column_automaton *automaton, const volatile sig_atomic_t *stop,
                           plb_sweep_states *states) {
    const plb_tuple_set none = {.bytes = sizeof(plb_sweep_state)};
    *states = (plb_sweep_states){.automaton = automaton};
    pthread_mutex_init(&states->lock, NULL);
    states->inclusions = calloc(automaton->width + 1, sizeof *states->inclusions);
    states->layers = calloc(automaton->width + 1, sizeof *states->layers);
    if (!states->inclusions || !states->layers) return PLB_ENOMEM;
    for (int layer = 0; layer <= automaton->width; layer++) states->layers[layer].states = none;
    return plb_state_inclusions_make(automaton, stop, states->inclusions);
}

void plb_sweep_states_end(plb_sweep_states *states) {
    for (int i = 0; states->layers && i <= states->automaton->width; i++) {
        plb_state_layer *l = &states->layers[i];
        for (int marking = 0; marking < PLB_COLUMN_MARKINGS; marking++) {
            for (size_t b = 0; b < l->blocks; b++) free(l->next[marking][b]);
            free(l->next[marking]);
        }
        plb_tuple_set_free(&l->states);
    }
    free(states->layers);
    plb_state_inclusions_free(states->automaton, states->inclusions);
    pthread_mutex_destroy(&states->lock);
}
