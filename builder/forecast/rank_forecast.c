/* SPDX-License-Identifier: MIT
 *
 * Each ply is sampled: a slab is drawn with a probability proportional to its solved entries. The
 * sample stands for the records of the ply, and for the work by which ranks divide it.
 */
#include "builder/forecast/rank_forecast.h"

#include <math.h>
#include <stdlib.h>

#include "builder/forecast/record_sizes.h"
#include "builder/slabs/rank_cuts.h"
#include "builder/slabs/rank_exchange.h"
#include "builder/slabs/solve_ply.h"
#include "tables/array.h"
#include "tables/bits.h"
#include "tables/format/block_layout.h"
#include "tables/games/rules.h"
#include "tables/threads.h"

enum { MAX_DRAWN = 20000, MAX_KEPT = 4000 }; /* per ply */

/* Segments take about this share of the forecast table; the rest are unused ends of pages. */
static const double segments_share = 0.82;

/* Bytes of a sent record besides its data (number and size), and of a request for a slab. */
static const double head_bytes = 16, request_bytes = 8;

/* A rank may receive up to uneven_share times the mean. The messages of a round take messages_share
 * times their bytes: a sent one grows by doubling, and a received one is added. */
static const double uneven_share = 1.5, messages_share = 3;

/* The largest segments have about this many times the work of the mean one. */
static const double largest_segment = 10;

typedef struct slab_sample {
    int count;
    uint64_t slabs[MAX_KEPT]; /* ascending */
} slab_sample;

typedef struct rank_plan {
    const plb_index *index;
    const plb_forecast *forecast;
    const plb_rank_forecast_options *options;
    plb_block_set set;
    plb_reach_way way;
    uint64_t block_entries;
    int ranks;
    slab_sample *plies; /* [cells + 1] */
    plb_rank_forecast *made;
} rank_plan;

/* ---- samples ---- */

/* Draw slabs at equal distances, and a random rank in each: keep those whose entry is solved. */
static int sample_slabs(void *context, size_t ply) {
    rank_plan *plan = context;
    const plb_index *index = plan->index;
    const plb_index_ply *p = &index->plies[ply];
    const plb_forecast_ply *f = &plan->forecast->plies[ply];
    slab_sample *sample = &plan->plies[ply];
    uint64_t random = ply + 1;
    int drawn = (int)fmin(MAX_DRAWN, MAX_KEPT * f->entries / fmax(f->solved, 1));
    for (int s = 0; s < drawn && sample->count < MAX_KEPT; s++) {
        plb_entry entry = {(int)ply, (uint64_t)((s + 0.5) / drawn * (double)p->slabs),
                           plb_next_random(&random) % p->slab_size};
        plb_position position = plb_index_unrank(index, entry);
        if (plb_block_kind_of(index->game, position, (int)ply, plan->set).solved)
            sample->slabs[sample->count++] = entry.slab;
    }
    return PLB_OK;
}

/* The rank that solves a slab. Ranks get equal shares of the sample, in order; the middle of the
 * slab's segment decides. */
static int find_owner(const rank_plan *plan, int ply, uint64_t slab) {
    const slab_sample *sample = &plan->plies[ply];
    uint64_t step = plb_block_layout_ply(plan->index, ply, plan->block_entries).slabs_per_segment;
    uint64_t first = slab / step * step, end = first + step;
    if (sample->count == 0 || !plan->made->plies[ply].is_divided) return 0;
    size_t before = PLB_FIRST(s, sample->count, sample->slabs[s] >= first);
    size_t up_to = PLB_FIRST(s, sample->count, sample->slabs[s] >= end);
    double middle = (double)(before + up_to) / 2 / sample->count;
    return (int)fmin(plan->ranks - 1, plan->ranks * middle);
}

/* ---- records ---- */

/* Bytes to send all slabs of a ply once. record_bytes: mean size of a slab's records. */
static double find_slabs_bytes(const rank_plan *plan, int ply, double record_bytes) {
    double heads = ldexp(head_bytes, plb_ply_planes_run_bits(plan->index, ply, false));
    return (double)plan->index->plies[ply].slabs * (record_bytes + request_bytes + heads);
}

