/* SPDX-License-Identifier: MIT
 *
 * Pairings of random families of sets: each is checked, and compared with an enumeration of all
 * sets of disjoint pairs. Also families whose answer is known.
 */
#include "tables/proofs/pairing.h"

#include "tests/support/support.h"

enum { MAX_SETS = 24 };

typedef struct family {
    int count;
    uint64_t sets[MAX_SETS];
} family;

/* ---- checks that share no code with what they check ---- */

static int size_of(uint64_t set) {
    int size = 0;
    for (int cell = 0; cell < 64; cell++) size += set >> cell & 1;
    return size;
}

static bool all_have_a_pair(const family *f, const uint64_t *pairs, int count) {
    for (int s = 0; s < f->count; s++) {
        bool has = false;
        for (int p = 0; p < count; p++) has |= (f->sets[s] & pairs[p]) == pairs[p];
        if (!has) return false;
    }
    return true;
}

static void expect_pairing(const family *f, const uint64_t *pairs, int count) {
    uint64_t used = 0;
    for (int p = 0; p < count; p++) {
        assert_int_equal(size_of(pairs[p]), 2);
        assert_true((used & pairs[p]) == 0);
        used |= pairs[p];
    }
    assert_true(all_have_a_pair(f, pairs, count));
}

/* Try every way to pair some of the cells from `cell` on. */
static bool some_pairing_serves(const family *f, int cells, int cell, uint64_t used,
                                uint64_t *pairs, int count) {
    if (cell == cells) return all_have_a_pair(f, pairs, count);
    if (some_pairing_serves(f, cells, cell + 1, used, pairs, count)) return true;
    if (used >> cell & 1) return false;
    for (int other = cell + 1; other < cells; other++) {
        if (used >> other & 1) continue;
        pairs[count] = 1ULL << cell | 1ULL << other;
        if (some_pairing_serves(f, cells, cell + 1, used | pairs[count], pairs, count + 1))
            return true;
    }
    return false;
}

/* Can every set from `set` on get two cells of its own? By plain enumeration. */
static bool some_cells_match(const family *f, int set, uint64_t used) {
    if (set == f->count) return true;
    for (int a = 0; a < 64; a++)
        for (int b = a + 1; b < 64; b++) {
            uint64_t pair = 1ULL << a | 1ULL << b;
            if ((f->sets[set] & pair) == pair && !(used & pair) &&
                some_cells_match(f, set + 1, used | pair))
                return true;
        }
    return false;
}

/* ---- random families ---- */

static family draw_family(uint64_t *random, int cells) {
    family f = {.count = (int)support_random_below(random, 9)};
    int least = 1 + (int)support_random_below(random, 3);
    for (int s = 0; s < f.count; s++)
        for (int n = least + (int)support_random_below(random, 3); n; n--)
            f.sets[s] |= 1ULL << support_random_below(random, cells);
    return f;
}

static plb_pairing_answer find(family f, uint64_t steps, plb_pairing *found) {
    plb_pairing_limits limits = {.steps = steps};
    uint64_t taken;
    plb_pairing_answer answer = plb_pairing_find(f.sets, f.count, &limits, found, &taken);
    assert_true(taken >= 1 && (!steps || taken <= steps));
    return answer;
}

static void check_family(const family *f, int cells, int answers[2]) {
    uint64_t pairs[MAX_SETS > 32 ? MAX_SETS : 32];
    plb_pairing found;
    bool exists = some_pairing_serves(f, cells, 0, 0, pairs, 0);
    bool matches = plb_pairing_match(f->sets, f->count, pairs);
    assert_int_equal(matches, some_cells_match(f, 0, 0));
    if (matches) {
        expect_pairing(f, pairs, f->count);
        for (int s = 0; s < f->count; s++) assert_true((pairs[s] & ~f->sets[s]) == 0);
        assert_true(exists);
    }
    assert_int_equal(find(*f, 0, &found), exists ? PLB_PAIRING_FOUND : PLB_PAIRING_NONE);
    if (exists) expect_pairing(f, found.pairs, found.count);
    answers[exists]++;
}

static void pairings_are_those_of_plain_enumeration(void **state) {
    (void)state;
    uint64_t random = support_seed("pairings", 1);
    int answers[2] = {0, 0};
    for (int n = 0; n < 6000; n++) {
        int cells = 4 + (int)support_random_below(&random, 6);
        family f = draw_family(&random, cells);
        check_family(&f, cells, answers);
    }
    assert_true(answers[0] > 1000 && answers[1] > 1000);
}

static void few_steps_never_give_a_wrong_answer(void **state) {
    (void)state;
    uint64_t random = support_seed("few steps", 2);
    int undecided = 0;
    for (int n = 0; n < 3000; n++) {
        family f = draw_family(&random, 9);
        plb_pairing found;
        plb_pairing_answer whole = find(f, 0, NULL), part = find(f, 1 + n % 3, &found);
        if (part != PLB_PAIRING_UNDECIDED) assert_int_equal(part, whole);
        if (part == PLB_PAIRING_FOUND) expect_pairing(&f, found.pairs, found.count);
        undecided += part == PLB_PAIRING_UNDECIDED;
    }
    assert_true(undecided > 100);
}

