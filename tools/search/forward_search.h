/* SPDX-License-Identifier: MIT
 *
 * Forward search: the value of one position by alpha-beta from that position on, with which the
 * verifier compares a table.
 *
 * Groups, moves, ends and symmetries come from its own implementation of the rules
 * (tools/search/search_rules.h). It shares with tables the numbers of cells, counting stones, and
 * pairs of cells (tables/games/game.h, tables/games/stone_rules.h, tables/proofs/pairing.h). Must
 * not know: the rules by which tables are made, indices, planes, files.
 *
 *     forward_search *search;
 *     forward_search_result result;
 *     if (forward_search_open(&rules, 64 << 20, &search, &why) != PLB_OK) ...
 *     forward_search_solve(search, &(search_request){position}, &result);
 *     puts(plb_value_text(result.value));
 *     forward_search_close(search);
 */
#ifndef PLB_TOOLS_SEARCH_FORWARD_SEARCH_H
#define PLB_TOOLS_SEARCH_FORWARD_SEARCH_H

#include <signal.h>
#include <stddef.h>

#include "tables/games/stone_rules.h"

struct search_rules;
typedef struct forward_search forward_search;

typedef struct forward_search_result {
    bool proved;           /* false: the budget ran out, or the stop flag was raised */
    bool value_proved;     /* the value is, even if the distance is not */
    plb_value value;       /* for the player to move; PLB_DRAW where not proved */
    plb_value least, most; /* what is proved of the value at any rate: it is from least to most */
    int dtm;        /* plies to the end of the game; PLB_NO_DTM of a draw, where not proved, and
                       where not asked for */
    uint64_t nodes; /* positions expanded */
} forward_search_result;

/* Is told now and then what is known so far. */
typedef void forward_search_report(void *context, const forward_search_result *so_far);

/* A table that was built before, of the same game: a search asks it where a position is worth it,
 * and searches only for what it does not tell. */
typedef struct search_table {
    /* The value of a position that can arise, and dtm, or PLB_NO_DTM where there is none or the
     * table does not know. Any error ends the search, which returns it. Threads: several at once.
     */
    int (*ask)(void *context, plb_position position, plb_value *value, int *dtm);
    void *context;
} search_table;

/* A search for a game.
 *
 * rules        [in]   search_rules_make
 * table_bytes  [in]   for the table of known positions: rounded down to a power of two, and up to
 *                     FORWARD_SEARCH_MIN_TABLE
 * search       [out]  to be closed with forward_search_close
 *
 * Errors:  PLB_ENOMEM.
 * Threads: a search is used by one thread at a time; any number of searches run in parallel.  */
int forward_search_open(const struct search_rules *rules, size_t table_bytes,
                        forward_search **search, plb_message *message);

enum { FORWARD_SEARCH_MIN_TABLE = 1 << 18 };

/* Close a search and free all that belongs to it. NULL is allowed. */
void forward_search_close(forward_search *search);

typedef struct search_request {
    plb_position position;             /* one that can arise; it may be over */
    bool distance;                     /* is wanted, too */
    uint64_t node_budget;              /* positions to expand at most; 0: no limit */
    const volatile sig_atomic_t *stop; /* the search ends soon after it becomes nonzero, or NULL */
    const search_table *table;         /* is asked, or NULL */
    forward_search_report *report;     /* or NULL */
    void *context;                     /* of the report */
} search_request;

/* Value of a position, and on request its distance: plies to the end of the game when the winner
 * plays as fast as possible and the loser as slowly. The value is found first; where the budget
 * does not suffice for the distance, result->value_proved says whether there is a value at least.
 *
 * What is learned is kept for the next call, which makes neighbouring positions cheap. The value
 * depends on nothing but the position; `nodes` and so `proved` on the sequence of calls since
 * forward_search_open, never on the clock. What is learned with distances and without is kept in
 * different ways: where keys are short, a call of the one after the other begins with nothing, and
 * clears the table of known positions.
 *
 * Errors:  PLB_EARGUMENT if there are stones beyond the board, on one another, or in counts that
 *          no alternation gives; those of the table that is used.  */
int forward_search_solve(forward_search *search, const search_request *request,
                         forward_search_result *result);

#endif
