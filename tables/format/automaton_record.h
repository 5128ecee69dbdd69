/* SPDX-License-Identifier: MIT
 *
 * The automaton of columns (column_automaton.h) as an optional record of a table's meta, `columns`,
 * which tells a reader of the table which positions can arise:
 *
 *     [states of layer 0] .. [states of layer W][first][accepting]      32 bits each, big-endian
 *     a segment of one block: for each layer but the last, each state and each word, a transition:
 *     the state of the next layer, 16 bits, little-endian; zeros up to a multiple of 8 bytes
 *
 * A reader needs four bytes of memory per transition. To limit them a record has at most
 * PLB_MAX_TRANSITIONS, and at most PLB_TRANSITIONS_PER_BYTE for each of its bytes; real automata
 * have a quarter of that.
 *
 * Must not know: games, positions.
 */
#pragma once

#include "tables/reach/column_automaton.h"

/* Make the record. identity: of the table (checksum.h). The caller frees *bytes.
 * Errors: PLB_ENOMEM; PLB_ETOOBIG: too many transitions. */
enum { PLB_MAX_TRANSITIONS = 1 << 24, PLB_TRANSITIONS_PER_BYTE = 256 };
int plb_automaton_record_encode(const plb_column_automaton *automaton, uint64_t identity, int level,
                                uint8_t **bytes, size_t *size);

/* The board of an automaton, as for plb_column_automaton_make. */
typedef struct plb_column_board {
    int width, height, k;
} plb_column_board;

/* Read a record, which may be anything. All transitions of the result lead to existing states, so
 * it is safe to run on any columns. automaton_proof.h checks whether its answers are right.
 *
 * automaton  [out]  freed by the caller
 *
 * Errors: PLB_ECORRUPT, PLB_ENOMEM, PLB_ETOOBIG (no such board has an automaton). */
int plb_automaton_record_decode(plb_column_board board, uint64_t identity, const uint8_t *bytes,
                                size_t size, plb_column_automaton *automaton);
