/* SPDX-License-Identifier: MIT
 *
 * `plybase plan`: what a build would cost.
 */
#include <jansson.h>
#include <math.h>
#include <stdio.h>

#include "tools/build_options.h"
#include "tools/command.h"
#include "tools/plan_trial.h"

static error_t parse_option(int key, char *value, struct argp_state *state) {
    build_options *o = state->input;
    uint64_t ply;
    switch (key) {
        case ARGP_KEY_INIT:
            state->child_inputs[0] = o;
            return 0;
        case 'j':
            o->json = true;
            return 0;
        case 'o':
            o->output = value;
            return 0;
        case 'T':
            if (!parse_count(value, 0, PLB_MAX_CELLS, &ply))
                argp_error(state, "--trial %s: a ply is needed", value);
            o->trial = (int)ply;
            return 0;
        default:
            return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"json", 'j', NULL, 0, "print one JSON object", 0},
    {"trial", 'T', "PLY", 0,
     "build the plies from the last one down to PLY, without keeping them, and print what each was "
     "forecast to take and what it took",
     0},
    {"output", 'o', "FILE", 0, "keep the work of a trial in FILE.part (default: SPEC.trial)", 0},
    {0}};
static const struct argp_child children[] = {{&build_options_parser, 0, NULL, 0}, {0}};
static const struct argp parser = {
    options,
    parse_option,
    "SPEC",
    "Forecast a build: plies, positions, memory, disk and time. Builds nothing, but for a trial.\v"
    "Positions are counted where they are few and sampled where they are many. Times are those of "
    "the machine named in the README, for as many threads; take them for the order of magnitude.",
    children,
    NULL,
    NULL};

/* Memory for as many slabs at a time as --memory allows, or for one. */
static double needed_bytes(const planned_game *p, const build_options *o) {
    int lanes[PLB_MAX_CELLS + 1];
    return plb_forecast_lanes(&p->forecast, o->threads, o->memory_bytes, lanes);
}

/* On the clock, with the rest of --memory to hold planes in. */
static double wall_seconds(const planned_game *p, const build_options *o) {
    double spare = fmax(0, o->memory_bytes - needed_bytes(p, o));
    return plb_forecast_seconds(&p->forecast, spare) / o->threads;
}

static void print_text(const planned_game *p, const build_options *o) {
    const plb_forecast *f = &p->forecast;
    char text[32];
    printf("%5s %18s %18s\n", "ply", "positions", "entries");
    for (int ply = 0; ply <= p->game.cells; ply++)
        printf("%5d %18.4g %18.4g\n", ply, f->plies[ply].positions, f->plies[ply].entries);
    printf("\ngame       %s\n", p->spec);
    printf("plies      %d\n", p->game.cells + 1);
    printf("positions  %s%.4g\n", f->exact ? "" : "about ", f->positions);
    printf("entries    %.4g in the index, %.4g in live blocks\n", f->entries, f->live);
    printf("memory     %s", format_bytes(needed_bytes(p, o), text));
    printf(" needed, %s more to hold all planes\n",
           format_bytes(PLB_HELD_SHARE * f->held_bytes, text));
    printf("scratch    %s\n", format_bytes(f->scratch_bytes, text));
    printf("table      %s\n", format_bytes(f->table_bytes, text));
    printf("time       %s with %d threads\n", format_seconds(wall_seconds(p, o), text), o->threads);
}

static void print_json(const planned_game *p, const build_options *o) {
    const plb_forecast *f = &p->forecast;
    json_t *plies = json_array();
    for (int ply = 0; ply <= p->game.cells; ply++)
        json_array_append_new(
            plies, json_pack("{s:i, s:f, s:f}", "ply", ply, "positions", f->plies[ply].positions,
                             "entries", f->plies[ply].entries));
    json_t *object = json_pack(
        "{s:s, s:f, s:b, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:i, s:o}", "spec", p->spec,
        "positions", f->positions, "exact", f->exact, "entries", f->entries, "live", f->live,
        "memory_bytes", needed_bytes(p, o), "held_bytes", PLB_HELD_SHARE * f->held_bytes,
        "scratch_bytes", f->scratch_bytes, "table_bytes", f->table_bytes, "seconds",
        wall_seconds(p, o), "threads", o->threads, "plies", plies);
    json_dumpf(object, stdout, JSON_COMPACT | JSON_REAL_PRECISION(10));
    putchar('\n');
    json_decref(object);
}

/* Print the plan, and try it if that is asked for. */
static int show_plan(const build_options *o, const planned_game *planned) {
    plb_message message;
    if (o->trial > planned->game.cells)
        return complain("--trial %d: the last ply of %s is %d", o->trial, planned->spec,
                        planned->game.cells);
    (o->json ? print_json : print_text)(planned, o);
    int error = o->trial >= 0 ? run_trial(o, planned, &message) : PLB_OK;
    return error ? complain_of(error, &message) : EXIT_GOOD;
}

int command_plan(int argc, char **argv) {
    build_options o = {.trial = -1};
    argp_parse(&parser, argc, argv, 0, NULL, &o);
    planned_game planned;
    plb_message message;
    int error = plan_game(&o, &planned, &message);
    int status = error ? complain_of(error, &message) : show_plan(&o, &planned);
    planned_game_free(&planned);
    return end_output(status);
}
