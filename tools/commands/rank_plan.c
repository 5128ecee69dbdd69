/* SPDX-License-Identifier: MIT
 *
 * `plybase plan --ranks`. The time of a ply is the longer of two: that of the processors, and that
 * of the records which ranks exchange meanwhile. Then the ranks send segments to rank 0.
 */
#include <math.h>
#include <stdio.h>

#include "builder/forecast/rank_forecast.h"
#include "tables/threads.h"
#include "tools/answers/json_writer.h"
#include "tools/commands/build_options.h"
#include "tools/terminal/console.h"
#include "tools/terminal/quantity.h"

static const double written_bytes_a_second = 1e9; /* disk of rank 0 */

/* The resources that take the time. */
typedef enum rank_limit {
    PROCESSORS,
    FEW_SEGMENTS,
    NETWORK,
    EACH_ALONE,
    WRITING,
    LIMITS
} rank_limit;
static const char *const limit_names[LIMITS] = {
    "the processors", "plies of fewer segments than the ranks can share", "the network",
    "the forward pass and counting, which are not divided", "the disk of rank 0"};

typedef struct rank_ply {
    double processor, network; /* wall seconds */
    double both;               /* wall seconds in which both are busy */
    double received, memory;   /* bytes per rank */
} rank_ply;

typedef struct rank_plan {
    const build_options *o;
    const planned_game *planned;
    plb_budget budget;
    plb_rank_forecast forecast;
    rank_ply plies[PLB_MAX_CELLS + 1];
    double seconds[LIMITS], all_seconds;
    double memory;            /* bytes that a rank needs */
    double disk, disk_others; /* bytes of disk that rank 0 and each of the others need */
    double written;           /* bytes of the table that rank 0 writes; with shards, each rank */
    int fullest;              /* ply that needs most memory */
} rank_plan;

static rank_ply plan_ply(const rank_plan *plan, int ply, double rates_share) {
    const build_options *o = plan->o;
    const plb_forecast *f = &plan->planned->forecast;
    const plb_rank_ply *divided = &plan->forecast.plies[ply];
    double planes_bytes = (double)plan->budget.ply_memory_bytes * o->ranks;
    rank_ply p = {.received = divided->mean_bytes};
    p.processor = rates_share * plb_forecast_backward_seconds(f, ply, planes_bytes) / o->threads /
                  divided->workers;
    double with_first = divided->reach_bytes + divided->segments_bytes;
    p.network = 8 * (p.received + with_first) / (double)o->network_bits;
    p.both = fmin(p.processor, 8 * p.received / (double)o->network_bits);
    p.memory = f->memory.shared_bytes + o->threads * f->memory.thread_bytes +
               f->memory.piece_bytes[ply] + plan->forecast.memory.exchange_bytes[ply];
    return p;
}

static rank_plan make_plan(const build_options *o, const planned_game *planned,
                           double rates_share) {
    rank_plan plan = {.o = o, .planned = planned};
    const plb_forecast *f = &planned->forecast;
    int cells = planned->space.game.cells;
    double forward = 0;
    plan.budget = plb_budget_make(&f->memory, o->threads, o->memory_given ? o->memory_bytes : 0);
    const plb_rank_forecast_options options = {o->values, o->ranks, plb_threads_available(),
                                               &plan.budget, o->shards};
    plb_rank_forecast_make(&planned->space.index, f, &options, &plan.forecast);
    plan.memory = plb_budget_make(&plan.forecast.memory, o->threads, 0).needed_bytes;
    for (int ply = 0; ply <= cells; ply++) {
        const plb_rank_ply *divided = &plan.forecast.plies[ply];
        rank_ply *p = &plan.plies[ply];
        *p = plan_ply(&plan, ply, rates_share);
        bool all_work = !divided->is_divided || divided->workers >= o->ranks;
        plan.seconds[all_work ? PROCESSORS : FEW_SEGMENTS] += p->processor;
        plan.seconds[NETWORK] += p->network - p->both;
        forward += plb_forecast_forward_seconds(f, ply, 0);
        if (p->memory > plan.plies[plan.fullest].memory) plan.fullest = ply;
        double values = f->plies[ply].values_bytes + f->plies[ply + 1].values_bytes;
        plan.disk_others = fmax(plan.disk_others, values / (divided->is_divided ? o->ranks : 1));
    }
    plan.disk = find_build_needs(o, planned).disk_needed;
    if (o->shards) plan.disk_others = largest_share * plan.disk / o->ranks;
    plan.seconds[EACH_ALONE] = rates_share * (forward + f->count_seconds) / o->threads;
    plan.written = f->table_bytes / (o->shards ? o->ranks : 1);
    plan.seconds[WRITING] = plan.written / written_bytes_a_second;
    for (int limit = 0; limit < LIMITS; limit++) plan.all_seconds += plan.seconds[limit];
    return plan;
}

