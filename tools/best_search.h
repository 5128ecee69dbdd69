/* SPDX-License-Identifier: MIT
 *
 * What `best` and `line` have in common: arguments, and a search that can be watched and
 * interrupted. Uses the public header alone.
 */
#ifndef PLB_TOOLS_BEST_SEARCH_H
#define PLB_TOOLS_BEST_SEARCH_H

#include <signal.h>

#include "probe/plybase.h"
#include "tools/display.h"
#include "tools/position_arguments.h"

typedef struct best_arguments {
    position_arguments of;
    plb_limits limits;
} best_arguments;

/* Parse FILE POSITION... and the options; ends the process where they are wrong. doc is the help:
 * what the command does, `\v`, and more of it. */
void parse_best_arguments(int argc, char **argv, const char *doc, best_arguments *arguments);

/* A position from its text. Errors: those of plb_parse_board and plb_parse_moves. */
int read_best_position(const plb_table *table, const best_arguments *arguments, const char *text,
                       uint64_t *x, uint64_t *o, plb_message *message);

/* A search of one position after another. Bounds are shown on stderr while it goes on; Ctrl-C
 * stops it. */
typedef struct watched_search {
    plb_limits limits; /* for plb_find_best and plb_find_line */
    plb_value value;   /* shown with the bounds */
    display shown;
    const volatile sig_atomic_t *stop;
} watched_search;

/* The search refers to itself and must stay where it is. */
void begin_watched_search(watched_search *search, const best_arguments *arguments);

/* Before another position, and when the bounds are no longer to be seen. */
void watch_position(watched_search *search, plb_value value);
void end_watched_position(watched_search *search);

/* Write value and bounds, as in `win in 13 to 21 plies`, and return text. */
char *format_bounds(plb_value value, const plb_bounds *bounds, char text[64]);

/* Write what ended a search, as in `stopped after 1,000 nodes, 0.2 s`, and return text. */
char *format_stop(const watched_search *search, const plb_bounds *bounds, char text[96]);

#endif
