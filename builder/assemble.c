/* SPDX-License-Identifier: MIT */
#include "builder/assemble.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "builder/buffer.h"
#include "builder/build.h"
#include "tables/format/automaton_record.h"
#include "tables/format/block_layout.h"
#include "tables/format/distance_record.h"
#include "tables/format/meta.h"
#include "tables/format/outcome_code.h"
#include "tables/rename.h"
#include "tables/stop.h"
#include "tables/store/store_writer.h"

/* ---- the output path ---- */

/* Read the description of the table at the output path, its numbers of positions and bytes. The
 * number of shards is found even after an error. */
static int read_output(const char *output, plb_meta *found, plb_built *built, bool *is_strategy,
                       plb_message *why) {
    plb_store *store = NULL;
    plb_space space = {0};
    int error = plb_store_open(output, &store, why);
    *is_strategy = !error && plb_meta_is_strategy(store);
    if (!error) error = plb_meta_read(store, found, &space, why);
    for (int ply = 0; !error && ply < plb_store_plies(store); ply++) {
        plb_ply_stats stats = {0};
        error = plb_store_get_stats(store, ply, &stats, why);
        built->positions += stats.total;
    }
    if (!error) built->bytes = plb_store_size_bytes(store);
    built->shards = error ? plb_store_count_shards(output) : plb_store_shards(store);
    plb_space_close(&space);
    plb_store_close(store);
    return error;
}

/* Refuse to overwrite a file at the place of a shard, unless it is a shard. */
static int refuse_other(const char *path, plb_message *message) {
    plb_message why;
    int error = plb_store_check_shard(path, &why);
    if (error == PLB_ENOTTABLE)
        return plb_fail(message, error,
                        "%s exists and is not a shard: move it, or choose another output with -o",
                        path);
    bool broken = error == PLB_ECORRUPT || error == PLB_EVERSION;
    return !error || broken || error == PLB_ENOTFOUND ? PLB_OK
                                                      : plb_fail(message, error, "%s", why.text);
}

/* The path of a shard, which the caller frees. */
static int name_shard(const plb_assembly *a, int shard, char **path, plb_message *message) {
    if (asprintf(path, "%s.%d", a->output, shard) >= 0) return PLB_OK;
    return plb_fail(message, PLB_ENOMEM, "out of memory");
}

/* Refuse to overwrite other files; without --force also shards that belong to neither a manifest
 * nor an unfinished build. */
static int refuse_shards(const plb_assembly *a, bool force, plb_message *message) {
    char *path;
    int error = PLB_OK;
    if (asprintf(&path, "%s" PLB_UNFINISHED_SUFFIX, a->output) < 0)
        return plb_fail(message, PLB_ENOMEM, "out of memory");
    bool resumes = plb_input_file_exists(path);
    free(path);
    for (int shard = 0; !error && shard < a->shards; shard++) {
        if (name_shard(a, shard, &path, message)) return PLB_ENOMEM;
        error = refuse_other(path, message);
        if (!error && !resumes && !force && plb_input_file_exists(path))
            error = plb_fail(message, PLB_ENOTTABLE,
                             "%s exists, but no %s: copy that here too, choose another output with "
                             "-o, or replace the shard with --force",
                             path, a->output);
        free(path);
    }
    return error;
}

int plb_assemble_find_output(const plb_assembly *assembly, bool force, plb_built *built,
                             plb_message *message) {
    const char *output = assembly->output;
    const plb_meta *meta = assembly->meta;
    plb_meta found;
    plb_message why;
    bool is_strategy;
    *built = (plb_built){.existed = false};
    int error = read_output(output, &found, built, &is_strategy, &why);
    if (error == PLB_ENOTFOUND) return refuse_shards(assembly, force, message);
    if (error == PLB_ENOTTABLE)
        return plb_fail(message, error, "%s exists and is %s: choose another output with -o",
                        output, is_strategy ? "a strategy, not a table" : "not a Plybase table");
    bool broken = error == PLB_ECORRUPT || error == PLB_EVERSION;
    if (force && (broken || !error)) return refuse_shards(assembly, force, message);
    if (error == PLB_EVERSION)
        return plb_fail(message, error,
                        "%s is a table that this program does not read: replace it with --force",
                        output);
    if (broken) return plb_fail(message, error, "%s, or replace it with --force", why.text);
    if (error) return plb_fail(message, error, "%s", why.text);
    if (strcmp(found.spec, meta->spec) != 0 || found.values != meta->values)
        return plb_fail(message, PLB_EOTHERGAME,
                        "%s is the %s table of %s, not the %s table of %s: choose another output "
                        "with -o, or replace it with --force",
                        output, plb_value_kind_text(found.values), found.spec,
                        plb_value_kind_text(meta->values), meta->spec);
    built->existed = true;
    return PLB_OK;
}

