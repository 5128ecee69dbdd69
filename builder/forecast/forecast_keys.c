/* SPDX-License-Identifier: MIT
 *
 * The forecast of a table of keys. It takes the entries of the index as the number of keys: these
 * estimate all positions up to symmetry, also those after the end of a game, and so are more than
 * can arise. Which share of them the table stores is found by random positions.
 */
#include <math.h>

#include "builder/forecast/forecast.h"
#include "builder/keys/key_engine.h"
#include "tables/bits.h"
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

/* The share of positions of a ply that can arise and must be stored, of samples from random moves
 * that do not end with the game. */
static double find_stored_share(const plb_game *game, int ply) {
    enum { SAMPLES = 2000 };
    int moves[PLB_MAX_MOVES], stored = 0;
    uint64_t random = ply + 1;
    if (!plb_static_value_is_stored_ply(ply)) return 0;
    for (int sample = 0; sample < SAMPLES; sample++) {
        plb_position p = {0, 0};
        for (int move = 0; move < ply; move++) {
            int count = game->rules->list_moves(game, p, game->board, moves);
            p = plb_rules_play(game, p, moves[plb_random_below(&random, count)]);
        }
        stored += plb_rules_check(game, p, NULL) == PLB_OK &&
                  plb_rules_static_value(game, p).kind == PLB_QUIET;
    }
    return (double)stored / SAMPLES;
}

static plb_forecast_ply forecast_ply(const plb_index *index, int ply, int planes, int moves) {
    double keys = (double)plb_index_size(index, ply), images = index->symmetry->order;
    double stored = keys * find_stored_share(index->game, ply);
    plb_forecast_ply f = {.entries = keys,
                          .live = keys,
                          .positions = plb_index_count_fillings(index->game, index->symmetry, ply),
                          .reach_bytes = keys * sizeof(plb_position),
                          .values_bytes = plb_key_values_bytes(keys),
                          .table_bytes = stored * (planes + PLB_FINGERPRINT_BITS + 3) / 8};
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
