/* SPDX-License-Identifier: MIT
 *
 * What `build` and `plan` have in common: the game to be solved, and what it may cost.
 */
#ifndef PLB_TOOLS_BUILD_OPTIONS_H
#define PLB_TOOLS_BUILD_OPTIONS_H

#include <argp.h>

#include "builder/build.h"
#include "builder/forecast.h"

typedef struct build_options {
    const char *spec, *output; /* output: NULL for SPEC.plb */
    double memory_bytes;       /* bound on the build; by default three quarters of what is free */
    int threads;
    plb_values values;
    int trial; /* ply down to which a plan is tried; -1: it is not */
    uint64_t save_seconds;
    bool force, json;
} build_options;

/* Parses SPEC, --memory, --threads and --values into the build_options that are the parser's input.
 */
extern const struct argp build_options_parser;

/* A game with its symmetry and index, and its forecast. */
typedef struct planned_game {
    plb_game game;
    plb_symmetry symmetry;
    plb_index index;
    plb_forecast forecast;
    char spec[PLB_SPEC_TEXT];
} planned_game;

/* Read the spec and make the forecast. Errors: those of plb_game_parse and plb_index_init, and
 * PLB_ESPEC where no group fits on the board. Free with planned_game_free, also after an error. */
int plan_game(const build_options *options, planned_game *planned, plb_message *message);
void planned_game_free(planned_game *planned);

/* Fill in what the options say and what the memory allows: values, threads, lanes and spare bytes.
 * From now on the system keeps the bound: an allocation beyond it fails, and the build ends so that
 * it can be gone on with. Errors: PLB_ETOOBIG. */
int budget_build(const build_options *options, const planned_game *planned,
                 plb_build_options *build, plb_message *message);

#endif
