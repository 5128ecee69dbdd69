/* SPDX-License-Identifier: MIT */
#include "builder/forecast/cost_rates.h"

#define NANO 1e-9

const char *const plb_work_names[PLB_WORKS] = {
    [PLB_WORK_ENTRIES] = "entry and plane",
    [PLB_WORK_NEIGHBOURS] = "entry of a neighbour",
    [PLB_WORK_RUNS] = "entry permuted by runs",
    [PLB_WORK_BITS] = "entry permuted by bits",
    [PLB_WORK_FETCHES] = "neighbour",
    [PLB_WORK_FREELY] = "entry reached without gravity",
    [PLB_WORK_COLUMNS] = "entry reached by columns",
    [PLB_WORK_STORED] = "stored position and bit",
    [PLB_WORK_CHILDREN] = "image of a child of a key",
    [PLB_WORK_READ] = "entry that is read",
    [PLB_WORK_READ_FETCHES] = "neighbour that is read",
};

const plb_rates plb_forward_rates = {
    [PLB_WORK_ENTRIES] = 0.45 * NANO, [PLB_WORK_NEIGHBOURS] = 0.025 * NANO,
    [PLB_WORK_RUNS] = 0.05 * NANO,    [PLB_WORK_BITS] = 1.0 * NANO,
    [PLB_WORK_FETCHES] = 700 * NANO,  [PLB_WORK_CHILDREN] = 12 * NANO,
    [PLB_WORK_READ] = 0.02 * NANO,    [PLB_WORK_READ_FETCHES] = 100 * NANO,
};

const plb_rates plb_backward_rates = {
    [PLB_WORK_ENTRIES] = 0.2 * NANO, [PLB_WORK_NEIGHBOURS] = 0.05 * NANO,
    [PLB_WORK_RUNS] = 0.35 * NANO,   [PLB_WORK_BITS] = 2.4 * NANO,
    [PLB_WORK_FETCHES] = 300 * NANO, [PLB_WORK_STORED] = 10 * NANO,
    [PLB_WORK_FREELY] = 1.6 * NANO,  [PLB_WORK_COLUMNS] = 0.6 * NANO,
    [PLB_WORK_READ] = 0.12 * NANO,   [PLB_WORK_READ_FETCHES] = 600 * NANO,
    [PLB_WORK_CHILDREN] = 23 * NANO,
};

double plb_work_seconds(const plb_work *work, const plb_rates rates, double read_share) {
    double seconds = 0;
    for (int kind = 0; kind < PLB_WORKS; kind++)
        seconds += work->amount[kind] * rates[kind] * (kind >= PLB_WORK_READ ? read_share : 1);
    return seconds;
}
