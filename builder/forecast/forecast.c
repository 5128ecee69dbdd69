/* SPDX-License-Identifier: MIT
 *
 * Forecasts. Each ply is sampled; work, memory and file sizes follow from the shares of samples
 * that are live, solved, open, quiet or reachable.
 */
#include "builder/forecast/forecast.h"

#include <math.h>

#include "builder/forecast/record_sizes.h"
#include "builder/planes/permute.h"
#include "builder/ply_parts.h"
#include "builder/scratch/scratch_file.h"
#include "builder/slabs/ply_model.h"
#include "builder/slabs/rank_cuts.h"
#include "builder/slabs/solve_ply.h"
#include "tables/count/position_count.h"
#include "tables/games/static_value.h"
#include "tables/store/segment.h"
#include "tables/threads.h"

enum {
    MAX_COUNTED_ENTRIES = 4096, /* a ply with at most this many entries is counted, not sampled */
    ENTRIES_PER_SAMPLE = 40000, /* one sample for this many entries, within these bounds: */
    MIN_SAMPLES = 400,          /* per ply */
    MAX_SAMPLES = 5000,         /* per ply */
    NEIGHBOUR_SAMPLES = 400,    /* first samples of a ply, for which neighbours are counted, too */
    DISK_PAGE_BYTES = 4096,
    THREAD_BYTES = 4 << 20,        /* memory per thread */
    SHARED_BYTES = 18 << 20,       /* other memory of the process; 4 MiB are code and libraries */
    AHEAD_BYTES = 8 << 20,         /* memory of the process while it counts, besides the counts */
    TABLE_BYTES = 28 << 10,        /* a table without segments */
    COMMIT_ROOM_BYTES = 128 << 20, /* what assembly writes before it deletes a ply's segments */
};

/* The shape of a slab takes about shape_share times the bytes of one of its planes. The largest
 * slab of a ply has up to biggest_share times as many live blocks as the average one. */
static const double shape_share = 0.25, biggest_share = 1.3;
/* Reach masks of a thread take up to this much, relative to plb_masks_bytes. */
static const double masks_share = 1.5;

/* A stored value takes entropy_share times the entropy of a change (record_sizes.h), and less in
 * large slabs. In misere play real values are more regular than outcomes of random games. A changed
 * distance takes round_digits for each doubling of the plies that are left. Fitted to 48 tables. */
static const double entropy_share = 0.82, misere_share = 0.7, round_digits = 0.4;
static const double unpredicted_bits = 2; /* in plies that are too small for a model */
/* Bytes of a block besides its digits. If a ply stores few values, a block that is not empty has
 * about clustered_values of them. */
static const double block_bytes = 16, clustered_values = 4;
/* Bytes of LMDB for each segment: its key; and if it is not small, half a page on average. */
static const double key_bytes = 24, half_page = DISK_PAGE_BYTES / 2.0;
/* End of a scratch file: label, notes and foot take less than half a page (the longest notes are a
 * plb_ply_results), and up to a disk page stays unused. */
static const double scratch_ending_bytes = 1.5 * DISK_PAGE_BYTES;
/* After N parts of a ply, about the first N - 3 parts of the ply after it have been deleted. */
static const double parts_that_linger = 3;
/* Upper bound of scratch files and segments / their forecast. */
static const double disk_margin = 1.2;

/* The table that is forecast. */
typedef struct board {
    const plb_index *index;
    plb_value_kind values;
    int planes;
    plb_block_set set; /* blocks whose values are computed */
    plb_reach_way way;
} board;

/* Sums over the samples of a ply, as in plb_forecast_ply. */
typedef struct sample {
    double count, live, positions, open, quiet, solved;
    double neighbour_samples; /* samples whose neighbours were counted */
    plb_cost_neighbours children, parents;
} sample;

/* Count a permutation to a set of cells by its method. All blocks are taken as live. */
static void count_permutation(const plb_index *index, int element, uint64_t to, int planes,
                              plb_cost_neighbours *n) {
    double words = planes * plb_index_slab_size(plb_popcount(to)) / 64;
    bool by_bits =
        plb_permute_goes_by_bits(index->symmetry, element, to, (uint64_t)fmin(words, 1e18));
    ++*(by_bits ? &n->by_bits : &n->by_runs);
}

