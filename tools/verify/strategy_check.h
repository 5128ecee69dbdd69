/* SPDX-License-Identifier: MIT
 *
 * The checker of strategies: plays a strategy against every move of the opponent, by the
 * independent rules of tools/search/plain_game.h. Of symmetric positions it visits one, because a
 * strategy has one move for all of them. If the player can win at once, he does, and the strategy
 * is not asked. Must not know: tables, searches, how a strategy finds its moves.
 */
#pragma once

#include <signal.h>

#include "probe/plybase.h"

enum { STRATEGY_LINE = 512 };

typedef struct strategy_check_options {
    int threads; /* at least 1 */
    const volatile sig_atomic_t *stop;
    void (*report)(void *context, int ply, uint64_t done, uint64_t positions); /* or NULL */
    void *context;
    /* Called by all threads with each position in which the strategy is asked; or NULL. */
    void (*visit)(void *visited, uint64_t x, uint64_t o);
    void *visited;
} strategy_check_options;

typedef struct strategy_report {
    char spec[64], player[8], claim[8];
    uint64_t positions;            /* in which the strategy was asked, up to symmetry */
    uint64_t replies;              /* of the opponent that were tried */
    uint64_t stored;               /* positions in the file */
    uint64_t size_bytes;           /* of the file */
    int longest;                   /* plies of the longest game */
    bool holds;                    /* if not, the rest is written */
    plb_message fault;             /* what is wrong */
    char line[STRATEGY_LINE];      /* the moves that lead there, as --moves reads them */
    char position[PLB_BOARD_TEXT]; /* a position that must not be stored; "": see the line */
} strategy_report;

/* Check an open strategy.
 *
 * report  [out]  written in any case
 *
 * Errors: PLB_ECORRUPT: report->fault says what is wrong; PLB_EINTERRUPTED; PLB_ENOMEM.
 * Cost:   a few microseconds and 60 bytes for each position. */
int strategy_check(const plb_table *table, const strategy_check_options *options,
                   strategy_report *report, plb_message *message);
