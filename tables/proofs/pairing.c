/* SPDX-License-Identifier: MIT
 *
 * Finds pairings by depth-first search. At each node it takes the set with the fewest free cells,
 * and tries all pairs in it, until the sets without a pair have a matching.
 *
 * Invariant: sets[0 .. open) have no pair yet, those behind have one. Only `cover` moves sets
 * behind that limit, and it reorders only those before the limit. So a pair is taken back by
 * restoring `open`.
 */
#include "tables/proofs/pairing.h"

#include <string.h>

#include "tables/bits.h"
#include "tables/stop.h"

/* ---- families of sets ---- */

int plb_pairing_open_sets(const uint64_t *groups, int count, uint64_t owned, uint64_t lost,
                          uint64_t *sets) {
    int open = 0;
    for (int g = 0; g < count; g++)
        if (!(groups[g] & lost)) sets[open++] = groups[g] & ~owned;
    return open;
}

int plb_pairing_reduce(uint64_t *sets, int count) {
    int kept = 0;
    for (int i = 1; i < count; i++) {
        uint64_t set = sets[i];
        int j = i, size = plb_popcount(set);
        for (; j > 0 && plb_popcount(sets[j - 1]) > size; j--) sets[j] = sets[j - 1];
        sets[j] = set;
    }
    for (int i = 0; i < count; i++) {
        int other = 0;
        while (other < kept && sets[other] & ~sets[i]) other++;
        if (other == kept) sets[kept++] = sets[i]; /* it contains no other set */
    }
    return kept;
}

/* ---- matching ---- */

typedef struct matching {
    const uint64_t *sets;
    uint64_t taken;                   /* cells that have an owner */
    uint64_t seen;                    /* taken cells visited for the current set */
    uint8_t owner[PLB_MAX_CELLS];     /* [cell] index of a set; of taken cells */
    uint64_t cells_of[PLB_MAX_CELLS]; /* [set] at most two cells */
} matching;

static void give(matching *m, int cell, int set) {
    m->taken |= 1ULL << cell;
    m->owner[cell] = set;
    m->cells_of[set] |= 1ULL << cell;
}

/* Find one more cell for a set, by an augmenting path: other sets may move to other cells. */
static bool find_cell(matching *m, int set, uint64_t allowed) {
    uint64_t wanted = m->sets[set] & allowed & ~m->cells_of[set];
    if (wanted & ~m->taken) {
        give(m, plb_lowest(wanted & ~m->taken), set);
        return true;
    }
    while ((wanted &= ~m->seen)) {
        int cell = plb_lowest(wanted), other = m->owner[cell];
        m->seen |= 1ULL << cell;
        if (!find_cell(m, other, allowed)) continue;
        m->cells_of[other] &= ~(1ULL << cell);
        give(m, cell, set);
        return true;
    }
    return false;
}

/* Find two of the allowed cells for every set. */
static bool match(matching *m, const uint64_t *sets, int count, uint64_t allowed) {
    if (2 * count > PLB_MAX_CELLS) return false;
    m->sets = sets;
    m->taken = 0;
    for (int i = 0; i < 2 * count; i++) {
        if (i % 2 == 0) m->cells_of[i / 2] = 0;
        m->seen = 0;
        if (!find_cell(m, i / 2, allowed)) return false;
    }
    return true;
}

bool plb_pairing_match(const uint64_t *sets, int count, uint64_t *pairs) {
    matching m;
    if (!match(&m, sets, count, ~0ULL)) return false;
    if (pairs) memcpy(pairs, m.cells_of, count * sizeof *pairs);
    return true;
}

/* ---- general pairing ---- */

typedef struct search {
    uint64_t *sets;
    uint64_t free;                  /* cells of no pair */
    uint64_t barred[PLB_MAX_CELLS]; /* [cell] second cells of pairs that have been refuted */
    plb_pairing_limits limits;
    uint64_t steps;
    plb_pairing pairing; /* pairs on the current path */
} search;

/* The free cells of the open set that has the fewest. */
static uint64_t find_tightest(const search *s, int open) {
    uint64_t tightest = 0;
    int min = PLB_MAX_CELLS + 1;
    for (int i = 0; i < open; i++) {
        int cells = plb_popcount(s->sets[i] & s->free);
        if (cells >= min) continue;
        min = cells;
        tightest = s->sets[i] & s->free;
    }
    return tightest;
}

/* The total weight of the open sets that contain a cell, and of those that contain a pair. The
 * weight of a set doubles with each free cell fewer. */