int plb_assemble_find_shards(const plb_assembly *a, bool *had_shard, plb_message *message) {
    int number = plb_ranks_number(a->ranks), count = plb_ranks_count(a->ranks);
    for (int shard = number; shard < a->shards; shard += count) {
        char *path;
        if (name_shard(a, shard, &path, message)) return PLB_ENOMEM;
        had_shard[shard] = plb_input_file_exists(path);
        free(path);
    }
    return PLB_OK;
}

/* ---- table files ---- */

/* The table files of a ply. */
typedef struct ply_file {
    plb_ply_results results;
    plb_parts parts;
    uint64_t sets, models; /* records after the segments: sets of keys, models of blocks */
    bool is_stripped;      /* the segments are in the new file alone; without shards the other
                              records are, too */
} ply_file;

/* A new file, which is written from the table files of a journal. */
typedef struct assembling {
    plb_journal *journal;
    const plb_assembly *a;
    plb_message *message;
    ply_file plies[PLB_MAX_CELLS + 1];
    bool resumes; /* table files are stripped: the file in the folder is needed, and continued */
    plb_store_writer *store;
    plb_bytes record; /* buffer for the record that is copied */
    uint64_t *made;   /* with shards, see make_shards */
} assembling;

static int open_part(const assembling *w, int ply, int part, plb_scratch **table) {
    plb_scratch_file file = {PLB_SCRATCH_TABLE, ply, part};
    *table = NULL;
    return plb_journal_read(w->journal, file, PLB_SCRATCH_ANY, table, w->message);
}

static void use_results(const assembling *w, const plb_ply_results *results, ply_file *f) {
    const plb_meta *meta = w->a->meta;
    f->results = *results;
    f->parts.layout =
        plb_block_layout_make(results->slab_size, results->slabs, meta->block_entries);
    f->sets = meta->index == PLB_KEYS ? results->slabs : 0;
    f->models = meta->index == PLB_SLABS ? PLB_TABLE_MODELS : 0;
}

/* The number of records of a stripped table file. With shards it keeps the records after the
 * segments, because the manifest, which gets them, is written last. */
static uint64_t stripped_records(const assembling *w, const ply_file *f) {
    return w->a->shards ? f->sets + f->models : 0;
}

/* Does this shard have segments of a ply? */
static bool has_segments(const assembling *w, int ply) {
    return w->a->shard == 0 || w->a->results[ply].ranks > (uint64_t)w->a->shard;
}

static int open_ply(assembling *w, int ply) {
    ply_file *f = &w->plies[ply];
    plb_ply_results results = {0};
    int error = PLB_OK, last = w->journal->plies.parts[ply] - 1;
    *f = (ply_file){.parts = {.count = last + 1}};
    if (!has_segments(w, ply)) {
        use_results(w, &w->a->results[ply], f);
        f->results.own = (plb_segment_run){0, 0};
        return PLB_OK;
    }
    for (int part = last; part >= 0 && !error; part--) {
        plb_scratch *table;
        error = open_part(w, ply, part, &table);
        if (!error && part == last) { /* the results are the notes of the last table file */
            size_t size;
            const void *notes = plb_scratch_notes(table, &size);
            if (size == sizeof results) memcpy(&results, notes, size);
            if (results.slab_size > 0)
                use_results(w, &results, f);
            else
                error = plb_scratch_fail_damaged(table, w->message);
        }
        if (!error) {
            uint64_t records = plb_scratch_records(table), stripped = stripped_records(w, f);
            uint64_t whole = plb_parts_segments(&f->parts, part) + f->sets + f->models;
            if (records == stripped && whole > stripped) f->is_stripped = true;
            if (records != stripped && records != whole)
                error = plb_scratch_fail_damaged(table, w->message);
        }
        plb_scratch_close(table);
    }
    return error;
}

static int open_plies(assembling *w, int first) {
    int error = PLB_OK;
    for (int ply = first; ply <= w->a->game->cells && !error; ply++) error = open_ply(w, ply);
    return error;
}

