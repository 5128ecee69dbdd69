/* SPDX-License-Identifier: MIT
 *
 * Pairings: disjoint pairs of cells such that every set of a family contains one of them.
 *
 * Two players take cells in turn, any empty cell. A pairing of the sets that a player has not yet
 * lost a cell of, less the cells that he owns, proves two things, with either player to move:
 *
 *   he can be kept from completing a set: the other player takes the second cell of a pair whenever
 *   he takes the first;
 *   he can avoid to complete one: he takes the second cell of a pair whenever the other player
 * takes the first. Else he takes a cell of no pair if the number of empty cells is odd, and any
 * cell if it is even, when cells of no pair count as paired, too: he never has to take the second
 * cell of that pair himself, for it is the other player who then makes the last move.
 *
 * With gravity a cell cannot be taken at any time, and pairs prove nothing.
 *
 *     a3 b3 c3      sets {a1 b1 c1} {a3 b3 c3} {a1 a2 a3}: the pairs a1-b1, b3-c3 and a2-a3 leave
 *     a2 b2 c2      none without a pair; each set has two cells of its own. With {a1 c1 c3} as a
 *     a1 b1 c1      fourth set the pairs a1-c1, b3-c3, a2-a3: a1-c1 serves two sets.
 *
 * A cell is a bit of a 64-bit word, a set of cells and a pair are words.
 *
 * Must not know: games, boards, positions, stones.
 */
#ifndef PLB_TABLES_PROOFS_PAIRING_H
#define PLB_TABLES_PROOFS_PAIRING_H

#include <signal.h>

#include "tables/vocabulary.h"

/* Pairwise disjoint pairs. */
typedef struct plb_pairing {
    int count;
    uint64_t pairs[PLB_MAX_CELLS / 2];
} plb_pairing;

typedef enum plb_pairing_answer {
    PLB_PAIRING_NONE,      /* there is none */
    PLB_PAIRING_FOUND,     /* here is one */
    PLB_PAIRING_UNDECIDED, /* not found out within the steps allowed, or stopped */
} plb_pairing_answer;

typedef struct plb_pairing_limits {
    uint64_t steps;                    /* partial pairings to look at, at most; 0: no limit */
    const volatile sig_atomic_t *stop; /* the search ends soon after it becomes nonzero, or NULL */
} plb_pairing_limits;

/* What a player still needs: the groups without a lost cell, less the cells he owns.
 *
 * groups  [in]   [count]
 * owned, lost    cells
 * sets    [out]  [count] space; may be the groups themselves
 *
 * Returns: the number of sets, in the order of their groups.  */
int plb_pairing_open_sets(const uint64_t *groups, int count, uint64_t owned, uint64_t lost,
                          uint64_t *sets);

/* Drop each set that contains another, for a pairing of the other one serves it, too, and each
 * repetition. The sets come in another order, ascending by their numbers of cells.
 *
 * Returns: the number of sets that are left.  Cost: at most count^2 steps.  */
int plb_pairing_reduce(uint64_t *sets, int count);

/* The simplest pairing: two cells of its own for each set, by bipartite matching.
 *
 * sets   [in]   [count]
 * pairs  [out]  [count] of each set its two cells; NULL: not wanted
 *
 * Returns: is there one? Only then are the pairs written.
 * Source:  Hales and Jewett, Regularity and positional games, 1963 (the pairs); Kuhn, The Hungarian
 *          method for the assignment problem, 1955 (the matching).  */
bool plb_pairing_match(const uint64_t *sets, int count, uint64_t *pairs);

/* Any pairing: a pair may serve several sets.
 *
 * sets    [in]   [count], reordered; best after plb_pairing_reduce, without which nothing else
 *                changes
 * limits  [in]   NULL: none
 * found   [out]  written when there is one; its pairs lie in sets. NULL: not wanted
 * steps   [out]  partial pairings looked at, whatever the answer. NULL: not wanted
 *
 * The answer depends on the sets, on their order where limits.steps do not suffice, and on nothing
 * else but the stop flag. PLB_PAIRING_NONE is a proof.
 *
 * Cost:    a step takes some microseconds for 30 sets; their number may grow exponentially with
 *          that of the cells. Less than 40 KiB of stack, no heap. Threads: safe.  */
plb_pairing_answer plb_pairing_find(uint64_t *sets, int count, const plb_pairing_limits *limits,
                                    plb_pairing *found, uint64_t *steps);

#endif
