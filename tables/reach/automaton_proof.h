/* SPDX-License-Identifier: MIT
 *
 * Proving an automaton of columns. A set of columns has an order exactly if it is empty, or if x
 * has as many stones as o or one more and some column can lose its top stone so that what is left
 * has an order. If what an automaton accepts satisfies this equivalence for every set of columns,
 * then, by induction on the number of stones, it accepts exactly the sets that have an order.
 *
 * The right side of the equivalence is itself read by an automaton: its states are those that the
 * columns with one top stone less can have led to, with the balance of the columns. All states of
 * both that are reached together are enumerated. Must not know: games, positions, how an automaton
 * was made.
 */
#ifndef PLB_TABLES_REACH_AUTOMATON_PROOF_H
#define PLB_TABLES_REACH_AUTOMATON_PROOF_H

#include "tables/reach/column_automaton.h"

/* Prove an automaton. Errors: PLB_ECORRUPT: it is refuted; PLB_ETOOBIG: it has too many states for
 * a proof; PLB_ENOMEM, PLB_EINTERRUPTED. */
int plb_automaton_proof_check(const plb_column_automaton *automaton,
                              const volatile sig_atomic_t *stop);

#endif
