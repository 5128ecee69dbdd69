/* SPDX-License-Identifier: MIT
 *
 * The work of a pass over a ply by kind, and the processor time that each kind took when it was
 * measured: a forecast is the product of the two. Which tables have the record `columns` depends on
 * these times, so they do not change. Must not know: games.
 */
#ifndef PLB_BUILDER_FORECAST_COST_RATES_H
#define PLB_BUILDER_FORECAST_COST_RATES_H

typedef enum plb_cost_kind {
    PLB_COST_ENTRIES,      /* entries of the blocks that have planes, times planes */
    PLB_COST_NEIGHBOURS,   /* PLB_COST_ENTRIES times neighbours of their slab */
    PLB_COST_RUNS,         /* PLB_COST_ENTRIES times what is permuted for their slab by runs, */
    PLB_COST_BITS,         /* and bit by bit */
    PLB_COST_FETCHES,      /* neighbours of all slabs */
    PLB_COST_FREELY,       /* live entries of which it is found without gravity what is reachable */
    PLB_COST_COLUMNS,      /* those that have planes, of which it is found by columns */
    PLB_COST_STORED,       /* positions that are stored, times bits of a value */
    PLB_COST_CHILDREN,     /* children of keys, times symmetries and 8 */
    PLB_COST_READ,         /* PLB_COST_NEIGHBOURS, if no planes stay in memory */
    PLB_COST_READ_FETCHES, /* PLB_COST_FETCHES, if no planes stay in memory */
    PLB_COSTS
} plb_cost_kind;

typedef struct plb_cost {
    double amount[PLB_COSTS];
} plb_cost;

/* Neighbours of a slab in one direction: all, and what is permuted for them in either way. */
typedef struct plb_cost_neighbours {
    double count, by_runs, by_bits;
} plb_cost_neighbours;

/* The work of a pass over some slabs. entries: of blocks that have planes, times planes. */
plb_cost plb_cost_of_pass(double slabs, double entries, plb_cost_neighbours each);

/* Processor seconds of one piece of work, on one core of an AMD EPYC (Zen 4); on other machines
 * all of them are longer or shorter by about one factor. */
typedef double plb_rates[PLB_COSTS];
extern const plb_rates plb_forward_rates, plb_backward_rates;

/* Processor seconds of work that needs so many bytes of planes, with so much memory for them: those
 * that it does not hold are read. */
double plb_cost_seconds(const plb_cost *work, const plb_rates rates, double bytes,
                        double memory_bytes);

#endif
