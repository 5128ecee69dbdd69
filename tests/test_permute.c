/* SPDX-License-Identifier: MIT
 *
 * Permutations: planes carried over by a symmetry agree with mapping each position by its cells.
 */
#include "builder/permute.h"

#include <stdlib.h>

#include "tables/bits.h"
#include "tests/words.h"

static const char *const specs[] = {"connect-5x4-k3", "connect-5x4-k4-cylinder",
                                    "mnk-4x4-k3",     "mnk-5x4-k3-cylinder",
                                    "square-4x4",     "mnk-4x4-k5"};
enum { SPECS = sizeof specs / sizeof specs[0], MOST_STONES = 15 };

/* The word of `from` that has the stones of a word of `to` on the image of their cells. */
static uint64_t carry_slowly(const plb_symmetry *symmetry, int element, const plb_slab *from,
                             const plb_slab *to, uint64_t word) {
    uint64_t x = plb_scatter_bits(word, to->occupied), carried = 0;
    for (; x; x &= x - 1) carried |= 1ULL << symmetry->image[element][plb_lowest(x)];
    return plb_gather_bits(carried, from->occupied);
}

static void check_carried(const plb_symmetry *symmetry, int element, const plb_slab *from,
                          const plb_slab *to, uint64_t *const source[], const bool dead[],
                          uint64_t *const target[], int planes) {
    uint64_t word = words_first(to);
    do {
        int64_t bit = words_bit(to, word);
        if (bit < 0) continue;
        int64_t at = words_bit(from, carry_slowly(symmetry, element, from, to, word));
        for (int p = 0; p < planes; p++)
            assert_int_equal(words_get(target[p], bit),
                             at < 0 ? dead[p] : words_get(source[p], at));
    } while ((word = words_next(to, word)));
}

static void check_permutation(plb_permuter *permuter, const plb_game *game,
                              const plb_symmetry *symmetry, uint64_t occupied, uint64_t *random) {
    int element = (int)support_random_below(random, symmetry->order);
    int planes = 1 + (int)support_random_below(random, 2);
    plb_slab to = words_shape(game, occupied, PLB_LIVE);
    plb_slab from = words_shape(game, plb_symmetry_map(symmetry, element, occupied), PLB_LIVE);
    uint64_t *source[2] = {words_random_plane(&from, random), words_random_plane(&from, random)};
    uint64_t *target[2] = {words_random_plane(&to, random), words_random_plane(&to, random)};
    bool dead[2] = {support_random(random) & 1, support_random(random) & 1};
    assert_int_equal(
        plb_permute(permuter, symmetry, element, &from, &to, planes, source, dead, target), PLB_OK);
    check_carried(symmetry, element, &from, &to, source, dead, target, planes);
    for (int p = 0; p < 2; p++) {
        free(source[p]);
        free(target[p]);
    }
    plb_slab_free(&from);
    plb_slab_free(&to);
}

static void planes_are_carried_position_by_position(void **state) {
    (void)state;
    uint64_t random = support_seed("slabs and planes", 20240721);
    plb_permuter permuter = {0};
    for (int s = 0; s < SPECS; s++) {
        plb_game game = support_game(specs[s]);
        plb_symmetry symmetry;
        assert_int_equal(plb_symmetry_init(&game, &symmetry), PLB_OK);
        for (int trial = 0; trial < 20 * MOST_STONES; trial++) {
            int stones = trial % (MOST_STONES + 1);
            uint64_t occupied = words_random_set(&game, stones, &random);
            check_permutation(&permuter, &game, &symmetry, occupied, &random);
        }
        plb_symmetry_free(&symmetry);
        plb_game_free(&game);
    }
    plb_permuter_free(&permuter);
    plb_permuter_free(NULL);
}

static void the_identity_changes_nothing(void **state) {
    (void)state;
    uint64_t random = support_seed("slabs and planes", 20240722);
    plb_permuter permuter = {0};
    plb_game game = support_game("connect-5x4-k3");
    plb_symmetry symmetry;
    assert_int_equal(plb_symmetry_init(&game, &symmetry), PLB_OK);
    for (int stones = 0; stones <= 16; stones++) {
        plb_slab slab = words_shape(&game, words_random_set(&game, stones, &random), PLB_LIVE);
        uint64_t *source = words_random_plane(&slab, &random), *target = words_new_plane(&slab);
        assert_int_equal(
            plb_permute(&permuter, &symmetry, 0, &slab, &slab, 1, (uint64_t *const[]){source},
                        (bool[]){false}, (uint64_t *const[]){target}),
            PLB_OK);
        assert_memory_equal(source, target, slab.words * sizeof *source);
        free(source);
        free(target);
        plb_slab_free(&slab);
    }
    plb_permuter_free(&permuter);
    plb_symmetry_free(&symmetry);
    plb_game_free(&game);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planes_are_carried_position_by_position),
        cmocka_unit_test(the_identity_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
