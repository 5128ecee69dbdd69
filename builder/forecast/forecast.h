/* SPDX-License-Identifier: MIT
 *
 * Forecast of the time, memory and disk space of a build. Index sizes are counted exactly. The
 * shares of live and of reachable positions are estimated from random samples of each ply, sizes of
 * files from samples of words (record_sizes.h). Times are amounts of work times measured rates
 * (cost_rates.h).
 */
#pragma once

#include <signal.h>

#include "builder/forecast/cost_rates.h"
#include "builder/forecast/record_sizes.h"
#include "builder/memory_budget.h"
#include "tables/format/outcome_code.h"
#include "tables/index/index.h"

typedef struct plb_forecast_ply {
    double entries;             /* index entries, of canonical slabs */
    double live;                /* entries in live blocks (builder/planes/slab_shape.h) */
    double solved;              /* entries in blocks whose values are computed */
    double open;                /* reachable entries in live blocks that are not terminal */
    double quiet;               /* reachable quiet entries */
    double positions;           /* reachable positions, all of each orbit */
    bool exact;                 /* live and positions were counted, not sampled */
    bool counted;               /* positions was counted, not sampled */
    plb_cost forward, backward; /* work of each pass */
    double held_reach_bytes, held_values_bytes; /* planes in memory */
    double reach_bytes, values_bytes;           /* scratch files */
    plb_word_sample words;                      /* with slabs: how well planes compress */
    double table_bytes;
} plb_forecast_ply;

typedef struct plb_forecast {
    plb_forecast_ply plies[PLB_MAX_CELLS + 2];    /* zero after the last ply */
    double entries, live, positions, table_bytes; /* sums over all plies */
    bool exact, counted;                          /* true for every ply */
    double count_seconds; /* processor time of counting reachable positions before the first ply */
    plb_memory_needs memory;
    double held_bytes; /* maximum of memory.held_bytes over all plies */
} plb_forecast;

/* Forecast the build of a table. Deterministic. Small plies are counted, larger ones sampled.
 * Cost: milliseconds of processor time; a second for the largest boards, divided among the threads.
 */
void plb_forecast_make(const plb_index *index, plb_value_kind values, int threads,
                       plb_forecast *forecast);

/* The same for a table of keys; plb_forecast_make calls it. The forecast follows from the estimated
 * numbers of positions in the index (plb_index_init_keys). */
void plb_forecast_make_keys(const plb_index *index, plb_value_kind values, plb_forecast *forecast);

/* Replace the sampled numbers of positions by exact counts (tables/count/position_count.h), if
 * counting takes at most about `seconds` of processor time. Otherwise, or without enough memory,
 * the forecast stays unchanged. Errors: PLB_EINTERRUPTED. */
int plb_forecast_count(const plb_game *game, double seconds, int threads,
                       const volatile sig_atomic_t *stop, plb_forecast *forecast,
                       plb_message *message);

/* The peak disk space of the build, including the unfinished table: an upper bound.
 *
 * save_seconds  [in]  about this much processor time after a save, the next solved ply is saved
 * part_entries  [in]  minimum entries of a part: PLB_PART_ENTRIES, or INFINITY with shards */
double plb_forecast_scratch_bytes(const plb_forecast *forecast, int plies, double save_seconds,
                                  double part_entries);

/* Processor seconds of the passes over a ply, and of the whole build.
 *
 * ply_memory_bytes  [in]  memory for the planes of two plies */
double plb_forecast_forward_seconds(const plb_forecast *forecast, int ply, double ply_memory_bytes);
double plb_forecast_backward_seconds(const plb_forecast *forecast, int ply,
                                     double ply_memory_bytes);
double plb_forecast_seconds(const plb_forecast *forecast, double ply_memory_bytes);