int plb_assemble_read(plb_journal *journal, const plb_assembly *assembly, int first,
                      plb_ply_results *results, plb_message *message) {
    assembling w = {.journal = journal, .a = assembly, .message = message};
    const plb_build_point *saved = &journal->resume;
    int begun = first == saved->ply ? saved->parts : 0, error = open_plies(&w, first);
    for (int ply = first; ply <= assembly->game->cells && results && !error; ply++)
        results[ply] = w.plies[ply].results;
    for (int part = 0; part < begun && !error; part++) {
        plb_scratch *table;
        error = open_part(&w, first - 1, part, &table);
        plb_scratch_close(table);
    }
    return error;
}

/* ---- the new file ---- */

static int read_record(assembling *w, const plb_scratch *table, uint64_t number) {
    w->record.size = plb_scratch_size_bytes(table, number);
    if (plb_bytes_reserve(&w->record, w->record.size + 1))
        return plb_fail(w->message, PLB_ENOMEM, "out of memory");
    return plb_scratch_get(table, number, w->record.bytes, w->message);
}

static int copy_segments(assembling *w, int ply, int part) {
    const plb_parts *parts = &w->plies[ply].parts;
    const plb_segment_run *own = &w->plies[ply].results.own;
    uint64_t first = plb_parts_first_segment(parts, part);
    plb_scratch *table;
    int error = open_part(w, ply, part, &table);
    for (uint64_t s = 0; s < plb_parts_segments(parts, part) && !error; s++) {
        if (w->a->shards && (first + s < own->first || first + s >= own->last)) continue;
        error = plb_is_stopped(w->a->stop) ? plb_fail(w->message, PLB_EINTERRUPTED, "interrupted")
                                           : read_record(w, table, s);
        if (!error)
            error =
                plb_store_put_segment(w->store, ply, (first + s) * parts->layout.blocks_per_segment,
                                      w->record.bytes, w->record.size, w->message);
    }
    plb_scratch_close(table);
    return error;
}

static int put_record(assembling *w, const char *name) {
    return plb_store_put_record(w->store, name, w->record.bytes, w->record.size, w->message);
}

/* Copy the records after the segments; those of the first part are for the whole ply. */
static int copy_others(assembling *w, int ply) {
    const ply_file *f = &w->plies[ply];
    char name[PLB_RECORD_NAME];
    uint64_t segments = f->is_stripped ? 0 : plb_parts_segments(&f->parts, 0);
    plb_scratch *table;
    int error = open_part(w, ply, 0, &table);
    for (uint64_t slab = 0; slab < f->sets && !error; slab++) {
        plb_meta_name_keys(ply, slab, name);
        error = read_record(w, table, segments + slab);
        if (!error) error = put_record(w, name);
    }
    plb_meta_name_model(ply, name);
    if (!error && f->models) error = read_record(w, table, segments);
    if (!error && f->models && w->record.size) error = put_record(w, name);
    plb_scratch_close(table);
    return error;
}

/* Replace a table file by one without its segments. */
static int strip_part(assembling *w, int ply, int part) {
    const ply_file *f = &w->plies[ply];
    plb_scratch_file file = {PLB_SCRATCH_TABLE, ply, part};
    uint64_t segments = plb_parts_segments(&f->parts, part), records = stripped_records(w, f);
    plb_scratch *whole, *table = NULL;
    int error = open_part(w, ply, part, &whole);
    if (!error) error = plb_journal_create(w->journal, file, records, &table, w->message);
    for (uint64_t r = 0; r < records && !error; r++) {
        error = read_record(w, whole, segments + r);
        if (!error) error = plb_scratch_put(table, r, w->record.bytes, w->record.size, w->message);
    }
    if (!error)
        error =
            plb_journal_commit(w->journal, file, table, &f->results, sizeof f->results, w->message);
    plb_scratch_close(whole);
    plb_scratch_close(table);
    return error;
}

/* Strip the table files of the first plies, which are on the disk in the new file. Do nothing
 * unless the journal has saved all plies. */
