/* SPDX-License-Identifier: MIT
 *
 * Rings of odd width, k = 3: the outcomes agree with plain minimax, which does not use parts or
 * sums.
 */
#include <stdlib.h>

#include "tests/support/support.h"
#include "tools/strategy/ring_search.h"

/* Plain minimax of misere Connect-3 in a ring, on a string. *memo has 3 to the power of the width
 * entries, 0: unknown. Value for the player to move: 1 loss, 2 draw, 3 win. */
enum { MAX = 13 };

static int value_of(char *ring, int width, int stones, uint8_t *memo) {
    size_t place = 0;
    int best = 1;
    char stone = stones % 2 ? 2 : 1;
    if (stones == width) return 2;
    for (int i = 0; i < width; i++) place = 3 * place + (size_t)ring[i];
    if (memo[place]) return memo[place];
    for (int i = 0; i < width && best < 3; i++) {
        bool loses = false;
        if (ring[i]) continue;
        ring[i] = stone;
        for (int from = i + width - 2; from <= i + width; from++)
            loses |= ring[from % width] == stone && ring[(from + 1) % width] == stone &&
                     ring[(from + 2) % width] == stone;
        int value = loses ? 1 : 4 - value_of(ring, width, stones + 1, memo);
        ring[i] = 0;
        if (value > best) best = value;
    }
    memo[place] = (uint8_t)best;
    return best;
}

static ring_result search(int width, double memory_bytes) {
    const ring_options o = {.width = width, .memory_bytes = memory_bytes};
    ring_result result;
    plb_message message;
    support_expect(ring_search(&o, &result, &message), PLB_OK, "a ring", &message);
    return result;
}

static void outcomes_are_those_of_minimax(void **state) {
    (void)state;
    for (int width = 3; width <= MAX; width += 2) {
        char ring[MAX] = {0};
        size_t places = 1;
        for (int i = 0; i < width; i++) places *= 3;
        uint8_t *memo = calloc(places, 1);
        assert_non_null(memo);
        int value = value_of(ring, width, 0, memo);
        free(memo);
        assert_true(value == 1 || value == 2); /* the second player never loses */
        assert_int_equal(search(width, 1 << 20).second_wins, value == 1);
    }
}

/* With a small table, forgotten positions are searched again. */
static void little_memory_changes_no_outcome(void **state) {
    (void)state;
    for (int width = 3; width <= 15; width += 2) {
        ring_result much = search(width, 1 << 24), little = search(width, 1);
        assert_int_equal(much.second_wins, little.second_wins);
        assert_true(much.nodes <= little.nodes);
    }
}

static void an_interrupt_is_an_error(void **state) {
    (void)state;
    volatile sig_atomic_t stop = 1;
    ring_result result;
    const ring_options o = {.width = 21, .memory_bytes = 1 << 20, .stop = &stop};
    assert_int_equal(ring_search(&o, &result, NULL), PLB_EINTERRUPTED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outcomes_are_those_of_minimax),
        cmocka_unit_test(little_memory_changes_no_outcome),
        cmocka_unit_test(an_interrupt_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
