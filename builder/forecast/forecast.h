/* SPDX-License-Identifier: MIT
 *
 * What a build will cost, without building: sizes are counted, the share of live and of reachable
 * positions is sampled ply by ply, times follow from rates that were measured (cost_rates.h).
 */
#ifndef PLB_BUILDER_FORECAST_FORECAST_H
#define PLB_BUILDER_FORECAST_FORECAST_H

#include <signal.h>

#include "builder/forecast/cost_rates.h"
#include "builder/memory_budget.h"
#include "tables/format/outcome_code.h"
#include "tables/index/index.h"

/* Of one ply. */
typedef struct plb_forecast_ply {
    double entries;                             /* of the index, canonical slabs */
    double live, solved;                        /* of these, in live blocks; in those with values */
    double open, quiet;                         /* of those in live blocks: open; quiet */
    double positions;                           /* reachable ones, all of each orbit */
    bool exact, counted;                        /* live and positions, or positions alone, were
                                                   counted, not sampled */
    plb_cost forward, backward;                 /* of the passes */
    double held_reach_bytes, held_values_bytes; /* of its planes in memory */
    double reach_bytes, values_bytes;           /* of scratch files: bounds */
    double table_bytes;
} plb_forecast_ply;

typedef struct plb_forecast {
    plb_forecast_ply plies[PLB_MAX_CELLS + 2];    /* zero after the last one */
    double entries, live, positions, table_bytes; /* of all plies */
    bool exact, counted;                          /* so of every ply */
    double count_seconds; /* of a processor, before all plies: what can be reached is counted */
    plb_memory_needs memory;
    double held_bytes; /* the most of those of any ply */
} plb_forecast;

/* Forecast a build of a table with such values. Deterministic. Small plies are counted, the others
 * sampled. Cost: milliseconds, a tenth of a second for the largest boards, shared by so many
 * threads. */
void plb_forecast_make(const plb_index *index, plb_value_kind values, int threads,
                       plb_forecast *forecast);

/* The same of a build by keys, for which plb_forecast_make calls it: all of it from about how many
 * positions there are, see plb_index_init_keys. */
void plb_forecast_make_keys(const plb_index *index, plb_value_kind values, plb_forecast *forecast);

/* Count the positions of a board exactly (tables/count/position_count.h) instead of sampling, where
 * that takes about so many seconds of processor time at most, of so many threads; else, and where
 * memory is short, the forecast stays as it is. Errors: PLB_EINTERRUPTED. */
int plb_forecast_count(const plb_game *game, double seconds, int threads,
                       const volatile sig_atomic_t *stop, plb_forecast *forecast,
                       plb_message *message);

/* The most that is on the disk at one time, the table in the making included. A ply is saved when
 * it is solved if so many processor seconds, about, have passed since the last save. Plies have
 * parts of at least so many entries: PLB_PART_ENTRIES, or INFINITY with shards. */
double plb_forecast_scratch_bytes(const plb_forecast *forecast, int plies, double save_seconds,
                                  double part_entries);

/* Processor seconds of the passes over a ply, and of the whole build, with an amount of memory for
 * the planes of two plies. */
double plb_forecast_forward_seconds(const plb_forecast *forecast, int ply, double ply_memory_bytes);
double plb_forecast_backward_seconds(const plb_forecast *forecast, int ply,
                                     double ply_memory_bytes);
double plb_forecast_seconds(const plb_forecast *forecast, double ply_memory_bytes);

#endif
