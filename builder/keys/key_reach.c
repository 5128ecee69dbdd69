/* SPDX-License-Identifier: MIT
 *
 * The forward pass: finds the keys of a ply from those of the ply before.
 */
#include <stdlib.h>

#include "builder/keys/key_engine.h"
#include "tables/bits.h"
#include "tables/games/static_value.h"

enum {
    PARENTS = 1 << 8,       /* parents per task of a thread */
    SET_SHARE = 2,          /* sets of positions take 1 / SET_SHARE of the memory */
    MIN_SET = 1 << 12,      /* minimum positions of a set */
    MIN_BUCKET = 1 << 14,   /* minimum positions of a bucket */
    BUCKETS_PER_THREAD = 4, /* minimum for large plies */
};

typedef struct reach_pass {
    plb_key_engine *engine;
    int ply; /* the new ply */
    plb_key_runs runs;
    plb_position_set *sets; /* [threads] */
    plb_key_progress progress;
    plb_scratch *made;
    plb_key_reached reached;
    uint64_t *stored;   /* [PLB_GRID] number of keys whose codes the table stores */
    plb_position *keys; /* [count] keys of the parents' bucket that is expanded */
    uint64_t count;
    uint64_t buckets; /* number of buckets of the new ply */
    int error;
    plb_message *message; /* of the first error */
} reach_pass;

/* Keep the first error. Threads: safe. */
static void keep_error(reach_pass *p, int error, const plb_message *message) {
    pthread_mutex_lock(&p->engine->lock);
    if (!p->error) {
        p->error = error;
        if (p->message) *p->message = *message;
    }
    pthread_mutex_unlock(&p->engine->lock);
}

/* The number of positions for which the set of a thread has memory. */
static uint64_t set_positions(const plb_key_engine *engine) {
    double bytes = engine->memory_bytes / SET_SHARE / engine->options.threads;
    return plb_max(MIN_SET, (uint64_t)(bytes / PLB_POSITION_SET_BYTES));
}

/* ---- children ---- */

static int add_children(reach_pass *p, const plb_key_children *children, plb_position_set *set,
                        plb_message *message) {
    int error = PLB_OK;
    for (int c = 0; c < children->count && !error; c++) {
        if (plb_position_set_is_full(set)) error = plb_key_runs_add(&p->runs, set, true, message);
        if (!error && plb_position_set_add(set, children->keys[c], children->hashes[c]))
            error = plb_fail(message, PLB_ENOMEM, "out of memory for positions");
    }
    return error;
}

static int expand(void *context, size_t chunk) {
    reach_pass *p = context;
    const plb_position *keys = p->keys + chunk * PARENTS;
    uint64_t count = plb_min(PARENTS, p->count - chunk * PARENTS);
    plb_message message;
    int error = PLB_OK;
    plb_position_set *set = &p->sets[plb_threads_number()];
    plb_key_children children[2] = {{0}, {0}}; /* of this parent (prefetched) and the one before */
    if (plb_is_stopped(p->engine->options.stop)) return PLB_EINTERRUPTED;
    for (uint64_t i = 0; i < count && !error; i++) {
        plb_key_children *of_this = &children[i % 2];
        of_this->count = 0;
        if (!plb_rules_is_over(p->engine->game, keys[i]))
            plb_key_list_children(p->engine, keys[i], p->engine->game->board, of_this);
        for (int c = 0; c < of_this->count; c++) plb_position_set_prefetch(set, of_this->hashes[c]);
        error = add_children(p, &children[(i + 1) % 2], set, &message);
    }
    if (!error) error = add_children(p, &children[(count + 1) % 2], set, &message);
    if (error) keep_error(p, error, &message);
    plb_key_progress_add(&p->progress, count);
    return error;
}

/* Collect the children of all keys of the ply before in runs. */
static int expand_all(reach_pass *p, const plb_scratch *before, plb_message *message) {
    for (uint64_t b = 0; b < plb_scratch_records(before); b++) {
        int error = plb_key_read_bucket(before, b, &p->keys, &p->count, message);
        if (error) return error;
        plb_threads_share(&p->engine->threads, plb_divide_up(p->count, PARENTS), expand, p);
        free(p->keys);
        error = p->error ? p->error : plb_key_check_stop(p->engine, message);
        if (error) return error;
    }
    for (int t = 0; t < p->engine->options.threads; t++) {
        int error = plb_key_runs_add(&p->runs, &p->sets[t], false, message);
        plb_position_set_free(&p->sets[t]);
        if (error) return error;
    }
    return PLB_OK;
}

/* ---- buckets ---- */

/* The number of buckets: so that each thread has memory for one, and each thread gets several. */
static uint64_t choose_buckets(const reach_pass *p) {
    uint64_t max = set_positions(p->engine), all = p->runs.positions;
    uint64_t fair = all / (BUCKETS_PER_THREAD * p->engine->options.threads) + 1, buckets = 1;
    max = plb_min(max, plb_max(MIN_BUCKET, fair));
    while (buckets < PLB_GRID && all / buckets > max) buckets *= 2;
    return buckets;
}

