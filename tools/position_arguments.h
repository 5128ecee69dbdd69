/* SPDX-License-Identifier: MIT
 *
 * What the commands that answer positions have in common: a table or a game, positions of it, and
 * how they are written.
 */
#ifndef PLB_TOOLS_POSITION_ARGUMENTS_H
#define PLB_TOOLS_POSITION_ARGUMENTS_H

#include <argp.h>
#include <stdbool.h>

typedef struct position_arguments {
    const char *source; /* FILE or SPEC */
    char **positions;   /* [count], at least one */
    int count;
    bool moves, json;
} position_arguments;

/* Parses SOURCE POSITION..., --moves and --json into the position_arguments that are the parser's
 * input. */
extern const struct argp position_arguments_parser;

#endif
