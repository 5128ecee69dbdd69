/* SPDX-License-Identifier: MIT
 *
 * Search of games of numbers. It answers one question at a time: can this player force a win?
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
#pragma once

#include <signal.h>
#include <stddef.h>

#include "tables/games/number_rules.h"

typedef struct number_search number_search;
typedef struct number_result number_result;

typedef struct number_question {
    int player;                        /* who is to win: 0, the first, or 1 */
    int by;                            /* the last ply by which he must win; 0: any */
    uint64_t node_budget;              /* limit of positions to expand; 0: no limit */
    const volatile sig_atomic_t *stop; /* nonzero: the search ends soon; or NULL */
    void (*report)(void *context, const number_result *so_far); /* for progress, or NULL */
    void *context;
} number_question;

/* Counts of a ply. A position is counted each time that it is visited. */
typedef struct number_depth {
    uint64_t visited, known, yes; /* all; found in the transposition table; answered with yes */
} number_depth;

struct number_result {
    bool answered; /* false: the node budget ran out, or the stop flag was raised */
    bool yes;
    uint64_t nodes; /* positions expanded */
    number_depth depths[PLB_MAX_TILES + 1];
};

/* Open a search for a game.
 *
 * game         [in]  of numbers (tables/games/number_rules.h); it must outlive the search
 * table_bytes  [in]  of the transposition table: rounded down to a power of two, but at least
 *                    NUMBER_SEARCH_MIN_TABLE. It begins with this and grows as it fills. The
 *                    search takes 3 MiB more for tables of the game
 *
 * Errors:  PLB_ENOMEM. The caller owns *search.
 * Threads: a search is used by one thread at a time.  */
int number_search_open(const plb_game *game, size_t table_bytes, number_search **search,
                       plb_message *message);

enum { NUMBER_SEARCH_MIN_TABLE = 1 << 21 };

/* NULL is allowed. */
void number_search_close(number_search *search);

/* Answer a question about a position that can arise (plb_rules_check). The transposition table is
 * kept for the next question. */
void number_search_ask(number_search *search, plb_position position,
                       const number_question *question, number_result *result);

/* Does the player to move win within some plies? The position can arise. This does not use the
 * transposition table. */
bool number_search_wins_within(const number_search *search, plb_position position, int plies);

/* The number of moves that do not lose at once, in a position that can arise. It is 0 also if the
 * player to move wins at once, or if nobody can win any more. */
int number_search_safe_moves(const number_search *search, plb_position position);
