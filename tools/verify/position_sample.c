/* SPDX-License-Identifier: MIT
 *
 * Positions at random.
 */
#include "tools/verify/position_sample.h"

enum {
    DRAWS = 1000, /* entries tried before games are */
    GAMES = 1000, /* games tried */
};

/* The moves of a position, or those after which the game goes on. */
static int list_moves(const plb_game *game, plb_position position, bool going_on,
                      int moves[PLB_MAX_MOVES]) {
    int count = plb_rules_moves(game, position, moves), kept = 0;
    for (int m = 0; m < count; m++)
        if (!going_on || !plb_rules_is_over(game, plb_rules_play(game, position, moves[m])))
            moves[kept++] = moves[m];
    return kept;
}

/* Play to a ply; no move but the last one may complete a group. False: the game got stuck. */
static bool play_game(const plb_game *game, int ply, uint64_t *random, plb_position *position) {
    plb_position p = {0, 0};
    for (int n = 0; n < ply; n++) {
        int moves[PLB_MAX_MOVES], count = list_moves(game, p, n + 1 < ply, moves);
        if (!count) return false;
        p = plb_rules_play(game, p, moves[plb_next_random(random) % count]);
    }
    *position = p;
    return true;
}

bool sample_draw(const plb_enumeration *enumeration, int ply, uint64_t seed, uint64_t number,
                 plb_position *position) {
    /* Mixed, so that the numbers of one seed are not those of the next in another order. */
    uint64_t random = plb_next_random(&seed) ^ (uint64_t)ply << 56 ^ number;
    random = plb_next_random(&random); /* neighbouring numbers, distant states */
    uint64_t count;
    if (!plb_enumeration_entries(enumeration, ply)) return false;
    for (int t = 0; t < DRAWS; t++)
        if (plb_enumeration_draw(enumeration, ply, &random, position, &count)) return true;
    for (int t = 0; t < GAMES; t++)
        if (play_game(plb_enumeration_game(enumeration), ply, &random, position)) return true;
    return false;
}
