/* SPDX-License-Identifier: MIT
 *
 * The shape of a slab's planes. A stone is numbered by its place among the occupied cells; bit i of
 * a colouring is 1 if stone i is x. A plane has one bit for each colouring of the slab: the
 * positions that have some property. Colourings are split into `lo`, the colours of the lowest
 * stones, and `hi`, those of the others:
 *
 *     colouring  [ hi: stones low..n-1 | lo: stones 0..low-1 ]        low = min(n, PLB_LOW)
 *     plane      [ block of hi 0 | block of hi 1 | block of hi 3 | .. ]   in numeric order of hi
 *
 * The ranks of all lo with the same hi are contiguous: C(low, j) bits, where j is the number of
 * ones left for lo. Every block starts at a 64-bit word; padding bits after it are 0, but undefined
 * in planes of values. A block is dead if hi alone contains a complete group: for every lo the game
 * is over now or was before. No plane has dead blocks. Fringe blocks are the dead ones in which the
 * last move may have completed the group: they are only counted.
 *
 * In normal play a block is won if the mover can complete a group of hi stones immediately: for
 * every lo he wins, or the game was over before. Undecided blocks are the live ones that are not
 * won; only these need planes of values.
 */
#pragma once

#include "tables/binomial.h"
#include "tables/bits.h"
#include "tables/games/game.h"

/* ---- blocks ----
 *
 * m stones, of which j are x, have C(m, j) colourings, in numeric order. The mask of (m, j, i, b)
 * has a bit for each of them, set where stone i has colour b (1 = x). It is used to gather or
 * scatter the part of a block in which a stone has a colour, and as the plane "stone i has colour
 * b". Masks do not depend on the board. They are filled when the first slab is shaped, and then
 * constant. */

enum {
    PLB_LOW = 12,         /* stones that vary within a block */
    PLB_BLOCK_WORDS = 16, /* 64-bit words of the largest block, C(12, 6) = 924 bits, rounded up from
                             15 to whole vectors */
    PLB_MOVE_STEPS = 6,   /* log2 of the bits in a word */
};

typedef struct plb_mask {
    _Alignas(32) uint64_t bits[PLB_BLOCK_WORDS];     /* the plane; 0 after its end */
    int words;                                       /* 64-bit words in use */
    uint8_t ones[PLB_BLOCK_WORDS];                   /* number of ones of each word */
    uint64_t moves[PLB_BLOCK_WORDS][PLB_MOVE_STEPS]; /* to gather without BMI2: the bits that move
                                                        down by 1, 2, 4 .. */
} plb_mask;

/* The colourings of the low stones by number of ones, in numeric order; and the place of each in
 * its list. Those of fewer than PLB_LOW stones come first in each list. */
enum { PLB_LOW_CHOICES = 924 }; /* C(12, 6): longest list */
extern uint16_t plb_low_colourings[PLB_LOW + 1][PLB_LOW_CHOICES];
extern uint16_t plb_low_rank[1 << PLB_LOW];

/* plb_masks[m][j][i][b], m in [1, 12], j in [0, m], i in [0, m). */
extern plb_mask plb_masks[PLB_LOW + 1][PLB_LOW + 1][PLB_LOW][2];

/* 64-bit words and bits of a block of m stones with j ones; 0 where j is outside [0, m]. */
static inline uint64_t plb_masks_block_bits(int m, int j) {
    return j < 0 || j > m ? 0 : plb_binomial[m][j];
}
static inline int plb_masks_block_words(int m, int j) {
    return (int)((plb_masks_block_bits(m, j) + 63) / 64);
}

/* ---- slabs ---- */

typedef struct plb_slab {
    uint64_t occupied; /* the set of cells */
    int stones, ones;  /* number of stones, and of x among them */
    int low;           /* number of low stones */
    int group_count;   /* groups inside the set of cells */
    int low_groups;    /* those with a low stone; live blocks can complete no others */
    uint64_t *groups;  /* [group_count] as sets of stones, low_groups first */
    size_t blocks;     /* blocks of the set that was shaped, in numeric order of hi */
    size_t words;      /* 64-bit words of a plane */
    uint64_t *hi;      /* [blocks] colours of stones low..n-1 */
    uint64_t *rank;    /* [blocks] colex rank of the block's first colouring in the slab */
    uint64_t *start;   /* [blocks + 1] first 64-bit word of the block in a plane */
    size_t capacity;   /* capacity of hi, rank and start */
    int groups_capacity;
} plb_slab;

