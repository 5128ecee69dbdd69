/* SPDX-License-Identifier: MIT
 *
 * Ctrl-C, requests to end, deadlines; and the clock.
 */
#ifndef PLB_TOOLS_TERMINAL_INTERRUPTS_H
#define PLB_TOOLS_TERMINAL_INTERRUPTS_H

#include <signal.h>

/* Seconds on a clock that only goes forward. */
double seconds_now(void);

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
