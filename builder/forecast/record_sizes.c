/* SPDX-License-Identifier: MIT
 *
 * The bytes per entry are a product of powers: they fall with the size of a record (up to a chunk,
 * which is compressed by itself) and near the end of the game, and rise with the height of columns
 * and the share of undecided entries. The exponents were fitted to what two ranks sent for 27
 * boards: with gravity 20 to 32 cells and k = 4, without it 20 to 24 cells.
 */
#include "builder/forecast/record_sizes.h"

#include <math.h>

/* Records of up to plain_words 64-bit words are not compressed; padding of blocks to whole words
 * included, they take plain_rate bytes per entry. */
static const double plain_words = 64, plain_rate = 0.131;
static const double chunk_words = 0x1p15; /* in all planes together */
static const double min_share = 0.001;    /* smallest share that a sample can show */

/* Bytes per entry of a plane = factor * product of (quantity ^ exponent). The quantities are the
 * words of a plane in a chunk, the chunks, height / 5, the share of packed planes, find_end(). */
typedef struct power_law {
    double factor, words, chunks, height, share, end;
} power_law;

static const power_law by_columns[PLB_PACKINGS] = {
    /* with gravity */
    [PLB_PACK_REACH] = {0.265, -0.187, -0.187, 1, 0.58, 0},
    [PLB_PACK_VALUES] = {0.268, -0.23, -0.23, 0.92, 0.25, 1.18},
    [PLB_PACK_MISERE] = {0.23, -0.186, -0.136, 0, 0, 0.44},
    [PLB_PACK_DISTANCES] = {0.435, -0.267, -0.107, 0.6, 0, 0.33},
    [PLB_PACK_MISERE_DISTANCES] = {0.275, -0.186, -0.136, 0, 0, 0.44},
};
static const power_law reach_of_cylinder = {0.163, -0.086, -0.086, 0, 0.5, 0};
static const power_law values_by_cells = {0.19, -0.3, -0.3, 0, 0, 1.3}; /* without gravity */
static const power_law others_by_cells = {0.233, -0.176, -0.176, 0, 0, 0};

/* Values that include wins by the next move take 1 + wins_share / empty cells times as much. */
static const double wins_share = 4.5;

/* The factor for the number of empty cells: 1 in the beginning of a game, near 0 in its last plies.
 * In normal play with one empty cell no value is left to be stored. */
static double find_end(const plb_packed_planes *p) {
    if (p->packing != PLB_PACK_VALUES) return 1 - exp(-(p->empty + 0.5) / 2);
    return 1 - exp(-fmax(0, p->empty - 0.7) / 3);
}

double plb_packed_planes_bytes(const plb_game *game, const plb_packed_planes *p) {
    const power_law *l = &by_columns[p->packing];
    if (p->packing == PLB_PACK_REACH && game->cylinder) l = &reach_of_cylinder;
    if (!game->gravity) l = p->packing == PLB_PACK_VALUES ? &values_by_cells : &others_by_cells;
    double words = p->entries / 64, chunk = fmin(words, chunk_words / p->planes);
    double share = fmax(p->share, min_share), rate = plain_rate;
    if (p->packing == PLB_PACK_REACH) { /* the entropy of an entry, in bits */
        share = fmin(share, 1 - min_share);
        share = -share * log2(share) - (1 - share) * log2(1 - share);
    }
    if (p->planes * p->entries * plain_rate > plain_words * sizeof(uint64_t))
        rate = l->factor * pow(chunk, l->words) * pow(words / chunk, l->chunks) *
               pow(game->height / 5.0, l->height) * pow(share, l->share) * pow(find_end(p), l->end);
    if (p->has_wins) rate *= 1 + wins_share / fmax(p->empty, 1);
    return p->planes * p->entries * fmin(rate, plain_rate);
}
