/* SPDX-License-Identifier: MIT
 *
 * How many threads the system gives. OpenMP ends the program where it cannot make a thread, so they
 * are tried before it is asked for them; builds would do with fewer, and say so in the same way.
 */
#ifndef PLB_TOOLS_TERMINAL_THREAD_COUNT_H
#define PLB_TOOLS_TERMINAL_THREAD_COUNT_H

/* As many of the wanted threads (at least 1) as can be made now, the calling one among them. Fewer
 * than wanted are reported on stderr, under the name of the option. */
int usable_threads(int wanted);

#endif
