/* SPDX-License-Identifier: MIT
 *
 * The engine of slabs: which planes and files a pass reads and writes, and the counts of a ply.
 */
#include <assert.h>
#include <string.h>

#include "builder/slabs/rank_exchange.h"
#include "builder/slabs/solve_ply.h"
#include "tables/games/static_value.h"

/* ---- neighbours ---- */

/* Open the planes of a neighbouring ply for the work on a ply. When a ply begins, free the memory
 * of the plies before, and clear the cache. */
static int open_neighbour(plb_slab_engine *engine, plb_scratch_file file, uint32_t needed, int ply,
                          plb_ply_planes *layer, plb_message *message) {
    const plb_budget *budget = engine->options.budget;
    plb_scratch_file *cached = &engine->cached;
    int error = plb_ply_planes_open(engine, file, needed, layer, message);
    layer->cache = engine->cache;
    if (error || (cached->kind == file.kind && cached->ply == file.ply)) return error;
    *cached = file;
    plb_slab_workers_begin_ply(engine, ply);
    if (!budget->holds[ply]) plb_memory_pool_trim(engine->pool);
    if (plb_plane_cache_begin(engine->cache, engine->index->plies[file.ply].slabs,
                              budget->cache_bytes[ply]))
        return plb_fail(message, PLB_ENOMEM, "out of memory");
    return PLB_OK;
}

/* ---- forward ---- */

static int forward(void *state, int ply, plb_ply_made *made, plb_message *message) {
    plb_slab_engine *engine = state;
    plb_scratch_file file = {PLB_SCRATCH_REACH, ply, 0}, last = {PLB_SCRATCH_REACH, ply - 1, 0};
    plb_ply_planes before = {0}, reach = {0};
    plb_journal *journal = engine->options.journal;
    bool is_rank_0 = plb_ranks_number(engine->options.ranks) == 0;
    int error = ply ? open_neighbour(engine, last, 1, ply, &before, message) : PLB_OK;
    if (!error) error = plb_ply_planes_create_part(engine, file, &reach, message);
    plb_plane_demand demand = {file, last, &before, NULL};
    error = plb_ranks_agree(engine->options.ranks, error, message);
    if (ply && !error) error = plb_exchange_begin(engine, &demand, message);
    plb_pass p = plb_pass_over(engine, ply, &reach.parts, message);
    p.run = plb_exchange_share(engine, file);
    p.neighbour = &before;
    p.made = &reach;
    if (!error) error = plb_reach_ply(&p);
    error = plb_exchange_end(&before, error, message);
    plb_ply_sums sums = {.reached = plb_reach_sum(engine)};
    plb_outcome_tally_clear(&sums.tally);
    error = plb_exchange_sums(engine, ply, &sums, error, message);
    if (!error && !is_rank_0) /* complete the file to send its records, then delete it */
        error = plb_journal_commit(journal, file, reach.scratch[0], NULL, 0, message);
    error = plb_exchange_values(engine, file, &reach, is_rank_0 ? reach.scratch[0] : NULL, error,
                                message);
    if (!error && !is_rank_0) error = plb_journal_drop(journal, file, message);
    if (!error && is_rank_0)
        error = plb_journal_commit(journal, file, reach.scratch[0], &sums.reached,
                                   sizeof sums.reached, message);
    if (!error) *made = (plb_ply_made){.positions = sums.reached.total};
    plb_ply_planes_close(&before);
    plb_ply_planes_close(&reach);
    return error;
}

/* ---- parts of a ply ---- */

/* Parts of the values of the next ply that a part of a ply and the later ones need, as a bit mask;
 * for part 0 all. The masks of a ply are computed together and kept. */
static uint32_t find_needed(plb_slab_engine *engine, int ply, int part) {
    const plb_index *index = engine->index;
    plb_needed_parts *known = &engine->needed;
    if (ply == index->game->cells) return 0;
    plb_scratch_file values = {PLB_SCRATCH_VALUES, ply, 0},
                     values_after = {PLB_SCRATCH_VALUES, ply + 1, 0};
    plb_parts parts = plb_ply_planes_parts(engine, values),
              next = plb_ply_planes_parts(engine, values_after);
    if (part == 0) return plb_journal_all_parts(next.count);
    if (known->ply == ply) return known->from[part];
    *known = (plb_needed_parts){.ply = ply};
    for (uint64_t slab = 0; slab < parts.layout.slabs; slab++) {
        uint64_t occupied = plb_index_slab_cells(index, ply, slab), child;
        int of = plb_parts_find(&parts, slab);
        for (uint64_t cells = plb_game_playable(index->game, occupied); cells; cells &= cells - 1) {
            plb_symmetry_canonical(index->symmetry, occupied | (cells & -cells), &child);
            known->from[of] |= 1U << plb_parts_find(&next, plb_index_slab(index, child));
        }
    }
    for (int i = PLB_PLY_PARTS - 1; i > 0; i--) known->from[i - 1] |= known->from[i];
    return known->from[part];
}

