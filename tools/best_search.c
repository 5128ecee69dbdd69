/* SPDX-License-Identifier: MIT
 *
 * Arguments of searches for best moves, and how such a search goes.
 */
#include "tools/best_search.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/board.h"
#include "tools/command.h"

/* ---- arguments ---- */

static double parse_seconds(const char *text) {
    char *end;
    double seconds = strtod(text, &end);
    return end == text || *end || !(seconds > 0 && seconds < 1e9) ? -1 : seconds;
}

static error_t parse_option(int key, char *value, struct argp_state *state) {
    best_arguments *a = state->input;
    double bytes;
    switch (key) {
        case ARGP_KEY_INIT:
            state->child_inputs[0] = &a->of;
            return 0;
        case 'n':
            if (!parse_count(value, 1, 1ULL << 62, &a->limits.nodes))
                argp_error(state, "--nodes %s: a number from 1 on is needed", value);
            return 0;
        case 's':
            a->limits.seconds = parse_seconds(value);
            if (a->limits.seconds < 0)
                argp_error(state, "--seconds %s: a time such as 10 or 0.5 is needed", value);
            return 0;
        case 'M':
            bytes = parse_size(value);
            if (!(bytes >= 1 && bytes < 0x1p60))
                argp_error(state, "--memory %s: a size such as 512M or 8G is needed", value);
            a->limits.memory_bytes = (uint64_t)bytes;
            return 0;
        default:
            return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"nodes", 'n', "N", 0, "stop after so many searched positions (default: never)", 0},
    {"seconds", 's', "N", 0, "stop after so long a time (default: never)", 0},
    {"memory", 'M', "SIZE", 0, "memory for what is proven, such as 512M or 8G (64M)", 0},
    {0}};
static const struct argp_child children[] = {{&position_arguments_parser, 0, NULL, 0}, {0}};

void parse_best_arguments(int argc, char **argv, const char *doc, best_arguments *arguments) {
    const struct argp parser = {.options = options,
                                .parser = parse_option,
                                .args_doc = "FILE POSITION...",
                                .doc = doc,
                                .children = children};
    *arguments = (best_arguments){.of.source = NULL};
    argp_parse(&parser, argc, argv, 0, NULL, arguments);
}

int read_best_position(const plb_table *table, const best_arguments *arguments, const char *text,
                       uint64_t *x, uint64_t *o, plb_message *message) {
    return arguments->of.moves ? plb_parse_moves(table, text, x, o, message)
                               : plb_parse_board(table, text, x, o, message);
}

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
