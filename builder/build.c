/* SPDX-License-Identifier: MIT
 *
 * The build: forward over the plies, backward over the plies, one file from all.
 */
#include "builder/build.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "builder/assemble.h"
#include "builder/journal.h"
#include "builder/slabs/sweep.h"
#include "tables/cut.h"

/* Spare memory: 1/2 for the planes of two plies (build.h), 1/6 for the cache of unpacked planes,
 * 1/6 for the records of each of two open scratch files. */
enum { CACHE_SHARE = 6, LOADED_SHARE = 6 };

typedef struct build {
    const plb_space *space;
    const plb_build_options *options;
    bool is_trial;
    plb_message *message;
    plb_meta meta;
    char identity[4 * PLB_META_TEXT]; /* what is built, with which parameters */
    plb_journal journal;
    plb_sweep *sweep;
    plb_memory_pool *pool;
    int solved; /* the plies from this one on are */
    plb_progress progress;
} build;

/* ---- progress ---- */

static void report(build *b) {
    b->progress.resume_ply = b->journal.resume_ply;
    if (b->options->report) b->options->report(b->options->context, &b->progress);
}

static void advance(void *context, uint64_t entries) {
    build *b = context;
    b->progress.work_done += (double)entries;
    b->progress.ply_share +=
        (double)entries / (double)plb_index_size(&b->space->index, b->progress.ply);
    report(b);
}

static void begin_ply(build *b, plb_phase phase, int ply) {
    b->progress.phase = phase;
    b->progress.ply = ply;
    b->progress.ply_done = false;
    b->progress.ply_share = 0;
}

static void end_ply(build *b, uint64_t positions, uint64_t values_bytes, uint64_t table_bytes) {
    b->progress.ply_done = true;
    b->progress.positions = positions;
    b->progress.values_bytes = values_bytes;
    b->progress.table_bytes = table_bytes;
    report(b);
}

static void skip_ply(build *b, int ply) {
    b->progress.work_done += plb_index_size(&b->space->index, ply);
    b->progress.work_skipped += plb_index_size(&b->space->index, ply);
}

/* ---- scratch files of a ply ---- */

/* Items of a file: slabs, or segments of the table. */
static uint64_t count_records(const build *b, plb_scratch_file file) {
    if (file.kind != PLB_SCRATCH_TABLE) return b->space->index.plies[file.ply].slabs;
    return plb_cut_ply(&b->space->index, file.ply, b->meta.block_positions).segments;
}

static int create_scratch(build *b, plb_scratch_file file, plb_scratch **scratch) {
    return plb_journal_create(&b->journal, file, count_records(b, file), scratch, b->message);
}

static int open_scratch(build *b, plb_scratch_file file, plb_scratch **scratch) {
    int error = plb_journal_read(&b->journal, file, count_records(b, file), scratch, b->message);
    /* A ply reads two scratch files at most. */
    return error ? error
                 : plb_scratch_load(*scratch, b->options->spare_bytes / LOADED_SHARE, b->message);
}

/* Begin a layer. */
static int create_layer(build *b, plb_scratch_file file, plb_layer *layer) {
    layer->memory = plb_memory_pool_ply(b->pool, file.ply);
    if (plb_ply_memory_begin(layer->memory, b->space->index.plies[file.ply].slabs))
        return plb_fail(b->message, PLB_ENOMEM, "out of memory");
    return create_scratch(b, file, &layer->scratch);
}

/* Open a layer that was made: its scratch file, unless all of it is in memory. */
static int open_layer(build *b, plb_scratch_file file, plb_layer *layer) {
    layer->memory = plb_memory_pool_ply(b->pool, file.ply);
    return plb_ply_memory_has_all(layer->memory) ? PLB_OK : open_scratch(b, file, &layer->scratch);
}

static bool is_save_due(const build *b) {
    return plb_journal_age_seconds(&b->journal) >= b->options->save_seconds;
}

/* ---- forward ---- */

static int forward_ply(build *b, int ply) {
    plb_layer before = {.planes = 1}, reach = {.planes = 1};
    plb_scratch_file made = {PLB_SCRATCH_REACH, ply};
    plb_reach_counts counts = {0};
    begin_ply(b, PLB_FORWARD, ply);
    int error =
        ply ? open_layer(b, (plb_scratch_file){PLB_SCRATCH_REACH, ply - 1}, &before) : PLB_OK;
    if (!error) error = create_layer(b, made, &reach);
    if (!error) error = plb_sweep_forward(b->sweep, ply, &before, &reach, &counts, b->message);
    if (!error)
        error = plb_journal_commit(&b->journal, made, reach.scratch, &counts, sizeof counts,
                                   b->message);
    if (!error && is_save_due(b))
        error = plb_journal_save(&b->journal, b->journal.resume_ply, b->message);
    if (!error) end_ply(b, counts.open + counts.terminal, 0, 0);
    plb_scratch_close(before.scratch);
    plb_scratch_close(reach.scratch);
    return error;
}

