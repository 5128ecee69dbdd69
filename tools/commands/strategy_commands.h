/* SPDX-License-Identifier: MIT
 *
 * `plybase strategy`: command_strategy.c parses the arguments and writes a file; strategy_named.c
 * lists the named strategies and plays them against every line.
 */
#pragma once

#include "tools/strategy/extract.h"
#include "tools/strategy/strategy_walk.h"
#include "tools/terminal/arguments.h"
#include "tools/terminal/progress_line.h"
#include "tools/verify/strategy_check.h"

enum { BOTH_PLAYERS = -1 };

typedef struct strategy_arguments {
    const char *source, *output;
    operand_list names; /* NAME: none or one */
    int player;         /* 0, 1 or BOTH_PLAYERS */
    int look_ahead, width;
    strategy_choice choice;
    double memory_bytes; /* 0: the default of the work */
    bool force, json, verify;
} strategy_arguments;

/* ---- named strategies, by rule ---- */

/* The strategy of this name. If there is none, print a message and exit with EXIT_USAGE. */
const named_strategy *require_named_strategy(const char *name);

/* The player of a strategy, and what it reaches for him. */
typedef struct named_player {
    int wanted; /* [in] 0, 1, or BOTH_PLAYERS: any for whom it applies */
    bool force; /* [in] accept a board for which it does not apply */
    int player; /* [out] */
    strategy_terms terms;
} named_player;

/* Find the player of a strategy on a board. Errors: PLB_EARGUMENT if it does not apply, with the
 * reason; PLB_ESPEC if it is for other games. */
int find_named_player(const plb_game *game, const named_strategy *strategy, named_player *who,
                      plb_message *message);

/* The options of a walk that plays the strategy of the arguments against every line and shows its
 * progress; in a log, a line for each ply. */
rule_walk_options walk_of_arguments(const strategy_arguments *arguments, const plb_game *game,
                                    int player, plb_value claim, display *shown);

/* Without OUT: list the strategies of a board, or play one against every line. Returns an exit
 * status. */
int show_named_strategies(const strategy_arguments *arguments);

/* ---- strategies in files ---- */

/* Play an open strategy against every move. Shows the progress, unless quiet. Errors: those of
 * verify_strategy. */
int check_strategy(const plb_table *table, int threads, bool quiet, strategy_report *report,
                   plb_message *message);
