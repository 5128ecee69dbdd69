/* SPDX-License-Identifier: MIT
 *
 * The stored positions of a strategy: is each of them one in which it moves by what is stored, when
 * its player follows it? A reader believes what is stored of any position, so a strategy is right
 * only if nothing else is stored. The walk of strategy_check.h says where the strategy was asked.
 */
#ifndef PLB_TOOLS_VERIFY_STRATEGY_ENTRIES_H
#define PLB_TOOLS_VERIFY_STRATEGY_ENTRIES_H

#include "tools/verify/strategy_check.h"

/* Verify a strategy that is open: that there is nothing in its file that it does not call for, that
 * it holds (strategy_check), and that each position that it stores was met and needs its move.
 *
 * options  [in]   its visit is not looked at
 *
 * Errors, report, cost: as strategy_check. */
int verify_strategy(const plb_table *table, const strategy_check_options *options,
                    strategy_report *report, plb_message *message);

#endif
