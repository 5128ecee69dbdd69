/* SPDX-License-Identifier: MIT
 *
 * The build: forward over the plies, backward over the plies, one file from all.
 */
#include "builder/build.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "builder/sweep.h"
#include "builder/workplace.h"
#include "tables/cut.h"
#include "tables/meta.h"

/* One part in so many of the spare memory keeps planes that were unpacked; holds the items of a
 * spool, of which there are two at a time. With what holds planes that is all of it. */
enum { KEPT_SHARE = 6, LOADED_SHARE = 6 };

/* Names of spools in the workplace, and what their notes are. */
static const char reach_name[] = "reach", values_name[] = "values", table_name[] = "table";
enum { NOTE_OPEN, NOTE_TERMINAL };                                       /* of reach */
enum { NOTE_TOTAL, NOTE_ALL_TERMINAL, NOTE_WON, NOTE_DRAWN, NOTE_LOST }; /* of table */

typedef struct build {
    const plb_game *game;
    const plb_build_options *options;
    bool is_trial;
    plb_message *message;
    plb_meta meta;
    plb_symmetry symmetry;
    plb_index index;
    plb_workplace place;
    char claim[4 * PLB_META_TEXT]; /* on the place: what is built, with which parameters */
    plb_sweep *sweep;
    plb_pool *pool;
    int saved;                /* the last ply whose values were saved; cells + 1: none yet */
    struct timespec saved_at; /* when that was, or when the backward pass began */
    plb_progress progress;
} build;

/* ---- progress ---- */

static void report(build *b) {
    if (b->options->report) b->options->report(b->options->context, &b->progress);
}

static void advance(void *context, uint64_t entries) {
    build *b = context;
    b->progress.work_done += (double)entries;
    b->progress.ply_share += (double)entries / (double)plb_index_size(&b->index, b->progress.ply);
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
    b->progress.work_done += plb_index_size(&b->index, ply);
    b->progress.work_skipped += plb_index_size(&b->index, ply);
}

static bool is_interrupted(const build *b) {
    return b->options->stop && *b->options->stop;
}

/* ---- spools of a ply ---- */

static int create_spool(build *b, const char *name, int ply, uint64_t items, plb_spool **spool) {
    const char *path = plb_workplace_path(&b->place, name, ply);
    if (!path) return plb_fail(b->message, PLB_ENOMEM, "out of memory");
    return plb_spool_create(path, items, spool, b->message);
}

static int open_spool(build *b, const char *name, int ply, plb_spool **spool) {
    const char *path = plb_workplace_path(&b->place, name, ply);
    if (!path) return plb_fail(b->message, PLB_ENOMEM, "out of memory");
    int error = plb_spool_open(path, spool, b->message);
    /* A ply reads two spools at most. */
    if (!error) error = plb_spool_load(*spool, b->options->spare_bytes / LOADED_SHARE, b->message);
    if (error == PLB_ENOTFOUND || error == PLB_ECORRUPT)
        return plb_fail(b->message, PLB_ECORRUPT,
                        "the unfinished build in %s is damaged (%s.%02d): start it again with "
                        "--force",
                        b->place.folder, name, ply);
    return error;
}

/* Begin a layer. */
static int create_layer(build *b, const char *name, int ply, plb_layer *layer) {
    uint64_t slabs = b->index.plies[ply].slabs;
    layer->hold = plb_pool_hold(b->pool, ply);
    if (plb_hold_begin(layer->hold, slabs))
        return plb_fail(b->message, PLB_ENOMEM, "out of memory");
    return create_spool(b, name, ply, slabs, &layer->spool);
}

/* Open a layer that was made; its spool, unless all of it is held. */
static int open_layer(build *b, const char *name, int ply, plb_layer *layer) {
    layer->hold = plb_pool_hold(b->pool, ply);
    return plb_hold_has_all(layer->hold) ? PLB_OK : open_spool(b, name, ply, &layer->spool);
}

/* ---- forward ---- */

static int commit_reach(build *b, plb_spool *reach, const plb_reach_counts *counts) {
    uint64_t notes[PLB_SPOOL_NOTES] = {
        [NOTE_OPEN] = counts->open, [NOTE_TERMINAL] = counts->terminal};
    return plb_spool_commit(reach, notes, b->message);
}

