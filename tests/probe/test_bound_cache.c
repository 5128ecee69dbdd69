/* SPDX-License-Identifier: MIT
 *
 * The cache of spans: what is found was put in, and of a full bucket the cheapest goes.
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

static bool is_found(const plb_bound_cache *cache, plb_position p, bool x_wins, int least,
                     int most) {
    plb_known_bounds span = {-1, -1};
    bool found = plb_bound_cache_get(cache, p, x_wins, &span);
    if (found && (span.lower != least || span.upper != most))
        fail_msg("%d..%d was found, %d..%d was put in", span.lower, span.upper, least, most);
    return found;
}

static void a_span_is_found_for_its_position_and_winner_alone(void **state) {
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

/* One bucket of three ways: 8, 100 and 3 nodes; a fourth span takes the place of the third. */
static void the_cheapest_of_a_bucket_is_replaced(void **state) {
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

/* Far more positions than there is room for: each is found as it was put in last, or not at all. */
static void what_is_found_was_put_in(void **state) {
    (void)state;
    uint64_t random = support_seed("spans", 20261122);
    plb_bound_cache *cache = open_cache(1 << 14);
    int least[POSITIONS], found = 0;
    for (int i = 0; i < POSITIONS; i++) {
        least[i] = (int)support_random_below(&random, PLB_NEVER);
        plb_position p = {(uint64_t)i * 3, (uint64_t)i << 20};
        plb_bound_cache_put(cache, p, i % 2, (plb_known_bounds){least[i], PLB_NEVER}, 1 + i % 7);
    }
    for (int i = 0; i < POSITIONS; i++) {
        plb_position p = {(uint64_t)i * 3, (uint64_t)i << 20};
        found += is_found(cache, p, i % 2, least[i], PLB_NEVER);
    }
    printf("%d of %d found\n", found, POSITIONS);
    assert_true(found > 500 && found <= 3 * (1 << 14) / LINE_BYTES);
    plb_bound_cache_close(cache);
}

static void closing_nothing_is_allowed(void **state) {
    (void)state;
    plb_bound_cache_close(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_span_is_found_for_its_position_and_winner_alone),
        cmocka_unit_test(the_cheapest_of_a_bucket_is_replaced),
        cmocka_unit_test(what_is_found_was_put_in),
        cmocka_unit_test(closing_nothing_is_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
