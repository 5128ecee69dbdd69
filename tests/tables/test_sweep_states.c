/* SPDX-License-Identifier: MIT
 *
 * The states of a count when an allocation fails: the count continues with smaller parts, so that
 * known states and transitions must not change.
 */
#include "tables/count/sweep_states.h"

#include "tests/support/failing_malloc.h"
#include "tests/support/support.h"

/* The states, and whether an allocation has failed. */
typedef struct reader {
    plb_sweep_states states;
    uint64_t read; /* a hash of the numbers of states, in the order in which they were met */
    bool failed;
} reader;

/* Read a column; after PLB_ENOMEM, read it again with memory. */
static uint32_t read_column(reader *r, int layer, uint32_t state, int word,
                            plb_column_marking reading) {
    int64_t number = plb_sweep_states_next(&r->states, layer, state, word, reading, false);
    if (number == PLB_ENOMEM) {
        r->failed = failing_malloc_disarm();
        assert_true(r->failed);
        number = plb_sweep_states_next(&r->states, layer, state, word, reading, false);
    }
    assert_true(number >= 0);
    r->read = (r->read ^ (uint64_t)number) * 0x9E3779B97F4A7C15ULL;
    return (uint32_t)number;
}

static void read_second_column(reader *r, uint32_t state) {
    for (int word = 1; word < r->states.automaton->words.count; word++) {
        read_column(r, 1, state, word, PLB_COLUMN_UNMARKED);
        read_column(r, 1, state, word, PLB_COLUMN_LAST);
        read_column(r, 1, state, word, PLB_COLUMN_MARKED_LAST);
    }
}

/* Read the second column after each word of the first, so that the states of its layer grow while
 * they have transitions; then once more, when all are known. The nth allocation fails; 0: none. */
static reader read_columns(const plb_column_automaton *automaton, uint64_t n) {
    reader r = {.read = 0};
    int64_t live = failing_malloc_live();
    assert_int_equal(plb_sweep_states_begin(automaton, NULL, &r.states), PLB_OK);
    int64_t first = plb_sweep_states_first(&r.states);
    assert_true(first > 0);
    failing_malloc_arm(n, false);
    uint64_t read[2];
    for (int time = 0; time < 2; time++) {
        assert_int_equal(r.states.layers[1].states.count > 0, time == 1);
        r.read = 0;
        for (int word = 1; word < automaton->words.count; word++) {
            read_second_column(&r, read_column(&r, 0, (uint32_t)first, word, PLB_COLUMN_UNMARKED));
            read_second_column(&r, read_column(&r, 0, (uint32_t)first, word, PLB_COLUMN_MARKED));
        }
        read[time] = r.read;
    }
    assert_true(read[0] == read[1]);
    r.failed = failing_malloc_disarm() || r.failed;
    assert_true(r.states.layers[1].states.count > 64);
    plb_sweep_states_end(&r.states);
    assert_int_equal(failing_malloc_live(), live);
    return r;
}

static void states_survive_every_fault(void **state) {
    (void)state;
    plb_column_automaton automaton;
    assert_int_equal(plb_column_automaton_make(4, 6, 4, NULL, &automaton), PLB_OK);
    const reader right = read_columns(&automaton, 0);
    assert_false(right.failed);
    uint64_t n = 1;
    for (bool failed = true; failed; n = support_next_fault(n)) {
        reader r = read_columns(&automaton, n);
        assert_true(r.read == right.read);
        failed = r.failed;
    }
    assert_true(n > 10);
    plb_column_automaton_free(&automaton);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(states_survive_every_fault)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
