/* SPDX-License-Identifier: MIT */
#include "tools/terminal/progress_line.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "tools/terminal/console.h"
#include "tools/terminal/quantity.h"

display begin_display(void) {
    return (display){.terminal = isatty(STDERR_FILENO), .begun = seconds_now()};
}

bool display_is_due(const display *d) {
    if (d->terminal) return seconds_now() - d->shown >= 0.1;
    return seconds_now() - (d->shown > 0 ? d->shown : d->begun) >= 30;
}

bool display_logs_step(const display *d) {
    return !d->terminal && seconds_now() - (d->shown > 0 ? d->shown : d->begun) >= 1;
}

void show_line(display *d, const char *format, ...) {
    va_list arguments;
    d->shown = seconds_now();
    va_start(arguments, format);
    if (d->terminal) fputs("\r\033[K", stderr);
    vfprintf(stderr, format, arguments);
    if (!d->terminal) fputc('\n', stderr);
    fflush(stderr);
    va_end(arguments);
}

void clear_display(const display *d) {
    if (d->terminal && d->shown > 0) fputs("\r\033[K", stderr);
}

char *format_pace(double per_second, const char *things, double seconds_left, char text[96]) {
    char rate[32], time[32];
    if (per_second < 1e7)
        format_count((uint64_t)per_second, rate);
    else
        snprintf(rate, sizeof rate, "%.0f million", per_second / 1e6);
    snprintf(text, 96, "%s %s/s, %s left", rate, things,
             format_seconds(seconds_left < 0.1 ? 0 : seconds_left, time));
    return text;
}

char *format_rate(const display *d, double done, double left, const char *things, char text[96]) {
    double spent = seconds_now() - d->begun;
    *text = 0;
    if (spent < 0.1 || done < 0.001 * (done + left)) return text;
    return format_pace(done / spent, things, left * spent / done, text);
}

char *format_effort(uint64_t nodes, double seconds, char text[112]) {
    char count[32], time[32], rate[32];
    double pace = seconds > 0 ? (double)nodes / seconds : 0;
    snprintf(text, 112, "%s %s in %s, %s nodes/s", format_count(nodes, count),
             nodes == 1 ? "node" : "nodes", format_seconds(seconds, time),
             format_count((uint64_t)pace, rate));
    return text;
}
