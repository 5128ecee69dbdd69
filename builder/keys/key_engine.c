/* SPDX-License-Identifier: MIT
 *
 * The engine of keys: which files a pass reads and makes.
 */
#include "builder/keys/key_passes.h"
#include "builder/keys/key_table.h"

static int open_scratch(const plb_key_state *engine, plb_scratch_kind kind, int ply,
                        plb_scratch **scratch, plb_message *message) {
    plb_scratch_file file = {kind, ply, 0};
    return plb_journal_read(engine->options.journal, file, PLB_SCRATCH_ANY, scratch, message);
}

static int open_engine(const plb_engine_options *options, void **state, plb_message *message) {
    plb_key_state *engine;
    int error = plb_key_state_open(options, &engine, message);
    if (!error) *state = engine;
    return error;
}

static void close_engine(void *state) {
    plb_key_state_close(state);
}

static int forward(void *state, int ply, plb_ply_made *made, plb_message *message) {
    plb_key_state *engine = state;
    plb_scratch *before = NULL;
    plb_key_reached reached;
    int error = ply ? open_scratch(engine, PLB_SCRATCH_REACH, ply - 1, &before, message) : PLB_OK;
    if (!error) error = plb_key_reach_ply(engine, ply, before, &reached, message);
    if (!error) *made = (plb_ply_made){.positions = reached.stats.total};
    plb_scratch_close(before);
    return error;
}

/* Have the values of a ply in memory, unless it is beyond the last. */
static int load_values(plb_key_state *engine, int ply, plb_message *message) {
    plb_scratch *scratch = NULL;
    if (engine->values_ply == ply || ply > engine->game->cells) return PLB_OK;
    int error = open_scratch(engine, PLB_SCRATCH_VALUES, ply, &scratch, message);
    if (!error) error = plb_key_values_read(scratch, &engine->values, message);
    if (!error) engine->values_ply = ply;
    plb_scratch_close(scratch);
    return error;
}

/* From a reach file to a table file. */
static int solve(plb_key_state *engine, int ply, const plb_scratch *reach, plb_key_solved *solved,
                 plb_message *message) {
    plb_journal *journal = engine->options.journal;
    plb_scratch_file file = {PLB_SCRATCH_TABLE, ply, 0};
    plb_key_reached reached;
    int error = plb_key_read_reached(reach, &reached, message);
    if (error) return error;
    plb_block_layout layout =
        plb_block_layout_make(reached.slab_size, reached.slabs, engine->options.block_entries);
    error =
        plb_journal_create(journal, file, plb_key_table_records(&layout), &solved->table, message);
    if (!error) error = plb_key_solve_ply(engine, ply, reach, solved, message);
    if (error) return error;
    return plb_journal_commit(journal, file, solved->table, &solved->results,
                              sizeof solved->results, message);
}

/* The values of the ply replace those of the ply after it. */
static int backward(void *state, int ply, int part, plb_ply_made *made, plb_message *message) {
    (void)part;
    plb_key_state *engine = state;
    plb_key_solved solved = {.table = NULL};
    plb_scratch *reach = NULL;
    int error = open_scratch(engine, PLB_SCRATCH_REACH, ply, &reach, message);
    if (!error) error = load_values(engine, ply + 1, message);
    if (!error) error = solve(engine, ply, reach, &solved, message);
    if (!error) {
        plb_key_values_free(&engine->values);
        engine->values = solved.values;
        engine->values_ply = ply;
        *made = (plb_ply_made){.positions = solved.results.stats.total,
                               .table_bytes = plb_scratch_bytes(solved.table)};
    } else {
        plb_key_values_free(&solved.values);
    }
    plb_scratch_close(solved.table);
    plb_scratch_close(reach);
    return error;
}

static int save(void *state, const plb_build_point *point, plb_message *message) {
    const plb_key_state *engine = state;
    plb_scratch_file file = {PLB_SCRATCH_VALUES, point->ply, 0};
    plb_scratch *scratch = NULL;
    if (engine->values_ply != point->ply || plb_journal_has(engine->options.journal, file))
        return PLB_OK;
    int error = plb_journal_create(engine->options.journal, file,
                                   plb_key_values_records(&engine->values), &scratch, message);
    if (!error) error = plb_key_values_write(&engine->values, scratch, message);
    if (!error)
        error = plb_journal_commit(engine->options.journal, file, scratch, NULL, 0, message);
    plb_scratch_close(scratch);
    return error;
}

static bool goes_forward(const void *state) {
    (void)state;
    return true;
}

static bool compares_counts(const void *state) {
    (void)state;
    return false;
}

const plb_engine plb_engine_of_keys = {.open = open_engine,
                                       .close = close_engine,
                                       .goes_forward = goes_forward,
                                       .compares_counts = compares_counts,
                                       .forward = forward,
                                       .backward = backward,
                                       .save = save};
