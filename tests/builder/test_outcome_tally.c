/* SPDX-License-Identifier: MIT
 *
 * Counts of outcomes agree with a naive count over the words of slabs, and do not depend on the
 * order of counting. Of several longest wins the first one is found.
 */
#include "builder/slabs/outcome_tally.h"

#include <stdlib.h>
#include <string.h>

#include "tables/bits.h"
#include "tests/support/words.h"

static const char *const specs[] = {"connect-5x5-k4", "connect-5x4-k3-misere", "connect-5x5-k5",
                                    "mnk-5x4-k3",     "mnk-6x4-k2-misere",     "square-5x5"};
enum { SPECS = sizeof specs / sizeof specs[0], MAX_STONES = 19, SLABS = 3 };

/* Random outcomes of some slabs of a ply. */
typedef struct random_ply {
    plb_game game;
    plb_outcome_code coding;
    int ply;
    plb_slab shapes[SLABS];
    plb_planes planes[SLABS];
    uint64_t *open[SLABS], orbits[SLABS];
} random_ply;

/* A random code: a draw, or an end after this ply. Early ends are more frequent, so that the
 * longest ones are rare. */
static unsigned random_code(const random_ply *r, uint64_t *random) {
    int first = r->coding.first_end > r->ply ? r->coding.first_end : r->ply + 1;
    if (first > r->game.cells || support_random_below(random, 4) == 0) return 0;
    uint64_t ends = r->game.cells - first + 1, reach = support_random_below(random, ends) + 1;
    return plb_outcome_code_encode(&r->coding, first + (int)support_random_below(random, reach));
}

static void fill_slab(random_ply *r, int s, uint64_t *random) {
    uint64_t occupied = words_random_set(&r->game, r->ply, random);
    plb_slab *shape = &r->shapes[s];
    *shape = words_shape(&r->game, occupied, PLB_LIVE);
    r->orbits[s] = support_random_below(random, 8) + 1;
    r->open[s] = words_random_plane(shape, random);
    r->planes[s] = words_new_planes(shape, r->coding.planes);
    uint64_t word = words_first(shape);
    do {
        int64_t bit = words_bit(shape, word);
        unsigned code = random_code(r, random);
        if (bit >= 0) words_set_code(&r->planes[s], bit, code);
    } while ((word = words_next(shape, word)));
}

static void make_ply(const char *spec, plb_value_kind values, int ply, uint64_t *random,
                     random_ply *r) {
    r->game = support_game(spec);
    r->ply = ply;
    r->coding = plb_outcome_code_make(&r->game, values);
    for (int s = 0; s < SLABS; s++) fill_slab(r, s, random);
}

static void free_ply(random_ply *r) {
    for (int s = 0; s < SLABS; s++) {
        free(r->planes[s].words);
        free(r->open[s]);
        plb_slab_free(&r->shapes[s]);
    }
}

/* ---- the naive count ---- */

static void count_word(const random_ply *r, int s, int64_t bit, uint64_t rank,
                       plb_outcome_tally *tally) {
    unsigned code = words_get_code(&r->planes[s], bit);
    plb_outcome outcome = plb_outcome_code_decode(&r->coding, r->ply, code);
    if (outcome.value == PLB_DRAW) return;
    int winner = code & 1 ? PLB_X_WINS : PLB_O_WINS;
    tally->won[winner] += r->orbits[s];
    if (outcome.dtm == PLB_NO_DTM) return;
    tally->ends[r->ply + outcome.dtm] += r->orbits[s];
    if (outcome.dtm > tally->longest[winner].plies)
        tally->longest[winner] = (plb_far_position){outcome.dtm, s, rank};
}

static plb_outcome_tally count_naively(const random_ply *r) {
    plb_outcome_tally tally;
    plb_outcome_tally_clear(&tally);
    for (int s = 0; s < SLABS; s++) {
        uint64_t word = words_first(&r->shapes[s]), rank = 0;
        do {
            int64_t bit = words_bit(&r->shapes[s], word);
            if (bit >= 0 && words_get(r->open[s], bit)) count_word(r, s, bit, rank, &tally);
            rank++;
        } while ((word = words_next(&r->shapes[s], word)));
    }
    return tally;
}

/* ---- the tested count ---- */

/* Count `blocks` blocks at a time, the last slab first; the tallies of the threads take turns. */
static plb_outcome_tally count(const random_ply *r, size_t blocks, int threads) {
    plb_outcome_tally parts[3], tally;
    int next = 0;
    for (int t = 0; t < threads; t++) plb_outcome_tally_clear(&parts[t]);
    for (int s = SLABS - 1; s >= 0; s--) {
        const plb_slab *shape = &r->shapes[s];
        const plb_outcome_tally_slab slab = {.coding = &r->coding,
                                             .ply = r->ply,
                                             .cells = r->game.cells,
                                             .number = s,
                                             .orbit = r->orbits[s],
                                             .planes = &r->planes[s]};
        for (size_t first = 0; first < shape->blocks; first += blocks) {
            plb_block_range run = {first, plb_min(first + blocks, shape->blocks)};
            plb_outcome_tally_add(&slab, run, r->open[s] + shape->start[first],
                                  &parts[next++ % threads]);
        }
    }
    plb_outcome_tally_clear(&tally);
    for (int t = threads - 1; t >= 0; t--) plb_outcome_tally_merge(&parts[t], &tally);
    return tally;
}

static void assert_same(const random_ply *r, const plb_outcome_tally *found,
                        const plb_outcome_tally *expected) {
    for (int winner = PLB_X_WINS; winner <= PLB_O_WINS; winner++) {
        const plb_far_position *a = &found->longest[winner], *b = &expected->longest[winner];
        assert_int_equal(found->won[winner], expected->won[winner]);
        if (a->plies != b->plies || a->slab != b->slab || a->rank != b->rank)
            fail_msg("ply %d: the longest has %d plies in slab %d, rank %d; expected %d in %d, %d",
                     r->ply, a->plies, (int)a->slab, (int)a->rank, b->plies, (int)b->slab,
                     (int)b->rank);
    }
    for (int end = 0; end <= PLB_MAX_CELLS; end++)
        assert_int_equal(found->ends[end], expected->ends[end]);
}

static void counts_agree_with_a_naive_count(void **state) {
    (void)state;
    uint64_t random = support_seed("outcomes of slabs", 1);
    for (int s = 0; s < SPECS; s++)
        for (int ply = 0; ply <= MAX_STONES; ply++)
            for (int values = PLB_WDL; values <= PLB_DTM; values++) {
                random_ply r;
                make_ply(specs[s], (plb_value_kind)values, ply, &random, &r);
                plb_outcome_tally expected = count_naively(&r);
                for (int threads = 1; threads <= 3; threads++) {
                    plb_outcome_tally found = count(&r, 1 + 7 * (size_t)(threads - 1), threads);
                    assert_same(&r, &found, &expected);
                }
                free_ply(&r);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(counts_agree_with_a_naive_count)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
