/* SPDX-License-Identifier: MIT
 *
 * Shapes of slabs. All hi are enumerated by colouring stones from the highest one down. A branch is
 * pruned at its first complete group; for undecided blocks also at the first group that the mover
 * can complete. The last six stones are coloured together: a bit mask says which of the 64 hi are
 * wanted. The moves of a mask are those of the compress operation by parallel suffix (H. S. Warren,
 * Hacker's Delight, 2nd edition, section 7-4).
 */
#include "builder/planes/slab_shape.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "builder/planes/slab_runs.h"
#include "tables/array.h"
#include "tables/games/rules.h"

/* ---- tables ---- */

plb_mask plb_masks[PLB_LOW + 1][PLB_LOW + 1][PLB_LOW][2];
uint16_t plb_low_colourings[PLB_LOW + 1][PLB_LOW_CHOICES];
uint16_t plb_low_rank[1 << PLB_LOW];

/* In step s those bits move down by 2^s whose distance to their final place has bit s. */
static void fill_moves(uint64_t mask, uint64_t moves[PLB_MOVE_STEPS]) {
    uint64_t zeros_below = ~mask << 1;
    for (int step = 0; step < PLB_MOVE_STEPS; step++) {
        uint64_t parity = zeros_below;
        for (int shift = 1; shift < 64; shift *= 2) parity ^= parity << shift;
        uint64_t move = parity & mask;
        moves[step] = move;
        mask = (mask ^ move) | (move >> (1 << step));
        zeros_below &= ~parity;
    }
}

static void fill_mask(plb_mask *mask, int m, int j, int i, unsigned b) {
    uint64_t bits = plb_masks_block_bits(m, j);
    for (uint64_t rank = 0; rank < bits; rank++)
        mask->bits[rank / 64] |= (uint64_t)((plb_low_colourings[j][rank] >> i & 1) == b)
                                 << (rank % 64);
    mask->words = plb_masks_block_words(m, j);
    for (int w = 0; w < mask->words; w++) {
        mask->ones[w] = plb_popcount(mask->bits[w]);
        fill_moves(mask->bits[w], mask->moves[w]);
    }
}

/* Number of stones that are coloured together. */
enum { BATCH = 6, BATCH_COLOURINGS = 1 << BATCH, BATCH_END = PLB_LOW + BATCH };

/* [ones among the batch and the low stones]: bit mask of the batch's colourings that leave a
 * possible number of ones to the low stones; and the rank at which the block of each begins. */
static struct {
    uint64_t possible;
    uint32_t rank[BATCH_COLOURINGS];
} batches[BATCH_END + 1];

static void fill_tables(void) {
    int count[PLB_LOW + 1] = {0};
    for (int word = 0; word < 1 << PLB_LOW; word++) {
        int ones = plb_popcount(word);
        plb_low_rank[word] = count[ones];
        plb_low_colourings[ones][count[ones]++] = word;
    }
    for (int m = 1; m <= PLB_LOW; m++)
        for (int j = 0; j <= m; j++)
            for (int i = 0; i < m; i++)
                for (unsigned b = 0; b < 2; b++) fill_mask(&plb_masks[m][j][i][b], m, j, i, b);
    for (int ones = 0; ones <= BATCH_END; ones++) {
        uint64_t rank = 0;
        for (int word = 0; word < BATCH_COLOURINGS; word++) {
            uint64_t bits = plb_masks_block_bits(PLB_LOW, ones - plb_popcount(word));
            batches[ones].rank[word] = (uint32_t)rank;
            if (bits) batches[ones].possible |= 1ULL << word;
            rank += bits;
        }
    }
}

/* ---- an enumeration ---- */

/* Sets of stones, sorted by their lowest stone. */
typedef struct stone_sets {
    const uint64_t *sets;
    int first[PLB_MAX_CELLS + 1]; /* [stone] the first set whose lowest stone is this or higher */
} stone_sets;

/* A set of stones whose lowest one is in the batch. */
typedef struct batch_set {
    uint64_t above;     /* its stones above the batch */
    uint64_t within[2]; /* [colour] bit mask of the batch's colourings in which its stones within
                           the batch have the colour */
} batch_set;

/* State of one enumeration. */
typedef struct shaping {
    plb_slab *slab;
    plb_block_set set;
    unsigned last;          /* colour of the last mover */
    stone_sets complete;    /* the groups inside the set of cells */
    stone_sets completable; /* PLB_UNDECIDED: stones with which the mover completes a group */
    batch_set *batch; /* [batch_all] complete groups, from batch_complete on completable ones */
    int batch_complete, batch_all;
    const plb_runs *runs; /* the wanted runs; NULL: all */
    int run_end;          /* number of stones below those of a run; -1: no runs */
    plb_run_size *sizes;  /* count blocks of each run instead of listing them; NULL: list them */
    plb_run_size *size;   /* that of the current run */
    bool out_of_memory;
} shaping;

