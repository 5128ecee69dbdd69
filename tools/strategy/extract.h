/* SPDX-License-Identifier: MIT
 *
 * Extraction of a strategy: all positions that can arise, with the player to move, when he follows
 * it, and his moves, up to symmetry. It visits the game depth first: a position gets its move, then
 * the positions after the opponent's replies. The strategy should be small, so moves that lead to
 * positions already stored are preferred.
 */
#ifndef PLB_TOOLS_STRATEGY_EXTRACT_H
#define PLB_TOOLS_STRATEGY_EXTRACT_H

#include <signal.h>

#include "probe/plybase.h"
#include "tables/games/symmetry.h"
#include "tables/index/position_set.h"
#include "tables/strategies/strategy_file.h"
#include "tables/strategies/strategy_rules.h"
#include "tools/search/number_search.h"

/* ---- where values come from ----
 *
 * The table of a game, a search of a game of numbers, or a set of positions in which a rule is
 * known to keep the claim. One question is asked again and again: does the claim of the strategy
 * hold from a position on? */

typedef struct strategy_source {
    const plb_game *game;
    const plb_table *table; /* or, NULL, */
    number_search *search;  /* or, NULL, */
    /* canonical positions with the opponent to move: these and no others keep the claim. */
    const plb_position_set *kept;
    const plb_symmetry *symmetry;
    const volatile sig_atomic_t *stop; /* raised: PLB_EINTERRUPTED soon; or NULL */
    uint64_t node_budget;              /* of a search for one answer; 0: no limit */
    uint64_t nodes;                    /* out: searched so far */
} strategy_source;

/* Does a claim hold from a position on that can arise? *holds is false also where the budget did
 * not suffice; *known says whether it did. Errors: PLB_EINTERRUPTED, those of plb_probe. */
int strategy_source_ask(strategy_source *source, plb_position position,
                        const plb_strategy_claim *claim, bool *holds, bool *known,
                        plb_message *message);

/* ---- extraction ---- */

/* Of the moves that keep the claim, which one? */
typedef enum strategy_choice {
    CHOOSE_FIRST,   /* the first, in the order of cells */
    CHOOSE_FORCING, /* the first of those that leave the opponent the fewest moves */
    CHOOSE_FEWEST,  /* of some of these, the one that adds the fewest positions two plies below */
} strategy_choice;

/* "first", "forcing" or "fewest". */
const char *strategy_choice_text(strategy_choice choice);

typedef struct extract_progress {
    double done; /* share of the game, 0 to 1 */
    uint64_t positions;
} extract_progress;

typedef struct extract_options {
    plb_strategy_claim claim; /* which the player can keep from the empty board on */
    strategy_source *source;
    strategy_choice choice;
    int width; /* moves that CHOOSE_FEWEST compares */
    void (*report)(void *context, const extract_progress *progress); /* now and then, or NULL */
    void *context;
} extract_options;

/* Extract a strategy. *strategy is written in any case; free it with plb_strategy_free.
 * Errors: PLB_EINTERRUPTED, PLB_ENOMEM; PLB_ECORRUPT: the source contradicts itself, or the rules;
 * those of strategy_source_ask. Cost: 100 bytes for each position that is met. */
int strategy_extract(const extract_options *options, plb_strategy *strategy, plb_message *message);

#endif