/* Planes of a slab with their shape. */
typedef struct plb_planes {
    const plb_slab *shape;
    int count;
    uint64_t *words; /* [count][shape->words] */
} plb_planes;

static inline uint64_t *plb_planes_get(const plb_planes *planes, int number) {
    return planes->words + number * planes->shape->words;
}

/* The half-open range [first, last) of blocks of a slab: a unit of work for a thread. */
typedef struct plb_block_range {
    size_t first, last;
} plb_block_range;

enum { PLB_RANGE_BLOCKS = 512, PLB_RANGE_WORDS = PLB_RANGE_BLOCKS * PLB_BLOCK_WORDS }; /* at most */

/* The words of a range in a plane. */
static inline size_t plb_slab_range_start(const plb_slab *slab, plb_block_range range) {
    return slab->start[range.first];
}
static inline size_t plb_slab_range_words(const plb_slab *slab, plb_block_range range) {
    return slab->start[range.last] - slab->start[range.first];
}

/* Set the bits of all positions of a range. range_words begins at its first word. */
void plb_slab_fill_range(const plb_slab *slab, plb_block_range range, uint64_t *range_words);

typedef enum plb_block_set { PLB_LIVE, PLB_FRINGE, PLB_UNDECIDED } plb_block_set;

typedef struct plb_runs plb_runs; /* slab_runs.h */

/* Shape the planes of a set of cells: list its live, fringe or undecided blocks. PLB_UNDECIDED is
 * for normal play only.
 *
 * runs  [in]   only blocks of these runs (slab_runs.h); NULL: all
 * slab  [out]  zeroed, or used before: its memory is reused
 *
 * Errors: PLB_ENOMEM. Free with plb_slab_free. */
int plb_slab_shape(const plb_game *game, uint64_t occupied, plb_block_set set, const plb_runs *runs,
                   plb_slab *slab);

/* Find the size of each run: sizes [1 << bits]. Errors: PLB_ENOMEM. */
typedef struct plb_run_size {
    uint64_t blocks, words;
} plb_run_size;
int plb_slab_size_runs(const plb_game *game, uint64_t occupied, plb_block_set set, int bits,
                       plb_run_size *sizes);

void plb_slab_free(plb_slab *slab);

/* List the groups that lack only one cell, which is one of `cells`: their other cells, as sets of
 * stones. sets: [game->group_count]. Returns the number of sets. */
int plb_slab_list_completable(const plb_game *game, uint64_t occupied, uint64_t cells,
                              uint64_t *sets);

/* Copy a range of a plane to a shape with fewer blocks.
 *
 * from, words  [in]   the shape with all blocks, and its plane
 * to, range    [in]   the other shape, and a range of its blocks
 * range_words  [out]  the words of the range  */
void plb_slab_copy_range(const plb_slab *from, const uint64_t *words, const plb_slab *to,
                         plb_block_range range, uint64_t *range_words);

/* The first block with at least this hi; slab->blocks if there is none. */
size_t plb_slab_find_block(const plb_slab *slab, uint64_t hi);

/* The number of ones among the low stones in a block. */
static inline int plb_slab_low_ones(const plb_slab *slab, size_t block) {
    return slab->ones - plb_popcount(slab->hi[block]);
}

/* The stone on a cell. */
static inline int plb_slab_stone(uint64_t occupied, int cell) {
    return plb_popcount(occupied & plb_low_bits(cell));
}

/* ---- planes and their shape in one allocation ----
 *
 *     [slab_planes][planes, one word][hi][start]  */

typedef struct plb_slab_planes {
    plb_planes planes;
    plb_slab shape; /* without groups and ranks */
} plb_slab_planes;

enum { PLB_PLANES_ALIGNMENT = 64 }; /* bytes, if several are in one buffer */

/* The bytes of a number of planes of a shape, and their layout in memory of this size. The planes
 * are not initialized. */
uint64_t plb_slab_planes_bytes(const plb_slab *shape, int planes);
void plb_slab_planes_lay_out(plb_slab_planes *made, const plb_slab *shape, int planes);
