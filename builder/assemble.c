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

/* The description of a table, how many positions it has, and its size. */
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
    plb_space_close(&space);
    plb_store_close(store);
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
    if (error == PLB_ENOTFOUND) return PLB_OK;
    if (error == PLB_ENOTTABLE)
        return plb_fail(message, error, "%s exists and is %s: choose another output with -o",
                        output, is_strategy ? "a strategy, not a table" : "not a Plybase table");
    bool broken = error == PLB_ECORRUPT || error == PLB_EVERSION;
    if (force && (broken || !error)) return PLB_OK;
    if (error == PLB_EVERSION)
        return plb_fail(message, error,
                        "%s is a table that this program does not read: replace it with --force",
                        output);
    if (broken) return plb_fail(message, error, "%s; replace it with --force", why.text);
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
    bool is_given_up;      /* its records are in the file that is written */
} ply_file;

static int open_part(const plb_journal *journal, int ply, int part, plb_scratch **table,
                     plb_message *message) {
    plb_scratch_file file = {PLB_SCRATCH_TABLE, ply, part};
    *table = NULL;
    return plb_journal_read(journal, file, PLB_SCRATCH_ANY, table, message);
}

/* The results of a ply are the notes of its last table file; how it is divided follows from them.
 */
static int read_results(const plb_scratch *table, const plb_assembly *a, ply_file *f,
                        plb_message *message) {
    size_t size;
    const void *notes = plb_scratch_notes(table, &size);
    if (size != sizeof f->results) return plb_scratch_fail_damaged(table, message);
    memcpy(&f->results, notes, size);
    if (f->results.slab_size == 0) return plb_scratch_fail_damaged(table, message);
    f->parts.layout =
        plb_block_layout_make(f->results.slab_size, f->results.slabs, a->meta->block_entries);
    f->sets = a->meta->index == PLB_KEYS ? f->results.slabs : 0;
    f->models = a->meta->index == PLB_SLABS ? PLB_TABLE_MODELS : 0;
    return PLB_OK;
}

static int open_ply(const plb_journal *journal, const plb_assembly *a, int ply, ply_file *f,
                    plb_message *message) {
    int error = PLB_OK, last = journal->plies.parts[ply] - 1;
    *f = (ply_file){.parts = {.count = last + 1}};
    for (int part = last; part >= 0 && !error; part--) {
        plb_scratch *table;
        error = open_part(journal, ply, part, &table, message);
        if (!error && part == last) error = read_results(table, a, f, message);
        if (!error) { /* it has all its records, or none any more */
            uint64_t records = plb_scratch_records(table);
            uint64_t whole = plb_parts_segments(&f->parts, part) + f->sets + f->models;
            if (records == 0 && whole > 0) f->is_given_up = true;
            if (records != 0 && records != whole) error = plb_scratch_fail_damaged(table, message);
        }
        plb_scratch_close(table);
    }
    return error;
}

int plb_assemble_check(const plb_journal *journal, const plb_assembly *assembly,
                       plb_message *message) {
    const plb_build_point *saved = &journal->resume;
    plb_scratch *table;
    ply_file file;
    int error = PLB_OK;
    for (int ply = saved->ply; ply <= assembly->game->cells && !error; ply++)
        error = open_ply(journal, assembly, ply, &file, message);
    for (int part = 0; part < saved->parts && !error; part++) {
        error = open_part(journal, saved->ply - 1, part, &table, message);
        plb_scratch_close(table);
    }
    return error;
}

