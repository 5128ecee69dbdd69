/* SPDX-License-Identifier: MIT
 *
 * A build from the rules of a game to the file of its table.
 *
 * Work in progress lives in a folder beside the output, `FILE.part` (build_folder.h); FILE itself
 * appears only when it is complete:
 *
 *     reach.NN    open positions of ply NN, for the forward pass over the next ply and for ..
 *     values.NN   .. values of ply NN, which those of the ply below are solved from
 *     table.NN    segments and counts of ply NN
 *
 * Values are held in memory, and written where that does not hold them all. Now and then, and if
 * the build ends before its time, everything is saved (journal.h): an interrupted build resumes
 * from the last save, whatever interrupted it.
 */
#ifndef PLB_BUILDER_BUILD_H
#define PLB_BUILDER_BUILD_H

#include <signal.h>

#include "builder/slabs/kernels.h"
#include "tables/space.h"

enum {
    PLB_BLOCK_POSITIONS = 1 << 13, /* indices of a block, see README */
    PLB_LEVEL = 3,                 /* of zstd, see README */
    PLB_HELD_SHARE = 2,            /* 1/N of the spare memory holds planes */
};

typedef enum plb_phase { PLB_FORWARD, PLB_BACKWARD, PLB_ASSEMBLE } plb_phase;

typedef struct plb_progress {
    plb_phase phase;
    int ply;
    bool ply_done;      /* the ply is solved; positions is its number of reachable ones */
    uint64_t positions; /* valid with ply_done; so are: */
    uint64_t values_bytes, table_bytes; /* of the ply's files, in the backward phase; values: 0 if
                                           they were not saved */
    double ply_share;                   /* of the ply that is done, in [0, 1] */
    double work_done, work_total;       /* index entries, both passes */
    double work_skipped;                /* part of work_done that an earlier run has done */
    /* An interrupted build would resume below this ply; cells + 1: in the forward pass, or from the
     * beginning. In the first report it is where this one has resumed. */
    int resume_ply;
} plb_progress;

typedef struct plb_build_options {
    const char *output; /* path of the table */
    plb_values values;  /* what it is to tell */
    int threads;        /* at least 1 */
    /* Slabs in work at a time, by ply; 0: threads, which is the most. */
    int workers[PLB_MAX_CELLS + 1];
    uint64_t spare_bytes;              /* memory beyond the forecast, to hold scratch data in */
    double save_seconds;               /* time after which a ply that is solved is saved */
    bool force;                        /* discard an existing table or an unfinished build */
    const plb_kernels *kernels;        /* NULL: the best of this machine */
    const volatile sig_atomic_t *stop; /* set it to interrupt; NULL: never */
    void (*report)(void *context, const plb_progress *progress); /* NULL: nobody listens; one */
    void *context;                                               /* thread at a time */
} plb_build_options;

/* Build the table of a space's game; continues an unfinished build by itself.
 *
 * existed  [out]  the table was there already, complete; nothing was done
 *
 * Errors: PLB_EINTERRUPTED (what is solved is saved, if possible), PLB_EOTHERGAME (output or
 * unfinished build is another game's, or tells other values), PLB_ENOTTABLE (output is some other
 * file), PLB_EBUSY, PLB_ETOOBIG, PLB_ENOSPACE, PLB_ENOMEM, PLB_EPERMISSION, PLB_ECORRUPT (scratch),
 * PLB_EIO. */
int plb_build(const plb_space *space, const plb_build_options *options, bool *existed,
              plb_message *message);

/* Solve the plies from the last one down to `until` alone and throw the result away: what does it
 * cost? Nothing is held and every ply is saved, as where a board exceeds the memory by far. All
 * positions in which nobody has a group are taken for reachable, since no forward pass has told.
 * options->report hears of every ply; options->output is where work is kept meanwhile.
 *
 * Errors: those of plb_build. */
int plb_build_trial(const plb_space *space, const plb_build_options *options, int until,
                    plb_message *message);

#endif
