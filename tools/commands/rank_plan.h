/* SPDX-License-Identifier: MIT
 *
 * `plybase plan --ranks`: what a build by several processes would cost.
 */
#ifndef PLB_TOOLS_COMMANDS_RANK_PLAN_H
#define PLB_TOOLS_COMMANDS_RANK_PLAN_H

#include "tools/commands/build_options.h"

/* Print the plan; what times are of those that the rates say (cost_rates.h). Returns the exit
 * status: 1 if the build does not fit. */
int show_rank_plan(const build_options *options, const planned_game *planned, double rates_share);

#endif
