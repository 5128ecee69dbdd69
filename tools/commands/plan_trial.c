/* SPDX-License-Identifier: MIT
 *
 * Trials: forecast and measurement of each ply, side by side.
 */
#include "tools/commands/plan_trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "builder/build.h"
#include "tools/terminal/interrupts.h"
#include "tools/terminal/progress_line.h"
#include "tools/terminal/quantity.h"

/* Of the whole process. */
typedef struct cost {
    double wall, processor;
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
    return (cost){seconds_now(), (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
                                     1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec)};
}

static double peak_bytes(void) {
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    return 1024.0 * (double)use.ru_maxrss;
}

/* A forecast and a measurement. */
static void print_pair(const char *format, const char *forecast, const char *measured) {
    char pair[72];
    snprintf(pair, sizeof pair, format, forecast, measured);
    printf("  %-23s", pair);
}

static void print_ply(const trial *t, const plb_progress *p) {
    const plb_forecast_ply *f = &t->planned->forecast.plies[p->ply];
    double seconds = plb_forecast_backward_seconds(&t->planned->forecast, p->ply, 0);
    char a[32], b[32];
    cost now = cost_now();
    printf("%3d", p->ply);
    print_pair("%s, %s", format_seconds(seconds, a),
               format_seconds(now.processor - t->ply_began.processor, b));
    print_pair("%s, %s", format_seconds(seconds / t->threads, a),
               format_seconds(now.wall - t->ply_began.wall, b));
    print_pair("%s, %s", format_bytes(f->values_bytes, a),
               format_bytes((double)p->values_bytes, b));
    print_pair("%s, %s", format_bytes(f->table_bytes, a), format_bytes((double)p->table_bytes, b));
    putchar('\n');
    fflush(stdout);
}

static void report_ply(void *context, const plb_progress *progress) {
    trial *t = context;
    if (progress->ply_done) {
        clear_display(&t->display);
        print_ply(t, progress);
        t->ply_began = cost_now();
    } else if (display_is_due(&t->display)) {
        show_line(&t->display, "ply %2d  %.4g of %.4g entries", progress->ply, progress->work_done,
                  progress->work_total / 2);
    }
}

int run_trial(const build_options *options, const planned_game *planned, plb_message *message) {
    char *output, a[32], b[32];
    const char *file = options->output ? options->output : planned->spec;
    trial t = {.planned = planned,
               .threads = options->threads,
               .ply_began = cost_now(),
               .display = begin_display()};
    plb_build_options build = {.stop = catch_interrupts(), .report = report_ply, .context = &t};
    int error = budget_build(options, planned, &build, message);
    if (error) return error;
    /* A folder of its own: the build of FILE may be unfinished. */
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
               format_bytes(build.budget.needed_bytes, a), format_bytes(peak_bytes(), b));
    return error;
}
