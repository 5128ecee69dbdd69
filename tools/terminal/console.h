/* SPDX-License-Identifier: MIT
 *
 * Messages of commands, their ends, and what interrupts them: Ctrl-C, requests to end, deadlines;
 * and the clock. Results go to stdout, messages to stderr.
 */
#ifndef PLB_TOOLS_TERMINAL_CONSOLE_H
#define PLB_TOOLS_TERMINAL_CONSOLE_H

#include <signal.h>
#include <stdarg.h>
#include <time.h>

#include "tables/message.h"

/* EXIT_USAGE is for what the command line alone shows, or with the game that it names: an unknown
 * command or option, an argument that is missing or one too many, a value that the option or the
 * game does not have, the specification of no game or of one that the command does not take.
 * EXIT_FAILED is for all else: files, positions, what does not fit, answers that say no. */
enum { EXIT_GOOD = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

/* Print "plybase: " and a sentence to stderr, and return EXIT_FAILED. */
int print_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
int vprint_error(const char *format, va_list arguments);

/* Print what went wrong and return the exit status for it: EXIT_USAGE for a bad spec, that of
 * interrupted_status for PLB_EINTERRUPTED, otherwise EXIT_FAILED. */
int report_error(int error, const plb_message *message);

/* That exit status, for a process that leaves the message to another one. */
int error_status(int error);

/* Flush stdout; what could not be written makes a failure of a success. */
int end_output(int status);

/* As many of the wanted threads (at least 1) as the system gives, the calling one among them. Fewer
 * than wanted are reported, under the name of the option. */
int usable_threads(int wanted);

/* ---- the clock, and signals ---- */

/* Seconds on a clock that only goes forward; and on any other one, such as
 * CLOCK_PROCESS_CPUTIME_ID. */
double seconds_now(void);
double clock_seconds(clockid_t clock);

/* From now on Ctrl-C and a request to end (SIGINT, SIGTERM, SIGHUP) set the flag that is returned,
 * unless the parent has them ignored, as nohup and a shell's `&` in a script do; another one that
 * comes two seconds later or more ends the process. A file size limit becomes an error of writing.
 */
const volatile sig_atomic_t *catch_interrupts(void);

/* Let the flag of catch_interrupts become SIGALRM after so long a time, unless it is set before; 0:
 * never, and if it was SIGALRM it is cleared. */
void set_deadline(double seconds);

/* Let this signal interrupt, too. */
void catch_as_interrupt(int number);

/* Set the flag as a request to end does, from any thread. */
void interrupt_now(void *context);

/* The exit status of a command that was interrupted, as shells have it: 128 and the number of the
 * signal. */
int interrupted_status(void);

#endif
