/* SPDX-License-Identifier: MIT
 *
 * Measures how long it takes to tell whether a position can arise (plb_rules_check):
 * `plybase-measure-checks SPEC...` prints a JSON line for each game with gravity, one for positions
 * that are accepted and one for positions that are refused as unreachable. Those are columns of
 * random colours; the worst ones are looked for among their neighbours, too, which differ in a few
 * stones, by how long they take.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tables/bits.h"
#include "tables/stones.h"

enum { SAMPLES = 20000, CLIMB = 20000, REPEATS = 3, SEED = 1 };

static double nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

/* The least of a few runs, for others use the machine, too. */
static double time_check(const plb_game *game, plb_position position, int *error) {
    double least = 1e18;
    for (int i = 0; i < REPEATS; i++) {
        double begin = nanoseconds();
        *error = plb_rules_check(game, position, NULL);
        double taken = nanoseconds() - begin;
        if (taken < least) least = taken;
    }
    return least;
}

static uint64_t random_below(uint64_t *random, uint64_t below) {
    return plb_next_random(random) % below;
}

/* Change colours until the counts are right and, if it soon succeeds, nobody has a group. */
static plb_position mend_colours(const plb_game *game, uint64_t occupied, uint64_t x,
                                 uint64_t *random) {
    for (int tries = 0;; tries++) {
        plb_position p = {x, occupied & ~x};
        int excess = plb_popcount(p.x) - plb_popcount(p.o);
        bool counts = excess == 0 || excess == 1;
        bool free_of_groups = !plb_game_has_group(game, p.x) && !plb_game_has_group(game, p.o);
        if (counts && (free_of_groups || tries > 500)) return p;
        uint64_t from = counts ? occupied : excess > 0 ? p.x : p.o;
        for (uint64_t skip = random_below(random, plb_popcount(from)); skip > 0; skip--)
            from &= from - 1;
        x ^= from & -from;
    }
}

static plb_position random_position(const plb_game *game, uint64_t *random) {
    uint64_t occupied = 0;
    for (int column = 0; column < game->width; column++) {
        int stones =
            random_below(random, 3) ? game->height : (int)random_below(random, game->height);
        occupied |= plb_low_bits(stones) << (column * game->height);
    }
    return mend_colours(game, occupied, plb_next_random(random) & occupied, random);
}

static plb_position neighbour(const plb_game *game, plb_position p, uint64_t *random) {
    uint64_t occupied = plb_stones_occupied(p), x = p.x;
    for (int i = 0; i < 3; i++) x ^= occupied & 1ULL << random_below(random, game->cells);
    return mend_colours(game, occupied, x, random);
}

/* ---- one game ---- */

typedef struct times {
    double *nanoseconds; /* [count] */
    size_t count;
    plb_position worst;
} times;

static bool measure(const plb_game *game, int wanted, uint64_t *random, times *t) {
    t->nanoseconds = malloc(SAMPLES * sizeof *t->nanoseconds);
    t->count = 0;
    if (!t->nanoseconds) return false;
    double worst = -1;
    for (int i = 0; i < SAMPLES; i++) {
        int error;
        plb_position p = random_position(game, random);
        double taken = time_check(game, p, &error);
        if (error != wanted) continue;
        t->nanoseconds[t->count++] = taken;
        if (taken > worst) worst = taken, t->worst = p;
    }
    return true;
}

/* From the worst position step by step to a neighbour that is no better. */
static double climb(const plb_game *game, int wanted, uint64_t *random, plb_position *p) {
    int error;
    double worst = time_check(game, *p, &error);
    for (int i = 0; i < CLIMB; i++) {
        plb_position near = neighbour(game, *p, random);
        double taken = time_check(game, near, &error);
        if (error == wanted && taken >= worst) worst = taken, *p = near;
    }
    return worst;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool print_times(const char *spec, const plb_game *game, int wanted) {
    uint64_t random = SEED;
    times t;
    if (!measure(game, wanted, &random, &t)) return false;
    if (t.count == 0) {
        free(t.nanoseconds);
        return true;
    }
    qsort(t.nanoseconds, t.count, sizeof *t.nanoseconds, compare);
    double worst = climb(game, wanted, &random, &t.worst);
    json_t *line = json_pack("{s:s, s:s, s:I, s:f, s:f, s:f, s:f}", "game", spec, "answer",
                             wanted ? "unreachable" : "reachable", "positions", (json_int_t)t.count,
                             "median_ns", t.nanoseconds[t.count / 2], "p99_ns",
                             t.nanoseconds[t.count * 99 / 100], "worst_ns",
                             t.nanoseconds[t.count - 1], "worst_found_ns", worst);
    free(t.nanoseconds);
    bool printed = line && json_dumpf(line, stdout, JSON_REAL_PRECISION(4)) == 0;
    json_decref(line);
    puts("");
    return printed;
}

int main(int count, char **arguments) {
    for (int i = 1; i < count; i++) {
        plb_game game;
        plb_message why;
        if (plb_game_parse(arguments[i], &game, &why) != PLB_OK) {
            fprintf(stderr, "plybase-measure-checks: %s\n", why.text);
            return 2;
        }
        bool good = print_times(arguments[i], &game, PLB_OK) &&
                    print_times(arguments[i], &game, PLB_EUNREACHABLE);
        plb_game_free(&game);
        if (!good) return 1;
    }
    return 0;
}
