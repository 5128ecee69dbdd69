/* SPDX-License-Identifier: MIT
 *
 * The last step of a build: segments and records are copied, and the file gets its name.
 */
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
#include "tables/stop.h"
#include "tables/store/store_writer.h"

/* ---- what is there ---- */

/* The description of a table, how many positions it has, and its size; also after an error, how
 * many shards. */
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

/* Shards without a table and without an unfinished build are somebody's: refuse to replace them. */
static int refuse_shards(const plb_assembly *a, plb_message *message) {
    char *path;
    int error = PLB_OK;
    if (asprintf(&path, "%s" PLB_UNFINISHED_SUFFIX, a->output) < 0)
        return plb_fail(message, PLB_ENOMEM, "out of memory");
    bool resumes = plb_input_file_exists(path);
    free(path);
    for (int shard = 0; !resumes && !error && shard < a->shards; shard++) {
        if (asprintf(&path, "%s.%d", a->output, shard) < 0)
            return plb_fail(message, PLB_ENOMEM, "out of memory");
        if (plb_input_file_exists(path))
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
    if (error == PLB_ENOTFOUND)
        return assembly->shards && !force ? refuse_shards(assembly, message) : PLB_OK;
    if (error == PLB_ENOTTABLE)
        return plb_fail(message, error, "%s exists and is %s: choose another output with -o",
                        output, is_strategy ? "a strategy, not a table" : "not a Plybase table");
    bool broken = error == PLB_ECORRUPT || error == PLB_EVERSION;
    if (force && (broken || !error)) return PLB_OK;
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

/* A ply, how it is divided, and what its table files have. */
typedef struct ply_file {
    plb_ply_results results;
    plb_parts parts;
    uint64_t sets, models; /* of keys, and of blocks: the records after the segments */
    bool is_given_up; /* its segments are in the file that is written, and with the table in one
                         file so are its other records */
} ply_file;

static int open_part(const plb_journal *journal, int ply, int part, plb_scratch **table,
                     plb_message *message) {
    plb_scratch_file file = {PLB_SCRATCH_TABLE, ply, part};
    *table = NULL;
    return plb_journal_read(journal, file, PLB_SCRATCH_ANY, table, message);
}

/* How a ply is divided follows from its results. */
static void use_results(const plb_assembly *a, const plb_ply_results *results, ply_file *f) {
    f->results = *results;
    f->parts.layout =
        plb_block_layout_make(results->slab_size, results->slabs, a->meta->block_entries);
    f->sets = a->meta->index == PLB_KEYS ? results->slabs : 0;
    f->models = a->meta->index == PLB_SLABS ? PLB_TABLE_MODELS : 0;
}

/* The results of a ply are the notes of its last table file. */
static int read_results(const plb_scratch *table, const plb_assembly *a, ply_file *f,
                        plb_message *message) {
    size_t size;
    plb_ply_results results = {0};
    const void *notes = plb_scratch_notes(table, &size);
    if (size == sizeof results) memcpy(&results, notes, size);
    if (results.slab_size == 0) return plb_scratch_fail_damaged(table, message);
    use_results(a, &results, f);
    return PLB_OK;
}

/* That a table file has which has given its segments up: the manifest is made in the end. */
static uint64_t records_left(const plb_assembly *a, const ply_file *f) {
    return a->shards ? f->sets + f->models : 0;
}

/* Does this shard have any of the ply's? */
static bool has_segments(const plb_assembly *a, int ply) {
    return a->shard == 0 || a->results[ply].ranks > (uint64_t)a->shard;
}

static int open_ply(const plb_journal *journal, const plb_assembly *a, int ply, ply_file *f,
                    plb_message *message) {
    int error = PLB_OK, last = journal->plies.parts[ply] - 1;
    *f = (ply_file){.parts = {.count = last + 1}};
    if (!has_segments(a, ply)) {
        use_results(a, &a->results[ply], f);
        f->results.own = (plb_segment_run){0, 0};
        return PLB_OK;
    }
    for (int part = last; part >= 0 && !error; part--) {
        plb_scratch *table;
        error = open_part(journal, ply, part, &table, message);
        if (!error && part == last) error = read_results(table, a, f, message);
        if (!error) { /* it has all its records, or those that are left */
            uint64_t records = plb_scratch_records(table), left = records_left(a, f);
            uint64_t whole = plb_parts_segments(&f->parts, part) + f->sets + f->models;
            if (records == left && whole > left) f->is_given_up = true;
            if (records != left && records != whole)
                error = plb_scratch_fail_damaged(table, message);
        }
        plb_scratch_close(table);
    }
    return error;
}

int plb_assemble_read(const plb_journal *journal, const plb_assembly *assembly, int first,
                      plb_ply_results *results, plb_message *message) {
    const plb_build_point *saved = &journal->resume;
    int begun = first == saved->ply ? saved->parts : 0, error = PLB_OK;
    for (int ply = first; ply <= assembly->game->cells && !error; ply++) {
        ply_file file;
        error = open_ply(journal, assembly, ply, &file, message);
        if (results) results[ply] = file.results;
    }
    for (int part = 0; part < begun && !error; part++) {
        plb_scratch *table;
        error = open_part(journal, first - 1, part, &table, message);
        plb_scratch_close(table);
    }
    return error;
}

/* ---- the file ---- */

static int read_record(const plb_scratch *table, uint64_t number, plb_bytes *record,
                       plb_message *message) {
    record->size = plb_scratch_size_bytes(table, number);
    if (plb_bytes_reserve(record, record->size + 1))
        return plb_fail(message, PLB_ENOMEM, "out of memory");
    return plb_scratch_get(table, number, record->bytes, message);
}

/* A ply is copied from its parts. */
typedef struct copying {
    const plb_assembly *assembly;
    const ply_file *file;
    int ply, part;
    const plb_scratch *table; /* of the part */
    plb_store_writer *store;
    plb_bytes record; /* that was read last */
} copying;

static int copy_segments(copying *c, plb_message *message) {
    const plb_parts *parts = &c->file->parts;
    const plb_segment_run *own = &c->file->results.own;
    uint64_t first = plb_parts_first_segment(parts, c->part);
    int error = PLB_OK;
    for (uint64_t s = 0; s < plb_parts_segments(parts, c->part) && !error; s++) {
        if (c->assembly->shards && (first + s < own->first || first + s >= own->last)) continue;
        error = plb_is_stopped(c->assembly->stop)
                    ? plb_fail(message, PLB_EINTERRUPTED, "interrupted")
                    : read_record(c->table, s, &c->record, message);
        if (!error)
            error = plb_store_put_segment(c->store, c->ply,
                                          (first + s) * parts->layout.blocks_per_segment,
                                          c->record.bytes, c->record.size, message);
    }
    return error;
}

/* The records after the segments of the first part: they are of the whole ply. */
static int copy_others(copying *c, plb_message *message) {
    char name[PLB_RECORD_NAME];
    uint64_t segments = c->file->is_given_up ? 0 : plb_parts_segments(&c->file->parts, 0);
    int error = PLB_OK;
    for (uint64_t slab = 0; slab < c->file->sets && !error; slab++) {
        plb_meta_name_keys(c->ply, slab, name);
        error = read_record(c->table, segments + slab, &c->record, message);
        if (!error)
            error = plb_store_put_record(c->store, name, c->record.bytes, c->record.size, message);
    }
    if (error || !c->file->models) return error;
    error = read_record(c->table, segments, &c->record, message);
    if (error || c->record.size == 0) return error;
    plb_meta_name_model(c->ply, name);
    return plb_store_put_record(c->store, name, c->record.bytes, c->record.size, message);
}

static int copy_part(copying *c, const plb_journal *journal, int part,
                     int (*copy)(copying *c, plb_message *message), plb_message *message) {
    plb_scratch *table;
    int error = open_part(journal, c->ply, part, &table, message);
    c->part = part;
    c->table = table;
    if (!error) error = copy(c, message);
    plb_scratch_close(table);
    return error;
}

/* Write a table file anew, without its segments. */
static int give_up_part(plb_journal *journal, const plb_assembly *a, plb_scratch_file file,
                        const ply_file *f, plb_message *message) {
    uint64_t segments = plb_parts_segments(&f->parts, file.part), left = records_left(a, f);
    plb_scratch *whole, *table = NULL;
    plb_bytes record = {NULL, 0, 0};
    int error = open_part(journal, file.ply, file.part, &whole, message);
    if (!error) error = plb_journal_create(journal, file, left, &table, message);
    for (uint64_t r = 0; r < left && !error; r++) {
        error = read_record(whole, segments + r, &record, message);
        if (!error) error = plb_scratch_put(table, r, record.bytes, record.size, message);
    }
    if (!error)
        error = plb_journal_commit(journal, file, table, &f->results, sizeof f->results, message);
    plb_bytes_free(&record);
    plb_scratch_close(whole);
    plb_scratch_close(table);
    return error;
}

static int give_up_ply(plb_journal *journal, const plb_assembly *a, int ply, ply_file *f,
                       plb_message *message) {
    int error = PLB_OK;
    for (int part = 0; part < f->parts.count && !error; part++)
        error =
            give_up_part(journal, a, (plb_scratch_file){PLB_SCRATCH_TABLE, ply, part}, f, message);
    f->is_given_up = !error;
    return error;
}

/* The first plies are in the file: what it has on the disk they give up. */
static int give_up_plies(plb_journal *journal, const plb_assembly *a, int plies, ply_file *files,
                         plb_message *message) {
    bool any = false;
    int error = PLB_OK;
    if (journal->resume.ply > 0) return PLB_OK;
    for (int ply = 0; ply < plies && !error; ply++) {
        bool has_any = has_segments(a, ply) && files[ply].parts.layout.segments > 0;
        if (files[ply].is_given_up || !has_any) continue;
        if (!any) error = plb_build_folder_sync(&journal->folder, NULL, message);
        if (!error) error = give_up_ply(journal, a, ply, &files[ply], message);
        any = true;
    }
    return error || !any ? error : plb_journal_save_tables(journal, message);
}

static int add_distances(const plb_assembly *a, const ply_file *files, plb_store_writer *store,
                         plb_message *message) {
    const plb_game *game = a->game;
    plb_ply_distances plies[PLB_MAX_CELLS + 1];
    if (a->meta->values != PLB_DTM) return PLB_OK;
    for (int ply = 0; ply <= game->cells; ply++) plies[ply] = files[ply].results.distances;
    size_t size = plb_distance_record_bytes(game);
    uint8_t *bytes = malloc(size);
    if (!bytes) return plb_fail(message, PLB_ENOMEM, "out of memory");
    plb_distance_record_encode(game, plies, bytes);
    int error = plb_store_put_record(store, PLB_RECORD_DISTANCES, bytes, size, message);
    free(bytes);
    return error;
}

static int add_columns(const plb_assembly *a, plb_store_writer *store, plb_message *message) {
    uint8_t *bytes = NULL;
    size_t size;
    if (!a->columns) return PLB_OK;
    int error = plb_automaton_record_encode(a->columns, plb_meta_identity(a->meta),
                                            a->meta->compression.level, &bytes, &size);
    if (error == PLB_ETOOBIG) return PLB_OK;
    if (error) return plb_fail(message, error, "%s", plb_error_text(error));
    error = plb_store_put_record(store, PLB_RECORD_COLUMNS, bytes, size, message);
    free(bytes);
    return error;
}

/* Write the plies to a file: segments and other records to the table, or segments to a shard,
 * unless the file has them from before: what was given up must be there. */
static int write_plies(plb_journal *journal, const plb_assembly *a, plb_store_writer *store,
                       ply_file *files, plb_message *message) {
    int error = PLB_OK;
    for (int ply = 0; ply <= a->game->cells && !error; ply++) {
        ply_file *f = &files[ply];
        copying c = {.assembly = a, .file = f, .ply = ply, .store = store};
        error = open_ply(journal, a, ply, f, message);
        bool copies = !error && !f->is_given_up && has_segments(a, ply);
        for (int part = 0; copies && part < f->parts.count && !error; part++)
            error = copy_part(&c, journal, part, copy_segments, message);
        if (copies && !a->shards && !error) error = copy_part(&c, journal, 0, copy_others, message);
        plb_bytes_free(&c.record);
        if (!error) error = plb_store_put_stats(store, ply, &f->results.stats, message);
        int kept = plb_store_kept_plies(store);
        if (!error && f->is_given_up && kept <= ply)
            error =
                plb_fail(message, PLB_ECORRUPT, "%s/%s has not all that was copied to it",
                         journal->folder.path, a->shards ? PLB_UNNAMED_SHARD : PLB_UNNAMED_TABLE);
        if (!error) error = give_up_plies(journal, a, kept, files, message);
    }
    return error;
}

/* Write all but the segments to a manifest. */
static int write_others(const plb_journal *journal, const plb_assembly *a, plb_store_writer *store,
                        ply_file *files, plb_message *message) {
    int error = PLB_OK;
    for (int ply = 0; ply <= a->game->cells && !error; ply++) {
        copying c = {.assembly = a, .file = &files[ply], .ply = ply, .store = store};
        error = open_ply(journal, a, ply, &files[ply], message);
        if (!error) error = copy_part(&c, journal, 0, copy_others, message);
        plb_bytes_free(&c.record);
        if (!error) error = plb_store_put_stats(store, ply, &files[ply].results.stats, message);
    }
    return error;
}

/* Has any ply given up its segments? */
static int find_given_up(const plb_journal *journal, const plb_assembly *a, bool *found,
                         plb_message *message) {
    int error = PLB_OK;
    *found = false;
    for (int ply = 0; ply <= a->game->cells && !error; ply++) {
        ply_file file;
        error = open_ply(journal, a, ply, &file, message);
        *found = *found || file.is_given_up;
    }
    return error;
}

/* Give a finished file its name. */
static int publish(const plb_journal *journal, const char *name, const char *output,
                   plb_message *message) {
    char *path;
    int folder, error = plb_build_folder_open_parent(output, &folder, message);
    if (error) return error;
    if (asprintf(&path, "%s/%s", journal->folder.path, name) < 0) {
        close(folder);
        return plb_fail(message, PLB_ENOMEM, "out of memory");
    }
    if (rename(path, output) != 0) error = plb_fail_errno(message, errno, "cannot create", output);
    free(path);
    if (!error) return plb_build_folder_sync_parent(folder, output, message);
    close(folder);
    return error;
}

static int begin_file(const plb_journal *journal, const plb_assembly *a, const char *name,
                      bool resumes, plb_store_writer **store, plb_message *message) {
    char *path;
    if (asprintf(&path, "%s/%s", journal->folder.path, name) < 0)
        return plb_fail(message, PLB_ENOMEM, "out of memory");
    int error = plb_meta_create(a->meta, path, resumes, store, message);
    free(path);
    return error;
}

/* Finish a file that is written whole, or give it up. */
static int end_file(plb_store_writer *store, int error, plb_message *message) {
    if (!error) return plb_store_finish(store, message);
    plb_store_abandon(store);
    return error;
}

static int delete_file(const plb_journal *journal, const plb_assembly *a, plb_message *message) {
    return plb_build_folder_delete(&journal->folder,
                                   a->shards ? PLB_UNNAMED_SHARD : PLB_UNNAMED_TABLE, message);
}

/* Does the file in the making resume, as plies have given up their segments? Else there is none. */
static int find_file(const plb_journal *journal, const plb_assembly *a, bool *resumes,
                     plb_message *message) {
    int error = find_given_up(journal, a, resumes, message);
    return error || *resumes ? error : delete_file(journal, a, message);
}

/* ---- shards ---- */

static int write_shard(plb_journal *journal, const plb_assembly *a, bool resumes,
                       plb_message *message) {
    ply_file files[PLB_MAX_CELLS + 1];
    uint8_t record[2 * PLB_SHARD_NUMBER_BYTES];
    plb_store_writer *store = NULL;
    int error = begin_file(journal, a, PLB_UNNAMED_SHARD, resumes, &store, message);
    if (error) return error;
    plb_put_number(plb_put_number(record, a->shard, PLB_SHARD_NUMBER_BYTES), a->shards,
                   PLB_SHARD_NUMBER_BYTES);
    error = plb_store_put_record(store, PLB_SHARD, record, sizeof record, message);
    if (!error) error = write_plies(journal, a, store, files, message);
    return end_file(store, error, message);
}

static bool is_unnamed(const plb_journal *journal) {
    return faccessat(journal->folder.files, PLB_UNNAMED_SHARD, F_OK, 0) == 0;
}

/* Write a shard, unless it has its name already. */
static int write_unnamed(plb_journal *journal, const plb_assembly *a, uint64_t *made,
                         plb_message *message) {
    bool resumes;
    (void)made;
    int error = find_file(journal, a, &resumes, message);
    if (error || (resumes && !is_unnamed(journal))) return error;
    return write_shard(journal, a, resumes, message);
}

static int name_shard(const plb_journal *journal, const plb_assembly *a, plb_message *message) {
    char *path;
    if (!is_unnamed(journal)) return PLB_OK;
    if (asprintf(&path, "%s.%d", a->output, a->shard) < 0)
        return plb_fail(message, PLB_ENOMEM, "out of memory");
    int error = publish(journal, PLB_UNNAMED_SHARD, path, message);
    free(path);
    return error;
}

/* Has a shard, which an earlier run may have named, the segments that this rank has made? */
static int check_shard(const plb_journal *journal, const plb_assembly *a, const plb_store *shard,
                       plb_message *message) {
    uint64_t count, found = 0;
    const plb_stored_segment *has = plb_store_segments(shard, &count);
    bool is_right = plb_store_identity(shard) == plb_meta_identity(a->meta);
    int error = PLB_OK;
    for (int ply = 0; ply <= a->game->cells && is_right && !error; ply++) {
        ply_file f;
        error = open_ply(journal, a, ply, &f, message);
        const plb_segment_run *own = &f.results.own;
        uint64_t last = error ? 0 : plb_min(own->last, f.parts.layout.segments);
        for (uint64_t s = own->first; s < last && is_right; s++, found++)
            is_right = found < count && has[found].ply == ply &&
                       has[found].first_block == s * f.parts.layout.blocks_per_segment;
    }
    if (error || (is_right && found == count)) return error;
    return plb_fail(message, PLB_ECORRUPT, "%s is not the shard that this build has written",
                    plb_store_path(shard));
}

/* Name a shard, and find what the manifest says of it: its id, and the bytes of all. */
static int publish_shard(plb_journal *journal, const plb_assembly *a, uint64_t *made,
                         plb_message *message) {
    plb_store *written;
    plb_message why = {""};
    int error = name_shard(journal, a, message);
    if (error) return error;
    error = plb_store_open_shard(a->output, a->shard, a->shards, &written, &why);
    if (error)
        return plb_fail(message, error, "%s%s", why.text,
                        error == PLB_ENOTFOUND ? ", or start the build anew with --force" : "");
    error = check_shard(journal, a, written, message);
    made[a->shard] = plb_store_shard_id(written);
    made[a->shards] += plb_store_size_bytes(written);
    plb_store_close(written);
    return error;
}

/* It may have taken the space that saving needs. */
static int drop_unfinished(plb_journal *journal, const plb_assembly *a, uint64_t *made,
                           plb_message *message) {
    bool resumes;
    (void)made;
    return find_file(journal, a, &resumes, message);
}

typedef int shard_work(plb_journal *journal, const plb_assembly *a, uint64_t *made,
                       plb_message *message);

/* Work on each shard of this rank, its own first. */
static int for_each_shard(plb_journal *journal, const plb_assembly *a, shard_work *work,
                          uint64_t *made, plb_message *message) {
    plb_assembly one = *a;
    int error = PLB_OK;
    for (int i = 0; one.shard < a->shards && !error; i++) {
        error = work(i ? &a->others[i - 1] : journal, &one, made, message);
        one.shard += plb_ranks_count(a->ranks);
    }
    return error;
}

/* All ranks: make the shards, and learn the ids of all, then the bytes of all together. None gets
 * its name before all are written, so that the table which they replace is there until then. */
static int make_shards(plb_journal *journal, const plb_assembly *a, uint64_t *made,
                       plb_message *message) {
    memset(made, 0, (a->shards + 1) * sizeof *made);
    int error = for_each_shard(journal, a, write_unnamed, made, message);
    error = plb_ranks_agree(a->ranks, error, message);
    if (!error) error = for_each_shard(journal, a, publish_shard, made, message);
    error = plb_ranks_agree(a->ranks, error, message);
    return error ? error : plb_ranks_sum(a->ranks, made, a->shards + 1, message);
}

static int put_ids(const plb_assembly *a, plb_store_writer *store, const uint64_t *ids,
                   plb_message *message) {
    uint8_t record[PLB_MOST_SHARDS * PLB_SHARD_ID_BYTES], *to = record;
    for (int shard = 0; shard < a->shards; shard++)
        to = plb_put_number(to, ids[shard], PLB_SHARD_ID_BYTES);
    return plb_store_put_record(store, PLB_SHARDS, record, to - record, message);
}

/* Those of the table that was replaced, which this one does not have. Other files stay. */
static void remove_shards(const plb_assembly *a, int from) {
    for (int number = from; number < a->replaced_shards; number++) {
        plb_store *shard;
        if (plb_store_open_shard(a->output, number, a->replaced_shards, &shard, NULL)) continue;
        unlink(plb_store_path(shard));
        plb_store_close(shard);
    }
}

/* ---- the whole ---- */

/* Write the table, or the manifest of shards that are there, with their ids. */
static int write_table(plb_journal *journal, const plb_assembly *a, bool resumes,
                       const uint64_t *ids, plb_built *built, plb_message *message) {
    ply_file files[PLB_MAX_CELLS + 1];
    plb_store_writer *store = NULL;
    int error = begin_file(journal, a, PLB_UNNAMED_TABLE, resumes, &store, message);
    if (error) return error;
    error = a->shards ? write_others(journal, a, store, files, message)
                      : write_plies(journal, a, store, files, message);
    for (int ply = 0; ply <= a->game->cells && !error; ply++)
        built->positions += files[ply].results.stats.total;
    if (!error) error = add_distances(a, files, store, message);
    if (!error) error = add_columns(a, store, message);
    if (!error && a->shards) error = put_ids(a, store, ids, message);
    return end_file(store, error, message);
}

int plb_assemble(plb_journal *journal, const plb_assembly *assembly, plb_built *built,
                 plb_message *message) {
    const plb_assembly *a = assembly;
    uint64_t shards[PLB_MOST_SHARDS + 1] = {0}; /* ids, then bytes of all */
    struct stat status;
    *built = (plb_built){.shards = a->shards};
    bool resumes = false, is_first = plb_ranks_number(a->ranks) == 0;
    int error = a->shards ? make_shards(journal, a, shards, message)
                          : find_file(journal, a, &resumes, message);
    if (!error && a->shards)
        error = plb_build_folder_delete(&journal->folder, PLB_UNNAMED_TABLE, message);
    if (!error && is_first) error = write_table(journal, a, resumes, shards, built, message);
    if (error && a->shards) for_each_shard(journal, a, drop_unfinished, NULL, NULL);
    if (error && !a->shards) drop_unfinished(journal, a, NULL, NULL);
    if (error || !is_first) return error;
    error = publish(journal, PLB_UNNAMED_TABLE, a->output, message);
    if (error) return error;
    built->bytes = shards[built->shards]; /* 0 of one file */
    if (stat(a->output, &status) == 0) built->bytes += (uint64_t)status.st_size;
    remove_shards(a, built->shards);
    return PLB_OK;
}
