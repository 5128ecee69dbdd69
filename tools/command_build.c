/* SPDX-License-Identifier: MIT
 *
 * `plybase build`: solves a game and shows how it goes.
 */
#include <stdio.h>
#include <string.h>

#include "tools/arguments.h"
#include "tools/build_progress.h"
#include "tools/command.h"

enum { SAVE_SECONDS = 30, MOST_SECONDS = 1 << 20 };

static error_t parse_option(int key, char *value, struct argp_state *state) {
    build_options *o = state->input;
    switch (key) {
        case ARGP_KEY_INIT:
            state->child_inputs[0] = o;
            o->save_seconds = SAVE_SECONDS;
            return 0;
        case 's':
            o->save_seconds = take_count("save-every", value, 0, MOST_SECONDS, state);
            return 0;
        case 'o':
            o->output = value;
            return 0;
        case 'f':
            o->force = true;
            return 0;
        default:
            return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "the table to write (default: SPEC.plb in this folder)", 0},
    {"force", 'f', NULL, 0, "replace a table, or start an unfinished build anew", 0},
    {"save-every", 's', "SECONDS", 0,
     "save what is solved at the end of the first ply after so many seconds (default: 30); an "
     "interrupt saves in any case",
     0},
    {0}};
static const struct argp_child children[] = {{&build_options_parser, 0, NULL, 0}, {0}};
static const struct argp parser = {
    options,
    parse_option,
    "SPEC",
    "Solve a game and write the table of all its positions.\v"
    "SPEC names the game, such as connect-6x5-k4 or mnk-4x4-k4-misere; `plybase games` lists the "
    "forms. The table appears when it is complete; until then work is kept in FILE.part. A build "
    "that was interrupted goes on where it was when the same command is given again.",
    children,
    NULL,
    NULL};

/* Does the scratch fit the disk? */
static int check_disk(const planned_game *planned, const char *output, plb_message *message) {
    char need[32], have[32];
    double scratch = planned->forecast.scratch_bytes, disk = plb_forecast_free_disk(output);
    if (disk == 0 || scratch <= disk) return PLB_OK;
    return plb_fail(message, PLB_ETOOBIG,
                    "%s needs about %s of disk while it is built and %s are free: choose another "
                    "disk with -o",
                    planned->spec, format_bytes(scratch, need), format_bytes(disk, have));
}

static void print_outcome(const char *output, bool existed, double seconds) {
    plb_message message;
    plb_table *table = NULL;
    char count[32], size[32], time[32];
    if (plb_open(output, &table, &message) != PLB_OK) {
        complain("%s", message.text);
        return;
    }
    const plb_table_info *info = plb_info(table);
    fprintf(stderr, "%s: %s positions, %s, %.3f bits per position%s%s\n", output,
            format_count(info->positions, count), format_bytes(info->size_bytes, size),
            8.0 * info->size_bytes / info->positions, existed ? "; it was complete already" : ", ",
            existed ? "" : format_seconds(seconds, time));
    plb_close(table);
}

static int build_table(const build_options *o, planned_game *planned, plb_message *message) {
    char default_output[PLB_SPEC_TEXT + 8];
    snprintf(default_output, sizeof default_output, "%s.plb", planned->spec);
    const char *output = o->output ? o->output : default_output;
    plb_build_options build = {.output = output,
                               .save_seconds = (double)o->save_seconds,
                               .force = o->force,
                               .stop = catch_interrupts(),
                               .report = show_build_progress};
    bool existed = false;
    int error = budget_build(o, planned, &build, message);
    if (!error) error = check_disk(planned, output, message);
    if (error) return error;
    build_progress progress = begin_build_progress(planned, (double)build.spare_bytes);
    build.context = &progress;
    error = plb_build(&planned->game, &build, &existed, message);
    clear_display(&progress.display);
    if (!error) print_outcome(output, existed, seconds_now() - progress.display.begun);
    if (error == PLB_ENOMEM)
        return plb_fail(message, error,
                        "the memory does not suffice: the same command with fewer --threads or "
                        "more --memory goes on where it was (%.200s.part)",
                        output);
    if (error == PLB_EINTERRUPTED) {
        plb_message why = *message;
        return plb_fail(message, error,
                        "%.100s; the same command goes on where it was (%.200s.part)", why.text,
                        output);
    }
    return error;
}

int command_build(int argc, char **argv) {
    build_options o = {0};
    argp_parse(&parser, argc, argv, 0, NULL, &o);
    planned_game planned;
    plb_message message;
    int error = plan_game(&o, &planned, &message);
    if (!error) error = build_table(&o, &planned, &message);
    planned_game_free(&planned);
    return error ? complain_of(error, &message) : EXIT_GOOD;
}
