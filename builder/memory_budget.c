/* SPDX-License-Identifier: MIT */
#include "builder/memory_budget.h"

#include <malloc.h>
#include <math.h>
#include <sys/resource.h>

#include "tables/bits.h"

/* What workers may take more than was forecast, when several slabs are all bigger than most. */
static const double comfort = 1.2;

/* The spare memory in quarters. */
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
    uint64_t most = 0;
    for (int ply = 0; ply <= PLB_MAX_CELLS; ply++) most = plb_max(most, budget->cache_bytes[ply]);
    return most;
}

double plb_budget_spare_for_planes(double bytes) {
    return bytes * SHARES / PLY_MEMORY;
}

/* What counting takes for each thread but the first: 0.41 times as much for the second on
 * connect-6x6-k4, less for more. */
static const double helper_share = 0.45;

plb_budget plb_budget_make(const plb_memory_needs *needs, int threads, double memory_bytes) {
    double base = needs->shared_bytes + threads * needs->thread_bytes, most = 0;
    double bytes[PLB_MAX_CELLS + 1]; /* of all workers on a ply */
    int workers[PLB_MAX_CELLS + 1];
    bool cuts[PLB_MAX_CELLS + 1];
    memory_bytes = floor(memory_bytes); /* as what is needed is whole bytes, too */
    for (int ply = 0; ply <= PLB_MAX_CELLS; ply++) {
        double whole = needs->worker_bytes[ply], least = needs->piece_bytes[ply];
        double left = memory_bytes - base - needs->exchange_bytes[ply];
        workers[ply] = threads;
        while (workers[ply] > 0 && workers[ply] * whole * comfort > left) workers[ply]--;
        cuts[ply] = workers[ply] == 0 && least < whole;
        if (workers[ply] == 0) workers[ply] = 1;
        bytes[ply] = cuts[ply] ? fmax(least, fmin(whole * comfort, left)) : workers[ply] * whole;
        most = fmax(most, bytes[ply] + needs->exchange_bytes[ply]);
    }
    plb_budget budget = plb_budget_of_spare((uint64_t)fmax(0, memory_bytes - base - most));
    budget.memory_bytes = memory_bytes;
    budget.needed_bytes = ceil(fmax(base + most, needs->rounds_bytes));
    budget.ahead_in_rounds = memory_bytes < needs->ahead_bytes;
    double ahead = budget.ahead_in_rounds ? needs->rounds_bytes : needs->ahead_bytes;
    double helpers = (memory_bytes - ahead) / fmax(1, helper_share * ahead);
    budget.ahead_threads = 1 + (int)fmax(0, fmin(helpers, threads - 1));
    for (int ply = 0; ply <= PLB_MAX_CELLS; ply++) {
        budget.workers[ply] = workers[ply];
        if (cuts[ply]) budget.piece_bytes[ply] = bytes[ply];
        budget.slab_bytes[ply] = comfort * needs->worker_bytes[ply];
        double idle_bytes =
            most - (cuts[ply] ? 1 : comfort) * bytes[ply] - needs->exchange_bytes[ply];
        if (budget.needed_bytes <= memory_bytes)
            budget.cache_bytes[ply] += (uint64_t)fmax(0, idle_bytes);
    }
    /* Planes of a ply stay in memory if most of them fit. Where those of a ply and its neighbours
     * do not, the cache has that memory. */
    for (int ply = 0; ply <= PLB_MAX_CELLS; ply++)
        budget.holds[ply] =
            !cuts[ply] && needs->held_bytes[ply] <= 2 * (double)budget.ply_memory_bytes;
    for (int ply = 0; ply <= PLB_MAX_CELLS; ply++) {
        int before = ply > 0 ? ply - 1 : ply, after = ply < PLB_MAX_CELLS ? ply + 1 : ply;
        if (!budget.holds[before] && !budget.holds[ply] && !budget.holds[after])
            budget.cache_bytes[ply] += budget.ply_memory_bytes;
    }
    return budget;
}

/* For the system stacks of threads count; the program itself does not, but is resident. What big
 * buffers give back goes back to the system. */
void plb_budget_bound_process(double memory_bytes, double stack_bytes) {
    enum { PROGRAM_BYTES = 6 << 20, BIG_BYTES = 1 << 20 };
    struct rlimit limit;
    mallopt(M_MMAP_THRESHOLD, BIG_BYTES);
    if (getrlimit(RLIMIT_DATA, &limit) != 0) return;
    limit.rlim_cur = (rlim_t)fmax(0, memory_bytes + stack_bytes - PROGRAM_BYTES);
    if (limit.rlim_cur < limit.rlim_max) setrlimit(RLIMIT_DATA, &limit);
}
