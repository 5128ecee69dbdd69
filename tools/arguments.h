/* SPDX-License-Identifier: MIT
 *
 * What commands have in common that take a table, and numbers.
 */
#ifndef PLB_TOOLS_ARGUMENTS_H
#define PLB_TOOLS_ARGUMENTS_H

#include <argp.h>
#include <stdint.h>

enum { MOST_THREADS = 1024 };

/* Parses one FILE into the `const char *` that is the parser's input. */
extern const struct argp file_argument_parser;

/* The children of a parser that takes no more than options of its own and a FILE. */
extern const struct argp_child file_argument_child[];

/* Read the number that was given to --option, from `least` to `most`; any other text ends the
 * process with a sentence that tells these. */
uint64_t take_count(const char *option, const char *text, uint64_t least, uint64_t most,
                    struct argp_state *state);

#endif
