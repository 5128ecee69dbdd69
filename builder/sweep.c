/* SPDX-License-Identifier: MIT
 *
 * The two passes. The unit of work is a segment: whole slabs, from planes to packed bytes, so
 * that nothing depends on how many threads there are. A lane works on one segment after the
 * other; a slab of many blocks is split into runs, which idle threads take over.
 *
 *     lane 0   segment 0            | segment 2 ..        as many lanes as slabs fit the memory
 *     lane 1   segment 1 | segment 3 ..                   and threads there are
 *                            slab: [run][run][run]..      any thread
 */
#include "builder/sweep.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "builder/frontier.h"
#include "builder/pack.h"
#include "builder/quiet.h"
#include "tables/bits.h"
#include "tables/settle.h"

enum { RUN_BLOCKS = 512, RUN_WORDS = RUN_BLOCKS * PLB_BLOCK_WORDS };

/* What a thread needs for itself, and what it has counted since the ply began. */
typedef struct hand {
    uint64_t *lines, *marks; /* [RUN_WORDS] of a run */
    plb_quiet quiet;
    uint64_t open, terminal, won, lost; /* won and lost: of open ones, by the first player */
} hand;

/* A neighbour of the slab in work. */
typedef struct neighbour {
    plb_step step;
    plb_planes planes;
} neighbour;

/* What work on one slab needs. */
typedef struct lane {
    uint64_t next, last; /* segments to be worked on */
    plb_courier *courier;
    plb_block_maker *maker;
    plb_slab slab, fringe; /* the slab in work and its fringe */
    plb_planes planes;     /* of the slab, behind one another: held for the next ply, or else .. */
    plb_words own_planes;  /* .. here */
    plb_words stored, fringe_reach;
    neighbour neighbours[PLB_MAX_CELLS];
    int neighbour_count;
    const uint64_t *open; /* open positions of the slab */
    bool is_held;         /* its planes are held */
    bool stores;          /* must any of its values be stored? */
    uint64_t orbit;       /* slabs that it stands for */
    plb_message message;
} lane;

struct plb_sweep {
    const plb_index *index;
    plb_scale scale;
    plb_sweep_options options;
    plb_team team;
    plb_codec *codec;
    hand *hands; /* [options.threads] */
    lane *lanes; /* [options.threads], of which a ply uses options.lanes[ply] */
};

/* A ply in work, shared by the threads. */
typedef struct pass {
    plb_sweep *sweep;
    int ply, planes; /* planes: of this ply and of its neighbour */
    plb_cut cut;
    const plb_layer *neighbour, *made, *reach; /* made: of this ply, in this pass */
    plb_spool *table;
    bool solves; /* else it only saves what was solved */
    int error;   /* the first one; guarded by a critical section */
    plb_message *message;
} pass;

/* ---- opening ---- */

static int open_hand(hand *h) {
    h->lines = malloc(RUN_WORDS * sizeof *h->lines);
    h->marks = malloc(RUN_WORDS * sizeof *h->marks);
    return h->lines && h->marks ? PLB_OK : PLB_ENOMEM;
}

static int open_lane(plb_sweep *sweep, lane *l) {
    const plb_sweep_options *o = &sweep->options;
    int error = plb_courier_open(sweep->index, &sweep->team, sweep->codec, &l->courier);
    if (error) return error;
    return plb_block_maker_open(&sweep->team, o->level, o->block_positions, sweep->scale.planes,
                                &l->maker);
}

