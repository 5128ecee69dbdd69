/* SPDX-License-Identifier: MIT
 *
 * Proves that an automaton of columns is right. Columns have an order exactly if they are empty; or
 * if x has as many stones as o, or one more, and some column can lose its top stone so that the
 * rest has an order. If an automaton's answers satisfy this equivalence for all columns, then, by
 * induction on the number of stones, it accepts exactly those that have an order.
 *
 * The right side of the equivalence can also be read column by column: from the balance of the
 * columns, and the automaton's states for the same columns with one top stone less. All situations
 * that can be reached are enumerated. Must not know: games, positions, how an automaton was made.
 */
#pragma once

#include "tables/reach/column_automaton.h"

/* Errors: PLB_ECORRUPT: the automaton is wrong, or has states that are never reached; PLB_ETOOBIG:
 * it has too many states for a proof; PLB_ENOMEM, PLB_EINTERRUPTED. stop: set to nonzero to
 * interrupt; NULL: never. */
int plb_automaton_proof_check(const plb_column_automaton *automaton,
                              const volatile sig_atomic_t *stop);
