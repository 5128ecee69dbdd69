/* SPDX-License-Identifier: MIT
 *
 * The backward pass, which finds the outcome code of each key of a ply, the best one of its
 * children; and the engine.
 */
#include <math.h>
#include <stdlib.h>

#include "builder/keys/key_engine.h"
#include "tables/bits.h"
#include "tables/games/static_value.h"

enum {
    KEYS = 1 << 8,       /* keys per task of a thread */
    MIN_BYTES = 8 << 20, /* memory that the engine takes in any case */
};

/* Per-thread counts, of all positions of each orbit. */
typedef struct key_tally {
    plb_ply_stats stats;
    plb_ply_distances distances;            /* without the words of the longest */
    plb_position longest_win, longest_loss; /* keys; valid if distances has such a position */
} key_tally;

typedef struct solve_pass {
    plb_key_engine *engine;
    int ply;
    bool x_moves;
    plb_key_reached reached;
    key_tally *tallies; /* [threads] */
    plb_key_progress progress;
    plb_key_table table;
    plb_key_values values;
    plb_ply_results results;
    /* The current bucket, arrays [count]: */
    plb_position *keys;
    uint8_t *codes;
    bool *stored; /* the table stores the code */
    uint64_t count;
} solve_pass;

/* ---- statistics ---- */

static void begin_tally(key_tally *t) {
    t->distances.longest_win.plies = t->distances.longest_loss.plies = PLB_NO_DTM;
}

/* Keep the longest; if several are equally long, the least key. */
static void keep_longest(plb_longest *longest, plb_position *kept, int plies, plb_position key) {
    if (plies == PLB_NO_DTM || plies < longest->plies ||
        (plies == longest->plies && !plb_position_is_less(key, *kept)))
        return;
    longest->plies = plies;
    *kept = key;
}

static void count_key(const solve_pass *p, plb_position key, unsigned code, bool terminal,
                      key_tally *t) {
    const plb_key_engine *e = p->engine;
    plb_outcome outcome = plb_outcome_code_decode(&e->coding, p->ply, code);
    uint64_t orbit = plb_key_orbit(e, key);
    bool wins = outcome.value == PLB_WIN;
    t->stats.total += orbit;
    if (terminal) t->stats.terminal += orbit;
    if (code >> PLB_X_WINS & 1)
        t->stats.won += orbit;
    else if (code >> PLB_O_WINS & 1)
        t->stats.lost += orbit;
    else
        t->stats.drawn += orbit;
    if (outcome.dtm == PLB_NO_DTM) return;
    (wins ? t->distances.wins : t->distances.losses)[outcome.dtm] += orbit;
    if (outcome.dtm > 0)
        keep_longest(wins ? &t->distances.longest_win : &t->distances.longest_loss,
                     wins ? &t->longest_win : &t->longest_loss, outcome.dtm, key);
}

/* Add the counts of another thread. The sum does not depend on the order. */
static void merge_tally(const key_tally *other, key_tally *t) {
    t->stats.total += other->stats.total;
    t->stats.terminal += other->stats.terminal;
    t->stats.won += other->stats.won;
    t->stats.drawn += other->stats.drawn;
    t->stats.lost += other->stats.lost;
    for (int plies = 0; plies <= PLB_MAX_CELLS; plies++) {
        t->distances.wins[plies] += other->distances.wins[plies];
        t->distances.losses[plies] += other->distances.losses[plies];
    }
    keep_longest(&t->distances.longest_win, &t->longest_win, other->distances.longest_win.plies,
                 other->longest_win);
    keep_longest(&t->distances.longest_loss, &t->longest_loss, other->distances.longest_loss.plies,
                 other->longest_loss);
}

/* ---- one key ---- */

/* A number that is larger for codes that x prefers (tables/format/outcome_code.h). */
static unsigned rating(unsigned code) {
    unsigned x_wins = code >> PLB_X_WINS & 1, draw = !(code >> PLB_O_WINS & 1);
    return x_wins << (PLB_ROUND_BITS + 1) | draw << PLB_ROUND_BITS | code >> PLB_ROUND;
}

/* The best code of all moves that do not lose immediately. */
static unsigned solve_key(const solve_pass *p, plb_position key, plb_static_result s) {
    const plb_key_engine *e = p->engine;
    plb_key_children children;
    if (s.kind == PLB_DECIDED)
        return s.value == PLB_DRAW ? 0 : plb_outcome_code_encode(&e->coding, p->ply + s.dtm);
    unsigned best = plb_outcome_code_worst(&e->coding, p->ply),
             wins = 1u << (p->x_moves ? PLB_X_WINS : PLB_O_WINS);
    for (uint64_t cells = s.cells; cells; cells &= cells - 1) {
        if (e->coding.values == PLB_WDL && best == wins) break;
        plb_key_list_children(e, key, cells & -cells, &children);
        for (int c = 0; c < children.count; c++) {
            unsigned code = plb_key_values_code(&e->values, children.hashes[c]);
            if (p->x_moves ? rating(code) > rating(best) : rating(code) < rating(best)) best = code;
        }
    }
    return best;
}

