/* SPDX-License-Identifier: MIT
 *
 * Set matchings of random families of sets: found ones are checked with the words of the
 * configurations; that none exists is compared with an exhaustive search; and the claim of a set
 * matching is compared with the game on the sets, by minimax.
 */
#include "tables/proofs/set_matching.h"

#include <stdlib.h>
#include <string.h>

#include "tables/bits.h"
#include "tests/support/support.h"

enum { MAX = 24, ALL = 32 }; /* MAX: sets of a random family; ALL: any number of configurations */

typedef struct family {
    int cells, count;
    uint64_t sets[MAX];
} family;

/* Sets of 2 to 4 cells, none containing another. */
static family random_family(int cells, int count, uint64_t *random) {
    family f = {.cells = cells};
    for (int i = 0; i < count; i++) {
        uint64_t set = 0;
        int size = 2 + (int)support_random_below(random, 3);
        while (plb_popcount(set) < size) set |= 1ULL << support_random_below(random, cells);
        f.sets[f.count++] = set;
    }
    f.count = plb_pairing_reduce(f.sets, f.count);
    return f;
}

/* ---- a checker of answers ---- */

/* The cells of a word of markers of a part. */
static uint64_t cells_of_word(const plb_part *part, const char *word) {
    uint64_t cells = 0;
    for (; *word && *word != ' '; word++) cells |= 1ULL << part->cells[*word - 'a'];
    return cells;
}

/* The groups of a part; a pair is one group. Returns their number. */
static int groups_of_part(const plb_part *part, uint64_t groups[PLB_MAX_CONFIGURATION_GROUPS]) {
    if (part->configuration == PLB_A_PAIR) {
        groups[0] = 1ULL << part->cells[0] | 1ULL << part->cells[1];
        return 1;
    }
    const char *word = plb_configuration_at(part->configuration)->groups;
    int count = 0;
    for (; word; word = strchr(word, ' ') ? strchr(word, ' ') + 1 : NULL)
        groups[count++] = cells_of_word(part, word);
    return count;
}

static bool lies_in_one(uint64_t group, const family *f) {
    for (int i = 0; i < f->count; i++)
        if (!(group & ~f->sets[i])) return true;
    return false;
}

static void check_matching(const family *f, const plb_set_matching *found, int configurations) {
    uint64_t used = 0, groups[PLB_MAX_CONFIGURATION_GROUPS];
    bool served[MAX] = {false};
    for (int p = 0; p < found->count; p++) {
        const plb_part *part = &found->parts[p];
        for (int c = 0; c < part->count; c++) {
            assert_in_range(part->cells[c], 0, f->cells - 1);
            assert_false(used >> part->cells[c] & 1);
            used |= 1ULL << part->cells[c];
        }
        configurations -= part->configuration != PLB_A_PAIR;
        for (int g = groups_of_part(part, groups) - 1; g >= 0; g--) {
            assert_true(lies_in_one(groups[g], f));
            for (int i = 0; i < f->count; i++) served[i] |= !(groups[g] & ~f->sets[i]);
        }
    }
    for (int i = 0; i < f->count; i++) assert_true(served[i]);
    assert_true(configurations >= 0);
}

static plb_pairing_answer find(const family *f, int configurations, plb_set_matching *found) {
    plb_pairing_answer answer = PLB_PAIRING_UNDECIDED;
    plb_matching_limits limits = {.configurations = configurations};
    assert_int_equal(plb_set_matching_find(f->sets, f->count, &limits, &answer, found), PLB_OK);
    if (answer == PLB_PAIRING_FOUND) check_matching(f, found, configurations);
    return answer;
}

/* ---- exhaustive search ---- */

static bool pairs_do(const family *f, unsigned served, uint64_t left) {
    int i = 0;
    while (i < f->count && served >> i & 1) i++;
    if (i == f->count) return true;
    for (int a = 0; a < f->cells; a++)
        for (int b = a + 1; b < f->cells; b++) {
            uint64_t pair = 1ULL << a | 1ULL << b;
            unsigned more = served;
            if ((pair & left & f->sets[i]) != pair) continue;
            for (int k = i; k < f->count; k++) more |= (unsigned)!(pair & ~f->sets[k]) << k;
            if (pairs_do(f, more, left & ~pair)) return true;
        }
    return false;
}

