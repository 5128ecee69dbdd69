/* SPDX-License-Identifier: MIT
 *
 * The forward pass: from the keys of a ply to those of the next.
 */
#include <stdlib.h>
#include <string.h>

#include "builder/keys/key_engine.h"
#include "builder/keys/key_runs.h"
#include "builder/keys/key_table.h"
#include "tables/bits.h"
#include "tables/games/static_value.h"

enum {
    PARENTS = 1 << 8,       /* that a thread takes at a time */
    SET_SHARE = 2,          /* of the memory: sets of children, or of buckets */
    LEAST_SET = 1 << 12,    /* positions */
    LEAST_BUCKET = 1 << 14, /* likewise */
    BUCKETS_PER_THREAD = 4, /* at least, for large plies */
};

typedef struct reach_pass {
    plb_key_engine *engine;
    int ply; /* that is reached */
    plb_key_runs runs;
    plb_position_set *sets; /* [threads] */
    plb_key_progress progress;
    plb_scratch *made;
    plb_key_counts counts;
    uint64_t *stored; /* [PLB_GRID] keys whose codes the table has */
    int error;
    plb_message *message; /* of the first error */
} reach_pass;

/* Note what went wrong first. Threads: safe. */
static void note_error(reach_pass *p, int error, const plb_message *message) {
    pthread_mutex_lock(&p->engine->lock);
    if (!p->error) {
        p->error = error;
        if (p->message) *p->message = *message;
    }
    pthread_mutex_unlock(&p->engine->lock);
}

/* Positions for which a thread may have a set. */
static uint64_t positions_of_a_set(const plb_key_engine *engine) {
    double bytes = engine->memory_bytes / SET_SHARE / engine->options.threads;
    return plb_max(LEAST_SET, (uint64_t)(bytes / plb_position_set_bytes(1)));
}

/* ---- children ---- */

static int add_children(reach_pass *p, plb_position parent, plb_position_set *set,
                        plb_message *message) {
    const plb_key_engine *e = p->engine;
    int moves[PLB_MAX_MOVES], count = plb_rules_moves(e->game, parent, moves), error = PLB_OK;
    for (int m = 0; m < count && !error; m++) {
        plb_position child = plb_rules_play(e->game, parent, moves[m]);
        plb_position key = plb_orbit_least(e->game, e->symmetry, child);
        if (plb_position_set_is_full(set)) error = plb_key_runs_add(&p->runs, set, true, message);
        if (!error && plb_position_set_add(set, key, plb_position_hash(key)))
            error = plb_fail(message, PLB_ENOMEM, "out of memory for positions");
    }
    return error;
}

/* The keys of a bucket. */
typedef struct parents {
    reach_pass *p;
    const plb_position *keys;
    uint64_t count;
} parents;

static int expand(void *context, size_t chunk) {
    const parents *of = context;
    reach_pass *p = of->p;
    uint64_t first = chunk * PARENTS, count = plb_min(PARENTS, of->count - first);
    plb_message message;
    int error = PLB_OK;
    plb_position_set *set = &p->sets[plb_threads_number()];
    if (plb_key_engine_is_stopped(p->engine)) return PLB_EINTERRUPTED;
    for (uint64_t i = 0; i < count && !error; i++)
        error = add_children(p, of->keys[first + i], set, &message);
    if (error) note_error(p, error, &message);
    plb_key_progress_add(&p->progress, count);
    return error;
}

/* All their children. */
static void expand_bucket(reach_pass *p, const plb_position *keys, uint64_t count) {
    parents of = {p, keys, count};
    plb_threads_share(&p->engine->threads, plb_divide_up(count, PARENTS), expand, &of);
}

static int expand_all(reach_pass *p, const plb_scratch *before, plb_message *message) {
    for (uint64_t b = 0; b < plb_scratch_records(before); b++) {
        plb_position *parents = NULL;
        uint64_t count;
        int error = plb_key_read_bucket(before, b, &parents, &count, message);
        if (!error) expand_bucket(p, parents, count);
        free(parents);
        if (error) return error;
        if (p->error) return p->error;
        if (plb_key_engine_is_stopped(p->engine))
            return plb_fail(message, PLB_EINTERRUPTED, "interrupted");
    }
    for (int t = 0; t < p->engine->options.threads; t++) {
        int error = plb_key_runs_add(&p->runs, &p->sets[t], false, message);
        plb_position_set_free(&p->sets[t]);
        if (error) return error;
    }
    return PLB_OK;
}

/* ---- buckets ---- */

/* Small enough that each thread has one in memory, and all threads have some. */
static uint64_t choose_buckets(const reach_pass *p) {
    uint64_t most = positions_of_a_set(p->engine), all = p->runs.positions;
    uint64_t fair = all / (BUCKETS_PER_THREAD * p->engine->options.threads) + 1, buckets = 1;
    most = plb_min(most, plb_max(LEAST_BUCKET, fair));
    while (buckets < PLB_GRID && all / buckets > most) buckets *= 2;
    return buckets;
}

static bool is_stored(const plb_key_engine *engine, int ply, plb_position key) {
    return plb_static_value_is_stored_ply(ply) &&
           plb_rules_settle(engine->game, key).kind == PLB_QUIET;
}

static void count_key(const reach_pass *p, plb_position key, plb_key_counts *counts) {
    const plb_key_engine *e = p->engine;
    int orbit = plb_orbit_count(e->game, e->symmetry, key);
    counts->keys++;
    counts->total += (uint64_t)orbit;
    if (e->game->rules->complete_groups(e->game, key)) counts->terminal += (uint64_t)orbit;
    if (is_stored(e, p->ply, key)) /* the cells of a bucket belong to one thread */
        p->stored[plb_key_bucket(plb_position_hash(key), PLB_GRID)]++;
}