int plb_sweep_open(const plb_index *index, const plb_sweep_options *options, plb_sweep **sweep) {
    plb_sweep *made = calloc(1, sizeof *made);
    if (!made) return PLB_ENOMEM;
    made->index = index;
    made->scale = plb_scale_make(index->game, options->values);
    made->options = *options;
    made->team.threads = options->threads;
    made->hands = calloc(options->threads, sizeof *made->hands);
    made->lanes = calloc(options->threads, sizeof *made->lanes);
    int error = made->hands && made->lanes ? PLB_OK : PLB_ENOMEM;
    if (!error) error = plb_codec_open(&made->team, &made->codec);
    for (int t = 0; t < options->threads && !error; t++) error = open_hand(&made->hands[t]);
    for (int l = 0; l < options->threads && !error; l++) error = open_lane(made, &made->lanes[l]);
    if (error)
        plb_sweep_close(made);
    else
        *sweep = made;
    return error;
}

static void free_hand(hand *h) {
    free(h->lines);
    free(h->marks);
    plb_quiet_free(&h->quiet);
}

static void free_lane(lane *l) {
    plb_courier_close(l->courier);
    plb_block_maker_close(l->maker);
    plb_slab_free(&l->slab);
    plb_slab_free(&l->fringe);
    plb_words_free(&l->stored);
    plb_words_free(&l->fringe_reach);
    plb_words_free(&l->own_planes);
}

void plb_sweep_close(plb_sweep *sweep) {
    if (!sweep) return;
    for (int t = 0; sweep->hands && t < sweep->options.threads; t++) free_hand(&sweep->hands[t]);
    for (int l = 0; sweep->lanes && l < sweep->options.threads; l++) free_lane(&sweep->lanes[l]);
    plb_codec_close(sweep->codec);
    free(sweep->hands);
    free(sweep->lanes);
    free(sweep);
}

/* ---- running a pass ---- */

typedef int segment_work(pass *p, lane *l, uint64_t segment);

static bool should_stop(const pass *p) {
    int error;
#pragma omp atomic read
    error = p->error;
    return error || (p->solves && p->sweep->options.stop && *p->sweep->options.stop);
}

static void finish_segment(pass *p, const lane *l, uint64_t segment, int error) {
    const plb_sweep_options *options = &p->sweep->options;
    uint64_t first, last;
    plb_cut_slabs(&p->cut, segment, &first, &last);
#pragma omp critical(plb_sweep)
    {
        if (error && !p->error) {
            if (p->message) *p->message = l->message;
#pragma omp atomic write
            p->error = error;
        }
        if (!error && p->solves && options->advance)
            options->advance(options->context, (last - first) * p->cut.slab_size);
    }
}

/* Take over half of what the lane with most work has left. */
static void take_over(plb_sweep *sweep, lane *l) {
    lane *most = l;
    for (int i = 0; i < sweep->options.threads; i++) {
        lane *other = &sweep->lanes[i];
        if (other->last - other->next > most->last - most->next) most = other;
    }
    uint64_t half = plb_divide_up(most->last - most->next, 2);
    l->last = most->last;
    l->next = most->last -= half;
}

/* The next segment to be worked on; false when there is none, or the pass is to end. A lane works
 * on neighbours as long as it can, for they share children, which need then not be fetched by
 * another lane. */
static bool take_segment(pass *p, lane *l, uint64_t *segment) {
    bool taken;
#pragma omp critical(plb_segments)
    {
        if (l->next == l->last) take_over(p->sweep, l);
        taken = l->next < l->last;
        if (taken) *segment = l->next++;
    }
    return taken && !should_stop(p);
}

static void run_lane(pass *p, lane *l, segment_work *work) {
    uint64_t segment;
    plb_team_begin(&p->sweep->team);
    while (take_segment(p, l, &segment)) finish_segment(p, l, segment, work(p, l, segment));
    plb_team_end(&p->sweep->team);
}

/* Give a lane its segments, and back what another ply needed. */
static void begin_lane(const pass *p, lane *l, uint64_t next, uint64_t last) {
    const plb_sweep_options *o = &p->sweep->options;
    l->next = next;
    l->last = last;
    plb_courier_begin(l->courier, o->kept_bytes / o->lanes[p->ply]);
    plb_words_free_big(&l->own_planes);
    plb_words_free_big(&l->stored);
    plb_words_free_big(&l->fringe_reach);
    plb_slab_free(&l->slab);
    plb_slab_free(&l->fringe);
}