static int compare_lowest(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    uint64_t low_x = x & -x, low_y = y & -y;
    if (low_x != low_y) return low_x < low_y ? -1 : 1;
    return (x > y) - (x < y);
}

static void sort_sets(uint64_t *sets, int count, int stones, stone_sets *sorted) {
    if (count) qsort(sets, count, sizeof *sets, compare_lowest);
    sorted->sets = sets;
    for (int stone = 0, s = 0; stone <= stones; stone++) {
        while (s < count && plb_lowest(sets[s]) < stone) s++;
        sorted->first[stone] = s;
    }
}

/* The groups inside the set of cells, as sets of stones. */
static void find_groups(const plb_game *game, plb_slab *slab, stone_sets *groups) {
    slab->group_count = 0;
    for (int g = 0; g < game->group_count; g++)
        if ((game->groups[g] & ~slab->occupied) == 0)
            slab->groups[slab->group_count++] = plb_gather_bits(game->groups[g], slab->occupied);
    sort_sets(slab->groups, slab->group_count, slab->stones, groups);
}

int plb_slab_list_completable(const plb_game *game, uint64_t occupied, uint64_t cells,
                              uint64_t *sets) {
    int count = 0;
    for (int g = 0; g < game->group_count; g++) {
        uint64_t missing = game->groups[g] & ~occupied;
        if (missing && !(missing & (missing - 1)) && (missing & cells))
            sets[count++] = plb_gather_bits(game->groups[g] & occupied, occupied);
    }
    return count;
}

/* The groups that lack only one cell, which is playable, and have no low stone. */
static void find_completable(const plb_game *game, plb_slab *slab, stone_sets *completable) {
    uint64_t *sets = slab->groups + slab->group_count;
    int count = 0, all = plb_slab_list_completable(game, slab->occupied,
                                                   plb_game_playable(game, slab->occupied), sets);
    for (int i = 0; i < all; i++)
        if (sets[i] && !(sets[i] & plb_low_bits(slab->low))) sets[count++] = sets[i];
    sort_sets(sets, count, slab->stones, completable);
}

/* Reserve memory for more blocks, at most BATCH_COLOURINGS. */
static bool reserve_blocks(shaping *s, size_t more) {
    plb_slab *slab = s->slab;
    if (s->out_of_memory || slab->blocks + more <= slab->capacity) return !s->out_of_memory;
    size_t capacity = slab->capacity ? 2 * slab->capacity : BATCH_COLOURINGS;
    s->out_of_memory = !PLB_ARRAY_RESIZE(slab->hi, capacity) ||
                       !PLB_ARRAY_RESIZE(slab->rank, capacity) ||
                       !PLB_ARRAY_RESIZE(slab->start, capacity + 1);
    if (!s->out_of_memory) slab->capacity = capacity;
    return !s->out_of_memory;
}

static inline void add_block(plb_slab *slab, uint64_t colours, int low_ones, uint64_t rank) {
    slab->hi[slab->blocks] = colours >> slab->low;
    slab->rank[slab->blocks] = rank;
    slab->start[slab->blocks] = slab->words;
    slab->words += plb_masks_block_words(slab->low, low_ones);
    slab->blocks++;
}

static void count_block(const shaping *s, int low_ones) {
    s->size->blocks++;
    s->size->words += plb_masks_block_words(s->slab->low, low_ones);
}

/* ---- batches of 64 blocks ---- */

/* [stone of the batch]: bit mask of the batch's colourings in which it is x. */
static const uint64_t batch_x[BATCH] = {0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0,
                                        0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000};

/* Add the sets whose lowest stone is in the batch. */
static void add_batch_sets(shaping *s, const stone_sets *sets) {
    for (int i = sets->first[PLB_LOW]; i < sets->first[BATCH_END]; i++) {
        batch_set made = {.above = sets->sets[i] >> BATCH_END << BATCH_END,
                          .within = {~0ULL, ~0ULL}};
        for (int stone = 0; stone < BATCH; stone++) {
            if (!(sets->sets[i] >> (PLB_LOW + stone) & 1)) continue;
            made.within[0] &= ~batch_x[stone];
            made.within[1] &= batch_x[stone];
        }
        s->batch[s->batch_all++] = made;
    }
}

