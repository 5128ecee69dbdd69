/* SPDX-License-Identifier: MIT
 *
 * Forward search of games in which stones drop and who completes k in a row wins: much faster than
 * the general search (forward_search.h), which plays all games and with which tests compare it.
 * Groups are found by shifts, and pairs of cells decide positions whose end depends on who runs out
 * of moves (drop_board.h).
 *
 * A score is positive for the player to move who wins, and the greater the sooner. It is half the
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
