/* SPDX-License-Identifier: MIT
 *
 * `plybase verify` of a strategy: what is shown and printed while it is played against every move
 * of the opponent.
 */
#ifndef PLB_TOOLS_COMMANDS_VERIFY_STRATEGY_H
#define PLB_TOOLS_COMMANDS_VERIFY_STRATEGY_H

#include <stdbool.h>

#include "tools/verify/strategy_check.h"

/* Is the file that of a strategy? False also where it cannot be read. */
bool is_strategy_file(const char *path);

/* Check it, print what was found, and return the exit status. */
int verify_strategy_file(const char *path, int threads, bool json);

/* Progress of the checker: the report of strategy_check_options, whose context is a display. A line
 * for each ply where stderr is no terminal. */
void show_checked_strategy(void *context, const strategy_progress *progress);

#endif