/* ---- a bucket ---- */

static int solve_chunk(void *context, size_t chunk) {
    solve_pass *p = context;
    const plb_key_engine *e = p->engine;
    key_tally *tally = &p->tallies[plb_threads_number()];
    uint64_t first = chunk * KEYS, last = plb_min(first + KEYS, p->count);
    if (plb_is_stopped(e->options.stop)) return PLB_EINTERRUPTED;
    for (uint64_t i = first; i < last; i++) {
        plb_static_result s = plb_rules_static_value(e->game, p->keys[i]);
        p->codes[i] = (uint8_t)solve_key(p, p->keys[i], s);
        p->stored[i] = plb_static_value_is_stored_ply(p->ply) && s.kind == PLB_QUIET;
        count_key(p, p->keys[i], p->codes[i], s.kind == PLB_DECIDED && s.dtm == 0, tally);
    }
    plb_key_progress_add(&p->progress, last - first);
    return PLB_OK;
}

/* Solve the keys of a bucket. Their codes go to the values of the ply and to the table. */
static int solve_bucket(solve_pass *p, const plb_scratch *reach, uint64_t bucket,
                        plb_message *message) {
    int error = plb_key_read_bucket(reach, bucket, &p->keys, &p->count, message);
    if (error) return error;
    p->codes = malloc(p->count + 1);
    p->stored = malloc(p->count + 1);
    bool out_of_memory = !p->codes || !p->stored;
    if (!out_of_memory)
        plb_threads_share(&p->engine->threads, plb_divide_up(p->count, KEYS), solve_chunk, p);
    error = plb_key_check_stop(p->engine, message);
    for (uint64_t i = 0; i < p->count && !error && !out_of_memory; i++)
        if (p->stored[i]) out_of_memory = plb_key_table_add(&p->table, p->keys[i], p->codes[i]);
    if (!error && !out_of_memory)
        out_of_memory = plb_key_values_fill(&p->values, bucket, p->keys, p->codes, p->count);
    if (!error && out_of_memory) error = plb_fail(message, PLB_ENOMEM, "out of memory for values");
    free(p->keys);
    free(p->codes);
    free(p->stored);
    /* Both numbers are powers of two, so the slabs up to this bucket's end are complete. */
    uint64_t buckets = plb_scratch_records(reach), slabs = p->table.layout.slabs;
    return error ? error : plb_key_table_write(&p->table, (bucket + 1) * slabs / buckets, message);
}

/* ---- the pass ---- */

static int open_pass(solve_pass *p, const plb_scratch *reach, plb_message *message) {
    const plb_engine_options *o = &p->engine->options;
    plb_scratch_file file = {PLB_SCRATCH_TABLE, p->ply, 0};
    int error = plb_key_read_reached(reach, &p->reached, message);
    if (error) return error;
    plb_block_layout layout =
        plb_block_layout_make(p->reached.slab_size, p->reached.slabs, o->block_entries);
    p->table = (plb_key_table){.layout = layout, .ply = p->ply, .planes = p->engine->coding.planes};
    error = plb_journal_create(o->journal, file, layout.segments + layout.slabs, &p->table.scratch,
                               message);
    if (error) return error;
    p->progress = plb_key_progress_begin(p->engine, p->ply, p->reached.keys);
    p->tallies = calloc(o->threads, sizeof *p->tallies);
    if (!p->tallies || plb_key_values_begin(&p->values, plb_scratch_records(reach)) ||
        plb_segment_writer_open(o->identity, o->level, &p->table.writer))
        return plb_fail(message, PLB_ENOMEM, "out of memory");
    for (int t = 0; t < o->threads; t++) begin_tally(&p->tallies[t]);
    return PLB_OK;
}

static void write_words(const plb_game *game, plb_position key, plb_longest *longest) {
    if (longest->plies != PLB_NO_DTM) plb_rules_to_words(game, key, &longest->x, &longest->o);
}

/* Commit the table file with the results of the ply. Both passes must have counted the same. */
static int end_pass(solve_pass *p, const plb_scratch *reach, plb_message *message) {
    const plb_key_engine *e = p->engine;
    plb_scratch_file file = {PLB_SCRATCH_TABLE, p->ply, 0};
    key_tally sum = {0};
    begin_tally(&sum);
    for (int t = 0; t < e->options.threads; t++) merge_tally(&p->tallies[t], &sum);
    p->results = (plb_ply_results){.slabs = p->reached.slabs,
                                   .slab_size = p->reached.slab_size,
                                   .own = {0, UINT64_MAX},
                                   .ranks = 1,
                                   .stats = sum.stats};
    if (e->coding.values == PLB_DTM) {
        p->results.distances = sum.distances;
        write_words(e->game, sum.longest_win, &p->results.distances.longest_win);
        write_words(e->game, sum.longest_loss, &p->results.distances.longest_loss);
    }
    if (sum.stats.total != p->reached.stats.total ||
        sum.stats.terminal != p->reached.stats.terminal)
        return plb_scratch_fail_damaged(reach, message);
    return plb_journal_commit(e->options.journal, file, p->table.scratch, &p->results,
                              sizeof p->results, message);
}

