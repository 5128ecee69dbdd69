/* SPDX-License-Identifier: MIT
 *
 * The segments of a ply are divided among ranks so that all have about equal work, on boards where
 * equal numbers of segments would give one rank more than twice the mean.
 */
#include "builder/slabs/rank_cuts.h"

#include <math.h>
#include <stdio.h>

#include "tables/bits.h"
#include "tables/format/block_layout.h"
#include "tests/support/support.h"

enum { RANKS = 16, SAMPLES = 400000 };

/* Are the values of the block of a position solved? Its high stones have no group, and the mover
 * cannot complete one of high stones. */
static bool is_solved(const plb_game *game, plb_position p, int ply) {
    plb_position high = p;
    uint64_t occupied = p.x | p.o;
    for (int stone = 0; stone < PLB_LOW; stone++) {
        uint64_t lowest = occupied & -occupied;
        high.x &= ~lowest;
        high.o &= ~lowest;
        occupied &= occupied - 1;
    }
    uint64_t mover = ply % 2 ? high.o : high.x;
    if (plb_game_has_group(game, high.x) || plb_game_has_group(game, high.o)) return false;
    for (uint64_t cells = plb_game_playable(game, p.x | p.o); cells; cells &= cells - 1)
        if (plb_game_has_group(game, mover | (cells & -cells))) return false;
    return true;
}

/* The share by which the rank with the most work exceeds the mean. */
static double imbalance(const plb_index *index, int ply, const plb_block_layout *layout,
                        const uint64_t *first) {
    double work[RANKS] = {0}, sum = 0, max = 0;
    uint64_t random = 1000 + ply;
    for (int s = 0; s < SAMPLES; s++) {
        plb_entry entry = {ply, plb_next_random(&random) % layout->slabs,
                           plb_next_random(&random) % layout->slab_size};
        int rank = plb_rank_cuts_find(first, RANKS, entry.slab / layout->slabs_per_segment);
        work[rank] += is_solved(index->game, plb_index_unrank(index, entry), ply);
    }
    for (int rank = 0; rank < RANKS; rank++) {
        sum += work[rank];
        max = fmax(max, work[rank]);
    }
    return max * RANKS / sum - 1;
}

static void check_work(const char *spec, int ply) {
    plb_space space;
    support_open_space(spec, &space);
    const plb_rank_cuts cuts = {&space.index, PLB_UNDECIDED, 8192, RANKS};
    plb_block_layout layout = plb_block_layout_ply(&space.index, ply, cuts.block_entries);
    uint64_t first[RANKS + 1], equal[RANKS + 1];
    for (int rank = 0; rank <= RANKS; rank++) equal[rank] = layout.segments * rank / RANKS;
    assert_int_equal(plb_rank_cuts_make(&cuts, ply, (plb_segment_run){0, layout.segments}, first),
                     PLB_OK);
    double by_work = imbalance(&space.index, ply, &layout, first);
    double by_number = imbalance(&space.index, ply, &layout, equal);
    printf("%s ply %d: %.0f %%, by their number %.0f %%\n", spec, ply, 100 * by_work,
           100 * by_number);
    assert_true(by_work < 0.3 && by_number > 1);
    plb_space_close(&space);
}

static void all_ranks_have_about_equal_work(void **state) {
    (void)state;
    check_work("connect-7x7-k4", 40);
    check_work("connect-7x7-k4", 36);
    check_work("connect-8x6-k4", 38);
}

/* Some plies have fewer segments than there are ranks. */
static void every_segment_has_one_rank(void **state) {
    (void)state;
    plb_space space;
    uint64_t first[RANKS + 1];
    support_open_space("connect-5x5-k4", &space);
    for (int ranks = 1; ranks <= RANKS; ranks++)
        for (int ply = 0; ply <= 25; ply++) {
            const plb_rank_cuts cuts = {&space.index, PLB_UNDECIDED, 8192, ranks};
            uint64_t segments =
                plb_block_layout_ply(&space.index, ply, cuts.block_entries).segments;
            const plb_segment_run run = {segments * (ranks % 3) / 4,
                                         segments}; /* the ply or a part */
            assert_int_equal(plb_rank_cuts_make(&cuts, ply, run, first), PLB_OK);
            assert_int_equal(first[0], run.first);
            assert_int_equal(first[ranks], segments);
            for (int rank = 0; rank < ranks; rank++) {
                assert_true(first[rank] <= first[rank + 1]);
                for (uint64_t s = first[rank]; s < first[rank + 1]; s++)
                    assert_int_equal(plb_rank_cuts_find(first, ranks, s), rank);
            }
        }
    plb_space_close(&space);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_ranks_have_about_equal_work),
        cmocka_unit_test(every_segment_has_one_rank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
