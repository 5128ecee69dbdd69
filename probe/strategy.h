/* SPDX-License-Identifier: MIT
 *
 * A table that is a strategy: it answers positions that its player reaches, or that the rules
 * settle, and no others. Programs include plybase.h alone.
 */
#ifndef PLB_PROBE_STRATEGY_H
#define PLB_PROBE_STRATEGY_H

#include "probe/outcome.h"

/* Load the strategy of an open store into a table that is being opened.
 * Errors: those of plb_strategy_read_meta and plb_strategy_read; PLB_ECORRUPT. */
int plb_strategy_load(plb_table *table, plb_message *message);

/* As plb_answer_position, of a table that has a strategy. Errors: also PLB_EUNKNOWN. */
int plb_strategy_answer(const plb_table *table, plb_position position, plb_answer *answer,
                        plb_message *message);

/* The moves of a position that it answers: of its player the one that it makes, all moves of the
 * opponent, all of a position that is lost.
 * Errors: as above. */
int plb_strategy_list_moves(const plb_table *table, plb_position position, int moves[PLB_MAX_MOVES],
                            int *count, plb_message *message);

#endif
