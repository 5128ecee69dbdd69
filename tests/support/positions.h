/* SPDX-License-Identifier: MIT
 *
 * Converts boards of the oracle to positions of the project.
 */
#pragma once

#include "tables/games/rules.h"
#include "tests/support/oracle.h"

/* By the cell numbers of the game. */
plb_position positions_of_board(const plb_game *game, const char *board);

/* As bitboards of the public header: bit column * height + row. */
void positions_bits(const oracle_game *game, const char *board, uint64_t *x, uint64_t *o);