static int strip_plies(assembling *w, int plies) {
    bool any = false;
    int error = PLB_OK;
    if (w->journal->resume.ply > 0) return PLB_OK;
    for (int ply = 0; ply < plies && !error; ply++) {
        ply_file *f = &w->plies[ply];
        if (f->is_stripped || !has_segments(w, ply) || !f->parts.layout.segments) continue;
        if (!any) error = plb_build_folder_sync(&w->journal->folder, NULL, w->message);
        for (int part = 0; part < f->parts.count && !error; part++)
            error = strip_part(w, ply, part);
        f->is_stripped = !error;
        any = true;
    }
    return error || !any ? error : plb_journal_save_tables(w->journal, w->message);
}

static int add_distances(const assembling *w) {
    const plb_game *game = w->a->game;
    plb_ply_distances plies[PLB_MAX_CELLS + 1];
    if (w->a->meta->values != PLB_DTM) return PLB_OK;
    for (int ply = 0; ply <= game->cells; ply++) plies[ply] = w->plies[ply].results.distances;
    size_t size = plb_distance_record_bytes(game);
    uint8_t *bytes = malloc(size);
    if (!bytes) return plb_fail(w->message, PLB_ENOMEM, "out of memory");
    plb_distance_record_encode(game, plies, bytes);
    int error = plb_store_put_record(w->store, PLB_RECORD_DISTANCES, bytes, size, w->message);
    free(bytes);
    return error;
}

static int add_columns(const assembling *w) {
    const plb_meta *meta = w->a->meta;
    uint8_t *bytes = NULL;
    size_t size;
    if (!w->a->columns) return PLB_OK;
    int error = plb_automaton_record_encode(w->a->columns, plb_meta_identity(meta), meta->level,
                                            &bytes, &size);
    if (error == PLB_ETOOBIG) return PLB_OK;
    if (error) return plb_fail(w->message, error, "%s", plb_error_text(error));
    error = plb_store_put_record(w->store, PLB_RECORD_COLUMNS, bytes, size, w->message);
    free(bytes);
    return error;
}

static const char *name_of_file(const assembling *w) {
    return w->a->shards ? PLB_UNNAMED_SHARD : PLB_UNNAMED_TABLE;
}

/* Write all plies: segments and other records to the table, or segments to a shard. Plies that an
 * earlier run has stripped must already be in the file. */
static int write_plies(assembling *w) {
    int error = PLB_OK;
    for (int ply = 0; ply <= w->a->game->cells && !error; ply++) {
        const ply_file *f = &w->plies[ply];
        bool copies = !f->is_stripped && has_segments(w, ply);
        for (int part = 0; copies && part < f->parts.count && !error; part++)
            error = copy_segments(w, ply, part);
        if (copies && !w->a->shards && !error) error = copy_others(w, ply);
        if (!error) error = plb_store_put_stats(w->store, ply, &f->results.stats, w->message);
        int kept = plb_store_kept_plies(w->store);
        if (!error && f->is_stripped && kept <= ply)
            error =
                plb_fail(w->message, PLB_ECORRUPT, "%s/%s lacks segments that were copied to it",
                         w->journal->folder.path, name_of_file(w));
        if (!error) error = strip_plies(w, kept);
    }
    return error;
}

static int fail_made(const assembling *w, const char *output) {
    return plb_fail(w->message, PLB_EBUSY,
                    "another process has made %s during this build, and it stays: move it away, "
                    "then the same command writes the table (%s" PLB_UNFINISHED_SUFFIX ")",
                    output, w->a->output);
}

/* Rename a finished file of the folder to its final path, and sync. */
static int publish(const assembling *w, const char *name, const char *output, bool replaces) {
    char *path;
    int folder, error = plb_build_folder_open_parent(output, &folder, w->message);
    if (error) return error;
    if (asprintf(&path, "%s/%s", w->journal->folder.path, name) < 0) {
        close(folder);
        return plb_fail(w->message, PLB_ENOMEM, "out of memory");
    }
    if (plb_rename(path, output, replaces) != 0)
        error = errno == EEXIST ? fail_made(w, output)
                                : plb_fail_errno(w->message, errno, "cannot create", output);
    free(path);
    if (!error) return plb_build_folder_sync_parent(folder, output, w->message);
    close(folder);
    return error;
}

static int begin_file(assembling *w, const char *name) {
    char *path;
    if (asprintf(&path, "%s/%s", w->journal->folder.path, name) < 0)
        return plb_fail(w->message, PLB_ENOMEM, "out of memory");
    int error = plb_meta_create(w->a->meta, path, w->resumes, &w->store, w->message);
    free(path);
    return error;
}

