/* SPDX-License-Identifier: MIT
 *
 * The table of configurations of J. W. H. M. Uiterwijk, Set Matching, and for each configuration a
 * position of four in a row, x to move, in which it proves that x cannot complete a group, and no
 * pairing does. The positions were found by tools/studies/find-examples; those of the paper are
 * figures.
 */
#ifndef PLB_TOOLS_STRATEGY_CONFIGURATION_EXAMPLES_H
#define PLB_TOOLS_STRATEGY_CONFIGURATION_EXAMPLES_H

#include "tables/games/game.h"

typedef struct configuration_example {
    const char *name;
    /* As printed in the paper, for Cn with n put in; nodes 0: there are none. */
    int markers, groups, reduction, ratio_percent, nodes;
    const char *spec, *board;
} configuration_example;

/* The rows in the order of plb_configuration_at; NULL after the last. */
const configuration_example *configuration_example_at(int number);

/* Nodes of a search that proves the position of a row drawn with Hales-Jewett pairings alone: the
 * position itself, every move of x, and the replies of o that were tried, the one that blocks most
 * first. 0: it does not prove that, or memory did not suffice. */
uint64_t configuration_example_nodes(const configuration_example *example);

#endif
