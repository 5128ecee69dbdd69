/* SPDX-License-Identifier: MIT
 *
 * The column automaton is compared with play on every board of small sizes, and with the search for
 * alternating orders on random boards. Also tests its number of states and its proof.
 */
#include "tables/reach/column_automaton.h"

#include <stdlib.h>
#include <string.h>

#include "tables/bits.h"
#include "tables/reach/alternating_order.h"
#include "tables/reach/automaton_proof.h"
#include "tables/reach/column_classes.h"
#include "tables/vocabulary.h"
#include "tests/support/support.h"

static plb_column_automaton make_automaton(int width, int height, int k) {
    plb_column_automaton a;
    assert_int_equal(plb_column_automaton_make(width, height, k, NULL, &a), PLB_OK);
    return a;
}

/* ---- words ---- */

static void words_are_all_columns_without_a_group(void **state) {
    (void)state;
    plb_column_words words;
    assert_int_equal(plb_column_words_make(6, 4, &words), PLB_OK);
    assert_int_equal(words.count, 1 + 2 + 4 + 8 + 14 + 26 + 48);
    for (int w = 1; w < words.count; w++) {
        const plb_column_word *word = &words.items[w];
        const uint32_t exchanged = word->x ^ ((1U << word->stones) - 1);
        assert_int_equal(plb_column_words_find(&words, word->x, word->stones), w);
        assert_int_equal(plb_column_words_find(&words, exchanged, word->stones), word->exchanged);
        assert_int_equal(word->balance, 2 * plb_popcount(word->x) - word->stones);
        assert_int_equal(words.items[word->below].with[plb_column_word_x_on_top(word)], w);
    }
    assert_int_equal(plb_column_words_find(&words, 0x1E, 6), PLB_NO_WORD);
    plb_column_words_free(&words);
    assert_int_equal(plb_column_words_make(40, 4, &words), PLB_ETOOBIG);
}

/* ---- compared with play ---- */

/* Boards that play reaches. The number of a board has the words of its columns as digits. */
typedef struct played {
    const plb_column_automaton *a;
    uint8_t *reached; /* by the number of a board: 1 if it is reached */
    uint64_t boards;  /* that are reached */
} played;

static uint64_t number_columns(const plb_column_automaton *a, const uint16_t *columns) {
    uint64_t number = 0;
    for (int i = 0; i < a->width; i++) number = number * a->words.count + columns[i];
    return number;
}

static void play_on(played *p, uint16_t *columns, int letter) {
    uint64_t number = number_columns(p->a, columns);
    if (p->reached[number]) return;
    p->reached[number] = 1;
    p->boards++;
    for (int i = 0; i < p->a->width; i++) {
        uint16_t before = columns[i], after = p->a->words.items[before].with[letter];
        if (after == PLB_NO_WORD) continue;
        columns[i] = after;
        play_on(p, columns, !letter);
        columns[i] = before;
    }
}

static bool accepts(const plb_column_automaton *a, const uint16_t *columns) {
    int state = a->first;
    for (int i = 0; i < a->width; i++) state = plb_column_next(a, i, state, columns[i]);
    return state == a->accepting;
}

/* Check all boards with these first `from` columns. Returns the number of accepted ones. */
static uint64_t compare_boards(const played *p, uint16_t *columns, int from) {
    if (from == p->a->width) {
        bool accepted = accepts(p->a, columns);
        uint64_t number = number_columns(p->a, columns);
        if (accepted != p->reached[number])
            fail_msg("%dx%d, board %llu: %s by play", p->a->width, p->a->words.height,
                     (unsigned long long)number, accepted ? "not reached" : "reached");
        return accepted;
    }
    uint64_t count = 0;
    for (int w = 0; w < p->a->words.count; w++) {
        columns[from] = (uint16_t)w;
        count += compare_boards(p, columns, from + 1);
    }
    return count;
}

/* If k exceeds the height, all fillings of columns are words. Otherwise play skips moves that give
 * a column a group: no accepted board needs them. */
