/* SPDX-License-Identifier: MIT */
#include "builder/memory_budget.h"

#include <malloc.h>
#include <math.h>
#include <sys/resource.h>

#include "tables/bits.h"

/* Workers may take this many times what is forecast, if several large slabs are solved together. */
static const double slack = 1.2;

/* Shares of the spare memory, in quarters. */
enum { SHARES = 4, PLY_MEMORY = 3, CACHE = 1 };
_Static_assert(PLY_MEMORY + CACHE == SHARES, "spare memory is shared out");

plb_budget plb_budget_of_spare(uint64_t spare_bytes) {
    uint64_t share = spare_bytes / SHARES;
    plb_budget budget = {.memory_bytes = (double)spare_bytes,
                         .ply_memory_bytes = PLY_MEMORY * share};
    for (int ply = 0; ply <= PLB_MAX_CELLS; ply++) {
        budget.holds[ply] = true;
        budget.cache_bytes[ply] = CACHE * share;
    }
    return budget;
}

void plb_budget_drop_spare(plb_budget *budget) {
    budget->ply_memory_bytes = 0;
    for (int ply = 0; ply <= PLB_MAX_CELLS; ply++) budget->cache_bytes[ply] = 0;
}

uint64_t plb_budget_max_cache_bytes(const plb_budget *budget) {
    uint64_t max = 0;
    for (int ply = 0; ply <= PLB_MAX_CELLS; ply++) max = plb_max(max, budget->cache_bytes[ply]);
    return max;
}

double plb_budget_spare_for_planes(double bytes) {
    return bytes * SHARES / PLY_MEMORY;
}

/* Memory of each further thread that counts positions, relative to the first one: measured 0.41 for
 * the second thread on connect-6x6-k4, less for further ones. */
static const double helper_share = 0.45;

void plb_budget_count_with(plb_budget *budget, const plb_memory_needs *needs, int threads) {
    double first = budget->ahead_in_rounds ? needs->rounds_bytes : needs->ahead_bytes;
    double helpers = (budget->memory_bytes - first) / fmax(1, helper_share * first);
    budget->ahead_threads = 1 + (int)fmax(0, fmin(helpers, threads - 1));
}

plb_budget plb_budget_make(const plb_memory_needs *needs, int threads, double memory_bytes) {
    double base = needs->shared_bytes + threads * needs->thread_bytes, max = 0;
    double bytes[PLB_MAX_CELLS + 1]; /* all workers on a ply together */
    int workers[PLB_MAX_CELLS + 1];
    bool cuts[PLB_MAX_CELLS + 1];       /* slabs of the ply are solved in pieces */
    memory_bytes = floor(memory_bytes); /* needed_bytes is a whole number, too */
    for (int ply = 0; ply <= PLB_MAX_CELLS; ply++) {
        double whole = needs->worker_bytes[ply], piece = needs->piece_bytes[ply];
        double left = memory_bytes - base - needs->exchange_bytes[ply];
        workers[ply] = threads;
        while (workers[ply] > 0 && workers[ply] * whole * slack > left) workers[ply]--;
        cuts[ply] = workers[ply] == 0 && piece < whole;
        if (workers[ply] == 0) workers[ply] = 1;
        bytes[ply] = cuts[ply] ? fmax(piece, fmin(whole * slack, left)) : workers[ply] * whole;
        max = fmax(max, bytes[ply] + needs->exchange_bytes[ply]);
    }
    plb_budget budget = plb_budget_of_spare((uint64_t)fmax(0, memory_bytes - base - max));
    budget.memory_bytes = memory_bytes;
    budget.needed_bytes = ceil(fmax(base + max, needs->rounds_bytes));
    budget.ahead_in_rounds = memory_bytes < needs->ahead_bytes;
    plb_budget_count_with(&budget, needs, threads);
    for (int ply = 0; ply <= PLB_MAX_CELLS; ply++) {
        budget.workers[ply] = workers[ply];
        if (cuts[ply]) budget.piece_bytes[ply] = bytes[ply];
        budget.slab_bytes[ply] = slack * needs->worker_bytes[ply];
        double idle_bytes = max - (cuts[ply] ? 1 : slack) * bytes[ply] - needs->exchange_bytes[ply];
        if (budget.needed_bytes <= memory_bytes)
            budget.cache_bytes[ply] += (uint64_t)fmax(0, idle_bytes);
        /* Planes of a ply stay in memory if at least half of them fit. */
        budget.holds[ply] =
            !cuts[ply] && needs->held_bytes[ply] <= 2 * (double)budget.ply_memory_bytes;
    }
    /* If neither the planes of a ply nor those of its neighbours stay in memory, the cache gets the
     * ply memory. */
    for (int ply = 0; ply <= PLB_MAX_CELLS; ply++) {
        int before = ply > 0 ? ply - 1 : ply, after = ply < PLB_MAX_CELLS ? ply + 1 : ply;
        if (!budget.holds[before] && !budget.holds[ply] && !budget.holds[after])
            budget.cache_bytes[ply] += budget.ply_memory_bytes;
    }
    return budget;
}

/* RLIMIT_DATA counts thread stacks, but not the code of the program, which is resident memory, too.
 * With the mmap threshold large buffers that are freed go back to the system. */
void plb_budget_bound_process(double memory_bytes, double stack_bytes) {
    enum { PROGRAM_BYTES = 6 << 20, BIG_BYTES = 1 << 20 };
    struct rlimit limit;
    mallopt(M_MMAP_THRESHOLD, BIG_BYTES);
    if (getrlimit(RLIMIT_DATA, &limit) != 0) return;
    limit.rlim_cur = (rlim_t)fmax(0, memory_bytes + stack_bytes - PROGRAM_BYTES);
    if (limit.rlim_cur < limit.rlim_max) setrlimit(RLIMIT_DATA, &limit);
}
