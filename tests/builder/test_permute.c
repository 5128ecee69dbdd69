/* SPDX-License-Identifier: MIT
 *
 * Planes that are permuted by a symmetry agree with mapping each position cell by cell.
 */
#include "builder/planes/permute.h"

#include <stdlib.h>

#include "tables/bits.h"
#include "tests/support/words.h"

static const char *const specs[] = {
    "connect-5x4-k3", "connect-5x4-k4-cylinder", "connect-6x3-k3", "connect-2x8-k4",
    "mnk-4x4-k3",     "mnk-5x4-k3-cylinder",     "square-4x4",     "mnk-4x4-k5"};
static const char *const large_specs[] = {"connect-6x5-k4",
                                          "connect-7x5-k4",
                                          "connect-6x6-k5",
                                          "connect-6x5-k4-cylinder",
                                          "connect-7x4-k4-cylinder",
                                          "connect-4x7-k4",
                                          "connect-3x9-k9",
                                          "mnk-5x5-k5",
                                          "mnk-6x5-k5",
                                          "square-6x6"};
enum {
    SPECS = sizeof specs / sizeof specs[0],
    LARGE_SPECS = sizeof large_specs / sizeof large_specs[0],
    MAX_STONES = 15, /* of slabs of which every word is checked */
    MIN_LARGE = 16,  /* stones of slabs of which SAMPLES words are checked */
    MAX_LARGE = 27,
    SAMPLES = 3000
};

/* Map a word of `to` to the word of `from` with the same stones on the images of their cells. */
static uint64_t map_naively(const plb_symmetry *symmetry, int element, const plb_slab *from,
                            const plb_slab *to, uint64_t word) {
    uint64_t x = plb_scatter_bits(word, to->occupied), mapped = 0;
    for (; x; x &= x - 1) mapped |= 1ULL << symmetry->image[element][plb_lowest(x)];
    return plb_gather_bits(mapped, from->occupied);
}

/* The planes of one permutation. */
typedef struct permutation {
    const plb_symmetry *symmetry;
    int element;
    plb_slab from, to;
    plb_planes source, target;
    unsigned missing;
} permutation;

static int block_bits(const plb_slab *slab, size_t block) {
    return (int)plb_masks_block_bits(slab->low, plb_slab_low_ones(slab, block));
}

/* Bits after the last one of a block, in its last word. */
static uint64_t padding(const plb_slab *slab, size_t block) {
    int bits = block_bits(slab, block);
    return bits % 64 ? ~plb_low_bits(bits % 64) : 0;
}

static void fill_randomly(const plb_slab *slab, uint64_t *plane, uint64_t *random) {
    for (size_t block = 0; block < slab->blocks; block++) {
        for (size_t word = slab->start[block]; word < slab->start[block + 1]; word++)
            plane[word] = support_random(random);
        plane[slab->start[block + 1] - 1] &= ~padding(slab, block);
    }
}

static const plb_threads one_thread = {.count = 1};
static const uint64_t rubbish = 0x5555555555555555;

/* Permute random planes; the target is full of rubbish before. */
static void permute(plb_permuter *permuter, const plb_game *game, const plb_symmetry *symmetry,
                    uint64_t occupied, uint64_t *random, permutation *c) {
    c->symmetry = symmetry;
    c->element = (int)support_random_below(random, symmetry->order);
    c->to = words_shape(game, occupied, PLB_LIVE);
    c->from = words_shape(game, plb_symmetry_map(symmetry, c->element, occupied), PLB_LIVE);
    int planes = 1 + (int)support_random_below(random, PLB_PLANES);
    c->source = words_new_planes(&c->from, planes);
    c->target = words_new_planes(&c->to, planes);
    c->missing = (unsigned)support_random_below(random, 1U << planes);
    for (int p = 0; p < planes; p++) fill_randomly(&c->from, plb_planes_get(&c->source, p), random);
    for (size_t word = 0; word <= planes * c->to.words; word++) c->target.words[word] = rubbish;
    permuter->avoids_avx512 = support_random_below(random, 2);
    assert_int_equal(
        plb_permute(permuter, symmetry, c->element, &c->source, c->missing, &c->target), PLB_OK);
}

static void free_permutation(permutation *c) {
    free(c->source.words);
    free(c->target.words);
    plb_slab_free(&c->from);
    plb_slab_free(&c->to);
}

