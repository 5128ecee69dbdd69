/* SPDX-License-Identifier: MIT
 *
 * What a build has made, what of it is saved, and what it still needs.
 */
#include "builder/journal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

static bool *flag_of(plb_journal *journal, plb_scratch_file file, bool saved) {
    return &(saved ? journal->files.saved : journal->files.unsaved)[file.kind][file.ply];
}

static bool has(const plb_journal *journal, plb_scratch_file file, bool saved) {
    return (saved ? journal->files.saved : journal->files.unsaved)[file.kind][file.ply];
}

bool plb_journal_has(const plb_journal *journal, plb_scratch_file file) {
    return has(journal, file, false) || has(journal, file, true);
}

bool plb_journal_has_saved(const plb_journal *journal) {
    bool found = false;
    for (plb_scratch_kind kind = 0; kind < PLB_SCRATCH_KINDS; kind++)
        for (int ply = 0; ply <= PLB_MAX_CELLS; ply++)
            found = found || has(journal, (plb_scratch_file){kind, ply}, true);
    return found;
}

/* Path of a file, and what it says of itself; both in one block, to be freed by the caller. */
typedef struct label {
    char *path, *identity;
} label;

static int make_label(const plb_journal *journal, plb_scratch_file file, bool saved, label *made,
                      plb_message *message) {
    char name[PLB_NAME_TEXT], whole_name[PLB_NAME_TEXT];
    const plb_build_folder *folder = &journal->folder;
    plb_build_folder_name(file.kind, file.ply, saved, name);
    plb_build_folder_name(file.kind, file.ply, true, whole_name);
    size_t path_bytes = strlen(folder->path) + sizeof name + 2;
    size_t identity_bytes = strlen(folder->identity) + sizeof name + 2;
    made->path = malloc(path_bytes + identity_bytes);
    if (!made->path) return plb_fail(message, PLB_ENOMEM, "out of memory");
    made->identity = made->path + path_bytes;
    snprintf(made->path, path_bytes, "%s/%s", folder->path, name);
    snprintf(made->identity, identity_bytes, "%s of %s", whole_name, folder->identity);
    return PLB_OK;
}

/* ---- one file ---- */

int plb_journal_create(const plb_journal *journal, plb_scratch_file file, uint64_t records,
                       plb_scratch **scratch, plb_message *message) {
    label made = {NULL, NULL};
    int error = make_label(journal, file, false, &made, message);
    if (error) return error;
    error = plb_scratch_create(made.path, made.identity, records, scratch, message);
    free(made.path);
    return error;
}

int plb_journal_commit(plb_journal *journal, plb_scratch_file file, plb_scratch *scratch,
                       const void *notes, size_t notes_bytes, plb_message *message) {
    int error = plb_scratch_commit(scratch, notes, notes_bytes, message);
    if (!error) *flag_of(journal, file, false) = true;
    return error;
}

int plb_journal_read(const plb_journal *journal, plb_scratch_file file, uint64_t records,
                     plb_scratch **scratch, plb_message *message) {
    label made = {NULL, NULL};
    int error = make_label(journal, file, !has(journal, file, false), &made, message);
    if (error) return error;
    error = plb_scratch_open(made.path, made.identity, records, scratch, message);
    if (error == PLB_ENOTFOUND)
        error = plb_fail(message, PLB_ECORRUPT, "scratch file %s is missing", made.path);
    free(made.path);
    return error;
}

/* ---- saving ---- */

enum { NO_BUILD = -1 }; /* a resume ply: nothing is needed */

/* What a build needs that resumes below a ply. */
static bool is_needed(plb_scratch_file file, int resume_ply) {
    if (resume_ply == NO_BUILD) return false;
    if (file.kind == PLB_SCRATCH_REACH) return file.ply < resume_ply;
    if (file.kind == PLB_SCRATCH_VALUES) return file.ply == resume_ply;
    return file.ply >= resume_ply;
}

static int delete_unneeded(plb_journal *journal, bool saved, int resume_ply, plb_message *message) {
    char name[PLB_NAME_TEXT];
    int error = PLB_OK;
    for (plb_scratch_kind kind = 0; kind < PLB_SCRATCH_KINDS; kind++)
        for (int ply = 0; ply <= PLB_MAX_CELLS && !error; ply++) {
            plb_scratch_file file = {kind, ply};
            if (!has(journal, file, saved) || is_needed(file, resume_ply)) continue;
            plb_build_folder_name(kind, ply, saved, name);
            error = plb_build_folder_delete(&journal->folder, name, message);
            if (!error) *flag_of(journal, file, saved) = false;
        }
    return error;
}

