/* SPDX-License-Identifier: MIT
 *
 * The stored positions of a strategy: is each of them needed? A reader believes a stored move in
 * any position, so a strategy is right only if it stores no other positions. The walk of
 * strategy_check.h tells in which positions the strategy is asked.
 */
#pragma once

#include "tools/verify/strategy_check.h"

/* Verify an open strategy: it holds (strategy_check), its file contains nothing else, and each
 * stored position is visited and needs its move.
 *
 * options  [in]   `visit` is ignored
 *
 * Errors, report, cost: as strategy_check. */
int verify_strategy(const plb_table *table, const strategy_check_options *options,
                    strategy_report *report, plb_message *message);
