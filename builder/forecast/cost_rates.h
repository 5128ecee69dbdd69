/* SPDX-License-Identifier: MIT
 *
 * The work of a pass over a ply by kind, and the measured processor time of each kind; a forecast
 * multiplies them. The times also decide which tables have the record `columns`, so they must not
 * change. Must not know: games.
 */
#pragma once

typedef enum plb_cost_kind {
    PLB_COST_ENTRIES,      /* entries of blocks that have planes, times planes */
    PLB_COST_NEIGHBOURS,   /* PLB_COST_ENTRIES, times neighbours of the slab */
    PLB_COST_RUNS,         /* PLB_COST_ENTRIES, times permutations by runs or blocks */
    PLB_COST_BITS,         /* PLB_COST_ENTRIES, times permutations bit by bit */
    PLB_COST_FETCHES,      /* slabs, times neighbours */
    PLB_COST_FREELY,       /* live entries whose reachability is found without gravity */
    PLB_COST_COLUMNS,      /* entries that have planes, whose reachability is found by columns */
    PLB_COST_STORED,       /* stored positions, times bits of a value */
    PLB_COST_CHILDREN,     /* keys, times moves, times (symmetries + 8) */
    PLB_COST_READ,         /* PLB_COST_NEIGHBOURS; only the share not held in memory is charged */
    PLB_COST_READ_FETCHES, /* PLB_COST_FETCHES; likewise */
    PLB_COSTS
} plb_cost_kind;

typedef struct plb_cost {
    double amount[PLB_COSTS];
} plb_cost;

/* Neighbours of a slab, all parents or all children, and the permutations that they need. */
typedef struct plb_cost_neighbours {
    double count, by_runs, by_bits;
} plb_cost_neighbours;

/* The work of a pass over some slabs. entries: those of blocks that have planes, times planes. */
plb_cost plb_cost_of_pass(double slabs, double entries, plb_cost_neighbours each);

/* Processor seconds of a unit of work on one core of an AMD EPYC (Zen 4). Other machines are faster
 * or slower by about the same factor for all kinds. */
typedef double plb_rates[PLB_COSTS];
extern const plb_rates plb_forward_rates, plb_backward_rates;

/* Processor seconds of work. bytes: planes that it needs; memory_bytes: memory that holds them.
 * Planes that do not fit are read from scratch files. */
double plb_cost_seconds(const plb_cost *work, const plb_rates rates, double bytes,
                        double memory_bytes);