static void exactly_the_boards_of_play_are_accepted(void **state) {
    (void)state;
    static const int sizes[][3] = {{1, 1, 2}, {1, 9, 10}, {2, 7, 8}, {3, 5, 6},  {4, 3, 4},
                                   {4, 4, 5}, {5, 3, 4},  {7, 2, 3}, {12, 1, 2}, {3, 6, 4},
                                   {4, 4, 3}, {6, 3, 2},  {3, 3, 1}, {1, 20, 2}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        plb_column_automaton a = make_automaton(sizes[i][0], sizes[i][1], sizes[i][2]);
        played p = {.a = &a};
        uint16_t columns[PLB_MAX_COLUMNS] = {0};
        uint64_t boards = 1;
        for (int c = 0; c < a.width; c++) boards *= a.words.count;
        p.reached = calloc(boards, 1);
        assert_non_null(p.reached);
        play_on(&p, columns, 1);
        assert_int_equal(compare_boards(&p, columns, 0), p.boards);
        free(p.reached);
        plb_column_automaton_free(&a);
    }
}

/* ---- compared with the search for one board ---- */

/* A random board with as many x as o or one more, and without a group in a column. */
static void random_columns(uint64_t *random, const plb_column_automaton *a, uint16_t *columns) {
    int balance;
    do {
        balance = 0;
        for (int i = 0; i < a->width; i++) {
            columns[i] = (uint16_t)support_random_below(random, a->words.count);
            balance += a->words.items[columns[i]].balance;
        }
    } while (balance != 0 && balance != 1);
}

static bool search_answer(const plb_column_automaton *a, const uint16_t *columns) {
    uint64_t x = 0, occupied = 0;
    int height = a->words.height;
    for (int i = 0; i < a->width; i++) {
        const plb_column_word *word = &a->words.items[columns[i]];
        x |= (uint64_t)word->x << (i * height);
        occupied |= plb_low_bits(word->stones) << (i * height);
    }
    plb_alternating_order answer =
        plb_alternating_order_find(x, occupied, a->width, height, PLB_ORDER_STEPS, NULL);
    assert_int_not_equal(answer, PLB_ORDER_UNDECIDED);
    return answer == PLB_ORDER_EXISTS;
}

static void random_boards_are_answered_as_by_search(void **state) {
    (void)state;
    static const int sizes[][3] = {{7, 6, 4}, {8, 5, 4}, {3, 7, 4}, {9, 4, 3}, {12, 3, 4}};
    uint64_t random = support_seed("boards of random columns", 20240901);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        plb_column_automaton a = make_automaton(sizes[i][0], sizes[i][1], sizes[i][2]);
        int refused = 0;
        for (int trial = 0; trial < 20000; trial++) {
            uint16_t columns[PLB_MAX_COLUMNS];
            random_columns(&random, &a, columns);
            bool accepted = accepts(&a, columns);
            assert_int_equal(accepted, search_answer(&a, columns));
            refused += !accepted;
        }
        assert_true(refused > 0);
        plb_column_automaton_free(&a);
    }
}

/* ---- states and proof ---- */

static void there_is_one_state_for_each_class(void **state) {
    (void)state;
    plb_column_automaton a = make_automaton(4, 6, 4);
    static const int live[] = {1, 70, 365, 244, 1};
    for (int layer = 0; layer <= 4; layer++)
        assert_int_equal(a.layers[layer].states - 1, live[layer]);
    plb_column_automaton_free(&a);
}

/* Any two states of a layer have different transitions. */
static void states_differ(const plb_column_automaton *a, int layer) {
    size_t words = a->words.count;
    const uint16_t *next = a->layers[layer].next;
    for (int s = 0; s < a->layers[layer].states; s++)
        for (int t = 0; t < s; t++)
            assert_int_not_equal(memcmp(next + s * words, next + t * words, words * sizeof *next),
                                 0);
}

/* The states of a layer are numbered in the order in which transitions first reach them. */
static void states_are_numbered_as_met(const plb_column_automaton *a, int layer) {
    int met = 0;
    for (int s = 0; s < a->layers[layer].states; s++)
        for (int word = 0; word < a->words.count; word++) {
            int next = plb_column_next(a, layer, s, word);
            assert_true(next <= met + 1);
            if (next > met) met = next;
        }
    assert_int_equal(met + 1, a->layers[layer + 1].states);
}

