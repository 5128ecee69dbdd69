/* SPDX-License-Identifier: MIT
 *
 * Alternating orders: the answer is compared with plain play and with a naive search; hard boards
 * take a limited number of steps.
 */
#include "tables/reach/alternating_order.h"

#include <stdlib.h>
#include <string.h>

#include "tables/bits.h"
#include "tests/support/support.h"

/* Is there an alternating order? The search must decide this. */
static bool is_possible(uint64_t x, uint64_t occupied, int width, int height, uint64_t *steps) {
    plb_alternating_order answer =
        plb_alternating_order_find(x, occupied, width, height, PLB_ORDER_STEPS, steps);
    assert_int_not_equal(answer, PLB_ORDER_UNDECIDED);
    return answer == PLB_ORDER_EXISTS;
}

static uint64_t bottom_of(int width, int height) {
    uint64_t bottom = 0;
    for (int i = 0; i < width; i++) bottom |= 1ULL << (i * height);
    return bottom;
}

/* ---- hash sets of boards ---- */

typedef struct set {
    uint64_t *keys; /* [slots], 0: free */
    uint64_t slots, used;
} set;

static void set_begin(set *s) {
    *s = (set){.slots = 1 << 10};
    s->keys = calloc(s->slots, sizeof *s->keys);
    assert_non_null(s->keys);
}

static void set_end(set *s) {
    free(s->keys);
}

/* The slot of a key, which is not 0. */
static uint64_t *set_slot(const set *s, uint64_t key) {
    uint64_t slot = (key * 0x9E3779B97F4A7C15ULL) >> 20;
    while (s->keys[slot & (s->slots - 1)] && s->keys[slot & (s->slots - 1)] != key) slot++;
    return &s->keys[slot & (s->slots - 1)];
}

static bool set_has(const set *s, uint64_t key) {
    return *set_slot(s, key) != 0;
}

static void set_grow(set *s) {
    set grown = {.slots = 4 * s->slots, .used = s->used};
    grown.keys = calloc(grown.slots, sizeof *grown.keys);
    assert_non_null(grown.keys);
    for (uint64_t i = 0; i < s->slots; i++)
        if (s->keys[i]) *set_slot(&grown, s->keys[i]) = s->keys[i];
    set_end(s);
    *s = grown;
}

static void set_add(set *s, uint64_t key) {
    if (2 * (s->used + 1) > s->slots) set_grow(s);
    s->used += !set_has(s, key);
    *set_slot(s, key) = key;
}

/* ---- against play: all boards of a size ---- */

/* A board of at most 32 cells as a number, which is never 0. */
static uint64_t board_key(uint64_t x, uint64_t occupied) {
    return ~(x << 32 | occupied);
}

/* Add all boards that can be reached by placing stones in turn. */
static void play_on(set *reached, uint64_t x, uint64_t occupied, uint64_t bottom, uint64_t board) {
    if (set_has(reached, board_key(x, occupied))) return;
    set_add(reached, board_key(x, occupied));
    bool x_moves = plb_popcount(occupied) % 2 == 0;
    for (uint64_t cells = board & ~occupied & (occupied << 1 | bottom); cells; cells &= cells - 1) {
        uint64_t stone = cells & -cells;
        play_on(reached, x_moves ? x | stone : x, occupied | stone, bottom, board);
    }
}

/* Check all fillings of the columns from `column` on. Returns the number of possible boards. */
static uint64_t compare_boards(const set *reached, uint64_t x, uint64_t occupied, int column,
                               int width, int height) {
    if (column == width) {
        bool expected = set_has(reached, board_key(x, occupied));
        if (is_possible(x, occupied, width, height, NULL) != expected)
            fail_msg("%dx%d, x %llx, stones %llx: %s", width, height, (unsigned long long)x,
                     (unsigned long long)occupied, expected ? "can be played" : "cannot be played");
        return expected;
    }
    uint64_t count = 0;
    for (int stones = 0; stones <= height; stones++)
        for (uint64_t word = 0; word < 1ULL << stones; word++)
            count += compare_boards(reached, x | word << (column * height),
                                    occupied | plb_low_bits(stones) << (column * height),
                                    column + 1, width, height);
    return count;
}

