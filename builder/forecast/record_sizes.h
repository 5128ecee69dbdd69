/* SPDX-License-Identifier: MIT
 *
 * How many bytes the records of a ply take when they are packed (scratch/scratch_codec.h): the
 * mean, by what is known of their planes without solving the game. Must not know: who reads them.
 */
#ifndef PLB_BUILDER_FORECAST_RECORD_SIZES_H
#define PLB_BUILDER_FORECAST_RECORD_SIZES_H

#include "tables/games/game.h"

/* What planes are: open positions, or values; of misere games, and with distances, the wins that
 * are seen are always stored (slabs/solve_ply.h). */
typedef enum plb_packing {
    PLB_PACK_REACH,
    PLB_PACK_VALUES,
    PLB_PACK_MISERE,
    PLB_PACK_DISTANCES,
    PLB_PACK_MISERE_DISTANCES,
    PLB_PACKINGS
} plb_packing;

/* The planes of a slab, on average of a ply. */
typedef struct plb_packed_planes {
    plb_packing packing;
    bool has_wins;     /* PLB_PACK_VALUES: those that are seen, as planes in memory have */
    int planes, empty; /* empty: cells */
    double entries;    /* of a plane */
    double share;      /* of these that are open, or of values quiet */
} plb_packed_planes;

double plb_packed_planes_bytes(const plb_game *game, const plb_packed_planes *p);

#endif
