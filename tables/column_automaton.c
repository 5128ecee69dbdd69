/* SPDX-License-Identifier: MIT
 *
 * The automaton of columns: a conjecture is learnt, and corrected where it is refuted, until it is
 * proved.
 */
#include "tables/column_automaton.h"

#include <stdlib.h>
#include <string.h>

#include "tables/bits.h"
#include "tables/column_learner.h"
#include "tables/column_proof.h"
#include "tables/vocabulary.h"

/* ---- numbers of states ---- */

/* Is there a column after which a state of a layer is not dead? */
static bool is_live(const plb_column_automaton *a, int layer, int state, const uint16_t *renamed) {
    if (layer == a->width) return state == a->accepting;
    for (int word = 0; word < a->words.count; word++)
        if (renamed[plb_column_next(a, layer, state, word)] != PLB_DEAD_COLUMNS) return true;
    return false;
}

/* Put the arrows of a layer's live states in their new order. */
static void move_arrows(const plb_column_automaton *a, int layer, const uint16_t *renamed,
                        const uint16_t *next_renamed, uint16_t *next) {
    int words = a->words.count;
    for (int state = 0; state < a->layers[layer].states; state++) {
        uint16_t *to = next + (size_t)renamed[state] * words;
        if (renamed[state] == PLB_DEAD_COLUMNS) continue;
        for (int word = 0; word < words; word++)
            to[word] = next_renamed[plb_column_next(a, layer, state, word)];
    }
}

/* The same automaton with PLB_DEAD_COLUMNS as the dead state of every layer, although no access may
 * have led to it. */
static int rename_states(const plb_column_automaton *a, plb_column_automaton *to) {
    int error = PLB_OK, words = a->words.count;
    uint16_t *renamed = calloc(2 * (PLB_MOST_STATES + 1), sizeof *renamed);
    if (!renamed) return PLB_ENOMEM;
    uint16_t *next_renamed = renamed + PLB_MOST_STATES + 1;
    for (int layer = a->width; layer >= 0 && !error; layer--) {
        int live = 0;
        for (int state = 0; state < a->layers[layer].states; state++)
            renamed[state] = is_live(a, layer, state, next_renamed) ? ++live : PLB_DEAD_COLUMNS;
        to->layers[layer].states = live + 1;
        if (layer < a->width) {
            to->layers[layer].next = calloc((size_t)(live + 1) * words, sizeof *renamed);
            if (to->layers[layer].next)
                move_arrows(a, layer, renamed, next_renamed, to->layers[layer].next);
            else
                error = PLB_ENOMEM;
        } else {
            to->accepting = renamed[a->accepting];
        }
        memcpy(next_renamed, renamed, (PLB_MOST_STATES + 1) * sizeof *renamed);
    }
    to->first = next_renamed[a->first];
    free(renamed);
    return error;
}

/* ---- learning and proving ---- */

static int begin_automaton(int width, const plb_column_words *words, plb_column_automaton *a) {
    *a = (plb_column_automaton){.width = width, .words = *words};
    a->layers = calloc(width + 1, sizeof *a->layers);
    return a->layers ? PLB_OK : PLB_ENOMEM;
}

static void free_layers(plb_column_automaton *a) {
    for (int layer = 0; a->layers && layer <= a->width; layer++) free(a->layers[layer].next);
    free(a->layers);
    a->layers = NULL;
}

/* Where the two sides of the equivalence differ, one of the answers that they are made of is wrong.
 */
static int learn_refutation(plb_learner *learner, uint16_t *columns) {
    int error = plb_learner_correct(learner, columns);
    for (int i = 0; i < learner->automaton->width && !error; i++) {
        uint16_t word = columns[i];
        columns[i] = learner->automaton->words.items[word].below;
        if (word) error = plb_learner_correct(learner, columns);
        columns[i] = word;
    }
    return error;
}

/* Improve the conjecture; proved: there was nothing to improve, and this is the automaton. */
static int learn_and_prove(plb_learner *learner, plb_column_automaton *a, bool *proved) {
    plb_column_proof proof = {.refutations = 0};
    int splits, error = plb_learner_make_commute(learner);
    if (!error) error = begin_automaton(a->width, &a->words, a);
    if (!error) error = rename_states(learner->automaton, a);
    if (!error) error = plb_column_proof_make(a, learner->stop, &proof);
    if (error) return error;
    splits = learner->splits;
    for (int i = 0; i < proof.refutations && !error; i++)
        error = learn_refutation(learner, proof.refutation + (size_t)i * a->width);
    *proved = proof.refutations == 0;
    if (!*proved && !error && splits == learner->splits) error = PLB_EUNKNOWN;
    plb_column_proof_free(&proof);
    return error;
}

int plb_column_automaton_make(int width, int height, int k, const volatile sig_atomic_t *stop,
                              plb_column_automaton *automaton) {
    plb_column_words words;
    plb_column_automaton conjecture = {.width = width}, made = {.width = width};
    plb_learner learner = {.automaton = &conjecture};
    bool proved = false;
    int error = plb_column_words_make(height, k, &words);
    if (error) return error;
    made.words = words;
    error = begin_automaton(width, &words, &conjecture);
    if (!error) error = plb_learner_begin(&conjecture, stop, &learner);
    while (!error && !proved) {
        error = learn_and_prove(&learner, &made, &proved);
        if (!proved) free_layers(&made);
    }
    plb_learner_end(&learner);
    free_layers(&conjecture);
    if (error)
        plb_column_words_free(&words);
    else
        *automaton = made;
    return error;
}

/* Fitted to boards with k 4 of 3 to 6 rows. */
double plb_column_automaton_seconds(int width, int height, int k) {
    double words = plb_column_words_estimate(height, k), seconds = 7e-8 * width;
    for (int i = 0; i < 3 && i < width; i++) seconds *= words;
    return seconds;
}

bool plb_column_automaton_accepts(const plb_column_automaton *automaton, uint64_t x,
                                  uint64_t occupied) {
    int height = automaton->words.height, state = automaton->first;
    uint64_t column = plb_low_bits(height);
    for (int layer = 0; layer < automaton->width; layer++) {
        int shift = layer * height, stones = plb_popcount(occupied >> shift & column);
        int word = plb_column_words_find(&automaton->words, x >> shift & column, stones);
        if (word == PLB_NO_WORD) return false;
        state = plb_column_next(automaton, layer, state, word);
    }
    return state == automaton->accepting;
}

void plb_column_automaton_free(plb_column_automaton *automaton) {
    free_layers(automaton);
    plb_column_words_free(&automaton->words);
}