static void exactly_the_boards_of_play_alternate(void **state) {
    (void)state;
    static const int sizes[][2] = {{1, 1}, {1, 12}, {2, 7}, {3, 4}, {3, 5},
                                   {4, 3}, {4, 4},  {5, 3}, {7, 2}, {12, 1}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        int width = sizes[i][0], height = sizes[i][1];
        set reached;
        if (!support_has_turn(i, 2)) continue;
        set_begin(&reached);
        play_on(&reached, 0, 0, bottom_of(width, height), plb_low_bits(width * height));
        assert_int_equal(compare_boards(&reached, 0, 0, 0, width, height), reached.used);
        set_end(&reached);
    }
}

/* ---- compared with a naive search, which takes stones back in all orders ---- */

typedef struct plain_search {
    uint64_t x, bottom;
    set dead_ends;
} plain_search;

static bool can_unplay(plain_search *s, uint64_t occupied, bool x_last) {
    if (occupied == 0) return true;
    if (set_has(&s->dead_ends, occupied)) return false;
    uint64_t tops = occupied & ~((occupied & ~s->bottom) >> 1);
    for (tops &= x_last ? s->x : ~s->x; tops; tops &= tops - 1)
        if (can_unplay(s, occupied ^ (tops & -tops), !x_last)) return true;
    set_add(&s->dead_ends, occupied);
    return false;
}

static bool plain_answer(uint64_t x, uint64_t occupied, int width, int height) {
    plain_search s = {.x = x, .bottom = bottom_of(width, height)};
    set_begin(&s.dead_ends);
    bool found = can_unplay(&s, occupied, plb_popcount(occupied) % 2 == 1);
    set_end(&s.dead_ends);
    return found;
}

enum { MAX_STEPS = 8192 };

static void assert_answer(uint64_t x, uint64_t occupied, int width, int height) {
    uint64_t steps;
    bool found = is_possible(x, occupied, width, height, &steps);
    if (found != plain_answer(x, occupied, width, height))
        fail_msg("%dx%d, x %llx, stones %llx: %s", width, height, (unsigned long long)x,
                 (unsigned long long)occupied, found ? "no order exists" : "an order exists");
    if (steps > MAX_STEPS)
        fail_msg("%dx%d, x %llx, stones %llx: %llu steps", width, height, (unsigned long long)x,
                 (unsigned long long)occupied, (unsigned long long)steps);
}

/* A random board with most columns full, and as many x as o or one more. */
static void random_board(uint64_t *random, int width, int height, uint64_t *x, uint64_t *occupied) {
    int excess;
    do {
        *x = *occupied = 0;
        for (int i = 0; i < width; i++) {
            int stones = height - support_random_below(random, 3) * support_random_below(random, 2);
            if (stones < 0) stones = 0;
            *occupied |= plb_low_bits(stones) << (i * height);
        }
        *x = support_random(random) & *occupied;
        excess = 2 * plb_popcount(*x) - plb_popcount(*occupied);
    } while (excess != 0 && excess != 1);
}

static void random_boards_are_answered_right(void **state) {
    (void)state;
    static const int sizes[][3] = {{7, 6, 4000},  {5, 5, 8000},  {6, 7, 3000}, {4, 12, 3000},
                                   {3, 20, 2000}, {2, 30, 2000}, {9, 4, 2000}};
    uint64_t random = support_seed("boards of random colours", 20240631);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (int trial = 0; trial < sizes[i][2]; trial++) {
            uint64_t x, occupied;
            random_board(&random, sizes[i][0], sizes[i][1], &x, &occupied);
            assert_answer(x, occupied, sizes[i][0], sizes[i][1]);
        }
}

/* ---- hard boards ---- */

