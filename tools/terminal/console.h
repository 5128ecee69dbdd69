/* SPDX-License-Identifier: MIT
 *
 * Error messages, exit statuses, interruption by signals and deadlines, and the clock. Results go
 * to stdout, messages to stderr.
 */
#pragma once

#include <signal.h>
#include <stdarg.h>

#include "tables/message.h"

/* EXIT_USAGE: the command line itself is wrong. An unknown command or option, a missing or an extra
 * argument, a value that the option or the game does not have, an invalid spec, or a game that the
 * command does not take. EXIT_FAILED: everything else, such as a bad file or position, a lack of
 * memory or disk, or a negative answer. */
enum { EXIT_GOOD = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

/* Print "plybase: " and a sentence to stderr, and return EXIT_FAILED. */
int print_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
int vprint_error(const char *format, va_list arguments);

/* Print the message and return error_status(error). */
int report_error(int error, const plb_message *message);

/* The exit status for an error: EXIT_USAGE for a bad spec, interrupted_status() for
 * PLB_EINTERRUPTED, otherwise EXIT_FAILED. */
int error_status(int error);

/* Flush stdout and return the status; print an error and return EXIT_FAILED if output was lost. */
int end_output(int status);

/* How many threads the system allows, from 1 (the calling thread) to `wanted`. If they are fewer
 * than wanted, a message that names --threads says so. */
int usable_threads(int wanted);

/* ---- the clock, and signals ---- */

/* Seconds on the monotonic clock. */
double seconds_now(void);

/* From now on SIGINT (Ctrl-C), SIGTERM and SIGHUP store their number in the flag that is returned.
 * A signal that the parent process ignores stays ignored (nohup and `&` in a shell script do this).
 * A second signal, two or more seconds after the first, ends the process. */
const volatile sig_atomic_t *catch_interrupts(void);

/* Store SIGALRM in the flag of catch_interrupts after this time, unless another signal is there. 0:
 * cancel the deadline, and clear the flag if it has SIGALRM. */
void set_deadline(double seconds);

/* Let one more signal interrupt. */
void catch_as_interrupt(int number);

/* Interrupt as SIGTERM does; may be called by any thread. The context is not used. */
void interrupt_now(void *context);

/* The exit status of an interrupted command, as in shells: 128 plus the number of the signal. */
int interrupted_status(void);
