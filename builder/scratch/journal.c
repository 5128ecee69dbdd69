/* SPDX-License-Identifier: MIT */
#include "builder/scratch/journal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tables/stop.h"

/* ---- names ---- */

bool plb_journal_has(const plb_journal *journal, plb_scratch_file file) {
    return plb_scratch_set_has(&journal->files.unsaved, file) ||
           plb_scratch_set_has(&journal->files.saved, file);
}

bool plb_journal_has_saved(const plb_journal *journal) {
    return plb_scratch_set_find(&journal->files.saved, &(plb_scratch_file){0});
}

enum { LABEL_TEXT = PLB_NAME_TEXT + PLB_LABEL_TEXT + sizeof " of " };

/* Make the path of a file, to be freed by the caller, and its label. */
static int make_names(const plb_journal *journal, plb_scratch_file file, bool saved, char **path,
                      char label[LABEL_TEXT], plb_message *message) {
    char name[PLB_NAME_TEXT];
    plb_build_folder_name(file, true, name);
    snprintf(label, LABEL_TEXT, "%s of %s", name, journal->folder.label);
    plb_build_folder_name(file, saved, name);
    if (asprintf(path, "%s/%s", journal->folder.path, name) >= 0) return PLB_OK;
    return plb_fail(message, PLB_ENOMEM, "out of memory");
}

/* ---- one file ---- */

int plb_journal_create(const plb_journal *journal, plb_scratch_file file, uint64_t records,
                       plb_scratch **scratch, plb_message *message) {
    char *path, label[LABEL_TEXT];
    int error = make_names(journal, file, false, &path, label, message);
    if (error) return error;
    error = plb_scratch_create(path, label, records, scratch, message);
    free(path);
    return error;
}

int plb_journal_commit(plb_journal *journal, plb_scratch_file file, plb_scratch *scratch,
                       const void *notes, size_t notes_bytes, plb_message *message) {
    int error = plb_scratch_commit(scratch, notes, notes_bytes, message);
    if (!error) plb_scratch_set_add(&journal->files.unsaved, file);
    return error;
}

int plb_journal_drop(plb_journal *journal, plb_scratch_file file, plb_message *message) {
    char name[PLB_NAME_TEXT];
    plb_build_folder_name(file, false, name);
    plb_scratch_set_remove(&journal->files.unsaved, file);
    return plb_build_folder_delete(&journal->folder, name, message);
}

int plb_journal_read(const plb_journal *journal, plb_scratch_file file, uint64_t records,
                     plb_scratch **scratch, plb_message *message) {
    char *path, label[LABEL_TEXT];
    bool saved = !plb_scratch_set_has(&journal->files.unsaved, file);
    int error = make_names(journal, file, saved, &path, label, message);
    if (error) return error;
    error = plb_scratch_open(path, label, records, scratch, message);
    if (error == PLB_ENOTFOUND)
        error = plb_fail(message, PLB_ECORRUPT, "scratch file %s is missing", path);
    free(path);
    return error;
}

/* ---- saving ---- */

bool plb_build_point_needs(const plb_build_point *point, plb_scratch_file file) {
    if (file.kind == PLB_SCRATCH_REACH) return file.ply < point->ply;
    if (file.ply == point->ply - 1) return file.part < point->parts;
    if (file.kind == PLB_SCRATCH_VALUES)
        return file.ply == point->ply && point->needed >> file.part & 1;
    return file.ply >= point->ply;
}

/* Delete the saved or the unsaved files that a point does not need; NULL: all. */
static int delete_unneeded(plb_journal *journal, bool saved, const plb_build_point *point,
                           plb_message *message) {
    char name[PLB_NAME_TEXT];
    plb_scratch_set *set = saved ? &journal->files.saved : &journal->files.unsaved;
    int error = PLB_OK;
    for (plb_scratch_file file = {0}; !error && plb_scratch_set_find(set, &file); file.part++) {
        bool rank_0_has_it = journal->resume_is_given && file.kind != PLB_SCRATCH_TABLE;
        if (point && plb_build_point_needs(point, file) && !rank_0_has_it) continue;
        plb_build_folder_name(file, saved, name);
        error = plb_build_folder_delete(&journal->folder, name, message);
        if (!error) plb_scratch_set_remove(set, file);
    }
    return error;
}

int plb_journal_discard(plb_journal *journal, plb_build_point point, plb_message *message) {
    return delete_unneeded(journal, false, &point, message);
}

/* Rename the unsaved files of a kind to their saved names. */
static int rename_unsaved(plb_journal *journal, plb_scratch_kind kind, plb_message *message) {
    char unsaved[PLB_NAME_TEXT], saved[PLB_NAME_TEXT];
    plb_folder_files *files = &journal->files;
    plb_scratch_file file = {.kind = kind};
    int error = PLB_OK;
    while (!error && plb_scratch_set_find(&files->unsaved, &file) && file.kind == kind) {
        plb_build_folder_name(file, false, unsaved);
        plb_build_folder_name(file, true, saved);
        error = plb_build_folder_rename(&journal->folder, unsaved, saved, message);
        if (error) break;
        plb_scratch_set_remove(&files->unsaved, file);
        plb_scratch_set_add(&files->saved, file);
    }
    return error;
}

/* Sync the unsaved files of the kinds from `first` on. The folder's name in its parent must be on
 * the disk, too, or a power cut could lose the whole folder. */