/* Most were found by changing single stones as long as the search did not need fewer steps; others
 * are hard for the naive search. */
static const struct {
    int width, height;
    uint64_t x, occupied;
    bool answer;
    uint64_t max_steps;
} hard_boards[] = {
    {8, 8, 0x1b060f0b9f272717, 0xffffff3fffffffff, false, 4463},
    {6, 10, 0xa9e9a878ab2ac9a, 0xfffffffffffffff, true, 2720},
    {7, 6, 0x1ca9c55ca9c, 0x3ffffffffff, false, 1},
    {7, 6, 0x32b86e860be, 0x3ffffffffff, false, 1},
    {7, 6, 0x32cb8d72529, 0x3ffffffffff, true, 62},
    {8, 7, 0x7041e0478300, 0x6fcf9f067c383, false, 0},
    {8, 8, 0x1b2b27069f17270f, 0xffffffffffffffff, false, 4119},
    {8, 8, 0xaaaaaaaaac5964d, 0xffffffffffffffff, false, 1},
    {16, 4, 0xcccccccccccccccc, 0xffffffffffffffff, false, 0},
    {7, 9, 0xec8e0d1b91a4e67, 0x7fffe1ffffffffff, false, 2693},
    {6, 10, 0x83c2ba9eab9ac8c, 0xfffffffffffffff, true, 2661},
    {6, 10, 0x13c8f038abaaa3f, 0xfffffffffffffff, false, 1602},
    {6, 10, 0xaae1e00000998aa, 0xfffff00000fffff, false, 32},
    {5, 12, 0xf30751f307492f1, 0xfffffffffffffff, false, 672},
    {5, 12, 0xaaa0f8555755aaa, 0xfff7fffffffffff, false, 672},
    {4, 16, 0x68f686fc299b24d8, 0xffffffffffffffff, false, 160},
    {4, 16, 0x8d59d652033f9359, 0xffffffff7fffffff, false, 160},
    {3, 21, 0x4aaaa52f06bb554d, 0x7fffffffffffffff, false, 32},
    {2, 32, 0x9aaaaaa94ce5554d, 0xffffffffffffffff, false, 32},
};

static void hard_boards_take_few_steps(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof hard_boards / sizeof hard_boards[0]; i++) {
        uint64_t steps;
        bool found = is_possible(hard_boards[i].x, hard_boards[i].occupied, hard_boards[i].width,
                                 hard_boards[i].height, &steps);
        if (found != hard_boards[i].answer || steps > hard_boards[i].max_steps)
            fail_msg("board %zu: %s, %llu steps", i, found ? "can be played" : "cannot be played",
                     (unsigned long long)steps);
    }
}

static void no_more_steps_than_allowed(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof hard_boards / sizeof hard_boards[0]; i++)
        for (uint64_t most = 32; most <= 8192; most *= 2) {
            uint64_t steps;
            plb_alternating_order answer = plb_alternating_order_find(
                hard_boards[i].x, hard_boards[i].occupied, hard_boards[i].width,
                hard_boards[i].height, most, &steps);
            assert_true(steps <= most);
            if (answer == PLB_ORDER_UNDECIDED)
                assert_true(most < 6 * hard_boards[i].max_steps);
            else
                assert_int_equal(answer == PLB_ORDER_EXISTS, hard_boards[i].answer);
        }
}

/* Only boards that the naive search can answer in a second. */
static void hard_boards_are_answered_right(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof hard_boards / sizeof hard_boards[0]; i++)
        if (hard_boards[i].width < 8)
            assert_int_equal(plain_answer(hard_boards[i].x, hard_boards[i].occupied,
                                          hard_boards[i].width, hard_boards[i].height),
                             hard_boards[i].answer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exactly_the_boards_of_play_alternate),
        cmocka_unit_test(random_boards_are_answered_right),
        cmocka_unit_test(hard_boards_take_few_steps),
        cmocka_unit_test(no_more_steps_than_allowed),
        cmocka_unit_test(hard_boards_are_answered_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