/* Counts of a ply that an earlier run has begun, and the model of its blocks. */
typedef struct begun_ply {
    plb_ply_sums sums;
    size_t model_bytes;
    uint8_t model[PLB_MODEL_BYTES];
} begun_ply;

static int read_begun(const plb_slab_engine *engine, plb_scratch_file file, begun_ply *begun,
                      plb_message *message) {
    plb_scratch *last = NULL, *first = NULL;
    size_t size;
    file.part--;
    int error = plb_ply_planes_read_file(engine, file, &last, message);
    const void *notes = error ? NULL : plb_scratch_notes(last, &size);
    if (!error && size != sizeof begun->sums) error = plb_scratch_fail_damaged(last, message);
    if (!error) memcpy(&begun->sums, notes, size);
    file.part = 0;
    if (!error) error = plb_ply_planes_read_file(engine, file, &first, message);
    if (!error) {
        uint64_t number = plb_scratch_records(first) - PLB_TABLE_MODELS;
        begun->model_bytes = plb_scratch_size_bytes(first, number);
        error = begun->model_bytes <= sizeof begun->model
                    ? plb_scratch_get(first, number, begun->model, message)
                    : plb_scratch_fail_damaged(first, message);
    }
    plb_scratch_close(first);
    plb_scratch_close(last);
    return error;
}

/* Resume a ply after the parts that an earlier run has solved: their files are on rank 0. */
static int resume_ply(plb_slab_engine *engine, plb_scratch_file file, plb_message *message) {
    plb_ranks *ranks = engine->options.ranks;
    begun_ply begun = {.model_bytes = 0};
    int error = plb_ranks_number(ranks) == 0 ? read_begun(engine, file, &begun, message) : PLB_OK;
    error = plb_ranks_agree(ranks, error, message);
    if (!error) error = plb_ranks_broadcast(ranks, &begun, sizeof begun, message);
    if (error) return error;
    engine->sums = begun.sums;
    if (plb_ply_prediction_resume(&engine->prediction, &engine->parts.layout, begun.model,
                                  begun.model_bytes))
        return plb_fail(message, PLB_ECORRUPT, "the model of ply %d is damaged", file.ply);
    return PLB_OK;
}

/* Begin a ply with its first part, or continue it. */
static int begin_part(plb_pass *p) {
    plb_slab_engine *engine = p->engine;
    plb_scratch_file file = {PLB_SCRATCH_TABLE, p->ply, p->part};
    bool continues = engine->summed_ply == p->ply && engine->summed_parts == p->part;
    if (p->part > 0 && continues) return PLB_OK;
    engine->parts = p->parts;
    if (p->part > 0) return resume_ply(engine, file, p->message);
    memset(&engine->sums, 0, sizeof engine->sums);
    plb_outcome_tally_clear(&engine->sums.tally);
    return p->prediction ? plb_solve_sample(p) : PLB_OK;
}

/* ---- backward ---- */

/* The planes and the file that solving a part reads and writes. */
typedef struct solved_part {
    plb_ply_planes after, reach; /* read: values of the next ply; open positions */
    plb_ply_planes values;       /* written */
    plb_scratch *table;
    plb_ply_stats reached; /* of the ply: total and terminal */
} solved_part;

/* Open what the part reads: values of the next ply, and what the forward pass has reached, if there
 * was one. */
