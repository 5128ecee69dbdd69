/* SPDX-License-Identifier: MIT
 *
 * Searches for best moves.
 */
#include "tools/commands/best_search.h"

#include <stdio.h>

#include "tables/stop.h"
#include "tools/terminal/board.h"
#include "tools/terminal/console.h"
#include "tools/terminal/interrupts.h"
#include "tools/terminal/quantity.h"
#include "tools/terminal/table_names.h"

/* ---- arguments ---- */

const argument_row best_rows[] = {
    INCLUDED(file_position_rows, best_arguments, of),
    COUNT('n', "nodes", "N", best_arguments, limits.nodes, 1, MOST_NODES,
          "stop after N searched positions (default: never)"),
    SECONDS('s', "seconds", best_arguments, limits.seconds,
            "stop after this time (default: never)"),
    SIZE('M', "memory", best_arguments, memory_bytes,
         "memory for what is proven, such as 512M or 8G (64M)"),
    {0}};

/* ---- watching ---- */

static bool watch_bounds(void *context, const plb_bounds *bounds) {
    best_question *q = context;
    char text[64], nodes[32];
    if (display_is_due(&q->shown) && bounds->seconds > 0.2)
        show_line(&q->shown, "%s, %s nodes", format_bounds(q->value, bounds, text),
                  format_count(bounds->nodes, nodes));
    return !plb_is_stopped(q->stop);
}

int begin_best_question(best_question *q, const char *text, plb_message *message) {
    plb_answer answer;
    int error = read_position(q->table, q->arguments, text, &q->x, &q->o, message);
    if (!error) error = plb_probe(q->table, q->x, q->o, &answer, message);
    if (error) return error;
    q->value = answer.value;
    q->shown.shown = 0;
    return PLB_OK;
}

int run_best_command(int argc, char **argv, const command_syntax *syntax,
                     position_answerer *answerer, best_question *q) {
    best_arguments a = {0};
    parse_arguments(argc, argv, syntax, &a);
    plb_table *table = open_table(a.of.source);
    if (!table) return EXIT_FAILED;
    *q = (best_question){.table = table,
                         .arguments = &a.of,
                         .limits = a.limits,
                         .shown = begin_display(),
                         .stop = catch_interrupts()};
    q->limits.memory_bytes = (uint64_t)a.memory_bytes;
    q->limits.report = watch_bounds;
    q->limits.context = q;
    answerer->paragraphs = true;
    answerer->stop = q->stop;
    int status = answer_positions(&a.of, answerer);
    plb_close(table);
    return end_output(status);
}

/* ---- texts ---- */

char *format_bounds(plb_value value, const plb_bounds *bounds, char text[64]) {
    if (bounds->least < bounds->most)
        snprintf(text, 64, "%s in %d to %d plies", plb_value_text(value), bounds->least,
                 bounds->most);
    else
        format_outcome(value, bounds->least, text);
    return text;
}

char *format_stop(const best_question *q, const plb_bounds *bounds, char text[96]) {
    char nodes[32], time[32];
    snprintf(text, 96, "%s after %s nodes, %s", *q->stop ? "interrupted" : "stopped",
             format_count(bounds->nodes, nodes), format_seconds(bounds->seconds, time));
    return text;
}
