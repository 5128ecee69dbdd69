/* SPDX-License-Identifier: MIT
 *
 * The journal of a build: its scratch files by kind, ply and part, and the point from which an
 * interrupted build resumes. A complete scratch file is at first unsaved: this process uses it, but
 * another process deletes it. Saved files survive even a power cut. A save
 *
 *     1. syncs the content of every file that is to be saved
 *     2. renames reach and table files to their saved names, then syncs the folder
 *     3. renames values files, then syncs the folder: now a build resumes below their ply
 *     4. deletes files that are no longer needed
 *
 * So a file with a saved name is complete, and a build resumes below the lowest ply with saved
 * values. A build that resumes below ply N needs values.NN, the table files of all plies from N
 * on, and the reach files of all plies before N, which it makes if they are missing.
 *
 * Large plies are solved in parts. Parts of the next ply that are no longer needed are deleted
 * meanwhile, so that both plies together take little more space than the larger one:
 *
 *     ply 33   values.33 values.33.01 ..                   solved
 *     ply 34                .. values.34.02 values.34.03   still needed
 *
 * The notes of a values file, except that of the last part, have the number of parts of the ply,
 * and which parts of the next ply are still needed. The number of parts of a solved ply follows
 * from its table files: each run may divide the plies that it solves in another way.
 */
#pragma once

#include "builder/scratch/build_folder.h"
#include "builder/scratch/scratch_file.h"
#include "tables/bits.h"

/* How far a build is solved. */
typedef struct plb_build_point {
    int ply;         /* this ply and all after it are solved; cells + 1: none */
    int parts;       /* solved parts of the ply before it */
    uint32_t needed; /* bit p: part p of the values of `ply` is still needed */
} plb_build_point;

/* Does a build that resumes from a point need a file? If so, a save of the point has saved it. */
bool plb_build_point_needs(const plb_build_point *point, plb_scratch_file file);

/* The number of parts of each ply of a game. */
typedef struct plb_part_counts {
    int cells;                    /* the last ply */
    int parts[PLB_MAX_CELLS + 1]; /* [cells + 1] in [1, PLB_PLY_PARTS] */
} plb_part_counts;

/* The notes of a values file; that of the last part of a ply has none. */
typedef struct plb_part_notes {
    uint32_t parts;  /* number of parts of the ply */
    uint32_t needed; /* bit p: part p of the next ply is still needed */
} plb_part_notes;

typedef struct plb_journal {
    plb_build_folder folder;
    plb_folder_files files;
    plb_build_point resume; /* the last saved point */
    bool resume_is_given;   /* set before opening: `resume` is that of rank 0, which has also saved
                               all values and reach files */
    plb_part_counts plies;  /* number of parts of each ply, solved or not */
    double saved_seconds;   /* CLOCK_MONOTONIC at the last save, or when the journal was opened */
    bool folder_is_synced;  /* the folder's name in its parent survives a power cut */
} plb_journal;

/* All parts of a ply, as a bit mask. */
static inline uint32_t plb_journal_all_parts(int parts) {
    return (uint32_t)plb_low_bits(parts);
}

/* Make or reenter the folder of an output, find the point to resume from, and delete files that are
 * not needed for that.
 *
 * journal  [in,out]  zeroed; or with `resume` and resume_is_given set
 * plies    [in]      number of parts of each ply that is not begun
 *
 * Other arguments and errors: those of plb_build_folder_enter, plb_journal_read. Close with
 * plb_journal_close, also after an error. */
int plb_journal_open(plb_journal *journal, const char *output, const char *label, bool force,
                     const plb_part_counts *plies, plb_message *message);

/* Accepts a zeroed journal; `remove` deletes the folder and what is in it. */
void plb_journal_close(plb_journal *journal, bool remove);

/* Is there such a file, saved or not? */
bool plb_journal_has(const plb_journal *journal, plb_scratch_file file);

/* Create a file; commit it, after which plb_journal_has finds it. Errors: PLB_ENOMEM, those of
 * errno. */
int plb_journal_create(const plb_journal *journal, plb_scratch_file file, uint64_t records,
                       plb_scratch **scratch, plb_message *message);
int plb_journal_commit(plb_journal *journal, plb_scratch_file file, plb_scratch *scratch,
                       const void *notes, size_t notes_bytes, plb_message *message);

/* Delete an unsaved file, so that it can be made again; a file that is open can still be read.
 * Errors: those of errno. */
int plb_journal_drop(plb_journal *journal, plb_scratch_file file, plb_message *message);

/* Open a file. Errors: PLB_ECORRUPT (missing, damaged, mislabelled), PLB_ENOMEM, those of errno. */
int plb_journal_read(const plb_journal *journal, plb_scratch_file file, uint64_t records,
                     plb_scratch **scratch, plb_message *message);

/* Delete unsaved files that a build which resumes from a point does not need. Errors: those of
 * errno. */
int plb_journal_discard(plb_journal *journal, plb_build_point point, plb_message *message);

/* Save what a build needs to resume from a point. Its values files must exist, saved or unsaved.
 * Errors: those of errno, PLB_ENOMEM. */
int plb_journal_save(plb_journal *journal, plb_build_point point, plb_message *message);

/* Save table files only; `resume` does not change. Errors: those of errno, PLB_ENOMEM. */
int plb_journal_save_tables(plb_journal *journal, plb_message *message);

/* Seconds since the last save. */
double plb_journal_age_seconds(const plb_journal *journal);

/* Is any file saved? */
bool plb_journal_has_saved(const plb_journal *journal);