static int forward_ply(build *b, int ply) {
    plb_layer before = {NULL, NULL}, reach = {NULL, NULL};
    plb_reach_counts counts = {0};
    begin_ply(b, PLB_FORWARD, ply);
    int error = ply ? open_layer(b, reach_name, ply - 1, &before) : PLB_OK;
    if (!error) error = create_layer(b, reach_name, ply, &reach);
    if (!error) error = plb_sweep_forward(b->sweep, ply, &before, &reach, &counts, b->message);
    if (!error) error = commit_reach(b, reach.spool, &counts);
    if (!error) end_ply(b, counts.open + counts.terminal, 0, 0);
    plb_spool_close(before.spool);
    plb_spool_close(reach.spool);
    return error;
}

static int forward(build *b) {
    int error = PLB_OK;
    for (int ply = 0; ply <= b->game->cells && !error; ply++) {
        if (ply < b->saved && !plb_workplace_has(&b->place, reach_name, ply)) {
            error = forward_ply(b, ply);
        } else {
            skip_ply(b, ply);
            plb_hold_clear(plb_pool_hold(b->pool, ply)); /* it may hold another ply */
        }
    }
    return error;
}

/* ---- backward ---- */

/* Save the values of a ply, which no file has but for what could not be held. An interrupted build
 * goes on below it from now on, so what led here is deleted. */
static int save_values(build *b, int ply, const plb_layer *values) {
    uint64_t none[PLB_SPOOL_NOTES] = {0};
    int error = plb_sweep_save(b->sweep, ply, values, b->message);
    if (!error) error = plb_spool_commit(values->spool, none, b->message);
    if (error) return error;
    for (int done = ply; done <= b->game->cells; done++) {
        plb_workplace_delete(&b->place, reach_name, done);
        plb_workplace_delete(&b->place, values_name, done + 1);
    }
    b->saved = ply;
    clock_gettime(CLOCK_MONOTONIC, &b->saved_at);
    return PLB_OK;
}

/* The build ends before its time: save the last ply that was solved, or say that this failed. */
static void rescue_values(build *b, int ply) {
    plb_layer values = {NULL, plb_pool_hold(b->pool, ply)};
    if (ply >= b->saved) return;
    plb_message why = *b->message;
    int error = create_spool(b, values_name, ply, b->index.plies[ply].slabs, &values.spool);
    if (!error) error = save_values(b, ply, &values);
    plb_spool_close(values.spool);
    *b->message = why;
    if (error)
        plb_fail(b->message, error, "%.300s; plies %d to %d could not be saved", why.text,
                 b->saved - 1, ply);
}

/* Must a ply be saved now? */
static bool must_save(const build *b, const plb_layer *values) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double seconds = (double)(now.tv_sec - b->saved_at.tv_sec) +
                     1e-9 * (double)(now.tv_nsec - b->saved_at.tv_nsec);
    return !plb_hold_has_all(values->hold) || seconds >= b->options->save_seconds;
}

/* The layers that a ply is solved from, and its own. */
typedef struct solved_ply {
    plb_layer after, reach, values;
    plb_spool *table;
} solved_ply;

/* Open what the ply is solved from: values of the next one, and what is reachable, unless that is
 * not known. */
static int open_sources(build *b, int ply, solved_ply *s) {
    int error = ply < b->game->cells ? open_layer(b, values_name, ply + 1, &s->after) : PLB_OK;
    if (!error && !b->is_trial) error = open_spool(b, reach_name, ply, &s->reach.spool);
    return error;
}

static int commit_table(build *b, plb_spool *table, const plb_ply_stats *stats) {
    uint64_t notes[PLB_SPOOL_NOTES] = {[NOTE_TOTAL] = stats->total,
                                       [NOTE_ALL_TERMINAL] = stats->terminal,
                                       [NOTE_WON] = stats->won,
                                       [NOTE_DRAWN] = stats->drawn,
                                       [NOTE_LOST] = stats->lost};
    return plb_spool_commit(table, notes, b->message);
}

static int solve_ply(build *b, int ply, solved_ply *s, plb_ply_stats *stats) {
    plb_cut cut = plb_cut_ply(&b->index, ply, b->meta.block_positions);
    int error = open_sources(b, ply, s);
    if (!error) error = create_layer(b, values_name, ply, &s->values);
    if (!error) error = create_spool(b, table_name, ply, cut.segments, &s->table);
    if (error) return error;
    const plb_spool *reach = s->reach.spool;
    plb_reach_counts counts = {0, 0};
    if (reach)
        counts = (plb_reach_counts){plb_spool_note(reach, NOTE_OPEN),
                                    plb_spool_note(reach, NOTE_TERMINAL)};
    error = plb_sweep_backward(b->sweep, ply, ply < b->game->cells ? &s->after : NULL,
                               reach ? &s->reach : NULL, &s->values, s->table, &counts, stats,
                               b->message);
    return error ? error : commit_table(b, s->table, stats);
}