static void check_word(const permutation *c, uint64_t word) {
    int64_t bit = words_bit(&c->to, word);
    if (bit < 0) return;
    int64_t at = words_bit(&c->from, map_naively(c->symmetry, c->element, &c->from, &c->to, word));
    assert_int_equal(words_get_code(&c->target, bit),
                     at < 0 ? c->missing : words_get_code(&c->source, at));
}

/* The padding of the blocks is zero, and the word after the planes is unchanged. */
static void check_padding(const permutation *c) {
    for (int p = 0; p < c->target.count; p++)
        for (size_t block = 0; block < c->to.blocks; block++)
            assert_int_equal(
                plb_planes_get(&c->target, p)[c->to.start[block + 1] - 1] & padding(&c->to, block),
                0);
    assert_true(c->target.words[c->target.count * c->to.words] == rubbish);
}

/* A word of a live block. */
static uint64_t random_word(const plb_slab *slab, uint64_t *random) {
    size_t block = support_random_below(random, slab->blocks);
    uint64_t lo = 0;
    while (plb_popcount(lo) < plb_slab_low_ones(slab, block))
        lo |= 1ULL << support_random_below(random, slab->low);
    return slab->hi[block] << slab->low | lo;
}

static void permuted_planes_agree_with_mapped_words(void **state) {
    (void)state;
    uint64_t random = support_seed("slabs and planes", 20240721);
    plb_permuter permuter = {.threads = &one_thread};
    for (int s = 0; s < SPECS; s++) {
        plb_game game = support_game(specs[s]);
        plb_symmetry symmetry;
        assert_int_equal(plb_symmetry_init(&game, &symmetry), PLB_OK);
        for (int trial = 0; trial < 20 * MAX_STONES; trial++) {
            int stones = trial % (MAX_STONES + 1);
            uint64_t occupied = words_random_set(&game, stones, &random);
            permutation c;
            permute(&permuter, &game, &symmetry, occupied, &random, &c);
            uint64_t word = words_first(&c.to);
            do {
                check_word(&c, word);
            } while ((word = words_next(&c.to, word)));
            check_padding(&c);
            free_permutation(&c);
        }
        plb_symmetry_free(&symmetry);
    }
    plb_permuter_free(&permuter);
    plb_permuter_free(NULL);
}

static void permuted_planes_of_large_slabs_agree_with_mapped_words(void **state) {
    (void)state;
    uint64_t random = support_seed("slabs and planes", 20240723);
    plb_permuter permuter = {.threads = &one_thread};
    for (int s = 0; s < LARGE_SPECS; s++) {
        plb_game game = support_game(large_specs[s]);
        plb_symmetry symmetry;
        assert_int_equal(plb_symmetry_init(&game, &symmetry), PLB_OK);
        for (int stones = MIN_LARGE; stones <= MAX_LARGE && stones <= game.cells; stones++) {
            uint64_t occupied = words_random_set(&game, stones, &random);
            permutation c;
            permute(&permuter, &game, &symmetry, occupied, &random, &c);
            for (int i = 0; c.to.blocks && i < SAMPLES; i++)
                check_word(&c, random_word(&c.to, &random));
            check_padding(&c);
            free_permutation(&c);
        }
        plb_symmetry_free(&symmetry);
    }
    plb_permuter_free(&permuter);
}

static void the_identity_changes_nothing(void **state) {
    (void)state;
    uint64_t random = support_seed("slabs and planes", 20240722);
    plb_permuter permuter = {.threads = &one_thread};
    plb_game game = support_game("connect-5x4-k3");
    plb_symmetry symmetry;
    assert_int_equal(plb_symmetry_init(&game, &symmetry), PLB_OK);
    for (int stones = 0; stones <= 16; stones++) {
        plb_slab slab = words_shape(&game, words_random_set(&game, stones, &random), PLB_LIVE);
        plb_planes source = {&slab, 1, words_random_plane(&slab, &random)};
        plb_planes target = words_new_planes(&slab, 1);
        assert_int_equal(plb_permute(&permuter, &symmetry, 0, &source, 0, &target), PLB_OK);
        assert_memory_equal(source.words, target.words, slab.words * sizeof *source.words);
        free(source.words);
        free(target.words);
        plb_slab_free(&slab);
    }
    plb_permuter_free(&permuter);
    plb_symmetry_free(&symmetry);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(permuted_planes_agree_with_mapped_words),
        cmocka_unit_test(permuted_planes_of_large_slabs_agree_with_mapped_words),
        cmocka_unit_test(the_identity_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
