/* SPDX-License-Identifier: MIT
 *
 * The table of configurations of J. W. H. M. Uiterwijk, Set Matching, with a position of four in a
 * row for each. In it x is to move; the configuration proves that x cannot complete a group, no
 * pairing does. tools/studies/find-examples found these positions; the paper has others, as
 * figures.
 */
#pragma once

#include "tables/games/game.h"

typedef struct configuration_example {
    const char *name;
    /* As in the paper, for Cn with the number n inserted; nodes 0: not in the paper. */
    int markers, groups, reduction, ratio_percent, nodes;
    const char *spec, *board;
} configuration_example;

/* A row, in the order of plb_configuration_at; NULL after the last one. */
const configuration_example *configuration_example_at(int number);

/* The number of nodes of a search that proves with Hales-Jewett pairings alone that x cannot win in
 * the position of a row: the position, every move of x, and the replies of o that were tried, those
 * that block most first. 0: no proof. */
uint64_t configuration_example_nodes(const configuration_example *example);
