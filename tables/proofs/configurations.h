/* SPDX-License-Identifier: MIT
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
 * here follows its descriptions. That the properties below hold is computed by a test.
 *
 * Must not know: games, boards, how configurations are placed.
 */
#ifndef PLB_TABLES_PROOFS_CONFIGURATIONS_H
#define PLB_TABLES_PROOFS_CONFIGURATIONS_H

#include <stdint.h>

enum {
    PLB_MOST_MARKERS = 16,             /* of a configuration */
    PLB_MOST_CONFIGURATION_GROUPS = 9, /* the same */
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

/* Number of a configuration by its name, -1 where there is none. */
int plb_configuration_find(const char *name);

/* The groups as sets of markers, bit 0 for marker a; returns how many there are. */
int plb_configuration_read(const plb_configuration *configuration,
                           uint32_t groups[PLB_MOST_CONFIGURATION_GROUPS]);

/* How many markers there are: a, b and so on. */
int plb_configuration_markers(const plb_configuration *configuration);

#endif
