/* SPDX-License-Identifier: MIT
 *
 * Where values come from while a strategy is extracted: the table of a game, a search of a game of
 * numbers, or a set of positions in which a rule is known to keep the claim. One question is asked
 * again and again: does the claim of the strategy hold from a position on? Must not know: how moves
 * are chosen.
 */
#ifndef PLB_TOOLS_STRATEGY_STRATEGY_SOURCE_H
#define PLB_TOOLS_STRATEGY_STRATEGY_SOURCE_H

#include <signal.h>

#include "probe/plybase.h"
#include "tables/index/position_set.h"
#include "tables/strategies/strategy_rules.h"
#include "tools/search/number_search.h"

typedef struct strategy_source {
    const plb_game *game;
    const plb_table *table; /* or, NULL, */
    number_search *search;  /* or, NULL, */
    /* canonical positions with the opponent to move: these and no others keep the claim. */
    const plb_position_set *kept;
    const plb_symmetry *symmetry;      /* of the kept positions */
    const volatile sig_atomic_t *stop; /* raised: PLB_EINTERRUPTED soon; or NULL */
    uint64_t node_budget;              /* of a search for one answer; 0: no limit */
    uint64_t nodes;                    /* out: searched so far */
} strategy_source;

/* Does a claim hold from a position on that can arise? *holds is false also where the budget did
 * not suffice; *known says whether it did. Errors: PLB_EINTERRUPTED, those of plb_probe. */
int strategy_source_ask(strategy_source *source, plb_position position,
                        const plb_strategy_claim *claim, bool *holds, bool *known,
                        plb_message *message);

/* What plb_strategy_find_rule finds of a position, with less work where there is a search. *move is
 * written only for a forced move. */
plb_strategy_rule strategy_source_find_rule(const strategy_source *source,
                                            const plb_strategy_claim *claim, plb_position position,
                                            int *move);

/* Replies that a player has in a position that is not decided, without those that lose at once as
 * far as that is quickly known. */
int strategy_source_count_replies(const strategy_source *source, plb_position position,
                                  const plb_static_result *result);

#endif
