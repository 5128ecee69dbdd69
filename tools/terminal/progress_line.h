/* SPDX-License-Identifier: MIT
 *
 * Progress on stderr. On a terminal it is one line that is overwritten; otherwise, as in a log, it
 * is a new line every half minute. The commands decide what it says.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct display {
    bool terminal;       /* stderr is a terminal */
    double begun, shown; /* monotonic seconds: the start, and the last line (0: none yet) */
} display;

/* Start the clock. */
display begin_display(void);

/* Is it time for another line? On a terminal after 0.1 s, otherwise after half a minute. */
bool display_is_due(const display *d);

/* Should a finished step, such as a ply, get a line? Only in a log, at most once a second. */
bool display_logs_step(const display *d);

/* Overwrite the line of a terminal, or write a new line. */
void show_line(display *d, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Erase the line of a terminal, before other output. */
void clear_display(const display *d);

/* Format a rate and the time left, as in `3,120,000 positions/s, 12 s left`. Returns text. */
char *format_pace(double per_second, const char *things, double seconds_left, char text[96]);

/* The same, computed from the numbers of things done and left, which take equally long. The text is
 * empty while too little is done for an estimate. */
char *format_rate(const display *d, double done, double left, const char *things, char text[96]);

/* Format the cost of a search, as in `1,277 nodes in 0.0059 s, 217,043 nodes/s`. */
char *format_effort(uint64_t nodes, double seconds, char text[112]);
