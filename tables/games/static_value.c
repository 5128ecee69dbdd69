/* SPDX-License-Identifier: MIT
 *
 * Static rules on single positions.
 */
#include "tables/games/static_value.h"

#include "tables/cpu_dispatch.h"

static plb_static_result decided(plb_value value, int dtm) {
    return (plb_static_result){PLB_DECIDED, value, value == PLB_DRAW ? PLB_NO_DTM : dtm, 0};
}

/* All moves but `safe` lose immediately, and then the game ends dtm plies from here. */
static plb_static_result choose_among(uint64_t safe, int dtm) {
    if (!safe) return decided(PLB_LOSS, dtm);
    return (plb_static_result){safe & (safe - 1) ? PLB_QUIET : PLB_FORCED, PLB_DRAW, PLB_NO_DTM,
                               safe};
}

/* Moves after which the opponent cannot complete a group immediately. */
static uint64_t safe_moves(const plb_game *game, uint64_t playable, uint64_t completed_by_other) {
    uint64_t threats = completed_by_other & playable;
    if (threats & (threats - 1)) return 0;
    uint64_t safe = threats ? threats : playable;
    if (game->gravity) safe &= ~((completed_by_other & ~game->bottom) >> 1);
    return safe;
}

/* What follows from the groups of a position, in one pass over them, which is what a probe spends
 * most on: has the last mover one, and which empty cells complete one for whom? */
typedef struct group_news {
    bool last_has_group;
    uint64_t by_last, by_mover; /* completing cells */
} group_news;

/* Masks of 64 bits throughout, so that vectors have few steps. */
PLB_ALWAYS_INLINE group_news read_groups(const plb_game *game, plb_position position) {
    uint64_t last = plb_stones_last(position), mover = plb_stones_mover(position);
    uint64_t complete = 0, by_last = 0, by_mover = 0;
    for (int g = 0; g < game->group_count; g++) {
        uint64_t lacks = game->groups[g] & ~last, needs = game->groups[g] & ~mover;
        complete |= lacks == 0 ? ~0ULL : 0;
        by_last |= (lacks & (lacks - 1)) == 0 ? lacks : 0;
        by_mover |= (needs & (needs - 1)) == 0 ? needs : 0;
    }
    uint64_t empty = game->board & ~(last | mover);
    return (group_news){complete != 0, by_last & empty, by_mover & empty};
}

PLB_AVX2 static group_news read_groups_avx2(const plb_game *game, plb_position position) {
    return read_groups(game, position);
}

plb_static_result plb_static_value(const plb_game *game, plb_position position) {
    uint64_t occupied = plb_stones_occupied(position);
    group_news news =
        plb_has_avx2() ? read_groups_avx2(game, position) : read_groups(game, position);
    if (news.last_has_group) return decided(game->misere ? PLB_WIN : PLB_LOSS, 0);
    if (occupied == game->board) return decided(PLB_DRAW, 0);
    uint64_t playable = plb_game_playable(game, occupied);
    if (game->misere) return choose_among(playable & ~news.by_mover, 1);
    if (news.by_mover & playable) return decided(PLB_WIN, 1);
    return choose_among(safe_moves(game, playable, news.by_last), 2);
}
