/* SPDX-License-Identifier: MIT
 *
 * A build from the rules of a game to the file of its table.
 *
 * Work in progress lives in a folder beside the output, `FILE.part` (build_folder.h); FILE itself
 * appears only when it is complete:
 *
 *     reach.NN    open positions of ply NN, if there is a forward pass: for its next ply and for ..
 *     values.NN   .. values of ply NN, which those of the ply below are solved from
 *     table.NN    segments and counts of ply NN
 *
 * Large plies are made in parts (journal.h), each with files of its own. Values stay in memory if
 * they fit; otherwise they are written. From time to time, and if the build ends early, everything
 * is saved (journal.h). An interrupted build resumes from the last save, with any number of
 * processes: it is always in the folder of rank 0, which is also that of a single process.
 *
 * With shards (tables/store/store.h) the table is a manifest FILE and a shard FILE.N of each rank
 * N, which keeps its table files in FILE.rankN.part and saves them before rank 0 saves. The folders
 * of ranks that only earlier runs had are shared among those of the run that writes the table. Must
 * not know: how a ply is solved (engine.h).
 */
#ifndef PLB_BUILDER_BUILD_H
#define PLB_BUILDER_BUILD_H

#include <signal.h>

#include "builder/engine.h"
#include "tables/count/position_count.h"
#include "tables/index/index.h"

enum { PLB_LEVEL = 3 }; /* of zstd in the tables that are built */

typedef enum plb_phase {
    PLB_FORWARD,
    PLB_BACKWARD,
    PLB_COUNT,
    PLB_ASSEMBLE,
    PLB_COUNT_AHEAD /* before all others, on boards whose slabs find what can be reached by
                       themselves */
} plb_phase;

typedef struct plb_progress {
    plb_phase phase;
    double count_share; /* that is done in PLB_COUNT_AHEAD; in this phase nothing else is valid */
    int ply;
    bool ply_done;       /* the ply is solved; positions is its number of reachable ones */
    uint64_t positions;  /* valid with ply_done; so are: */
    plb_rank_work ranks; /* what they have done of the ply, in the backward phase; 0: it is alone */
    uint64_t values_bytes, table_bytes; /* of the ply's files, in the backward phase; values: 0 if
                                           they are in memory alone */
    double ply_share, ply_skipped;      /* of the ply that is done, in [0, 1], and by an earlier
                                           run */
    double work_done, work_total;       /* index entries, of all passes */
    double work_skipped;                /* part of work_done that an earlier run has done */
    /* An interrupted build would resume below this ply; cells + 1: in the forward pass, or from the
     * beginning. In the first report it is where this one has resumed. */
    int resume_ply;
    plb_compared compared; /* in all plies, with what was counted by another way, and the same */
} plb_progress;

typedef struct plb_build_options {
    const char *output;    /* path of the table */
    plb_value_kind values; /* what it is to store */
    int threads;           /* at least 1 */
    double memory_bytes;   /* that the build may use; 0: what `budget` says */
    plb_budget budget;     /* of a caller who has forecast the build; else it is forecast here */
    double save_seconds;   /* time after which a ply that is solved is saved */
    double count_seconds;  /* processor time that may go into counting the positions by another way,
                              to compare all plies, and as much into the record `columns`: where one
                              of these is estimated to take more, it is left out */
    double
        part_entries; /* of a part of a ply that this run begins (ply_parts.h); 0: what is best */
    bool force;       /* discard an existing table or an unfinished build */
    bool shards;      /* leave the segments with the ranks, in a shard of each */
    plb_slab_options slabs; /* of the engine of slabs */
    plb_ranks *ranks; /* that make the table together, all with the same options but for memory and
                         threads; NULL: this process alone */
    const volatile sig_atomic_t *stop; /* set it to interrupt; NULL: never */
    void (*report)(void *context, const plb_progress *progress); /* NULL: none; one thread */
    void *context;                                               /* at a time */
} plb_build_options;

/* A table that was built. */
typedef struct plb_built {
    bool existed;        /* it was there already, complete; nothing was done */
    uint64_t positions;  /* reachable, all plies */
    uint64_t bytes;      /* of the file and its shards */
    int shards;          /* 0: it is one file */
    plb_rank_work ranks; /* the sum of the plies of this run; bytes of the forward pass, too */
} plb_built;

/* Build the table of a space's game; resumes an unfinished build of it.
 *
 * Errors: PLB_EINTERRUPTED (what is solved is saved, if possible), PLB_EOTHERGAME (output or
 * unfinished build is another game's, or stores other values), PLB_ENOTTABLE (output is some other
 * file), PLB_EBUSY, PLB_ETOOBIG, PLB_ENOSPACE, PLB_ENOMEM, PLB_EPERMISSION, PLB_ECORRUPT (scratch,
 * or a ply that has not as many positions as its board),
 * PLB_EIO, PLB_ENOTFOUND (output in no folder; a folder with segments of an earlier run is
 * missing), PLB_EARGUMENT (FILE.part is a link to another file system), PLB_EVERSION (output is a
 * table of another format; a damaged one is PLB_ECORRUPT). */
int plb_build(const plb_space *space, const plb_build_options *options, plb_built *built,
              plb_message *message);

/* Solve the plies from the last one down to `until` alone and throw the result away: what does it
 * cost? No planes stay in memory and every ply is saved, as where a board exceeds the memory by
 * far. Where a build begins with a forward pass all positions in which no player has a group count
 * as reachable. options->report gets every ply; options->output is where work is kept meanwhile.
 *
 * Errors: those of plb_build. */
int plb_build_trial(const plb_space *space, const plb_build_options *options, int until,
                    plb_message *message);

#endif