static int run_pass(pass *p, segment_work *work) {
    plb_sweep *sweep = p->sweep;
    int lanes = sweep->options.lanes[p->ply];
    for (int t = 0; t < sweep->options.threads; t++) {
        hand *h = &sweep->hands[t];
        h->open = h->terminal = h->won = h->lost = 0;
        uint64_t next = plb_min(t, lanes), last = plb_min(t + 1, lanes);
        begin_lane(p, &sweep->lanes[t], p->cut.segments * next / lanes,
                   p->cut.segments * last / lanes);
    }
#pragma omp parallel num_threads(sweep->options.threads)
#pragma omp single
    for (int l = 0; l < lanes; l++) {
#pragma omp task firstprivate(l)
        run_lane(p, &sweep->lanes[l], work);
    }
    if (p->error) return p->error;
    if (should_stop(p)) return plb_fail(p->message, PLB_EINTERRUPTED, "interrupted");
    return PLB_OK;
}

typedef int run_work(const pass *p, lane *l, hand *h, plb_run run);

/* Let the threads share a slab. */
static int share_runs(const pass *p, lane *l, const plb_slab *slab, run_work *work) {
    size_t runs = plb_divide_up(slab->blocks, RUN_BLOCKS);
    int error = PLB_OK;
#pragma omp taskloop num_tasks(plb_team_tasks(&p->sweep->team, runs)) if (runs > 1) \
    shared(error, work)
    for (size_t r = 0; r < runs; r++) {
        size_t first = r * RUN_BLOCKS;
        plb_run run = {first, plb_min(first + RUN_BLOCKS, slab->blocks)};
        if (work(p, l, &p->sweep->hands[omp_get_thread_num()], run)) {
#pragma omp atomic write
            error = PLB_ENOMEM;
        }
    }
    return error;
}

static int fail_memory(lane *l) {
    return plb_fail(&l->message, PLB_ENOMEM, "out of memory for the planes of a slab");
}

/* Shape a slab and make room for its planes. */
static int begin_slab(const pass *p, lane *l, uint64_t slab, uint64_t occupied) {
    plb_courier_release(l->courier);
    l->neighbour_count = 0;
    l->stores = false;
    l->orbit = plb_symmetry_orbit_size(p->sweep->index->symmetry, occupied);
    if (plb_slab_shape(p->sweep->index->game, occupied, PLB_LIVE, &l->slab)) return PLB_ENOMEM;
    plb_held *held = plb_hold_add(p->made->hold, slab, &l->slab, p->planes);
    l->is_held = held != NULL;
    if (!held && plb_words_reserve(&l->own_planes, p->planes * l->slab.words)) return PLB_ENOMEM;
    for (int i = 0; i < p->planes; i++)
        l->planes.plane[i] = (held ? held->planes : l->own_planes.words) + i * l->slab.words;
    return PLB_OK;
}

/* Fetch a slab of the neighbouring ply. */
static int add_neighbour(const pass *p, lane *l, uint64_t occupied, unsigned dead,
                         const plb_slab **shape) {
    int number = l->neighbour_count++;
    return plb_courier_fetch(l->courier, number, p->neighbour, occupied, p->planes, dead, shape,
                             l->neighbours[number].planes.plane, &l->message);
}

static int store_slab(const pass *p, lane *l, uint64_t slab) {
    return plb_courier_store(l->courier, p->made->spool, slab, l->planes.plane[0],
                             p->planes * l->slab.words, &l->message);
}

/* The words of a run in a plane. */
static size_t run_start(const plb_slab *slab, plb_run run) {
    return slab->start[run.first];
}
static size_t run_words(const plb_slab *slab, plb_run run) {
    return slab->start[run.last] - slab->start[run.first];
}