static void count_parents(const board *b, uint64_t occupied, plb_cost_neighbours *n) {
    const plb_index *index = b->index;
    uint64_t cells = plb_game_removable(index->game, occupied), canonical;
    for (; cells; cells &= cells - 1) {
        uint64_t parent = occupied ^ (cells & -cells);
        int element = plb_symmetry_canonical(index->symmetry, parent, &canonical);
        n->count++;
        if (element) count_permutation(index, element, parent, 1, n);
    }
}

static void add_sample(const board *b, plb_entry entry, sample *s) {
    const plb_index *index = b->index;
    plb_position p = plb_index_unrank(index, entry);
    uint64_t occupied = plb_stones_occupied(p);
    plb_block_kind block = plb_block_kind_of(index->game, p, entry.ply, b->set);
    s->count++;
    s->live += block.live;
    s->solved += block.solved;
    if (s->neighbour_samples < NEIGHBOUR_SAMPLES) {
        s->neighbour_samples++;
        /* Children in canonical form are pulled to images of the slab, which then are permuted, one
         * per symmetry (builder/slabs/solve_ply.c). */
        plb_cost_neighbours *n = &s->children;
        uint64_t cells = plb_game_playable(index->game, occupied), canonical;
        bool has_image[PLB_MAX_SYMMETRIES] = {true};
        for (; cells; cells &= cells - 1) {
            uint64_t child = occupied | (cells & -cells);
            int element = plb_symmetry_canonical(index->symmetry, child, &canonical);
            n->count++;
            if (!has_image[element]) count_permutation(index, element, occupied, b->planes, n);
            has_image[element] = true;
        }
        if (b->way == PLB_REACH_FORWARD) count_parents(b, occupied, &s->parents);
    }
    if (plb_rules_check(index->game, p, NULL) != PLB_OK) return;
    s->positions += plb_symmetry_orbit_size(index->symmetry, occupied);
    plb_static_result result = plb_static_value(index->game, p);
    s->open += block.live && (result.kind != PLB_DECIDED || result.dtm != 0);
    s->quiet += result.kind == PLB_QUIET;
}

/* The samples of all plies. */
typedef struct all_samples {
    const board *board;
    sample samples[PLB_MAX_CELLS + 1];
    plb_word_sample words[PLB_MAX_CELLS + 1];
    bool counted[PLB_MAX_CELLS + 1]; /* all entries of the ply were counted */
} all_samples;

static int sample_ply(void *context, size_t number) {
    all_samples *all = context;
    const plb_index *index = all->board->index;
    int ply = (int)number;
    const plb_index_ply *p = &index->plies[ply];
    uint64_t size = plb_index_size(index, ply), random = ply + 1;
    uint64_t samples = plb_max(MIN_SAMPLES, plb_min(MAX_SAMPLES, size / ENTRIES_PER_SAMPLE));
    bool counts = all->counted[ply] = size <= MAX_COUNTED_ENTRIES;
    for (uint64_t i = 0; i < (counts ? size : samples); i++) {
        uint64_t slab = counts ? i / p->slab_size : plb_next_random(&random) % p->slabs;
        uint64_t rank = counts ? i % p->slab_size : plb_next_random(&random) % p->slab_size;
        add_sample(all->board, (plb_entry){ply, slab, rank}, &all->samples[ply]);
    }
    plb_word_sample_make(index, all->board->values, ply, &all->words[ply]);
    return PLB_OK;
}

/* ---- memory of a worker ---- */

/* Bytes of a ply's largest plane and its shape. entries: samples in blocks that have planes. */
static double plane_bytes(const plb_index *index, int ply, const sample *s, double entries) {
    double average = (double)index->plies[ply].slab_size * entries / s->count / 8;
    return average * (index->plies[ply].slabs > 1 ? biggest_share : 1) * (1 + shape_share);
}

/* Memory for up to `max` neighbours of a slab in the ply `next`: their planes, a permuted copy of
 * parents, and the directory that permuting needs. If this ply has only one slab, one copy is
 * enough: of each mirror pair of parents one is read, and the other is permuted from it. */
static double neighbour_bytes(const board *b, int planes, const sample samples[], int ply, int next,
                              int max) {
    const plb_index *index = b->index;
    const plb_game *game = index->game;
    bool forward = next < ply;
    const sample *s = &samples[next];
    const plb_cost_neighbours *n = forward ? &samples[ply].parents : &samples[ply].children;
    int count = game->gravity && max > game->width ? game->width : max;
    double copies = forward && index->plies[ply].slabs > 1 ? 2 : 1, directory = 0;
    if (index->symmetry->order > 1)
        directory = (double)plb_permute_directory_bytes(n->by_bits > 0, next);
    double plane = plane_bytes(index, next, s, forward ? s->live : s->solved);
    return count * copies * planes * plane + directory;
}

