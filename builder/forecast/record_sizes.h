/* SPDX-License-Identifier: MIT
 *
 * Estimates the mean size of the compressed records of a ply (scratch/scratch_codec.h), without
 * solving the game. Must not know: who reads them.
 */
#ifndef PLB_BUILDER_FORECAST_RECORD_SIZES_H
#define PLB_BUILDER_FORECAST_RECORD_SIZES_H

#include "tables/games/game.h"

/* The content of planes: open positions, or values. In misere play and with distances, positions
 * that the next move wins are always stored (slabs/solve_ply.h). */
typedef enum plb_packing {
    PLB_PACK_REACH,
    PLB_PACK_VALUES,
    PLB_PACK_MISERE,
    PLB_PACK_DISTANCES,
    PLB_PACK_MISERE_DISTANCES,
    PLB_PACKINGS
} plb_packing;

/* The planes of an average slab of a ply. */
typedef struct plb_packed_planes {
    plb_packing packing;
    bool has_wins;  /* for PLB_PACK_VALUES: wins by the next move are included, as in memory */
    int planes;     /* number of planes */
    int empty;      /* empty cells */
    double entries; /* per plane */
    double share;   /* of the entries: open ones for PLB_PACK_REACH, else quiet ones */
} plb_packed_planes;

/* Mean bytes of a record with these planes. */
double plb_packed_planes_bytes(const plb_game *game, const plb_packed_planes *p);

#endif
