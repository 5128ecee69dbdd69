/* SPDX-License-Identifier: MIT */
#include "builder/slabs/ply_pass.h"

#include "tables/stop.h"

/* ---- running a pass ---- */

plb_pass plb_pass_over(plb_slab_engine *engine, int ply, const plb_parts *parts,
                       plb_message *message) {
    return (plb_pass){.engine = engine,
                      .ply = ply,
                      .parts = *parts,
                      .run = {0, parts->layout.segments},
                      .message = message};
}

static bool should_stop(const plb_pass *p) {
    int error = __atomic_load_n(&p->error, __ATOMIC_RELAXED);
    bool may_stop = p->solves || p->samples;
    return error || (may_stop && plb_is_stopped(p->engine->options.stop));
}

/* Take a segment; false if there is none left, or the pass should end. A worker takes consecutive
 * segments, because their slabs share children. When its own are done it takes over half of the
 * segments that the worker with most of them has left. */
static bool take_segment(plb_pass *p, plb_slab_worker *w, uint64_t *segment) {
    plb_slab_engine *engine = p->engine;
    pthread_mutex_lock(&engine->lock);
    if (w->next == w->last) {
        plb_slab_worker *most = w;
        for (int i = 0; i < engine->options.threads; i++) {
            plb_slab_worker *other = &engine->workers[i];
            if (other->last - other->next > most->last - most->next) most = other;
        }
        uint64_t half = plb_divide_up(most->last - most->next, 2);
        w->last = most->last;
        w->next = most->last -= half;
    }
    bool taken = w->next < w->last;
    if (taken) *segment = w->next++;
    pthread_mutex_unlock(&engine->lock);
    return taken && !should_stop(p);
}

/* A pass and its work. */
typedef struct pass_work {
    plb_pass *p;
    plb_slab_work *work;
    int workers;
} pass_work;

/* Entries of the part that count as done, for a number of slabs of p->run: other ranks are assumed
 * to be as fast. */
static uint64_t entries_done(const plb_pass *p, uint64_t slabs) {
    const plb_block_layout *layout = &p->parts.layout;
    uint64_t first = p->run.first * layout->slabs_per_segment;
    uint64_t last = plb_min(p->run.last * layout->slabs_per_segment, layout->slabs);
    return slabs * plb_parts_slabs(&p->parts, p->part) / (last - first) * layout->slab_size;
}

/* Work on the slabs [first, last) of a segment, and write the segment of the table, if any. */
static int work_on_segment(const pass_work *all, plb_slab_worker *w, uint64_t segment,
                           uint64_t first, uint64_t last) {
    plb_pass *p = all->p;
    const uint8_t *bytes;
    size_t size;
    int error = PLB_OK;
    if (p->table && plb_block_writer_begin(w->writer, &p->parts.layout, p->ply, segment,
                                           p->prediction, plb_pass_marks_quiet(p)))
        return plb_pass_fail_memory(w);
    for (uint64_t slab = first; slab < last && !error; slab++) error = all->work(p, w, slab);
    if (error || !p->table || p->samples) return error;
    error = plb_block_writer_end(w->writer, &bytes, &size);
    if (error == PLB_ENOMEM) return plb_pass_fail_memory(w);
    if (error) return plb_fail(&w->message, error, "a segment of the table exceeds 4 GiB");
    return plb_scratch_put(p->table, segment - plb_parts_first_segment(&p->parts, p->part), bytes,
                           size, &w->message);
}

/* Threads without a worker return: they help the others with ranges. */
static void run_worker(void *context, int number) {
    const pass_work *all = context;
    plb_pass *p = all->p;
    plb_slab_worker *w = &p->engine->workers[number];
    uint64_t segment;
    if (number >= all->workers) return;
    while (take_segment(p, w, &segment)) {
        const plb_engine_options *options = &p->engine->options;
        uint64_t first, last;
        plb_block_layout_slabs(&p->parts.layout, segment, &first, &last);
        int error = work_on_segment(all, w, segment, first, last);
        pthread_mutex_lock(&p->engine->lock);
        if (error && !p->error) {
            if (p->message) *p->message = w->message;
            __atomic_store_n(&p->error, error, __ATOMIC_RELAXED);
        }
        uint64_t before = p->slabs_done;
        p->slabs_done += last - first;
        if (!error && p->solves && options->advance)
            options->advance(options->context,
                             entries_done(p, p->slabs_done) - entries_done(p, before));
        pthread_mutex_unlock(&p->engine->lock);
    }
    plb_plane_source_release(w->source);
}