/* Memory of a worker on whole slabs, and on the smallest pieces. The forward pass has no pieces. */
static void find_worker_bytes(const board *b, const sample samples[], int ply,
                              plb_memory_needs *needs) {
    const sample *s = &samples[ply];
    int cells = b->index->game->cells;
    double live = plane_bytes(b->index, ply, s, s->live);
    double solved = plane_bytes(b->index, ply, s, s->solved);
    double forward = plb_slab_worker_forward_bytes(live);
    double open = b->way == PLB_REACH_BY_COLUMNS ? live * shape_share : live;
    double backward =
        plb_slab_worker_backward_bytes(open, solved, b->planes, b->index->symmetry->order);
    bool has_images = b->index->symmetry->order > 1;
    plb_piece_needs piece = {.own = (b->planes * (has_images ? 2 : 1) + 1) * solved + 2 * open,
                             .image = has_images ? b->planes * solved : 0};
    if (ply > 0 && b->way == PLB_REACH_FORWARD)
        forward += neighbour_bytes(b, 1, samples, ply, ply - 1, ply);
    if (ply < cells) {
        const sample *next = &samples[ply + 1];
        backward += neighbour_bytes(b, b->planes, samples, ply, ply + 1, cells - ply);
        piece.child = b->planes * plane_bytes(b->index, ply + 1, next, next->solved);
    }
    if (s->children.by_bits > 0) piece.fixed = (double)plb_permute_directory_bytes(true, ply);
    double min = plb_slab_pieces_min_bytes(&piece, plb_ply_planes_run_bits(b->index, ply, false));
    needs->worker_bytes[ply] = fmax(forward, backward);
    needs->piece_bytes[ply] = fmax(b->way == PLB_REACH_FORWARD ? forward : 0, fmin(backward, min));
}

/* ---- work and sizes of a ply ---- */

static plb_cost_neighbours average(const plb_cost_neighbours *sum, double count) {
    return (plb_cost_neighbours){sum->count / count, sum->by_runs / count, sum->by_bits / count};
}

/* Bytes of a scratch file. Each record may have a 64-bit word that is only partly used. */
static double scratch_file_bytes(double records, double record_bytes) {
    return scratch_ending_bytes +
           records * (record_bytes + PLB_SCRATCH_ENTRY_BYTES + sizeof(uint64_t));
}

/* Mean bits of a stored value. */
static double stored_value_bits(const board *b, int ply, const plb_word_sample *sample) {
    const plb_index *index = b->index;
    double p = sample->changes, left = fmax(1, index->game->cells - ply);
    if (!sample->has_values) return unpredicted_bits;
    double bits = p > 0 && p < 1 ? -p * log2(p) - (1 - p) * log2(1 - p) : 0;
    bits *= entropy_share * sample->size_factor;
    if (b->values == PLB_DTM) bits += round_digits * p * log2(left);
    return index->game->misere ? misere_share * bits : bits;
}

/* Bytes of the segments of a ply whose values the table stores. */
static double table_bytes(const board *b, int ply, const plb_forecast_ply *f) {
    int block_entries = plb_block_entries(b->values);
    double segments = (double)plb_block_layout_ply(b->index, ply, block_entries).segments;
    double blocks = f->entries / block_entries, solved = fmax(1, blocks * f->solved / f->entries);
    double filled = solved * (1 - exp(-f->quiet / solved / clustered_values));
    double bytes = blocks / PLB_SEGMENT_GROUP * PLB_SEGMENT_GROUP_BYTES +
                   f->quiet * stored_value_bits(b, ply, &f->words) / 8 + filled * block_bytes;
    double mean = bytes / segments, small = half_page / fmax(mean, 1);
    return bytes + segments * (key_bytes + half_page / (1 + small * small));
}

