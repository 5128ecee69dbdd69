/* SPDX-License-Identifier: MIT
 *
 * `plybase plan`: what a build would cost.
 */
#include <jansson.h>
#include <stdio.h>

#include "tools/build_options.h"
#include "tools/command.h"

static error_t parse_option(int key, char *value, struct argp_state *state) {
    build_options *o = state->input;
    (void)value;
    if (key == ARGP_KEY_INIT)
        state->child_inputs[0] = o;
    else if (key == 'j')
        o->json = true;
    else
        return ARGP_ERR_UNKNOWN;
    return 0;
}

static const struct argp_option options[] = {{"json", 'j', NULL, 0, "print one JSON object", 0},
                                             {0}};
static const struct argp_child children[] = {{&build_options_parser, 0, NULL, 0}, {0}};
static const struct argp parser = {
    options,
    parse_option,
    "SPEC",
    "Forecast a build: plies, positions, memory, disk and time. Builds nothing.\v"
    "Positions are counted where they are few and sampled where they are many. Times are those of "
    "the machine named in the README, for as many threads; take them for the order of magnitude.",
    children,
    NULL,
    NULL};

/* Memory for as many slabs at a time as --memory allows, or for one. */
static double memory_bytes(const planned_game *p, const build_options *o) {
    int lanes = plb_forecast_lanes(&p->forecast, o->threads, o->memory_bytes);
    return plb_forecast_memory_bytes(&p->forecast, o->threads, lanes ? lanes : 1);
}

static void print_text(const planned_game *p, const build_options *o) {
    const plb_forecast *f = &p->forecast;
    char text[32];
    printf("%5s %18s %18s\n", "ply", "positions", "entries");
    for (int ply = 0; ply <= p->game.cells; ply++)
        printf("%5d %18.4g %18.4g\n", ply, f->ply_positions[ply],
               (double)plb_index_size(&p->index, ply));
    printf("\ngame       %s\n", p->spec);
    printf("plies      %d\n", p->game.cells + 1);
    printf("positions  %s%.4g\n", f->exact ? "" : "about ", f->positions);
    printf("entries    %.4g in the index, %.4g in live blocks\n", f->entries, f->live);
    printf("memory     %s\n", format_bytes(memory_bytes(p, o), text));
    printf("scratch    %s\n", format_bytes(f->scratch_bytes, text));
    printf("table      %s\n", format_bytes(f->table_bytes, text));
    printf("time       %s with %d threads\n", format_seconds(f->seconds / o->threads, text),
           o->threads);
}

static void print_json(const planned_game *p, const build_options *o) {
    const plb_forecast *f = &p->forecast;
    json_t *plies = json_array();
    for (int ply = 0; ply <= p->game.cells; ply++)
        json_array_append_new(
            plies, json_pack("{s:i, s:f, s:f}", "ply", ply, "positions", f->ply_positions[ply],
                             "entries", (double)plb_index_size(&p->index, ply)));
    json_t *object = json_pack(
        "{s:s, s:f, s:b, s:f, s:f, s:f, s:f, s:f, s:f, s:i, s:o}", "spec", p->spec, "positions",
        f->positions, "exact", f->exact, "entries", f->entries, "live", f->live, "memory_bytes",
        memory_bytes(p, o), "scratch_bytes", f->scratch_bytes, "table_bytes", f->table_bytes,
        "seconds", f->seconds / o->threads, "threads", o->threads, "plies", plies);
    json_dumpf(object, stdout, JSON_COMPACT | JSON_REAL_PRECISION(10));
    putchar('\n');
    json_decref(object);
}

int command_plan(int argc, char **argv) {
    build_options o = {0};
    argp_parse(&parser, argc, argv, 0, NULL, &o);
    planned_game planned;
    plb_message message;
    int error = plan_game(&o, &planned, &message);
    int status = error ? complain_of(error, &message) : EXIT_GOOD;
    if (!error) (o.json ? print_json : print_text)(&planned, &o);
    planned_game_free(&planned);
    return end_output(status);
}
