/* SPDX-License-Identifier: MIT
 *
 * The rules as the forward search uses them: sets of cells as bits, made from the plain rules
 * (tools/search/plain_game.h) and compared with the rules that tables are made by. Cells have the
 * numbers of tables/games/game.h, which puts a stone on the next higher number of its column;
 * nothing else is taken from there.
 */
#ifndef PLB_TOOLS_SEARCH_SEARCH_RULES_H
#define PLB_TOOLS_SEARCH_SEARCH_RULES_H

#include "tables/games/stone_rules.h"

enum { SEARCH_SYMMETRIES = 8, SEARCH_MAX_GROUPS = 4 * PLB_MAX_CELLS };

typedef struct search_rules {
    int width, height, cells;
    int k; /* stones in a row; 0: groups are no rows */
    bool gravity, misere, cylinder;
    uint8_t column_start[PLB_MAX_CELLS]; /* [column] its cell of row 0; the others follow it */
    uint64_t board, bottom;              /* all cells; those of row 0 */
    int group_count;
    uint64_t groups[SEARCH_MAX_GROUPS]; /* [group_count] ascending, distinct */
    int symmetries; /* images of a board that play alike, at most SEARCH_SYMMETRIES */
    uint8_t image[SEARCH_SYMMETRIES][PLB_MAX_CELLS]; /* [symmetry][cell]; 0 is the identity */
} search_rules;

/* Make the rules of a game, of stones or of numbers, and compare: groups as sets; in games played
 * at random, by the plain rules as well, the moves, whether a group is complete, the end and the
 * value there.
 *
 * game  [in]  what is compared; only its name says what it is to be
 *
 * Errors:  PLB_ECORRUPT: the two statements of the rules differ, with the first difference; no
 *          table that rests on such rules can be trusted.
 * Cost:    milliseconds.  */
int search_rules_make(const plb_game *game, search_rules *rules, plb_message *message);

/* Does a set of stones of one colour contain a group? */
static inline bool search_has_group(const search_rules *rules, uint64_t stones) {
    int complete = 0;
    for (int g = 0; g < rules->group_count; g++) complete |= (rules->groups[g] & ~stones) == 0;
    return complete;
}

/* Empty cells where a stone may be placed: with gravity those right on a stone or on the ground.
 * (What a full column adds above itself lies on the ground of the next.) */
static inline uint64_t search_playable(const search_rules *rules, uint64_t occupied) {
    uint64_t empty = rules->board & ~occupied;
    return rules->gravity ? empty & (occupied << 1 | rules->bottom) : empty;
}

/* ---- scores, and the questions that a search asks about them ----
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
 * over there counts as one that he does not win. */

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
