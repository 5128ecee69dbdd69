/* SPDX-License-Identifier: MIT
 *
 * Scores, and the questions that a forward search asks about them.
 *
 * A score is what a position is worth to its mover, the faster win the more and the slower loss:
 *
 *     win   cells + 1 - E      E: the ply at which the game ends
 *     draw  0
 *     loss  E - cells - 1
 *
 * E is counted from the empty board, so that a move only changes the sign. A question is whether
 * the score is at least a bound: 1 asks for a win and 0 for no loss, however long it takes. Other
 * bounds are limited: the one who is to win must do so by a ply, the horizon. A game that is not
 * over there counts as one that he does not win.
 */
#ifndef PLB_TOOLS_SEARCH_SEARCH_QUESTION_H
#define PLB_TOOLS_SEARCH_SEARCH_QUESTION_H

#include "tools/search/search_rules.h"

static inline int question_score(const search_rules *rules, plb_value value, int end_ply) {
    return (int)value * (rules->cells + 1 - end_ply);
}

static inline bool question_is_limited(int bound) {
    return bound < 0 || bound > 1;
}

static inline int question_horizon(const search_rules *rules, int bound) {
    return bound > 0 ? rules->cells + 1 - bound : rules->cells + bound;
}

/* Is it the mover who must complete a group to decide the question, or the other one? */
static inline bool question_mover_completes(const search_rules *rules, int bound) {
    return (bound > 0) != rules->misere;
}

#endif
