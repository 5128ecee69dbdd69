/* SPDX-License-Identifier: MIT
 *
 * How commands speak and how they end. Results go to stdout, messages to stderr.
 */
#ifndef PLB_TOOLS_TERMINAL_CONSOLE_H
#define PLB_TOOLS_TERMINAL_CONSOLE_H

#include <stdarg.h>

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

#endif
