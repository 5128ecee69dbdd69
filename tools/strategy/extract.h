/* SPDX-License-Identifier: MIT
 *
 * Extraction of a strategy: all positions that can arise, with the player to move, when he follows
 * it, and his moves, up to symmetry. It goes through the game in depth: a position gets its move,
 * and then so do those that the opponent's replies lead to. Small is the point, so moves are
 * chosen with what is stored already in view.
 */
#ifndef PLB_TOOLS_STRATEGY_EXTRACT_H
#define PLB_TOOLS_STRATEGY_EXTRACT_H

#include "tables/games/symmetry.h"
#include "tables/strategies/strategy_file.h"
#include "tools/strategy/strategy_source.h"

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
    uint64_t positions, nodes;
} extract_progress;

typedef struct extract_options {
    const plb_game *game;
    const plb_symmetry *symmetry;
    plb_strategy_claim claim; /* which the player can keep from the empty board on */
    strategy_source *source;
    strategy_choice choice;
    int width; /* moves that CHOOSE_FEWEST compares */
    void (*report)(void *context, const extract_progress *progress); /* now and then, or NULL */
    void *context;
} extract_options;

/* Extract a strategy. *strategy is written in any case; free it with plb_strategy_free.
 * Errors: PLB_EINTERRUPTED, PLB_ENOMEM; PLB_ECORRUPT: the source contradicts itself, or the rules;
 * those of strategy_source_ask. Cost: 50 bytes for each position that is met. */
int strategy_extract(const extract_options *options, plb_strategy *strategy, plb_message *message);

#endif
