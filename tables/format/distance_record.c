/* SPDX-License-Identifier: MIT */
#include "tables/format/distance_record.h"

#include "tables/bits.h"
#include "tables/games/rules.h"

enum { NUMBER = 8, LONGEST_BYTES = 4 * NUMBER };

size_t plb_distance_record_bytes(const plb_game *game) {
    size_t bytes = 0;
    for (int ply = 0; ply <= game->cells; ply++)
        bytes += NUMBER * (size_t)(game->cells - ply + 1) + LONGEST_BYTES;
    return bytes;
}

/* ---- writing ---- */

static uint8_t *put_longest(uint8_t *to, const plb_longest *longest) {
    to = plb_put_number(to, longest->x, NUMBER);
    return plb_put_number(to, longest->o, NUMBER);
}

void plb_distance_record_encode(const plb_game *game, const plb_ply_distances *plies,
                                uint8_t *bytes) {
    for (int ply = 0; ply <= game->cells; ply++) {
        const plb_ply_distances *d = &plies[ply];
        for (int end = 0; end <= game->cells - ply; end++)
            bytes = plb_put_number(bytes, plb_distance_count(game, d, end), NUMBER);
        bytes = put_longest(bytes, &d->longest_win);
        bytes = put_longest(bytes, &d->longest_loss);
    }
}

/* ---- reading ---- */

static const uint8_t *get_longest(const uint8_t *from, plb_longest *longest) {
    longest->x = plb_get_number(from, NUMBER);
    longest->o = plb_get_number(from + NUMBER, NUMBER);
    return from + LONGEST_BYTES / 2;
}

/* Read a ply. The greatest distances follow from the counts. */
static const uint8_t *get_ply(const plb_game *game, int ply, const uint8_t *from,
                              plb_ply_distances *d) {
    *d = (plb_ply_distances){.longest_win.plies = PLB_NO_DTM, .longest_loss.plies = PLB_NO_DTM};
    for (int end = 0; end <= game->cells - ply; end++, from += NUMBER) {
        bool is_win = plb_distance_is_win(game, end);
        uint64_t count = plb_get_number(from, NUMBER);
        (is_win ? d->wins : d->losses)[end] = count;
        if (end && count) (is_win ? &d->longest_win : &d->longest_loss)->plies = end;
    }
    from = get_longest(from, &d->longest_win);
    return get_longest(from, &d->longest_loss);
}

/* Is it a position of the ply? Whether it can arise is not checked. */
static bool is_of_ply(const plb_game *game, int ply, const plb_longest *longest) {
    if (longest->plies == PLB_NO_DTM) return longest->x == 0 && longest->o == 0;
    plb_position position;
    return game->rules->from_words(game, longest->x, longest->o, &position, NULL) == PLB_OK &&
           plb_rules_ply(game, position) == ply &&
           plb_rules_check(game, position, NULL) != PLB_ECOUNTS;
}

static bool agrees(const plb_game *game, int ply, const plb_ply_stats *s,
                   const plb_ply_distances *d) {
    uint64_t wins = 0, losses = 0;
    for (int end = 0; end <= game->cells - ply; end++) {
        wins += d->wins[end];
        losses += d->losses[end];
    }
    bool x_moves = plb_ply_x_moves(ply);
    return d->wins[0] + d->losses[0] == s->terminal && wins == (x_moves ? s->won : s->lost) &&
           losses == (x_moves ? s->lost : s->won) && is_of_ply(game, ply, &d->longest_win) &&
           is_of_ply(game, ply, &d->longest_loss);
}

int plb_distance_record_decode(const plb_game *game, const plb_ply_stats *stats,
                               const uint8_t *bytes, size_t size, plb_ply_distances *plies,
                               plb_message *message) {
    if (size != plb_distance_record_bytes(game))
        return plb_fail(message, PLB_ECORRUPT,
                        "the table is damaged: its distances have %zu bytes and should have %zu",
                        size, plb_distance_record_bytes(game));
    for (int ply = 0; ply <= game->cells; ply++) {
        bytes = get_ply(game, ply, bytes, &plies[ply]);
        if (!agrees(game, ply, &stats[ply], &plies[ply]))
            return plb_fail(message, PLB_ECORRUPT,
                            "the table is damaged: the distances of ply %d do not add up", ply);
    }
    return PLB_OK;
}
