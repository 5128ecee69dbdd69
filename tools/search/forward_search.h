/* SPDX-License-Identifier: MIT
 *
 * Forward search: the value of one position by alpha-beta. The verifier compares it with a table.
 *
 * Groups, moves, ends and symmetries come from its own implementation of the rules
 * (tools/search/search_rules.h). It shares with tables only the numbering of cells, the counting of
 * stones, and pairs of cells (tables/games/game.h, tables/games/stone_rules.h,
 * tables/proofs/pairing.h). Must not know: the rules by which tables are made, indices, planes,
 * files.
 *
 *     forward_search *search;
 *     forward_search_result result;
 *     if (forward_search_open(&rules, 64 << 20, &search, &why) != PLB_OK) ...
 *     forward_search_solve(search, &(search_request){position}, &result);
 *     puts(plb_value_text(result.value));
 *     forward_search_close(search);
 */
#pragma once

#include <signal.h>
#include <stddef.h>

#include "tables/games/stone_rules.h"

struct search_rules;
typedef struct forward_search forward_search;

typedef struct forward_search_result {
    bool proved;            /* false: the node budget ran out, or the stop flag was raised */
    bool value_proved;      /* the value is proved, even if the distance is not */
    plb_value value;        /* for the player to move; PLB_DRAW if not proved */
    plb_value lower, upper; /* proved bounds of the value */
    int dtm;                /* plies to the end of the game; PLB_NO_DTM for a draw, if it is not
                               proved, and if it was not requested */
    uint64_t nodes;         /* positions expanded */
} forward_search_result;

/* A callback for progress: what is known so far. */
typedef void forward_search_report(void *context, const forward_search_result *so_far);

/* An endgame table of the same game, which the search probes for positions with large subtrees. */
typedef struct search_table {
    /* Get the value of a position that can arise, and its dtm; PLB_NO_DTM if it has none or the
     * table does not know. An error ends the search. Threads: several call it at once. */
    int (*probe)(void *context, plb_position position, plb_value *value, int *dtm);
    void *context;
} search_table;

/* Open a search for a game.
 *
 * rules        [in]   search_rules_make
 * table_bytes  [in]   of the transposition table: rounded down to a power of two, but at least
 *                     FORWARD_SEARCH_MIN_TABLE
 * search       [out]  to be closed with forward_search_close
 *
 * Errors:  PLB_ENOMEM.
 * Threads: a search is used by one thread at a time; any number of searches run in parallel.  */
int forward_search_open(const struct search_rules *rules, size_t table_bytes,
                        forward_search **search, plb_message *message);

enum { FORWARD_SEARCH_MIN_TABLE = 1 << 18 };

/* Close a search and free its memory. NULL is allowed. */
void forward_search_close(forward_search *search);

typedef struct search_request {
    plb_position position;             /* can arise; the game may be over */
    bool distance;                     /* find the distance, too */
    uint64_t node_budget;              /* limit of positions to expand; 0: no limit */
    const volatile sig_atomic_t *stop; /* nonzero: the search ends soon; or NULL */
    const search_table *table;         /* or NULL */
    forward_search_report *report;     /* or NULL */
    void *context;                     /* of the report */
} search_request;

/* Find the value of a position, and on request its distance: plies to the end of the game when the
 * winner plays as fast as possible and the loser as slowly. The value is found first: if the budget
 * is too small for the distance, result->value_proved may still be true.
 *
 * The transposition table is kept for the next call, so that neighbouring positions are cheap. The
 * value depends only on the position; `nodes` and `proved` depend on the sequence of calls since
 * forward_search_open, never on the clock. Calls with and without distance store positions in
 * different ways. For boards with short keys, changing between them clears the table.
 *
 * Errors:  those of the endgame table.  */
int forward_search_solve(forward_search *search, const search_request *request,
                         forward_search_result *result);
