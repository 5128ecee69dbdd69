/* SPDX-License-Identifier: MIT
 *
 * A sample of each ply are slabs, each as often as it has entries that are solved. It stands for
 * the records of the ply, and it cuts the ply among the ranks as they will.
 */
#include "builder/forecast/rank_forecast.h"

#include <math.h>
#include <stdlib.h>

#include "builder/slabs/rank_cuts.h"
#include "builder/slabs/rank_exchange.h"
#include "builder/slabs/solve_ply.h"
#include "tables/array.h"
#include "tables/bits.h"
#include "tables/format/block_layout.h"
#include "tables/games/rules.h"
#include "tables/threads.h"

enum { DRAWN = 20000, KEPT = 4000 }; /* of a ply, at most */

/* Records of scratch files are smaller than those that are packed from memory, which have wins that
 * are seen, too (solve_ply.c). */
static const double scratch_share = 0.6;

/* Of the values that are stored more than half are in the first half of a ply, which rank 0 has;
 * from connect-5x5-k4 and 6x5. */
static const double segments_share = 0.67;

/* A rank may receive so many times the mean; and a message that is sent grows by doubling, so that
 * it and what is received in a round take three times as much. */
static const double uneven_share = 1.5, messages_share = 3;

/* The biggest segments have about so many times the work of the mean one. */
static const double biggest_segment = 10;

typedef struct slab_sample {
    int count;
    uint64_t slabs[KEPT]; /* ascending */
} slab_sample;

typedef struct rank_plan {
    const plb_index *index;
    const plb_forecast *forecast;
    plb_block_set set;
    uint64_t block_entries;
    const plb_budget *budget;
    int ranks;
    slab_sample *plies; /* [cells + 1] */
    plb_rank_forecast *made;
} rank_plan;

/* ---- samples ---- */

/* Evenly over the ply, so in order. */
static int sample_slabs(void *context, size_t ply) {
    rank_plan *plan = context;
    const plb_index *index = plan->index;
    const plb_index_ply *p = &index->plies[ply];
    const plb_forecast_ply *f = &plan->forecast->plies[ply];
    slab_sample *sample = &plan->plies[ply];
    uint64_t random = ply + 1;
    int drawn = (int)fmin(DRAWN, KEPT * f->entries / fmax(f->solved, 1));
    for (int s = 0; s < drawn && sample->count < KEPT; s++) {
        plb_entry entry = {(int)ply, (uint64_t)((s + 0.5) / drawn * (double)p->slabs),
                           plb_next_random(&random) % p->slab_size};
        plb_position position = plb_index_unrank(index, entry);
        if (plb_block_kind_of(index->game, position, (int)ply, plan->set).solved)
            sample->slabs[sample->count++] = entry.slab;
    }
    return PLB_OK;
}

/* How many samples of a ply are of slabs before this one. */
static int count_before(const slab_sample *sample, uint64_t slab) {
    return (int)PLB_FIRST(s, sample->count, sample->slabs[s] >= slab);
}

/* Who makes a slab: its segment lies where the samples of the ply are so many. */
static int find_owner(const rank_plan *plan, int ply, uint64_t slab) {
    const slab_sample *sample = &plan->plies[ply];
    uint64_t step = plb_block_layout_ply(plan->index, ply, plan->block_entries).slabs_per_segment;
    uint64_t first = slab / step * step;
    if (sample->count == 0) return 0;
    double middle =
        (count_before(sample, first) + count_before(sample, first + step)) / 2.0 / sample->count;
    return (int)fmin(plan->ranks - 1, plan->ranks * middle);
}

/* ---- a ply ---- */

/* Ranks that read a slab of a ply and have not made it. */
static int count_readers(const rank_plan *plan, int ply, uint64_t slab) {
    const plb_index *index = plan->index;
    uint64_t occupied = plb_index_slab_cells(index, ply, slab), parent;
    int readers[PLB_MAX_CELLS], count = 0, owner = find_owner(plan, ply, slab);
    if (!plan->made->plies[ply - 1].is_divided) return plan->ranks - 1;
    uint64_t cells = plb_game_removable(index->game, occupied);
    for (; cells; cells &= cells - 1) {
        plb_symmetry_canonical(index->symmetry, occupied ^ (cells & -cells), &parent);
        int reader = find_owner(plan, ply - 1, plb_index_slab(index, parent)), same = 0;
        while (same < count && readers[same] != reader) same++;
        if (same == count && reader != owner) readers[count++] = reader;
    }
    return count;
}

