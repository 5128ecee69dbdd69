/* SPDX-License-Identifier: MIT
 *
 * How many positions a ply can have, against columns that are filled stone by stone.
 */
#include "tables/count/count_bound.h"

#include <math.h>

#include "tests/support/support.h"

enum { MOST_CELLS = 12 };

/* What columns are filled with so far. */
typedef struct filled {
    int width, height, k;
    int x, o;
    bool has_group;
    double *plies; /* [cells + 1] */
} filled;

/* All that stands in a column, stone by stone; a group ends it, and there is at most one. */
static void fill(filled f, int column, int row, int run, int colour) {
    int cells = f.width * f.height, difference = f.x - f.o;
    bool is_group = run == f.k;
    if (is_group && f.has_group) return;
    f.has_group |= is_group;
    if (column + 1 < f.width)
        fill(f, column + 1, 0, 0, 0);
    else if (difference == 0 || difference == 1)
        f.plies[f.x + f.o] += 1;
    assert_true(f.x + f.o <= cells);
    if (is_group || row == f.height) return;
    for (int next = 0; next < 2; next++) {
        filled more = f;
        if (next)
            more.x++;
        else
            more.o++;
        fill(more, column, row + 1, row && next == colour ? run + 1 : 1, next);
    }
}

static void no_ply_has_more_than_columns_can_be_filled_in_ways(void **state) {
    (void)state;
    for (int k = 2; k <= 4; k++)
        for (int width = 1; width <= 6; width++)
            for (int height = 1; width * height <= MOST_CELLS; height++) {
                double plies[MOST_CELLS + 1] = {0}, most = 0, bound;
                plb_column_words words;
                fill((filled){width, height, k, 0, 0, false, plies}, 0, 0, 0, 0);
                for (int ply = 0; ply <= width * height; ply++) most = fmax(most, plies[ply]);
                assert_int_equal(plb_column_words_make(height, k, &words), PLB_OK);
                assert_int_equal(plb_count_bound(&words, width, &bound), PLB_OK);
                assert_true(fabs(bound - most) < 1e-6);
                plb_column_words_free(&words);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_ply_has_more_than_columns_can_be_filled_in_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
