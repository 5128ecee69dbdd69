/* SPDX-License-Identifier: MIT
 *
 * The shape of a slab's planes. A plane holds one property, one bit per colouring (word) of the
 * slab. Words are split into the colours of the lowest stones and `hi`, those of the others:
 *
 *     word   [ hi: stones low..n-1 | lo: stones 0..low-1 ]        low = min(n, PLB_LOW)
 *     plane  [ block of hi 0 | block of hi 1 | block of hi 3 | .. ]   in numeric order of hi
 *
 * For one hi the ranks of lo are contiguous: C(low, j) bits, j being the ones left for lo. Every
 * block starts at a 64-bit word; the bits after it are 0, those of values anything. A block is dead
 * when hi alone contains a complete group: whatever lo is, the game was over before or is now, so
 * no plane has it and no kernel touches it. Blocks of the fringe are the dead ones that a last move
 * may have made: they are counted, then forgotten.
 *
 * In normal play a block is won when hi alone gives the mover a group that he can complete
 * immediately: whatever lo is, he wins, or the game was over. Its positions need no planes either:
 * undecided blocks are the live ones that are not won.
 */
#ifndef PLB_BUILDER_PLANES_SLAB_SHAPE_H
#define PLB_BUILDER_PLANES_SLAB_SHAPE_H

#include "tables/binomial.h"
#include "tables/bits.h"
#include "tables/games/game.h"

/* ---- blocks ----
 *
 * For m stones of which j are x there are C(m, j) words, in numeric order. The mask of (m, j, i, b)
 * has a bit for each of them, set where stone i has colour b (1 = x). It serves twice: to gather or
 * scatter the half of a block in which a given stone has a given colour, and as the plane "stone i
 * has colour b". Masks depend on no board and no set of cells; all is filled when the first slab is
 * shaped, and constant from then on. */

enum {
    PLB_LOW = 12,         /* stones that vary within a block of a plane */
    PLB_BLOCK_WORDS = 16, /* 64-bit words that hold the largest block, C(12, 6) = 924 bits: 15,
                             and one more, which makes whole vectors */
    PLB_MOVE_STEPS = 6,   /* log2 of the bits in a word */
};

typedef struct plb_mask {
    _Alignas(32) uint64_t bits[PLB_BLOCK_WORDS];     /* the plane; 0 after its end */
    int words;                                       /* 64-bit words in use */
    uint8_t ones[PLB_BLOCK_WORDS];                   /* ones of each word */
    uint64_t moves[PLB_BLOCK_WORDS][PLB_MOVE_STEPS]; /* how to gather without BMI2: the bits
                                                        to move down by 1, 2, 4 .. */
} plb_mask;

/* The words of the low stones by number of ones in numeric order, and each one's place there. The
 * words of fewer than PLB_LOW stones are the first of each list. */
enum { PLB_LOW_CHOICES = 924 }; /* C(12, 6): words with as many ones, at most */
extern uint16_t plb_low_words[PLB_LOW + 1][PLB_LOW_CHOICES];
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
    int stones, ones;  /* n, and how many are x */
    int low;           /* stones of a block */
    int group_count;   /* groups inside the set */
    int low_groups;    /* those with a low stone, the only ones that live blocks may complete */
    uint64_t *groups;  /* [group_count] these, as sets of stones, low_groups first */
    size_t blocks;     /* of the set that was shaped, in numeric order of hi */
    size_t words;      /* 64-bit words of a plane */
    uint64_t *hi;      /* [blocks] colours of stones low..n-1 */
    uint64_t *rank;    /* [blocks] colex rank of the block's first word in the slab */
    uint64_t *start;   /* [blocks + 1] first 64-bit word of the block in a plane */
    size_t capacity;   /* blocks that hi, rank and start have space for */
    int groups_capacity;
} plb_slab;

/* Planes of a slab with their shape. */
typedef struct plb_planes {
    const plb_slab *shape;
    int count;
    uint64_t *words; /* [count * shape->words] one plane after another */
} plb_planes;

static inline uint64_t *plb_planes_get(const plb_planes *planes, int number) {
    return planes->words + number * planes->shape->words;
}

/* A range of blocks of a slab: [first, last). Work goes by ranges, so that threads can share a
 * slab. */
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

/* range_words = every position of a range, from its first word on. */
void plb_slab_fill_range(const plb_slab *slab, plb_block_range range, uint64_t *range_words);

typedef enum plb_block_set { PLB_LIVE, PLB_FRINGE, PLB_UNDECIDED } plb_block_set;

typedef struct plb_runs plb_runs; /* slab_runs.h */

/* Shape the planes of a set of cells: the blocks of a set; PLB_UNDECIDED in normal play only.
 *
 * runs  [in]   whose blocks are wanted (slab_runs.h); NULL: all
 * slab  [out]  zeroed, or used before: its memory is reused
 *
 * Errors: PLB_ENOMEM. Free with plb_slab_free. */
int plb_slab_shape(const plb_game *game, uint64_t occupied, plb_block_set set, const plb_runs *runs,
                   plb_slab *slab);

/* The sizes of runs: [1 << bits]. Errors: PLB_ENOMEM. */
typedef struct plb_run_size {
    uint64_t blocks, words;
} plb_run_size;
int plb_slab_size_runs(const plb_game *game, uint64_t occupied, plb_block_set set, int bits,
                       plb_run_size *sizes);

void plb_slab_free(plb_slab *slab);

/* What a colour needs to complete a group on one of some empty cells: the other cells of each such
 * group, as sets of stones. sets: [game->group_count]. Returns how many there are. */
int plb_slab_list_completable(const plb_game *game, uint64_t occupied, uint64_t cells,
                              uint64_t *sets);

/* Copy a range of a plane from one set of blocks to another, all of which the first one has.
 *
 * from, words  [in]   the first set, and a plane of it
 * to, range    [in]   the second, and a range of it
 * range_words  [out]  the words of the range, from its first on  */
void plb_slab_copy_range(const plb_slab *from, const uint64_t *words, const plb_slab *to,
                         plb_block_range range, uint64_t *range_words);

/* The first block with at least this hi; blocks if there is none. */
size_t plb_slab_find_block(const plb_slab *slab, uint64_t hi);

/* Ones among the low stones of a block. */
static inline int plb_slab_low_ones(const plb_slab *slab, size_t block) {
    return slab->ones - plb_popcount(slab->hi[block]);
}

/* The stone on a cell: its number among the occupied cells. */
static inline int plb_slab_stone(uint64_t occupied, int cell) {
    return plb_popcount(occupied & plb_low_bits(cell));
}

/* ---- planes and their shape in one allocation ----
 *
 *     [slab_planes][planes, one word][hi][start]  */

typedef struct plb_slab_planes {
    plb_planes planes; /* not written yet */
    plb_slab shape;    /* without groups and ranks */
} plb_slab_planes;

enum { PLB_PLANES_ALIGNMENT = 64 }; /* bytes, where there are many */

/* The bytes of so many planes of a shape, which then are laid out in memory for them. */
uint64_t plb_slab_planes_bytes(const plb_slab *shape, int planes);
void plb_slab_planes_lay_out(plb_slab_planes *made, const plb_slab *shape, int planes);

#endif