/* Can each group get a set of its own that contains it? */
static bool have_own_sets(const family *f, const uint64_t *groups, int count, unsigned taken) {
    if (count == 0) return true;
    for (int i = 0; i < f->count; i++)
        if (!(taken >> i & 1) && !(groups[0] & ~f->sets[i]) &&
            have_own_sets(f, groups + 1, count - 1, taken | 1U << i))
            return true;
    return false;
}

/* Is there a set matching of one configuration, whose markers before m have their cells, and of
 * pairs? */
static bool configuration_does(const family *f, plb_part *part, int m, uint64_t left) {
    uint64_t groups[PLB_MAX_CONFIGURATION_GROUPS];
    if (m < part->count) {
        for (int c = 0; c < f->cells; c++) {
            part->cells[m] = c;
            if (left >> c & 1 && configuration_does(f, part, m + 1, left & ~(1ULL << c)))
                return true;
        }
        return false;
    }
    int count = groups_of_part(part, groups);
    unsigned served = 0;
    for (int g = 0; g < count; g++)
        for (int i = 0; i < f->count; i++) served |= (unsigned)!(groups[g] & ~f->sets[i]) << i;
    return have_own_sets(f, groups, count, 0) && pairs_do(f, served, left);
}

/* Is there a set matching? For families of at most nine cells, on which two configurations do not
 * fit. */
static bool something_does(const family *f) {
    uint64_t all = plb_low_bits(f->cells);
    if (pairs_do(f, 0, all)) return true;
    for (int n = 0; plb_configuration_at(n); n++) {
        plb_part part = {.configuration = n,
                         .count = plb_configuration_markers(plb_configuration_at(n))};
        if (part.count <= f->cells && configuration_does(f, &part, 0, all)) return true;
    }
    return false;
}

/* ---- the game on the sets ---- */

/* Does the owner of the sets end without a complete one, he and the other moving in turn? He wants
 * that if he avoids, else it is the other who wants it. */
static bool ends_incomplete(const family *f, uint64_t owner, uint64_t other, bool owner_moves,
                            bool avoids, signed char *known) {
    bool blocked = true;
    for (int i = 0; i < f->count; i++) {
        if (!(f->sets[i] & ~owner)) return false;
        blocked = blocked && (f->sets[i] & other);
    }
    if (blocked) return true;
    size_t state = 0;
    for (int c = 0; c < f->cells; c++) state = 3 * state + (owner >> c & 1) + 2 * (other >> c & 1);
    if (known[state]) return known[state] > 0;
    bool wanted = owner_moves == avoids, end = !wanted;
    for (uint64_t left = plb_low_bits(f->cells) & ~(owner | other); left && end != wanted;
         left &= left - 1) {
        uint64_t cell = left & -left;
        end = ends_incomplete(f, owner_moves ? owner | cell : owner,
                              owner_moves ? other : other | cell, !owner_moves, avoids, known);
    }
    known[state] = end ? 1 : -1;
    return end;
}

static bool plays_incomplete(const family *f, bool owner_moves, bool avoids) {
    size_t states = 1;
    for (int c = 0; c < f->cells; c++) states *= 3;
    signed char *known = calloc(states, 1);
    assert_non_null(known);
    bool end = ends_incomplete(f, 0, 0, owner_moves, avoids, known);
    free(known);
    return end;
}

/* ---- the tests ---- */

static void what_is_found_holds_in_play(void **state) {
    (void)state;
    uint64_t random = support_seed("families", 1);
    plb_set_matching found;
    int by_configuration = 0;
    for (int n = 0; n < 3000; n++) {
        int cells = 5 + (int)support_random_below(&random, 6);
        family f = random_family(cells, 3 + (int)support_random_below(&random, 6), &random);
        if (find(&f, ALL, &found) != PLB_PAIRING_FOUND) continue;
        bool has_configuration = found.parts[0].configuration != PLB_A_PAIR;
        if (!has_configuration && n % 20) continue;
        by_configuration += has_configuration;
        assert_true(plays_incomplete(&f, true, false));
        assert_true(plays_incomplete(&f, false, false));
    }
    assert_in_range(by_configuration, 100, 3000);
}

