/* SPDX-License-Identifier: MIT
 *
 * Search of games of numbers: can a player force a win? One question at a time, yes or no, never
 * the three values at once.
 *
 *     number_search *search;
 *     number_result result;
 *     if (number_search_open(&game, 256 << 20, &search, &why) != PLB_OK) ...
 *     number_search_ask(search, position, &(number_question){.player = 1}, &result);
 *     puts(result.yes ? "the second player can" : "the second player cannot");
 *     number_search_close(search);
 *
 * Must not know: tables, indices, how answers are printed.
 */
#ifndef PLB_TOOLS_SEARCH_NUMBER_SEARCH_H
#define PLB_TOOLS_SEARCH_NUMBER_SEARCH_H

#include <signal.h>
#include <stddef.h>

#include "tables/games/number_rules.h"

typedef struct number_search number_search;
typedef struct number_result number_result;

typedef struct number_question {
    int player;                        /* who shall win: 0, the first, or 1 */
    int by;                            /* by this ply at the latest; 0: whenever */
    uint64_t node_budget;              /* positions to expand at most; 0: no limit */
    const volatile sig_atomic_t *stop; /* the search ends soon after it becomes nonzero, or NULL */
    void (*report)(void *context, const number_result *so_far); /* now and then, or NULL */
    void *context;
} number_question;

/* What happened at a ply. A position counts as often as it is met. */
typedef struct number_depth {
    uint64_t visited, known, yes; /* met; of these found in memory; of all answered with yes */
} number_depth;

struct number_result {
    bool answered; /* false: the budget ran out, or the stop flag was raised */
    bool yes;
    uint64_t nodes; /* positions expanded */
    number_depth depths[PLB_MAX_TILES + 1];
};

/* A search for a game.
 *
 * game         [in]  one of numbers (tables/games/number_rules.h); it must outlive the search
 * table_bytes  [in]  for the table of known positions: rounded down to a power of two, and up to
 *                    NUMBER_SEARCH_MIN_TABLE; 3 MiB more are taken for tables of the game
 *
 * Errors:  PLB_ENOMEM. The caller owns *search.
 * Threads: a search is used by one thread at a time.  */
int number_search_open(const plb_game *game, size_t table_bytes, number_search **search,
                       plb_message *message);

enum { NUMBER_SEARCH_MIN_TABLE = 1 << 21 };

/* NULL is allowed. */
void number_search_close(number_search *search);

/* Answer a question about a position that can arise (plb_rules_check). What is learned is kept
 * for the next. */
void number_search_ask(number_search *search, plb_position position,
                       const number_question *question, number_result *result);

/* Does the player to move win within some plies, in a position that can arise? Looks ahead without
 * the table of known positions. */
bool number_search_wins_within(const number_search *search, plb_position position, int plies);

/* How many moves of the player to move do not lose at once, in a position that can arise; 0 also
 * where he wins at once, or no player can any more. */
int number_search_safe_moves(const number_search *search, plb_position position);

#endif
