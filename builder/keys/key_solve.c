/* SPDX-License-Identifier: MIT
 *
 * The backward pass: the code of each key is the best of its children's.
 */
#include <stdlib.h>

#include "builder/keys/key_engine.h"
#include "builder/keys/key_table.h"
#include "builder/keys/key_tally.h"
#include "tables/bits.h"
#include "tables/games/static_value.h"

enum { KEYS = 1 << 8 /* that a thread takes at a time */ };

/* A bucket of keys and what is found of each. */
typedef struct solved_bucket {
    plb_position *keys;
    plb_key_hash *hashes;
    uint8_t *codes;
    bool *stored; /* the table has its code */
    uint64_t count;
} solved_bucket;

typedef struct solve_pass {
    plb_key_engine *engine;
    int ply;
    bool x_moves;
    plb_key_tally *tallies; /* [threads] */
    plb_key_progress progress;
    plb_key_table table;
    plb_key_values *values;
} solve_pass;

/* ---- one key ---- */

/* Codes in the order in which x prefers them (tables/format/outcome_code.h). */
static unsigned rating(unsigned code) {
    unsigned x_wins = code >> PLB_X_WINS & 1, draw = !(code >> PLB_O_WINS & 1);
    return x_wins << (PLB_ROUND_BITS + 1) | draw << PLB_ROUND_BITS | code >> PLB_ROUND;
}

static unsigned child_code(const plb_key_engine *e, plb_position key, int move) {
    plb_position child = plb_rules_play(e->game, key, move);
    child = plb_orbit_least(e->game, e->symmetry, child);
    return plb_key_values_code(&e->values, plb_position_hash(child));
}

static unsigned solve_key(const solve_pass *p, plb_position key) {
    const plb_key_engine *e = p->engine;
    if (plb_rules_is_over(e->game, key)) {
        bool complete = e->game->rules->complete_groups(e->game, key);
        return complete ? plb_outcome_code_encode(&e->coding, p->ply) : 0;
    }
    int moves[PLB_MAX_MOVES],
        count = e->game->rules->list_moves(e->game, key, e->game->board, moves);
    unsigned best = child_code(e, key, moves[0]);
    for (int m = 1; m < count; m++) {
        unsigned code = child_code(e, key, moves[m]);
        if (p->x_moves ? rating(code) > rating(best) : rating(code) < rating(best)) best = code;
    }
    return best;
}

/* ---- a bucket ---- */

/* A bucket, and the pass. */
typedef struct bucket_work {
    solve_pass *p;
    solved_bucket *b;
} bucket_work;

static int solve_chunk(void *context, size_t chunk) {
    const bucket_work *w = context;
    solve_pass *p = w->p;
    solved_bucket *b = w->b;
    const plb_key_engine *e = p->engine;
    plb_key_tally *tally = &p->tallies[plb_threads_number()];
    uint64_t first = chunk * KEYS, last = plb_min(first + KEYS, b->count);
    if (plb_key_engine_is_stopped(e)) return PLB_EINTERRUPTED;
    for (uint64_t i = first; i < last; i++) {
        int orbit = plb_orbit_count(e->game, e->symmetry, b->keys[i]);
        b->hashes[i] = plb_position_hash(b->keys[i]);
        b->codes[i] = (uint8_t)solve_key(p, b->keys[i]);
        b->stored[i] = plb_static_value_is_stored_ply(p->ply) &&
                       plb_rules_settle(e->game, b->keys[i]).kind == PLB_QUIET;
        plb_key_tally_add(tally, b->keys[i], orbit, b->codes[i]);
    }
    plb_key_progress_add(&p->progress, last - first);
    return PLB_OK;
}

static void solve_keys(solve_pass *p, solved_bucket *b) {
    bucket_work work = {p, b};
    plb_threads_share(&p->engine->threads, plb_divide_up(b->count, KEYS), solve_chunk, &work);
}

static int read_bucket(const plb_scratch *reach, uint64_t bucket, solved_bucket *b,
                       plb_message *message) {
    int error = plb_key_read_bucket(reach, bucket, &b->keys, &b->count, message);
    if (error) return error;
    b->hashes = malloc((b->count + 1) * sizeof *b->hashes);
    b->codes = malloc(b->count + 1);
    b->stored = malloc(b->count + 1);
    if (b->hashes && b->codes && b->stored) return PLB_OK;
    return plb_fail(message, PLB_ENOMEM, "out of memory for positions");
}

