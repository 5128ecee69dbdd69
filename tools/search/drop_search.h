/* SPDX-License-Identifier: MIT
 *
 * Alpha-beta for Connect-k in normal play. It is much faster than the general search of games of
 * stones (forward_search.h); tests compare both. Shifts find the groups. Pairs of cells decide many
 * positions in which one player will run out of safe moves (drop_pairs.h).
 *
 * A score is for the player to move. If the game ends with the n-th stone, the winner's score is
 * (cells + 2 - n) / 2, rounded down, so that an earlier win is worth more. The loser's is its
 * negative; a draw is 0.
 */
#pragma once

#include "tools/search/forward_search.h"
#include "tools/search/search_rules.h"

typedef struct drop_search drop_search;

/* Can the search solve this game, with a transposition table of this size? */
bool drop_search_suits(const search_rules *rules, size_t table_bytes);

/* Open a search with at least one thread. Threads share the transposition table and search the same
 * position, with different orders of moves; a thread puts off moves that another one searches. With
 * several threads `nodes` varies from run to run. NULL: out of memory. */
drop_search *drop_search_open(const search_rules *rules, size_t table_bytes, int threads);
void drop_search_close(drop_search *search);

/* Like forward_search_solve. */
int drop_search_solve(drop_search *search, const search_request *request,
                      forward_search_result *result);
