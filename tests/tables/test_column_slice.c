/* SPDX-License-Identifier: MIT
 *
 * Slices of words, cut until nothing is left to cut: each word is in one half, and in the end
 * alone.
 */
#include "tables/count/column_slice.h"

#include <math.h>

#include "tests/support/support.h"

/* Words of a slice, each of which must be in one of its halves; how many there are in all. */
static int cut_whole(const plb_column_words *words, const plb_column_slice *slice) {
    plb_column_slice halves[2];
    bool is_cut = plb_column_slice_cut(slice, halves);
    int count = 0;
    for (int w = 0; w < words->count; w++) {
        bool is_inside = plb_column_slice_has_word(slice, &words->items[w]);
        count += is_inside;
        for (int h = 0; h < 2 && is_cut; h++)
            if (plb_column_slice_has_word(&halves[h], &words->items[w])) {
                assert_true(is_inside);
                is_inside = false;
            }
        if (is_cut) assert_false(is_inside);
    }
    assert_true(fabs(plb_column_slice_share(slice, words) * words->count - count) < 1e-9);
    if (!is_cut) {
        assert_true(count <= 1);
        return count;
    }
    for (int h = 0; h < 2; h++) {
        assert_true(plb_column_slice_contains(slice, &halves[h]));
        assert_false(plb_column_slice_contains(&halves[h], slice));
        assert_false(plb_column_slice_contains(&halves[h], &halves[!h]));
    }
    assert_int_equal(cut_whole(words, &halves[0]) + cut_whole(words, &halves[1]), count);
    return count;
}

static void slices_are_cut_into_single_words(void **state) {
    (void)state;
    for (int k = 2; k <= 5; k++)
        for (int height = 1; height <= 9; height++) {
            plb_column_words words;
            plb_column_slice all = plb_column_slice_of(0, 0, height);
            assert_int_equal(plb_column_words_make(height, k, &words), PLB_OK);
            assert_int_equal(cut_whole(&words, &all), words.count);
            plb_column_words_free(&words);
        }
}

static void a_slice_says_which_letters_it_has(void **state) {
    (void)state;
    plb_column_words words;
    assert_int_equal(plb_column_words_make(6, 4, &words), PLB_OK);
    const plb_column_slice slice = {.least = 3, .most = 5, .given = 3, .x = 5}; /* xox.. */
    for (int w = 0; w < words.count; w++) {
        const plb_column_word *word = &words.items[w];
        bool has_all = word->stones >= 3 && word->stones <= 5;
        for (int row = 0; row < word->stones; row++)
            has_all = has_all && plb_column_slice_has(&slice, row, word->x >> row & 1);
        assert_int_equal(has_all, plb_column_slice_has_word(&slice, word));
    }
    plb_column_words_free(&words);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices_are_cut_into_single_words),
        cmocka_unit_test(a_slice_says_which_letters_it_has),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
