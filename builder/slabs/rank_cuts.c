/* SPDX-License-Identifier: MIT */
#include "builder/slabs/rank_cuts.h"

#include <stdlib.h>

#include "tables/array.h"
#include "tables/bits.h"
#include "tables/format/block_layout.h"
#include "tables/games/rules.h"

/* Samples of a run: their number doubles until there are enough solved ones for each rank. */
enum { FIRST_SAMPLES = 1 << 12, MAX_SAMPLES = 1 << 20, SOLVED_SAMPLES = 256 };
/* Work on a solved entry; on others it is 1, so that slabs without solved ones are divided, too. */
enum { SOLVED_WORK = 4096 };

plb_block_kind plb_block_kind_of(const plb_game *game, plb_position p, int ply, plb_block_set set) {
    uint64_t occupied = plb_stones_occupied(p), high = occupied;
    for (int stone = 0; stone < PLB_LOW && high; stone++) high &= high - 1;
    uint64_t mover = plb_ply_x_moves(ply) ? p.x : p.o;
    plb_block_kind kind = {.live = !plb_game_has_group(game, p.x & high) &&
                                   !plb_game_has_group(game, p.o & high)};
    /* Does one cell complete a group of the mover that has no low stone? */
    bool won = plb_game_completing(game, mover & high, plb_game_playable(game, occupied)) != 0;
    kind.solved = kind.live && (set == PLB_LIVE || !won);
    return kind;
}

/* The slabs [first, last) that are divided. */
typedef struct slab_range {
    uint64_t first, last;
} slab_range;

/* The slab of a sample; samples are spread evenly. */
static uint64_t slab_of(slab_range slabs, uint64_t sample, uint64_t samples) {
    __uint128_t count = slabs.last - slabs.first;
    return slabs.first + (uint64_t)(count * (2 * sample + 1) / (2 * samples));
}

/* Find whether each sample is solved. Returns how many are. */
static uint64_t take_samples(const plb_rank_cuts *cuts, int ply, slab_range slabs, uint64_t samples,
                             bool *solved) {
    const plb_index *index = cuts->index;
    uint64_t random = ply + 1, count = 0;
    for (uint64_t s = 0; s < samples; s++) {
        plb_entry entry = {ply, slab_of(slabs, s, samples),
                           plb_next_random(&random) % index->plies[ply].slab_size};
        plb_position position = plb_index_unrank(index, entry);
        solved[s] = plb_block_kind_of(index->game, position, ply, cuts->set).solved;
        count += solved[s];
    }
    return count;
}

int plb_rank_cuts_make(const plb_rank_cuts *cuts, int ply, plb_segment_run run, uint64_t *first) {
    plb_block_layout layout = plb_block_layout_ply(cuts->index, ply, cuts->block_entries);
    slab_range slabs = {run.first * layout.slabs_per_segment,
                        plb_min(run.last * layout.slabs_per_segment, layout.slabs)};
    bool *solved = malloc(MAX_SAMPLES * sizeof *solved);
    if (!solved) return PLB_ENOMEM;
    uint64_t wanted = (uint64_t)SOLVED_SAMPLES * cuts->ranks, samples = FIRST_SAMPLES, count;
    while ((count = take_samples(cuts, ply, slabs, samples, solved)) < wanted &&
           samples < MAX_SAMPLES)
        samples *= 2;
    uint64_t sum = samples + count * (SOLVED_WORK - 1), done = 0;
    int rank = 1;
    first[0] = run.first;
    for (uint64_t s = 0; s < samples; s++)
        for (done += solved[s] ? SOLVED_WORK : 1;
             rank < cuts->ranks && done * cuts->ranks >= sum * rank; rank++) {
            /* Round to the nearest segment. */
            uint64_t slab = slab_of(slabs, s, samples) + layout.slabs_per_segment / 2;
            first[rank] = plb_min(slab / layout.slabs_per_segment, run.last);
        }
    first[cuts->ranks] = run.last;
    free(solved);
    return PLB_OK;
}

int plb_rank_cuts_find(const uint64_t *first, int ranks, uint64_t segment) {
    return (int)PLB_FIRST(rank, ranks - 1, first[rank + 1] > segment);
}
