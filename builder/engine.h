/* SPDX-License-Identifier: MIT
 *
 * Engines: the interface between the order of plies (build.h) and the ways to solve one ply.
 *
 *     forward    reach.NN   the positions of ply NN that can arise, from those of the ply before;
 *                           not every engine needs this pass
 *     backward   values.NN  the outcomes of ply NN, from those of the ply after it and reach.NN
 *                table.NN   and what the table stores of them
 *     save       values.NN  written, if they were in memory alone
 *
 * The backward pass makes a ply part by part (ply_parts.h); the journal says in how many parts. If
 * several ranks make a table, each has an engine and its own scratch files, and all call the same
 * functions. The files of rank 0 are those of one process: its reach files have all positions, its
 * table files all segments, unless each rank keeps its own, its values files all values once they
 * are saved.
 *
 * An engine makes and reads scratch files through the journal. It alone defines the contents of
 * reach and values files. The records of a table file are the segments of its part, then in tables
 * of keys a set of keys for each slab, in tables of slabs the model of its blocks
 * (tables/codec/block_model.h), empty if there is none. The notes of the table file of the last
 * part are a plb_ply_results. Must not know: which plies are solved, when they are saved, the file
 * of the table.
 */
#ifndef PLB_BUILDER_ENGINE_H
#define PLB_BUILDER_ENGINE_H

#include <signal.h>

#include "builder/memory_budget.h"
#include "builder/ply_parts.h"
#include "builder/ranks/ranks.h"
#include "builder/scratch/journal.h"
#include "tables/format/outcome_code.h"
#include "tables/index/index.h"

/* How the engine of slabs finds what can be reached (builder/slabs/reach_ply.h). */
typedef enum plb_reach_way {
    PLB_REACH_BEST,
    PLB_REACH_FORWARD,
    PLB_REACH_FREELY,
    PLB_REACH_BY_COLUMNS
} plb_reach_way;

/* What one may ask of the engine of slabs alone: tests and measurements do. Zeroed: what is best.
 */
typedef struct plb_slab_options {
    plb_reach_way reach;               /* of the two ways that boards with counts have */
    const struct plb_kernels *kernels; /* NULL: the best of this machine */
    double
        divided_entries;  /* of plies that ranks divide, at least (builder/slabs/rank_exchange.h) */
    uint64_t piece_bytes; /* slabs are solved in the smallest pieces there can be, or some that take
                             so many bytes; 0: if the budget says so */
    uint64_t round_bytes; /* of records that a rank sends, then receives; 0: 64 MiB */
} plb_slab_options;

typedef struct plb_engine_options {
    const plb_space *space;
    plb_journal *journal;
    plb_ranks *ranks;      /* that make the table together; NULL: this process alone */
    bool keeps_segments;   /* each rank, those that it makes; else rank 0 gets them all */
    plb_value_kind values; /* kind of values of the table */
    int threads;
    const plb_budget *budget;
    bool is_trial;                     /* there was no forward pass, and nothing shall be counted */
    uint64_t block_entries;            /* entries of a block of the table */
    uint64_t identity;                 /* of the table (tables/store/checksum.h) */
    int level;                         /* of compression */
    plb_slab_options slabs;            /* of the engine of slabs */
    const volatile sig_atomic_t *stop; /* set it to stop a pass soon; NULL: never */
    /* Index entries are done; from one thread at a time, often. */
    void (*advance)(void *context, uint64_t entries);
    /* While the engine is opened: such a share of the positions is counted. */
    void (*count)(void *context, double share);
    void *context;
} plb_engine_options;

enum { PLB_TABLE_MODELS = 1 }; /* in a table file of slabs */

/* The notes of a table file. */
typedef struct plb_ply_results {
    uint64_t slabs, slab_size; /* that the ply has in the index, from which its cut follows */
    plb_segment_run own;       /* segments of this rank: each has one in all; may end beyond them */
    uint64_t ranks;            /* that have segments of the ply, from rank 0 on */
    plb_ply_stats stats;
    plb_ply_distances distances; /* 0 where values have none */
} plb_ply_results;

/* What a pass over a ply has made. */
typedef struct plb_ply_made {
    uint64_t positions;    /* reachable ones, all of each orbit */
    uint64_t values_bytes; /* of the part's values file; 0 if it was not written */
    uint64_t table_bytes;  /* of the part's table file */
    uint32_t needed;       /* parts of the values of the ply after it that later parts need, as bits
                              (journal.h) */
} plb_ply_made;

/* What an engine does with the options that it was opened with. */
typedef struct plb_engine_traits {
    bool goes_forward;    /* there is a forward pass */
    bool compares_counts; /* the plies are compared with exact counts as they are solved */
} plb_engine_traits;

/* The functions of an engine. Errors of all: PLB_EINTERRUPTED, PLB_ENOMEM, PLB_ECORRUPT (of scratch
 * files), those of errno. One thread at a time; an engine makes its own. */
typedef struct plb_engine {
    /* What the options refer to must outlive the engine. close accepts NULL. */
    int (*open)(const plb_engine_options *options, void **state, plb_engine_traits *traits,
                plb_message *message);
    void (*close)(void *state);

    int (*forward)(void *state, int ply, plb_ply_made *made, plb_message *message);
    int (*backward)(void *state, int ply, int part, plb_ply_made *made, plb_message *message);

    /* Not to be stopped. point: what was solved. */
    int (*save)(void *state, const plb_build_point *point, plb_message *message);
} plb_engine;

extern const plb_engine plb_engine_of_slabs; /* bit planes, see builder/planes/slab_shape.h */
extern const plb_engine plb_engine_of_keys;  /* any game, see builder/keys/key_engine.h */

#endif