/* Make and commit the table file of a ply. Its values replace those of the ply after it. */
static int solve_ply(plb_key_engine *engine, int ply, const plb_scratch *reach, plb_ply_made *made,
                     plb_message *message) {
    solve_pass p = {.engine = engine, .ply = ply, .x_moves = plb_ply_x_moves(ply)};
    int error = open_pass(&p, reach, message);
    for (uint64_t b = 0; b < plb_scratch_records(reach) && !error; b++)
        error = solve_bucket(&p, reach, b, message);
    if (!error) plb_key_progress_end(&p.progress);
    if (!error) error = end_pass(&p, reach, message);
    if (!error) {
        plb_key_values_free(&engine->values);
        engine->values = p.values;
        engine->values_ply = ply;
        *made = (plb_ply_made){.positions = p.results.stats.total,
                               .table_bytes = plb_scratch_bytes(p.table.scratch)};
    } else {
        plb_key_values_free(&p.values);
    }
    plb_segment_writer_close(p.table.writer);
    plb_scratch_close(p.table.scratch);
    plb_key_table_free(&p.table);
    free(p.tallies);
    return error;
}

/* ---- the engine ---- */

static void close_engine(void *state) {
    plb_key_engine *engine = state;
    if (!engine) return;
    plb_key_values_free(&engine->values);
    plb_threads_close(&engine->threads);
    free(engine->choices);
    pthread_mutex_destroy(&engine->lock);
    free(engine);
}

static int open_engine(const plb_engine_options *options, void **state, plb_engine_traits *traits,
                       plb_message *message) {
    plb_key_engine *made = calloc(1, sizeof *made);
    if (!made) return plb_fail(message, PLB_ENOMEM, "out of memory");
    made->options = *options;
    made->game = &options->space->game;
    made->symmetry = &options->space->symmetry;
    made->coding = plb_outcome_code_make(made->game, options->values);
    made->memory_bytes = fmax(options->budget->memory_bytes, MIN_BYTES);
    made->values_ply = -1;
    pthread_mutex_init(&made->lock, NULL);
    made->choices = calloc((size_t)options->threads * PLB_KEY_CHOICES, sizeof *made->choices);
    int error = made->choices ? plb_threads_open(options->threads, &made->threads) : PLB_ENOMEM;
    if (error) plb_fail(message, error, "out of memory");
    if (!error) *traits = (plb_engine_traits){.goes_forward = true};
    return PLB_HAND_OVER(error, made, state, close_engine);
}

static int backward(void *state, int ply, int part, plb_ply_made *made, plb_message *message) {
    plb_key_engine *engine = state;
    plb_journal *journal = engine->options.journal;
    plb_scratch_file file = {PLB_SCRATCH_REACH, ply, part}, next = {PLB_SCRATCH_VALUES, ply + 1, 0};
    plb_scratch *reach = NULL, *values = NULL;
    int error = plb_journal_read(journal, file, PLB_SCRATCH_ANY, &reach, message);
    if (!error && ply < engine->game->cells && engine->values_ply != ply + 1) {
        error = plb_journal_read(journal, next, PLB_SCRATCH_ANY, &values, message);
        if (!error) error = plb_key_values_read(values, &engine->values, message);
        if (!error) engine->values_ply = ply + 1;
    }
    if (!error) error = solve_ply(engine, ply, reach, made, message);
    plb_scratch_close(values);
    plb_scratch_close(reach);
    return error;
}

static int save(void *state, const plb_build_point *point, plb_message *message) {
    const plb_key_engine *engine = state;
    plb_scratch_file file = {PLB_SCRATCH_VALUES, point->ply, 0};
    plb_scratch *scratch = NULL;
    if (engine->values_ply != point->ply || plb_journal_has(engine->options.journal, file))
        return PLB_OK;
    int error = plb_journal_create(engine->options.journal, file,
                                   plb_key_values_records(&engine->values), &scratch, message);
    if (!error) error = plb_key_values_write(&engine->values, scratch, message);
    if (!error)
        error = plb_journal_commit(engine->options.journal, file, scratch, NULL, 0, message);
    plb_scratch_close(scratch);
    return error;
}

const plb_engine plb_engine_of_keys = {.open = open_engine,
                                       .close = close_engine,
                                       .forward = plb_key_forward,
                                       .backward = backward,
                                       .save = save};