/* ---- reduction ---- */

static void reduction_keeps_the_minimal_sets(void **state) {
    (void)state;
    uint64_t random = support_seed("reduction", 3);
    for (int n = 0; n < 3000; n++) {
        family f = draw_family(&random, 6), less = f;
        less.count = plb_pairing_reduce(less.sets, less.count);
        for (int i = 0; i < less.count; i++) {
            bool given = false;
            for (int s = 0; s < f.count; s++) given |= f.sets[s] == less.sets[i];
            assert_true(given);
            for (int j = 0; j < less.count; j++)
                assert_true(i == j || (less.sets[j] & ~less.sets[i]) != 0);
        }
        for (int s = 0; s < f.count; s++) {
            bool served = false;
            for (int i = 0; i < less.count; i++) served |= (less.sets[i] & ~f.sets[s]) == 0;
            assert_true(served);
        }
        assert_int_equal(find(less, 0, NULL), find(f, 0, NULL));
    }
}

static void open_sets_are_what_a_player_needs(void **state) {
    (void)state;
    const uint64_t groups[] = {0x0f, 0xf0, 0x33, 0xcc};
    uint64_t sets[4];
    assert_int_equal(plb_pairing_open_sets(groups, 4, 0x05, 0x20, sets), 2);
    assert_true(sets[0] == 0x0a && sets[1] == 0xc8);
}

/* ---- by hand ---- */

static void nothing_to_serve_needs_no_pair(void **state) {
    (void)state;
    plb_pairing found = {.count = -1};
    assert_int_equal(plb_pairing_find(NULL, 0, NULL, &found, NULL), PLB_PAIRING_FOUND);
    assert_int_equal(found.count, 0);
    assert_true(plb_pairing_match(NULL, 0, NULL));
}

static void a_set_of_one_cell_has_no_pair(void **state) {
    (void)state;
    uint64_t single[] = {1}, empty[] = {0};
    assert_int_equal(plb_pairing_find(single, 1, NULL, NULL, NULL), PLB_PAIRING_NONE);
    assert_int_equal(plb_pairing_find(empty, 1, NULL, NULL, NULL), PLB_PAIRING_NONE);
    assert_false(plb_pairing_match(single, 1, NULL));
}

/* Cells a1, a2, a3, b1 .. c3 are bits 0 to 8: the example of pairing.h. */
static void a_pair_serves_two_sets(void **state) {
    (void)state;
    family f = {4,
                {1 << 0 | 1 << 3 | 1 << 6, 1 << 2 | 1 << 5 | 1 << 8, 7, 1 << 0 | 1 << 6 | 1 << 8}};
    plb_pairing found;
    assert_int_equal(find(f, 0, &found), PLB_PAIRING_FOUND);
    expect_pairing(&f, found.pairs, found.count);
    assert_false(plb_pairing_match(f.sets, 4, NULL));
}

/* The three pairs of three cells have no pairing, which is found at once. */
static void a_triangle_of_pairs_has_none(void **state) {
    (void)state;
    family f = {3, {3, 5, 6}};
    assert_int_equal(find(f, 0, NULL), PLB_PAIRING_NONE);
}

/* All 64 cells: 32 sets of two, in pairs that are far apart. */
static void a_pairing_may_use_every_cell(void **state) {
    (void)state;
    uint64_t sets[32], pairs[32];
    for (int i = 0; i < 32; i++) sets[i] = 1ULL << i | 1ULL << (63 - i);
    plb_pairing found;
    assert_true(plb_pairing_match(sets, 32, pairs));
    assert_int_equal(plb_pairing_find(sets, 32, NULL, &found, NULL), PLB_PAIRING_FOUND);
    assert_int_equal(found.count, 32);
}

static void a_stop_flag_ends_the_search(void **state) {
    (void)state;
    family f = {3, {3, 5, 6}};
    volatile sig_atomic_t stop = 1;
    plb_pairing_limits limits = {.stop = &stop};
    assert_int_equal(plb_pairing_find(f.sets, f.count, &limits, NULL, NULL), PLB_PAIRING_UNDECIDED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairings_are_those_of_plain_enumeration),
        cmocka_unit_test(few_steps_never_give_a_wrong_answer),
        cmocka_unit_test(reduction_keeps_the_minimal_sets),
        cmocka_unit_test(open_sets_are_what_a_player_needs),
        cmocka_unit_test(nothing_to_serve_needs_no_pair),
        cmocka_unit_test(a_set_of_one_cell_has_no_pair),
        cmocka_unit_test(a_pair_serves_two_sets),
        cmocka_unit_test(a_triangle_of_pairs_has_none),
        cmocka_unit_test(a_pairing_may_use_every_cell),
        cmocka_unit_test(a_stop_flag_ends_the_search),
    };
    return cmocka_run_group_tests_name("pairing", tests, NULL, NULL);
}