/* Finish a file, or after an error close it unfinished. */
static int end_file(assembling *w, int error) {
    plb_bytes_free(&w->record);
    if (!error) return plb_store_finish(w->store, w->message);
    plb_store_abandon(w->store);
    return error;
}

/* Open the plies, and find whether any is stripped. If none is, delete the unfinished file, if any:
 * it can be written again from the table files. */
static int find_file(assembling *w) {
    int error = open_plies(w, 0);
    for (int ply = 0; ply <= w->a->game->cells && !error; ply++)
        w->resumes |= w->plies[ply].is_stripped;
    if (error || w->resumes) return error;
    return plb_build_folder_delete(&w->journal->folder, name_of_file(w), w->message);
}

/* ---- shards ---- */

static bool is_unnamed(const assembling *w) {
    return faccessat(w->journal->folder.files, PLB_UNNAMED_SHARD, F_OK, 0) == 0;
}

/* Write a shard, unless an earlier run has finished and renamed it. */
static int write_shard(assembling *w) {
    uint8_t record[2 * PLB_SHARD_NUMBER_BYTES];
    int error = find_file(w);
    if (error || (w->resumes && !is_unnamed(w))) return error;
    error = begin_file(w, PLB_UNNAMED_SHARD);
    if (error) return error;
    plb_put_number(plb_put_number(record, w->a->shard, PLB_SHARD_NUMBER_BYTES), w->a->shards,
                   PLB_SHARD_NUMBER_BYTES);
    error = plb_store_put_record(w->store, PLB_SHARD, record, sizeof record, w->message);
    if (!error) error = write_plies(w);
    return end_file(w, error);
}

/* Check that a shard, which an earlier run may have written, has the segments of this rank. */
static int check_shard(assembling *w, const plb_store *shard) {
    uint64_t count, found = 0;
    const plb_stored_segment *has = plb_store_segments(shard, &count);
    bool is_right = plb_store_identity(shard) == plb_meta_identity(w->a->meta);
    int error = open_plies(w, 0);
    if (error) return error;
    for (int ply = 0; ply <= w->a->game->cells && is_right; ply++) {
        const plb_segment_run *own = &w->plies[ply].results.own;
        const plb_block_layout *layout = &w->plies[ply].parts.layout;
        uint64_t last = plb_min(own->last, layout->segments);
        for (uint64_t s = own->first; s < last && is_right; s++, found++)
            is_right = found < count && has[found].ply == ply &&
                       has[found].first_block == s * layout->blocks_per_segment;
    }
    if (is_right && found == count) return PLB_OK;
    return plb_fail(w->message, PLB_ECORRUPT, "%s is not the shard that this build has written",
                    plb_store_path(shard));
}

/* May a shard and, if the rank writes it, the manifest get their names? */
static int check_names(assembling *w) {
    const plb_assembly *a = w->a;
    char *path;
    if (!a->force && a->shard == 0 && plb_input_file_exists(a->output))
        return fail_made(w, a->output);
    if (!is_unnamed(w)) return PLB_OK;
    if (name_shard(a, a->shard, &path, w->message)) return PLB_ENOMEM;
    bool is_new = !a->force && !a->had_shard[a->shard] && plb_input_file_exists(path);
    int error = is_new ? fail_made(w, path) : refuse_other(path, w->message);
    free(path);
    return error;
}

/* Rename a shard to its final path. Store its id in made[shard], and add its bytes to
 * made[shards]. */
static int publish_shard(assembling *w) {
    const plb_assembly *a = w->a;
    plb_store *written;
    plb_message why = {""};
    char *path;
    int error = PLB_OK;
    if (is_unnamed(w)) {
        if (name_shard(a, a->shard, &path, w->message)) return PLB_ENOMEM;
        error = publish(w, PLB_UNNAMED_SHARD, path, a->force || a->had_shard[a->shard]);
        free(path);
    }
    if (error) return error;
    error = plb_store_open_shard(a->output, a->shard, a->shards, &written, &why);
    if (error)
        return plb_fail(w->message, error, "%s%s", why.text,
                        error == PLB_ENOTFOUND ? ", or start the build anew with --force" : "");
    error = check_shard(w, written);
    w->made[a->shard] = plb_store_shard_id(written);
    w->made[a->shards] += plb_store_size_bytes(written);
    plb_store_close(written);
    return error;
}

