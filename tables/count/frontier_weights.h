/* SPDX-License-Identifier: MIT
 *
 * Weights: in how many ways columns can be filled so that they leave a frontier, by states of the
 * sweep (sweep_states.h) and by stones: rows of numbers, of which most are 0.
 *
 *     frontier 0    state 5: [7, 12, 3 ways with 4, 6, 8 stones]   state 9: [1]
 *     frontier 1    state 2: ...
 *
 * Numbers are taken modulo 2^64 or 2^128, with a sign, and kept in as few bytes as those of a run
 * need: mostly one. Must not know: what states and frontiers mean.
 */
#ifndef PLB_TABLES_COUNT_FRONTIER_WEIGHTS_H
#define PLB_TABLES_COUNT_FRONTIER_WEIGHTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PLB_WEIGHT_BYTES = 8 }; /* that can be read where a number is */

/* Weights of one state: by half the stones, as their parity is known. */
typedef struct plb_weight_run {
    uint32_t state;                  /* 1 or more */
    uint32_t first : 12, count : 12; /* half the stones of the first number; how many there are */
    uint32_t bytes : 8;              /* of each number: 1, 2, 4, 8 or 16 */
} plb_weight_run;

/* Runs of several owners, one owner after another, with ascending states. */
typedef struct plb_weights {
    int limbs;            /* words of the greatest numbers, 1 or 2 */
    plb_weight_run *runs; /* [run_count] */
    uint8_t *values;      /* [value_count] bytes: numbers of all runs, one after another; there is
                             room for PLB_WEIGHT_BYTES more */
    size_t *runs_end;     /* [owners] */
    size_t *values_end;   /* [owners] */
    size_t run_count, run_capacity, value_count, value_capacity;
    uint32_t owners, owner_capacity;
} plb_weights;

/* The sums of one owner, while they are made. */
typedef struct plb_weight_sums {
    int limbs, most; /* most: numbers of a state, on the whole board */
    int stride;      /* numbers of a state, at most `most`; may change while nothing is summed */
    uint64_t
        *sums; /* [state_capacity][stride][limbs], with room for `most`, and a short run more */
    uint16_t (*spans)[2]; /* [state_capacity] first and end of what was touched; end 0: nothing */
    uint64_t *touched;    /* [state_capacity / 64] the set of states with sums, .. */
    uint32_t state_capacity, touched_count; /* .. and how many these are */
    plb_weights merged[2];                  /* an owner each, while several are merged */
} plb_weight_sums;

/* Errors of all: PLB_ENOMEM. Zeroed structures are empty, but for limbs, most and stride. */

void plb_weights_free(plb_weights *weights);

/* No owners any more, but the memory that there was. */
static inline void plb_weights_clear(plb_weights *weights) {
    weights->owners = 0;
    weights->run_count = weights->value_count = 0;
}

/* The first run of an owner, and its first value. */
static inline size_t plb_weights_runs_begin(const plb_weights *weights, uint32_t owner) {
    return owner ? weights->runs_end[owner - 1] : 0;
}
static inline const uint8_t *plb_weights_values(const plb_weights *weights, uint32_t owner) {
    return weights->values + (owner ? weights->values_end[owner - 1] : 0);
}

/* Bytes of its numbers. */
static inline size_t plb_weight_run_size(const plb_weight_run *run) {
    return (size_t)run->count * run->bytes;
}

/* A number, of which so many bytes are kept; its sign is that of the highest bit. */
__extension__ typedef __int128 plb_weight;
plb_weight plb_weight_at(const uint8_t *values, int bytes);

/* Add the numbers of a run so many times; less than 0: subtract them. Of its values
 * PLB_WEIGHT_BYTES can be read, however few there are. */
int plb_weight_sums_add(plb_weight_sums *sums, const plb_weight_run *run, const uint8_t *values,
                        int times);

/* Add all that an owner has. */
int plb_weight_sums_add_owner(plb_weight_sums *sums, const plb_weights *weights, uint32_t owner);

/* What was summed becomes the runs of one owner more, and the sums are empty again. */
int plb_weight_sums_take(plb_weight_sums *sums, plb_weights *weights);
void plb_weight_sums_free(plb_weight_sums *sums);

/* Weights whose owners go to places. */
enum { PLB_NOWHERE = -1 };
typedef struct plb_weight_source {
    const plb_weights *weights;
    const int64_t *to; /* [weights->owners] places; PLB_NOWHERE: left out */
} plb_weight_source;

/* Gather owners: those that go to the same place are summed up into one owner of that number.
 *
 * from    [in]      [sources]
 * places  [in]      how many there are
 * made    [in,out]  empty; one owner for each place; to be freed, also after an error */
int plb_weights_gather(const plb_weight_source *from, int sources, uint32_t places,
                       plb_weight_sums *sums, plb_weights *made);

#endif
