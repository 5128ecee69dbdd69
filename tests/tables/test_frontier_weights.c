/* SPDX-License-Identifier: MIT
 *
 * Weights are compared with plain arrays of numbers. Random owners have numbers of all sizes, which
 * often cancel out; they are gathered at random places.
 */
#include "tables/count/frontier_weights.h"

#include <string.h>

#include "tables/vocabulary.h"
#include "tests/support/support.h"

enum { STATES = 150, NUMBERS = 40, OWNERS = 60, PLACES = 12, SOURCES = 2 };

__extension__ typedef unsigned __int128 number;

/* The numbers of one owner. */
typedef struct array {
    number of[STATES][NUMBERS];
} array;

typedef struct fixture {
    plb_weight_sums sums;
    plb_weights weights[SOURCES];
    int64_t to[SOURCES][OWNERS];
    array owners[SOURCES][OWNERS], places[PLACES];
    uint64_t seed;
    int bits; /* maximal size of a number, with its sign */
} fixture;

static int random_below(fixture *f, int below) {
    return (int)support_random_below(&f->seed, below);
}

/* A random number of either sign: half of them have at most 8 bits. */
static number random_number(fixture *f) {
    int bits = random_below(f, 2) ? random_below(f, 9) : random_below(f, f->bits);
    number n = ((number)support_random(&f->seed) << 64 | support_random(&f->seed)) &
               (((number)1 << bits) - 1);
    return random_below(f, 2) ? -n : n;
}

/* The smallest size of a number, in bytes, among 1, 2, 4, 8 and 16. */
static int bytes_for(number n) {
    for (int bytes = 1; bytes < 16; bytes *= 2) {
        number half = (number)1 << (8 * bytes - 1);
        if (n + half < 2 * half) return bytes;
    }
    return 16;
}

/* Add a random run, times a small factor, to the owner that is being summed. */
static void add_run(fixture *f, array *owner) {
    uint8_t values[NUMBERS * 16 + PLB_WEIGHT_BYTES];
    number numbers[NUMBERS];
    int first = random_below(f, NUMBERS), most = NUMBERS - first, times = random_below(f, 5) - 2;
    plb_weight_run run = {.state = 1 + random_below(f, STATES - 1), .first = first, .bytes = 1};
    run.count = 1 + random_below(f, random_below(f, 3) || most < 8 ? most : 8);
    memset(values, 0xAA, sizeof values); /* bytes outside the run must not count */
    for (unsigned i = 0; i < run.count; i++) {
        numbers[i] = random_number(f);
        if ((int)run.bytes < bytes_for(numbers[i])) run.bytes = bytes_for(numbers[i]);
        owner->of[run.state][first + i] += numbers[i] * (number)times;
    }
    for (unsigned i = 0; i < run.count; i++)
        memcpy(values + (size_t)i * run.bytes, &numbers[i], run.bytes);
    assert_int_equal(plb_weight_sums_add(&f->sums, &run, values, times), PLB_OK);
}

/* Add the runs of the last owner, most of them with the other sign. */
static void add_like_last(fixture *f, int source, array *owner) {
    plb_weights *weights = &f->weights[source];
    uint32_t last = weights->owners - 1;
    const uint8_t *values = plb_weights_values(weights, last);
    for (size_t r = plb_weights_runs_begin(weights, last); r < weights->runs_end[last]; r++) {
        const plb_weight_run *run = &weights->runs[r];
        int times = random_below(f, 4) ? -1 : 1;
        assert_int_equal(plb_weight_sums_add(&f->sums, run, values, times), PLB_OK);
        for (int i = 0; i < NUMBERS; i++)
            owner->of[run->state][i] += f->owners[source][last].of[run->state][i] * (number)times;
        values += plb_weight_run_size(run);
    }
}

