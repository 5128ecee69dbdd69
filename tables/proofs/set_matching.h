/* SPDX-License-Identifier: MIT
 *
 * Set matching: disjoint parts, each of them a pair (pairing.h) or a configuration
 * (configurations.h), such that every set of a family contains a pair or a group of a
 * configuration. A configuration is placed on cells, one for each marker, so that its groups lie in
 * different sets.
 *
 *     a4 b4 c4 d4      The four rows, the four columns and the two long diagonals, all cells empty:
 *     a3 b3 c3 d3      16 cells are too few for ten pairs. Two BiTriangles, each with 8 cells and a
 *     a2 b2 c2 d2      group in each of five sets, are a set matching.
 *     a1 b1 c1 d1
 *
 * As of a pairing, two things follow for a player whose sets these are, with either to move:
 *
 *   he can be kept from completing a set: the other player answers in the part in which he moves;
 *   he can avoid to complete one, if he does not place the last stone and there is one
 *   configuration at most: the configuration, alone or with a free cell, serves him, and beside it
 *   he answers in the pairs.
 *
 * tests/tables/test_configurations.c computes the latter of every configuration, and that neither
 * one serves a player who places the last stone nor two serve any player.
 *
 * Source: Jos W.H.M. Uiterwijk, Set Matching: An Enhancement of the Hales-Jewett Pairing Strategy,
 * for the first; pairs that lie in several sets are not in the paper.
 *
 * Must not know: games, boards, positions, stones.
 */
#ifndef PLB_TABLES_PROOFS_SET_MATCHING_H
#define PLB_TABLES_PROOFS_SET_MATCHING_H

#include "tables/proofs/configurations.h"
#include "tables/proofs/pairing.h"

enum {
    PLB_MOST_SETS = 256,                /* of a family */
    PLB_MOST_PARTS = PLB_MAX_CELLS / 2, /* of a set matching */
    PLB_A_PAIR = -1,                    /* in place of the number of a configuration */
};

typedef struct plb_part {
    int configuration;               /* its number, or PLB_A_PAIR */
    int count;                       /* of cells: markers of the configuration, or 2 */
    uint8_t cells[PLB_MOST_MARKERS]; /* [count] for the markers a, b .. in turn */
} plb_part;

typedef struct plb_set_matching {
    int count;
    plb_part parts[PLB_MOST_PARTS]; /* [count] configurations first */
} plb_set_matching;

typedef struct plb_matching_limits {
    uint64_t steps;                    /* partial matchings to look at, at most; 0: no limit */
    int configurations;                /* to be placed, at most */
    const volatile sig_atomic_t *stop; /* the search ends soon after it becomes nonzero, or NULL */
} plb_matching_limits;

/* Find a set matching.
 *
 * sets    [in]   [count] at most PLB_MOST_SETS, none containing another (plb_pairing_reduce)
 * answer  [out]  PLB_PAIRING_NONE is a proof
 * found   [out]  written when there is one
 *
 * The answer depends on the sets, on their order where limits->steps do not suffice, and on nothing
 * else but the stop flag.
 *
 * Errors:  PLB_EARGUMENT: too many sets; PLB_ENOMEM.
 * Cost:    where a pairing does, that of plb_pairing_find. Else up to milliseconds for ten sets of
 *          four cells, and exponentially more. Threads: safe.  */
int plb_set_matching_find(const uint64_t *sets, int count, const plb_matching_limits *limits,
                          plb_pairing_answer *answer, plb_set_matching *found);

#endif
