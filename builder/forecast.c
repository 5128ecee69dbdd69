/* SPDX-License-Identifier: MIT
 *
 * Forecasts. The rates below were measured on one core of an AMD EPYC (Zen 4) with
 * `tools/bench`; other machines scale all of them alike, about.
 */
#include "builder/forecast.h"

#include <libgen.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "builder/build_folder.h"
#include "builder/slabs/masks.h"
#include "builder/table_form.h"
#include "tables/binomial.h"
#include "tables/settle.h"

enum {
    LEAST_SAMPLES = 400,  /* positions per ply: one in SAMPLED of its entries .. */
    MOST_SAMPLES = 20000, /* .. but from so many to so many */
    SAMPLED = 10000,
    NEIGHBOURED = 400,  /* of these, so many whose neighbours are counted */
    SCRATCH_ENTRY = 24, /* bytes of a scratch file per record .. */
    SCRATCH_BYTES =
        4608,         /* .. and per file: what stands at its end, and up to a page of the disk */
    HELD_BYTES = 160, /* of a slab whose planes are held, besides these and its shape */
    THREAD_BYTES = 4 << 20,
    WORKER_BYTES = 8 << 20,
    SHARED_BYTES = 14 << 20,
    FILE_BYTES = 40960, /* of a table without segments */
};

/* The shape of a slab takes about so much of a plane of it, and some slabs have more live blocks
 * than the average one of their ply. */
static const double shape_share = 0.25, biggest_share = 1.3;
/* Bytes of a permuter's directory per choice of the high stones (carry.h), by runs or by bits. */
static const double runs_directory = 0.25, bits_directory = 4;

/* Processor seconds of a pass. */
typedef struct rates {
    double entry;                    /* per live entry and plane .. */
    double neighbour;                /* .. besides for each neighbour of its slab .. */
    double carried_run, carried_bit; /* .. that is carried over, by runs or by bits .. */
    double scratch;                  /* .. that is not held, but in scratch files */
    double fetch, scratch_fetch;     /* per neighbour of a slab, held or not */
} rates;
static const rates forward_rates = {0.45e-9, 0.025e-9, 0.05e-9, 0.5e-9, 0.02e-9, 0.7e-6, 0.1e-6},
                   backward_rates = {0.2e-9, 0.05e-9, 0.35e-9, 1.3e-9, 0.12e-9, 0.3e-6, 0.6e-6};
/* .. of the forward pass without gravity, per live entry; and per position that is stored. */
static const double free_seconds = 1.6e-9, stored_seconds = 6e-9;
/* Bytes of scratch files per live entry and plane, of records of so many words (scratch_codec.h):
 * small ones are as they are, the others shrink the better the bigger they are, less so where
 * columns do not order the stones; values moreover by what their quiet positions are, the hardest
 * to foretell. Bounds, from the 1,100 plies of 13 boards, both kinds of values. */
typedef struct shrinking {
    double factor, power;
} shrinking;
enum { REACH_FILE, VALUES_FILE };
static const shrinking shrinking_columns[] = {{0.27, -0.217}, {0.53, -0.245}},
                       shrinking_others[] = {{0.94, -0.325}, {0.75, -0.25}};
static const double plain_bytes = 0.14, least_reach_bytes = 0.014, least_values_bytes = 0.0075,
                    quiet_bytes = 0.47;
/* The table of a ply that is stored takes this part of its values at least, and at most. */
static const double least_table_share = 0.25, most_table_share = 0.5;
/* Bytes of the table per position that is stored, with its share of a block's hash; and per block,
 * stored or not. */
static const double stored_bytes = 0.35, block_bytes = 4;

/* Sums over the samples of a ply. */
typedef struct sample {
    double count, live, positions, quiet;
    double neighboured, children, parents, carried_children, carried_parents;
} sample;

/* Does the part of a colouring above the low stones hold a complete group? */
static bool is_dead(const plb_game *game, plb_position p) {
    uint64_t high = plb_stones_occupied(p);
    for (int stone = 0; stone < PLB_LOW && high; stone++) high &= high - 1;
    return plb_game_has_group(game, p.x & high) || plb_game_has_group(game, p.o & high);
}