static int sync_unsaved(plb_journal *journal, plb_scratch_kind first, plb_message *message) {
    const plb_build_folder *folder = &journal->folder;
    const plb_scratch_set *unsaved = &journal->files.unsaved;
    char name[PLB_NAME_TEXT];
    int parent, error = PLB_OK;
    if (!journal->folder_is_synced) {
        error = plb_build_folder_open_parent(folder->path, &parent, message);
        if (!error) error = plb_build_folder_sync_parent(parent, folder->path, message);
        journal->folder_is_synced = !error;
    }
    for (plb_scratch_file file = {first, 0, 0}; !error && plb_scratch_set_find(unsaved, &file);
         file.part++) {
        plb_build_folder_name(file, false, name);
        error = plb_build_folder_sync(folder, name, message);
    }
    return error;
}

int plb_journal_save_tables(plb_journal *journal, plb_message *message) {
    int error = sync_unsaved(journal, PLB_SCRATCH_TABLE, message);
    if (!error) error = rename_unsaved(journal, PLB_SCRATCH_TABLE, message);
    return error ? error : plb_build_folder_sync(&journal->folder, NULL, message);
}

int plb_journal_save(plb_journal *journal, plb_build_point point, plb_message *message) {
    const plb_build_folder *folder = &journal->folder;
    bool is_new = point.ply != journal->resume.ply || point.parts != journal->resume.parts;
    int error = plb_journal_discard(journal, point, message);
    if (!error) error = sync_unsaved(journal, PLB_SCRATCH_REACH, message);
    if (!error) error = rename_unsaved(journal, PLB_SCRATCH_REACH, message);
    if (!error) error = rename_unsaved(journal, PLB_SCRATCH_TABLE, message);
    if (!error) error = plb_build_folder_sync(folder, NULL, message);
    if (!error && is_new) error = rename_unsaved(journal, PLB_SCRATCH_VALUES, message);
    if (!error && is_new) error = plb_build_folder_sync(folder, NULL, message);
    if (error) return error;
    journal->resume = point;
    journal->saved_seconds = plb_clock_seconds(CLOCK_MONOTONIC);
    return delete_unneeded(journal, true, &point, message);
}

double plb_journal_age_seconds(const plb_journal *journal) {
    return plb_clock_seconds(CLOCK_MONOTONIC) - journal->saved_seconds;
}

/* ---- opening ---- */

static bool has_values(const plb_journal *journal, int ply, int part) {
    return plb_scratch_set_has(&journal->files.saved,
                               (plb_scratch_file){PLB_SCRATCH_VALUES, ply, part});
}

/* Set the point to resume from, and the parts of the ply, from the saved values of a ply.
 *
 * found  [out]  the ply has saved values, and all values of the next ply that they need */
static int find_point(plb_journal *journal, int ply, bool *found, plb_message *message) {
    int saved = 0; /* parts of the ply whose values are saved */
    plb_part_notes notes = {0, 0};
    plb_scratch *values;
    size_t size;
    while (saved < PLB_PLY_PARTS && has_values(journal, ply, saved)) saved++;
    *found = saved > 0;
    if (saved == 0) return PLB_OK;
    plb_scratch_file last = {PLB_SCRATCH_VALUES, ply, saved - 1};
    int error = plb_journal_read(journal, last, PLB_SCRATCH_ANY, &values, message);
    if (error) return error;
    const void *bytes = plb_scratch_notes(values, &size);
    if (size == sizeof notes) memcpy(&notes, bytes, size);
    bool is_partial = size > 0; /* the ply has more parts */
    if (is_partial && (notes.parts <= (uint32_t)saved || notes.parts > PLB_PLY_PARTS))
        error = plb_scratch_fail_damaged(values, message);
    plb_scratch_close(values);
    if (is_partial) journal->plies.parts[ply] = (int)notes.parts;
    journal->resume = (plb_build_point){ply, 0, plb_journal_all_parts(saved)};
    if (error || !is_partial) return error;
    journal->resume = (plb_build_point){ply + 1, saved, notes.needed};
    for (int part = 0; part < PLB_PLY_PARTS; part++)
        if (notes.needed >> part & 1 && !has_values(journal, ply + 1, part)) *found = false;
    return PLB_OK;
}

int plb_journal_open(plb_journal *journal, const char *output, const char *label, bool force,
                     const plb_part_counts *plies, plb_message *message) {
    bool found = journal->resume_is_given;
    journal->plies = *plies;
    journal->saved_seconds = plb_clock_seconds(CLOCK_MONOTONIC);
    int error = plb_build_folder_enter(output, label, force, &journal->folder, message);
    if (error) return error;
    /* Find the last saved point. Delete the files that it does not need: unsaved ones, and those
     * that an interrupted save, or an interrupted deletion of the build, has left. */
    error = plb_build_folder_list(&journal->folder, &journal->files, message);
    for (int ply = 0; ply <= plies->cells && !found && !error; ply++)
        error = find_point(journal, ply, &found, message);
    if (!found) journal->resume = (plb_build_point){.ply = plies->cells + 1};
    for (int ply = 0; ply <= plies->cells; ply++) {
        uint32_t parts = journal->files.saved.parts[PLB_SCRATCH_TABLE][ply];
        if (ply >= journal->resume.ply)
            journal->plies.parts[ply] = parts ? 32 - __builtin_clz(parts) : 1;
        else if (ply < journal->resume.ply - 1 || journal->resume.parts == 0)
            journal->plies.parts[ply] = plies->parts[ply];
    }
    if (error == PLB_ECORRUPT && message) {
        plb_message why = *message;
        return plb_fail(message, error, "%s: start the build anew with --force", why.text);
    }
    if (!error) error = delete_unneeded(journal, false, NULL, message);
    if (!error) error = delete_unneeded(journal, true, &journal->resume, message);
    journal->resume_is_given = false;
    return error;
}

void plb_journal_close(plb_journal *journal, bool remove) {
    if (journal->folder.path) plb_build_folder_leave(&journal->folder, remove);
}