static void every_board_is_proved_with_fewest_states(void **state) {
    (void)state;
    static const int sizes[][3] = {{1, 1, 1}, {2, 9, 4}, {3, 8, 4},  {4, 7, 4},  {5, 5, 4},
                                   {6, 5, 4}, {6, 6, 6}, {7, 6, 4},  {9, 5, 4},  {10, 6, 3},
                                   {5, 7, 5}, {7, 4, 2}, {13, 4, 4}, {24, 3, 4}, {64, 1, 4}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        plb_column_automaton a = make_automaton(sizes[i][0], sizes[i][1], sizes[i][2]);
        assert_int_equal(plb_automaton_proof_check(&a, NULL), PLB_OK);
        for (int layer = 0; layer < a.width; layer++) {
            states_differ(&a, layer);
            states_are_numbered_as_met(&a, layer);
        }
        plb_column_automaton_free(&a);
    }
}

/* The proof detects a wrong transition of any state but the dead one. */
static void a_wrong_arrow_is_refuted(void **state) {
    (void)state;
    plb_column_automaton a = make_automaton(4, 4, 4);
    uint64_t random = support_seed("arrows", 7);
    assert_int_equal(plb_automaton_proof_check(&a, NULL), PLB_OK);
    for (int trial = 0; trial < 200; trial++) {
        int layer = (int)support_random_below(&random, a.width);
        int from = 1 + (int)support_random_below(&random, a.layers[layer].states - 1);
        int word = (int)support_random_below(&random, a.words.count);
        uint16_t *arrow = &a.layers[layer].next[from * a.words.count + word], right = *arrow;
        *arrow = (uint16_t)support_random_below(&random, a.layers[layer + 1].states);
        if (*arrow != right) assert_int_equal(plb_automaton_proof_check(&a, NULL), PLB_ECORRUPT);
        *arrow = right;
    }
    plb_column_automaton_free(&a);
}

/* In the last layer as many as a record can claim: refused before the inclusions are found, which
 * would take long. */
static void states_that_are_never_reached_are_refuted(void **state) {
    (void)state;
    plb_column_automaton a = make_automaton(4, 4, 4);
    for (int layer = 0; layer <= a.width; layer++) {
        int states = a.layers[layer].states, more = layer == a.width ? PLB_MAX_STATES : states + 1;
        uint16_t *next = a.layers[layer].next;
        if (next) a.layers[layer].next = calloc((size_t)more * a.words.count, sizeof *next);
        if (next) memcpy(a.layers[layer].next, next, sizeof *next * states * a.words.count);
        a.layers[layer].states = more;
        assert_int_equal(plb_automaton_proof_check(&a, NULL), PLB_ECORRUPT);
        if (next) free(a.layers[layer].next);
        a.layers[layer].next = next;
        a.layers[layer].states = states;
    }
    assert_int_equal(plb_automaton_proof_check(&a, NULL), PLB_OK);
    plb_column_automaton_free(&a);
}

static void more_classes_than_allowed_are_refused(void **state) {
    (void)state;
    plb_column_words words;
    plb_column_classes classes;
    assert_int_equal(plb_column_words_make(6, 4, &words), PLB_OK);
    assert_int_equal(plb_column_classes_make(4, &words, 366, NULL, &classes), PLB_OK);
    assert_int_equal(classes.layers[2].count, 366);
    plb_column_classes_free(&classes);
    assert_int_equal(plb_column_classes_make(4, &words, 365, NULL, &classes), PLB_ETOOBIG);
    plb_column_words_free(&words);
}

static void a_request_to_stop_is_heeded(void **state) {
    (void)state;
    volatile sig_atomic_t stop = 1;
    plb_column_automaton a;
    assert_int_equal(plb_column_automaton_make(7, 6, 4, &stop, &a), PLB_EINTERRUPTED);
    a = make_automaton(4, 4, 4);
    assert_int_equal(plb_automaton_proof_check(&a, &stop), PLB_EINTERRUPTED);
    plb_column_automaton_free(&a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_all_columns_without_a_group),
        cmocka_unit_test(exactly_the_boards_of_play_are_accepted),
        cmocka_unit_test(random_boards_are_answered_as_by_search),
        cmocka_unit_test(there_is_one_state_for_each_class),
        cmocka_unit_test(every_board_is_proved_with_fewest_states),
        cmocka_unit_test(a_wrong_arrow_is_refuted),
        cmocka_unit_test(states_that_are_never_reached_are_refuted),
        cmocka_unit_test(more_classes_than_allowed_are_refused),
        cmocka_unit_test(a_request_to_stop_is_heeded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