/* Neighbours of a set, and those of them that are not canonical. */
static void count_neighbours(const plb_index *index, uint64_t occupied, uint64_t cells,
                             double *neighbours, double *carried) {
    for (; cells; cells &= cells - 1) {
        ++*neighbours;
        *carried += !plb_symmetry_is_canonical(index->symmetry, occupied ^ (cells & -cells));
    }
}

static void add_neighbours(const plb_index *index, uint64_t occupied, sample *s) {
    const plb_game *game = index->game;
    s->neighboured++;
    count_neighbours(index, occupied, plb_game_playable(game, occupied), &s->children,
                     &s->carried_children);
    /* Without gravity the forward pass asks no parents (reach.c). */
    if (game->gravity)
        count_neighbours(index, occupied, plb_game_removable(game, occupied), &s->parents,
                         &s->carried_parents);
}

static void add_sample(const plb_index *index, plb_entry place, sample *s) {
    plb_position p = plb_index_unrank(index, place);
    uint64_t occupied = plb_stones_occupied(p);
    s->count++;
    s->live += !is_dead(index->game, p);
    if (s->neighboured < NEIGHBOURED) add_neighbours(index, occupied, s);
    if (plb_rules_check(index->game, p, NULL) != PLB_OK) return;
    s->positions += plb_symmetry_orbit_size(index->symmetry, occupied);
    s->quiet += plb_settle(index->game, p).kind == PLB_QUIET;
}

/* Were all positions of the ply sampled? */
static bool sample_ply(const plb_index *index, int ply, uint64_t count_entries, sample *s) {
    const plb_index_ply *p = &index->plies[ply];
    uint64_t size = plb_index_size(index, ply), random = ply + 1;
    uint64_t samples = plb_max(LEAST_SAMPLES, plb_min(MOST_SAMPLES, size / SAMPLED));
    bool all = size <= plb_max(samples, count_entries);
    for (uint64_t i = 0; i < (all ? size : samples); i++) {
        uint64_t slab = all ? i / p->slab_size : plb_next_random(&random) % p->slabs;
        uint64_t rank = all ? i % p->slab_size : plb_next_random(&random) % p->slab_size;
        add_sample(index, (plb_entry){ply, slab, rank}, s);
    }
    return all;
}

/* ---- memory of a worker ---- */

/* Bytes of the biggest plane of each ply, its shape included. */
static double plane_bytes(const plb_index *index, int ply, const sample *s) {
    double average = (double)index->plies[ply].slab_size * s->live / s->count / 8;
    return average * (index->plies[ply].slabs > 1 ? biggest_share : 1) * (1 + shape_share);
}

/* Are planes carried over by runs? By bits otherwise. */
static bool goes_by_runs(const plb_index *index) {
    return index->game->gravity && !index->game->cylinder;
}

static double directory_bytes(const plb_index *index, int ply) {
    if (ply <= PLB_LOW || index->symmetry->order == 1) return 0;
    return (goes_by_runs(index) ? runs_directory : bits_directory) *
           (double)(1ULL << (ply - PLB_LOW));
}

/* So many neighbours of a slab of a ply, in the ply next to it: as they were fetched and carried
 * over, and the directory that this needs. The neighbours of an only slab come in mirror pairs, of
 * which one is fetched and the other carried over; elsewhere there is also what earlier slabs have
 * left. */
static double neighbour_bytes(const plb_index *index, int planes, const sample samples[], int ply,
                              int next, int count) {
    const plb_game *game = index->game;
    if (game->gravity && count > game->width) count = game->width;
    double copies = index->plies[ply].slabs == 1 ? 1 : 2;
    return count * copies * planes * plane_bytes(index, next, &samples[next]) +
           directory_bytes(index, next);
}

/* What a slab holds while it is reached: what of it is, and of its fringe; while it is solved: its
 * values, what of it is open and what is stored; and its neighbours. */
static double worker_bytes(const plb_index *index, int planes, const sample samples[], int ply) {
    int cells = index->game->cells;
    double plane = plane_bytes(index, ply, &samples[ply]);
    double forward = 3 * plane, backward = (planes + 3) * plane;
    if (ply > 0 && index->game->gravity)
        forward += neighbour_bytes(index, 1, samples, ply, ply - 1, ply);
    if (ply < cells) backward += neighbour_bytes(index, planes, samples, ply, ply + 1, cells - ply);
    return fmax(forward, backward) + WORKER_BYTES;
}

/* ---- the whole ---- */