static uint64_t count_ones(const uint64_t *plane, size_t words) {
    uint64_t ones = 0;
    for (size_t w = 0; w < words; w++) ones += plb_popcount(plane[w]);
    return ones;
}

static uint64_t count_common(const uint64_t *a, const uint64_t *b, size_t words) {
    uint64_t ones = 0;
    for (size_t w = 0; w < words; w++) ones += plb_popcount(a[w] & b[w]);
    return ones;
}

/* Set every position of a run. */
static void fill_run(const plb_slab *slab, plb_run run, uint64_t *part) {
    for (size_t block = run.first; block < run.last; block++) {
        uint64_t bits = plb_block_bits(slab->low, plb_slab_low_ones(slab, block));
        for (uint64_t w = slab->start[block]; w < slab->start[block + 1]; w++) {
            *part++ = plb_low_bits((int)plb_min(bits, 64));
            bits -= plb_min(bits, 64);
        }
    }
}

/* ---- forward ---- */

/* Begin the slab and its fringe. */
static int begin_reach(const pass *p, lane *l, uint64_t slab, uint64_t occupied) {
    if (begin_slab(p, l, slab, occupied) ||
        plb_slab_shape(p->sweep->index->game, occupied, PLB_FRINGE, &l->fringe) ||
        plb_words_reserve(&l->fringe_reach, l->fringe.words))
        return fail_memory(l);
    return PLB_OK;
}

/* All last moves: each removable stone of the last mover's colour. */
static int fetch_parents(const pass *p, lane *l, uint64_t occupied) {
    uint64_t stones = plb_game_removable(p->sweep->index->game, occupied);
    for (; stones; stones &= stones - 1) {
        plb_step *step = &l->neighbours[l->neighbour_count].step;
        *step = (plb_step){.i = plb_slab_stone(occupied, plb_lowest(stones)), .b = p->ply % 2};
        int error = add_neighbour(p, l, occupied ^ (stones & -stones), 0, &step->parent);
        if (error) return error;
    }
    return PLB_OK;
}

static void push_parents(const pass *p, const lane *l, const plb_slab *slab, plb_run run,
                         uint64_t *reach) {
    memset(reach + run_start(slab, run), 0, run_words(slab, run) * sizeof *reach);
    for (int n = 0; n < l->neighbour_count; n++) {
        plb_step step = l->neighbours[n].step;
        step.child = slab;
        p->sweep->options.kernels->push(&step, run, l->neighbours[n].planes.plane[0], reach);
    }
}

/* Without gravity any order of moves will do. A position is reachable when nobody has a group, or
 * when only the last mover has and some stone is part of all his: for each stone, those positions
 * in which no group without it is complete. */
static void reach_freely(const pass *p, hand *h, const plb_slab *slab, plb_run run,
                         uint64_t *reach) {
    const plb_kernels *kernels = p->sweep->options.kernels;
    unsigned last = p->ply % 2;
    uint64_t without[slab->group_count + 1], *lines = h->lines;
    size_t words = run_words(slab, run);
    reach += run_start(slab, run);
    kernels->lines(slab, run, slab->groups, slab->group_count, last, lines);
    for (size_t i = 0; i < words; i++) reach[i] = ~lines[i];
    for (int stone = 0; slab->group_count && stone < slab->stones; stone++) {
        int count = 0;
        for (int g = 0; g < slab->group_count; g++)
            if (!(slab->groups[g] >> stone & 1)) without[count++] = slab->groups[g];
        kernels->lines(slab, run, without, count, last, lines);
        for (size_t i = 0; i < words; i++) reach[i] |= ~lines[i];
    }
    kernels->lines(slab, run, slab->groups, slab->group_count, !last, lines);
    fill_run(slab, run, h->marks);
    for (size_t i = 0; i < words; i++) reach[i] &= h->marks[i] & ~lines[i];
}

