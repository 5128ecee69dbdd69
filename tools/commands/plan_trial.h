/* SPDX-License-Identifier: MIT
 *
 * A forecast compared with the last plies of the game, which are built and not kept.
 */
#ifndef PLB_TOOLS_COMMANDS_PLAN_TRIAL_H
#define PLB_TOOLS_COMMANDS_PLAN_TRIAL_H

#include "tools/commands/build_options.h"

/* Build the plies from the last one down to options->trial and print for each what was forecast
 * and what it took, one line as soon as it is known. Work is kept beside options->output, or in
 * this folder. Errors: those of plb_build_trial. */
int run_trial(const build_options *options, const planned_game *planned, plb_message *message);

#endif