static int backward_ply(build *b, int ply) {
    solved_ply s = {0};
    plb_ply_stats stats = {0};
    begin_ply(b, PLB_BACKWARD, ply);
    int error = solve_ply(b, ply, &s, &stats);
    if (!error && must_save(b, &s.values)) error = save_values(b, ply, &s.values);
    if (!error) end_ply(b, stats.total, plb_spool_bytes(s.values.spool), plb_spool_bytes(s.table));
    plb_spool_close(s.after.spool);
    plb_spool_close(s.reach.spool);
    plb_spool_close(s.values.spool);
    plb_spool_close(s.table);
    return error;
}

static int backward(build *b, int until) {
    for (int parity = 0; parity < 2; parity++) plb_hold_clear(plb_pool_hold(b->pool, parity));
    for (int ply = b->game->cells; ply >= b->saved; ply--) skip_ply(b, ply);
    clock_gettime(CLOCK_MONOTONIC, &b->saved_at);
    for (int ply = b->saved - 1; ply >= until; ply--) {
        int error = backward_ply(b, ply);
        if (!error) continue;
        rescue_values(b, ply + 1);
        return error;
    }
    return PLB_OK;
}

/* Both passes, but for what an earlier run has saved. */
static int solve(build *b) {
    bool solved = true;
    b->saved = b->game->cells + 1;
    for (int ply = 0; ply <= b->game->cells; ply++) {
        if (!plb_workplace_has(&b->place, table_name, ply)) solved = false;
        if (ply < b->saved && plb_workplace_has(&b->place, values_name, ply)) b->saved = ply;
    }
    if (solved) {
        b->progress.work_done = b->progress.work_skipped = b->progress.work_total;
        return PLB_OK;
    }
    int error = forward(b);
    return error ? error : backward(b, 0);
}

/* ---- the file ---- */

static int copy_segments(build *b, const plb_spool *table, int ply, plb_store *store) {
    plb_cut cut = plb_cut_ply(&b->index, ply, b->meta.block_positions);
    uint8_t *bytes = NULL;
    size_t room = 0;
    int error = PLB_OK;
    for (uint64_t segment = 0; segment < cut.segments && !error; segment++) {
        size_t size = plb_spool_size_bytes(table, segment);
        if (size > room) {
            free(bytes);
            bytes = malloc(room = 2 * size);
            if (!bytes) return plb_fail(b->message, PLB_ENOMEM, "out of memory");
        }
        error = plb_spool_get(table, segment, bytes, b->message);
        if (!error)
            error = plb_store_put_segment(store, ply, segment * cut.blocks_per_segment, bytes, size,
                                          b->message);
    }
    free(bytes);
    return error;
}

static int assemble_ply(build *b, int ply, plb_store *store) {
    plb_spool *table = NULL;
    if (is_interrupted(b)) return plb_fail(b->message, PLB_EINTERRUPTED, "interrupted");
    int error = open_spool(b, table_name, ply, &table);
    if (!error) error = copy_segments(b, table, ply, store);
    if (!error) {
        plb_ply_stats stats = {.total = plb_spool_note(table, NOTE_TOTAL),
                               .terminal = plb_spool_note(table, NOTE_ALL_TERMINAL),
                               .won = plb_spool_note(table, NOTE_WON),
                               .drawn = plb_spool_note(table, NOTE_DRAWN),
                               .lost = plb_spool_note(table, NOTE_LOST)};
        error = plb_store_put_stats(store, ply, &stats, b->message);
    }
    plb_spool_close(table);
    return error;
}

/* Give the finished file its name, so that it is there after a power cut too. */
static int publish(build *b, const char *made) {
    const char *output = b->options->output;
    if (rename(made, output) != 0)
        return plb_fail_errno(b->message, errno, "cannot create", output);
    char *copy = strdup(output);
    int folder = copy ? open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (folder >= 0) {
        fsync(folder);
        close(folder);
    }
    free(copy);
    return PLB_OK;
}