/* Call a function for each shard of this rank, its own first. */
static int for_each_shard(plb_journal *journal, const plb_assembly *a, int (*work)(assembling *w),
                          uint64_t *made, plb_message *message) {
    plb_assembly one = *a;
    int error = PLB_OK;
    for (int i = 0; one.shard < a->shards && !error; i++) {
        assembling w = {.journal = i ? &a->others[i - 1] : journal,
                        .a = &one,
                        .message = message,
                        .made = made};
        error = work(&w);
        one.shard += plb_ranks_count(a->ranks);
    }
    return error;
}

/* Called by all ranks: make the shards. No shard is renamed before all are written and may get
 * their names, so that a table that they replace is usable until then.
 *
 * made  [out]  [shards + 1] the id of each shard, then the bytes of all shards together */
static int make_shards(plb_journal *journal, const plb_assembly *a, uint64_t *made,
                       plb_message *message) {
    memset(made, 0, (a->shards + 1) * sizeof *made);
    int error = for_each_shard(journal, a, write_shard, made, message);
    error = plb_ranks_agree(a->ranks, error, message);
    if (!error) error = for_each_shard(journal, a, check_names, NULL, message);
    error = plb_ranks_agree(a->ranks, error, message);
    if (!error) error = for_each_shard(journal, a, publish_shard, made, message);
    error = plb_ranks_agree(a->ranks, error, message);
    return error ? error : plb_ranks_sum(a->ranks, made, a->shards + 1, message);
}

/* Remove the shards of the replaced table that the new one has not replaced. */
static void remove_shards(const plb_assembly *a, int from) {
    for (int number = from; number < a->replaced_shards; number++) {
        plb_store *shard;
        if (plb_store_open_shard(a->output, number, a->replaced_shards, &shard, NULL)) continue;
        unlink(plb_store_path(shard));
        plb_store_close(shard);
    }
}

/* ---- the whole table ---- */

/* Write the table, or everything except the segments to the manifest of shards that are written. */
static int write_table(assembling *w, const uint64_t *ids, plb_built *built) {
    uint8_t record[PLB_MAX_SHARDS * PLB_SHARD_ID_BYTES], *to = record;
    int error = begin_file(w, PLB_UNNAMED_TABLE);
    if (error) return error;
    if (!w->a->shards) error = write_plies(w);
    for (int ply = 0; ply <= w->a->game->cells && !error; ply++) {
        const plb_ply_stats *stats = &w->plies[ply].results.stats;
        if (w->a->shards) error = copy_others(w, ply);
        if (w->a->shards && !error) error = plb_store_put_stats(w->store, ply, stats, w->message);
        built->positions += stats->total;
    }
    if (!error) error = add_distances(w);
    if (!error) error = add_columns(w);
    for (int shard = 0; shard < w->a->shards; shard++)
        to = plb_put_number(to, ids[shard], PLB_SHARD_ID_BYTES);
    if (!error && w->a->shards)
        error = plb_store_put_record(w->store, PLB_SHARDS, record, to - record, w->message);
    return end_file(w, error);
}

int plb_assemble(plb_journal *journal, const plb_assembly *assembly, plb_built *built,
                 plb_message *message) {
    const plb_assembly *a = assembly;
    assembling w = {.journal = journal, .a = a, .message = message};
    uint64_t shards[PLB_MAX_SHARDS + 1] = {0}; /* as `made` of make_shards */
    struct stat status;
    *built = (plb_built){.shards = a->shards};
    bool is_first = plb_ranks_number(a->ranks) == 0;
    int error = a->shards ? make_shards(journal, a, shards, message) : find_file(&w);
    if (!error && a->shards)
        error = plb_build_folder_delete(&journal->folder, PLB_UNNAMED_TABLE, message);
    if (!error && a->shards && is_first) error = open_plies(&w, 0);
    if (!error && is_first) error = write_table(&w, shards, built);
    /* After an error delete unfinished files: a save may need their space. */
    w.message = NULL;
    if (error && a->shards) for_each_shard(journal, a, find_file, NULL, NULL);
    if (error && !a->shards) find_file(&w);
    w.message = message;
    if (error || !is_first) return error;
    error = publish(&w, PLB_UNNAMED_TABLE, a->output, a->force);
    if (error) return error;
    built->bytes = shards[built->shards]; /* 0 without shards */
    if (stat(a->output, &status) == 0) built->bytes += (uint64_t)status.st_size;
    remove_shards(a, built->shards);
    return PLB_OK;
}
