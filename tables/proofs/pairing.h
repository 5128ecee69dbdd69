/* SPDX-License-Identifier: MIT
 *
 * Pairings: disjoint pairs of cells such that every set of a family contains one of them.
 *
 * Two players take cells in turn, any empty cell. Take the sets of a player of which he has not
 * lost a cell, without the cells that he owns. A pairing of these proves two things, with either
 * player to move:
 *
 *   - He can be kept from completing a set: whenever he takes a cell of a pair, the other player
 *     takes the other one.
 *   - He can avoid completing a set: whenever the other player takes a cell of a pair, he takes the
 *     other one. If he need not answer, he takes a cell of no pair if the number of empty cells is
 *     odd. If it is even, cells of no pair count as paired, too, and he takes any cell: the other
 *     player makes the last move, so he never has to take the second cell of that pair himself.
 *
 * With gravity a cell cannot be taken at any time, so pairs prove nothing.
 *
 *     a3 b3 c3      sets {a1 b1 c1} {a3 b3 c3} {a1 a2 a3}: a pairing is a1-b1, b3-c3, a2-a3; each
 *     a2 b2 c2      set has two cells of its own. With {a1 c1 c3} as a fourth set, a pairing is
 *     a1 b1 c1      a1-c1, b3-c3, a2-a3: a1-c1 serves two sets.
 *
 * Sets of cells, and pairs, are 64-bit masks.
 *
 * Must not know: games, boards, positions, stones.
 */
#pragma once

#include <signal.h>

#include "tables/vocabulary.h"

/* Pairwise disjoint pairs. */
typedef struct plb_pairing {
    int count;
    uint64_t pairs[PLB_MAX_CELLS / 2];
} plb_pairing;

typedef enum plb_pairing_answer {
    PLB_PAIRING_NONE, /* none exists */
    PLB_PAIRING_FOUND,
    PLB_PAIRING_UNDECIDED, /* the step limit was reached, or the search was interrupted */
} plb_pairing_answer;

typedef struct plb_pairing_limits {
    uint64_t steps;                    /* maximum number of partial pairings; 0: no limit */
    const volatile sig_atomic_t *stop; /* set to nonzero to interrupt; NULL: never */
} plb_pairing_limits;

/* Get what a player still needs: the groups of which he has lost no cell, less the cells he owns.
 *
 * groups  [in]   [count]
 * owned   [in]   cells
 * lost    [in]   cells
 * sets    [out]  [count] allocated; may be `groups`
 *
 * Returns: the number of sets, in the order of their groups.  */
int plb_pairing_open_sets(const uint64_t *groups, int count, uint64_t owned, uint64_t lost,
                          uint64_t *sets);

/* Remove duplicates, and every set that contains another one: any pairing of the others serves it,
 * too. The sets are sorted by their numbers of cells, ascending.
 *
 * Returns: the number of remaining sets.  Cost: at most count^2 steps.  */
int plb_pairing_reduce(uint64_t *sets, int count);

/* Find a pairing with a separate pair for each set, by bipartite matching.
 *
 * sets   [in]   [count]
 * pairs  [out]  [count] the pair of each set; written only if there is one; may be NULL
 *
 * Returns: is there one?
 * Source:  Hales and Jewett, Regularity and positional games, 1963 (the pairs); Kuhn, The Hungarian
 *          method for the assignment problem, 1955 (the matching).  */
bool plb_pairing_match(const uint64_t *sets, int count, uint64_t *pairs);

/* Find any pairing; a pair may serve several sets.
 *
 * sets    [in,out]  [count] reordered; fastest after plb_pairing_reduce, which does not change the
 *                   answer
 * limits  [in]      NULL: none
 * found   [out]     written if there is one; each pair is a subset of a set; may be NULL
 * steps   [out]     number of partial pairings, whatever the answer; may be NULL
 *
 * PLB_PAIRING_NONE is a proof. The answer is deterministic unless the search is interrupted; the
 * order of the sets matters only if the step limit is reached.
 *
 * Cost: a step takes some microseconds for 30 sets; the number of steps can grow exponentially with
 * the number of cells. Less than 40 KiB of stack, no heap. Threads: safe.  */
plb_pairing_answer plb_pairing_find(uint64_t *sets, int count, const plb_pairing_limits *limits,
                                    plb_pairing *found, uint64_t *steps);
