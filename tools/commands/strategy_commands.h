/* SPDX-License-Identifier: MIT
 *
 * `plybase strategy`: what its sources share. command_strategy.c reads the arguments and writes a
 * file, strategy_named.c lists strategies that have names and plays them against every line.
 */
#ifndef PLB_TOOLS_COMMANDS_STRATEGY_COMMANDS_H
#define PLB_TOOLS_COMMANDS_STRATEGY_COMMANDS_H

#include "tools/strategy/extract.h"
#include "tools/strategy/strategy_walk.h"
#include "tools/terminal/arguments.h"
#include "tools/terminal/progress_line.h"
#include "tools/verify/strategy_check.h"

enum { BOTH_PLAYERS = -1 };

typedef struct strategy_arguments {
    const char *source, *output;
    operand_list names; /* of a strategy: none or one */
    int player;         /* 0, 1 or BOTH_PLAYERS */
    int look_ahead, width;
    strategy_choice choice;
    double memory_bytes; /* 0: as the work needs */
    bool force, json, verify;
} strategy_arguments;

/* ---- strategies that have names ---- */

/* The strategy of a name that is on the command line; ends the process where there is none. */
const named_strategy *require_named_strategy(const char *name);

/* Who plays a strategy, and what it reaches. */
typedef struct named_player {
    int wanted; /* 0, 1, or BOTH_PLAYERS: one for whom it applies */
    bool force; /* also where it does not apply */
    int player; /* who was found */
    strategy_terms terms;
} named_player;

/* Find who it is that was wanted. Errors: PLB_EARGUMENT: it does not apply, and the message says
 * why; PLB_ESPEC. */
int find_named_player(const plb_game *game, const named_strategy *strategy, named_player *who,
                      plb_message *message);

/* The walk that plays the strategy of the arguments against every line. Its progress is shown, on a
 * line for each ply where stderr is no terminal. */
rule_walk_options walk_of_arguments(const strategy_arguments *arguments, const plb_game *game,
                                    int player, plb_value claim, display *shown);

/* Without an OUT: list the strategies of a board, or play one against every line; returns an exit
 * status. */
int show_named_strategies(const strategy_arguments *arguments);

/* ---- strategies that are files ---- */

/* Play the strategy of a file against every move, and show how far it is, unless quiet. Errors and
 * report: those of plb_open and verify_strategy. */
int check_strategy_file(const char *path, int threads, bool quiet, strategy_report *report,
                        plb_message *message);

#endif