static double find_reach_bytes(const rank_plan *plan, int ply) {
    const plb_forecast_ply *f = &plan->forecast->plies[ply];
    double entries = f->live / (double)plan->index->plies[ply].slabs;
    double share = f->open / fmax(f->live, 1);
    return find_slabs_bytes(plan, ply, plb_packed_reach_bytes(plan->index->game, entries, share));
}

/* The share of a ply's planes that the ranks hold in memory. */
static double find_held_share(const rank_plan *plan, int ply) {
    const plb_budget *budget = plan->options->budget;
    double bytes = plan->forecast->memory.held_bytes[ply];
    double memory = (double)budget->ply_memory_bytes * plan->ranks;
    return budget->holds[ply] ? fmin(1, memory / fmax(bytes, 1)) : 0;
}

/* Bytes to send the values of a ply once. Those held in memory include wins by the next move. */
static double find_values_bytes(const rank_plan *plan, int ply) {
    const plb_forecast_ply *f = &plan->forecast->plies[ply];
    double entries = f->solved / (double)plan->index->plies[ply].slabs;
    double held = find_held_share(plan, ply);
    double record = held * plb_packed_values_bytes(&f->words, entries, true) +
                    (1 - held) * plb_packed_values_bytes(&f->words, entries, false);
    return find_slabs_bytes(plan, ply, record);
}

/* ---- who reads what ---- */

/* The number of ranks that read a slab while they work on the ply `reading` (the one before or
 * after its own), without the two ranks that have it. */
static int count_readers(const rank_plan *plan, int ply, uint64_t slab, int reading,
                         const int has_it[2]) {
    const plb_index *index = plan->index;
    uint64_t occupied = plb_index_slab_cells(index, ply, slab), neighbour;
    uint64_t cells = reading < ply ? plb_game_removable(index->game, occupied)
                                   : plb_game_playable(index->game, occupied);
    int readers[PLB_MAX_CELLS], count = 0;
    for (; cells; cells &= cells - 1) {
        plb_symmetry_canonical(index->symmetry, occupied ^ (cells & -cells), &neighbour);
        int reader = find_owner(plan, reading, plb_index_slab(index, neighbour)), same = 0;
        while (same < count && readers[same] != reader) same++;
        if (same == count && reader != has_it[0] && reader != has_it[1]) readers[count++] = reader;
    }
    return count;
}

/* The mean number of ranks that receive a slab of a ply. The rank that solved a slab has its
 * values. Rank 0 has its reachable positions; so does the rank that found them, in memory. */
static double find_readers(const rank_plan *plan, int ply, int reading) {
    const slab_sample *sample = &plan->plies[ply];
    bool has_own = reading < ply || find_held_share(plan, ply) > 0.5;
    double sum = 0;
    for (int s = 0; s < sample->count; s++) {
        int owner = find_owner(plan, ply, sample->slabs[s]), first = reading < ply ? owner : 0;
        const int has_it[] = {first, has_own ? owner : first};
        sum += count_readers(plan, ply, sample->slabs[s], reading, has_it);
    }
    return sum / fmax(sample->count, 1);
}

/* In the forward pass ranks read the ply before and send reachable positions to rank 0; in the
 * backward pass rank 0 sends them back. */
static void forecast_reach(const rank_plan *plan, int ply) {
    plb_rank_ply *p = &plan->made->plies[ply];
    const slab_sample *sample = &plan->plies[ply];
    double bytes = find_reach_bytes(plan, ply), others = 0; /* samples that are not rank 0's */
    if (!p->is_divided) return;
    for (int s = 0; s < sample->count; s++) others += find_owner(plan, ply, sample->slabs[s]) != 0;
    p->reach_bytes = 2 * others / fmax(sample->count, 1) * bytes +
                     find_readers(plan, ply - 1, ply) * find_reach_bytes(plan, ply - 1);
    p->sums_bytes *= 2;
}

static int forecast_records(void *context, size_t number) {
    rank_plan *plan = context;
    int ply = (int)number;
    plb_rank_ply *p = &plan->made->plies[ply];
    if (plan->way == PLB_REACH_FORWARD) forecast_reach(plan, ply);
    if (ply == plan->index->game->cells || !(p->is_divided || p[1].is_divided)) return PLB_OK;
    p->records_bytes = find_readers(plan, ply + 1, ply) * find_values_bytes(plan, ply + 1);
    return PLB_OK;
}