static void find_reach(const pass *p, const lane *l, hand *h, const plb_slab *slab, plb_run run,
                       uint64_t *reach) {
    if (p->sweep->index->game->gravity && p->ply > 0)
        push_parents(p, l, slab, run, reach);
    else
        reach_freely(p, h, slab, run, reach);
}

/* Blocks of the fringe hold terminal positions alone. */
static int reach_fringe(const pass *p, lane *l, hand *h, plb_run run) {
    uint64_t *reach = l->fringe_reach.words;
    find_reach(p, l, h, &l->fringe, run, reach);
    h->terminal +=
        l->orbit * count_ones(reach + run_start(&l->fringe, run), run_words(&l->fringe, run));
    return PLB_OK;
}

/* Count what was reached, and leave the open positions in the plane. */
static int reach_live(const pass *p, lane *l, hand *h, plb_run run) {
    find_reach(p, l, h, &l->slab, run, l->planes.plane[0]);
    uint64_t *reach = l->planes.plane[0] + run_start(&l->slab, run), *lines = h->lines;
    size_t words = run_words(&l->slab, run);
    p->sweep->options.kernels->lines(&l->slab, run, l->slab.groups, l->slab.group_count, p->ply % 2,
                                     lines);
    h->terminal += l->orbit * count_common(reach, lines, words);
    for (size_t i = 0; i < words; i++) reach[i] &= ~lines[i];
    h->open += l->orbit * count_ones(reach, words);
    return PLB_OK;
}

static int reach_slab(pass *p, lane *l, uint64_t slab) {
    uint64_t occupied = plb_index_slab_cells(p->sweep->index, p->ply, slab);
    int error = begin_reach(p, l, slab, occupied);
    if (!error && p->sweep->index->game->gravity) error = fetch_parents(p, l, occupied);
    if (error) return error;
    share_runs(p, l, &l->fringe, reach_fringe);
    share_runs(p, l, &l->slab, reach_live);
    return store_slab(p, l, slab);
}

static int reach_segment(pass *p, lane *l, uint64_t segment) {
    uint64_t first, last;
    plb_cut_slabs(&p->cut, segment, &first, &last);
    int error = PLB_OK;
    for (uint64_t slab = first; slab < last && !error; slab++) error = reach_slab(p, l, slab);
    return error;
}

int plb_sweep_forward(plb_sweep *sweep, int ply, const plb_layer *before, const plb_layer *reach,
                      plb_reach_counts *counts, plb_message *message) {
    pass p = {.sweep = sweep,
              .ply = ply,
              .planes = 1,
              .solves = true,
              .cut = plb_cut_ply(sweep->index, ply, sweep->options.block_positions),
              .neighbour = before,
              .made = reach,
              .message = message};
    int error = run_pass(&p, reach_segment);
    if (error) return error;
    *counts = (plb_reach_counts){0, 0};
    for (int t = 0; t < sweep->options.threads; t++) {
        counts->open += sweep->hands[t].open;
        counts->terminal += sweep->hands[t].terminal;
    }
    return PLB_OK;
}

/* ---- backward ---- */

/* What a move into a dead block is worth. */
static unsigned dead_code(const pass *p) {
    return plb_scale_encode(&p->sweep->scale, p->ply + 1);
}

/* All next moves, and the open positions of the slab itself behind them. */
static int fetch_children(const pass *p, lane *l, uint64_t occupied) {
    uint64_t cells = plb_game_playable(p->sweep->index->game, occupied);
    for (; cells && p->neighbour; cells &= cells - 1) {
        plb_step *step = &l->neighbours[l->neighbour_count].step;
        *step = (plb_step){.parent = &l->slab,
                           .i = plb_slab_stone(occupied, plb_lowest(cells)),
                           .b = p->ply % 2 == 0};
        int error = add_neighbour(p, l, occupied | (cells & -cells), dead_code(p), &step->child);
        if (error) return error;
    }
    return PLB_OK;
}