/* How big records of a ply are: 1 if all of its planes stay in memory, or no wins are dropped. */
static double find_record_share(const rank_plan *plan, int ply) {
    const plb_budget *budget = plan->budget;
    if (plan->set != PLB_UNDECIDED) return 1;
    double bytes = plan->forecast->memory.held_bytes[ply], held = 0;
    if (budget->holds[ply]) held = fmin(1, (double)budget->ply_memory_bytes / fmax(bytes, 1));
    return held + (1 - held) * scratch_share;
}

static int forecast_records(void *context, size_t ply) {
    rank_plan *plan = context;
    plb_rank_forecast *made = plan->made;
    const slab_sample *next = &plan->plies[ply + 1];
    double readers = 0;
    if (!made->plies[ply + 1].is_divided) return PLB_OK;
    for (int s = 0; s < next->count; s++)
        readers += count_readers(plan, (int)ply + 1, next->slabs[s]) / (double)next->count;
    made->plies[ply].records_bytes = readers * plan->forecast->plies[ply + 1].packed_bytes *
                                     find_record_share(plan, (int)ply + 1);
    return PLB_OK;
}

/* Ranks that work on a ply. */
static double count_workers(const rank_plan *plan, int ply) {
    const plb_rank_ply *p = &plan->made->plies[ply];
    return p->is_divided ? p->workers : plan->ranks;
}

/* Of a layer, that a rank receives, for as long as the ply is worked on. */
static double find_layer_bytes(const rank_plan *plan, int ply, double records) {
    const plb_index *index = plan->index;
    if (records == 0) return 0;
    double runs = (double)(index->plies[ply].slabs << plb_ply_planes_run_bits(index, ply, false));
    return uneven_share * records + runs * (sizeof(plb_received_record) + 1);
}

/* Values of the next ply, and what can be reached of this one; or else segments. However much of
 * the planes stays in memory. */
static double find_exchange_bytes(const rank_plan *plan, int ply) {
    const plb_rank_ply *p = &plan->made->plies[ply];
    double reach = plan->forecast->plies[ply].reach_bytes / count_workers(plan, ply), values = 0;
    if (p->mean_bytes > 0) values = p->mean_bytes / find_record_share(plan, ply + 1);
    double layers = find_layer_bytes(plan, ply + 1, values) + find_layer_bytes(plan, ply, reach);
    return layers + messages_share * fmin((double)PLB_ROUND_BYTES, fmax(layers, p->segments_bytes));
}

void plb_rank_forecast_make(const plb_index *index, const plb_forecast *forecast,
                            const plb_rank_forecast_options *options, plb_rank_forecast *made) {
    int cells = index->game->cells, ranks = options->ranks;
    plb_threads team;
    rank_plan plan = {.index = index,
                      .forecast = forecast,
                      .set = plb_solve_blocks(index->game, options->values),
                      .block_entries = plb_block_entries(options->values),
                      .budget = options->budget,
                      .ranks = options->ranks,
                      .plies = calloc(cells + 1, sizeof *plan.plies),
                      .made = made};
    *made = (plb_rank_forecast){.memory = forecast->memory};
    if (!plan.plies) return;
    for (int ply = 0; ply <= cells; ply++) {
        double segments = (double)plb_block_layout_ply(index, ply, plan.block_entries).segments;
        plb_rank_ply *p = &made->plies[ply];
        p->is_divided = forecast->plies[ply].entries >= PLB_DIVIDED_ENTRIES;
        p->workers = p->is_divided ? fmax(1, fmin(ranks, segments / biggest_segment)) : 1;
        p->segments_bytes =
            p->is_divided && !options->shards
                ? segments_share * forecast->plies[ply].table_bytes * (ranks - 1) / ranks
                : 0;
        p->sums_bytes = p->is_divided ? (double)ranks * (ranks - 1) * sizeof(plb_ply_sums) : 0;
    }
    plb_threads_open(options->threads, &team); /* or it is alone */
    plb_threads_share(&team, cells + 1, sample_slabs, &plan);
    plb_threads_share(&team, cells, forecast_records, &plan);
    plb_threads_close(&team);
    for (int ply = 0; ply <= cells; ply++) {
        plb_rank_ply *p = &made->plies[ply];
        p->received_bytes = p->records_bytes + p->segments_bytes + p->sums_bytes;
        p->mean_bytes = p->records_bytes / count_workers(&plan, ply);
        made->memory.exchange_bytes[ply] = find_exchange_bytes(&plan, ply);
        made->received_bytes += p->received_bytes;
    }
    free(plan.plies);
}
