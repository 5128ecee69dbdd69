/* SPDX-License-Identifier: MIT
 *
 * The subcommands of `plybase`, and what they share: how they speak and how they end.
 * Results go to stdout, messages to stderr.
 */
#ifndef PLB_TOOLS_TERMINAL_CONSOLE_H
#define PLB_TOOLS_TERMINAL_CONSOLE_H

#include <signal.h>
#include <stdarg.h>

#include "probe/plybase.h"
#include "tools/terminal/quantity.h"

/* EXIT_USAGE is for what the command line alone shows, or with the game that it names: an unknown
 * command or option, an argument that is missing or one too many, a value that the option or the
 * game does not have, the specification of no game or of one that the command does not take.
 * EXIT_FAILED is for all else: files, positions, what does not fit, answers that say no. */
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
int command_strategy(int argc, char **argv);
int command_serve(int argc, char **argv);
int command_pairing(int argc, char **argv);
int command_ring(int argc, char **argv);
int command_count(int argc, char **argv);
int command_games(int argc, char **argv);

/* Print "plybase: " and a sentence to stderr, and return EXIT_FAILED. */
int complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
int complain_with(const char *format, va_list arguments);

/* Print what went wrong and return the exit status for it: EXIT_USAGE for a bad spec, that of
 * interrupted_status for PLB_EINTERRUPTED, otherwise EXIT_FAILED. */
int complain_of(int error, const plb_message *message);

/* Flush stdout; what could not be written makes a failure of a success. */
int end_output(int status);

/* Open a table or complain: NULL after a complaint. */
plb_table *open_table(const char *path);

/* The same for commands that ask more than a strategy can tell; it is refused. */
plb_table *open_whole_table(const char *path);

/* As many of the wanted threads (at least 1) as the system gives, the calling one among them. Fewer
 * than wanted are reported, under the name of the option. */
int usable_threads(int wanted);

/* Seconds on a clock that only goes forward. */
double seconds_now(void);

/* From now on Ctrl-C and a request to end set the flag that is returned; another one that comes two
 * seconds later or more ends the process. A file size limit becomes an error of writing. */
const volatile sig_atomic_t *catch_interrupts(void);

/* Let the flag of catch_interrupts become SIGALRM after so long a time, unless it is set before; 0:
 * never, and if it was SIGALRM it is cleared. */
void set_deadline(double seconds);

/* The exit status of a command that was interrupted, as shells have it: 128 and the number of the
 * signal. */
int interrupted_status(void);

#endif