static int open_sources(plb_slab_engine *engine, int ply, int part, solved_part *s,
                        plb_message *message) {
    plb_scratch_file next = {PLB_SCRATCH_VALUES, ply + 1, 0}, reach = {PLB_SCRATCH_REACH, ply, 0};
    int error = PLB_OK;
    plb_ply_planes_find_memory(engine, next); /* clears planes of the forward pass */
    if (ply < engine->index->game->cells)
        error =
            open_neighbour(engine, next, find_needed(engine, ply, part), ply, &s->after, message);
    if (engine->reachable) s->reached = engine->reachable[ply];
    if (engine->way != PLB_REACH_FORWARD || engine->options.is_trial) return error;
    s->reach = (plb_ply_planes){.parts = plb_ply_planes_parts(engine, reach), .planes = 1};
    s->reach.run_bits =
        plb_ply_planes_run_bits(engine->index, ply, engine->options.slabs.piece_bytes > 0);
    if (error || plb_ranks_number(engine->options.ranks) > 0) return error;
    error = plb_ply_planes_read_file(engine, reach, &s->reach.scratch[0], message);
    if (error) return error;
    size_t size;
    const void *notes = plb_scratch_notes(s->reach.scratch[0], &size);
    if (size != sizeof s->reached) return plb_scratch_fail_damaged(s->reach.scratch[0], message);
    memcpy(&s->reached, notes, size);
    return PLB_OK;
}

/* In the first table file of a ply the last record is the model. The notes of a table file are the
 * counts of the ply up to its part, those of the last one the results of the ply. */
static int commit_table(const plb_pass *p, plb_ply_stats *reached) {
    plb_slab_engine *engine = p->engine;
    plb_scratch_file file = {PLB_SCRATCH_TABLE, p->ply, p->part};
    const plb_ply_prediction *prediction = p->part == 0 ? p->prediction : NULL;
    plb_ply_results results = {0};
    bool is_last = p->part + 1 == p->parts.count;
    int error = plb_scratch_put(p->table, plb_parts_segments(&p->parts, p->part),
                                prediction ? prediction->record : NULL,
                                prediction ? prediction->record_bytes : 0, p->message);
    if (!error && is_last) error = plb_solve_results(p, reached, &results);
    if (error) return error;
    engine->summed_ply = p->ply;
    engine->summed_parts = p->part + 1;
    return plb_journal_commit(engine->options.journal, file, p->table,
                              is_last ? (const void *)&results : &engine->sums,
                              is_last ? sizeof results : sizeof engine->sums, p->message);
}

static int solve(plb_slab_engine *engine, int ply, int part, solved_part *s, plb_message *message) {
    plb_scratch_file table = {PLB_SCRATCH_TABLE, ply, part},
                     values = {PLB_SCRATCH_VALUES, ply, part}, reach = {PLB_SCRATCH_REACH, ply, 0};
    int error = open_sources(engine, ply, part, s, message);
    if (!error) error = plb_ply_planes_create_part(engine, values, &s->values, message);
    if (!error) error = plb_ply_planes_create_file(engine, table, &s->table, message);
    error = plb_ranks_agree(engine->options.ranks, error, message);
    plb_plane_demand demand = {values, reach, &s->reach, NULL};
    if (!error && s->reach.planes) error = plb_exchange_begin(engine, &demand, message);
    error = plb_exchange_end(&s->reach, error, message);
    if (!error && s->reach.planes)
        error = plb_ranks_broadcast(engine->options.ranks, &s->reached, sizeof s->reached, message);
    if (error) return error;
    plb_pass p = plb_pass_over(engine, ply, &s->values.parts, message);
    p.part = part;
    p.run = s->values.own[part];
    p.neighbour = ply < engine->index->game->cells ? &s->after : NULL;
    p.reach = s->reach.planes ? &s->reach : NULL;
    p.made = &s->values;
    p.table = s->table;
    if (plb_static_value_is_stored_ply(ply)) p.prediction = &engine->prediction;
    error = begin_part(&p);
    if (!error) error = plb_solve_part(&p);
    if (error) return error;
    bool is_rank_0 = plb_ranks_number(engine->options.ranks) == 0;
    if (!is_rank_0) error = commit_table(&p, &s->reached);
    error = plb_exchange_segments(engine, table, s->table, error, message);
    return error || !is_rank_0 ? error : commit_table(&p, &s->reached);
}

static int commit_values(plb_slab_engine *engine, plb_scratch_file file, plb_scratch *scratch,
                         plb_message *message) {
    plb_parts parts = plb_ply_planes_parts(engine, file);
    plb_part_notes notes = {.parts = (uint32_t)parts.count};
    bool is_last = file.part + 1 == parts.count;
    if (!is_last) notes.needed = find_needed(engine, file.ply, file.part + 1);
    return plb_journal_commit(engine->options.journal, file, scratch, &notes,
                              is_last ? 0 : sizeof notes, message);
}

