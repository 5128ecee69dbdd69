/* SPDX-License-Identifier: MIT
 *
 * Allocators. Free ranges are compared with a map of the allocated bytes. Allocations of a stack of
 * words keep their contents until they are released, and pages that are returned are zero again.
 */
#include "builder/buffer.h"

#include "tables/message.h"
#include "tests/support/support.h"

enum { BYTES = 200, MAX_PIECES = BYTES };

typedef struct piece {
    uint64_t from, bytes;
} piece;

/* The offset of the first free range of this size, or BYTES. */
static uint64_t first_fit(const bool *taken, uint64_t bytes) {
    uint64_t from = 0, end = 0;
    while (end < BYTES && end - from < bytes) {
        if (taken[end]) from = end + 1;
        end++;
    }
    return end - from == bytes ? from : BYTES;
}

/* The gaps are exactly the free bytes, and no two are adjacent. */
static void assert_gaps(const plb_free_ranges *ranges, const bool *taken) {
    uint64_t at = 0;
    for (size_t g = 0; g < ranges->count; g++) {
        const plb_gap *gap = &ranges->gaps[g];
        assert_true(gap->from < gap->end && gap->end <= BYTES);
        assert_true(g == 0 || gap->from > at);
        for (; at < gap->from; at++) assert_true(taken[at]);
        for (; at < gap->end; at++) assert_false(taken[at]);
    }
    for (; at < BYTES; at++) assert_true(taken[at]);
}

static void mark(bool *taken, const piece *p, bool value) {
    for (uint64_t i = p->from; i < p->from + p->bytes; i++) {
        assert_true(taken[i] != value);
        taken[i] = value;
    }
}

static void free_ranges_agree_with_a_map(void **state) {
    (void)state;
    plb_free_ranges ranges;
    bool taken[BYTES] = {false};
    piece pieces[MAX_PIECES];
    int count = 0, refused = 0;
    uint64_t seed = 7;
    assert_int_equal(plb_free_ranges_open(BYTES, &ranges), PLB_OK);
    for (int step = 0; step < 20000; step++) {
        /* 500 steps that mostly allocate alternate with 500 that mostly free */
        bool takes = support_random(&seed) % 8 < (step / 500 % 2 ? 3U : 5U);
        if (takes) {
            piece p = {.bytes = 1 + support_random(&seed) % 12};
            uint64_t place = first_fit(taken, p.bytes);
            assert_int_equal(plb_free_ranges_take(&ranges, p.bytes, &p.from), place < BYTES);
            refused += place == BYTES;
            if (place == BYTES) continue;
            assert_int_equal(p.from, place);
            mark(taken, &p, true);
            pieces[count++] = p;
        } else if (count > 0) {
            piece *p = &pieces[support_random(&seed) % count];
            mark(taken, p, false);
            plb_free_ranges_give_back(&ranges, p->from, p->bytes);
            *p = pieces[--count];
        }
        assert_int_equal(ranges.allocations, count);
        assert_gaps(&ranges, taken);
    }
    assert_true(refused > 100);
    while (count > 0) {
        mark(taken, &pieces[--count], false);
        plb_free_ranges_give_back(&ranges, pieces[count].from, pieces[count].bytes);
    }
    assert_gaps(&ranges, taken);
    assert_int_equal(ranges.count, 1);
    plb_free_ranges_close(&ranges);
}

static void an_empty_range_refuses_allocations(void **state) {
    (void)state;
    plb_free_ranges ranges;
    uint64_t from;
    assert_int_equal(plb_free_ranges_open(0, &ranges), PLB_OK);
    assert_false(plb_free_ranges_take(&ranges, 1, &from));
    plb_free_ranges_close(&ranges);
}

/* ---- stacks of words ---- */

enum { DEPTH = 12, MAX_WORDS = 1 << 17 };

typedef struct taken_words {
    plb_stack_mark before;
    uint64_t *words, value;
    size_t count;
} taken_words;

static void assert_value(const taken_words *t) {
    for (size_t w = 0; w <= t->count; w++) assert_true(t->words[w] == t->value);
}

/* Allocate and release at random, on a stack with a range of this size. */
static void take_and_release(uint64_t range_bytes) {
    plb_word_stack stack;
    taken_words taken[DEPTH];
    int depth = 0;
    uint64_t seed = 11, in_range = 0, overflow = 0;
    plb_word_stack_open(range_bytes, &stack);
    for (uint64_t step = 1; step < 1000; step++) {
        taken_words *t = &taken[depth];
        if (depth == DEPTH || (depth && support_random(&seed) % 8 == 0)) {
            int first = (int)(support_random(&seed) % depth);
            for (int i = 0; i < depth; i++) assert_value(&taken[i]);
            plb_word_stack_release(&stack, taken[depth = first].before);
            continue;
        }
        *t = (taken_words){plb_word_stack_mark(&stack), NULL, step,
                           support_random(&seed) % MAX_WORDS};
        t->words = plb_word_stack_take(&stack, t->count);
        assert_non_null(t->words);
        assert_int_equal((uintptr_t)t->words % 64, 0);
        for (size_t w = 0; w <= t->count; w++) t->words[w] = step;
        if (stack.overflow == t->before.overflow)
            in_range++;
        else
            overflow++;
        depth++;
    }
    assert_int_equal(in_range > 100, range_bytes > 0);
    assert_true(overflow > 100);
    plb_word_stack_close(&stack);
}

static void words_keep_their_contents_until_released(void **state) {
    (void)state;
    take_and_release(0);
    take_and_release(PLB_HUGE_PAGE);
}

static void a_trimmed_stack_keeps_the_given_bytes(void **state) {
    (void)state;
    enum { WORDS = 3 * PLB_HUGE_PAGE / 8 };
    plb_word_stack stack;
    plb_word_stack_open(4 * PLB_HUGE_PAGE, &stack);
    uint64_t *first = plb_word_stack_take(&stack, WORDS);
    for (size_t w = 0; w < WORDS; w++) first[w] = 1;
    plb_word_stack_trim(&stack, PLB_HUGE_PAGE);
    uint64_t *again = plb_word_stack_take(&stack, WORDS);
    assert_ptr_equal(again, first);
    for (size_t w = 0; w < WORDS; w++) assert_true(again[w] == (w < PLB_HUGE_PAGE / 8));
    plb_word_stack_close(&stack);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_ranges_agree_with_a_map),
        cmocka_unit_test(an_empty_range_refuses_allocations),
        cmocka_unit_test(words_keep_their_contents_until_released),
        cmocka_unit_test(a_trimmed_stack_keeps_the_given_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
