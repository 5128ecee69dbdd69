/* SPDX-License-Identifier: MIT
 *
 * The cache of bounds: it returns only bounds that were put into it, and evicts the cheapest entry
 * of a full bucket.
 */
#include "probe/bound_cache.h"

#include <stdio.h>

#include "tests/support/support.h"

enum { LINE_BYTES = 64, POSITIONS = 1 << 12 };

static plb_bound_cache *open_cache(uint64_t bytes) {
    plb_bound_cache *cache = NULL;
    assert_int_equal(plb_bound_cache_open(bytes, &cache), PLB_OK);
    return cache;
}

static bool is_found(const plb_bound_cache *cache, plb_position p, bool x_wins, int lower,
                     int upper) {
    plb_known_bounds bounds = {-1, -1};
    bool found = plb_bound_cache_get(cache, p, x_wins, &bounds);
    if (found && (bounds.lower != lower || bounds.upper != upper))
        fail_msg("%d..%d was found, %d..%d was put in", bounds.lower, bounds.upper, lower, upper);
    return found;
}

static void bounds_are_found_only_for_their_position_and_winner(void **state) {
    (void)state;
    plb_bound_cache *cache = open_cache(1 << 16);
    const plb_position empty = {0, 0}, other = {1, 0};
    assert_false(is_found(cache, empty, true, 0, 0));
    plb_bound_cache_put(cache, empty, true, (plb_known_bounds){41, PLB_NEVER}, 1000);
    assert_true(is_found(cache, empty, true, 41, PLB_NEVER));
    assert_false(is_found(cache, empty, false, 0, 0));
    assert_false(is_found(cache, other, true, 0, 0));
    plb_bound_cache_put(cache, empty, true, (plb_known_bounds){41, 41}, 1);
    assert_true(is_found(cache, empty, true, 41, 41));
    plb_bound_cache_close(cache);
}

/* One bucket of three ways: 8, 100 and 3 nodes. The fourth entry replaces the third. */
static void the_cheapest_entry_of_a_bucket_is_evicted(void **state) {
    (void)state;
    plb_bound_cache *cache = open_cache(LINE_BYTES);
    const plb_position p[4] = {{1, 0}, {2, 0}, {4, 0}, {8, 0}};
    const uint64_t nodes[4] = {8, 100, 3, 20};
    for (int i = 0; i < 4; i++)
        plb_bound_cache_put(cache, p[i], true, (plb_known_bounds){i, i + 10}, nodes[i]);
    assert_true(is_found(cache, p[0], true, 0, 10));
    assert_true(is_found(cache, p[1], true, 1, 11));
    assert_false(is_found(cache, p[2], true, 2, 12));
    assert_true(is_found(cache, p[3], true, 3, 13));
    plb_bound_cache_close(cache);
}

/* Far more positions than fit: each is found with its own bounds, or not at all. */
static void bounds_that_are_found_were_put_in(void **state) {
    (void)state;
    uint64_t random = support_seed("bounds", 20261122);
    plb_bound_cache *cache = open_cache(1 << 14);
    int lower[POSITIONS], found = 0;
    for (int i = 0; i < POSITIONS; i++) {
        lower[i] = (int)support_random_below(&random, PLB_NEVER);
        plb_position p = {(uint64_t)i * 3, (uint64_t)i << 20};
        plb_bound_cache_put(cache, p, i % 2, (plb_known_bounds){lower[i], PLB_NEVER}, 1 + i % 7);
    }
    for (int i = 0; i < POSITIONS; i++) {
        plb_position p = {(uint64_t)i * 3, (uint64_t)i << 20};
        found += is_found(cache, p, i % 2, lower[i], PLB_NEVER);
    }
    printf("%d of %d found\n", found, POSITIONS);
    assert_true(found > 500 && found <= 3 * (1 << 14) / LINE_BYTES);
    plb_bound_cache_close(cache);
    plb_bound_cache_close(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_are_found_only_for_their_position_and_winner),
        cmocka_unit_test(the_cheapest_entry_of_a_bucket_is_evicted),
        cmocka_unit_test(bounds_that_are_found_were_put_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
