/* SPDX-License-Identifier: MIT
 *
 * The engine of keys: each ply as the set of its positions that can arise, up to symmetry, whatever
 * the game; it asks the rules alone.
 *
 *     reach.NN    for each bucket of hashes its keys; notes: plb_key_counts
 *     values.NN   for each bucket a minimal perfect hash of its keys, and their codes
 *     table.NN    key_table.h: of quiet positions on stored plies only
 *
 *     forward     key -> moves -> keys of the next ply, most of them many times -> runs -> buckets
 *     backward    key -> moves -> hash -> code of the child -> the best of them
 *
 * In memory are the values of one ply and a bucket; all else is streamed.
 */
#ifndef PLB_BUILDER_KEYS_KEY_ENGINE_H
#define PLB_BUILDER_KEYS_KEY_ENGINE_H

#include <pthread.h>

#include "builder/engine.h"
#include "builder/keys/key_values.h"
#include "tables/threads.h"

/* The share of the memory that the values of one ply may take: those of two are needed at a time,
 * beside sets of positions. */
enum { PLB_KEY_VALUES_SHARE = 4 };

/* The notes of a reach file. Positions, if not said otherwise, are all of each orbit. */
typedef struct plb_key_counts {
    uint64_t total, terminal;  /* terminal: a group is complete */
    uint64_t keys;             /* positions up to symmetry */
    uint64_t slabs, slab_size; /* of the table, see plb_key_table_shape */
} plb_key_counts;

typedef struct plb_key_engine {
    plb_engine_options options;
    const plb_game *game;
    const plb_symmetry *symmetry;
    plb_outcome_code coding;
    double memory_bytes;
    plb_threads threads;
    pthread_mutex_t lock; /* guards progress, counts and errors of passes */
    int values_ply;       /* of the values in memory; -1: none are */
    plb_key_values values;
} plb_key_engine;

/* Progress of a pass over a ply, in keys. */
typedef struct plb_key_progress {
    plb_key_engine *engine;
    uint64_t all;     /* entries of the ply in the index */
    double scale;     /* entries of the index (engine.h) for each key */
    uint64_t entries; /* reported */
    uint64_t keys;    /* done */
} plb_key_progress;

plb_key_progress plb_key_progress_begin(plb_key_engine *engine, int ply, uint64_t keys);

/* Threads: safe. */
void plb_key_progress_add(plb_key_progress *progress, uint64_t keys);

/* All is done. */
void plb_key_progress_end(plb_key_progress *progress);

static inline bool plb_key_engine_is_stopped(const plb_key_engine *engine) {
    return engine->options.stop && *engine->options.stop;
}

/* Read a bucket of a reach file; *keys is to be freed by the caller.
 * Errors: PLB_ENOMEM, PLB_ECORRUPT, those of errno. */
int plb_key_read_bucket(const plb_scratch *reach, uint64_t bucket, plb_position **keys,
                        uint64_t *count, plb_message *message);

/* The notes of a reach file. Errors: PLB_ECORRUPT. */
int plb_key_read_counts(const plb_scratch *reach, plb_key_counts *counts, plb_message *message);

/* The two passes over a ply (key_reach.c, key_solve.c).
 *
 * before   [in]   reach file of the ply before; NULL: this is ply 0
 * made     [out]  reach file of the ply, committed
 *
 * Errors: those of an engine. */
int plb_key_reach_ply(plb_key_engine *engine, int ply, const plb_scratch *before,
                      plb_key_counts *counts, plb_message *message);

/* A ply that is solved. */
typedef struct plb_key_solved {
    plb_key_values values;   /* from those of the engine, which are of the ply after */
    plb_scratch *table;      /* the table file, not committed, */
    plb_ply_results results; /* and its notes */
} plb_key_solved;

/* reach   [in]      of the ply
 * solved  [in,out]  with a table file that was begun */
int plb_key_solve_ply(plb_key_engine *engine, int ply, const plb_scratch *reach,
                      plb_key_solved *solved, plb_message *message);

#endif