static int assemble(build *b) {
    plb_store *store = NULL;
    begin_ply(b, PLB_ASSEMBLE, 0);
    report(b);
    plb_workplace_delete(&b->place, table_name, -1);
    const char *path = plb_workplace_path(&b->place, table_name, -1);
    char *made = path ? strdup(path) : NULL;
    if (!made) return plb_fail(b->message, PLB_ENOMEM, "out of memory");
    int error = plb_store_create(made, 0, &store, b->message);
    if (!error) error = plb_meta_write(&b->meta, store, b->message);
    for (int ply = 0; ply <= b->game->cells && !error; ply++) error = assemble_ply(b, ply, store);
    if (!error) {
        error = plb_store_finish(store, b->message);
        store = NULL;
    }
    if (!error) error = publish(b, made);
    plb_store_close(store);
    free(made);
    return error;
}

/* ---- the whole ---- */

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

static int prepare(build *b) {
    const plb_build_options *options = b->options;
    if (plb_symmetry_init(b->game, &b->symmetry))
        return plb_fail(b->message, PLB_ENOMEM, "out of memory");
    b->meta.symmetries = b->symmetry.order;
    int error = plb_index_init(b->game, &b->symmetry, &b->index, b->message);
    if (!error)
        error =
            plb_workplace_enter(options->output, b->claim, options->force, &b->place, b->message);
    if (error) return error;
    plb_sweep_options sweep = {
        .kernels = options->kernels ? options->kernels : plb_kernels_best(),
        .values = options->values,
        .threads = options->threads,
        .kept_bytes = options->spare_bytes / KEPT_SHARE,
        .block_positions = b->meta.block_positions,
        .level = PLB_LEVEL,
        .stop = options->stop,
        .advance = advance,
        .context = b,
    };
    for (int ply = 0; ply <= b->game->cells; ply++)
        sweep.lanes[ply] = options->lanes[ply] > 0 && options->lanes[ply] < options->threads
                               ? options->lanes[ply]
                               : options->threads;
    if (plb_sweep_open(&b->index, &sweep, &b->sweep))
        return plb_fail(b->message, PLB_ENOMEM, "out of memory for %d threads", options->threads);
    if (plb_pool_open(options->spare_bytes / PLB_HELD_SHARE, &b->pool))
        return plb_fail(b->message, PLB_ENOMEM, "out of memory");
    for (int ply = 0; ply <= b->game->cells; ply++)
        b->progress.work_total += 2.0 * plb_index_size(&b->index, ply);
    return PLB_OK;
}

static build begin_build(const plb_game *game, const plb_build_options *options, bool is_trial,
                         plb_message *message) {
    build b = {.game = game,
               .options = options,
               .is_trial = is_trial,
               .message = message,
               .place = {.files = -1, .lock = -1},
               .meta = {.builder = PLB_BUILDER_NAME, .block_positions = PLB_BLOCK_POSITIONS}};
    plb_game_format(game, b.meta.spec);
    snprintf(b.meta.values, sizeof b.meta.values, "%s", plb_scale_text(options->values));
    snprintf(b.meta.compression, sizeof b.meta.compression, "zstd-%d", PLB_LEVEL);
    snprintf(b.claim, sizeof b.claim, "%s %s block %d %s format %d%s", b.meta.spec, b.meta.values,
             b.meta.block_positions, b.meta.compression, PLB_FORMAT_VERSION,
             is_trial ? " trial" : "");
    return b;
}

static void end_build(build *b, bool remove) {
    plb_sweep_close(b->sweep);
    plb_pool_close(b->pool);
    plb_workplace_leave(&b->place, remove);
    plb_index_free(&b->index);
    plb_symmetry_free(&b->symmetry);
}

int plb_build(const plb_game *game, const plb_build_options *options, bool *existed,
              plb_message *message) {
    plb_message unheard = {""};
    build b = begin_build(game, options, false, message ? message : &unheard);
    bool exists;
    int error = check_output(&b, &exists);
    if (!error && exists) plb_workplace_sweep(options->output, b.claim);
    if (!error && !exists) {
        error = prepare(&b);
        if (!error) error = solve(&b);
        if (!error) error = assemble(&b);
    }
    end_build(&b, !error);
    if (!error) *existed = exists;
    return error;
}

int plb_build_trial(const plb_game *game, const plb_build_options *options, int until,
                    plb_message *message) {
    plb_message unheard = {""};
    plb_build_options trial = *options;
    trial.save_seconds = trial.spare_bytes = 0;
    build b = begin_build(game, &trial, true, message ? message : &unheard);
    int error = prepare(&b);
    b.saved = game->cells + 1;
    if (!error) error = backward(&b, until);
    end_build(&b, true);
    return error;
}
