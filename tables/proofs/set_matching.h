/* SPDX-License-Identifier: MIT
 *
 * Set matching: disjoint parts, each of them a pair (pairing.h) or a configuration (below), such
 * that every set of a family contains a pair or a group of a configuration. A configuration is
 * placed on cells, one for each marker, so that its groups lie in different sets.
 *
 *     a4 b4 c4 d4      Four rows, four columns and two long diagonals, all cells empty: 16 cells
 *     a3 b3 c3 d3      are too few for ten pairs. Two BiTriangles, each with 8 cells and a group
 *     a2 b2 c2 d2      in each of five sets, are a set matching.
 *     a1 b1 c1 d1
 *
 * As with a pairing, two things follow for the player whose sets these are, with either to move:
 *
 *   - He can be kept from completing a set: the other player answers in the part in which he moves.
 *   - He can avoid completing a set, if he does not place the last stone and there is at most one
 *     configuration: he avoids its groups, with or without an extra free cell, and answers in the
 *     pairs.
 *
 * tests/tables/test_configurations.c proves the second by computation for every configuration. It
 * also shows that it fails for a player who places the last stone, and for two configurations.
 *
 * Source of the first: Jos W.H.M. Uiterwijk, Set Matching: An Enhancement of the Hales-Jewett
 * Pairing Strategy. The paper has no pairs that serve several sets.
 *
 * Must not know: games, boards, positions, stones.
 */
#pragma once

#include <stdint.h>

#include "tables/proofs/pairing.h"

/* ---- configurations ----
 *
 * A configuration is a small family of sets (groups) of cells (markers). A player who answers every
 * move inside the configuration gets a marker of every group, although there are fewer than two
 * markers per group. Markers are letters, and a group is a string of markers:
 *
 *     Triangle   ab adc bec             a             The second player answers with a or b. Then
 *                                      / \            one group is left, with two free markers: for
 *                                     d   |           example, c is answered by a, and bec has b
 *                                    /    |           and e left.
 *                                   c--e--b
 *
 * Source: as above. The paper describes BiTriangle/Line, BiTriangle/BiLine and BiTriangleX/Line
 * without listing their groups; those here follow its descriptions. A test computes that every
 * configuration has the properties below. */

enum {
    PLB_MAX_MARKERS = 16,             /* of a configuration */
    PLB_MAX_CONFIGURATION_GROUPS = 9, /* of a configuration */
};

/* Two groups share at most one marker. For every first marker that the opponent takes there is an
 * answer: one of the two main markers, or the other one if he took one of them. After the answer,
 * the groups without it have two free markers each of their own: a Hales-Jewett pairing.
 *
 * So n markers have at most 2 floor((n - 2) / 2) + 1 groups. The answer a leaves at most
 * floor((n - 2) / 2) groups without a. The answer b to a leaves as many without b. At most one
 * group has both. */
typedef struct plb_configuration {
    const char *name;
    const char *groups; /* separated by blanks, as in `ab adc bec` */
    const char *main;   /* the main markers, as in `ab` */
} plb_configuration;

/* Configuration `number`, from 0 on; NULL after the last. */
const plb_configuration *plb_configuration_at(int number);

/* Get the groups as bit masks of markers, bit 0 for marker a; returns their number. */
int plb_configuration_read(const plb_configuration *configuration,
                           uint32_t groups[PLB_MAX_CONFIGURATION_GROUPS]);

/* The number of markers: a, b and so on. */
int plb_configuration_markers(const plb_configuration *configuration);

/* ---- set matchings ---- */

enum {
    PLB_MAX_SETS = 256,                /* of a family */
    PLB_MAX_PARTS = PLB_MAX_CELLS / 2, /* of a set matching */
    PLB_A_PAIR = -1,                   /* in place of the number of a configuration */
};

typedef struct plb_part {
    int configuration;              /* its number, or PLB_A_PAIR */
    int count;                      /* of cells: number of markers, or 2 */
    uint8_t cells[PLB_MAX_MARKERS]; /* [count] cell of marker a, b .. */
} plb_part;

typedef struct plb_set_matching {
    int count;
    plb_part parts[PLB_MAX_PARTS]; /* [count] configurations first */
} plb_set_matching;

typedef struct plb_matching_limits {
    uint64_t steps;                    /* maximum number of partial matchings; 0: no limit */
    int configurations;                /* maximum number to place */
    const volatile sig_atomic_t *stop; /* set to nonzero to interrupt; NULL: never */
} plb_matching_limits;

/* Find a set matching.
 *
 * sets    [in]   [count] at most PLB_MAX_SETS; none contains another one (plb_pairing_reduce)
 * answer  [out]  PLB_PAIRING_NONE is a proof
 * found   [out]  written if there is one
 *
 * The answer is deterministic unless the search is interrupted; the order of the sets matters only
 * if the step limit is reached.
 *
 * Errors: PLB_EARGUMENT: too many sets; PLB_ENOMEM.
 * Cost: that of plb_pairing_find if there is a pairing. Else up to milliseconds for ten sets of
 * four cells, and exponentially more for larger families. Threads: safe.  */
int plb_set_matching_find(const uint64_t *sets, int count, const plb_matching_limits *limits,
                          plb_pairing_answer *answer, plb_set_matching *found);
