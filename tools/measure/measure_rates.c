/* SPDX-License-Identifier: MIT
 *
 * Measures the rates of builder/forecast/cost_rates.h: `plybase-measure-rates` builds a few boards
 * in this folder, one thread, with and without memory for planes, and fits the processor time of
 * every ply by the work that the forecast counts. Prints each rate as the forecast has it and as it
 * was measured.
 */
#include <math.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "builder/build.h"
#include "builder/forecast/forecast.h"
#include "tables/threads.h"

static const struct {
    const char *spec;
    plb_value_kind values;
    plb_index_kind kind;
} boards[] = {{"numeric-3x3", PLB_WDL, PLB_KEYS},
              {"numeric-3x3-first12345", PLB_WDL, PLB_KEYS},
              {"connect-5x4-k4", PLB_WDL, PLB_KEYS},
              {"square-4x4", PLB_WDL, PLB_KEYS},
              {"connect-6x4-k4", PLB_DTM, PLB_SLABS},
              {"connect-5x5-k4", PLB_WDL, PLB_SLABS},
              {"connect-5x5-k4", PLB_DTM, PLB_SLABS},
              {"connect-5x6-k4", PLB_WDL, PLB_SLABS}, /* with a forward pass, */
              {"connect-6x5-k4", PLB_WDL, PLB_SLABS}, /* and by columns */
              {"connect-5x5-k4-cylinder", PLB_WDL, PLB_SLABS},
              {"connect-5x5-k4-cylinder", PLB_DTM, PLB_SLABS},
              {"connect-6x5-k4-cylinder", PLB_WDL, PLB_SLABS},
              {"mnk-5x4-k4", PLB_WDL, PLB_SLABS},
              {"mnk-5x4-k4", PLB_DTM, PLB_SLABS},
              {"square-5x4", PLB_WDL, PLB_SLABS},
              {"mnk-4x4-k4", PLB_DTM, PLB_SLABS}};
enum { BOARDS = sizeof boards / sizeof boards[0], MOST = BOARDS * 2 * (PLB_MAX_CELLS + 1) };
static const char output[] = "rates.plb";
static const double least_seconds = 2e-3; /* a ply that takes less is noise */

/* Work of a ply that was measured. */
typedef struct observation {
    plb_cost work;
    double seconds;
} observation;

typedef struct observations {
    int count;
    observation of[MOST];
} observations;

typedef struct measuring {
    const plb_forecast *forecast;
    bool reads; /* no planes stay in memory */
    double ply_began;
    observations *passes; /* [2] forward, backward */
} measuring;

static void observe(void *context, const plb_progress *p) {
    measuring *m = context;
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    double now = (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
                 1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
    double seconds = now - m->ply_began;
    if (m->ply_began == 0) m->ply_began = now; /* before that counts may have been made */
    if (!p->ply_done || p->phase == PLB_ASSEMBLE) return;
    m->ply_began = now;
    if (seconds < least_seconds) return;
    const plb_forecast_ply *ply = &m->forecast->plies[p->ply];
    observations *all = &m->passes[p->phase];
    observation *made = &all->of[all->count++];
    *made = (observation){p->phase == PLB_FORWARD ? ply->forward : ply->backward, seconds};
    for (int kind = PLB_COST_READ; kind < PLB_COSTS && !m->reads; kind++)
        made->work.amount[kind] = 0;
}

static int measure_board(int board, bool reads, observations passes[2], plb_message *message) {
    plb_space space;
    plb_forecast forecast;
    plb_built built;
    int error = plb_space_begin(boards[board].spec, &space, message);
    if (!error) error = plb_space_add_index(&space, boards[board].kind, message);
    if (error) return error;
    plb_forecast_make(&space.index, boards[board].values, plb_threads_available(), &forecast);
    measuring m = {&forecast, reads, 0, passes};
    plb_build_options options = {
        .output = output,
        .values = boards[board].values,
        .threads = 1,
        .budget = plb_budget_of_spare(
            reads ? 0 : (uint64_t)(1.2 * plb_budget_spare_for_planes(forecast.held_bytes))),
        .save_seconds = 1e9,
        .force = true,
        .report = observe,
        .context = &m};
    error = plb_build(&space, &options, &built, message);
    unlink(output);
    plb_space_close(&space);
    return error;
}

/* The rate of a kind that fits best, the others being what they are; relative errors count. */
static double fit_rate(const observations *all, const plb_rates rates, int kind) {
    double product = 0, square = 0;
    for (int i = 0; i < all->count; i++) {
        const observation *o = &all->of[i];
        double other = plb_cost_seconds(&o->work, rates, 1, 0) - o->work.amount[kind] * rates[kind];
        double amount = o->work.amount[kind] / o->seconds;
        product += amount * (1 - other / o->seconds);
        square += amount * amount;
    }
    return square > 0 ? fmax(0, product / square) : 0;
}

static void print_rates(const char *pass, const observations *all, const plb_rates known) {
    enum { ROUNDS = 20000 };
    plb_rates rates;
    double squares = 0;
    for (int kind = 0; kind < PLB_COSTS; kind++) rates[kind] = known[kind];
    for (int round = 0; round < ROUNDS; round++)
        for (int kind = 0; kind < PLB_COSTS; kind++) rates[kind] = fit_rate(all, rates, kind);
    for (int i = 0; i < all->count; i++)
        squares += pow(plb_cost_seconds(&all->of[i].work, rates, 1, 0) / all->of[i].seconds - 1, 2);
    for (int kind = 0; kind < PLB_COSTS; kind++) {
        bool has_work = false;
        for (int i = 0; i < all->count; i++) has_work |= all->of[i].work.amount[kind] > 0;
        if (has_work)
            printf("%-9s %-31s %9.3f %9.3f\n", pass, plb_cost_names[kind], 1e9 * known[kind],
                   1e9 * rates[kind]);
    }
    printf("%-9s %d plies, off by %.0f %% (root of the mean square)\n", pass, all->count,
           100 * sqrt(squares / all->count));
}

int main(void) {
    static observations passes[2];
    plb_message message;
    for (int board = 0; board < BOARDS; board++)
        for (int reads = 0; reads < 2; reads++)
            if (measure_board(board, reads, passes, &message)) {
                fprintf(stderr, "%s: %s\n", boards[board].spec, message.text);
                return 1;
            }
    printf("%-9s %-31s %9s %9s\n", "pass", "processor ns for each", "forecast", "measured");
    print_rates("forward", &passes[PLB_FORWARD], plb_forward_rates);
    print_rates("backward", &passes[PLB_BACKWARD], plb_backward_rates);
    return 0;
}
