/* SPDX-License-Identifier: MIT
 *
 * The engine of keys: its state, and functions that its two passes share. A key is a position that
 * can arise, up to symmetry. Each ply is a set of keys. The engine uses only the rules of a game,
 * so it can solve any game.
 *
 *     reach.NN    for each bucket of hashes its keys; notes: plb_key_reached
 *     values.NN   for each bucket a minimal perfect hash of its keys, and their outcome codes
 *     table.NN    quiet positions of stored plies only (key_codes.h)
 *
 *     forward     key -> moves -> keys of the next ply, with duplicates -> runs -> buckets
 *     backward    key -> decided by the rules, or moves -> hash -> code of each child -> best code
 *
 * The forward pass has sets of positions in memory; the backward pass has one bucket of keys, and
 * the values of a ply and of the next one. Everything else is streamed.
 */
#pragma once

#include <pthread.h>

#include "builder/engine.h"
#include "builder/keys/key_codes.h"
#include "tables/stop.h"
#include "tables/threads.h"

/* The values of a ply may take 1 / PLB_KEY_VALUES_SHARE of the memory. Those of two plies are
 * needed at the same time, besides sets of positions. */
enum { PLB_KEY_VALUES_SHARE = 4 };

/* Size of a thread's cache for plb_orbit_choose; the key is the word `o` of a position. */
enum { PLB_KEY_CHOICE_BITS = 9, PLB_KEY_CHOICES = 1 << PLB_KEY_CHOICE_BITS };

/* The notes of a reach file. */
typedef struct plb_key_reached {
    plb_ply_stats stats;       /* total and terminal only */
    uint64_t keys;             /* number of keys */
    uint64_t slabs, slab_size; /* of the table, see plb_key_table_shape */
} plb_key_reached;

typedef struct plb_key_engine {
    plb_engine_options options;
    const plb_game *game;
    const plb_symmetry *symmetry;
    plb_outcome_code coding;
    double memory_bytes;
    plb_threads threads;
    pthread_mutex_t lock;      /* guards progress, counts and errors of passes */
    plb_orbit_choice *choices; /* [threads][PLB_KEY_CHOICES] caches, by a hash of the word `o` */
    int values_ply;            /* the ply whose values are in memory; -1: none */
    plb_key_values values;
} plb_key_engine;

/* The children of a position, as keys; several moves may lead to the same key. */
typedef struct plb_key_children {
    int count;
    plb_position keys[PLB_MAX_MOVES];
    plb_key_hash hashes[PLB_MAX_MOVES];
} plb_key_children;

/* List the children by all moves to some cells. The game must not be over in `parent`. */
void plb_key_list_children(const plb_key_engine *engine, plb_position parent, uint64_t cells,
                           plb_key_children *children);

/* The number of distinct images of a key. */
uint64_t plb_key_orbit(const plb_key_engine *engine, plb_position key);

/* Progress of a pass over a ply: counts keys, reports index entries (engine.h). */
typedef struct plb_key_progress {
    plb_key_engine *engine;
    uint64_t all;     /* index entries of the ply */
    double scale;     /* index entries per key */
    uint64_t entries; /* entries that were reported */
    uint64_t keys;    /* keys that are done */
} plb_key_progress;

plb_key_progress plb_key_progress_begin(plb_key_engine *engine, int ply, uint64_t keys);

/* Threads: safe. */
void plb_key_progress_add(plb_key_progress *progress, uint64_t keys);

/* Report the remaining entries. */
void plb_key_progress_end(plb_key_progress *progress);

/* Return PLB_EINTERRUPTED, with a message, if options.stop is set. */
int plb_key_check_stop(const plb_key_engine *engine, plb_message *message);

/* Read a bucket of a reach file; *keys is to be freed by the caller.
 * Errors: PLB_ENOMEM, PLB_ECORRUPT, those of errno. */
int plb_key_read_bucket(const plb_scratch *reach, uint64_t bucket, plb_position **keys,
                        uint64_t *count, plb_message *message);

/* The notes of a reach file. Errors: PLB_ECORRUPT. */
int plb_key_read_reached(const plb_scratch *reach, plb_key_reached *reached, plb_message *message);

/* The forward pass of plb_engine_of_keys (key_reach.c): make and commit the reach file of a ply.
 * The other functions of the engine are in key_solve.c. */
int plb_key_forward(void *state, int ply, plb_ply_made *made, plb_message *message);