static plb_forecast_ply forecast_ply(const board *b, int ply, const sample *s,
                                     const plb_word_sample *words) {
    const plb_index *index = b->index;
    double size = (double)plb_index_size(index, ply), live = size * s->live / s->count;
    double solved = size * s->solved / s->count, slabs = (double)index->plies[ply].slabs;
    double slab_bytes = (double)plb_ply_memory_slab_bytes();
    plb_forecast_ply f = {
        .entries = size,
        .live = live,
        .solved = solved,
        .open = size * s->open / s->count,
        .quiet = size * s->quiet / s->count,
        .positions = size * s->positions / s->count,
        .words = *words,
        .backward = plb_cost_of_pass(slabs, solved * b->planes,
                                     average(&s->children, s->neighbour_samples)),
        .held_values_bytes = slabs * slab_bytes + solved * (b->planes + shape_share) / 8,
        .values_bytes =
            scratch_file_bytes(slabs, plb_packed_values_bytes(words, solved / slabs, false))};
    if (b->way == PLB_REACH_FORWARD) {
        f.forward = plb_cost_of_pass(slabs, live, average(&s->parents, s->neighbour_samples));
        f.held_reach_bytes = slabs * slab_bytes + live * (1 + shape_share) / 8;
        double share = f.open / fmax(live, 1);
        f.reach_bytes =
            scratch_file_bytes(slabs, plb_packed_reach_bytes(index->game, live / slabs, share));
    }
    if (b->way == PLB_REACH_FREELY) f.backward.amount[PLB_COST_FREELY] = live;
    if (b->way == PLB_REACH_BY_COLUMNS) f.backward.amount[PLB_COST_COLUMNS] = solved;
    if (plb_static_value_is_stored_ply(ply)) {
        f.backward.amount[PLB_COST_STORED] = f.quiet * (b->planes - 1);
        f.table_bytes = table_bytes(b, ply, &f);
    }
    return f;
}

/* Peak bytes of the values of a ply while it is solved, and of those of the ply after it. If the
 * ply has parts, values of the ply after it are deleted as the parts are solved.
 *
 * made, after  [in]  bytes of all values of the two plies */
static double both_bytes(const plb_forecast_ply *ply, double made, double after,
                         double part_entries) {
    double parts = plb_parts_count(ply->entries, part_entries);
    if (parts < 2) return made + after;
    return fmin(made + after, fmax(made, after) + parts_that_linger / parts * after);
}

/* While a ply is solved, the disk has the last save (the values of a ply and the reach files below
 * it), the values of this ply and of the one after it, and the table files made so far. In the end
 * the table is copied; if plies are saved, each is deleted after its copy is on the disk. */
double plb_forecast_scratch_bytes(const plb_forecast *f, int plies, double save_seconds,
                                  double part_entries) {
    enum { SAVE_IS_SURE = 2 }; /* times save_seconds: then a save is certain despite wrong rates */
    double reach = 0, table = 0, largest = 0, peak = 0, saved = 0, seconds = 0, all_seconds = 0;
    for (int ply = 0; ply < plies; ply++) saved = reach += disk_margin * f->plies[ply].reach_bytes;
    for (int ply = plies - 1; ply >= 0; ply--) {
        const plb_forecast_ply *p = &f->plies[ply];
        double made = disk_margin * p->values_bytes, ply_table = disk_margin * p->table_bytes;
        double after = ply + 1 < plies ? disk_margin * p[1].values_bytes : 0;
        double ply_seconds = plb_cost_seconds(&p->backward, plb_backward_rates, 0, 0);
        table += ply_table + scratch_ending_bytes;
        largest = fmax(largest, ply_table);
        peak = fmax(peak, saved + table + both_bytes(p, made, after, part_entries));
        all_seconds += ply_seconds;
        seconds += ply_seconds;
        saved = fmax(seconds < save_seconds ? saved : 0, reach + after);
        if (seconds >= save_seconds) seconds = 0;
        reach -= disk_margin * p->reach_bytes;
        if (ply_seconds >= SAVE_IS_SURE * save_seconds) saved = reach;
    }
    if (all_seconds < SAVE_IS_SURE * save_seconds) largest = table;
    return fmax(peak, table + fmin(table, largest + COMMIT_ROOM_BYTES) + TABLE_BYTES);
}

double plb_forecast_forward_seconds(const plb_forecast *forecast, int ply,
                                    double ply_memory_bytes) {
    const plb_forecast_ply *p = &forecast->plies[ply];
    double bytes = (ply ? p[-1].held_reach_bytes : 0) + p->held_reach_bytes;
    return plb_cost_seconds(&p->forward, plb_forward_rates, bytes, ply_memory_bytes);
}

double plb_forecast_backward_seconds(const plb_forecast *forecast, int ply,
                                     double ply_memory_bytes) {
    return plb_cost_seconds(&forecast->plies[ply].backward, plb_backward_rates,
                            forecast->memory.held_bytes[ply], ply_memory_bytes);
}

