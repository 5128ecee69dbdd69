/* SPDX-License-Identifier: MIT
 *
 * Forecast of a build by several ranks: adds to the forecast of a build (forecast.h) the bytes that
 * ranks send to each other. A sample of slabs tells which ranks read which slabs. Deterministic.
 */
#pragma once

#include "builder/forecast/forecast.h"

/* One ply. Bytes are those that all ranks receive together, except mean_bytes. */
typedef struct plb_rank_ply {
    bool is_divided;       /* false: rank 0 alone solves the ply */
    double workers;        /* ranks that have work; few segments keep few ranks busy */
    double records_bytes;  /* compressed values of the next ply */
    double reach_bytes;    /* reachable positions, to and from rank 0, in both passes */
    double segments_bytes; /* segments, received by rank 0 */
    double sums_bytes;     /* statistics, from each rank to each other one */
    double received_bytes; /* sum of these */
    double mean_bytes;     /* records_bytes per rank that has work */
} plb_rank_ply;

typedef struct plb_rank_forecast {
    plb_rank_ply plies[PLB_MAX_CELLS + 1];
    double received_bytes;   /* sum over all plies */
    plb_memory_needs memory; /* of one rank */
} plb_rank_forecast;

typedef struct plb_rank_forecast_options {
    plb_value_kind values;
    int ranks;                /* 2 or more */
    int threads;              /* that compute the forecast */
    const plb_budget *budget; /* of one rank; records of planes held in memory are larger */
    bool shards;              /* each rank keeps its segments */
} plb_rank_forecast_options;

/* Forecast the build of a table of slabs by ranks. forecast: that of the same build by one process.
 * Cost: up to a second of one thread. */
void plb_rank_forecast_make(const plb_index *index, const plb_forecast *forecast,
                            const plb_rank_forecast_options *options, plb_rank_forecast *made);

/* Make the budget of a rank without a forecast of ranks, if the memory suffices for all planes and
 * for as many received planes, uncompressed. false: it may not suffice; *budget is not written.
 *
 * needs  [in]  of a build by one process */
bool plb_rank_budget_make_ample(const plb_memory_needs *needs, int threads, double memory_bytes,
                                plb_budget *budget);
