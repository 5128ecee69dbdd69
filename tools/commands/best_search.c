/* SPDX-License-Identifier: MIT
 *
 * Arguments of searches for best moves, and how such a search goes.
 */
#include "tools/commands/best_search.h"

#include <stdio.h>

#include "tools/board.h"
#include "tools/command.h"

/* ---- arguments ---- */

const argument_row best_rows[] = {
    INCLUDED(file_position_rows, best_arguments, of),
    COUNT('n', "nodes", "N", best_arguments, limits.nodes, 1, MOST_NODES,
          "stop after so many searched positions (default: never)"),
    SECONDS('s', "seconds", best_arguments, limits.seconds,
            "stop after so long a time (default: never)"),
    SIZE('M', "memory", best_arguments, memory_bytes,
         "memory for what is proven, such as 512M or 8G (64M)"),
    {0}};

/* ---- watching ---- */

static bool watch_bounds(void *context, const plb_bounds *bounds) {
    watched_search *search = context;
    char text[64], nodes[32];
    if (display_is_due(&search->shown) && bounds->seconds > 0.2)
        show_line(&search->shown, "%s, %s nodes", format_bounds(search->value, bounds, text),
                  format_count(bounds->nodes, nodes));
    return !*search->stop;
}

void begin_watched_search(watched_search *search, const best_arguments *arguments) {
    *search = (watched_search){
        .limits = arguments->limits, .shown = begin_display(), .stop = catch_interrupts()};
    search->limits.memory_bytes = (uint64_t)arguments->memory_bytes;
    search->limits.report = watch_bounds;
    search->limits.context = search;
}

void watch_position(watched_search *search, plb_value value) {
    search->value = value;
    search->shown.shown = 0;
}

void end_watched_position(watched_search *search) {
    clear_display(&search->shown);
}

char *format_bounds(plb_value value, const plb_bounds *bounds, char text[64]) {
    if (bounds->least < bounds->most)
        snprintf(text, 64, "%s in %d to %d plies", plb_value_text(value), bounds->least,
                 bounds->most);
    else
        format_outcome(value, bounds->least, text);
    return text;
}

char *format_stop(const watched_search *search, const plb_bounds *bounds, char text[96]) {
    char nodes[32], time[32];
    snprintf(text, 96, "%s after %s nodes, %s", *search->stop ? "interrupted" : "stopped",
             format_count(bounds->nodes, nodes), format_seconds(bounds->seconds, time));
    return text;
}
