/* SPDX-License-Identifier: MIT
 *
 * The work of a pass over a ply by kind, and the processor time that each kind takes: a forecast is
 * the product of the two. The times were measured with `tools/measure/bench --rates`, which
 * measures them again. Must not know: games.
 */
#ifndef PLB_BUILDER_FORECAST_COST_RATES_H
#define PLB_BUILDER_FORECAST_COST_RATES_H

typedef enum plb_work_kind {
    PLB_WORK_ENTRIES,      /* entries of the blocks that have planes, times planes */
    PLB_WORK_NEIGHBOURS,   /* PLB_WORK_ENTRIES times neighbours of their slab */
    PLB_WORK_RUNS,         /* PLB_WORK_ENTRIES times what is permuted for their slab by runs, */
    PLB_WORK_BITS,         /* and bit by bit */
    PLB_WORK_FETCHES,      /* neighbours of all slabs */
    PLB_WORK_FREELY,       /* live entries of which it is found without gravity what is reachable */
    PLB_WORK_COLUMNS,      /* those that have planes, of which it is found by columns */
    PLB_WORK_STORED,       /* positions that are stored, times bits of a value */
    PLB_WORK_CHILDREN,     /* children of keys, times symmetries and 8 */
    PLB_WORK_READ,         /* PLB_WORK_NEIGHBOURS, if no planes stay in memory */
    PLB_WORK_READ_FETCHES, /* PLB_WORK_FETCHES, if no planes stay in memory */
    PLB_WORKS
} plb_work_kind;

typedef struct plb_work {
    double amount[PLB_WORKS];
} plb_work;

extern const char *const plb_work_names[PLB_WORKS];

/* Processor seconds of one piece of work, on one core of an AMD EPYC (Zen 4); on other machines
 * all of them are longer or shorter by about one factor. */
typedef double plb_rates[PLB_WORKS];
extern const plb_rates plb_forward_rates, plb_backward_rates;

/* Processor seconds of work. read_share: the share of planes that do not stay in memory. */
double plb_work_seconds(const plb_work *work, const plb_rates rates, double read_share);

#endif
