/* SPDX-License-Identifier: MIT
 *
 * Static rules on single positions.
 */
#include "tables/settle.h"

static plb_settlement settled(plb_value value, int dtm) {
    return (plb_settlement){PLB_SETTLED, value, value == PLB_DRAW ? PLB_NO_DTM : dtm, 0};
}

/* All moves but `safe` lose at once, and then the game ends dtm plies from here. */
static plb_settlement choose_among(uint64_t safe, int dtm) {
    if (!safe) return settled(PLB_LOSS, dtm);
    return (plb_settlement){safe & (safe - 1) ? PLB_QUIET : PLB_FORCED, PLB_DRAW, PLB_NO_DTM, safe};
}

/* Moves after which the opponent cannot complete a group at once. */
static uint64_t safe_moves(const plb_game *game, uint64_t playable, uint64_t completed_by_other) {
    uint64_t threats = completed_by_other & playable;
    if (threats & (threats - 1)) return 0;
    uint64_t safe = threats ? threats : playable;
    if (game->gravity) safe &= ~((completed_by_other & ~game->bottom) >> 1);
    return safe;
}

/* plb_game_completing and plb_game_has_group in one pass, which is what a probe spends most on. */
static uint64_t find_completing(const plb_game *game, uint64_t stones, uint64_t empty,
                                bool *has_group) {
    uint64_t cells = 0;
    int complete = 0;
    for (int g = 0; g < game->group_count; g++) {
        uint64_t missing = game->groups[g] & ~stones;
        complete |= missing == 0;
        cells |= (missing & (missing - 1)) == 0 ? missing & empty : 0;
    }
    *has_group = complete;
    return cells;
}

plb_settlement plb_settle(const plb_game *game, plb_position position) {
    uint64_t occupied = plb_stones_occupied(position), empty = game->board & ~occupied;
    bool has_group;
    uint64_t other = find_completing(game, plb_stones_last(position), empty, &has_group);
    if (has_group) return settled(game->misere ? PLB_WIN : PLB_LOSS, 0);
    if (!empty) return settled(PLB_DRAW, 0);
    uint64_t playable = plb_game_playable(game, occupied);
    uint64_t completing = plb_game_completing(game, plb_stones_mover(position), empty);
    if (game->misere) return choose_among(playable & ~completing, 1);
    if (completing & playable) return settled(PLB_WIN, 1);
    return choose_among(safe_moves(game, playable, other), 2);
}
