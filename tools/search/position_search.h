/* SPDX-License-Identifier: MIT
 *
 * One interface for the three forward searches: of Connect-k in normal play, of all games of
 * stones, and of games of numbers.
 */
#pragma once

#include "tools/search/drop_search.h"
#include "tools/search/forward_search.h"
#include "tools/search/number_search.h"

typedef struct position_search {
    const plb_game *game;
    drop_search *drop;
    forward_search *stones;
    number_search *numbers; /* exactly one of the three is not NULL */
} position_search;

/* Choose and open the search of a game, which must outlive it; close it with position_search_close.
 *
 * threads  only drop_search uses more than one
 *
 * Errors: those of forward_search_open and number_search_open. */
int position_search_open(const plb_game *game, size_t table_bytes, int threads,
                         position_search *search, plb_message *message);
void position_search_close(position_search *search);

/* Find the value of a position, and on request its distance: results and errors are those of
 * forward_search_solve. For games of numbers the table is not used. */
int position_search_solve(position_search *search, const search_request *request,
                          forward_search_result *result);