static void free_bucket(solved_bucket *b) {
    free(b->keys);
    free(b->hashes);
    free(b->codes);
    free(b->stored);
}

/* Hand the codes on: to the ply below, and to the table. */
static int keep_codes(solve_pass *p, uint64_t bucket, solved_bucket *b) {
    int error = PLB_OK;
    for (uint64_t i = 0; i < b->count && !error; i++)
        if (b->stored[i]) error = plb_key_table_add(&p->table, b->hashes[i], b->codes[i]);
    if (error) return error;
    return plb_key_values_fill(p->values, bucket, b->hashes, b->keys, b->codes, b->count);
}

static int solve_bucket(solve_pass *p, const plb_scratch *reach, uint64_t bucket,
                        plb_message *message) {
    solved_bucket b = {0};
    int error = read_bucket(reach, bucket, &b, message);
    if (!error) solve_keys(p, &b);
    if (!error && plb_key_engine_is_stopped(p->engine))
        error = plb_fail(message, PLB_EINTERRUPTED, "interrupted");
    if (!error && keep_codes(p, bucket, &b))
        error = plb_fail(message, PLB_ENOMEM, "out of memory for values");
    free_bucket(&b);
    /* Both are powers of two: with this bucket these slabs are complete. */
    uint64_t buckets = plb_scratch_records(reach), slabs = p->table.cut.slabs;
    if (!error) error = plb_key_table_write(&p->table, (bucket + 1) * slabs / buckets, message);
    return error;
}

/* ---- the pass ---- */

static int open_pass(solve_pass *p, const plb_scratch *reach, plb_scratch *table,
                     const plb_key_counts *counts, plb_message *message) {
    const plb_key_engine *e = p->engine;
    plb_block_layout cut =
        plb_block_layout_make(counts->slab_size, counts->slabs, e->options.block_entries);
    plb_key_table_begin(&p->table, &cut, p->ply, e->coding.planes);
    p->table.scratch = table;
    p->progress = plb_key_progress_begin(p->engine, p->ply, counts->keys);
    p->tallies = calloc(e->options.threads, sizeof *p->tallies);
    if (!p->tallies || plb_key_values_begin(p->values, plb_scratch_records(reach)) ||
        plb_segment_writer_open(e->options.identity, e->options.level, &p->table.writer))
        return plb_fail(message, PLB_ENOMEM, "out of memory");
    for (int t = 0; t < e->options.threads; t++)
        p->tallies[t] = plb_key_tally_begin(e->game, &e->coding, p->ply);
    return PLB_OK;
}

/* The two passes must have met the same positions. */
static int end_pass(const solve_pass *p, const plb_scratch *reach, const plb_key_counts *counts,
                    plb_ply_results *results, plb_message *message) {
    plb_key_tally sum = plb_key_tally_begin(p->engine->game, &p->engine->coding, p->ply);
    for (int t = 0; t < p->engine->options.threads; t++) plb_key_tally_merge(&p->tallies[t], &sum);
    plb_key_tally_end(&sum, results);
    results->slabs = counts->slabs;
    results->slab_size = counts->slab_size;
    if (results->stats.total == counts->total && results->stats.terminal == counts->terminal)
        return PLB_OK;
    return plb_scratch_fail_damaged(reach, message);
}

int plb_key_solve_ply(plb_key_engine *engine, int ply, const plb_scratch *reach,
                      plb_key_solved *solved, plb_message *message) {
    solve_pass p = {
        .engine = engine, .ply = ply, .x_moves = plb_ply_x_moves(ply), .values = &solved->values};
    plb_key_counts counts;
    int error = plb_key_read_counts(reach, &counts, message);
    if (!error) error = open_pass(&p, reach, solved->table, &counts, message);
    for (uint64_t b = 0; b < plb_scratch_records(reach) && !error; b++)
        error = solve_bucket(&p, reach, b, message);
    if (!error) plb_key_progress_end(&p.progress);
    if (!error) error = end_pass(&p, reach, &counts, &solved->results, message);
    plb_segment_writer_close(p.table.writer);
    plb_key_table_free(&p.table);
    free(p.tallies);
    return error;
}
