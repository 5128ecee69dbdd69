/* SPDX-License-Identifier: MIT
 *
 * Weights: a sparse matrix with the number of ways to fill the columns so far, by frontier, by
 * state of the sweep (sweep_states.h) and by number of stones. Each frontier, the *owner*, has a
 * list of runs, one for each state with nonzero numbers:
 *
 *     owner 0    state 5: [7, 12, 3 ways with 4, 6, 8 stones]   state 9: [1]
 *     owner 1    state 2: ...
 *
 * Numbers are signed, modulo 2^64 or 2^128. All numbers of a run are stored in the same number of
 * bytes, as few as they need: mostly one. Must not know: what states and frontiers mean.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PLB_WEIGHT_BYTES = 8 }; /* that must be readable from the first number of a run */

/* The weights of one state, by half the number of stones: the state determines its parity. */
typedef struct plb_weight_run {
    uint32_t state;                  /* 1 or more */
    uint32_t first : 12, count : 12; /* half the stones of the first number; count of numbers */
    uint32_t bytes : 8;              /* of each number: 1, 2, 4, 8 or 16 */
} plb_weight_run;

/* The runs of all owners, one owner after another, each with ascending states. */
typedef struct plb_weights {
    int limbs;            /* 64-bit words of the largest numbers, 1 or 2 */
    plb_weight_run *runs; /* [run_count] */
    uint8_t *values;      /* [value_count] bytes: the numbers of all runs, one run after another;
                             PLB_WEIGHT_BYTES more are allocated */
    size_t *runs_end;     /* [owners] */
    size_t *values_end;   /* [owners] */
    size_t run_count, run_capacity, value_count, value_capacity;
    uint32_t owners, owner_capacity;
} plb_weights;

/* The sums of one owner, under construction. */
typedef struct plb_weight_sums {
    int limbs, max_stride; /* max_stride: numbers of a state on the whole board */
    int stride; /* numbers of a state in the columns so far; may change while there are no sums */
    uint64_t *sums;       /* [state_capacity][stride][limbs]; allocated for max_stride, and for a
                             short run more */
    uint16_t (*spans)[2]; /* [state_capacity] half-open range of touched numbers; end 0: none */
    uint64_t *touched;    /* [state_capacity / 64] bit mask of the states with sums */
    uint32_t state_capacity, touched_count; /* touched_count: bits of `touched` */
    plb_weights merged[2];                  /* temporary owners while several are merged */
} plb_weight_sums;

/* All errors: PLB_ENOMEM. To initialise, set limbs, max_stride and stride, and zero the rest. */

void plb_weights_free(plb_weights *weights);

/* Remove all owners, and keep the memory. */
static inline void plb_weights_clear(plb_weights *weights) {
    weights->owners = 0;
    weights->run_count = weights->value_count = 0;
}

/* Index of the first run of an owner, and address of its first number. */
static inline size_t plb_weights_runs_begin(const plb_weights *weights, uint32_t owner) {
    return owner ? weights->runs_end[owner - 1] : 0;
}
static inline const uint8_t *plb_weights_values(const plb_weights *weights, uint32_t owner) {
    return weights->values + (owner ? weights->values_end[owner - 1] : 0);
}

/* Bytes of all numbers of a run. */
static inline size_t plb_weight_run_size(const plb_weight_run *run) {
    return (size_t)run->count * run->bytes;
}

/* Read a number of `bytes` bytes in two's complement. */
__extension__ typedef __int128 plb_weight;
plb_weight plb_weight_at(const uint8_t *values, int bytes);

/* Add `times` times the numbers of a run, at `values`; times may be negative. PLB_WEIGHT_BYTES
 * bytes of `values` must be readable, even if the run is shorter. */
int plb_weight_sums_add(plb_weight_sums *sums, const plb_weight_run *run, const uint8_t *values,
                        int times);

/* Append the sums to `weights` as a new owner, and clear them. */
int plb_weight_sums_take(plb_weight_sums *sums, plb_weights *weights);
void plb_weight_sums_free(plb_weight_sums *sums);

/* Weights, and the new number of each owner. */
enum { PLB_NOWHERE = -1 };
typedef struct plb_weight_source {
    const plb_weights *weights;
    const int64_t *to; /* [weights->owners] new number; PLB_NOWHERE: leave the owner out */
} plb_weight_source;

/* Renumber owners; owners that get the same number are added up.
 *
 * from    [in]      [sources]
 * places  [in]      number of new owners
 * made    [in,out]  empty; gets one owner for each place; to be freed, also after an error */
int plb_weights_gather(const plb_weight_source *from, int sources, uint32_t places,
                       plb_weight_sums *sums, plb_weights *made);
