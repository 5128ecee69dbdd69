/* SPDX-License-Identifier: MIT
 *
 * Known positions: an answer that is recalled for a position was remembered for it or one of its
 * images.
 */
#include "tools/search/known_positions.h"

#include <stdio.h>
#include <stdlib.h>

#include "tables/bits.h"
#include "tests/support/support.h"
#include "tests/support/verdict.h"

typedef struct opened {
    search_rules rules;
    known_positions known;
} opened;

static opened *open_room(const char *spec, size_t bytes) {
    opened *of = calloc(1, sizeof *of);
    of->rules = verdict_rules(spec);
    assert_int_equal(known_open(&of->rules, bytes, &of->known), PLB_OK);
    return of;
}

static opened *open_known(const char *spec) {
    return open_room(spec, KNOWN_MIN_BYTES);
}

static void close_known(opened *of) {
    known_close(&of->known);
    free(of);
}

static known_hash hash_of(opened *of, const uint64_t stones[2]) {
    int ply = plb_popcount(stones[0] | stones[1]);
    known_set_root(&of->known, stones, ply);
    return known_hash_of(&of->known, ply);
}

static bool is_same_hash(known_hash a, known_hash b) {
    return a.low == b.low && a.high == b.high;
}

/* ---- keys ---- */

/* Columns of 3 cells have 4 bits each. x at the bottom and o above it: 4 for the height 2, plus 1
 * for the x, minus 1 as for an empty column. Only x in the next column: (2 + 1 - 1) * 16. */
static void a_column_is_its_height_and_its_x_stones(void **state) {
    (void)state;
    opened *of = open_known("connect-4x3-k3");
    const uint64_t stones[2] = {1 << 0 | 1 << 3, 1 << 1};
    known_set_root(&of->known, stones, 3);
    assert_true(of->known.keys[3][0] == 4 + 2 * 16);
    close_known(of);
}

/* x on the first cell, o on the second, x on the fifth: 2 + 1 * 3 + 2 * 3^4. */
static void a_cell_is_a_digit_to_the_base_3(void **state) {
    (void)state;
    opened *of = open_known("mnk-3x3-k3");
    const uint64_t stones[2] = {1 << 0 | 1 << 4, 1 << 1};
    known_set_root(&of->known, stones, 3);
    assert_true(of->known.keys[3][0] == 2 + 3 + 2 * 81);
    close_known(of);
}

/* ---- random games ---- */

/* Play `plies` random moves; the path has every position. */
static void play(opened *of, int plies, uint64_t *random, uint64_t stones[2]) {
    stones[0] = stones[1] = 0;
    known_set_root(&of->known, stones, 0);
    for (int ply = 0; ply < plies; ply++) {
        uint64_t moves = search_playable(&of->rules, stones[0] | stones[1]);
        for (uint64_t skip = support_random_below(random, plb_popcount(moves)); skip; skip--)
            moves &= moves - 1;
        known_step(&of->known, ply, plb_lowest(moves));
        stones[ply & 1] |= moves & -moves;
    }
}

static void move_stones(const search_rules *rules, int symmetry, const uint64_t stones[2],
                        uint64_t moved[2]) {
    for (int player = 0; player < 2; player++) {
        moved[player] = 0;
        for (uint64_t left = stones[player]; left; left &= left - 1)
            moved[player] |= 1ULL << rules->image[symmetry][plb_lowest(left)];
    }
}

static const char *const specs[] = {"connect-5x4-k4", "connect-4x3-k3-cylinder",
                                    "mnk-4x4-k4",     "square-5x4",
                                    "mnk-7x7-k5",     "connect-8x8-k4"};
enum { SPECS = sizeof specs / sizeof specs[0], GAMES = 300 };

static void a_path_and_its_images_have_one_hash(void **state) {
    (void)state;
    uint64_t random = support_seed("paths", 1);
    for (int s = 0; s < SPECS; s++) {
        opened *of = open_known(specs[s]);
        known_begin(&of->known, true);
        for (int g = 0; g < GAMES; g++) {
            uint64_t stones[2], moved[2];
            int plies = (int)support_random_below(&random, of->rules.cells + 1);
            play(of, plies, &random, stones);
            known_hash hash = known_hash_of(&of->known, plies);
            for (int i = 0; i < of->rules.symmetries; i++) {
                move_stones(&of->rules, i, stones, moved);
                assert_true(is_same_hash(hash, hash_of(of, moved)));
            }
        }
        close_known(of);
    }
}

/* ---- compared with a naive list ---- */

/* A class of symmetric positions: its minimal image, and its score. */
typedef struct twin {
    uint64_t stones[2];
    int score;
} twin;

static void least_image(const search_rules *rules, const uint64_t stones[2], uint64_t least[2]) {
    least[0] = least[1] = UINT64_MAX;
    for (int i = 0; i < rules->symmetries; i++) {
        uint64_t moved[2];
        move_stones(rules, i, stones, moved);
        if (moved[0] < least[0] || (moved[0] == least[0] && moved[1] < least[1]))
            least[0] = moved[0], least[1] = moved[1];
    }
}

static twin *find_twin(twin *twins, int *count, const uint64_t least[2]) {
    for (int t = 0; t < *count; t++)
        if (twins[t].stones[0] == least[0] && twins[t].stones[1] == least[1]) return &twins[t];
    twins[*count] = (twin){.stones = {least[0], least[1]}};
    return &twins[(*count)++];
}

/* A random bound, from one below all scores to one above all; 0 or 1 without scores. */
static int draw_bound(const opened *of, bool scores, uint64_t *random) {
    int most = of->rules.cells;
    if (!scores) return (int)support_random_below(random, 2);
    return (int)support_random_below(random, 2 * most + 3) - most - 1;
}

