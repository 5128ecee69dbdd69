/* SPDX-License-Identifier: MIT
 *
 * Positions are counted in groups of a few words: these stay in the first-level cache, and their
 * positions have so much in common that many splits leave one part empty.
 */
#include "builder/slabs/outcome_tally.h"

#include "tables/array.h"
#include "tables/bits.h"
#include "tables/format/distance_record.h"

enum { GROUP_WORDS = 16 };

/* A few words of a range, and the player whose wins are counted. */
typedef struct word_group {
    const plb_outcome_tally_slab *slab;
    plb_block_range range;
    size_t at, words; /* words [at, at + words) of the planes */
    int winner;
    plb_outcome_tally *tally;
} word_group;

/* The rounds in which a player can win, both included. */
typedef struct rounds {
    int first, last;
} rounds;

void plb_outcome_tally_clear(plb_outcome_tally *tally) {
    *tally = (plb_outcome_tally){.longest = {{PLB_NO_DTM, 0, 0}, {PLB_NO_DTM, 0, 0}}};
}

static bool is_farther(const plb_far_position *a, const plb_far_position *b) {
    if (a->plies != b->plies) return a->plies > b->plies;
    return a->slab != b->slab ? a->slab < b->slab : a->rank < b->rank;
}

/* ---- the longest ---- */

/* Compare the first position of a set, which is not empty, with the longest so far. All positions
 * of the set are `plies` from the end. */
static void compare_longest(const word_group *p, const uint64_t *set, int plies) {
    plb_far_position *longest = &p->tally->longest[p->winner];
    if (plies < longest->plies) return;
    if (plies == longest->plies && p->slab->number > longest->slab) return;
    const plb_slab *shape = p->slab->planes->shape;
    size_t w = 0, first = p->range.first; /* block */
    while (w + 1 < p->words && !set[w]) w++;
    first += PLB_FIRST(b, p->range.last - first, shape->start[first + b] > p->at + w) - 1;
    uint64_t rank = shape->rank[first] + 64 * (p->at + w - shape->start[first]);
    plb_far_position found = {plies, p->slab->number, rank + plb_lowest(set[w])};
    if (is_farther(&found, longest)) *longest = found;
}

/* ---- counting ---- */

/* Count a set of positions that are won in rounds r.first to r.last. */
static void split(const word_group *p, const uint64_t *set, uint64_t ones, rounds r) {
    if (!ones) return;
    if (r.first == r.last) {
        int end = plb_outcome_code_end_ply(p->slab->coding, p->winner, r.first);
        p->tally->ends[end] += p->slab->orbit * ones;
        compare_longest(p, set, end - p->slab->ply);
        return;
    }
    int bit = plb_bit_length((uint64_t)(r.first ^ r.last)) - 1, middle = r.last >> bit << bit;
    const uint64_t *plane = plb_planes_get(p->slab->planes, PLB_ROUND + bit) + p->at;
    uint64_t inverted = p->winner == PLB_X_WINS ? ~0ULL : 0, late_ones = 0;
    uint64_t early[GROUP_WORDS], late[GROUP_WORDS];
    for (size_t w = 0; w < p->words; w++) {
        late[w] = set[w] & (plane[w] ^ inverted);
        early[w] = set[w] ^ late[w];
        late_ones += plb_popcount(late[w]);
    }
    split(p, late, late_ones, (rounds){middle, r.last});
    split(p, early, ones - late_ones, (rounds){r.first, middle - 1});
}

/* Count the positions of a group that p->winner wins. open: the words of the group. */
static void add_group(const word_group *p, const uint64_t *open, rounds r) {
    const uint64_t *wins = plb_planes_get(p->slab->planes, p->winner) + p->at;
    uint64_t set[GROUP_WORDS], ones = 0;
    for (size_t w = 0; w < p->words; w++) {
        set[w] = open[w] & wins[w];
        ones += plb_popcount(set[w]);
    }
    p->tally->won[p->winner] += p->slab->orbit * ones;
    if (p->slab->coding->values == PLB_DTM) split(p, set, ones, r);
}

