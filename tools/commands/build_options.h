/* SPDX-License-Identifier: MIT
 *
 * Options that `build` and `plan` share: the game, and the limits of a build.
 */
#pragma once

#include "builder/build.h"
#include "builder/forecast/forecast.h"
#include "tools/terminal/arguments.h"

typedef struct build_options {
    const char *spec, *output; /* output: NULL for SPEC.plb */
    double memory_bytes;       /* limit of the build */
    bool memory_given;         /* by --memory */
    int threads;
    plb_value_kind values;
    int engine; /* a plb_index_kind; -1: the default of the game */
    int trial;  /* `plan`: build the plies from the last one down to this; -1: build none */
    uint64_t save_seconds, patience_seconds;
    uint64_t network_bits; /* `plan`: bits per second; 0: not given */
    int ranks;             /* `plan`: number of processes; 0: not given */
    bool force, json, plies, quiet, shards;
} build_options;

/* SPEC, --memory, --threads, --values and --engine, into build_options. */
extern const argument_row build_rows[];

/* Parse the arguments of a command whose rows include build_rows. Default of the memory: three
 * quarters of what is free; of threads: as many as the system allows. */
void parse_build_options(int argc, char **argv, const command_syntax *syntax,
                         build_options *options);

typedef struct planned_game {
    plb_space space;
    plb_forecast forecast;
    char spec[PLB_SPEC_TEXT];
} planned_game;

/* Parse the spec and make the forecast. All ranks: rank 0 makes it for all. Errors: those of
 * plb_space_open and plb_ranks_broadcast; PLB_ESPEC also if no group fits on the board;
 * PLB_EARGUMENT if the ranks are of several versions. The caller closes the space, also after an
 * error.
 *
 * ranks  [in]  or NULL, if this process is alone */
int plan_game(const build_options *options, plb_ranks *ranks, planned_game *planned,
              plb_message *message);

/* Bytes that a build needs and has. memory_has is the limit. disk_has is what is free in the folder
 * of the table, plus what an unfinished build of it already takes; 0: unknown. */
typedef struct build_needs {
    double memory_needed, memory_has, disk_needed, disk_has;
    bool memory_fits, disk_fits;
} build_needs;

build_needs find_build_needs(const build_options *options, const planned_game *planned);

/* Size of the largest shard relative to the mean of all (builder/CLUSTER.md). */
static const double largest_share = 1.3;

/* Set the values, threads and memory budget of a build. From now on the system enforces the memory
 * limit of the process (builder/memory_budget.h). Errors: PLB_ETOOBIG. */
int budget_build(const build_options *options, const planned_game *planned,
                 plb_build_options *build, plb_message *message);

/* `plybase plan --ranks` (rank_plan.c): print the cost of a build by several processes. Returns the
 * exit status: 1 if the build does not fit.
 *
 * rates_share  [in]  measured time of a build / the time by the rates of cost_rates.h  */
int show_rank_plan(const build_options *options, const planned_game *planned, double rates_share);
