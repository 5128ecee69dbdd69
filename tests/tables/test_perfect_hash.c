/* SPDX-License-Identifier: MIT
 *
 * Perfect hashes of sets of keys: every key has a distinct number, almost no other key has one, and
 * damaged bytes do no harm.
 */
#include "tables/index/perfect_hash.h"

#include <stdlib.h>
#include <string.h>

#include "tables/bits.h"
#include "tests/support/support.h"

/* Key number n of a run of keys. */
static plb_key_hash key(uint64_t n) {
    return plb_key_hash_make(n, n * n + 1);
}

static plb_key_hash *keys_of(uint64_t first, uint64_t count) {
    plb_key_hash *hashes = calloc(count + 1, sizeof *hashes);
    assert_non_null(hashes);
    for (uint64_t i = 0; i < count; i++) hashes[i] = key(first + i);
    return hashes;
}

static void make(uint64_t first, uint64_t count, bool fingerprints, plb_perfect_hash *set) {
    plb_key_hash *hashes = keys_of(first, count);
    assert_int_equal(plb_perfect_hash_make(hashes, count, fingerprints, set), PLB_OK);
    free(hashes);
}

static void assert_numbers(const plb_perfect_hash *set, uint64_t first, uint64_t count) {
    uint8_t *seen = calloc(count + 1, 1);
    assert_int_equal(set->keys, count);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t rank = count;
        assert_true(plb_perfect_hash_find(set, key(first + i), &rank));
        assert_true(rank < count && !seen[rank]);
        seen[rank] = 1;
    }
    free(seen);
}

static const uint64_t sizes[] = {0, 1, 2, 63, 64, 65, 1000, 200000};

static void members_are_numbered_without_gaps(void **state) {
    (void)state;
    for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++)
        for (int fingerprints = 0; fingerprints < 2; fingerprints++) {
            plb_perfect_hash set;
            make(7, sizes[n], fingerprints, &set);
            assert_numbers(&set, 7, sizes[n]);
            plb_perfect_hash_free(&set);
        }
}

/* 2.72 bits of the levels and 16 of the fingerprint. */
static void a_set_is_small(void **state) {
    (void)state;
    plb_perfect_hash set;
    make(0, 200000, true, &set);
    assert_in_range(set.size * 8.0 / 200000 * 1000, 16000 + 2700, 16000 + 2800);
    plb_perfect_hash_free(&set);
}

/* One in 65,536 strangers gets a number: of a million about 15; more than 40 once in 10^7 tests. */
static void strangers_have_no_number(void **state) {
    (void)state;
    plb_perfect_hash set;
    uint64_t passed = 0, rank;
    make(0, 50000, true, &set);
    for (uint64_t i = 0; i < 1000000; i++)
        passed += plb_perfect_hash_find(&set, key(50000 + i), &rank);
    assert_in_range(passed, 1, 40);
    plb_perfect_hash_free(&set);
    make(0, 0, true, &set);
    assert_false(plb_perfect_hash_find(&set, key(0), &rank));
    plb_perfect_hash_free(&set);
}

static void the_order_of_keys_does_not_matter(void **state) {
    (void)state;
    enum { COUNT = 5000 };
    plb_perfect_hash a, b;
    plb_key_hash *hashes = keys_of(0, COUNT);
    for (int i = 0; i < COUNT / 2; i++) {
        plb_key_hash other = hashes[i];
        hashes[i] = hashes[COUNT - 1 - i];
        hashes[COUNT - 1 - i] = other;
    }
    make(0, COUNT, true, &a);
    assert_int_equal(plb_perfect_hash_make(hashes, COUNT, true, &b), PLB_OK);
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.bytes, b.bytes, a.size);
    plb_perfect_hash_free(&a);
    plb_perfect_hash_free(&b);
    free(hashes);
}

static void equal_hashes_are_refused(void **state) {
    (void)state;
    plb_perfect_hash set;
    plb_key_hash *hashes = keys_of(0, 100);
    hashes[99] = hashes[5];
    assert_int_equal(plb_perfect_hash_make(hashes, 100, false, &set), PLB_EARGUMENT);
    plb_perfect_hash_free(&set);
    free(hashes);
}

static int read_copy(const plb_perfect_hash *set, size_t size, size_t flip,
                     plb_perfect_hash *copy) {
    uint8_t *bytes = calloc(1, size + 1);
    memcpy(bytes, set->bytes, size < set->size ? size : set->size);
    if (flip < size) bytes[flip] ^= 0x21;
    return plb_perfect_hash_read(bytes, size, copy);
}

static void what_was_written_is_read(void **state) {
    (void)state;
    for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++) {
        plb_perfect_hash set, copy;
        make(3, sizes[n], true, &set);
        assert_int_equal(read_copy(&set, set.size, SIZE_MAX, &copy), PLB_OK);
        assert_numbers(&copy, 3, sizes[n]);
        plb_perfect_hash_free(&copy);
        plb_perfect_hash_free(&set);
    }
}

/* Truncated or changed bytes give an error, or a set whose numbers are in range. */
static void any_bytes_are_safe(void **state) {
    (void)state;
    plb_perfect_hash set, copy;
    uint64_t rank;
    make(0, 300, true, &set);
    for (size_t size = 0; size < set.size + 3; size++) {
        int error = read_copy(&set, size, SIZE_MAX, &copy);
        assert_int_equal(error, size == set.size ? PLB_OK : PLB_ECORRUPT);
        plb_perfect_hash_free(&copy);
    }
    for (size_t flip = 0; flip < set.size; flip++) {
        if (read_copy(&set, set.size, flip, &copy) == PLB_OK)
            for (uint64_t i = 0; i < 300; i++)
                if (plb_perfect_hash_find(&copy, key(i), &rank)) assert_true(rank < copy.keys);
        plb_perfect_hash_free(&copy);
    }
    plb_perfect_hash_free(&set);
}

/* Buckets follow the order of hashes, and have similar sizes. */
static void buckets_share_keys_evenly(void **state) {
    (void)state;
    uint64_t counts[10] = {0};
    for (uint64_t i = 0; i < 100000; i++) counts[plb_key_bucket(key(i), 10)]++;
    for (int b = 0; b < 10; b++) assert_in_range(counts[b], 9500, 10500);
    plb_key_hash low = {5, 1ULL << 60}, high = {4, 1ULL << 61};
    assert_true(plb_key_bucket(low, 10) <= plb_key_bucket(high, 10));
    assert_int_equal(plb_key_bucket((plb_key_hash){0, UINT64_MAX}, 7), 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_are_numbered_without_gaps),
        cmocka_unit_test(a_set_is_small),
        cmocka_unit_test(strangers_have_no_number),
        cmocka_unit_test(the_order_of_keys_does_not_matter),
        cmocka_unit_test(equal_hashes_are_refused),
        cmocka_unit_test(what_was_written_is_read),
        cmocka_unit_test(any_bytes_are_safe),
        cmocka_unit_test(buckets_share_keys_evenly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
