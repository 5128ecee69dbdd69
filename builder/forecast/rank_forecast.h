/* SPDX-License-Identifier: MIT
 *
 * What a build by several ranks will cost: the forecast of a build (forecast.h) with what a sample
 * says about who reads whose slabs. Computed, but for the rates; deterministic.
 */
#ifndef PLB_BUILDER_FORECAST_RANK_FORECAST_H
#define PLB_BUILDER_FORECAST_RANK_FORECAST_H

#include "builder/forecast/forecast.h"

/* Of one ply. */
typedef struct plb_rank_ply {
    bool is_divided;       /* else every rank makes it */
    double workers;        /* ranks that have work, by their number and that of the segments */
    double records_bytes;  /* packed values of the next ply that all ranks receive for it */
    double reach_bytes;    /* what can be reached, from rank 0 and to it, in both passes */
    double segments_bytes; /* that rank 0 receives after it, .. */
    double sums_bytes;     /* and all of each other */
    double received_bytes; /* all of these */
    double mean_bytes;     /* of the records, by a rank that has work */
} plb_rank_ply;

typedef struct plb_rank_forecast {
    plb_rank_ply plies[PLB_MAX_CELLS + 1];
    double received_bytes;   /* of all plies */
    plb_memory_needs memory; /* of a rank */
} plb_rank_forecast;

typedef struct plb_rank_forecast_options {
    plb_value_kind values;
    int ranks;                /* 2 or more */
    int threads;              /* that make the forecast */
    const plb_budget *budget; /* of a rank; records of planes that stay in memory are bigger */
    bool shards;              /* each rank keeps its segments */
} plb_rank_forecast_options;

/* Forecast a build by ranks of the game that a forecast is of: a table of slabs. Cost: up to a
 * second of one thread. */
void plb_rank_forecast_make(const plb_index *index, const plb_forecast *forecast,
                            const plb_rank_forecast_options *options, plb_rank_forecast *made);

/* Share the memory of a rank out where it suffices for whatever others may send, beside all planes:
 * that needs no forecast of ranks. false: it may not suffice, and *budget is not written.
 *
 * needs  [in]  of a build by one process */
bool plb_rank_budget_make_ample(const plb_memory_needs *needs, int threads, double memory_bytes,
                                plb_budget *budget);

#endif