/* Neighbours of the slabs of a ply in the ply that a pass has come from. */
typedef struct neighbours {
    double live;           /* entries of the ply, times planes */
    double slabs;          /* of the ply */
    double count, carried; /* of a slab */
} neighbours;

static double pass_seconds(const plb_index *index, const rates *r, const neighbours *n) {
    double carried = goes_by_runs(index) ? r->carried_run : r->carried_bit;
    return n->live * (r->entry + n->count * r->neighbour + n->carried * carried) +
           n->slabs * n->count * r->fetch;
}

static double scratch_seconds(const rates *r, const neighbours *n) {
    return n->count * (n->live * r->scratch + n->slabs * r->scratch_fetch);
}

/* Bytes per entry of a file whose records have `entries` each. */
static double scratch_rate(const plb_index *index, int file, double entries, double least) {
    shrinking s = goes_by_runs(index) ? shrinking_columns[file] : shrinking_others[file];
    return fmin(plain_bytes, fmax(least, s.factor * pow(entries / 64, s.power)));
}

/* Bytes of a scratch file; a record is whole words. */
static double scratch_file_bytes(double records, double entries, double rate) {
    return SCRATCH_BYTES + records * (SCRATCH_ENTRY + sizeof(uint64_t)) + entries * rate;
}

static plb_forecast_ply forecast_ply(const plb_index *index, int ply, int planes, const sample *s) {
    double size = (double)plb_index_size(index, ply), live = size * s->live / s->count;
    double slabs = (double)index->plies[ply].slabs;
    neighbours parents = {live, slabs, s->parents / s->neighboured,
                          s->carried_parents / s->neighboured};
    neighbours children = {live * planes, slabs, s->children / s->neighboured,
                           s->carried_children / s->neighboured};
    double quiet = size * s->quiet / s->count, stored = plb_settle_is_stored_ply(ply) ? quiet : 0;
    double reach_rate = scratch_rate(index, REACH_FILE, live / slabs, least_reach_bytes);
    double values_rate = scratch_rate(index, VALUES_FILE, planes * live / slabs,
                                      least_values_bytes + quiet_bytes * quiet / fmax(live, 1));
    plb_forecast_ply f = {
        .entries = size,
        .live = live,
        .positions = size * s->positions / s->count,
        .held_reach_bytes = slabs * HELD_BYTES + live * (1 + shape_share) / 8,
        .held_values_bytes = slabs * HELD_BYTES + live * (planes + shape_share) / 8,
        .reach_bytes = scratch_file_bytes(slabs, live, reach_rate),
        .values_bytes = scratch_file_bytes(slabs, planes * live, values_rate)};
    f.forward_seconds =
        index->game->gravity ? pass_seconds(index, &forward_rates, &parents) : live * free_seconds;
    f.backward_seconds =
        pass_seconds(index, &backward_rates, &children) + stored * (planes - 1) * stored_seconds;
    f.forward_scratch_seconds = scratch_seconds(&forward_rates, &parents);
    f.backward_scratch_seconds = scratch_seconds(&backward_rates, &children);
    if (!plb_settle_is_stored_ply(ply)) return f;
    /* Of an outcome each plane but the first two, which exclude each other, is one more bit. */
    f.table_bytes = stored * stored_bytes * (planes - 1) + size / PLB_BLOCK_ENTRIES * block_bytes;
    f.table_bytes = fmin(f.table_bytes, most_table_share * f.values_bytes);
    f.table_bytes = fmax(f.table_bytes, least_table_share * f.values_bytes);
    return f;
}

/* The most that lies beside the output at one time, whenever saves come. A save at a ply keeps its
 * values and the reach files below it until the next one; meanwhile there are the values of the ply
 * in work and of the one after it, and the table grows, which is copied in the end. Half a minute
 * of as many as 64 threads is the longest time between saves. */
static double scratch_bytes(const plb_forecast *f, int plies) {
    const double save_seconds = 30.0 * 64;
    double reach = 0, table = 0, most = 0, saved = 0, seconds = 0;
    for (int ply = 0; ply < plies; ply++) saved = reach += f->plies[ply].reach_bytes;
    for (int ply = plies - 1; ply >= 0; ply--) {
        const plb_forecast_ply *p = &f->plies[ply];
        double after = ply + 1 < plies ? p[1].values_bytes : 0;
        table += p->table_bytes + SCRATCH_BYTES;
        most = fmax(most, saved + table + p->values_bytes + after);
        seconds += p->backward_seconds;
        saved = fmax(seconds < save_seconds ? saved : 0, reach + after);
        if (seconds >= save_seconds) seconds = 0;
        reach -= p->reach_bytes;
    }
    return fmax(most, 2 * table + FILE_BYTES);
}

