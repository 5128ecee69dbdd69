/* SPDX-License-Identifier: MIT
 *
 * Extraction of a strategy: a move for every position, up to symmetry, that can arise with the
 * player to move when he follows it. The game is visited depth first: a position gets its move,
 * then the positions after the opponent's replies are visited. To keep the strategy small, moves
 * that lead to stored positions are preferred.
 */
#pragma once

#include <signal.h>

#include "probe/plybase.h"
#include "tables/games/symmetry.h"
#include "tables/index/position_set.h"
#include "tables/strategies/strategy_file.h"
#include "tables/strategies/strategy_rules.h"
#include "tools/search/number_search.h"

/* ---- the source of values ----
 *
 * It answers one question: does the claim of the strategy hold in a position? */

typedef struct strategy_source {
    const plb_game *game;
    /* One of these is not NULL: a table, a search of a game of numbers, or the set of all canonical
     * positions with the opponent to move in which the claim holds. */
    const plb_table *table;
    number_search *search;
    const plb_position_set *kept;
    const plb_symmetry *symmetry;
    const volatile sig_atomic_t *stop; /* nonzero: PLB_EINTERRUPTED soon; or NULL */
    uint64_t node_budget;              /* of one search; 0: no limit */
    uint64_t nodes;                    /* out: searched so far */
} strategy_source;

/* Does a claim hold in a position that can arise? *known is false if the node budget was too small;
 * then *holds is false. Errors: PLB_EINTERRUPTED, those of plb_probe. */
int strategy_source_ask(strategy_source *source, plb_position position,
                        const plb_strategy_claim *claim, bool *holds, bool *known,
                        plb_message *message);

/* ---- extraction ---- */

/* Which of the moves that keep the claim is chosen? */
typedef enum strategy_choice {
    CHOOSE_FIRST,   /* the first, in the order of cells */
    CHOOSE_FORCING, /* the first of those that leave the opponent the fewest moves */
    CHOOSE_FEWEST,  /* the one that needs the fewest new positions two plies later; `width` moves
                       are compared, in the order of CHOOSE_FORCING */
} strategy_choice;

typedef struct extract_options {
    plb_strategy_claim claim; /* holds on the empty board */
    strategy_source *source;
    strategy_choice choice;
    int width; /* moves that CHOOSE_FEWEST compares */
    /* done: share of the game that is finished, 0 to 1; or NULL */
    void (*report)(void *context, double done, uint64_t positions);
    void *context;
} extract_options;

/* Extract a strategy. *strategy is written in any case; free it with plb_strategy_free.
 * Errors: PLB_EINTERRUPTED, PLB_ENOMEM; PLB_ECORRUPT: the source contradicts itself or the rules;
 * those of strategy_source_ask. Cost: 100 bytes for each position that is visited. */
int strategy_extract(const extract_options *options, plb_strategy *strategy, plb_message *message);
