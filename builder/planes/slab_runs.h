/* SPDX-License-Identifier: MIT
 *
 * Runs of a slab. A run has all colourings in which the highest stones have the same colours. It is
 * a range of whole blocks, so that a slab can be solved, stored and read a few runs at a time.
 *
 *     colouring  [ run: the highest stones | the other high stones | lo ]
 *     slab       [ run 0 | run 1 | run 2 | .. ]     many are empty
 *
 * Inserting a stone keeps the order of colourings. So the children of a few runs are in few runs of
 * the next slab. A symmetry maps few runs to few runs if it maps high stones to high stones.
 */
#pragma once

#include "builder/planes/slab_shape.h"
#include "tables/games/symmetry.h"

enum { PLB_RUN_BITS = 12, PLB_RUNS = 1 << PLB_RUN_BITS };

/* A set of runs. */
struct plb_runs {
    int bits; /* stones whose colours number a run; at most plb_runs_max_bits */
    uint64_t wanted[PLB_RUNS / 64];
};

/* The maximum of `bits` for a slab with a number of stones, at most PLB_RUN_BITS. */
int plb_runs_max_bits(int stones);

static inline bool plb_runs_have(const plb_runs *runs, uint64_t run) {
    return runs->wanted[run / 64] >> (run % 64) & 1;
}
static inline void plb_runs_add(plb_runs *runs, uint64_t run) {
    runs->wanted[run / 64] |= 1ULL << (run % 64);
}

/* The set of all runs; the empty set. */
plb_runs plb_runs_all(int bits);
static inline plb_runs plb_runs_none(int bits) {
    return (plb_runs){.bits = bits};
}

/* The blocks of a run in a shape. */
plb_block_range plb_runs_blocks(const plb_slab *slab, int bits, uint64_t run);

/* The rank of the first colouring of a run. For run == 1 << bits: the size of the slab. */
uint64_t plb_runs_first_rank(int stones, int bits, uint64_t run);

/* Maps colourings of one slab, `from`, to those of another, `to`. */
enum { PLB_RUN_O = -2, PLB_RUN_X = -1 };
typedef struct plb_run_map {
    int stones, from_stones;    /* stones of `to` and of `from` */
    int8_t from[PLB_MAX_CELLS]; /* [stones] the stone of `from` whose colour each stone gets; or its
                                   fixed colour, PLB_RUN_O or PLB_RUN_X */
} plb_run_map;

/* The map from a slab to its image under a symmetry. And insert a stone of a colour into `to`. */
plb_run_map plb_run_map_image(const plb_symmetry *symmetry, int element, uint64_t occupied);
void plb_run_map_insert(plb_run_map *map, int stone, unsigned colour);

/* Add the runs to which a run of `from` is mapped.
 *
 * from_bits  [in]      `bits` of the runs of `from`
 * bytes      [in]      size of each run of `to`, or NULL
 *
 * Returns the bytes of the runs that were added. */
double plb_runs_map(const plb_run_map *map, int from_bits, uint64_t run, const double *bytes,
                    plb_runs *to);

/* The runs to which a set of runs is mapped. */
plb_runs plb_runs_map_all(const plb_run_map *map, const plb_runs *from, int to_bits);
