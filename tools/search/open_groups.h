/* SPDX-License-Identifier: MIT
 *
 * Open groups: questions (tools/search/search_rules.h) that are decided because a player never
 * completes a group: in normal play the opponent can prevent every one, in misere play the player
 * can avoid it.
 *
 * Knows stones and groups. Must not know: other data of a search.
 */
#ifndef PLB_TOOLS_SEARCH_OPEN_GROUPS_H
#define PLB_TOOLS_SEARCH_OPEN_GROUPS_H

#include "tools/search/search_rules.h"

/* What holds of a game in every position. Its members are for this module alone. */
typedef struct open_groups {
    const search_rules *rules;
    uint64_t even_gaps;                   /* cells with an even number of cells above them */
    uint64_t supports[SEARCH_MAX_GROUPS]; /* cells of a group, and with gravity those below them */
} open_groups;

/* The rules are kept, not copied. */
void open_groups_begin(const search_rules *rules, open_groups *open);

/* Is it decided whether the score of a position is at least the bound? Then *reached gets the
 * answer. The position is not over; stones[0] are those of x, stones[1] those of o.
 * Cost: some steps per group. */
bool open_groups_answer(const open_groups *open, const uint64_t stones[2], int ply, int bound,
                        bool *reached);

#endif
