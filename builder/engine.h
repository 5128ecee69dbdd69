/* SPDX-License-Identifier: MIT
 *
 * The interface of an engine, which solves one ply at a time in an order that build.c determines.
 *
 *     forward    reach.NN   the positions of ply NN that can arise, from those of the ply before;
 *                           not every engine needs this pass
 *     backward   values.NN  the outcomes of ply NN, from those of the ply after it and reach.NN
 *                table.NN   the segments of the table
 *     save       values.NN  writes values that are only in memory
 *
 * The backward pass solves a ply part by part (ply_parts.h); the journal has the number of parts.
 * In a build by ranks each rank has an engine and its own scratch files, and all call the same
 * functions. The files of rank 0 are the same as those of a single process: its reach files have
 * all positions, its table files all segments (except with shards), and its values files, after a
 * save, all values.
 *
 * An engine writes and reads scratch files through the journal, and defines the contents of reach
 * and values files. The records of a table file are the segments of its part; then, in tables of
 * keys, a set of keys for each slab, and in tables of slabs the model of the blocks
 * (tables/codec/block_model.h), empty if there is none. The notes of the table file of the last
 * part are a plb_ply_results. Must not know: which plies are solved, when they are saved, the file
 * of the table.
 */
#pragma once

#include <signal.h>

#include "builder/memory_budget.h"
#include "builder/ply_parts.h"
#include "builder/ranks/ranks.h"
#include "builder/scratch/journal.h"
#include "tables/format/outcome_code.h"
#include "tables/index/index.h"

/* How the engine of slabs finds reachable positions (builder/slabs/reach_ply.h). */
typedef enum plb_reach_way {
    PLB_REACH_BEST,
    PLB_REACH_FORWARD,
    PLB_REACH_FREELY,
    PLB_REACH_BY_COLUMNS
} plb_reach_way;

/* Options of the engine of slabs, for tests and measurements; 0: the default. */
typedef struct plb_slab_options {
    plb_reach_way reach; /* on boards that have both: PLB_REACH_FORWARD or PLB_REACH_BY_COLUMNS */
    const struct plb_kernels *kernels; /* NULL: the fastest of this machine */
    double divided_entries;            /* ranks divide a ply with at least this many entries */
    uint64_t piece_bytes;              /* solve all slabs in pieces that take about this many bytes,
                                          or the smallest possible; 0: if the budget says so */
    uint64_t round_bytes; /* bytes of records per round of an exchange; 0: PLB_ROUND_BYTES */
} plb_slab_options;

typedef struct plb_engine_options {
    const plb_space *space;
    plb_journal *journal;
    plb_ranks *ranks;      /* ranks that build together; NULL: this process alone */
    bool keeps_segments;   /* each rank keeps its segments; false: rank 0 gets all */
    plb_value_kind values; /* kind of the stored values */
    int threads;
    const plb_budget *budget;
    bool is_trial;                     /* plb_build_trial: no forward pass, no exact counts */
    uint64_t block_entries;            /* entries of a block of the table */
    uint64_t identity;                 /* identity of the table (tables/store/checksum.h) */
    int level;                         /* zstd compression level */
    plb_slab_options slabs;            /* for the engine of slabs */
    const volatile sig_atomic_t *stop; /* set it to interrupt a pass; NULL: never */
    /* Callback: so many more index entries are done. Called often, by one thread at a time. */
    void (*advance)(void *context, uint64_t entries);
    /* Callback while the engine is opened: this share of the positions is counted. */
    void (*count)(void *context, double share);
    void *context;
} plb_engine_options;

enum { PLB_TABLE_MODELS = 1 }; /* records with a model in a table file of slabs */

/* The notes of the last table file of a ply. */
typedef struct plb_ply_results {
    uint64_t slabs, slab_size; /* of the ply in the index; the segments follow from them */
    plb_segment_run own;       /* the range of segments of this rank; may end after the last one */
    uint64_t ranks;            /* ranks 0 to ranks - 1 have segments of the ply */
    plb_ply_stats stats;
    plb_ply_distances distances; /* zero for tables without distances */
} plb_ply_results;

/* The result of a pass over a ply or a part. */
typedef struct plb_ply_made {
    uint64_t positions;    /* reachable positions, all of each orbit */
    uint64_t values_bytes; /* of the part's values file; 0 if it was not written */
    uint64_t table_bytes;  /* of the part's table file */
    uint32_t needed;       /* bit p: later parts need part p of the next ply's values (journal.h) */
} plb_ply_made;

/* Properties of an engine that follow from its options. */
typedef struct plb_engine_traits {
    bool goes_forward;    /* it has a forward pass */
    bool compares_counts; /* it compares each solved ply with an exact count */
} plb_engine_traits;

/* The functions of an engine. Errors of all: PLB_EINTERRUPTED, PLB_ENOMEM, PLB_ECORRUPT (scratch
 * files), those of errno. Called by one thread at a time; an engine starts its own threads. */
typedef struct plb_engine {
    /* Whatever the options point to must outlive the engine. close accepts NULL. */
    int (*open)(const plb_engine_options *options, void **state, plb_engine_traits *traits,
                plb_message *message);
    void (*close)(void *state);

    int (*forward)(void *state, int ply, plb_ply_made *made, plb_message *message);
    int (*backward)(void *state, int ply, int part, plb_ply_made *made, plb_message *message);

    /* Write values of solved plies that are only in memory. Cannot be interrupted.
     *
     * point  [in]  how far the build is solved */
    int (*save)(void *state, const plb_build_point *point, plb_message *message);
} plb_engine;

extern const plb_engine plb_engine_of_slabs; /* bit planes, builder/planes/slab_shape.h */
extern const plb_engine plb_engine_of_keys;  /* any game, builder/keys/key_engine.h */