int plb_pass_run(plb_pass *p, plb_slab_work *work) {
    plb_slab_engine *engine = p->engine;
    int threads = engine->options.threads, workers = plb_slab_workers_count(engine, p->ply);
    uint64_t first = p->run.first, segments = p->run.last - first;
    for (int t = 0; t < threads; t++) {
        plb_thread_state *state = &engine->states[t];
        plb_slab_worker *w = &engine->workers[t];
        state->reached = (plb_ply_stats){0};
        plb_outcome_tally_clear(&state->tally);
        w->next = first + segments * plb_min(t, workers) / workers;
        w->last = first + segments * plb_min(t + 1, workers) / workers;
        if (w->next == w->last) plb_block_writer_release_chunks(w->writer);
    }
    if (p->part == 0) plb_slab_workers_begin_ply(engine, p->ply);
    pass_work all = {p, work, workers};
    plb_threads_run(&engine->threads, run_worker, &all);
    if (p->error) return p->error;
    if (should_stop(p)) return plb_fail(p->message, PLB_EINTERRUPTED, "interrupted");
    return PLB_OK;
}

typedef struct shared_ranges {
    const plb_pass *p;
    plb_slab_worker *w;
    const plb_slab *slab;
    plb_range_work *work;
    size_t before; /* blocks of the first range that belong to an earlier piece */
} shared_ranges;

static int work_on_range(void *context, size_t chunk) {
    const shared_ranges *s = context;
    size_t first = chunk * PLB_RANGE_BLOCKS, end = first + PLB_RANGE_BLOCKS - s->before;
    plb_block_range range = {first - plb_min(first, s->before), plb_min(end, s->slab->blocks)};
    return s->work(s->p, s->w, &s->p->engine->states[plb_threads_number()], range);
}

int plb_pass_share_ranges(const plb_pass *p, plb_slab_worker *w, const plb_slab *slab,
                          plb_range_work *work) {
    if (!slab->blocks) return PLB_OK;
    size_t before = slab == &w->slab ? w->blocks_before % PLB_RANGE_BLOCKS : 0;
    shared_ranges ranges = {p, w, slab, work, before};
    return plb_threads_share(&p->engine->threads,
                             plb_divide_up(before + slab->blocks, PLB_RANGE_BLOCKS), work_on_range,
                             &ranges);
}

int plb_pass_fail_memory(plb_slab_worker *w) {
    return plb_fail(&w->message, PLB_ENOMEM, "out of memory for the planes of a slab");
}

int plb_pass_begin_slab(const plb_pass *p, plb_slab_worker *w, uint64_t slab, uint64_t occupied) {
    plb_plane_source_release(w->source);
    plb_word_stack_release(&w->stack, (plb_stack_mark){0});
    w->neighbour_count = 0;
    w->stores = false;
    w->number = slab;
    w->orbit = plb_symmetry_orbit_size(p->engine->index->symmetry, occupied);
    if (plb_slab_shape(p->engine->index->game, occupied, p->made->set, w->runs, &w->slab))
        return PLB_ENOMEM;
    int count = p->made->planes;
    const plb_planes *in_memory = NULL;
    if (!w->runs) in_memory = plb_ply_memory_add(p->made->memory, slab, &w->slab, count);
    w->is_in_memory = in_memory != NULL;
    w->planes = (plb_planes){&w->slab, count, in_memory ? in_memory->words : NULL};
    return in_memory ? PLB_OK : plb_ply_planes_take(&w->stack, &w->slab, count, &w->planes);
}

int plb_pass_add_neighbour(const plb_pass *p, plb_slab_worker *w, plb_step step,
                           uint64_t occupied) {
    plb_neighbour *n = &w->neighbours[w->neighbour_count];
    n->step = step;
    return plb_plane_source_fetch(w->source, w->neighbour_count++, p->neighbour,
                                  (plb_slab_part){occupied, NULL}, &n->planes, &w->message);
}