int plb_journal_discard(plb_journal *journal, int ply, plb_message *message) {
    return delete_unneeded(journal, false, ply, message);
}

static int sync_unsaved(const plb_journal *journal, plb_scratch_kind kind, plb_message *message) {
    char name[PLB_NAME_TEXT];
    int error = PLB_OK;
    for (int ply = 0; ply <= PLB_MAX_CELLS && !error; ply++) {
        if (!journal->files.unsaved[kind][ply]) continue;
        plb_build_folder_name(kind, ply, false, name);
        error = plb_build_folder_sync(&journal->folder, name, message);
    }
    return error;
}

static int name_unsaved(plb_journal *journal, plb_scratch_kind kind, plb_message *message) {
    char unsaved[PLB_NAME_TEXT], saved[PLB_NAME_TEXT];
    int error = PLB_OK;
    for (int ply = 0; ply <= PLB_MAX_CELLS && !error; ply++) {
        if (!journal->files.unsaved[kind][ply]) continue;
        plb_build_folder_name(kind, ply, false, unsaved);
        plb_build_folder_name(kind, ply, true, saved);
        error = plb_build_folder_rename(&journal->folder, unsaved, saved, message);
        if (error) break;
        journal->files.unsaved[kind][ply] = false;
        journal->files.saved[kind][ply] = true;
    }
    return error;
}

/* The folder must have its name on the disk before anything in it counts. */
static int anchor(plb_journal *journal, plb_message *message) {
    if (journal->is_anchored) return PLB_OK;
    int parent, error = plb_build_folder_open_parent(journal->folder.path, &parent, message);
    if (!error) error = plb_build_folder_sync_parent(parent, journal->folder.path, message);
    journal->is_anchored = !error;
    return error;
}

/* Sync all that is not saved, then give it its names, values last. */
static int save_all(plb_journal *journal, int ply, plb_message *message) {
    const plb_build_folder *folder = &journal->folder;
    int error = PLB_OK;
    for (plb_scratch_kind kind = 0; kind < PLB_SCRATCH_KINDS && !error; kind++)
        error = sync_unsaved(journal, kind, message);
    if (!error) error = name_unsaved(journal, PLB_SCRATCH_REACH, message);
    if (!error) error = name_unsaved(journal, PLB_SCRATCH_TABLE, message);
    if (!error) error = plb_build_folder_sync(folder, NULL, message);
    if (error || ply == journal->resume_ply) return error;
    error = name_unsaved(journal, PLB_SCRATCH_VALUES, message);
    return error ? error : plb_build_folder_sync(folder, NULL, message);
}

int plb_journal_save(plb_journal *journal, int ply, plb_message *message) {
    int error = plb_journal_discard(journal, ply, message);
    if (!error) error = anchor(journal, message);
    if (!error) error = save_all(journal, ply, message);
    if (error) return error;
    journal->resume_ply = ply;
    clock_gettime(CLOCK_MONOTONIC, &journal->saved_at);
    return delete_unneeded(journal, true, ply, message);
}

double plb_journal_age_seconds(const plb_journal *journal) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - journal->saved_at.tv_sec) +
           1e-9 * (double)(now.tv_nsec - journal->saved_at.tv_nsec);
}

/* ---- the whole ---- */

/* Find from where to resume, and delete what is not needed for that: files that were not saved, and
 * what a save that was cut short has left. */
static int find_resume_ply(plb_journal *journal, int cells, plb_message *message) {
    int error = plb_build_folder_list(&journal->folder, &journal->files, message);
    if (error) return error;
    journal->resume_ply = cells + 1;
    for (int ply = cells; ply >= 0; ply--)
        if (journal->files.saved[PLB_SCRATCH_VALUES][ply]) journal->resume_ply = ply;
    error = delete_unneeded(journal, false, NO_BUILD, message);
    return error ? error : delete_unneeded(journal, true, journal->resume_ply, message);
}

int plb_journal_open(plb_journal *journal, const char *output, const char *identity, bool force,
                     int cells, plb_message *message) {
    *journal = (plb_journal){0};
    clock_gettime(CLOCK_MONOTONIC, &journal->saved_at);
    int error = plb_build_folder_enter(output, identity, force, &journal->folder, message);
    return error ? error : find_resume_ply(journal, cells, message);
}

void plb_journal_close(plb_journal *journal, bool remove) {
    if (journal->folder.path) plb_build_folder_leave(&journal->folder, remove);
}