/* Write the keys of a set, and count them. */
static int write_bucket(reach_pass *p, uint64_t bucket, plb_position_set *set,
                        plb_message *message) {
    plb_key_counts counts = {0};
    uint64_t count = plb_position_set_pack(set);
    for (uint64_t i = 0; i < count; i++) count_key(p, set->slots[i], &counts);
    pthread_mutex_lock(&p->engine->lock);
    p->counts.keys += counts.keys;
    p->counts.total += counts.total;
    p->counts.terminal += counts.terminal;
    pthread_mutex_unlock(&p->engine->lock);
    return plb_scratch_put(p->made, bucket, set->slots, count * sizeof *set->slots, message);
}

/* Buckets that are made of runs. */
typedef struct gathering {
    reach_pass *p;
    uint64_t buckets;
} gathering;

static int gather_bucket(void *context, size_t bucket) {
    const gathering *g = context;
    reach_pass *p = g->p;
    uint64_t buckets = g->buckets;
    plb_message message;
    plb_position_set set;
    if (plb_key_engine_is_stopped(p->engine)) return PLB_EINTERRUPTED;
    plb_position_set_begin(&set, plb_key_runs_count(&p->runs, bucket, buckets));
    int error = plb_key_runs_gather(&p->runs, bucket, buckets, &set, &message);
    if (!error) error = write_bucket(p, bucket, &set, &message);
    plb_position_set_free(&set);
    if (error) note_error(p, error, &message);
    return error;
}

static int gather_all(reach_pass *p, uint64_t buckets, plb_message *message) {
    gathering all = {p, buckets};
    plb_threads_share(&p->engine->threads, buckets, gather_bucket, &all);
    if (p->error) return p->error;
    if (plb_key_engine_is_stopped(p->engine))
        return plb_fail(message, PLB_EINTERRUPTED, "interrupted");
    return PLB_OK;
}

/* ---- the pass ---- */

/* The empty board is its own key. */
static int write_root(reach_pass *p, plb_message *message) {
    const plb_position root = {0, 0};
    count_key(p, root, &p->counts);
    return plb_scratch_put(p->made, 0, &root, sizeof root, message);
}

static int create(reach_pass *p, uint64_t buckets, plb_message *message) {
    plb_scratch_file file = {PLB_SCRATCH_REACH, p->ply, 0};
    return plb_journal_create(p->engine->options.journal, file, buckets, &p->made, message);
}

/* The values of this ply are in memory while the ply below is solved. */
static int check_memory(const reach_pass *p, plb_message *message) {
    double bytes = plb_key_values_bytes((double)p->counts.keys);
    if (bytes <= p->engine->memory_bytes / PLB_KEY_VALUES_SHARE) return PLB_OK;
    return plb_fail(message, PLB_ETOOBIG,
                    "ply %d has %llu positions up to symmetry, whose values take %.0f MiB of the "
                    "%.0f MiB that the build may use: more than a quarter",
                    p->ply, (unsigned long long)p->counts.keys, bytes / (1 << 20),
                    p->engine->memory_bytes / (1 << 20));
}

static int reach(reach_pass *p, const plb_scratch *before, plb_message *message) {
    uint64_t buckets = 1;
    int error = PLB_OK;
    if (before) error = expand_all(p, before, message);
    if (!error && before) buckets = choose_buckets(p);
    if (!error) error = create(p, buckets, message);
    if (!error) error = before ? gather_all(p, buckets, message) : write_root(p, message);
    if (!error) error = check_memory(p, message);
    if (error) return error;
    plb_key_progress_end(&p->progress);
    plb_key_table_shape(p->stored, &p->counts.slabs, &p->counts.slab_size);
    plb_scratch_file file = {PLB_SCRATCH_REACH, p->ply, 0};
    return plb_journal_commit(p->engine->options.journal, file, p->made, &p->counts,
                              sizeof p->counts, message);
}

static int open_pass(reach_pass *p, const plb_scratch *before, plb_message *message) {
    const plb_engine_options *options = &p->engine->options;
    plb_key_counts counts = {0};
    p->sets = calloc(options->threads, sizeof *p->sets);
    p->stored = calloc(PLB_GRID, sizeof *p->stored);
    if (!p->sets || !p->stored) return plb_fail(message, PLB_ENOMEM, "out of memory");
    for (int t = 0; t < options->threads; t++)
        plb_position_set_begin(&p->sets[t], positions_of_a_set(p->engine));
    plb_key_runs_open(&p->runs, options->journal->folder.path);
    int error = before ? plb_key_read_counts(before, &counts, message) : PLB_OK;
    p->progress = plb_key_progress_begin(p->engine, p->ply, counts.keys);
    return error;
}

int plb_key_reach_ply(plb_key_engine *engine, int ply, const plb_scratch *before,
                      plb_key_counts *counts, plb_message *message) {
    reach_pass p = {.engine = engine, .ply = ply, .message = message};
    int error = open_pass(&p, before, message);
    if (!error) error = reach(&p, before, message);
    if (!error) *counts = p.counts;
    for (int t = 0; t < engine->options.threads && p.sets; t++) plb_position_set_free(&p.sets[t]);
    free(p.sets);
    free(p.stored);
    plb_key_runs_close(&p.runs);
    plb_scratch_close(p.made);
    return error;
}