int plb_assemble_read_stats(const plb_journal *journal, const plb_assembly *assembly,
                            plb_ply_stats *stats, plb_message *message) {
    int error = PLB_OK;
    for (int ply = 0; ply <= assembly->game->cells && !error; ply++) {
        ply_file file;
        error = open_ply(journal, assembly, ply, &file, message);
        stats[ply] = file.results.stats;
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
    uint64_t first = plb_parts_first_segment(parts, c->part);
    int error = PLB_OK;
    for (uint64_t s = 0; s < plb_parts_segments(parts, c->part) && !error; s++) {
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
    uint64_t segments = plb_parts_segments(&c->file->parts, 0);
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

static int give_up_ply(plb_journal *journal, int ply, ply_file *f, plb_message *message) {
    int error = PLB_OK;
    for (int part = 0; part < f->parts.count && !error; part++) {
        plb_scratch_file file = {PLB_SCRATCH_TABLE, ply, part};
        plb_scratch *table = NULL;
        error = plb_journal_create(journal, file, 0, &table, message);
        if (!error)
            error =
                plb_journal_commit(journal, file, table, &f->results, sizeof f->results, message);
        plb_scratch_close(table);
    }
    f->is_given_up = !error;
    return error;
}

/* The first plies are in the file: what it has on the disk they give up. */
static int give_up_plies(plb_journal *journal, int plies, ply_file *files, plb_message *message) {
    bool any = false;
    int error = PLB_OK;
    if (journal->resume.ply > 0) return PLB_OK;
    for (int ply = 0; ply < plies && !error; ply++) {
        if (files[ply].is_given_up || files[ply].parts.layout.segments == 0) continue;
        if (!any) error = plb_build_folder_sync(&journal->folder, NULL, message);
        if (!error) error = give_up_ply(journal, ply, &files[ply], message);
        any = true;
    }
    return error || !any ? error : plb_journal_save(journal, journal->resume, message);
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

static int write_file(plb_journal *journal, const plb_assembly *a, const char *path, bool resumes,
                      plb_built *built, plb_message *message) {
    plb_store_writer *store = NULL;
    ply_file files[PLB_MAX_CELLS + 1];
    int error = plb_meta_create(a->meta, path, resumes, &store, message);
    for (int ply = 0; ply <= a->game->cells && !error; ply++) {
        /* Copy a ply, unless it is in the file: what it has given up must be. */
        ply_file *f = &files[ply];
        copying c = {.assembly = a, .file = f, .ply = ply, .store = store};
        error = open_ply(journal, a, ply, f, message);
        bool copies = !error && !f->is_given_up;
        for (int part = 0; copies && part < f->parts.count && !error; part++)
            error = copy_part(&c, journal, part, copy_segments, message);
        if (copies && !error) error = copy_part(&c, journal, 0, copy_others, message);
        plb_bytes_free(&c.record);
        if (!error) error = plb_store_put_stats(store, ply, &f->results.stats, message);
        if (!error && f->is_given_up && plb_store_kept_plies(store) <= ply)
            error = plb_fail(message, PLB_ECORRUPT, "%s/%s has not all that was copied to it",
                             journal->folder.path, PLB_UNNAMED_TABLE);
        if (!error) error = give_up_plies(journal, plb_store_kept_plies(store), files, message);
        built->positions += files[ply].results.stats.total;
    }
    if (!error) error = add_distances(a, files, store, message);
    if (!error) error = add_columns(a, store, message);
    if (!error) return plb_store_finish(store, message);
    plb_store_abandon(store);
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
static int publish(const char *path, const char *output, uint64_t *bytes, plb_message *message) {
    struct stat status;
    int folder, error = plb_build_folder_open_parent(output, &folder, message);
    if (error) return error;
    if (stat(path, &status) == 0) *bytes = (uint64_t)status.st_size;
    if (rename(path, output) == 0) return plb_build_folder_sync_parent(folder, output, message);
    error = plb_fail_errno(message, errno, "cannot create", output);
    close(folder);
    return error;
}

int plb_assemble(plb_journal *journal, const plb_assembly *assembly, plb_built *built,
                 plb_message *message) {
    char *path;
    *built = (plb_built){.existed = false};
    if (asprintf(&path, "%s/%s", journal->folder.path, PLB_UNNAMED_TABLE) < 0)
        return plb_fail(message, PLB_ENOMEM, "out of memory");
    bool resumes, given_up;
    int error = find_given_up(journal, assembly, &resumes, message);
    if (!error && !resumes)
        error = plb_build_folder_delete(&journal->folder, PLB_UNNAMED_TABLE, message);
    if (!error) error = write_file(journal, assembly, path, resumes, built, message);
    /* It may have taken the space that saving needs. */
    if (error && !find_given_up(journal, assembly, &given_up, NULL) && !given_up)
        plb_build_folder_delete(&journal->folder, PLB_UNNAMED_TABLE, NULL);
    if (!error) error = publish(path, assembly->output, &built->bytes, message);
    free(path);
    return error;
}
