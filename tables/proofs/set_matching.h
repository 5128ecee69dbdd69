/* SPDX-License-Identifier: MIT
 *
 * Set matching: disjoint parts, each of them a pair (pairing.h) or a configuration
 * (below), such that every set of a family contains a pair or a group of a
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

#include <stdint.h>

#include "tables/proofs/pairing.h"

/* ---- configurations ----
 *
 * Configurations of set matching: small families of sets (groups) of cells (markers) in which a
 * player who answers inside the configuration gets a marker of every group, though there are fewer
 * than two markers per group. Markers are letters, and a group is the word of its markers:
 *
 *     Triangle   ab adc bec             a             The second player answers with a or b. Then
 *                                      / \            one group is left, and two of its markers:
 *                                     d   |           c is answered by a, and of bec are left
 *                                    /    |           b and e.
 *                                   c--e--b
 *
 * Source: Jos W.H.M. Uiterwijk, Set Matching: An Enhancement of the Hales-Jewett Pairing Strategy.
 * BiTriangle/Line, BiTriangle/BiLine and BiTriangleX/Line have no formal groups there; what stands
 * here follows its descriptions. That the properties below hold is computed by a test. */

enum {
    PLB_MAX_MARKERS = 16,             /* of a configuration */
    PLB_MAX_CONFIGURATION_GROUPS = 9, /* the same */
};

/* Two groups have at most one marker in common. For every first marker of the opponent there is an
 * answer, one of the two main markers (or, where the opponent took one of them, the other), after
 * which the groups without the answer have two markers each of their own among those that are left:
 * a Hales-Jewett pairing.
 *
 * So there are at most 2 floor((n - 2) / 2) + 1 groups of n markers. An answer a leaves at most
 * floor((n - 2) / 2) groups, those without a; the answer b to a does the same; and at most one
 * group has both. */
typedef struct plb_configuration {
    const char *name;
    const char *groups; /* their words with blanks between, as in `ab adc bec` */
    const char *main;   /* the main markers, as in `ab` */
} plb_configuration;

/* The configurations in the order in which they are listed; NULL after the last. */
const plb_configuration *plb_configuration_at(int number);

/* The groups as sets of markers, bit 0 for marker a; returns how many there are. */
int plb_configuration_read(const plb_configuration *configuration,
                           uint32_t groups[PLB_MAX_CONFIGURATION_GROUPS]);

/* How many markers there are: a, b and so on. */
int plb_configuration_markers(const plb_configuration *configuration);

/* ---- set matchings ---- */

enum {
    PLB_MAX_SETS = 256,                /* of a family */
    PLB_MAX_PARTS = PLB_MAX_CELLS / 2, /* of a set matching */
    PLB_A_PAIR = -1,                   /* in place of the number of a configuration */
};

typedef struct plb_part {
    int configuration;              /* its number, or PLB_A_PAIR */
    int count;                      /* of cells: markers of the configuration, or 2 */
    uint8_t cells[PLB_MAX_MARKERS]; /* [count] for the markers a, b .. in turn */
} plb_part;

typedef struct plb_set_matching {
    int count;
    plb_part parts[PLB_MAX_PARTS]; /* [count] configurations first */
} plb_set_matching;

typedef struct plb_matching_limits {
    uint64_t steps;                    /* partial matchings to look at, at most; 0: no limit */
    int configurations;                /* to be placed, at most */
    const volatile sig_atomic_t *stop; /* the search ends soon after it becomes nonzero, or NULL */
} plb_matching_limits;

/* Find a set matching.
 *
 * sets    [in]   [count] at most PLB_MAX_SETS, none containing another (plb_pairing_reduce)
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