void plb_outcome_tally_add(const plb_outcome_tally_slab *slab, plb_block_range range,
                           const uint64_t *open, plb_outcome_tally *tally) {
    size_t start = slab->planes->shape->start[range.first],
           end = slab->planes->shape->start[range.last];
    uint64_t positions = 0;
    for (size_t w = 0; w < end - start; w++) positions += plb_popcount(open[w]);
    tally->positions += slab->orbit * positions;
    word_group p = {.slab = slab, .range = range, .tally = tally};
    for (p.winner = PLB_X_WINS; p.winner <= PLB_O_WINS; p.winner++) {
        rounds r = {0, plb_outcome_code_round(slab->coding, slab->cells)};
        while (plb_outcome_code_end_ply(slab->coding, p.winner, r.first) <= slab->ply) r.first++;
        while (plb_outcome_code_end_ply(slab->coding, p.winner, r.last) > slab->cells) r.last--;
        for (p.at = start; p.at < end; p.at += p.words) {
            p.words = plb_min(GROUP_WORDS, end - p.at);
            add_group(&p, open + (p.at - start), r);
        }
    }
}

void plb_outcome_tally_merge(const plb_outcome_tally *other, plb_outcome_tally *tally) {
    tally->positions += other->positions;
    for (int ply = 0; ply <= PLB_MAX_CELLS; ply++) tally->ends[ply] += other->ends[ply];
    for (int winner = PLB_X_WINS; winner <= PLB_O_WINS; winner++) {
        tally->won[winner] += other->won[winner];
        if (is_farther(&other->longest[winner], &tally->longest[winner]))
            tally->longest[winner] = other->longest[winner];
    }
}

/* ---- results of a ply ---- */

plb_ply_stats plb_outcome_tally_stats(const plb_outcome_tally *tally,
                                      const plb_outcome_code *coding, int ply,
                                      const plb_ply_stats *reached) {
    uint64_t open = reached->total - reached->terminal;
    uint64_t won = tally->won[PLB_X_WINS], lost = tally->won[PLB_O_WINS];
    *(plb_ply_x_moves(ply) ? &won : &lost) += open - tally->positions;
    plb_ply_stats stats = {.total = reached->total,
                           .terminal = reached->terminal,
                           .won = won,
                           .drawn = open - won - lost,
                           .lost = lost};
    bool x_won = plb_outcome_code_encode(coding, ply) >> PLB_X_WINS & 1;
    *(x_won ? &stats.won : &stats.lost) += reached->terminal;
    return stats;
}

static plb_longest find_longest(const plb_index *index, int ply, const plb_far_position *far) {
    if (far->plies == PLB_NO_DTM) return (plb_longest){.plies = PLB_NO_DTM};
    plb_position position = plb_index_unrank(index, (plb_entry){ply, far->slab, far->rank});
    return (plb_longest){.plies = far->plies,
                         .x = plb_game_bits_of_cells(index->game, position.x),
                         .o = plb_game_bits_of_cells(index->game, position.o)};
}

plb_ply_distances plb_outcome_tally_distances(const plb_outcome_tally *tally,
                                              const plb_index *index, int ply,
                                              const plb_ply_stats *reached) {
    plb_ply_distances made = {0};
    for (int plies = 0; plies <= index->game->cells - ply; plies++) {
        uint64_t count = plies ? tally->ends[ply + plies] : reached->terminal;
        (plb_distance_is_win(index->game, plies) ? made.wins : made.losses)[plies] = count;
    }
    bool x_moves = plb_ply_x_moves(ply);
    made.longest_win = find_longest(index, ply, &tally->longest[x_moves ? PLB_X_WINS : PLB_O_WINS]);
    made.longest_loss =
        find_longest(index, ply, &tally->longest[x_moves ? PLB_O_WINS : PLB_X_WINS]);
    return made;
}