/* ---- a ply ---- */

/* Memory of a rank for the records that it receives of one ply. records: mean bytes per rank. */
static double find_layer_bytes(const rank_plan *plan, int ply, double records) {
    const plb_index *index = plan->index;
    if (records == 0) return 0;
    double runs = (double)(index->plies[ply].slabs << plb_ply_planes_run_bits(index, ply, false));
    return uneven_share * records + runs * (sizeof(plb_received_record) + 1);
}

/* Memory of a rank for what others send: values of the next ply and reachable positions of this
 * one, and the messages, whose buffers keep the largest size of all plies solved so far. */
static double find_exchange_bytes(const rank_plan *plan, int ply, double *message_bytes) {
    const plb_rank_ply *p = &plan->made->plies[ply];
    double reach = plan->forecast->plies[ply].reach_bytes / p->workers;
    double layers =
        find_layer_bytes(plan, ply + 1, p->mean_bytes) + find_layer_bytes(plan, ply, reach);
    *message_bytes = fmax(*message_bytes, fmax(layers, p->segments_bytes));
    return layers + messages_share * fmin((double)PLB_ROUND_BYTES, *message_bytes);
}

void plb_rank_forecast_make(const plb_index *index, const plb_forecast *forecast,
                            const plb_rank_forecast_options *options, plb_rank_forecast *made) {
    int cells = index->game->cells, ranks = options->ranks;
    double message_bytes = 0;
    plb_threads team;
    rank_plan plan = {.index = index,
                      .forecast = forecast,
                      .options = options,
                      .set = plb_solve_blocks(index->game, options->values),
                      .way = plb_reach_choose(index, PLB_REACH_BEST),
                      .block_entries = plb_block_entries(options->values),
                      .ranks = options->ranks,
                      .plies = calloc(cells + 1, sizeof *plan.plies),
                      .made = made};
    *made = (plb_rank_forecast){.memory = forecast->memory};
    if (!plan.plies) return;
    for (int ply = 0; ply <= cells; ply++) {
        double segments = (double)plb_block_layout_ply(index, ply, plan.block_entries).segments;
        plb_rank_ply *p = &made->plies[ply];
        p->is_divided = forecast->plies[ply].entries >= PLB_DIVIDED_ENTRIES;
        p->workers = p->is_divided ? fmax(1, fmin(ranks, segments / largest_segment)) : 1;
        p->segments_bytes =
            p->is_divided && !options->shards
                ? segments_share * forecast->plies[ply].table_bytes * (ranks - 1) / ranks
                : 0;
        p->sums_bytes = p->is_divided ? (double)ranks * (ranks - 1) * sizeof(plb_ply_sums) : 0;
    }
    plb_threads_open(options->threads, &team); /* after an error this thread works alone */
    plb_threads_share(&team, cells + 1, sample_slabs, &plan);
    plb_threads_share(&team, cells + 1, forecast_records, &plan);
    plb_threads_close(&team);
    for (int ply = cells; ply >= 0; ply--) {
        plb_rank_ply *p = &made->plies[ply];
        p->received_bytes = p->records_bytes + p->reach_bytes + p->segments_bytes + p->sums_bytes;
        p->mean_bytes = p->records_bytes / p->workers;
        made->memory.exchange_bytes[ply] = find_exchange_bytes(&plan, ply, &message_bytes);
        made->received_bytes += p->received_bytes;
    }
    free(plan.plies);
}

bool plb_rank_budget_make_ample(const plb_memory_needs *needs, int threads, double memory_bytes,
                                plb_budget *budget) {
    plb_memory_needs upper = *needs;
    for (int ply = 0; ply <= PLB_MAX_CELLS; ply++)
        upper.exchange_bytes[ply] =
            needs->held_bytes[ply] + messages_share * (double)PLB_ROUND_BYTES;
    plb_budget made = plb_budget_make(&upper, threads, memory_bytes);
    bool suffices = made.needed_bytes <= memory_bytes;
    for (int ply = 0; ply <= PLB_MAX_CELLS && suffices; ply++)
        suffices =
            made.workers[ply] == threads && needs->held_bytes[ply] <= (double)made.ply_memory_bytes;
    if (suffices) *budget = made;
    return suffices;
}
