/* SPDX-License-Identifier: MIT */
#include "builder/forecast/cost_rates.h"

#define NANO 1e-9

plb_cost plb_cost_of_pass(double slabs, double entries, plb_cost_neighbours each) {
    return (plb_cost){{
        [PLB_COST_ENTRIES] = entries,
        [PLB_COST_NEIGHBOURS] = entries * each.count,
        [PLB_COST_RUNS] = entries * each.by_runs,
        [PLB_COST_BITS] = entries * each.by_bits,
        [PLB_COST_FETCHES] = slabs * each.count,
        [PLB_COST_READ] = entries * each.count,
        [PLB_COST_READ_FETCHES] = slabs * each.count,
    }};
}

const plb_rates plb_forward_rates = {
    [PLB_COST_ENTRIES] = 0.45 * NANO, [PLB_COST_NEIGHBOURS] = 0.025 * NANO,
    [PLB_COST_RUNS] = 0.05 * NANO,    [PLB_COST_BITS] = 1.0 * NANO,
    [PLB_COST_FETCHES] = 700 * NANO,  [PLB_COST_CHILDREN] = 12 * NANO,
    [PLB_COST_READ] = 0.02 * NANO,    [PLB_COST_READ_FETCHES] = 100 * NANO,
};

const plb_rates plb_backward_rates = {
    [PLB_COST_ENTRIES] = 0.2 * NANO, [PLB_COST_NEIGHBOURS] = 0.05 * NANO,
    [PLB_COST_RUNS] = 0.35 * NANO,   [PLB_COST_BITS] = 2.4 * NANO,
    [PLB_COST_FETCHES] = 300 * NANO, [PLB_COST_STORED] = 10 * NANO,
    [PLB_COST_FREELY] = 1.6 * NANO,  [PLB_COST_COLUMNS] = 0.6 * NANO,
    [PLB_COST_READ] = 0.12 * NANO,   [PLB_COST_READ_FETCHES] = 600 * NANO,
    [PLB_COST_CHILDREN] = 23 * NANO,
};

double plb_cost_seconds(const plb_cost *work, const plb_rates rates, double bytes,
                        double memory_bytes) {
    /* The share of planes that must be read: those that do not fit in memory. If there is any
     * memory, a cache keeps a plane until all neighbours have used it, so each is read once. */
    double share = bytes > memory_bytes ? 1 - memory_bytes / bytes : 0;
    double once = work->amount[PLB_COST_ENTRIES], each = work->amount[PLB_COST_NEIGHBOURS];
    if (memory_bytes > 0 && each > once) share *= once / each;
    double seconds = 0;
    for (int kind = 0; kind < PLB_COSTS; kind++)
        seconds += work->amount[kind] * rates[kind] * (kind >= PLB_COST_READ ? share : 1);
    return seconds;
}
