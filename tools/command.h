/* SPDX-License-Identifier: MIT
 *
 * The subcommands of `plybase`, and what they share: how they speak and how they end.
 * Results go to stdout, talk to stderr.
 */
#ifndef PLB_TOOLS_COMMAND_H
#define PLB_TOOLS_COMMAND_H

#include <argp.h>
#include <signal.h>

#include "probe/plybase.h"

enum { EXIT_GOOD = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

/* Each takes its own name as argv[0] and returns an exit status. */
int command_build(int argc, char **argv);
int command_plan(int argc, char **argv);
int command_probe(int argc, char **argv);
int command_best(int argc, char **argv);
int command_line(int argc, char **argv);
int command_stats(int argc, char **argv);
int command_info(int argc, char **argv);
int command_verify(int argc, char **argv);
int command_solve(int argc, char **argv);
int command_export(int argc, char **argv);
int command_play(int argc, char **argv);
int command_games(int argc, char **argv);

/* Print "plybase: " and a sentence to stderr, and return EXIT_FAILED. */
int complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Print what went wrong and return the exit status for it: EXIT_USAGE for a bad spec, otherwise
 * EXIT_FAILED. */
int complain_of(int error, const plb_message *message);

/* Flush stdout; what could not be written makes a failure of a success. */
int end_output(int status);

/* Open a table or complain: NULL after a complaint. */
plb_table *open_table(const char *path);

/* Read a number from `least` to `most`; false where the text is none. */
bool parse_count(const char *text, uint64_t least, uint64_t most, uint64_t *count);

/* Read a size such as 512M, 1.5G or 2GiB: bytes, or -1 where the text is none. */
double parse_size(const char *text);

/* Seconds on a clock that only goes forward. */
double seconds_now(void);

/* From now on Ctrl-C and a request to end set the flag that is returned; a second one ends the
 * process. A file size limit becomes an error of writing. */
const volatile sig_atomic_t *catch_interrupts(void);

/* Write a count with separators, as in 69,763,700, and return text. */
char *format_count(uint64_t count, char text[32]);

/* Write an amount of memory, as in 1.5 GiB, and return text. */
char *format_bytes(double bytes, char text[32]);

/* Write a time, as in 1 h 05 min, and return text. */
char *format_seconds(double seconds, char text[32]);

#endif
