/* SPDX-License-Identifier: MIT
 *
 * The forecast of a table of keys. It takes the entries of the index as the number of keys: these
 * estimate all positions up to symmetry, also those after the end of a game, and so are more than
 * can arise.
 */
#include <math.h>

#include "builder/forecast/forecast.h"
#include "builder/keys/key_engine.h"
#include "tables/games/static_value.h"

/* Handling a child takes as long as computing this many of its images. */
enum { CHILD_IMAGES = 8 };

/* The number of moves on each ply, from one game: each move is the first one that does not end the
 * game. If there is none, the count is repeated for the plies after it. */
static void count_moves(const plb_game *game, int counts[PLB_MAX_CELLS + 1]) {
    int moves[PLB_MAX_MOVES];
    plb_position position = {0, 0};
    for (int ply = 0; ply <= game->cells; ply++) {
        int count = plb_rules_moves(game, position, moves), m = 0;
        while (m + 1 < count && plb_rules_is_over(game, plb_rules_play(game, position, moves[m])))
            m++;
        counts[ply] = count || !ply ? count : counts[ply - 1];
        if (count) position = plb_rules_play(game, position, moves[m]);
    }
}

static plb_forecast_ply forecast_ply(const plb_index *index, int ply, int planes, int moves) {
    double keys = (double)plb_index_size(index, ply), images = index->symmetry->order;
    double table_bytes = keys * (planes + PLB_FINGERPRINT_BITS + 3) / 8;
    plb_forecast_ply f = {.entries = keys,
                          .live = keys,
                          .positions = plb_index_count_fillings(index->game, index->symmetry, ply),
                          .reach_bytes = keys * sizeof(plb_position),
                          .values_bytes = plb_key_values_bytes(keys),
                          .table_bytes = plb_static_value_is_stored_ply(ply) ? table_bytes : 0};
    f.forward.amount[PLB_COST_CHILDREN] = f.backward.amount[PLB_COST_CHILDREN] =
        keys * moves * (CHILD_IMAGES + images);
    return f;
}

void plb_forecast_make_keys(const plb_index *index, plb_value_kind values, plb_forecast *forecast) {
    enum { MIN_BYTES = 32 << 20, THREAD_BYTES = 2 << 20, TABLE_BYTES = 32 << 10 };
    int planes = plb_outcome_code_make(index->game, values).planes, cells = index->game->cells;
    int moves[PLB_MAX_CELLS + 1] = {0};
    plb_forecast f = {.memory = {.shared_bytes = MIN_BYTES, .thread_bytes = THREAD_BYTES}};
    f.table_bytes = TABLE_BYTES;
    count_moves(index->game, moves);
    for (int ply = 0; ply <= cells; ply++) {
        plb_forecast_ply *p = &f.plies[ply];
        *p = forecast_ply(index, ply, planes, moves[ply]);
        f.entries += p->entries;
        f.live += p->live;
        f.positions += p->positions;
        f.table_bytes += p->table_bytes;
        f.memory.shared_bytes = fmax(f.memory.shared_bytes, PLB_KEY_VALUES_SHARE * p->values_bytes);
    }
    *forecast = f;
}
