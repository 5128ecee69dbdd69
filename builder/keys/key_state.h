/* SPDX-License-Identifier: MIT
 *
 * What the passes of the engine of keys share: its state, the scratch files of reached keys, and
 * progress. The engine has each ply as the set of its positions that can arise, up to symmetry,
 * whatever the game; it asks the rules alone.
 *
 *     reach.NN    for each bucket of hashes its keys; notes: plb_key_reached
 *     values.NN   for each bucket a minimal perfect hash of its keys, and their codes
 *     table.NN    key_table.h: of quiet positions on stored plies only
 *
 *     forward     key -> moves -> keys of the next ply, most of them many times -> runs -> buckets
 *     backward    key -> decided by the rules, or moves -> hash -> code of the child -> the best
 *
 * In memory are the values of one ply and a bucket; all else is streamed.
 */
#ifndef PLB_BUILDER_KEYS_KEY_STATE_H
#define PLB_BUILDER_KEYS_KEY_STATE_H

#include <pthread.h>

#include "builder/engine.h"
#include "builder/keys/key_values.h"
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

/* Opened and closed by the engine, which also replaces the values; passes only count progress. */
typedef struct plb_key_state {
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
} plb_key_state;

/* Errors: PLB_ENOMEM. Close accepts NULL. */
int plb_key_state_open(const plb_engine_options *options, plb_key_state **engine,
                       plb_message *message);
void plb_key_state_close(plb_key_state *engine);

/* What moves lead to, up to symmetry. */
typedef struct plb_key_children {
    int count;
    plb_position keys[PLB_MAX_MOVES];
    plb_key_hash hashes[PLB_MAX_MOVES];
} plb_key_children;

/* Those of all moves to some cells of a position that is not over. */
void plb_key_list_children(const plb_key_state *engine, plb_position parent, uint64_t cells,
                           plb_key_children *children);

/* How many distinct images a key has. */
uint64_t plb_key_orbit(const plb_key_state *engine, plb_position key);

/* Progress of a pass over a ply, in keys. */
typedef struct plb_key_progress {
    plb_key_state *engine;
    uint64_t all;     /* entries of the ply in the index */
    double scale;     /* entries of the index (engine.h) for each key */
    uint64_t entries; /* reported */
    uint64_t keys;    /* done */
} plb_key_progress;

plb_key_progress plb_key_progress_begin(plb_key_state *engine, int ply, uint64_t keys);

/* Threads: safe. */
void plb_key_progress_add(plb_key_progress *progress, uint64_t keys);

/* All is done. */
void plb_key_progress_end(plb_key_progress *progress);

/* PLB_EINTERRUPTED, with a message, if the build is to stop. */
int plb_key_check_stop(const plb_key_state *engine, plb_message *message);

/* Read a bucket of a reach file; *keys is to be freed by the caller.
 * Errors: PLB_ENOMEM, PLB_ECORRUPT, those of errno. */
int plb_key_read_bucket(const plb_scratch *reach, uint64_t bucket, plb_position **keys,
                        uint64_t *count, plb_message *message);

/* The notes of a reach file. Errors: PLB_ECORRUPT. */
int plb_key_read_reached(const plb_scratch *reach, plb_key_reached *reached, plb_message *message);

#endif