static void print_plies(const rank_plan *plan) {
    printf("ply  %-12s  %-12s  %-22s  %s\n", "processors", "network adds", "received, by a rank",
           "memory");
    for (int ply = plan->planned->space.game.cells; ply >= 0; ply--) {
        const rank_ply *p = &plan->plies[ply];
        char processor[32], network[32], all[32], received[32], memory[32], both[72];
        snprintf(both, sizeof both, "%s, %s",
                 format_bytes(plan->forecast.plies[ply].received_bytes, all),
                 format_bytes(p->received, received));
        printf("%3d  %-12s  %-12s  %-22s  %s\n", ply, format_seconds(p->processor, processor),
               format_seconds(p->network - p->both, network), both, format_need(p->memory, memory));
    }
    putchar('\n');
}

static void print_json(const rank_plan *plan, bool fits, const char *limit) {
    const build_options *o = plan->o;
    json_writer w = begin_json_object();
    put_word(&w, "spec", plan->planned->spec);
    put_number(&w, "ranks", o->ranks);
    put_number(&w, "threads", o->threads);
    put_count(&w, "network_bits", o->network_bits);
    put_estimate(&w, "memory_bytes", plan->memory);
    put_number(&w, "memory_ply", plan->fullest);
    put_estimate(&w, "scratch_bytes", plan->disk);
    put_estimate(&w, "other_scratch_bytes", plan->disk_others);
    put_estimate(&w, "received_bytes", plan->forecast.received_bytes);
    put_flag(&w, "fits", fits);
    put_real(&w, "seconds", fits ? plan->all_seconds : NAN);
    put_real(&w, "processor_seconds",
             fits ? plan->seconds[PROCESSORS] + plan->seconds[FEW_SEGMENTS] : NAN);
    put_real(&w, "network_seconds", fits ? plan->seconds[NETWORK] : NAN);
    put_real(&w, "undivided_seconds", fits ? plan->seconds[EACH_ALONE] : NAN);
    put_real(&w, "writing_seconds", fits ? plan->seconds[WRITING] : NAN);
    put_text(&w, "limit", fits ? limit : NULL);
    open_list(&w, "plies");
    for (int ply = 0; ply <= plan->planned->space.game.cells; ply++) {
        const rank_ply *p = &plan->plies[ply];
        open_object(&w, NULL);
        put_number(&w, "ply", ply);
        put_real(&w, "processor_seconds", p->processor);
        put_real(&w, "network_seconds", p->network - p->both);
        put_estimate(&w, "received_bytes", plan->forecast.plies[ply].received_bytes);
        put_estimate(&w, "rank_received_bytes", p->received);
        put_estimate(&w, "memory_bytes", p->memory);
        close_object(&w);
    }
    close_list(&w);
    print_json_object(&w);
}

int show_rank_plan(const build_options *o, const planned_game *planned, double rates_share) {
    if (planned->space.index.kind == PLB_KEYS)
        fail_usage("--ranks %d: a table of keys is built by one rank", o->ranks);
    rank_plan plan = make_plan(o, planned, rates_share);
    int longest = 0;
    char a[32], b[32], c[32];
    for (int limit = 1; limit < LIMITS; limit++)
        if (plan.seconds[limit] > plan.seconds[longest]) longest = limit;
    bool fits = !o->memory_given || plan.memory <= o->memory_bytes;
    const char *limit = o->shards && longest == WRITING ? "the disks" : limit_names[longest];
    if (o->json) {
        print_json(&plan, fits, limit);
        return fits ? EXIT_GOOD : EXIT_FAILED;
    }
    if (o->plies) print_plies(&plan);
    printf("game       %s\n", planned->spec);
    printf("ranks      %d of %d thread%s each, network of %g Gbit/s\n", o->ranks, o->threads,
           o->threads == 1 ? "" : "s", (double)o->network_bits / 1e9);
    printf("memory     %s needed by a rank, most at ply %d\n", format_need(plan.memory, a),
           plan.fullest);
    printf("disk       %s for rank 0, %s for each of the others\n", format_bytes(plan.disk, a),
           format_bytes(plan.disk_others, b));
    printf("received   %s by all ranks\n", format_bytes(plan.forecast.received_bytes, a));
    if (!fits) {
        printf("does not fit: needs %s of memory at ply %d, has %s (--memory)\n",
               format_need(plan.memory, a), plan.fullest, format_room(o->memory_bytes, b));
        return EXIT_FAILED;
    }
    printf("time       %s: processors %s, network %s more", format_seconds(plan.all_seconds, a),
           format_seconds(plan.seconds[PROCESSORS] + plan.seconds[FEW_SEGMENTS], b),
           format_seconds(plan.seconds[NETWORK], c));
    printf(", forward and counting %s, writing %s\n", format_seconds(plan.seconds[EACH_ALONE], a),
           format_seconds(plan.seconds[WRITING], b));
    printf("limit      %s\n", limit);
    return EXIT_GOOD;
}
