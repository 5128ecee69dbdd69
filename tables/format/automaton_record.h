/* SPDX-License-Identifier: MIT
 *
 * The automaton of columns (column_automaton.h) as an optional record of a table's meta, `columns`,
 * so that a reader of the table can decide immediately which positions can arise:
 *
 *     [states of layer 0] .. [states of layer W][first][accepting]      32 bits each, big-endian
 *     a segment of one block: for each layer but the last, each state and each word the state of
 *     the next layer, 16 bits, little-endian; zeros up to a multiple of 8 bytes
 *
 * A reader takes four bytes for each arrow, so a record has no more than PLB_MAX_ARROWS, and no
 * more than PLB_ARROWS_PER_BYTE for each of its bytes: columns compress four times less.
 *
 * Must not know: games, positions.
 */
#ifndef PLB_TABLES_FORMAT_AUTOMATON_RECORD_H
#define PLB_TABLES_FORMAT_AUTOMATON_RECORD_H

#include "tables/reach/column_automaton.h"

/* identity: of the table (checksum.h). *bytes is to be freed by the caller.
 * Errors: PLB_ENOMEM; PLB_ETOOBIG where it would have too many arrows. */
enum { PLB_MAX_ARROWS = 1 << 24, PLB_ARROWS_PER_BYTE = 256 };
int plb_automaton_record_encode(const plb_column_automaton *automaton, uint64_t identity, int level,
                                uint8_t **bytes, size_t *size);

/* The board of an automaton, as for plb_column_automaton_make. */
typedef struct plb_column_board {
    int width, height, k;
} plb_column_board;

/* Read a record, which may be anything. What is read has arrows that lead to states that are there:
 * any columns can be asked for. Whether the answers are right automaton_proof.h checks.
 *
 * automaton  [out]  to be freed by the caller
 *
 * Errors: PLB_ECORRUPT, PLB_ENOMEM, PLB_ETOOBIG (no such board has an automaton). */
int plb_automaton_record_decode(plb_column_board board, uint64_t identity, const uint8_t *bytes,
                                size_t size, plb_column_automaton *automaton);

#endif
