/* SPDX-License-Identifier: MIT
 *
 * What `best` and `line` have in common: arguments, a search that can be watched and interrupted,
 * and how such a command runs. Uses the public header alone.
 */
#ifndef PLB_TOOLS_COMMANDS_BEST_SEARCH_H
#define PLB_TOOLS_COMMANDS_BEST_SEARCH_H

#include <signal.h>

#include "tools/answers/position_answers.h"
#include "tools/terminal/progress_line.h"

typedef struct best_arguments {
    position_arguments of;
    plb_limits limits;   /* nodes and seconds; 0: none */
    double memory_bytes; /* 0: as the library has it */
} best_arguments;

/* All arguments, into best_arguments. */
extern const argument_row best_rows[];

/* Positions asked one after another. Bounds are shown on stderr while a search runs; Ctrl-C stops
 * it. */
typedef struct best_question {
    const plb_table *table;
    const position_arguments *arguments;
    plb_limits limits; /* for plb_find_best and plb_find_line */
    uint64_t x, o;     /* the position that is asked now, */
    plb_value value;   /* and its value, shown with the bounds */
    display shown;
    const volatile sig_atomic_t *stop;
} best_question;

/* Read and probe the position that is asked now. Errors: those of read_position and plb_probe. */
int begin_best_question(best_question *question, const char *text, plb_message *message);

/* Run the command: read its arguments, open the table, answer the positions and end. The question
 * is part of the answerer's context and stays where it is. Returns the exit status. */
int run_best_command(int argc, char **argv, const command_syntax *syntax,
                     position_answerer *answerer, best_question *question);

/* Write value and bounds, as in `win in 13 to 21 plies`, and return text. */
char *format_bounds(plb_value value, const plb_bounds *bounds, char text[64]);

/* Write what ended a search, as in `stopped after 1,000 nodes, 0.2 s`, and return text. */
char *format_stop(const best_question *question, const plb_bounds *bounds, char text[96]);

#endif