/* Count a key and the positions of its orbit. */
static void count_key(const reach_pass *p, plb_position key, plb_key_reached *reached) {
    const plb_key_engine *e = p->engine;
    uint64_t orbit = plb_key_orbit(e, key);
    reached->keys++;
    reached->stats.total += orbit;
    if (e->game->rules->complete_groups(e->game, key))
        reached->stats.terminal += orbit;
    else if (plb_static_value_is_stored_ply(p->ply) &&
             plb_rules_static_value(e->game, key).kind == PLB_QUIET)
        p->stored[plb_key_bucket(plb_position_hash(key), PLB_GRID)]++; /* one thread per bucket */
}

/* Gather the keys of a bucket from all runs, count them, and write them. */
static int gather_bucket(void *context, size_t bucket) {
    reach_pass *p = context;
    plb_message message;
    plb_key_reached reached = {0};
    plb_position_set *set = &p->sets[plb_threads_number()];
    if (plb_is_stopped(p->engine->options.stop)) return PLB_EINTERRUPTED;
    int error = plb_position_set_reserve(set, plb_key_runs_count(&p->runs, bucket, p->buckets))
                    ? plb_fail(&message, PLB_ENOMEM, "out of memory for positions")
                    : plb_key_runs_gather(&p->runs, bucket, p->buckets, set, &message);
    if (!error) {
        uint64_t count = plb_position_set_pack(set);
        for (uint64_t i = 0; i < count; i++) count_key(p, set->slots[i], &reached);
        pthread_mutex_lock(&p->engine->lock);
        p->reached.keys += reached.keys;
        p->reached.stats.total += reached.stats.total;
        p->reached.stats.terminal += reached.stats.terminal;
        pthread_mutex_unlock(&p->engine->lock);
        error = plb_scratch_put(p->made, bucket, set->slots, count * sizeof *set->slots, &message);
    }
    plb_position_set_clear(set);
    if (error) keep_error(p, error, &message);
    return error;
}

/* ---- the pass ---- */

/* Collect all children, then remove duplicates bucket by bucket. Ply 0 has the empty board. */
static int reach(reach_pass *p, const plb_scratch *before, plb_message *message) {
    static const plb_position root = {0, 0};
    plb_scratch_file file = {PLB_SCRATCH_REACH, p->ply, 0};
    plb_journal *journal = p->engine->options.journal;
    int error = before ? expand_all(p, before, message) : PLB_OK;
    p->buckets = !error && before ? choose_buckets(p) : 1;
    if (!error) error = plb_journal_create(journal, file, p->buckets, &p->made, message);
    if (!error && before) {
        plb_threads_share(&p->engine->threads, p->buckets, gather_bucket, p);
        error = p->error ? p->error : plb_key_check_stop(p->engine, message);
    }
    if (!error && !before) {
        count_key(p, root, &p->reached);
        error = plb_scratch_put(p->made, 0, &root, sizeof root, message);
    }
    if (error) return error;
    /* The values of this ply will be in memory while the ply before is solved. */
    double bytes = plb_key_values_bytes((double)p->reached.keys);
    if (bytes > p->engine->memory_bytes / PLB_KEY_VALUES_SHARE)
        return plb_fail(message, PLB_ETOOBIG,
                        "ply %d has %llu positions up to symmetry, whose values take %.0f MiB of "
                        "the %.0f MiB that the build may use: more than a quarter",
                        p->ply, (unsigned long long)p->reached.keys, bytes / (1 << 20),
                        p->engine->memory_bytes / (1 << 20));
    plb_key_progress_end(&p->progress);
    plb_key_table_shape(p->stored, &p->reached.slabs, &p->reached.slab_size);
    return plb_journal_commit(journal, file, p->made, &p->reached, sizeof p->reached, message);
}

int plb_key_forward(void *state, int ply, plb_ply_made *made, plb_message *message) {
    plb_key_engine *engine = state;
    const plb_engine_options *options = &engine->options;
    reach_pass p = {.engine = engine, .ply = ply, .message = message};
    plb_key_reached last = {0};
    plb_scratch *before = NULL;
    plb_scratch_file file = {PLB_SCRATCH_REACH, ply - 1, 0};
    int error = PLB_OK;
    if (ply) error = plb_journal_read(options->journal, file, PLB_SCRATCH_ANY, &before, message);
    if (before) error = plb_key_read_reached(before, &last, message);
    p.progress = plb_key_progress_begin(engine, ply, last.keys);
    plb_key_runs_open(&p.runs, options->journal->folder.path);
    p.sets = calloc(options->threads, sizeof *p.sets);
    p.stored = calloc(PLB_GRID, sizeof *p.stored);
    if (!error && !(p.sets && p.stored)) error = plb_fail(message, PLB_ENOMEM, "out of memory");
    for (int t = 0; t < options->threads && !error; t++)
        plb_position_set_begin(&p.sets[t], set_positions(engine));
    if (!error) error = reach(&p, before, message);
    if (!error) *made = (plb_ply_made){.positions = p.reached.stats.total};
    for (int t = 0; t < options->threads && p.sets; t++) plb_position_set_free(&p.sets[t]);
    free(p.sets);
    free(p.stored);
    plb_key_runs_close(&p.runs);
    plb_scratch_close(p.made);
    plb_scratch_close(before);
    return error;
}