/* The owner moves if an even number of cells is empty: he does not place the last stone. */
static void one_configuration_lets_its_owner_avoid(void **state) {
    (void)state;
    uint64_t random = support_seed("families", 2);
    plb_set_matching found;
    int by_configuration = 0, lost_by_last = 0;
    for (int n = 0; n < 3000; n++) {
        int cells = 5 + (int)support_random_below(&random, 6);
        family f = random_family(cells, 3 + (int)support_random_below(&random, 6), &random);
        if (find(&f, 1, &found) != PLB_PAIRING_FOUND) continue;
        bool has_configuration = found.parts[0].configuration != PLB_A_PAIR;
        if (!has_configuration && n % 20) continue;
        by_configuration += has_configuration;
        assert_true(plays_incomplete(&f, cells % 2 == 0, true));
        if (has_configuration)
            lost_by_last += !plays_incomplete(&f, cells % 2 != 0, true);
        else
            assert_true(plays_incomplete(&f, cells % 2 != 0, true));
    }
    assert_in_range(by_configuration, 100, 3000);
    assert_in_range(lost_by_last, 1, by_configuration); /* for them it proves nothing */
}

static void that_there_is_none_is_found_by_trying_everything(void **state) {
    (void)state;
    uint64_t random = support_seed("families", 3);
    plb_set_matching found;
    int both[2] = {0, 0};
    for (int n = 0; n < 800; n++) {
        int cells = 5 + (int)support_random_below(&random, 4);
        family f = random_family(cells, 3 + (int)support_random_below(&random, 4), &random);
        plb_pairing_answer answer = find(&f, ALL, &found);
        assert_int_equal(answer, something_does(&f) ? PLB_PAIRING_FOUND : PLB_PAIRING_NONE);
        both[answer == PLB_PAIRING_FOUND && found.parts[0].configuration != PLB_A_PAIR]++;
    }
    assert_in_range(both[1], 10, 700);
}

static family lines_of_4x4(void) {
    family f = {.cells = 16, .count = 10};
    for (int i = 0; i < 4; i++) {
        f.sets[i] = 0xfULL << (4 * i);
        f.sets[4 + i] = 0x1111ULL << i;
    }
    f.sets[8] = 0x8421;
    f.sets[9] = 0x1248;
    return f;
}

static void the_empty_4x4_board_is_matched(void **state) {
    (void)state;
    plb_set_matching found;
    family f = lines_of_4x4();
    assert_int_equal(find(&f, 0, &found), PLB_PAIRING_NONE);
    assert_int_equal(find(&f, 1, &found), PLB_PAIRING_FOUND);
}

static void families_that_are_trivial(void **state) {
    (void)state;
    plb_set_matching found = {.count = 7};
    family f = {.cells = 3};
    assert_int_equal(find(&f, ALL, &found), PLB_PAIRING_FOUND);
    assert_int_equal(found.count, 0);
    f.sets[f.count++] = 1;
    assert_int_equal(find(&f, ALL, &found), PLB_PAIRING_NONE);
    f.sets[0] = 3;
    assert_int_equal(find(&f, ALL, &found), PLB_PAIRING_FOUND);
    f.sets[0] = 0;
    assert_int_equal(find(&f, ALL, &found), PLB_PAIRING_NONE);
}

static void limits_are_kept(void **state) {
    (void)state;
    plb_set_matching found;
    plb_pairing_answer answer = PLB_PAIRING_FOUND;
    family f = lines_of_4x4();
    sig_atomic_t stop = 1;
    plb_matching_limits few = {.steps = 3, .configurations = ALL};
    plb_matching_limits stopped = {.configurations = ALL, .stop = &stop};
    assert_int_equal(plb_set_matching_find(f.sets, f.count, &few, &answer, &found), PLB_OK);
    assert_int_equal(answer, PLB_PAIRING_UNDECIDED);
    answer = PLB_PAIRING_FOUND;
    assert_int_equal(plb_set_matching_find(f.sets, f.count, &stopped, &answer, &found), PLB_OK);
    assert_int_equal(answer, PLB_PAIRING_UNDECIDED);
    assert_int_equal(plb_set_matching_find(f.sets, PLB_MAX_SETS + 1, &few, &answer, &found),
                     PLB_EARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_found_holds_in_play),
        cmocka_unit_test(one_configuration_lets_its_owner_avoid),
        cmocka_unit_test(that_there_is_none_is_found_by_trying_everything),
        cmocka_unit_test(the_empty_4x4_board_is_matched),
        cmocka_unit_test(families_that_are_trivial),
        cmocka_unit_test(limits_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