/* Every position begins with the worst outcome for the mover, or on the full board a draw. */
static void fill_values(const pass *p, const lane *l, plb_run run) {
    bool full = p->ply == p->sweep->index->game->cells;
    unsigned worst = full ? 0 : plb_scale_worst(&p->sweep->scale, p->ply);
    for (int i = 0; i < p->sweep->scale.planes; i++) {
        uint64_t *part = l->planes.plane[i] + run_start(&l->slab, run);
        if (worst >> i & 1)
            fill_run(&l->slab, run, part);
        else
            memset(part, 0, run_words(&l->slab, run) * sizeof *part);
    }
}

/* The best of the outcomes that all moves lead to. */
static void pull_children(const pass *p, const lane *l, plb_run run) {
    const plb_sweep *sweep = p->sweep;
    for (int n = 0; n < l->neighbour_count; n++)
        sweep->options.kernels->pull(&l->neighbours[n].step, run, sweep->scale.planes,
                                     &l->neighbours[n].planes, dead_code(p), &l->planes);
}

/* Positions in which the last mover has completed a group: the game has ended here. */
static void settle_terminals(const pass *p, const lane *l, hand *h, plb_run run) {
    const plb_sweep *sweep = p->sweep;
    unsigned ended = plb_scale_encode(&sweep->scale, p->ply);
    const uint64_t *lines = h->lines;
    sweep->options.kernels->lines(&l->slab, run, l->slab.groups, l->slab.group_count, p->ply % 2,
                                  h->lines);
    for (int v = 0; v < sweep->scale.planes; v++) {
        uint64_t *part = l->planes.plane[v] + run_start(&l->slab, run);
        uint64_t set = ended >> v & 1 ? ~0ULL : 0;
        for (size_t i = 0; i < run_words(&l->slab, run); i++)
            part[i] = (part[i] & ~lines[i]) | (lines[i] & set);
    }
}

/* Positions of a run in which nobody has a group; settle_terminals has left the last mover's. */
static const uint64_t *find_open(const pass *p, const lane *l, hand *h, plb_run run) {
    size_t words = run_words(&l->slab, run);
    uint64_t others[RUN_WORDS];
    p->sweep->options.kernels->lines(&l->slab, run, l->slab.groups, l->slab.group_count,
                                     p->ply % 2 == 0, others);
    fill_run(&l->slab, run, h->marks);
    for (size_t i = 0; i < words; i++) h->marks[i] &= ~h->lines[i] & ~others[i];
    return h->marks;
}

/* Count the open positions, and keep those in `stored` whose values must be. */
static int choose_stored(const pass *p, lane *l, hand *h, plb_run run) {
    const plb_sweep *sweep = p->sweep;
    size_t at = run_start(&l->slab, run), words = run_words(&l->slab, run);
    uint64_t *stored = l->stored.words + at;
    const uint64_t *open = l->open ? l->open + at : find_open(p, l, h, run);
    h->won += l->orbit * count_common(l->planes.plane[PLB_X_WINS] + at, open, words);
    h->lost += l->orbit * count_common(l->planes.plane[PLB_O_WINS] + at, open, words);
    if (!plb_settle_is_stored_ply(p->ply)) return PLB_OK;
    memcpy(stored, open, words * sizeof *stored);
    int error = plb_quiet_keep(&h->quiet, sweep->index->game, sweep->options.kernels, &l->slab, run,
                               stored);
    if (count_ones(stored, words)) {
#pragma omp atomic write
        l->stores = true;
    }
    return error;
}

static int solve_run(const pass *p, lane *l, hand *h, plb_run run) {
    fill_values(p, l, run);
    pull_children(p, l, run);
    settle_terminals(p, l, h, run);
    return choose_stored(p, l, h, run);
}

