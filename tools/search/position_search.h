/* SPDX-License-Identifier: MIT
 *
 * Chooses the forward search of a game: alpha-beta for stones, with shifts for Connect-k in normal
 * play; yes-or-no questions for numbers.
 */
#ifndef PLB_TOOLS_SEARCH_POSITION_SEARCH_H
#define PLB_TOOLS_SEARCH_POSITION_SEARCH_H

#include "tools/search/drop_search.h"
#include "tools/search/forward_search.h"
#include "tools/search/number_search.h"

typedef struct position_search {
    const plb_game *game;
    drop_search *drop;
    forward_search *stones;
    number_search *numbers; /* one of the three is not NULL */
} position_search;

/* threads: where stones drop; elsewhere one thread searches.
 * Errors: those of forward_search_open and number_search_open. The game must outlive *search,
 * which is closed with position_search_close. */
int position_search_open(const plb_game *game, size_t table_bytes, int threads,
                         position_search *search, plb_message *message);
void position_search_close(position_search *search);

/* Value of a position, and on request its distance; results and errors as of
 * forward_search_solve. Of games of numbers nothing is reported, and no table is asked. */
int position_search_solve(position_search *search, const search_request *request,
                          forward_search_result *result);

#endif
