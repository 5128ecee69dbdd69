/* SPDX-License-Identifier: MIT
 *
 * Enumerates the situations of the proof. Of the states with one top stone less only the greatest
 * are kept: a state is redundant if another one accepts whatever it accepts.
 */
#include "tables/reach/automaton_proof.h"

#include <stdlib.h>

#include "tables/stop.h"
#include "tables/tuple_set.h"
#include "tables/vocabulary.h"

enum { MAX_LOWER = 256 }; /* greatest states of one situation */

/* What matters of the columns read so far. */
typedef struct situation {
    uint16_t state;              /* of the automaton */
    int16_t balance;             /* number of x less number of o */
    uint16_t empty, lower_count; /* empty: all columns are */
    uint16_t lower[MAX_LOWER];   /* [lower_count] the automaton's states for the same columns with
                                    one top stone less, ascending; then zeros */
} situation;

typedef struct prover {
    const plb_column_automaton *a;
    plb_state_inclusion *inclusions; /* [width + 1] */
    plb_tuple_set *layers;           /* [width + 1] situations */
} prover;

/* Does the automaton have states, besides the dead ones, that no columns lead to? They change no
 * answer, but a forged record may have so many that a proof takes minutes. */
static int check_reached(const plb_column_automaton *a) {
    uint8_t(*reached)[PLB_MAX_STATES + 1] = calloc(a->width + 1, sizeof *reached);
    int error = reached ? PLB_OK : PLB_ENOMEM;
    if (reached) reached[0][a->first] = true;
    for (int layer = 0; layer <= a->width && !error; layer++)
        for (int state = 0; state < a->layers[layer].states; state++) {
            if (!reached[layer][state] && state != PLB_DEAD_COLUMNS) error = PLB_ECORRUPT;
            if (!reached[layer][state] || layer == a->width) continue;
            for (int word = 0; word < a->words.count; word++)
                reached[layer + 1][plb_column_next(a, layer, state, word)] = true;
        }
    free(reached);
    return error;
}

static int add_situation(prover *p, int layer, const situation *s) {
    p->layers[layer].bytes = sizeof *s;
    int64_t number = plb_tuple_set_add(&p->layers[layer], s);
    return number < 0 ? (int)number : PLB_OK;
}

/* Insert a state into `lower`, unless it is redundant, and remove those that become so. */
static void add_lower(const plb_state_inclusion *in, situation *s, int state) {
    if (state == PLB_DEAD_COLUMNS) return;
    int kept = 0;
    for (int i = 0; i < s->lower_count; i++)
        if (plb_state_includes(in, state, s->lower[i])) return;
    for (int i = 0; i < s->lower_count; i++)
        if (!plb_state_includes(in, s->lower[i], state)) s->lower[kept++] = s->lower[i];
    int at = kept;
    for (; at > 0 && s->lower[at - 1] > state; at--) s->lower[at] = s->lower[at - 1];
    s->lower[at] = (uint16_t)state;
    for (int i = kept + 1; i < s->lower_count; i++) s->lower[i] = 0;
    s->lower_count = (uint16_t)(kept + 1);
}

static int read_column(prover *p, int layer, uint32_t number, int word) {
    const plb_column_automaton *a = p->a;
    const situation *from = plb_tuple_set_at(&p->layers[layer], number);
    const plb_state_inclusion *in = &p->inclusions[layer + 1];
    situation s = {.state = (uint16_t)plb_column_next(a, layer, from->state, word),
                   .balance = (int16_t)(from->balance + a->words.items[word].balance),
                   .empty = from->empty && word == 0};
    if (from->lower_count + 1 >= MAX_LOWER) return PLB_ETOOBIG;
    for (int i = 0; i < from->lower_count; i++)
        add_lower(in, &s, plb_column_next(a, layer, from->lower[i], word));
    if (word) add_lower(in, &s, plb_column_next(a, layer, from->state, a->words.items[word].below));
    if (s.state == PLB_DEAD_COLUMNS && s.lower_count == 0) return PLB_OK;
    return add_situation(p, layer + 1, &s);
}

/* Does the automaton accept exactly the situations of the last layer that have an order? */
static bool is_right(const prover *p) {
    const plb_tuple_set *last = &p->layers[p->a->width];
    for (uint32_t i = 0; i < last->count; i++) {
        const situation *s = plb_tuple_set_at(last, i);
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
    if (!error) error = check_reached(automaton);
    if (!error) error = plb_state_inclusions_make(automaton, stop, p.inclusions);
    if (!error) error = add_situation(&p, 0, &first);
    for (int layer = 0; layer < width && !error; layer++)
        for (uint32_t i = 0; i < p.layers[layer].count && !error; i++) {
            if (plb_is_stopped(stop)) error = PLB_EINTERRUPTED;
            for (int word = 0; word < automaton->words.count && !error; word++)
                error = read_column(&p, layer, i, word);
        }
    if (!error && !is_right(&p)) error = PLB_ECORRUPT;
    for (int layer = 0; p.layers && layer <= width; layer++) plb_tuple_set_free(&p.layers[layer]);
    plb_state_inclusions_free(automaton, p.inclusions);
    free(p.layers);
    return error;
}
