/* SPDX-License-Identifier: MIT
 *
 * Options that `build` and `plan` share: the game, and the limits of a build.
 */
#ifndef PLB_TOOLS_COMMANDS_BUILD_OPTIONS_H
#define PLB_TOOLS_COMMANDS_BUILD_OPTIONS_H

#include "builder/build.h"
#include "builder/forecast/forecast.h"
#include "tools/terminal/arguments.h"

typedef struct build_options {
    const char *spec, *output; /* output: NULL for SPEC.plb */
    double memory_bytes;       /* bound on the build; 0: not given */
    bool memory_given;
    int threads;
    plb_value_kind values;
    int engine; /* a plb_index_kind; -1: that of the game */
    int trial;  /* ply down to which a plan is tried; -1: it is not */
    uint64_t save_seconds, patience_seconds;
    uint64_t network_bits; /* of a plan; 0: not given */
    int ranks;             /* of a plan; 0: one process */
    bool force, json, plies, quiet, shards;
} build_options;

/* SPEC, --memory, --threads and --values, into build_options. */
extern const argument_row build_rows[];

/* Parse the arguments of a command whose rows have build_rows; what was not given gets its default,
 * memory three quarters of what is free, threads as many as the system gives. */
void parse_build_options(int argc, char **argv, const command_syntax *syntax,
                         build_options *options);

/* A game's space, and the forecast of its build. */
typedef struct planned_game {
    plb_space space;
    plb_forecast forecast;
    char spec[PLB_SPEC_TEXT];
} planned_game;

/* Read the spec and make the forecast. Errors: those of plb_space_open, and PLB_ESPEC
 * where no group fits on the board. Free with planned_game_free, also after an error. */
int plan_game(const build_options *options, planned_game *planned, plb_message *message);
void planned_game_free(planned_game *planned);

/* What a build needs and what it has: of memory the bound, of disk what is free where the table
 * will be, 0 if that is unknown. */
typedef struct build_needs {
    double memory_needed, memory_has, disk_needed, disk_has;
    bool memory_fits, disk_fits;
} build_needs;

build_needs find_build_needs(const build_options *options, const planned_game *planned);

/* How much bigger than their mean the largest shard is (builder/CLUSTER.md). */
static const double largest_share = 1.3;

/* Fill in what the options say and what the memory allows: values, threads and the budget. From now
 * on the system keeps the process within the memory (builder/memory_budget.h). Errors: PLB_ETOOBIG.
 */
int budget_build(const build_options *options, const planned_game *planned,
                 plb_build_options *build, plb_message *message);

/* `plybase plan --ranks` (rank_plan.c): print what a build by several processes would cost; what
 * times are of those that the rates say (cost_rates.h). Returns the exit status: 1 if the build
 * does not fit. */
int show_rank_plan(const build_options *options, const planned_game *planned, double rates_share);

#endif