static int forward(build *b) {
    int error = PLB_OK;
    for (int ply = 0; ply <= b->space->game.cells && !error; ply++) {
        plb_scratch_file reach = {PLB_SCRATCH_REACH, ply};
        if (ply < b->journal.resume_ply && !plb_journal_has(&b->journal, reach)) {
            error = forward_ply(b, ply);
        } else {
            skip_ply(b, ply);
            plb_ply_memory_clear(plb_memory_pool_ply(b->pool, ply)); /* it may have another ply */
        }
    }
    return error;
}

/* ---- backward ---- */

/* Write the planes that are only in memory to the scratch file of the values, and commit it. */
static int write_values(build *b, plb_layer *values, int ply) {
    int error = plb_sweep_save(b->sweep, ply, values, b->message);
    plb_scratch_file file = {PLB_SCRATCH_VALUES, ply};
    return error ? error
                 : plb_journal_commit(&b->journal, file, values->scratch, NULL, 0, b->message);
}

/* Save the build as it is when a ply is solved and the one below is not; if the values of the ply
 * are in memory alone, write them first. */
static int save_ply(build *b, int ply) {
    plb_scratch_file file = {PLB_SCRATCH_VALUES, ply};
    plb_layer values = {.memory = plb_memory_pool_ply(b->pool, ply)};
    int error = PLB_OK;
    if (ply <= b->space->game.cells && !plb_journal_has(&b->journal, file)) {
        assert(plb_ply_memory_has_all(values.memory));
        error = create_scratch(b, file, &values.scratch);
        if (!error) error = write_values(b, &values, ply);
        plb_scratch_close(values.scratch);
    }
    return error ? error : plb_journal_save(&b->journal, ply, b->message);
}

/* The build ends before its time, with a message: save what is solved, or at least what leads
 * there, and add to the message if that failed. */
static void rescue(build *b) {
    plb_message why = *b->message;
    int resume_ply = b->journal.resume_ply, error = save_ply(b, b->solved);
    if (error && b->solved < resume_ply) plb_journal_save(&b->journal, resume_ply, b->message);
    *b->message = why;
    if (error && b->solved < b->journal.resume_ply)
        plb_fail(b->message, error, "%.260s; plies %d to %d could not be saved", why.text,
                 resume_ply - 1, b->solved);
}

/* The layers that a ply is solved from, and its own. */
typedef struct solved_ply {
    plb_layer after, reach, values;
    plb_scratch *table;
} solved_ply;

/* Open what the ply is solved from: values of the next one, and what is reachable, unless that is
 * not known. */
static int open_sources(build *b, int ply, solved_ply *s) {
    int error = PLB_OK;
    if (ply < b->space->game.cells)
        error = open_layer(b, (plb_scratch_file){PLB_SCRATCH_VALUES, ply + 1}, &s->after);
    if (!error && !b->is_trial)
        error = open_scratch(b, (plb_scratch_file){PLB_SCRATCH_REACH, ply}, &s->reach.scratch);
    return error;
}

static int read_counts(build *b, const plb_scratch *reach, plb_reach_counts *counts) {
    size_t size;
    const void *notes = plb_scratch_notes(reach, &size);
    if (size != sizeof *counts) return plb_scratch_fail_damaged(reach, b->message);
    memcpy(counts, notes, sizeof *counts);
    return PLB_OK;
}

static int solve_ply(build *b, int ply, solved_ply *s, plb_ply_results *results) {
    plb_scratch_file table = {PLB_SCRATCH_TABLE, ply};
    plb_reach_counts counts = {0, 0};
    int error = open_sources(b, ply, s);
    if (!error && s->reach.scratch) error = read_counts(b, s->reach.scratch, &counts);
    if (!error) error = create_layer(b, (plb_scratch_file){PLB_SCRATCH_VALUES, ply}, &s->values);
    if (!error) error = create_scratch(b, table, &s->table);
    if (error) return error;
    error = plb_sweep_backward(b->sweep, ply, ply < b->space->game.cells ? &s->after : NULL,
                               s->reach.scratch ? &s->reach : NULL, &s->values, s->table, &counts,
                               results, b->message);
    if (error) return error;
    return plb_journal_commit(&b->journal, table, s->table, results, sizeof *results, b->message);
}

