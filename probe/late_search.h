/* SPDX-License-Identifier: MIT
 *
 * The outcome of a late position, one with few empty cells, by search: in the mean this takes 0.3
 * to 16 microseconds, reading and decoding a block 5 to 40. On some boards it may take
 * milliseconds, so a search is given up after some nodes. For Connect-k in normal play, not on a
 * cylinder.
 */
#pragma once

#include "tables/format/outcome_code.h"
#include "tables/games/drop_board.h"

typedef struct plb_late_search {
    int first_ply; /* the first ply to search; more than any game has: none */
    int max_nodes; /* of a search */
    drop_board board;
} plb_late_search;

plb_late_search plb_late_search_make(const plb_game *game);

/* For a position of first_ply or later that can arise, is not over, and in which no stone of the
 * mover completes a group. The distance is PLB_NO_DTM unless the values are PLB_DTM. False: more
 * nodes are needed. */
bool plb_late_search_find(const plb_late_search *search, const plb_game *game,
                          plb_position position, plb_value_kind values, plb_outcome *outcome);