static void make_owners(fixture *f, int source) {
    for (int o = 0; o < OWNERS; o++) {
        array *owner = &f->owners[source][o];
        if (o && random_below(f, 3) == 0)
            add_like_last(f, source, owner);
        else
            for (int runs = random_below(f, 60); runs > 0; runs--) add_run(f, owner);
        assert_int_equal(plb_weight_sums_take(&f->sums, &f->weights[source]), PLB_OK);
        int64_t place = random_below(f, PLACES + 1);
        /* some places get few, others many, one none */
        if (place == PLACES - 1) place = 0;
        f->to[source][o] = place == PLACES ? PLB_NOWHERE : place * place / PLACES;
        for (int i = 0; i < STATES * NUMBERS && f->to[source][o] != PLB_NOWHERE; i++)
            f->places[f->to[source][o]].of[i / NUMBERS][i % NUMBERS] +=
                owner->of[i / NUMBERS][i % NUMBERS];
    }
}

/* The number reduced to the bits that the sums have, with its sign. */
static number kept(const fixture *f, number n) {
    return f->sums.limbs == 2 ? n : (number)(plb_weight)(int64_t)(uint64_t)n;
}

/* Check the numbers of a state; run NULL: all are 0. A run must not begin or end with 0. */
static void assert_numbers(const fixture *f, const plb_weight_run *run, const uint8_t *values,
                           const number *expected) {
    int first = run ? run->first : NUMBERS, end = run ? first + run->count : 0;
    assert_true(end <= NUMBERS && (!run || first < end));
    for (int i = 0; i < NUMBERS; i++) {
        number found = 0, n = kept(f, expected[i]);
        if (i >= first && i < end)
            found = (number)plb_weight_at(values + (i - first) * run->bytes, run->bytes);
        assert_true(found == n);
        assert_true(n || (i != first && i != end - 1));
    }
}

/* Check the owners of weights, and that their states ascend. */
static void assert_owners(const fixture *f, const plb_weights *weights, const array *owners,
                          int count) {
    assert_int_equal(weights->owners, count);
    for (int o = 0; o < count; o++) {
        const uint8_t *values = plb_weights_values(weights, o);
        const plb_weight_run *run = weights->runs + plb_weights_runs_begin(weights, o);
        const plb_weight_run *end = weights->runs + weights->runs_end[o];
        for (uint32_t state = 0; state < STATES; state++) {
            bool has = run < end && run->state == state;
            assert_numbers(f, has ? run : NULL, values, owners[o].of[state]);
            if (has) values += plb_weight_run_size(run++);
        }
        assert_true(run == end);
    }
}

static void gather(int limbs, int bits, uint64_t seed) {
    static fixture f;
    plb_weights made = {.limbs = limbs};
    plb_weight_source sources[SOURCES];
    memset(&f, 0, sizeof f);
    f.sums = (plb_weight_sums){.limbs = limbs, .max_stride = NUMBERS, .stride = NUMBERS};
    f.seed = seed, f.bits = bits;
    for (int s = 0; s < SOURCES; s++) {
        f.weights[s].limbs = limbs;
        make_owners(&f, s);
        assert_owners(&f, &f.weights[s], f.owners[s], OWNERS);
        sources[s] = (plb_weight_source){&f.weights[s], f.to[s]};
    }
    assert_int_equal(plb_weights_gather(sources, SOURCES, PLACES, &f.sums, &made), PLB_OK);
    assert_owners(&f, &made, f.places, PLACES);
    for (int s = 0; s < SOURCES; s++) plb_weights_free(&f.weights[s]);
    plb_weights_free(&made);
    plb_weight_sums_free(&f.sums);
}

static void owners_are_gathered(void **state) {
    static const struct {
        int limbs, bits;
    } kinds[] = {{1, 7}, {1, 12}, {1, 40}, {1, 63}, {2, 7}, {2, 70}, {2, 127}};
    uint64_t seed = support_seed("frontier_ways", 16);
    (void)state;
    for (int round = 0; round < 6; round++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            gather(kinds[k].limbs, kinds[k].bits, support_random(&seed));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(owners_are_gathered)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
