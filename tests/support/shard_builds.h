/* SPDX-License-Identifier: MIT
 *
 * Builds of tables in shards by forked ranks, and comparison with the table in one file.
 */
#pragma once

#include "builder/build.h"
#include "tables/store/store.h"
#include "tests/support/support.h"

typedef struct shard_build {
    const char *spec;
    char output[SUPPORT_PATH];
    plb_index_kind kind;
    plb_value_kind values;
    double divided_entries, save_seconds;
    bool force;
    bool is_whole;           /* one file, without shards */
    int expected;            /* error code */
    const char *text;        /* part of the expected message; NULL: any */
    int stopping_rank;       /* this rank is stopped, .. */
    plb_phase stops_in;      /* .. in this phase, .. */
    int stops_at;            /* .. at this ply; -1: it is not stopped */
    bool is_killed;          /* by SIGKILL, in place of a stop */
    bool fails_to_save;      /* once, in place of a stop */
    const char *linked, *to; /* in place of a stop: another process makes a link of this name */
    volatile sig_atomic_t stop;
} shard_build;

/* Options of a build that divides every ply and saves only when it is stopped. shards_of: the
 * output is `shards` in the folder of the test. */
shard_build shards_at(const char *output, const char *spec, plb_value_kind values);
shard_build shards_of(void **state, const char *spec, plb_value_kind values);

/* Run the build with `count` ranks, and check that each ends as expected. */
void run_shards(const shard_build *b, int count);

/* Build the same table in one file: `alone` in the folder of the test. */
void build_alone(void **state, const shard_build *b);

/* Check that the table has this number of shards and the same content as `alone`, and that the
 * folder has no other files. */
void assert_same(void **state, const shard_build *b, int shards);

/* The path of a shard, valid until the next call. */
char *shard_path(const char *table, int number);
void remove_table(const char *path, int shards);