static int values_slab(pass *p, lane *l, uint64_t slab) {
    uint64_t occupied = plb_index_slab_cells(p->sweep->index, p->ply, slab), *open = NULL;
    const plb_slab *shape;
    if (begin_slab(p, l, slab, occupied) || plb_words_reserve(&l->stored, l->slab.words))
        return fail_memory(l);
    int error = fetch_children(p, l, occupied);
    if (!error && p->reach)
        error = plb_courier_fetch(l->courier, l->neighbour_count, p->reach, occupied, 1, 0, &shape,
                                  &open, &l->message);
    if (error) return error;
    l->open = open;
    if (share_runs(p, l, &l->slab, solve_run) ||
        plb_block_maker_add(l->maker, &l->slab, &l->planes, l->stores ? l->stored.words : NULL))
        return fail_memory(l);
    return l->is_held ? PLB_OK : store_slab(p, l, slab);
}

static int values_segment(pass *p, lane *l, uint64_t segment) {
    uint64_t first, last;
    plb_cut_slabs(&p->cut, segment, &first, &last);
    if (plb_block_maker_begin(l->maker, &p->cut, p->ply, segment)) return fail_memory(l);
    for (uint64_t slab = first; slab < last; slab++) {
        int error = values_slab(p, l, slab);
        if (error) return error;
    }
    const uint8_t *bytes;
    size_t size;
    int error = plb_block_maker_end(l->maker, &bytes, &size);
    if (error) return plb_fail(&l->message, error, "a segment of the table exceeds 4 GiB");
    return plb_spool_put(p->table, segment, bytes, size, &l->message);
}

static plb_ply_stats make_stats(const pass *p, const plb_reach_counts *counts) {
    const plb_sweep *sweep = p->sweep;
    uint64_t won = 0, lost = 0;
    for (int t = 0; t < sweep->options.threads; t++) {
        won += sweep->hands[t].won;
        lost += sweep->hands[t].lost;
    }
    plb_ply_stats stats = {.total = counts->open + counts->terminal,
                           .terminal = counts->terminal,
                           .won = won,
                           .drawn = counts->open - won - lost,
                           .lost = lost};
    bool x_won = plb_scale_encode(&sweep->scale, p->ply) >> PLB_X_WINS & 1;
    *(x_won ? &stats.won : &stats.lost) += counts->terminal;
    return stats;
}

int plb_sweep_backward(plb_sweep *sweep, int ply, const plb_layer *after, const plb_layer *reach,
                       const plb_layer *values, plb_spool *table, const plb_reach_counts *counts,
                       plb_ply_stats *stats, plb_message *message) {
    pass p = {.sweep = sweep,
              .ply = ply,
              .planes = sweep->scale.planes,
              .solves = true,
              .cut = plb_cut_ply(sweep->index, ply, sweep->options.block_positions),
              .neighbour = after,
              .reach = reach,
              .made = values,
              .table = table,
              .message = message};
    int error = run_pass(&p, values_segment);
    if (!error) *stats = make_stats(&p, counts);
    return error;
}

static int save_segment(pass *p, lane *l, uint64_t segment) {
    uint64_t first, last;
    plb_cut_slabs(&p->cut, segment, &first, &last);
    int error = PLB_OK;
    for (uint64_t slab = first; slab < last && !error; slab++) {
        const plb_held *held = plb_hold_find(p->made->hold, slab);
        if (held)
            error = plb_courier_store(l->courier, p->made->spool, slab, held->planes,
                                      p->planes * held->shape.words, &l->message);
    }
    return error;
}

int plb_sweep_save(plb_sweep *sweep, int ply, const plb_layer *values, plb_message *message) {
    pass p = {.sweep = sweep,
              .ply = ply,
              .planes = sweep->scale.planes,
              .cut = plb_cut_ply(sweep->index, ply, sweep->options.block_positions),
              .made = values,
              .message = message};
    return run_pass(&p, save_segment);
}
