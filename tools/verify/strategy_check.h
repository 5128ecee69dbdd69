/* SPDX-License-Identifier: MIT
 *
 * The checker of strategies: plays a strategy against every move of the opponent, by plain rules of
 * its own, and believes nothing but the moves that it is given. Positions are those of the player,
 * in turn by ply; of those that are images of each other, by symmetries that were tried on the
 * groups, one is played on, for a strategy has one move for all of them. Where the player can
 * complete a group and win, he does, and the strategy is not asked. Must not know: tables,
 * searches, how a strategy finds its moves.
 */
#ifndef PLB_TOOLS_VERIFY_STRATEGY_CHECK_H
#define PLB_TOOLS_VERIFY_STRATEGY_CHECK_H

#include <signal.h>

#include "probe/plybase.h"

enum { STRATEGY_LINE = 512 };

typedef struct strategy_progress {
    int ply;
    uint64_t done, total; /* positions of the ply */
} strategy_progress;

typedef struct strategy_check_options {
    int threads; /* at least 1 */
    const volatile sig_atomic_t *stop;
    void (*report)(void *context, const strategy_progress *progress); /* or NULL */
    void *context;
    /* Called with each position in which the strategy is asked, by all threads; or NULL. */
    void (*visit)(void *visited, uint64_t x, uint64_t o);
    void *visited;
} strategy_check_options;

typedef struct strategy_report {
    char spec[64], player[8], claim[8];
    uint64_t positions;  /* in which the strategy was asked, up to symmetry */
    uint64_t replies;    /* of the opponent that were tried */
    uint64_t stored;     /* positions that the file holds */
    uint64_t size_bytes; /* of the file */
    int longest;         /* plies of the longest game */
    bool holds;          /* else: */
    plb_message fault;   /* what is wrong, and the moves that lead there, as --moves has them, */
    char line[STRATEGY_LINE];
    char position[PLB_BOARD_TEXT]; /* or what should not be stored; "": there is a line */
} strategy_report;

/* Check a strategy that is open.
 *
 * report  [out]  written in any case
 *
 * Errors: PLB_ECORRUPT: report->fault says what is wrong; PLB_EINTERRUPTED; PLB_ENOMEM;
 *         PLB_EARGUMENT: the table is no strategy. Cost: some microseconds, and 60 bytes, for each
 *         position. */
int strategy_check(const plb_table *table, const strategy_check_options *options,
                   strategy_report *report, plb_message *message);

#endif
