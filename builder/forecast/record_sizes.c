/* SPDX-License-Identifier: MIT
 *
 * Records shrink the better the bigger they are, up to a chunk, which is packed by itself; less so
 * where columns are high, or much is undecided; to nothing where hardly any cell is empty. Each is
 * a power. The powers are those that came closest to what two ranks sent of 27 boards: with gravity
 * those of 20 to 32 cells and k 4, without it of 20 to 24 cells.
 */
#include "builder/forecast/record_sizes.h"

#include <math.h>

/* Records of so many words are as they are; so many bytes an entry, as blocks are whole words. */
static const double plain_words = 64, plain_rate = 0.131;
static const double chunk_words = 0x1p15; /* of all planes */
static const double min_share = 0.001;    /* a sample sees no fewer */

/* Bytes of an entry of a plane: a factor, and powers of the words of a plane in a chunk, of the
 * chunks, of the height in fives, of a share, and of what the end of the game leaves. */
typedef struct shrinking {
    double factor, words, chunks, height, share, end;
} shrinking;

/* Where stones fall into columns, and where they do not. */
static const shrinking by_columns[PLB_PACKINGS] = {
    [PLB_PACK_REACH] = {0.265, -0.187, -0.187, 1, 0.58, 0},
    [PLB_PACK_VALUES] = {0.268, -0.23, -0.23, 0.92, 0.25, 1.18},
    [PLB_PACK_MISERE] = {0.23, -0.186, -0.136, 0, 0, 0.44},
    [PLB_PACK_DISTANCES] = {0.435, -0.267, -0.107, 0.6, 0, 0.33},
    [PLB_PACK_MISERE_DISTANCES] = {0.275, -0.186, -0.136, 0, 0, 0.44},
};
static const shrinking reach_of_cylinder = {0.163, -0.086, -0.086, 0, 0.5, 0};
static const shrinking values_by_cells = {0.19, -0.3, -0.3, 0, 0, 1.3};
static const shrinking others_by_cells = {0.233, -0.176, -0.176, 0, 0, 0};

/* With the wins that are seen, values take 1 + so many / empty cells times as much. */
static const double wins_share = 4.5;

static const shrinking *choose_shrinking(const plb_game *game, plb_packing packing) {
    if (!game->gravity) return packing == PLB_PACK_VALUES ? &values_by_cells : &others_by_cells;
    return packing == PLB_PACK_REACH && game->cylinder ? &reach_of_cylinder : &by_columns[packing];
}

/* Bits of information of an entry that is 1 with a probability. */
static double find_entropy(double p) {
    p = fmin(p, 1 - min_share);
    return -p * log2(p) - (1 - p) * log2(1 - p);
}

/* Of what the last plies leave to be decided. In normal play, where one cell is empty, the wins
 * that are seen are all. */
static double find_end(const plb_packed_planes *p) {
    if (p->packing != PLB_PACK_VALUES) return 1 - exp(-(p->empty + 0.5) / 2);
    return 1 - exp(-fmax(0, p->empty - 0.7) / 3);
}

double plb_packed_planes_bytes(const plb_game *game, const plb_packed_planes *p) {
    const shrinking *s = choose_shrinking(game, p->packing);
    double words = p->entries / 64, chunk = fmin(words, chunk_words / p->planes);
    double share = fmax(p->share, min_share), rate = plain_rate;
    if (p->packing == PLB_PACK_REACH) share = find_entropy(share);
    if (p->planes * p->entries * plain_rate > plain_words * sizeof(uint64_t))
        rate = s->factor * pow(chunk, s->words) * pow(words / chunk, s->chunks) *
               pow(game->height / 5.0, s->height) * pow(share, s->share) * pow(find_end(p), s->end);
    if (p->has_wins) rate *= 1 + wins_share / fmax(p->empty, 1);
    return p->planes * p->entries * fmin(rate, plain_rate);
}
