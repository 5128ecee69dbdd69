/* SPDX-License-Identifier: MIT
 *
 * Inclusions, from the last layer backwards: a state includes another one if it does so after
 * every column.
 */
#include "tables/reach/state_inclusion.h"

#include <stdlib.h>

#include "tables/stop.h"
#include "tables/vocabulary.h"

static bool next_includes(const plb_column_automaton *a, int layer, const plb_state_inclusion *next,
                          int small, int big) {
    for (int word = 0; word < a->words.count; word++)
        if (!plb_state_includes(next, plb_column_next(a, layer, small, word),
                                plb_column_next(a, layer, big, word)))
            return false;
    return true;
}

static int find_inclusions(const plb_column_automaton *a, int layer, plb_state_inclusion *in) {
    int states = a->layers[layer].states;
    in->row = (states + 63) / 64;
    in->bits = calloc(states * in->row, sizeof *in->bits);
    if (!in->bits) return PLB_ENOMEM;
    for (int small = 0; small < states; small++)
        for (int big = 0; big < states; big++)
            if (small == big || (layer == a->width ? big == a->accepting
                                                   : next_includes(a, layer, in + 1, small, big)))
                in->bits[small * in->row + big / 64] |= 1ULL << (big % 64);
    return PLB_OK;
}

int plb_state_inclusions_make(const plb_column_automaton *automaton,
                              const volatile sig_atomic_t *stop, plb_state_inclusion *inclusions) {
    int error = PLB_OK;
    for (int layer = automaton->width; layer >= 0 && !error; layer--)
        error = plb_is_stopped(stop) ? PLB_EINTERRUPTED
                                     : find_inclusions(automaton, layer, &inclusions[layer]);
    return error;
}

void plb_state_inclusions_free(const plb_column_automaton *automaton,
                               plb_state_inclusion *inclusions) {
    for (int layer = 0; inclusions && layer <= automaton->width; layer++)
        free(inclusions[layer].bits);
    free(inclusions);
}