/* The share of planes that memory does not hold. */
static double share_not_held(double bytes, double ply_memory_bytes) {
    return bytes > ply_memory_bytes ? 1 - ply_memory_bytes / bytes : 0;
}

double plb_forecast_forward_seconds(const plb_forecast *forecast, int ply,
                                    double ply_memory_bytes) {
    const plb_forecast_ply *p = &forecast->plies[ply];
    if (ply == 0) return p->forward_seconds;
    double bytes = p[-1].held_reach_bytes + p->held_reach_bytes;
    return p->forward_seconds +
           p->forward_scratch_seconds * share_not_held(bytes, ply_memory_bytes);
}

double plb_forecast_backward_seconds(const plb_forecast *forecast, int ply,
                                     double ply_memory_bytes) {
    const plb_forecast_ply *p = &forecast->plies[ply];
    double bytes = p->held_values_bytes + p[1].held_values_bytes;
    return p->backward_seconds +
           p->backward_scratch_seconds * share_not_held(bytes, ply_memory_bytes);
}

double plb_forecast_seconds(const plb_forecast *forecast, double ply_memory_bytes) {
    double seconds = 0;
    for (int ply = 0; ply <= PLB_MAX_CELLS; ply++)
        seconds += plb_forecast_forward_seconds(forecast, ply, ply_memory_bytes) +
                   plb_forecast_backward_seconds(forecast, ply, ply_memory_bytes);
    return seconds;
}

static double shared_bytes(const plb_index *index) {
    double most_slabs = 0, codes = 0;
    for (int ply = 0; ply <= index->game->cells; ply++) {
        most_slabs = fmax(most_slabs, (double)index->plies[ply].slabs);
        codes += (double)index->plies[ply].codes;
    }
    return 4 * SCRATCH_ENTRY * most_slabs + codes / 8 + SHARED_BYTES;
}

void plb_forecast_make(const plb_index *index, plb_value_kind values, uint64_t count_entries,
                       plb_forecast *forecast) {
    plb_forecast f = {.exact = true};
    sample samples[PLB_MAX_CELLS + 1] = {0};
    bool all[PLB_MAX_CELLS + 1];
    int planes = plb_outcome_code_make(index->game, values).planes, cells = index->game->cells;
#pragma omp parallel for schedule(dynamic)
    for (int ply = 0; ply <= cells; ply++)
        all[ply] = sample_ply(index, ply, count_entries, &samples[ply]);
    for (int ply = 0; ply <= cells; ply++) {
        plb_forecast_ply *p = &f.plies[ply];
        f.exact = f.exact && all[ply];
        *p = forecast_ply(index, ply, planes, &samples[ply]);
        p->exact = all[ply];
        f.entries += p->entries;
        f.live += p->live;
        f.positions += p->positions;
        f.table_bytes += p->table_bytes;
    }
    for (int ply = 0; ply <= cells; ply++)
        f.plies[ply].worker_bytes = worker_bytes(index, planes, samples, ply);
    for (int ply = 0; ply <= cells; ply++)
        f.held_bytes =
            fmax(f.held_bytes, f.plies[ply].held_values_bytes + f.plies[ply + 1].held_values_bytes);
    f.table_bytes += FILE_BYTES;
    f.thread_bytes = THREAD_BYTES;
    f.shared_bytes = shared_bytes(index);
    f.scratch_bytes = scratch_bytes(&f, cells + 1);
    *forecast = f;
}

double plb_forecast_free_memory(void) {
    FILE *file = fopen("/proc/meminfo", "re");
    char line[128];
    double kib = 0;
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %lf kB", &kib) == 1) break;
    if (file) fclose(file);
    return kib * 1024;
}

double plb_forecast_free_disk(const char *output) {
    struct statvfs disk;
    char *copy = strdup(output);
    double bytes = 0;
    if (copy && statvfs(dirname(copy), &disk) == 0)
        bytes = (double)disk.f_bavail * (double)disk.f_frsize + plb_build_folder_bytes(output);
    free(copy);
    return bytes;
}
