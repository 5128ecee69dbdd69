/* SPDX-License-Identifier: MIT
 *
 * Forecasts. The rates below were measured on one core of an AMD EPYC (Zen 5, 2.6 GHz) with
 * `tools/bench`; other machines scale all of them alike, about.
 */
#include "builder/forecast.h"

#include <libgen.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "builder/masks.h"
#include "tables/binomial.h"

enum {
    LEAST_SAMPLES = 400,  /* positions per ply: one in SAMPLED of its entries .. */
    MOST_SAMPLES = 20000, /* .. but from so many to so many */
    SAMPLED = 10000,
    NEIGHBOURED = 400, /* of these, so many whose neighbours are counted */
    SPOOL_ENTRY = 24,  /* bytes of a spool's directory per slab */
    THREAD_BYTES = 4 << 20,
    LANE_BYTES = 6 << 20,
    SHARED_BYTES = 14 << 20,
};

/* The shape of a slab takes about so much of a plane of it, and some slabs have more live blocks
 * than the average one of their ply. */
static const double shape_share = 0.25, biggest_share = 1.25;
/* Bytes of a permuter's directory per choice of the high stones (carry.h), by runs or by bits. */
static const double runs_directory = 0.25, bits_directory = 4;

/* Processor seconds per live entry, and per slab that is fetched. */
static const double fixed_seconds = 1.2e-9, pull_seconds = 0.06e-9, carry_seconds = 3.5e-9,
                    fetch_seconds = 1.0e-6;
/* Bytes per live entry in scratch files, and per reachable position in the table. */
static const double reach_bytes = 0.014, values_bytes = 0.045, table_bytes = 0.012;

/* Sums over the samples of a ply. */
typedef struct sample {
    double count, live, positions, neighboured, pulls, carries;
} sample;

/* Does the part of a colouring above the low stones hold a complete group? */
static bool is_dead(const plb_game *game, plb_position p) {
    uint64_t high = plb_position_occupied(p);
    for (int stone = 0; stone < PLB_LOW && high; stone++) high &= high - 1;
    return plb_game_has_group(game, p.x & high) || plb_game_has_group(game, p.o & high);
}

static void count_neighbours(const plb_index *index, uint64_t occupied, sample *s) {
    uint64_t children = plb_game_playable(index->game, occupied);
    /* Without gravity the forward pass asks no parents (sweep.c). */
    uint64_t parents = index->game->gravity ? plb_game_removable(index->game, occupied) : 0;
    s->neighboured++;
    for (uint64_t cells = children | parents; cells; cells &= cells - 1) {
        s->pulls++;
        s->carries += !plb_symmetry_is_canonical(index->symmetry, occupied ^ (cells & -cells));
    }
}

static void add_sample(const plb_index *index, plb_place place, sample *s) {
    plb_position p = plb_index_unrank(index, place);
    uint64_t occupied = plb_position_occupied(p);
    s->count++;
    s->live += !is_dead(index->game, p);
    if (plb_rules_check(index->game, p, NULL) == PLB_OK)
        s->positions += plb_symmetry_orbit_size(index->symmetry, occupied);
    if (s->neighboured < NEIGHBOURED) count_neighbours(index, occupied, s);
}

static bool sample_ply(const plb_index *index, int ply, uint64_t *random, sample *s) {
    const plb_index_ply *p = &index->plies[ply];
    uint64_t size = plb_index_size(index, ply);
    uint64_t samples = plb_max(LEAST_SAMPLES, plb_min(MOST_SAMPLES, size / SAMPLED));
    bool all = size <= samples;
    for (uint64_t i = 0; i < (all ? size : samples); i++) {
        uint64_t slab = all ? i / p->slab_size : plb_next_random(random) % p->slabs;
        uint64_t rank = all ? i % p->slab_size : plb_next_random(random) % p->slab_size;
        add_sample(index, (plb_place){ply, slab, rank}, s);
    }
    return all;
}

/* ---- memory of a lane ---- */

/* Bytes of the biggest plane of each ply, its shape included. */
static double plane_bytes(const plb_index *index, int ply, const sample *s) {
    double average = (double)index->plies[ply].slab_size * s->live / s->count / 8;
    return average * biggest_share * (1 + shape_share);
}

static double directory_bytes(const plb_index *index, int ply) {
    const plb_game *game = index->game;
    bool by_runs = game->gravity && !game->cylinder;
    if (ply <= PLB_LOW || index->symmetry->order == 1) return 0;
    return (by_runs ? runs_directory : bits_directory) * (double)(1ULL << (ply - PLB_LOW));
}

/* What a slab holds while it is solved: its values, what of it is open and what is stored; and of
 * every child the values, as they were fetched and carried over. */
static double lane_bytes(const plb_index *index, int planes, const sample samples[], int ply) {
    const plb_game *game = index->game;
    double bytes = (planes + 3) * plane_bytes(index, ply, &samples[ply]);
    if (ply == game->cells) return bytes;
    int children = game->cells - ply;
    if (game->gravity && children > game->width) children = game->width;
    return bytes + children * 2.0 * planes * plane_bytes(index, ply + 1, &samples[ply + 1]) +
           directory_bytes(index, ply + 1);
}

int plb_forecast_lanes(const plb_forecast *forecast, int threads, double memory_bytes) {
    int lanes = threads;
    while (lanes > 0 && plb_forecast_memory_bytes(forecast, threads, lanes) > memory_bytes) lanes--;
    return lanes;
}

/* ---- the whole ---- */

void plb_forecast_make(const plb_index *index, plb_values values, plb_forecast *forecast) {
    plb_forecast f = {.exact = true};
    sample samples[PLB_MAX_CELLS + 1] = {0};
    int planes = plb_scale_make(index->game, values).planes, cells = index->game->cells;
    double most_slabs = 0, most_values = 0, codes = 0;
    uint64_t random = 1;
    for (int ply = 0; ply <= cells; ply++) {
        const plb_index_ply *p = &index->plies[ply];
        sample *s = &samples[ply];
        if (!sample_ply(index, ply, &random, s)) f.exact = false;
        double size = (double)plb_index_size(index, ply), live = size * s->live / s->count;
        double neighbours = s->pulls / s->neighboured, carries = s->carries / s->neighboured;
        f.ply_positions[ply] = size * s->positions / s->count;
        f.entries += size;
        f.live += live;
        f.positions += f.ply_positions[ply];
        f.scratch_bytes += live * reach_bytes;
        f.seconds += live * (fixed_seconds + neighbours * pull_seconds + carries * carry_seconds) +
                     p->slabs * neighbours * fetch_seconds;
        most_slabs = fmax(most_slabs, p->slabs);
        most_values = fmax(most_values, live * values_bytes);
        codes += p->codes;
    }
    for (int ply = 0; ply <= cells; ply++)
        f.lane_bytes = fmax(f.lane_bytes, lane_bytes(index, planes, samples, ply));
    f.table_bytes = f.positions * table_bytes + 40960;
    f.scratch_bytes += 2 * most_values + 2 * f.table_bytes;
    f.lane_bytes += LANE_BYTES;
    f.thread_bytes = THREAD_BYTES;
    f.shared_bytes = 4 * SPOOL_ENTRY * most_slabs + codes / 4 + SHARED_BYTES;
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

double plb_forecast_free_disk(const char *path) {
    struct statvfs disk;
    char *copy = strdup(path);
    double bytes = 0;
    if (copy && statvfs(dirname(copy), &disk) == 0)
        bytes = (double)disk.f_bavail * (double)disk.f_frsize;
    free(copy);
    return bytes;
}
