/* SPDX-License-Identifier: MIT
 *
 * The rules of the forward search: sets of cells as bit masks. They are made from the independent
 * rules of tools/search/plain_game.h and compared with the rules by which tables are made. Only the
 * numbering of cells is that of tables/games/game.h: the cell above a cell has the next number.
 */
#pragma once

#include "tables/games/stone_rules.h"

enum { SEARCH_SYMMETRIES = 8, SEARCH_MAX_GROUPS = 4 * PLB_MAX_CELLS };

typedef struct search_rules {
    int width, height, cells;
    int k; /* stones in a row; 0: groups are not rows */
    bool gravity, misere, cylinder;
    uint8_t column_start[PLB_MAX_CELLS]; /* [column] its cell in row 0; the others follow it */
    uint64_t board, bottom;              /* all cells; those of row 0 */
    int group_count;
    uint64_t groups[SEARCH_MAX_GROUPS];              /* [group_count] ascending, distinct */
    int symmetries;                                  /* at most SEARCH_SYMMETRIES are used */
    uint8_t image[SEARCH_SYMMETRIES][PLB_MAX_CELLS]; /* [symmetry][cell]; 0 is the identity */
} search_rules;

/* Make the rules of a game, of stones or of numbers, and compare the two implementations: the
 * groups, and in random games the moves, whether a group is complete, the end and its value.
 *
 * game  [in]  the rules to be compared; the independent rules use only its name
 *
 * Errors:  PLB_ECORRUPT: the implementations differ; the message has the first difference. No table
 *          that was made by such rules can be trusted.
 * Cost:    milliseconds.  */
int search_rules_make(const plb_game *game, search_rules *rules, plb_message *message);

/* Does a set of stones of one colour contain a group? */
static inline bool search_has_group(const search_rules *rules, uint64_t stones) {
    int complete = 0;
    for (int g = 0; g < rules->group_count; g++) complete |= (rules->groups[g] & ~stones) == 0;
    return complete;
}

/* Empty cells where a stone may be placed: with gravity those right above a stone or in row 0. (The
 * bit above a full column is the cell of row 0 of another column.) */
static inline uint64_t search_playable(const search_rules *rules, uint64_t occupied) {
    uint64_t empty = rules->board & ~occupied;
    return rules->gravity ? empty & (occupied << 1 | rules->bottom) : empty;
}

/* ---- scores and questions ----
 *
 * The score of a position is for the player to move. A faster win and a slower loss are worth more:
 *
 *     win   cells + 1 - E      E: the ply at which the game ends
 *     draw  0
 *     loss  E - cells - 1
 *
 * E is counted from the empty board, so that a move only changes the sign. A question is a null
 * window: is the score at least a bound? Bound 1 asks for a win and 0 for no loss, however long it
 * takes. Other bounds are limited: the winner must win by a ply, the horizon. If the game is not
 * over there, he does not win. */

static inline int question_score(const search_rules *rules, plb_value value, int end_ply) {
    return (int)value * (rules->cells + 1 - end_ply);
}

static inline bool question_is_limited(int bound) {
    return bound < 0 || bound > 1;
}

static inline int question_horizon(const search_rules *rules, int bound) {
    return bound > 0 ? rules->cells + 1 - bound : rules->cells + bound;
}

/* Does the question depend on whether the mover completes a group? If not, on the opponent. */
static inline bool question_mover_completes(const search_rules *rules, int bound) {
    return (bound > 0) != rules->misere;
}
