/* SPDX-License-Identifier: MIT
 *
 * `plybase plan`: forecasts the cost of a build, and can measure the last plies.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "builder/build.h"
#include "tables/stop.h"
#include "tools/answers/json_writer.h"
#include "tools/commands/build_options.h"
#include "tools/commands/commands.h"
#include "tools/terminal/console.h"
#include "tools/terminal/operands.h"
#include "tools/terminal/progress_line.h"
#include "tools/terminal/quantity.h"

/* ---- a trial ---- */

/* What the process has used so far: seconds, and the peak of its memory. */
typedef struct cost {
    double wall, processor, peak_bytes;
} cost;

typedef struct trial {
    const planned_game *planned;
    int threads;
    cost ply_began;
    display display;
} trial;

static cost cost_now(void) {
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    return (cost){.wall = seconds_now(),
                  .processor = plb_clock_seconds(CLOCK_PROCESS_CPUTIME_ID),
                  .peak_bytes = 1024.0 * (double)use.ru_maxrss};
}

/* Print a cell of the table: a forecast and the measured value. */
static void print_pair(const char *format, const char *forecast, const char *measured) {
    char pair[72];
    snprintf(pair, sizeof pair, format, forecast, measured);
    printf("  %-23s", pair);
}

static void report_ply(void *context, const plb_progress *progress) {
    trial *t = context;
    if (progress->ply_done) {
        clear_display(&t->display);
        const plb_forecast_ply *f = &t->planned->forecast.plies[progress->ply];
        double seconds = plb_forecast_backward_seconds(&t->planned->forecast, progress->ply, 0);
        char a[32], b[32];
        cost now = cost_now();
        printf("%3d", progress->ply);
        print_pair("%s, %s", format_seconds(seconds, a),
                   format_seconds(now.processor - t->ply_began.processor, b));
        print_pair("%s, %s", format_seconds(seconds / t->threads, a),
                   format_seconds(now.wall - t->ply_began.wall, b));
        print_pair("%s, %s", format_bytes(f->values_bytes, a),
                   format_bytes((double)progress->values_bytes, b));
        print_pair("%s, %s", format_bytes(f->table_bytes, a),
                   format_bytes((double)progress->table_bytes, b));
        putchar('\n');
        fflush(stdout);
        t->ply_began = cost_now();
    } else if (display_is_due(&t->display)) {
        show_line(&t->display, "ply %2d  %.4g of %.4g entries", progress->ply, progress->work_done,
                  progress->work_total / 2);
    }
}

/* Build the plies from the last one down to options->trial. For each, print the forecast and the
 * measured cost as soon as it is known. Errors: those of plb_build_trial. */
static int run_trial(const build_options *options, const planned_game *planned,
                     plb_message *message) {
    char *output, a[32], b[32];
    const char *file = options->output ? options->output : planned->spec;
    trial t = {.planned = planned,
               .threads = options->threads,
               .ply_began = cost_now(),
               .display = begin_display()};
    plb_build_options build = {.stop = catch_interrupts(), .report = report_ply, .context = &t};
    int error = budget_build(options, planned, &build, message);
    if (error) return error;
    /* Not FILE: an unfinished build of it may exist. */
    if (asprintf(&output, "%s.trial", file) < 0)
        return plb_fail(message, PLB_ENOMEM, "out of memory");
    build.output = output;
    printf("\neach forecast, measured\n");
    printf("ply  %-23s  %-23s  %-23s  %s\n", "processor", "wall", "scratch", "table");
    error = plb_build_trial(&planned->space, &build, options->trial, message);
    free(output);
    clear_display(&t.display);
    if (!error)
        printf("memory  %s needed for the whole build, %s used for these plies\n",
               format_need(build.budget.needed_bytes, a), format_bytes(cost_now().peak_bytes, b));
    return error;
}

/* Positions are counted if this takes at most so many seconds of processor time. */
static const double count_seconds = 1;

#define MIN_NETWORK ((uint64_t)1e6) /* less is a unit that was forgotten */
#define MAX_NETWORK ((uint64_t)1e15)

