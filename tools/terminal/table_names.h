/* SPDX-License-Identifier: MIT
 *
 * Specs of games and names of the files that hold their tables: opening a file, and what is needed
 * where the two are confused.
 */
#ifndef PLB_TOOLS_TERMINAL_TABLE_NAMES_H
#define PLB_TOOLS_TERMINAL_TABLE_NAMES_H

#include "probe/plybase.h"
#include "tables/message.h"

/* A spec was refused with an error, as the message says. If it is the name of a table, let the
 * message name the spec that is needed. Returns the error. */
int explain_spec(const char *text, int error, plb_message *message);

/* There is no file of this path, as the message says. If the path is the spec of a game, or its
 * table's usual name, let the message say where the table is, or how it is built. */
void suggest_table(const char *path, plb_message *message);

/* Open a table, or print an error: NULL. */
plb_table *open_table(const char *path);

/* The same for commands that ask more than a strategy can tell; it is refused. */
plb_table *open_whole_table(const char *path);

/* End the process with a sentence if a table of the game cannot have this name: none at all, `-`,
 * or that of a folder. NULL is good. */
void require_table_name(const char *output, const char *spec);

#endif