/* Add the live or undecided blocks in which the stones above the batch have these colours. ones:
 * those left for the batch and the low stones. rank: that of the first colouring. */
static void add_batch(shaping *s, uint64_t colours, int ones, uint64_t rank) {
    uint64_t same[2] = {~colours, colours}, wanted = batches[ones].possible;
    for (int i = 0; i < s->batch_complete; i++)
        for (unsigned colour = 0; colour < 2; colour++)
            if (!(s->batch[i].above & ~same[colour])) wanted &= ~s->batch[i].within[colour];
    for (int i = s->batch_complete; i < s->batch_all; i++)
        if (!(s->batch[i].above & ~same[!s->last])) wanted &= ~s->batch[i].within[!s->last];
    for (; s->size && wanted; wanted &= wanted - 1)
        count_block(s, ones - plb_popcount((uint64_t)plb_lowest(wanted)));
    if (!wanted || !reserve_blocks(s, BATCH_COLOURINGS)) return;
    for (; wanted; wanted &= wanted - 1) {
        uint64_t low = (uint64_t)plb_lowest(wanted);
        add_block(s->slab, colours | low << PLB_LOW, ones - plb_popcount(low),
                  rank + batches[ones].rank[low]);
    }
}

/* ---- stone by stone ---- */

/* The complete groups among the coloured stones. */
typedef struct completion {
    bool any;          /* the last mover has a complete group */
    uint64_t by_stone; /* removable stones that all complete groups have in common */
} completion;

/* Check the groups whose lowest stone was just coloured; false: no wanted block is left. */
static bool colour_stone(const shaping *s, int stone, unsigned colour, uint64_t colours,
                         completion *c) {
    uint64_t same = colour ? colours : ~colours;
    const stone_sets *groups = &s->complete, *completable = &s->completable;
    if (s->set == PLB_UNDECIDED && colour != s->last)
        for (int i = completable->first[stone]; i < completable->first[stone + 1]; i++)
            if (!(completable->sets[i] & ~same)) return false;
    for (int g = groups->first[stone]; g < groups->first[stone + 1]; g++) {
        if (groups->sets[g] & ~same) continue;
        if (s->set != PLB_FRINGE || colour != s->last) return false;
        c->any = true;
        c->by_stone &= groups->sets[g];
        if (!c->by_stone) return false;
    }
    return true;
}

/* Add the wanted blocks in which the stones from `stone` on have these colours. */
static void enumerate(shaping *s, int stone, int ones, uint64_t colours, uint64_t rank,
                      completion c) {
    if (stone == s->run_end && stone >= 0) {
        uint64_t run = colours >> stone;
        if (s->runs && !plb_runs_have(s->runs, run)) return;
        if (s->sizes) s->size = &s->sizes[run];
    }
    if (stone == BATCH_END && s->set != PLB_FRINGE) {
        add_batch(s, colours, ones, rank);
        return;
    }
    if (stone == s->slab->low) {
        bool wanted = s->set != PLB_FRINGE || c.any;
        if (wanted && s->size)
            count_block(s, ones);
        else if (wanted && reserve_blocks(s, 1))
            add_block(s->slab, colours, ones, rank);
        return;
    }
    stone--;
    completion with_o = c, with_x = c;
    if (ones <= stone && colour_stone(s, stone, 0, colours, &with_o))
        enumerate(s, stone, ones, colours, rank, with_o);
    if (ones == 0) return;
    uint64_t x = colours | 1ULL << stone;
    if (colour_stone(s, stone, 1, x, &with_x))
        enumerate(s, stone, ones - 1, x, rank + plb_binomial[stone][ones], with_x);
}

static int begin(const plb_game *game, uint64_t occupied, batch_set *batch, shaping *s) {
    static pthread_once_t filled = PTHREAD_ONCE_INIT;
    pthread_once(&filled, fill_tables);
    plb_slab *slab = s->slab;
    int stones = plb_popcount(occupied);
    slab->occupied = occupied;
    slab->stones = stones;
    slab->ones = plb_ply_ones(stones);
    slab->low = stones < PLB_LOW ? stones : PLB_LOW;
    slab->blocks = slab->words = 0;
    /* For the groups inside the set of cells, then those that lack one cell; never NULL. */
    if (slab->groups_capacity <= game->group_count) {
        free(slab->groups);
        slab->groups_capacity = 0;
        slab->groups = malloc((game->group_count + 1) * sizeof *slab->groups);
        if (!slab->groups) return PLB_ENOMEM;
        slab->groups_capacity = game->group_count + 1;
    }
    s->last = stones % 2;
    s->batch = batch;
    find_groups(game, slab, &s->complete);
    slab->low_groups = s->complete.first[slab->low];
    if (s->set == PLB_UNDECIDED) find_completable(game, slab, &s->completable);
    if (stones >= BATCH_END) {
        add_batch_sets(s, &s->complete);
        s->batch_complete = s->batch_all;
        if (s->set == PLB_UNDECIDED) add_batch_sets(s, &s->completable);
    }
    return PLB_OK;
}

