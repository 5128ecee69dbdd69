/* SPDX-License-Identifier: MIT
 *
 * Builds of tables in shards, by ranks that are forked; and what such a table has.
 */
#ifndef TESTS_SHARD_BUILDS_H
#define TESTS_SHARD_BUILDS_H

#include "builder/build.h"
#include "tables/store/store.h"
#include "tests/support/support.h"

/* A build of ranks, each of which keeps its segments. */
typedef struct shard_build {
    const char *spec;
    char output[SUPPORT_PATH];
    plb_index_kind kind;
    plb_value_kind values;
    double divided_entries, save_seconds;
    bool force;
    bool is_whole;     /* without shards */
    int expected;      /* error */
    const char *words; /* of its message; NULL: any */
    int stopping_rank; /* that is told to stop, or killed, .. */
    plb_phase stops_in;
    int stops_at; /* .. as it is at this ply of the phase; -1: it is not */
    bool is_killed;
    bool fails_to_save; /* once, in place of a stop */
    volatile sig_atomic_t stop;
} shard_build;

/* A build of plies that are all divided, and saved only if they must be; `shards` in the folder of
 * the test. */
shard_build shards_at(const char *output, const char *spec, plb_value_kind values);
shard_build shards_of(void **state, const char *spec, plb_value_kind values);

/* Run it with so many ranks; each ends as is expected. */
void run_shards(const shard_build *b, int count);

/* Build `alone`, the table in one file. */
void build_alone(void **state, const shard_build *b);

/* The table has so many shards and all that `alone` has, and nothing else is left. */
void assert_same(void **state, const shard_build *b, int shards);

/* A path, valid until the next call. */
char *shard_path(const char *table, int number);
plb_store *open_store(const char *path);
void remove_table(const char *path, int shards);

#endif
