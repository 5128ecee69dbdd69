/* SPDX-License-Identifier: MIT
 *
 * The rules of numbers by which tables are made and searched, compared with the naive ones
 * (naive_numbers.h).
 */
#ifndef PLB_TOOLS_SEARCH_NUMBER_RULES_CHECK_H
#define PLB_TOOLS_SEARCH_NUMBER_RULES_CHECK_H

#include "tables/games/number_rules.h"

/* Play games at random on both, and compare in every position the moves, whether a line is
 * complete, the end and the value there.
 *
 * game  [in]  what is compared; only its name says what it is to be
 *
 * Errors: PLB_ECORRUPT: the two statements of the rules differ, with the first difference; no table
 *         that rests on such rules can be trusted. Cost: milliseconds.  */
int number_rules_compare(const plb_game *game, plb_message *message);

#endif
