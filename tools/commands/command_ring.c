/* SPDX-License-Identifier: MIT
 *
 * `plybase ring`: solves misere Connect-3 on a ring: one row of odd width.
 */
#include <stdio.h>

#include "tables/games/game_spec.h"
#include "tools/answers/json_writer.h"
#include "tools/commands/commands.h"
#include "tools/strategy/ring_search.h"
#include "tools/terminal/arguments.h"
#include "tools/terminal/console.h"
#include "tools/terminal/progress_line.h"
#include "tools/terminal/quantity.h"

typedef struct arguments {
    operand_list widths;
    double memory_bytes;
    bool json;
} arguments;

static const argument_row rows[] = {
    OPERANDS("WIDTH", arguments, widths, 1),
    SIZE('M', "memory", arguments, memory_bytes, "memory for known positions, such as 2G (512M)"),
    JSON(arguments, json),
    {0}};
static const command_syntax syntax = {
    .operands = "WIDTH...",
    .purpose =
        "Find who wins misere Connect-3 in a ring: one row of odd width, whose ends are adjacent.",
    .details =
        "WIDTH is odd, from 3 to 63; each width takes four to seven times as long as the previous "
        "one. The second player never loses in such a ring: he wins, or it is a draw. `plybase "
        "solve connect-9x1-k3-misere-cylinder` gives the same answer by a general search, also "
        "with the length of the game.",
    .rows = rows};

typedef struct ring_display {
    display display;
    int width;
} ring_display;

static void show_progress(void *context, uint64_t nodes) {
    ring_display *d = context;
    char effort[112];
    if (nodes > 1 && display_is_due(&d->display))
        show_line(&d->display, "width %d  %s", d->width,
                  format_effort(nodes, seconds_now() - d->display.begun, effort));
}

static int answer(const arguments *a, int width, const volatile sig_atomic_t *stop) {
    ring_display d = {begin_display(), width};
    const ring_options o = {.width = width,
                            .memory_bytes = a->memory_bytes,
                            .stop = stop,
                            .report = show_progress,
                            .context = &d};
    ring_result result;
    plb_message message;
    char effort[112], spec[PLB_SPEC_TEXT];
    snprintf(spec, sizeof spec, "connect-%dx1-k3-misere-cylinder", width);
    int error = ring_search(&o, &result, &message);
    double seconds = seconds_now() - d.display.begun;
    clear_display(&d.display);
    if (error) return report_error(error, &message);
    if (a->json) {
        json_writer w = begin_json_object();
        put_word(&w, "spec", spec);
        put_word(&w, "to_move", "x");
        put_word(&w, "value", result.second_wins ? "loss" : "draw");
        put_number(&w, "nodes", (int64_t)result.nodes);
        put_real(&w, "seconds", seconds);
        print_json_object(&w);
    } else {
        printf("%s: %s  (%s)\n", spec, result.second_wins ? "the second player wins" : "draw",
               format_effort(result.nodes, seconds, effort));
    }
    fflush(stdout);
    return EXIT_GOOD;
}

static int read_width(const char *text) {
    uint64_t width;
    if (!parse_count(text, 3, RING_MAX_WIDTH, &width) || width % 2 == 0)
        fail_usage("WIDTH is an odd number from 3 to %d, not '%.40s'", RING_MAX_WIDTH, text);
    return (int)width;
}

int command_ring(int argc, char **argv) {
    arguments a = {.memory_bytes = 512 << 20};
    int status = EXIT_GOOD;
    parse_arguments(argc, argv, &syntax, &a);
    for (int i = 0; i < a.widths.count; i++) read_width(a.widths.items[i]);
    const volatile sig_atomic_t *stop = catch_interrupts();
    for (int i = 0; i < a.widths.count && status == EXIT_GOOD; i++)
        status = answer(&a, read_width(a.widths.items[i]), stop);
    return end_output(status);
}
