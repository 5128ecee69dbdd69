/* SPDX-License-Identifier: MIT
 *
 * Open groups: decides questions (tools/search/search_rules.h) if a player never completes a group,
 * because in normal play the opponent can prevent it, or in misere play the player can avoid it.
 *
 * It looks only at stones and groups. Must not know: other data of a search.
 */
#pragma once

#include "tools/search/search_rules.h"

/* Constants of a game. The fields are private to this module. */
typedef struct open_groups {
    const search_rules *rules;
    uint64_t even_gaps;                   /* cells with an even number of cells above them */
    uint64_t supports[SEARCH_MAX_GROUPS]; /* [group] its cells, and with gravity those below */
} open_groups;

/* The rules must outlive *open. */
void open_groups_begin(const search_rules *rules, open_groups *open);

/* Can this module decide whether the score of a position is at least the bound? If so, *reached
 * gets the answer. The game is not over; stones[0] are those of x, stones[1] those of o. Cost: a
 * few operations per group. */
bool open_groups_answer(const open_groups *open, const uint64_t stones[2], int ply, int bound,
                        bool *reached);
