/* SPDX-License-Identifier: MIT
 *
 * The optional record `distances` (meta.h) of a table with distances: the number of positions of
 * each distance. For every ply n from 0 on, numbers of 8 bytes, big-endian:
 *
 *     ends[0]  ends[1] .. ends[cells - n]     positions that end after this number of plies
 *     x  o                                    a longest win, as natural bitboards (game.h)
 *     x  o                                    a longest loss
 *
 * The number of plies determines who wins. If no win (or loss) takes a ply or more, x and o are 0.
 */
#pragma once

#include "tables/games/game.h"
#include "tables/message.h"

/* Does the player to move win a game that ends after this number of plies? The player who moves
 * last completes a group. */
static inline bool plb_distance_is_win(const plb_game *game, int plies) {
    return (plies % 2 == 1) != game->misere;
}

/* Positions that end after this number of plies. */
static inline uint64_t plb_distance_count(const plb_game *game, const plb_ply_distances *ply,
                                          int plies) {
    return plb_distance_is_win(game, plies) ? ply->wins[plies] : ply->losses[plies];
}

size_t plb_distance_record_bytes(const plb_game *game);

/* plies [in] [cells + 1]; bytes [out] [plb_distance_record_bytes]. */
void plb_distance_record_encode(const plb_game *game, const plb_ply_distances *plies,
                                uint8_t *bytes);

/* Read a record, and check that it agrees with the statistics of its table.
 *
 * stats  [in]   [cells + 1]
 * plies  [out]  [cells + 1]
 *
 * Errors: PLB_ECORRUPT. */
int plb_distance_record_decode(const plb_game *game, const plb_ply_stats *stats,
                               const uint8_t *bytes, size_t size, plb_ply_distances *plies,
                               plb_message *message);
