/* SPDX-License-Identifier: MIT
 *
 * Builds the file of a table from the rules of a game.
 *
 * Unfinished work is in a folder beside the output, `FILE.part` (build_folder.h); FILE itself
 * appears only when it is complete:
 *
 *     reach.NN    open positions of ply NN, if there is a forward pass
 *     values.NN   values of ply NN, from which the values of the ply before are computed
 *     table.NN    segments and counts of ply NN
 *
 * Large plies are solved in parts (journal.h), each with its own files. Values stay in memory if
 * they fit, otherwise they are written. The build is saved from time to time, and when it ends
 * early. An interrupted build resumes from the last save, with any number of processes: the save is
 * in the folder of rank 0, which is also the folder of a single process.
 *
 * With shards (tables/store/store.h) the table is a manifest FILE and a shard FILE.N for each rank
 * N. Rank N > 0 keeps its table files in FILE.rankN.part and saves them before rank 0 saves.
 * Folders of ranks that only earlier runs had are divided among the ranks of this run. Must not
 * know: how a ply is solved (engine.h).
 */
#pragma once

#include <signal.h>

#include "builder/engine.h"
#include "tables/count/position_count.h"
#include "tables/index/index.h"

enum { PLB_LEVEL = 3 }; /* zstd compression level of new tables */

typedef enum plb_phase {
    PLB_FORWARD,
    PLB_BACKWARD,
    PLB_COUNT,
    PLB_ASSEMBLE,
    PLB_COUNT_AHEAD /* first of all, on boards whose reachable positions are found by columns */
} plb_phase;

typedef struct plb_progress {
    plb_phase phase;
    double count_share; /* in PLB_COUNT_AHEAD: share that is counted; nothing else is valid then */
    int ply;
    bool ply_done;                      /* the ply is solved; only then the next four are valid */
    uint64_t positions;                 /* reachable positions of the ply */
    plb_rank_work ranks;                /* backward phase: work of the ranks; 0 without ranks */
    uint64_t values_bytes, table_bytes; /* backward phase: bytes of the ply's files; values: 0 if
                                           they are only in memory */
    double ply_share, ply_skipped; /* in [0, 1]: done of the ply; of this, done by earlier runs */
    double work_done, work_total;  /* index entries, in all passes */
    double work_skipped;           /* the part of work_done that earlier runs have done */
    /* After a power cut now, the build would resume below this ply; cells + 1: in the forward pass,
     * or from the beginning. In the first report: where this run has resumed. */
    int resume_ply;
    plb_compared compared; /* how the counts of all plies were checked, successfully */
} plb_progress;

typedef struct plb_build_options {
    const char *output;     /* path of the table */
    plb_value_kind values;  /* kind of the stored values */
    int threads;            /* at least 1 */
    double memory_bytes;    /* limit, shared out by a forecast; 0: `budget` is used instead */
    plb_budget budget;      /* made by a caller that has forecast the build */
    double save_seconds;    /* save after a ply or part if the last save is older than this */
    double count_seconds;   /* limit of processor time for counting positions as a check, and again
                               for the record `columns`; what would take longer is left out */
    double part_entries;    /* minimum entries of a part (ply_parts.h); 0: the default */
    bool force;             /* discard an existing table or an unfinished build */
    bool shards;            /* each rank writes its segments to a shard of its own */
    plb_slab_options slabs; /* for the engine of slabs */
    plb_ranks *ranks;       /* ranks that build together, with the same options except memory and
                               threads; NULL: this process alone */
    const volatile sig_atomic_t *stop; /* set it to interrupt; NULL: never */
    /* Progress callback, called by one thread at a time; NULL: none. */
    void (*report)(void *context, const plb_progress *progress);
    void *context;
} plb_build_options;

/* A table that was built. */
typedef struct plb_built {
    bool existed;        /* the table was complete already; nothing was done */
    uint64_t positions;  /* reachable positions, all plies */
    uint64_t bytes;      /* file and shards */
    int shards;          /* number of shards; 0: one file */
    plb_rank_work ranks; /* sum over the plies of this run; includes the bytes received in the
                            forward pass */
} plb_built;

/* Build the table of a space's game, or resume an unfinished build of it.
 *
 * Errors: PLB_EINTERRUPTED (what is solved is saved, if possible), PLB_EOTHERGAME (output or
 * unfinished build is for another game or other values), PLB_ENOTTABLE (output is some other file),
 * PLB_EBUSY (another process builds the table, or has made a file of its name), PLB_ETOOBIG,
 * PLB_ENOSPACE, PLB_ENOMEM, PLB_EPERMISSION, PLB_ECORRUPT (scratch files, the existing output, or a
 * ply with a wrong number of positions), PLB_EIO, PLB_ENOTFOUND (the output's folder, or a folder
 * with segments of an earlier run, is missing), PLB_EARGUMENT (FILE.part is on another file
 * system), PLB_EVERSION (output is a table of another format). */
int plb_build(const plb_space *space, const plb_build_options *options, plb_built *built,
              plb_message *message);

/* Solve only the plies from the last one down to `until`, to measure the cost, and discard the
 * result. No planes stay in memory and every ply is saved, as for a board much larger than the
 * memory. There is no forward pass: where a build has one, all positions in which no player has a
 * group count as reachable. options->report gets every ply; the work is beside options->output.
 *
 * Errors: those of plb_build. */
int plb_build_trial(const plb_space *space, const plb_build_options *options, int until,
                    plb_message *message);
