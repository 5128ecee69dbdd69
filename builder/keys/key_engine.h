/* SPDX-License-Identifier: MIT
 *
 * The engine of keys: its state, its two passes over a ply, and what these share. It has each ply
 * as the set of its positions that can arise, up to symmetry, whatever the game; it asks the rules
 * alone.
 *
 *     reach.NN    for each bucket of hashes its keys; notes: plb_key_reached
 *     values.NN   for each bucket a minimal perfect hash of its keys, and their codes
 *     table.NN    key_codes.h: of quiet positions on stored plies only
 *
 *     forward     key -> moves -> keys of the next ply, most of them many times -> runs -> buckets
 *     backward    key -> decided by the rules, or moves -> hash -> code of the child -> the best
 *
 * In memory are the values of one ply and a bucket; all else is streamed.
 */
#ifndef PLB_BUILDER_KEYS_KEY_ENGINE_H
#define PLB_BUILDER_KEYS_KEY_ENGINE_H

#include <pthread.h>

#include "builder/engine.h"
#include "builder/keys/key_codes.h"
#include "tables/stop.h"
#include "tables/threads.h"

/* The share of the memory that the values of one ply may take: those of two are needed at a time,
 * beside sets of positions. */
enum { PLB_KEY_VALUES_SHARE = 4 };

/* Second words of positions for which a thread remembers what plb_orbit_choose found. */
enum { PLB_KEY_CHOICE_BITS = 9, PLB_KEY_CHOICES = 1 << PLB_KEY_CHOICE_BITS };

/* The notes of a reach file. */
typedef struct plb_key_reached {
    plb_ply_stats stats;       /* total and terminal alone */
    uint64_t keys;             /* positions up to symmetry */
    uint64_t slabs, slab_size; /* of the table, see plb_key_table_shape */
} plb_key_reached;

/* Only passes replace the values, and count progress. */
typedef struct plb_key_engine {
    plb_engine_options options;
    const plb_game *game;
    const plb_symmetry *symmetry;
    plb_outcome_code coding;
    double memory_bytes;
    plb_threads threads;
    pthread_mutex_t lock;      /* guards progress, counts and errors of passes */
    plb_orbit_choice *choices; /* [threads][PLB_KEY_CHOICES] the last ones, by hash of the word */
    int values_ply;            /* of the values in memory; -1: none are */
    plb_key_values values;
} plb_key_engine;

/* What moves lead to, up to symmetry. */
typedef struct plb_key_children {
    int count;
    plb_position keys[PLB_MAX_MOVES];
    plb_key_hash hashes[PLB_MAX_MOVES];
} plb_key_children;

/* Those of all moves to some cells of a position that is not over. */
void plb_key_list_children(const plb_key_engine *engine, plb_position parent, uint64_t cells,
                           plb_key_children *children);

/* How many distinct images a key has. */
uint64_t plb_key_orbit(const plb_key_engine *engine, plb_position key);

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

/* PLB_EINTERRUPTED, with a message, if the build is to stop. */
int plb_key_check_stop(const plb_key_engine *engine, plb_message *message);

/* Read a bucket of a reach file; *keys is to be freed by the caller.
 * Errors: PLB_ENOMEM, PLB_ECORRUPT, those of errno. */
int plb_key_read_bucket(const plb_scratch *reach, uint64_t bucket, plb_position **keys,
                        uint64_t *count, plb_message *message);

/* The notes of a reach file. Errors: PLB_ECORRUPT. */
int plb_key_read_reached(const plb_scratch *reach, plb_key_reached *reached, plb_message *message);

/* ---- passes ----
 *
 * Errors: those of an engine. */

/* Forward (key_reach.c): make and commit the reach file of a ply.
 *
 * before   [in]   reach file of the ply before; NULL: this is ply 0
 * reached  [out]  its notes  */
int plb_key_reach_ply(plb_key_engine *engine, int ply, const plb_scratch *before,
                      plb_key_reached *reached, plb_message *message);

/* Backward (key_solve.c): make and commit the table file of a ply, and its values, which replace
 * those of the ply after it.
 *
 * reach  [in]  of the ply */
int plb_key_solve_ply(plb_key_engine *engine, int ply, const plb_scratch *reach, plb_ply_made *made,
                      plb_message *message);

#endif