static const argument_row rows[] = {
    ALL_OF(build_rows),
    JSON(build_options, json),
    NUMBER('T', "trial", "PLY", build_options, trial, 0, PLB_MAX_CELLS,
           "build the plies from the last one down to PLY, without keeping them, and print for "
           "each the forecast and the measured values"),
    TEXT('o', "output", "FILE", build_options, output,
         "keep the work of a trial in FILE.trial.part (default: SPEC.trial.part)"),
    FLAG('p', "plies", build_options, plies, "also print each ply"),
    NUMBER('r', "ranks", "N", build_options, ranks, 2, PLB_MAX_RANKS,
           "forecast a build by N processes on as many machines (builder/CLUSTER.md); memory and "
           "threads are those of each"),
    FLAG('S', "shards", build_options, shards,
         "with --ranks: forecast a build with --shards, in which each process writes a part"),
    COUNT('n', "network", "RATE", build_options, network_bits, MIN_NETWORK, MAX_NETWORK,
          "with --ranks: bits that each sends and receives in a second (default: 10G)"),
    {0}};
static const command_syntax syntax = {
    .operands = "SPEC",
    .purpose =
        "Forecast a build: positions, memory, disk and time. Builds nothing, except with --trial. "
        "If the build does not fit into the memory and the disk, the exit status is 1.",
    .details =
        "If counting takes less than a second, the positions of a board of Connect-k are counted "
        "as `plybase count` does. Otherwise plies of up to 4,096 entries are counted and larger "
        "plies are estimated from samples; estimates are marked with ~. The index has an entry for "
        "every colouring of every set of cells that can be occupied, whether or not it can arise; "
        "only entries without a complete group are solved. Planes are the values of a ply while it "
        "is solved, some bits for each entry. With more memory than is needed, planes stay in "
        "memory and sets of cells are not solved in pieces, which is faster. Disk is the most that "
        "scratch files and table take at one time until the table is complete; `scratch_bytes` in "
        "JSON.\n\nWith --ranks, JSON has `scratch_bytes` of rank 0, `other_scratch_bytes` of each "
        "other rank, `received_bytes` by all ranks in messages, and the parts of `seconds`. The "
        "`network_seconds` are those that the network adds; `undivided_seconds` are of the "
        "forward pass and counting.\n\nTimes are those of an AMD EPYC (Zen 5) with as many "
        "threads; they show the order "
        "of magnitude.",
    .rows = rows};

/* Time of a build / time by the rates (cost_rates.h). The builder has become faster, but the rates
 * cannot be changed: they decide whether a table has the record `columns`. Measured (AMD EPYC, Zen
 * 5): connect-6x5-k4 and 7x6; mnk-5x5-k4 and square-5x5; numeric-3x3. */
static double share_of_rates(const planned_game *p) {
    const double by_keys = 0.2, with_gravity = 0.62, without = 0.75;
    if (p->space.index.kind == PLB_KEYS) return by_keys;
    return p->space.game.gravity ? with_gravity : without;
}

static double wall_seconds(const planned_game *p, const build_options *o) {
    plb_budget budget = plb_budget_make(&p->forecast.memory, o->threads, o->memory_bytes);
    return share_of_rates(p) * plb_forecast_seconds(&p->forecast, (double)budget.ply_memory_bytes) /
           o->threads;
}

/* A count, or `~` and an estimate. */
static char *format_estimate(double number, bool exact, char text[32]) {
    if (exact) return format_count((uint64_t)number, text);
    snprintf(text, 32, "~%.3g", number);
    return text;
}

static void print_plies(const planned_game *p) {
    printf("%5s %18s %22s\n", "ply", "positions", "entries");
    for (int ply = 0; ply <= p->space.game.cells; ply++) {
        const plb_forecast_ply *f = &p->forecast.plies[ply];
        char positions[32], entries[32];
        printf("%5d %18s %22s\n", ply, format_estimate(f->positions, f->counted, positions),
               format_estimate(f->entries, f->entries < 1e15, entries));
    }
    putchar('\n');
}

