/* SPDX-License-Identifier: MIT
 *
 * The file of a table from the table files of all plies. Must not know: how a ply is solved.
 *
 * Where all plies are saved, the table file of a ply gives its segments up when they are on the
 * disk in the file that is written, so that the table is there once: there remains a table file
 * with the results of the ply in its notes. What was cut short is resumed.
 *
 * With shards each rank writes its segments to a file of its own, and those of ranks that only
 * earlier runs had to theirs. When all of these are written they get their names; then rank 0
 * writes all else to the manifest, from its table files, which keep the other records until then.
 * The manifest gets its name last.
 */
#ifndef PLB_BUILDER_ASSEMBLE_H
#define PLB_BUILDER_ASSEMBLE_H

#include <signal.h>

#include "builder/ranks/ranks.h"
#include "builder/scratch/journal.h"
#include "tables/format/meta.h"
#include "tables/reach/column_automaton.h"

typedef struct plb_assembly {
    const plb_game *game;
    const plb_meta *meta;
    const char *output;                  /* path of the file */
    const volatile sig_atomic_t *stop;   /* set it to interrupt; NULL: never */
    const plb_column_automaton *columns; /* for the record of that name; NULL: there is none */
    int shards;          /* of a manifest; 0: the table is one file, which rank 0 writes */
    plb_ranks *ranks;    /* that write the shards; NULL: this process alone */
    int shard;           /* that has the segments of the journal: that of the rank's number */
    plb_journal *others; /* of shard + ranks, shard + 2 * ranks, .. below `shards`: of ranks that
                            earlier runs had */
    const struct plb_ply_results *results; /* [cells + 1] of rank 0, where shard > 0 */
    int replaced_shards;                   /* that the table has which is replaced */
} plb_assembly;

struct plb_built; /* build.h */

/* What has the name of the output: nothing, this table already, or something else, which is an
 * error unless it is a table to be replaced by force.
 *
 * built  [out]  whether the table exists, and then the rest
 *
 * Errors: PLB_ENOTTABLE, PLB_EOTHERGAME, PLB_ECORRUPT, PLB_EVERSION, those of errno, PLB_ENOMEM. */
int plb_assemble_find_output(const plb_assembly *assembly, bool force, struct plb_built *built,
                             plb_message *message);

/* Read the results of the plies from one on, and check that their table files are there; if the
 * first one is that which the build resumes from, also those of the ply that is begun.
 *
 * results  [out]  [cells + 1] these plies; NULL: only check
 *
 * Errors: PLB_ECORRUPT, PLB_ENOMEM, those of errno. */
int plb_assemble_read(plb_journal *journal, const plb_assembly *assembly, int first,
                      struct plb_ply_results *results, plb_message *message);

/* Write the file in the folder of the journal, or resume it, with all plies, and give it the
 * name of the output, where it outlasts whatever happens; what has that name is replaced. If an
 * error is returned after that the file is complete all the same. With shards: all ranks, and they
 * agree on an error of their shards; one of the manifest rank 0 alone returns.
 *
 * Errors: PLB_EINTERRUPTED, PLB_ENOMEM, PLB_ECORRUPT (of scratch files; a shard that an earlier run
 * has named is another one now), PLB_ENOTFOUND (it is missing), those of errno. */
int plb_assemble(plb_journal *journal, const plb_assembly *assembly, struct plb_built *built,
                 plb_message *message);

#endif
