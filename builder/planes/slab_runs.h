/* SPDX-License-Identifier: MIT
 *
 * Runs of a slab: the words whose highest stones have the same colours. Whole blocks, one after
 * another; so a slab can be solved, stored and read a few runs at a time.
 *
 *     word   [ run: the highest stones | the other high stones | lo ]
 *     slab   [ run 0 | run 1 | run 2 | .. ]     many are empty
 *
 * Adding a stone keeps the order of words, so that some runs of a slab have a few runs of the next
 * slab as children, and a symmetry maps them to a few runs as far as it keeps stones high.
 */
#ifndef PLB_BUILDER_PLANES_SLAB_RUNS_H
#define PLB_BUILDER_PLANES_SLAB_RUNS_H

#include "builder/planes/slab_shape.h"
#include "tables/games/symmetry.h"

enum { PLB_RUN_BITS = 12, PLB_RUNS = 1 << PLB_RUN_BITS };

/* Some runs of a slab. */
struct plb_runs {
    int bits; /* stones that make a run, at most PLB_RUN_BITS and plb_runs_max_bits */
    uint64_t wanted[PLB_RUNS / 64];
};

/* With a number of stones the most that can make a run. */
int plb_runs_max_bits(int stones);

static inline bool plb_runs_have(const plb_runs *runs, uint64_t run) {
    return runs->wanted[run / 64] >> (run % 64) & 1;
}
static inline void plb_runs_add(plb_runs *runs, uint64_t run) {
    runs->wanted[run / 64] |= 1ULL << (run % 64);
}

/* All runs of a slab; no run. */
plb_runs plb_runs_all(int bits);
static inline plb_runs plb_runs_none(int bits) {
    return (plb_runs){.bits = bits};
}

/* The blocks of a run in a shape. */
plb_block_range plb_runs_blocks(const plb_slab *slab, int bits, uint64_t run);

/* The rank of the first word of a run, or of the run after the last one: where they end. */
uint64_t plb_runs_first_rank(int stones, int bits, uint64_t run);

/* Where the words of one slab come from in another: for each stone of it, lowest first, a stone of
 * the other; PLB_RUN_O or PLB_RUN_X: it has this colour. */
enum { PLB_RUN_O = -2, PLB_RUN_X = -1 };
typedef struct plb_run_map {
    int stones, from_stones;
    int8_t from[PLB_MAX_CELLS];
} plb_run_map;

/* The image of a slab under an element of the symmetry group; and with one more stone of a colour.
 */
plb_run_map plb_run_map_image(const plb_symmetry *symmetry, int element, uint64_t occupied);
void plb_run_map_insert(plb_run_map *map, int stone, unsigned colour);

/* Add those runs of a slab that have words which come from a run of the other one.
 *
 * from_bits  [in]      of the other one
 * bytes      [in]      of each run, or NULL
 *
 * Returns the bytes of the runs that were not there. */
double plb_runs_map(const plb_run_map *map, int from_bits, uint64_t run, const double *bytes,
                    plb_runs *to);

/* The runs that have words which come from some of the other one's. */
plb_runs plb_runs_map_all(const plb_run_map *map, const plb_runs *from, int to_bits);

#endif
