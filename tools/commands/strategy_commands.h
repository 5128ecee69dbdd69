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

typedef struct named_question {
    const plb_game *game;
    const named_strategy *strategy; /* NULL: all that apply */
    int player;                     /* 0, 1, or BOTH_PLAYERS: all for whom it applies */
    bool force;                     /* also where it does not apply */
    bool json;
    double memory_bytes;
    const volatile sig_atomic_t *stop;
} named_question;

/* The strategy of a name that is on the command line; ends the process where there is none. */
const named_strategy *require_named_strategy(const char *name);

/* Who plays the strategy, and what it reaches. Errors: PLB_EARGUMENT: it does not apply, and the
 * message says why. */
int find_named_player(const named_question *question, int *player, strategy_terms *terms,
                      plb_message *message);

/* The question that arguments ask. */
named_question named_question_of(const strategy_arguments *arguments, const plb_game *game);

/* Without an OUT: list the strategies of a board, or play one against every line; returns an exit
 * status. */
int show_named_strategies(const strategy_arguments *arguments);

/* Progress of such play: report and progress of rule_walk_options, whose context begins with a
 * display. A line for each ply where stderr is no terminal. */
void show_walked_ply(void *context, int ply, uint64_t positions);
void show_walk(void *context, int ply, double share);

/* ---- strategies that are files ---- */

/* Play the strategy of a file against every move, and show how far it is, unless quiet. Errors and
 * report: those of plb_open and verify_strategy. */
int check_strategy_file(const char *path, int threads, bool quiet, strategy_report *report,
                        plb_message *message);

#endif