/* Write the planes of a part that are only in memory to its scratch file, and commit it. */
static int write_values(plb_slab_engine *engine, plb_scratch_file file,
                        const plb_ply_planes *values, plb_message *message) {
    plb_pass p = plb_pass_over(engine, file.ply, &values->parts, message);
    p.part = file.part;
    p.run = values->own[file.part];
    p.made = values;
    int error = plb_solve_save_part(&p);
    return error ? error : commit_values(engine, file, values->scratch[file.part], message);
}

/* Free memory after the last ply, for writing the table. */
static void free_memory(plb_slab_engine *engine) {
    for (int w = 0; w < engine->options.threads; w++) {
        plb_slab_worker_shrink(&engine->workers[w], 0);
        plb_block_writer_release_chunks(engine->workers[w].writer);
    }
    plb_memory_pool_trim(engine->pool);
    plb_plane_cache_begin(engine->cache, 1, 0);
    plb_exchange_free_buffers(engine);
    engine->cached.ply = -1;
}

static int backward(void *state, int ply, int part, plb_ply_made *made, plb_message *message) {
    plb_slab_engine *engine = state;
    plb_scratch_file file = {PLB_SCRATCH_VALUES, ply, part};
    solved_part s = {.table = NULL};
    int error = solve(engine, ply, part, &s, message);
    if (!error && !plb_ply_planes_is_held(&s.values, part))
        error = write_values(engine, file, &s.values, message);
    if (!error)
        *made = (plb_ply_made){.positions = s.reached.total,
                               .values_bytes = plb_scratch_bytes(s.values.scratch[part]),
                               .table_bytes = plb_scratch_bytes(s.table)};
    if (!error && part + 1 < s.values.parts.count) {
        made->needed = find_needed(engine, ply, part + 1);
        plb_ply_planes_keep(&s.after, made->needed);
    }
    plb_ply_planes_close(&s.after);
    plb_ply_planes_close(&s.reach);
    plb_ply_planes_close(&s.values);
    plb_scratch_close(s.table);
    if (!error && ply == 0) free_memory(engine);
    return error;
}

/* ---- saving ---- */

/* Write a part that ranks have divided: rank 0 writes its file again, with the planes of all. */
static int write_divided(plb_slab_engine *engine, plb_scratch_file file, plb_message *message) {
    plb_journal *journal = engine->options.journal;
    bool is_rank_0 = plb_ranks_number(engine->options.ranks) == 0;
    plb_ply_planes layer = {.memory = NULL};
    plb_scratch *values = NULL;
    int error = plb_ply_planes_open(engine, file, 1U << file.part, &layer, message);
    if (!error && is_rank_0) error = plb_journal_drop(journal, file, message);
    if (!error && is_rank_0) error = plb_ply_planes_create_file(engine, file, &values, message);
    error = plb_exchange_values(engine, file, &layer, values, error, message);
    if (!error && is_rank_0) error = commit_values(engine, file, values, message);
    plb_scratch_close(values);
    plb_ply_planes_close(&layer);
    return error;
}

/* Write all planes of a part to a file of rank 0, unless they are there. */
static int save_part(plb_slab_engine *engine, plb_scratch_file file, plb_message *message) {
    plb_journal *journal = engine->options.journal;
    if (plb_build_point_needs(&journal->resume, file)) return PLB_OK; /* it is saved */
    if (plb_exchange_divides(engine, file.ply)) return write_divided(engine, file, message);
    if (plb_ranks_number(engine->options.ranks) > 0 || plb_journal_has(journal, file))
        return PLB_OK;
    plb_ply_planes values = plb_ply_planes_name(engine, file);
    assert(plb_ply_planes_is_held(&values, file.part));
    int error = plb_ply_planes_create_file(engine, file, &values.scratch[file.part], message);
    if (!error) error = write_values(engine, file, &values, message);
    plb_ply_planes_close(&values);
    return error;
}

static int save(void *state, const plb_build_point *point, plb_message *message) {
    plb_scratch_file solved = {PLB_SCRATCH_VALUES, point->ply, 0},
                     begun = {PLB_SCRATCH_VALUES, point->ply - 1, 0};
    int error = PLB_OK;
    for (; solved.part < PLB_PLY_PARTS && !error; solved.part++)
        if (point->needed >> solved.part & 1) error = save_part(state, solved, message);
    for (; begun.part < point->parts && !error; begun.part++)
        error = save_part(state, begun, message);
    return error;
}

const plb_engine plb_engine_of_slabs = {.open = plb_slab_engine_open,
                                        .close = plb_slab_engine_close,
                                        .forward = forward,
                                        .backward = backward,
                                        .save = save};