/* A ply is solved: write its values if memory does not hold them all, and save them if it is
 * time.
 */
static int keep_ply(build *b, int ply, plb_layer *values) {
    bool is_due = is_save_due(b);
    int error = PLB_OK;
    if (is_due || !plb_ply_memory_has_all(values->memory)) error = write_values(b, values, ply);
    if (error) return error;
    b->solved = ply;
    return is_due ? save_ply(b, ply) : plb_journal_discard(&b->journal, ply, b->message);
}

static void close_ply(solved_ply *s) {
    plb_scratch_close(s->after.scratch);
    plb_scratch_close(s->reach.scratch);
    plb_scratch_close(s->values.scratch);
    plb_scratch_close(s->table);
}

static int backward_ply(build *b, int ply) {
    solved_ply s = {.reach.planes = 1};
    plb_ply_results results = {0};
    begin_ply(b, PLB_BACKWARD, ply);
    int error = solve_ply(b, ply, &s, &results);
    if (!error) error = keep_ply(b, ply, &s.values);
    if (!error)
        end_ply(b, results.stats.total, plb_scratch_bytes(s.values.scratch),
                plb_scratch_bytes(s.table));
    close_ply(&s);
    return error;
}

static int backward(build *b, int until) {
    int error = PLB_OK;
    for (int parity = 0; parity < 2; parity++)
        plb_ply_memory_clear(plb_memory_pool_ply(b->pool, parity));
    for (int ply = b->space->game.cells; ply >= b->solved; ply--) skip_ply(b, ply);
    while (b->solved > until && !error) error = backward_ply(b, b->solved - 1);
    return error;
}

/* Files of a build that resumes must be there and be what they should. */
static int check_saved(build *b) {
    int error = PLB_OK;
    for (int ply = b->journal.resume_ply; ply <= b->space->game.cells && !error; ply++) {
        plb_scratch *table = NULL;
        error = open_scratch(b, (plb_scratch_file){PLB_SCRATCH_TABLE, ply}, &table);
        plb_scratch_close(table);
    }
    return error;
}

/* Both passes, but for what an earlier run has saved. */
static int solve(build *b) {
    int error = check_saved(b);
    if (b->solved == 0) {
        b->progress.work_done = b->progress.work_skipped = b->progress.work_total;
        return error;
    }
    if (!error) error = forward(b);
    return error ? error : backward(b, 0);
}

/* ---- the whole ---- */

/* What is saved gives way to the table, unless nothing is yet: then this would only take time. */
static int assemble(build *b) {
    plb_assembly assembly = {.index = &b->space->index,
                             .meta = &b->meta,
                             .output = b->options->output,
                             .stop = b->options->stop};
    begin_ply(b, PLB_ASSEMBLE, 0);
    report(b);
    int error = PLB_OK;
    if (is_save_due(b) || plb_journal_has_saved(&b->journal)) error = save_ply(b, 0);
    return error ? error : plb_assemble(&b->journal, &assembly, b->message);
}

/* Look at what has the output's name: nothing, this table already, or something else. */
static int check_output(build *b, bool *exists) {
    const char *output = b->options->output;
    plb_store *store = NULL;
    plb_meta found;
    plb_message why;
    *exists = false;
    int error = plb_store_open(output, &store, &why);
    if (!error) error = plb_meta_read(store, &found, &why);
    plb_store_close(store);
    if (error == PLB_ENOTFOUND) return PLB_OK;
    if (error == PLB_ENOTTABLE)
        return plb_fail(b->message, error,
                        "%s exists and is not a Plybase table: choose another output with -o",
                        output);
    bool broken = error == PLB_ECORRUPT || error == PLB_EVERSION;
    if (b->options->force && (broken || !error)) return PLB_OK;
    if (error == PLB_EVERSION)
        return plb_fail(b->message, error,
                        "%s is a table that this program does not read: replace it with --force",
                        output);
    if (broken) return plb_fail(b->message, error, "%.200s; replace it with --force", why.text);
    if (error) return plb_fail(b->message, error, "%s", why.text);
    if (strcmp(found.spec, b->meta.spec) != 0 || strcmp(found.values, b->meta.values) != 0)
        return plb_fail(b->message, PLB_EOTHERGAME,
                        "%s is the %s table of %s, not the %s table of %s: choose another output "
                        "with -o, or replace it with --force",
                        output, found.values, found.spec, b->meta.values, b->meta.spec);
    *exists = true;
    return PLB_OK;
}

