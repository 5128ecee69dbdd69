/* SPDX-License-Identifier: MIT
 *
 * The journal of a build: its scratch files by kind, ply and part, and from where it resumes if it
 * is interrupted. A complete scratch file is at first not saved: this process uses it, any other
 * process deletes it. After a save files remain whatever happens, even a power cut:
 *
 *     1. sync the content of every file that is to be saved
 *     2. name reach and table files, then sync the folder
 *     3. name the values file, then sync the folder: from here on a build resumes below its ply
 *     4. delete what is not needed any more
 *
 * So a file with the name of a saved one is whole, and a build resumes below the lowest ply
 * with saved values. A build that resumes below ply N needs values.NN, the table files of all
 * plies from N on, and the reach files of all plies before N, which it makes if they are missing.
 *
 * Large plies are made in parts, one after another. Parts of the previous ply that are no longer
 * needed are deleted meanwhile, so that both plies together take little more space than the larger
 * one:
 *
 *     ply 33   values.33 values.33.01 ..        made
 *     ply 34                .. values.34.02 values.34.03   still needed
 *
 * The notes of a part of values, unless it is the last one, say in how many parts the ply is made
 * and which parts of the ply after it are needed from then on. The table files of a solved ply show
 * its number of parts: another run may divide the plies that it solves in another way.
 */
#ifndef PLB_BUILDER_SCRATCH_JOURNAL_H
#define PLB_BUILDER_SCRATCH_JOURNAL_H

#include <time.h>

#include "builder/scratch/build_folder.h"
#include "builder/scratch/scratch_file.h"
#include "tables/bits.h"

/* A point in a build. */
typedef struct plb_build_point {
    int ply;         /* it and all after it are solved; cells + 1: none is */
    int parts;       /* that are solved of the ply before it */
    uint32_t needed; /* bit p: part p of the values of `ply` is needed for the rest */
} plb_build_point;

/* Does a build that resumes from a point need a file? One that has saved the point has saved it. */
bool plb_build_point_needs(const plb_build_point *point, plb_scratch_file file);

/* The plies of a game, and in how many parts each is made: from 1 to PLB_PLY_PARTS. */
typedef struct plb_part_counts {
    int cells;                    /* the last ply */
    int parts[PLB_MAX_CELLS + 1]; /* [cells + 1] */
} plb_part_counts;

/* The notes of a part of values that is not the last one of its ply; the last one has none. */
typedef struct plb_part_notes {
    uint32_t parts;  /* of the ply */
    uint32_t needed; /* bit p: part p of the ply after it is needed for the rest */
} plb_part_notes;

typedef struct plb_journal {
    plb_build_folder folder;
    plb_folder_files files;
    plb_build_point resume; /* the point that was saved last */
    bool resume_is_given;   /* set before opening: `resume` is that of rank 0, which has also saved
                               all values and reach files */
    plb_part_counts plies;  /* of what is made and will be */
    struct timespec saved_at; /* when the last save was, or the journal was opened */
    bool is_anchored;         /* the folder itself is known to outlast a power cut */
} plb_journal;

/* All parts of a ply, as bits. */
static inline uint32_t plb_journal_all_parts(int parts) {
    return (uint32_t)plb_low_bits(parts);
}

/* Make or reenter the folder of an output, find the point to resume from, and delete what is not
 * needed for that.
 *
 * journal  [in/out]  zeroed, or the point to resume from is given
 * plies    [in]      in how many parts those are to be made that are not begun
 *
 * Other arguments and errors: those of plb_build_folder_enter, plb_journal_read. Close with
 * plb_journal_close, also after an error. */
int plb_journal_open(plb_journal *journal, const char *output, const char *label, bool force,
                     const plb_part_counts *plies, plb_message *message);

/* Accepts a zeroed journal; `remove` deletes the folder and what is in it. */
void plb_journal_close(plb_journal *journal, bool remove);

/* Is there such a file, saved or not? */
bool plb_journal_has(const plb_journal *journal, plb_scratch_file file);

/* Begin a file; it is there once it is committed. Errors: PLB_ENOMEM, those of errno. */
int plb_journal_create(const plb_journal *journal, plb_scratch_file file, uint64_t records,
                       plb_scratch **scratch, plb_message *message);
int plb_journal_commit(plb_journal *journal, plb_scratch_file file, plb_scratch *scratch,
                       const void *notes, size_t notes_bytes, plb_message *message);

/* Take a file that is not saved out of the folder, to make it anew; who has it open reads on.
 * Errors: those of errno. */
int plb_journal_drop(plb_journal *journal, plb_scratch_file file, plb_message *message);

/* Open a file. Errors: PLB_ECORRUPT (missing, damaged or another one), PLB_ENOMEM, those of errno.
 */
int plb_journal_read(const plb_journal *journal, plb_scratch_file file, uint64_t records,
                     plb_scratch **scratch, plb_message *message);

/* Delete those files that are not saved and that a build which resumes from a point would not need.
 * Errors: those of errno. */
int plb_journal_discard(plb_journal *journal, plb_build_point point, plb_message *message);

/* Save what a build needs that resumes from a point, whose values must be there, saved or not.
 * Errors: those of errno, PLB_ENOMEM. */
int plb_journal_save(plb_journal *journal, plb_build_point point, plb_message *message);

/* Save the table files that are made, and no more: the point to resume from remains. Errors: those
 * of errno, PLB_ENOMEM. */
int plb_journal_save_tables(plb_journal *journal, plb_message *message);

/* Seconds since the last save. */
double plb_journal_age_seconds(const plb_journal *journal);

/* Is any file saved? */
bool plb_journal_has_saved(const plb_journal *journal);

#endif