static int shape(const plb_game *game, uint64_t occupied, shaping *s) {
    batch_set batch[game->group_count + 1];
    int error = begin(game, occupied, batch, s);
    if (error) return error;
    uint64_t removable = plb_gather_bits(plb_game_removable(game, occupied), occupied);
    enumerate(s, s->slab->stones, s->slab->ones, 0, 0, (completion){false, removable});
    s->batch = NULL;
    return s->out_of_memory ? PLB_ENOMEM : PLB_OK;
}

int plb_slab_shape(const plb_game *game, uint64_t occupied, plb_block_set set, const plb_runs *runs,
                   plb_slab *slab) {
    int run_end = runs && runs->bits ? plb_popcount(occupied) - runs->bits : -1;
    int error = shape(game, occupied,
                      &(shaping){.slab = slab, .set = set, .runs = runs, .run_end = run_end});
    if (!error && slab->start) slab->start[slab->blocks] = slab->words;
    return error;
}

int plb_slab_size_runs(const plb_game *game, uint64_t occupied, plb_block_set set, int bits,
                       plb_run_size *sizes) {
    plb_slab slab = {.blocks = 0};
    memset(sizes, 0, sizeof *sizes << bits);
    shaping s = {.slab = &slab,
                 .set = set,
                 .run_end = bits ? plb_popcount(occupied) - bits : -1,
                 .sizes = sizes,
                 .size = sizes};
    int error = shape(game, occupied, &s);
    plb_slab_free(&slab);
    return error;
}

void plb_slab_free(plb_slab *slab) {
    if (!slab) return;
    free(slab->groups);
    free(slab->hi);
    free(slab->rank);
    free(slab->start);
    memset(slab, 0, sizeof *slab);
}

void plb_slab_fill_range(const plb_slab *slab, plb_block_range range, uint64_t *range_words) {
    if (range.first == range.last) return;
    memset(range_words, 0xff, plb_slab_range_words(slab, range) * sizeof *range_words);
    for (size_t block = range.first; block < range.last; block++) {
        uint64_t bits = plb_masks_block_bits(slab->low, plb_slab_low_ones(slab, block));
        range_words += slab->start[block + 1] - slab->start[block];
        range_words[-1] >>= -bits % 64;
    }
}

size_t plb_slab_find_block(const plb_slab *slab, uint64_t hi) {
    return PLB_FIRST(block, slab->blocks, slab->hi[block] >= hi);
}

void plb_slab_copy_range(const plb_slab *from, const uint64_t *words, const plb_slab *to,
                         plb_block_range range, uint64_t *range_words) {
    size_t source = range.first < range.last ? plb_slab_find_block(from, to->hi[range.first]) : 0;
    for (size_t block = range.first; block < range.last; block++, source++) {
        while (from->hi[source] != to->hi[block]) source++;
        size_t count = to->start[block + 1] - to->start[block];
        memcpy(range_words, words + from->start[source], count * sizeof *range_words);
        range_words += count;
    }
}

/* ---- planes and their shape in one allocation ---- */

uint64_t plb_slab_planes_bytes(const plb_slab *shape, int planes) {
    uint64_t words = planes * shape->words + 1 + 2 * shape->blocks + 1;
    return sizeof(plb_slab_planes) + words * sizeof(uint64_t);
}

void plb_slab_planes_lay_out(plb_slab_planes *made, const plb_slab *shape, int planes) {
    plb_slab *copy = &made->shape;
    made->planes = (plb_planes){copy, planes, (uint64_t *)(made + 1)};
    *copy = *shape;
    copy->groups = copy->rank = NULL;
    copy->group_count = copy->low_groups = 0;
    copy->hi = made->planes.words + planes * shape->words + 1;
    copy->start = copy->hi + shape->blocks;
    copy->start[0] = 0;
    if (shape->blocks) {
        memcpy(copy->hi, shape->hi, shape->blocks * sizeof *shape->hi);
        memcpy(copy->start, shape->start, (shape->blocks + 1) * sizeof *shape->start);
    }
}
