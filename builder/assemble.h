/* SPDX-License-Identifier: MIT
 *
 * Assembles the file of a table from the table files of all plies. Must not know: how a ply is
 * solved.
 *
 * If all plies are saved, the table is not kept twice: as soon as the segments of a ply are on the
 * disk in the new file, its table files are stripped, that is replaced by files without segments.
 * An interrupted assembly is resumed.
 *
 * With shards each rank writes its segments to a shard of its own; shards of ranks that only
 * earlier runs had are divided among the ranks. When all shards are written they get their names.
 * Then rank 0 writes all other records to the manifest, which gets its name last.
 */
#pragma once

#include <signal.h>

#include "builder/ranks/ranks.h"
#include "builder/scratch/journal.h"
#include "tables/format/meta.h"
#include "tables/reach/column_automaton.h"

typedef struct plb_assembly {
    const plb_game *game;
    const plb_meta *meta;
    const char *output;                  /* path of the table */
    bool force;                          /* replace whatever has its name by then */
    const volatile sig_atomic_t *stop;   /* set it to interrupt; NULL: never */
    const plb_column_automaton *columns; /* for the record `columns`; NULL: no such record */
    int shards;          /* number of shards; 0: the table is one file, which rank 0 writes */
    plb_ranks *ranks;    /* ranks that write the shards; NULL: this process alone */
    int shard;           /* shard of the journal's segments: the number of this rank */
    plb_journal *others; /* journals of the shards `shard` + ranks, `shard` + 2 * ranks, ..: those
                            of ranks that only earlier runs had */
    const struct plb_ply_results *results; /* [cells + 1] those of rank 0; used if shard > 0 */
    int replaced_shards;                   /* number of shards of the table that is replaced */
    const bool *had_shard; /* [shards] a file had the name of this rank's shard when the build
                              began, and is replaced if it is a shard */
} plb_assembly;

struct plb_built; /* build.h */

/* Look at the output path: is nothing there, or this table already? Anything else is an error,
 * unless it is a table and `force` is set.
 *
 * built  [out]  existed; if so, all other fields except `ranks`. shards: also if a table is to be
 *               replaced
 *
 * Errors: PLB_ENOTTABLE, PLB_EOTHERGAME, PLB_ECORRUPT, PLB_EVERSION, those of errno, PLB_ENOMEM. */
int plb_assemble_find_output(const plb_assembly *assembly, bool force, struct plb_built *built,
                             plb_message *message);

/* Look which shards of this rank have files already. had_shard [out] [shards]. Errors:
 * PLB_ENOMEM. */
int plb_assemble_find_shards(const plb_assembly *assembly, bool *had_shard, plb_message *message);

/* Read the results of the plies from `first` on, and check that their table files exist. If the
 * build resumes below `first`, also check the table files of the solved parts of ply first - 1.
 *
 * results  [out]  [cells + 1] those of the plies from `first` on; NULL: only check
 *
 * Errors: PLB_ECORRUPT, PLB_ENOMEM, those of errno. */
int plb_assemble_read(plb_journal *journal, const plb_assembly *assembly, int first,
                      struct plb_ply_results *results, plb_message *message);

/* Write the file in the folder of the journal, or resume writing it. Then rename it to the output
 * path and sync, so that it survives a power cut. Without force no file is replaced that was made
 * during the build. After an error of this last sync the table is complete nevertheless. With
 * shards all ranks call this and agree on errors of the shards; an error of the manifest is
 * returned by rank 0 only.
 *
 * Errors: PLB_EBUSY (another process has made a file of the table's or a shard's name),
 * PLB_EINTERRUPTED, PLB_ENOMEM, PLB_ECORRUPT (scratch files; or a shard that an earlier run
 * has named was replaced), PLB_ENOTFOUND (such a shard is missing), PLB_ENOTTABLE (a file with a
 * shard's name is not a shard), those of errno. */
int plb_assemble(plb_journal *journal, const plb_assembly *assembly, struct plb_built *built,
                 plb_message *message);
