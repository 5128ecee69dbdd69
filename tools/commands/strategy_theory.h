/* SPDX-License-Identifier: MIT
 *
 * The parts of `plybase strategy` about strategies that have names: which there are for a board,
 * and playing one against every line.
 */
#ifndef PLB_TOOLS_COMMANDS_STRATEGY_THEORY_H
#define PLB_TOOLS_COMMANDS_STRATEGY_THEORY_H

#include "tools/strategy/strategy_walk.h"
#include "tools/terminal/progress_line.h"

enum { BOTH_PLAYERS = -1 };

typedef struct theory_question {
    const plb_game *game;
    const named_strategy *strategy; /* NULL: all that apply */
    int player;                     /* 0, 1, or BOTH_PLAYERS: all for whom it applies */
    bool force;                     /* also where it does not apply */
    bool json;
    double memory_bytes;
    const volatile sig_atomic_t *stop;
} theory_question;

/* The strategy of a name that is on the command line; ends the process where there is none. */
const named_strategy *require_named_strategy(const char *name);

/* Who plays the strategy, and what it reaches. Errors: PLB_EARGUMENT: it does not apply, and the
 * message says why. */
int find_named_player(const theory_question *question, int *player, strategy_terms *terms,
                      plb_message *message);

/* Print the strategies of a board, or one of them; returns an exit status. */
int list_named_strategies(const theory_question *question);

/* Play the strategy against every line and print what was found; returns an exit status. */
int verify_named_strategy(const theory_question *question);

/* Progress of a walk: the report and the beat of rule_walk_options, whose context begins with a
 * display. A line for each ply where stderr is no terminal. */
void show_walked_ply(void *context, int ply, uint64_t positions);
void show_walk(void *context, int ply, double share);

#endif