static int open_sweep(build *b) {
    const plb_build_options *options = b->options;
    plb_sweep_options sweep = {
        .kernels = options->kernels ? options->kernels : plb_kernels_best(),
        .values = options->values,
        .threads = options->threads,
        .cache_bytes = options->spare_bytes / CACHE_SHARE,
        .block_positions = b->meta.block_positions,
        .identity = plb_meta_identity(&b->meta),
        .level = PLB_LEVEL,
        .stop = options->stop,
        .advance = advance,
        .context = b,
    };
    for (int ply = 0; ply <= b->space->game.cells; ply++)
        sweep.workers[ply] = options->workers[ply] > 0 && options->workers[ply] < options->threads
                                 ? options->workers[ply]
                                 : options->threads;
    if (plb_sweep_open(&b->space->index, &sweep, &b->sweep))
        return plb_fail(b->message, PLB_ENOMEM, "out of memory for %d threads", options->threads);
    if (plb_memory_pool_open(options->spare_bytes / PLB_HELD_SHARE, &b->pool))
        return plb_fail(b->message, PLB_ENOMEM, "out of memory");
    return PLB_OK;
}

static int prepare(build *b) {
    const plb_build_options *options = b->options;
    int cells = b->space->game.cells;
    int error = plb_journal_open(&b->journal, options->output, b->identity, options->force, cells,
                                 b->message);
    if (error) return error;
    b->solved = b->journal.resume_ply;
    for (int ply = 0; ply <= cells; ply++)
        b->progress.work_total += 2.0 * (double)plb_index_size(&b->space->index, ply);
    return open_sweep(b);
}

static build begin_build(const plb_space *space, const plb_build_options *options, bool is_trial,
                         plb_message *message) {
    build b = {.space = space,
               .options = options,
               .is_trial = is_trial,
               .message = message,
               .meta = {.builder = PLB_BUILDER_NAME,
                        .symmetries = space->symmetry.order,
                        .block_positions = PLB_BLOCK_POSITIONS}};
    plb_game_format(&space->game, b.meta.spec);
    snprintf(b.meta.values, sizeof b.meta.values, "%s", plb_outcome_code_text(options->values));
    snprintf(b.meta.compression, sizeof b.meta.compression, "zstd-%d", PLB_LEVEL);
    snprintf(b.identity, sizeof b.identity, "%s %s block %d %s format %d scratch %d%s", b.meta.spec,
             b.meta.values, b.meta.block_positions, b.meta.compression, PLB_FORMAT_VERSION,
             PLB_SCRATCH_FORMAT, is_trial ? " trial" : "");
    return b;
}

static void end_build(build *b, bool remove) {
    plb_sweep_close(b->sweep);
    plb_memory_pool_close(b->pool);
    plb_journal_close(&b->journal, remove);
}

/* Solve and write, and save what was done if that fails. */
static int run(build *b) {
    int error = solve(b);
    if (!error) error = assemble(b);
    if (error) rescue(b);
    if (error != PLB_ECORRUPT) return error;
    plb_message why = *b->message;
    return plb_fail(b->message, error, "%.250s: start the build anew with --force", why.text);
}

int plb_build(const plb_space *space, const plb_build_options *options, bool *existed,
              plb_message *message) {
    plb_message unheard = {""};
    build b = begin_build(space, options, false, message ? message : &unheard);
    bool exists;
    int error = check_output(&b, &exists);
    if (!error && exists) plb_build_folder_remove_leftover(options->output, b.identity);
    if (!error && !exists) {
        error = prepare(&b);
        if (!error) error = run(&b);
    }
    end_build(&b, !error);
    if (!error) *existed = exists;
    return error;
}

int plb_build_trial(const plb_space *space, const plb_build_options *options, int until,
                    plb_message *message) {
    plb_message unheard = {""};
    plb_build_options trial = *options;
    trial.save_seconds = trial.spare_bytes = 0;
    build b = begin_build(space, &trial, true, message ? message : &unheard);
    plb_build_folder_remove_leftover(trial.output, b.identity); /* of a trial that was killed */
    int error = prepare(&b);
    if (!error) error = backward(&b, until);
    end_build(&b, true);
    return error;
}
