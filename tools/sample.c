/* SPDX-License-Identifier: MIT
 *
 * Positions of a ply. A part is a run of colourings of one slab, walked from one word to the next
 * with as many ones.
 */
#include "tools/sample.h"

#include "tables/binomial.h"

enum {
    PART_PLACES = 1 << 12,
    DRAWS = 1000, /* entries tried before games are */
    GAMES = 1000, /* games tried */
};

/* ---- all ---- */

static uint64_t parts_of_slab(const plb_index *index, int ply) {
    return plb_divide_up(index->plies[ply].slab_size, PART_PLACES);
}

uint64_t sample_parts(const plb_index *index, int ply) {
    return index->plies[ply].slabs * parts_of_slab(index, ply);
}

void sample_visit(const plb_index *index, int ply, uint64_t part,
                  bool (*visit)(void *context, plb_position position), void *context) {
    uint64_t parts = parts_of_slab(index, ply), slab_size = index->plies[ply].slab_size;
    uint64_t rank = part % parts * PART_PLACES, last = plb_min(rank + PART_PLACES, slab_size);
    uint64_t occupied = plb_index_slab_cells(index, ply, part / parts);
    uint64_t word = plb_binomial_unrank(ply, plb_ply_ones(ply), rank);
    for (bool more = true; more && rank < last; rank++) {
        uint64_t x = plb_scatter_bits(word, occupied);
        plb_position position = {x, occupied ^ x};
        if (plb_rules_check(index->game, position, NULL) == PLB_OK) more = visit(context, position);
        if (rank + 1 < last) word = plb_next_combination(word);
    }
}

/* ---- some ---- */

uint64_t sample_below(uint64_t *random, uint64_t bound) {
    uint64_t surplus = -bound % bound, number; /* 2^64 mod bound: that many would come too often */
    do number = plb_next_random(random);
    while (number < surplus);
    return number % bound;
}

bool sample_try(const plb_index *index, int ply, uint64_t *random, plb_position *position) {
    const plb_index_ply *p = &index->plies[ply];
    uint64_t slab = sample_below(random, p->slabs);
    plb_entry place = {ply, slab, sample_below(random, p->slab_size)};
    *position = plb_index_unrank(index, place);
    return plb_rules_check(index->game, *position, NULL) == PLB_OK;
}

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

bool sample_draw(const plb_index *index, int ply, uint64_t seed, uint64_t number,
                 plb_position *position) {
    /* Mixed, so that the numbers of one seed are not those of the next in another order. */
    uint64_t random = plb_next_random(&seed) ^ (uint64_t)ply << 56 ^ number;
    random = plb_next_random(&random); /* neighbouring numbers, distant states */
    for (int t = 0; t < DRAWS; t++)
        if (sample_try(index, ply, &random, position)) return true;
    for (int t = 0; t < GAMES; t++)
        if (play_game(index->game, ply, &random, position)) return true;
    return false;
}
