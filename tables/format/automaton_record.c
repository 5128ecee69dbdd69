/* SPDX-License-Identifier: MIT */
#include "tables/format/automaton_record.h"

#include <stdlib.h>
#include <string.h>

#include "tables/bits.h"
#include "tables/store/segment.h"
#include "tables/store/segment_writer.h"
#include "tables/vocabulary.h"

enum { NUMBER_BYTES = 4, TRANSITIONS_PER_WORD = 4 };

/* Transitions from a layer; the last layer has none. */
static uint64_t count_layer(const plb_column_automaton *a, int layer) {
    return layer < a->width ? (uint64_t)a->layers[layer].states * a->words.count : 0;
}

static uint64_t count_transitions(const plb_column_automaton *a) {
    uint64_t transitions = 0;
    for (int layer = 0; layer < a->width; layer++) transitions += count_layer(a, layer);
    return transitions;
}

/* May a record of `size` bytes have so many transitions? */
static bool fits(const plb_column_automaton *a, size_t size) {
    uint64_t transitions = count_transitions(a);
    return transitions <= PLB_MAX_TRANSITIONS && transitions / PLB_TRANSITIONS_PER_BYTE <= size;
}

static size_t head_bytes(int width) {
    return (size_t)(width + 3) * NUMBER_BYTES;
}

/* ---- writing ---- */

static int pack(plb_segment_writer *writer, const plb_column_automaton *a, uint64_t *words,
                uint8_t **bytes, size_t *size) {
    const uint8_t *segment = NULL;
    size_t segment_size = 0, head = head_bytes(a->width);
    uint64_t i = 0;
    for (int layer = 0; layer < a->width; layer++)
        for (uint64_t n = 0; n < count_layer(a, layer); n++, i++)
            words[i / TRANSITIONS_PER_WORD] |= (uint64_t)a->layers[layer].next[n]
                                               << (16 * (i % TRANSITIONS_PER_WORD));
    int error = plb_segment_writer_begin(writer, 0, 0, 1);
    if (!error)
        error = plb_segment_writer_add(writer, words,
                                       plb_divide_up(count_transitions(a), TRANSITIONS_PER_WORD));
    if (!error) error = plb_segment_writer_end(writer, &segment, &segment_size);
    if (!error && !fits(a, head + segment_size)) error = PLB_ETOOBIG;
    if (error) return error;
    uint8_t *made = malloc(head + segment_size);
    if (!made) return PLB_ENOMEM;
    uint8_t *at = made;
    for (int layer = 0; layer <= a->width; layer++)
        at = plb_put_number(at, a->layers[layer].states, NUMBER_BYTES);
    at = plb_put_number(at, a->first, NUMBER_BYTES);
    plb_put_number(at, a->accepting, NUMBER_BYTES);
    memcpy(made + head, segment, segment_size);
    *bytes = made;
    *size = head + segment_size;
    return PLB_OK;
}

int plb_automaton_record_encode(const plb_column_automaton *automaton, uint64_t identity, int level,
                                uint8_t **bytes, size_t *size) {
    uint64_t transitions = count_transitions(automaton);
    plb_segment_writer *writer = NULL;
    if (transitions > PLB_MAX_TRANSITIONS) return PLB_ETOOBIG;
    uint64_t *words =
        calloc(plb_size(plb_divide_up(transitions, TRANSITIONS_PER_WORD)), sizeof *words);
    int error = words ? plb_segment_writer_open(identity, level, &writer) : PLB_ENOMEM;
    if (!error) error = pack(writer, automaton, words, bytes, size);
    plb_segment_writer_close(writer);
    free(words);
    return error;
}

/* ---- reading ---- */

/* Read the numbers at the beginning. a->layers is allocated. */
static int get_head(plb_column_automaton *a, const uint8_t *at) {
    for (int layer = 0; layer <= a->width; layer++, at += NUMBER_BYTES) {
        uint64_t states = plb_get_number(at, NUMBER_BYTES);
        if (states == 0 || states > PLB_MAX_STATES) return PLB_ECORRUPT;
        a->layers[layer].states = (int)states;
    }
    uint64_t first = plb_get_number(at, NUMBER_BYTES);
    uint64_t accepting = plb_get_number(at + NUMBER_BYTES, NUMBER_BYTES);
    if (first >= (uint64_t)a->layers[0].states || accepting >= (uint64_t)a->layers[a->width].states)
        return PLB_ECORRUPT;
    a->first = (uint16_t)first;
    a->accepting = (uint16_t)accepting;
    return PLB_OK;
}

static int get_transitions(plb_column_automaton *a, const uint64_t *words) {
    uint64_t i = 0, in_last = count_transitions(a) % TRANSITIONS_PER_WORD;
    if (in_last && words[count_transitions(a) / TRANSITIONS_PER_WORD] >> (16 * in_last))
        return PLB_ECORRUPT;
    for (int layer = 0; layer < a->width; layer++) {
        uint16_t *next = malloc(plb_size(count_layer(a, layer) * sizeof *next));
        a->layers[layer].next = next;
        if (!next) return PLB_ENOMEM;
        for (uint64_t n = 0; n < count_layer(a, layer); n++, i++) {
            next[n] =
                (uint16_t)(words[i / TRANSITIONS_PER_WORD] >> (16 * (i % TRANSITIONS_PER_WORD)));
            if (next[n] >= a->layers[layer + 1].states) return PLB_ECORRUPT;
        }
    }
    return PLB_OK;
}

static int unpack(plb_column_automaton *a, uint64_t identity, const uint8_t *bytes, size_t size) {
    plb_segment segment = {.bytes = bytes, .size = size, .blocks = 1};
    plb_block_name name = {.identity = identity};
    plb_segment_reader *reader = NULL;
    uint64_t words = plb_divide_up(count_transitions(a), TRANSITIONS_PER_WORD);
    uint64_t *transitions = calloc(plb_size(words), sizeof *transitions);
    int error = transitions ? plb_segment_reader_open(&reader) : PLB_ENOMEM;
    if (!error && !plb_segment_is_sound(&segment)) error = PLB_ECORRUPT;
    if (!error)
        error = plb_segment_reader_unpack_block(reader, &segment, 0, &name, words, transitions);
    if (!error) error = get_transitions(a, transitions);
    plb_segment_reader_close(reader);
    free(transitions);
    return error;
}

int plb_automaton_record_decode(plb_column_board board, uint64_t identity, const uint8_t *bytes,
                                size_t size, plb_column_automaton *automaton) {
    plb_column_automaton a = {.width = board.width};
    size_t head = head_bytes(board.width);
    if (size < head) return PLB_ECORRUPT;
    int error = plb_column_words_make(board.height, board.k, &a.words);
    if (error) return error;
    a.layers = calloc(board.width + 1, sizeof *a.layers);
    error = a.layers ? get_head(&a, bytes) : PLB_ENOMEM;
    if (!error && !fits(&a, size)) error = PLB_ECORRUPT;
    if (!error) error = unpack(&a, identity, bytes + head, size - head);
    if (error)
        plb_column_automaton_free(&a);
    else
        *automaton = a;
    return error;
}