double plb_forecast_seconds(const plb_forecast *forecast, double ply_memory_bytes) {
    double seconds = forecast->count_seconds;
    for (int ply = 0; ply <= PLB_MAX_CELLS; ply++)
        seconds += plb_forecast_forward_seconds(forecast, ply, ply_memory_bytes) +
                   plb_forecast_backward_seconds(forecast, ply, ply_memory_bytes);
    return seconds;
}

/* ---- the whole build ---- */

/* shared_bytes are the directories of the scratch files that are open together, the index, and
 * SHARED_BYTES. */
static plb_memory_needs find_memory(const board *b, const sample samples[],
                                    const plb_forecast_ply plies[]) {
    enum { OPEN_FILES = 4 };
    const plb_index *index = b->index;
    plb_memory_needs needs = {.thread_bytes = THREAD_BYTES};
    double max_records = 0;
    for (int ply = 0; ply <= index->game->cells; ply++) {
        const plb_forecast_ply *p = &plies[ply];
        find_worker_bytes(b, samples, ply, &needs);
        needs.held_bytes[ply] =
            both_bytes(p, p->held_values_bytes, p[1].held_values_bytes, PLB_PART_ENTRIES);
        max_records = fmax(max_records, (double)(index->plies[ply].slabs
                                                 << plb_ply_planes_run_bits(index, ply, false)));
    }
    if (b->way == PLB_REACH_BY_COLUMNS) {
        plb_count_board board;
        plb_count_check_find_board(index->game, &board);
        needs.ahead_bytes = AHEAD_BYTES + ceil(plb_position_count_bytes(&board, false));
        needs.rounds_bytes = AHEAD_BYTES + ceil(plb_position_count_bytes(&board, true));
        needs.thread_bytes += masks_share * (double)plb_masks_bytes(index->game);
    }
    needs.shared_bytes =
        OPEN_FILES * PLB_SCRATCH_ENTRY_BYTES * max_records + plb_index_bytes(index) + SHARED_BYTES;
    return needs;
}

void plb_forecast_make(const plb_index *index, plb_value_kind values, int threads,
                       plb_forecast *forecast) {
    if (index->kind == PLB_KEYS) {
        plb_forecast_make_keys(index, values, forecast);
        return;
    }
    plb_forecast f = {.exact = true, .counted = true};
    int cells = index->game->cells;
    board b = {.index = index,
               .values = values,
               .planes = plb_outcome_code_make(index->game, values).planes,
               .set = plb_solve_blocks(index->game, values),
               .way = plb_reach_choose(index, PLB_REACH_BEST)};
    all_samples all = {.board = &b};
    plb_threads team;
    plb_threads_open(threads, &team); /* after an error this thread works alone */
    plb_threads_share(&team, cells + 1, sample_ply, &all);
    plb_threads_close(&team);
    for (int ply = 0; ply <= cells; ply++) {
        plb_forecast_ply *p = &f.plies[ply];
        f.exact = f.counted = f.exact && all.counted[ply];
        *p = forecast_ply(&b, ply, &all.samples[ply], &all.words[ply]);
        p->exact = p->counted = all.counted[ply];
        f.entries += p->entries;
        f.live += p->live;
        f.positions += p->positions;
        f.table_bytes += p->table_bytes;
    }
    f.table_bytes += TABLE_BYTES;
    if (b.way == PLB_REACH_BY_COLUMNS) f.count_seconds = plb_reach_ahead_seconds(index->game);
    f.memory = find_memory(&b, all.samples, f.plies);
    for (int ply = 0; ply <= cells; ply++)
        f.held_bytes = fmax(f.held_bytes, f.memory.held_bytes[ply]);
    *forecast = f;
}

int plb_forecast_count(const plb_game *game, double seconds, int threads,
                       const volatile sig_atomic_t *stop, plb_forecast *forecast,
                       plb_message *message) {
    plb_count_board board;
    const plb_count_work work = {.threads = threads, .stop = stop};
    plb_position_counts counts;
    if (forecast->counted || !plb_count_check_find_quick(game, seconds, &board)) return PLB_OK;
    int error = plb_position_count(&board, &work, &counts, message);
    if (error) return error == PLB_EINTERRUPTED ? error : PLB_OK;
    for (int ply = 0; ply < counts.plies; ply++) {
        forecast->plies[ply].positions = (double)counts.ply[ply].total;
        forecast->plies[ply].counted = true;
    }
    forecast->positions = (double)counts.all.total;
    forecast->counted = true;
    plb_position_counts_free(&counts);
    return PLB_OK;
}