static void assert_known(const opened *of, known_hash hash, int bound, int score) {
    bool answer;
    assert_true(known_recall(&of->known, &hash, bound, &answer));
    assert_int_equal(answer, score >= bound);
}

/* For random positions: recall an answer, and remember two. The few hundred positions all fit. */
static void check_against_twins(const char *spec, bool scores, uint64_t *random) {
    opened *of = open_known(spec);
    static twin twins[GAMES];
    int count = 0, known = 0, most = of->rules.cells;
    known_begin(&of->known, scores);
    for (int g = 0; g < GAMES; g++) {
        uint64_t stones[2], least[2];
        bool answer;
        play(of, (int)support_random_below(random, most + 1), random, stones);
        least_image(&of->rules, stones, least);
        int before = count;
        twin *found = find_twin(twins, &count, least);
        if (count > before) found->score = (int)support_random_below(random, 2 * most + 1) - most;
        known_hash hash = hash_of(of, stones);
        int first = draw_bound(of, scores, random), second = draw_bound(of, scores, random);
        if (known_recall(&of->known, &hash, first, &answer)) {
            assert_int_equal(answer, found->score >= first);
            assert_int_equal(count, before);
            known++;
        }
        known_remember(&of->known, &hash, first, found->score >= first, 1);
        known_remember(&of->known, &hash, second, found->score >= second, 1);
        assert_known(of, hash, first, found->score);
        assert_known(of, hash, second, found->score);
    }
    printf("%s: %d classes, %d answers known before\n", spec, count, known);
    close_known(of);
}

static void what_is_recalled_was_remembered(void **state) {
    (void)state;
    uint64_t random = support_seed("twins", 2);
    for (int s = 0; s < SPECS; s++)
        for (int scores = 0; scores < 2; scores++) check_against_twins(specs[s], scores, &random);
}

/* ---- replacement ---- */

/* An answer that took many nodes survives a million cheap ones in a table for 32,768 positions. */
static void what_took_long_outlives_what_did_not(void **state) {
    (void)state;
    uint64_t random = support_seed("flood", 3);
    opened *of = open_known("mnk-5x5-k5");
    const uint64_t dear[2] = {1 << 12, 1 << 0};
    bool answer;
    known_begin(&of->known, false);
    known_hash hash = hash_of(of, dear);
    known_remember(&of->known, &hash, 0, true, 1ULL << 40);
    for (int i = 0; i < 1 << 20; i++) {
        uint64_t stones[2] = {support_random(&random) & of->rules.board, 0};
        stones[1] = support_random(&random) & of->rules.board & ~stones[0];
        known_hash other = hash_of(of, stones);
        if (is_same_hash(hash, other)) continue;
        if (known_recall(&of->known, &other, 0, &answer)) assert_false(answer);
        known_remember(&of->known, &other, 0, false, 1);
    }
    assert_true(known_recall(&of->known, &hash, 0, &answer));
    assert_true(answer);
    close_known(of);
}

/* A table grows from 256 KiB to 8 MiB and more. The answer of a position is a bit of its hash. */
static void check_growth(const char *spec, bool scores) {
    enum { POSITIONS = 200000 };
    static known_hash hashes[POSITIONS];
    uint64_t random = support_seed("growth", 4);
    int known = 0;
    opened *of = open_room(spec, 16 << 20);
    int min_bits = of->known.bucket_bits;
    known_begin(&of->known, scores);
    for (int i = 0; i < POSITIONS; i++) {
        uint64_t stones[2] = {support_random(&random) & of->rules.board, 0};
        stones[1] = support_random(&random) & of->rules.board & ~stones[0];
        hashes[i] = hash_of(of, stones);
        known_remember(&of->known, &hashes[i], 1, hashes[i].low & 1, 1);
    }
    assert_true(of->known.bucket_bits > min_bits + 3);
    for (int i = 0; i < POSITIONS; i++) {
        bool answer;
        if (!known_recall(&of->known, &hashes[i], 1, &answer)) continue;
        assert_int_equal(answer, hashes[i].low & 1);
        known++;
    }
    printf("%s: %d of %d known\n", spec, known, POSITIONS);
    assert_true(known > POSITIONS / 20 * 19);
    close_known(of);
}

static void growth_keeps_what_is_known(void **state) {
    (void)state;
    check_growth("mnk-5x5-k5", false);
    check_growth("mnk-5x5-k5", true);
    check_growth("mnk-7x7-k5", true);
}

static void keeping_other_things_begins_with_nothing(void **state) {
    (void)state;
    opened *of = open_known("mnk-4x4-k4");
    const uint64_t stones[2] = {1, 2};
    bool answer;
    known_begin(&of->known, false);
    known_hash hash = hash_of(of, stones);
    known_remember(&of->known, &hash, 1, false, 1);
    known_begin(&of->known, false);
    assert_true(known_recall(&of->known, &hash, 1, &answer));
    known_begin(&of->known, true);
    assert_false(known_recall(&of->known, &hash, 1, &answer));
    close_known(of);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_column_is_its_height_and_its_x_stones),
        cmocka_unit_test(a_cell_is_a_digit_to_the_base_3),
        cmocka_unit_test(a_path_and_its_images_have_one_hash),
        cmocka_unit_test(what_is_recalled_was_remembered),
        cmocka_unit_test(what_took_long_outlives_what_did_not),
        cmocka_unit_test(growth_keeps_what_is_known),
        cmocka_unit_test(keeping_other_things_begins_with_nothing),
    };
    return cmocka_run_group_tests_name("known_positions", tests, NULL, NULL);
}