typedef struct weights {
    int cell[PLB_MAX_CELLS], pair[PLB_MAX_CELLS][PLB_MAX_CELLS]; /* by index among given cells */
} weights;

static void weigh(const search *s, int open, uint64_t cells, weights *w) {
    enum { HEAVIEST = 16 };
    int count = plb_popcount(cells);
    memset(w->cell, 0, count * sizeof *w->cell);
    for (int a = 0; a < count; a++) memset(w->pair[a], 0, count * sizeof *w->pair[a]);
    for (int i = 0; i < open; i++) {
        uint64_t common = s->sets[i] & cells;
        if (!common) continue;
        int left = plb_popcount(s->sets[i] & s->free);
        int weight = 1 << (HEAVIEST - (left < HEAVIEST ? left : HEAVIEST));
        for (; common; common &= common - 1) {
            int a = plb_popcount(cells & ((common & -common) - 1));
            w->cell[a] += weight;
            for (uint64_t rest = common & (common - 1); rest; rest &= rest - 1)
                w->pair[a][plb_popcount(cells & ((rest & -rest) - 1))] += weight;
        }
    }
}

/* The best pair of these cells that is not barred; 0: there is none. Good pairs serve sets of great
 * weight, and take few cells from sets that they do not serve. */
static uint64_t find_best_pair(const search *s, int open, uint64_t cells) {
    weights w;
    uint64_t best = 0;
    int max = 0, a = 0;
    weigh(s, open, cells, &w);
    for (uint64_t left = cells; left; left &= left - 1, a++) {
        uint64_t barred = s->barred[plb_lowest(left)];
        int b = a + 1;
        for (uint64_t rest = left & (left - 1); rest; rest &= rest - 1, b++) {
            int weight = 4 * w.pair[a][b] - w.cell[a] - w.cell[b];
            if ((rest & -rest & barred) || (best && weight <= max)) continue;
            best = (left & -left) | (rest & -rest);
            max = weight;
        }
    }
    return best;
}

/* Move the sets that contain the pair behind the open ones; returns the new number of open sets. */
static int cover(search *s, int open, uint64_t pair) {
    for (int i = 0; i < open;) {
        if ((s->sets[i] & pair) != pair) {
            i++;
            continue;
        }
        uint64_t set = s->sets[i];
        s->sets[i] = s->sets[--open];
        s->sets[open] = set;
    }
    return open;
}

/* If the open sets have a matching with free cells, add it to the pairing. */
static bool finish(search *s, int open) {
    matching m;
    uint64_t cells = 0;
    for (int i = 0; i < open; i++) cells |= s->sets[i] & s->free;
    if (2 * open > plb_popcount(cells) || !match(&m, s->sets, open, s->free)) return false;
    memcpy(s->pairing.pairs + s->pairing.count, m.cells_of, open * sizeof *m.cells_of);
    s->pairing.count += open;
    return true;
}

/* Can the pairs on the path be completed to a pairing? A refuted pair is barred below the pairs
 * that are tried after it: all pairings with both have been searched. */
static plb_pairing_answer complete(search *s, int open) {
    if (plb_is_stopped(s->limits.stop) || (s->limits.steps && s->steps == s->limits.steps))
        return PLB_PAIRING_UNDECIDED;
    s->steps++;
    if (finish(s, open)) return PLB_PAIRING_FOUND;
    uint64_t set = find_tightest(s, open), pair;
    uint64_t barred_before[PLB_MAX_CELLS];
    memcpy(barred_before, s->barred, sizeof barred_before);
    while ((pair = find_best_pair(s, open, set))) {
        s->pairing.pairs[s->pairing.count++] = pair;
        s->free &= ~pair;
        plb_pairing_answer answer = complete(s, cover(s, open, pair));
        if (answer != PLB_PAIRING_NONE) return answer;
        s->free |= pair;
        s->pairing.count--;
        uint64_t first = pair & -pair, second = pair ^ first;
        s->barred[plb_lowest(first)] |= second;
        s->barred[plb_lowest(second)] |= first;
    }
    memcpy(s->barred, barred_before, sizeof barred_before);
    return PLB_PAIRING_NONE;
}

plb_pairing_answer plb_pairing_find(uint64_t *sets, int count, const plb_pairing_limits *limits,
                                    plb_pairing *found, uint64_t *steps) {
    search s = {.sets = sets, .free = ~0ULL};
    if (limits) s.limits = *limits;
    plb_pairing_answer answer = complete(&s, count);
    if (answer == PLB_PAIRING_FOUND && found) *found = s.pairing;
    if (steps) *steps = s.steps;
    return answer;
}
