/* SPDX-License-Identifier: MIT
 *
 * How long work goes: one line on stderr that is written over again and again where stderr is a
 * terminal; elsewhere, as in a log, a line each half minute. The subcommands decide what stands in
 * it.
 */
#ifndef PLB_TOOLS_TERMINAL_PROGRESS_LINE_H
#define PLB_TOOLS_TERMINAL_PROGRESS_LINE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct display {
    bool terminal;
    double begun, shown; /* seconds on the monotonic clock; shown is 0 before the first line */
} display;

/* Begin the time that is measured. */
display begin_display(void);

/* Is it time for another line? Ten times a second on a terminal, else each half minute. */
bool display_is_due(const display *d);

/* Is a step that is done, such as a ply, worth a line in a log? Once in a second. */
bool display_logs_step(const display *d);

/* Write over the line, or a new one. */
void show_line(display *d, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Remove the line, before anything else is printed. */
void clear_display(const display *d);

/* Write what is done per second and the time left, as in `3,120,000 positions/s, 12 s left`, and
 * return text. */
char *format_pace(double per_second, const char *things, double seconds_left, char text[96]);

/* The same, from what is done and left of things that take equally long. It is empty as long as too
 * little is done for an estimate. */
char *format_rate(const display *d, double done, double left, const char *things, char text[96]);

/* What a search has taken, as in `1,277 nodes in 0.0059 s, 217,043 nodes/s`. */
char *format_effort(uint64_t nodes, double seconds, char text[112]);

#endif
