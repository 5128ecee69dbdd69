/* SPDX-License-Identifier: MIT
 *
 * The counts of a table as a picture: of every ply the shares that the first player wins, draws and
 * loses, and how many positions that are. Uses the public header alone.
 */
#ifndef PLB_TOOLS_COMMANDS_STATS_PICTURE_H
#define PLB_TOOLS_COMMANDS_STATS_PICTURE_H

#include "tools/terminal/output_file.h"

/* May a picture have this name: does it end in .svg, or is it `-` for stdout? */
bool stats_picture_may_be(const char *path);

/* Write it. Errors: those of output_file_open and _finish. */
int write_stats_picture(const plb_table *table, const char *path, bool force, plb_message *message);

#endif
