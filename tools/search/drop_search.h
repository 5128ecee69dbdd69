/* SPDX-License-Identifier: MIT
 *
 * Forward search of Connect-k in normal play: much faster than the general search
 * (forward_search.h), which plays all games of stones; tests compare both. Groups are found by
 * shifts. Pairs of cells decide positions in which one player will have no safe move
 * (drop_board.h).
 *
 * A score is positive if the player to move wins, and greater if he wins sooner. It is half the
 * number of cells that the winner leaves empty, rounded up, and 1 more where the board is not full:
 * the winner's last stone being the n-th of the game, it is (cells + 2 - n) / 2, rounded down. A
 * draw is 0.
 */
#ifndef PLB_TOOLS_SEARCH_DROP_SEARCH_H
#define PLB_TOOLS_SEARCH_DROP_SEARCH_H

#include "tools/search/forward_search.h"
#include "tools/search/search_rules.h"

typedef struct drop_search drop_search;

/* Does the search play this game, with a table of so many bytes? */
bool drop_search_suits(const search_rules *rules, size_t table_bytes);

/* A search by so many threads, from 1 on, that share what they learn; each looks in another order,
 * so `nodes` depends on the machine where there are several. NULL: out of memory. */
drop_search *drop_search_open(const search_rules *rules, size_t table_bytes, int threads);
void drop_search_close(drop_search *search);

/* As forward_search_solve. */
int drop_search_solve(drop_search *search, const search_request *request,
                      forward_search_result *result);

#endif
