/* SPDX-License-Identifier: MIT
 *
 * The journal of a build: its scratch files by kind and ply, and from where it resumes if it is
 * interrupted. A complete scratch file is at first not saved: this process uses it, any other
 * deletes it. A save makes files outlast whatever happens, a power cut too:
 *
 *     1. sync the content of every file that is to be saved
 *     2. name reach and table files, then sync the folder
 *     3. name the values file, then sync the folder: from here on a build resumes below its ply
 *     4. delete what is not needed any more
 *
 * So a file with the name of a saved one is whole, and a build resumes below the lowest ply
 * with saved values. A build that resumes below ply N needs values.NN, the table files of all
 * plies from N on, and the reach files of all plies before N, which it makes if they are missing.
 */
#ifndef PLB_BUILDER_JOURNAL_H
#define PLB_BUILDER_JOURNAL_H

#include <time.h>

#include "builder/build_folder.h"
#include "builder/scratch.h"

typedef struct plb_journal {
    plb_build_folder folder;
    plb_folder_files files;
    int resume_ply;           /* values of this ply are saved; cells + 1: of none */
    struct timespec saved_at; /* when the last save was, or the journal was opened */
    bool is_anchored;         /* the folder itself is known to outlast a power cut */
} plb_journal;

typedef struct plb_scratch_file {
    plb_scratch_kind kind;
    int ply;
} plb_scratch_file;

/* Make or reenter the folder of an output, and delete what a build that resumes does not need.
 * Arguments and errors: those of plb_build_folder_enter; cells: of the game. Close with
 * plb_journal_close, also after an error. */
int plb_journal_open(plb_journal *journal, const char *output, const char *identity, bool force,
                     int cells, plb_message *message);

/* Accepts a zeroed journal; `remove` deletes the folder and what is in it. */
void plb_journal_close(plb_journal *journal, bool remove);

/* Is there such a file, saved or not? */
bool plb_journal_has(const plb_journal *journal, plb_scratch_file file);

/* Begin a file; it is there once it is committed. Errors: PLB_ENOMEM, those of errno. */
int plb_journal_create(const plb_journal *journal, plb_scratch_file file, uint64_t records,
                       plb_scratch **scratch, plb_message *message);
int plb_journal_commit(plb_journal *journal, plb_scratch_file file, plb_scratch *scratch,
                       const void *notes, size_t notes_bytes, plb_message *message);

/* Open a file. Errors: PLB_ECORRUPT (missing, damaged or another one), PLB_ENOMEM, those of errno.
 */
int plb_journal_read(const plb_journal *journal, plb_scratch_file file, uint64_t records,
                     plb_scratch **scratch, plb_message *message);

/* Delete those files that are not saved and that a build which resumes below a ply would not need.
 * Errors: those of errno. */
int plb_journal_discard(plb_journal *journal, int ply, plb_message *message);

/* Save what a build needs that resumes below a ply, whose values must be there, saved or not; cells
 * + 1: none are. Errors: those of errno, PLB_ENOMEM. */
int plb_journal_save(plb_journal *journal, int ply, plb_message *message);

/* Seconds since the last save. */
double plb_journal_age_seconds(const plb_journal *journal);

/* Is any file saved? */
bool plb_journal_has_saved(const plb_journal *journal);

#endif
