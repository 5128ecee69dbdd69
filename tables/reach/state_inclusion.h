/* SPDX-License-Identifier: MIT
 *
 * Which state of an automaton of columns accepts whatever another one of its layer accepts.
 * Must not know: games, positions.
 */
#ifndef PLB_TABLES_REACH_STATE_INCLUSION_H
#define PLB_TABLES_REACH_STATE_INCLUSION_H

#include <stddef.h>

#include "tables/reach/column_automaton.h"

typedef struct plb_state_inclusion {
    size_t row;     /* words of a row */
    uint64_t *bits; /* [states][row] bit s of row r: s accepts whatever r accepts */
} plb_state_inclusion;

/* Compare the states of all layers, for `inclusions` [width + 1].
 * Errors: PLB_ENOMEM, PLB_EINTERRUPTED; what was made is freed by plb_state_inclusions_free. */
int plb_state_inclusions_make(const plb_column_automaton *automaton,
                              const volatile sig_atomic_t *stop, plb_state_inclusion *inclusions);

void plb_state_inclusions_free(const plb_column_automaton *automaton,
                               plb_state_inclusion *inclusions);

static inline bool plb_state_includes(const plb_state_inclusion *in, int small, int big) {
    return in->bits[small * in->row + big / 64] >> (big % 64) & 1;
}

#endif