static void print_text(const planned_game *p, const build_options *o, const build_needs *needs) {
    const plb_forecast *f = &p->forecast;
    char text[32], more[32];
    if (o->plies) print_plies(p);
    printf("game       %s\n", p->spec);
    printf("plies      %d\n", p->space.game.cells + 1);
    printf("positions  %s, %s\n", format_estimate(f->positions, f->counted, text),
           f->counted                        ? "counted"
           : p->space.index.kind == PLB_KEYS ? "as many as if no game ended before the last ply"
                                             : "sampled");
    printf("entries    %.4g in the index, of which %s%.4g are to be solved\n", f->entries,
           f->exact ? "" : "~", f->live);
    enum { ENOUGH = 1 << 30 }; /* GiB */
    double whole = plb_budget_make(&f->memory, o->threads, ENOUGH * 0x1p30).needed_bytes;
    double ample = whole + plb_budget_spare_for_planes(f->held_bytes);
    printf("memory     %s needed", format_need(needs->memory_needed, text));
    if (f->held_bytes > 0)
        printf("; faster with %s more, which hold all planes",
               format_bytes(ample - needs->memory_needed, more));
    putchar('\n');
    printf("table      %s\n", format_bytes(f->table_bytes, text));
    printf("disk       %s for the table and the work on it", format_need(needs->disk_needed, text));
    if (needs->disk_has > 0) printf("; %s are free", format_room(needs->disk_has, text));
    putchar('\n');
    if (needs->memory_fits && needs->disk_fits)
        printf("time       %s with %d thread%s\n", format_seconds(wall_seconds(p, o), text),
               o->threads, o->threads == 1 ? "" : "s");
    else
        printf("does not fit: needs");
    if (!needs->memory_fits)
        printf(" %s of memory, has %s%s", format_need(needs->memory_needed, text),
               format_room(needs->memory_has, more), o->memory_given ? " (--memory)" : "");
    if (!needs->memory_fits && !needs->disk_fits) printf("; and");
    if (!needs->disk_fits)
        printf(" %s of disk, has %s", format_need(needs->disk_needed, text),
               format_room(needs->disk_has, more));
    if (!needs->memory_fits || !needs->disk_fits) putchar('\n');
}

static void print_json(const planned_game *p, const build_options *o, const build_needs *needs) {
    const plb_forecast *f = &p->forecast;
    json_writer w = begin_json_object();
    put_word(&w, "spec", p->spec);
    put_estimate(&w, "positions", f->positions);
    put_flag(&w, "exact", f->counted);
    put_estimate(&w, "entries", f->entries);
    put_estimate(&w, "live", f->live);
    put_estimate(&w, "memory_bytes", needs->memory_needed);
    put_estimate(&w, "held_bytes", plb_budget_spare_for_planes(f->held_bytes));
    put_estimate(&w, "scratch_bytes", needs->disk_needed);
    put_estimate(&w, "table_bytes", f->table_bytes);
    bool fits = needs->memory_fits && needs->disk_fits;
    put_flag(&w, "fits", fits);
    put_real(&w, "seconds", fits ? wall_seconds(p, o) : NAN);
    put_number(&w, "threads", o->threads);
    open_list(&w, "plies");
    for (int ply = 0; ply < p->space.game.cells + 1; ply++) {
        const plb_forecast_ply *one = &f->plies[ply];
        open_object(&w, NULL);
        put_number(&w, "ply", ply);
        put_estimate(&w, "positions", one->positions);
        put_flag(&w, "exact", one->counted);
        put_estimate(&w, "entries", one->entries);
        close_object(&w);
    }
    close_list(&w);
    print_json_object(&w);
}

/* Print the plan, then run the trial if there is one. */
static int show_plan(const build_options *o, const planned_game *planned) {
    plb_message message;
    if (o->trial > planned->space.game.cells)
        fail_usage("--trial %d: the last ply of %s is %d", o->trial, planned->spec,
                   planned->space.game.cells);
    if (o->trial >= 0 && planned->space.index.kind == PLB_KEYS)
        fail_usage("--trial %d: a trial is of slabs, and %s would be solved by keys", o->trial,
                   planned->spec);
    if (o->ranks && o->trial >= 0) fail_usage("--ranks %d: it has no trial", o->ranks);
    if (o->trial >= 0 && o->json) fail_usage("--trial %d: a trial prints no JSON", o->trial);
    if (o->ranks) return show_rank_plan(o, planned, share_of_rates(planned));
    build_needs needs = find_build_needs(o, planned);
    (o->json ? print_json : print_text)(planned, o, &needs);
    int error = o->trial >= 0 ? run_trial(o, planned, &message) : PLB_OK;
    if (error) return report_error(error, &message);
    return needs.memory_fits && needs.disk_fits ? EXIT_GOOD : EXIT_FAILED;
}

int command_plan(int argc, char **argv) {
    build_options o;
    parse_build_options(argc, argv, &syntax, &o);
    if (!o.ranks && (o.shards || o.network_bits))
        fail_usage("--%s needs --ranks", o.shards ? "shards" : "network");
    if (!o.network_bits) o.network_bits = 10000000000;
    planned_game planned;
    plb_message message;
    int error = plan_game(&o, NULL, &planned, &message);
    if (!error) {
        display d = begin_display();
        if (display_is_due(&d)) show_line(&d, "counting positions");
        error = plb_forecast_count(&planned.space.game, count_seconds, o.threads,
                                   catch_interrupts(), &planned.forecast, &message);
        clear_display(&d);
    }
    int status = error ? report_error(error, &message) : show_plan(&o, &planned);
    plb_space_close(&planned.space);
    return end_output(status);
}
