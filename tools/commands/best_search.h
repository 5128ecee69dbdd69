/* SPDX-License-Identifier: MIT
 *
 * What `best` and `line` have in common: arguments, and a search that can be watched and
 * interrupted. Uses the public header alone.
 */
#ifndef PLB_TOOLS_SEARCH_BEST_SEARCH_H
#define PLB_TOOLS_SEARCH_BEST_SEARCH_H

#include <signal.h>

#include "probe/plybase.h"
#include "tools/display.h"
#include "tools/position_arguments.h"

typedef struct best_arguments {
    position_arguments of;
    plb_limits limits;   /* nodes and seconds; 0: none */
    double memory_bytes; /* 0: as the library has it */
} best_arguments;

/* All arguments, into best_arguments. */
extern const argument_row best_rows[];

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
