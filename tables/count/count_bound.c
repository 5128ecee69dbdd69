/* SPDX-License-Identifier: MIT */
#include "tables/count/count_bound.h"

#include <stdlib.h>
#include <string.h>

#include "tables/vocabulary.h"

/* In how many ways columns can have so many x and so many o, without groups or with a group in one
 * of them. No colour has more than half the cells, rounded up. */
typedef struct ways {
    int most;                     /* stones of a colour */
    double *without, *with_group; /* [most + 1][most + 1] by x and o */
} ways;

static size_t at(const ways *w, int x, int o) {
    return (size_t)x * (w->most + 1) + o;
}

static size_t table_size(const ways *w) {
    return (size_t)(w->most + 1) * (w->most + 1) * sizeof(double);
}

static bool make_ways(int most, ways *w) {
    *w = (ways){.most = most};
    w->without = calloc(1, table_size(w));
    w->with_group = calloc(1, table_size(w));
    return w->without && w->with_group;
}

static void free_ways(ways *w) {
    free(w->without);
    free(w->with_group);
}

/* One column: a word, or a word and a stone that completes a group with it. */
static void fill_column(const plb_column_words *words, ways *column) {
    for (int i = 0; i < words->count; i++) {
        const plb_column_word *w = &words->items[i];
        int x = (w->stones + w->balance) / 2, o = w->stones - x;
        column->without[at(column, x, o)] += 1;
        if (w->stones == words->height) continue;
        if (w->with[1] == PLB_NO_WORD) column->with_group[at(column, x + 1, o)] += 1;
        if (w->with[0] == PLB_NO_WORD) column->with_group[at(column, x, o + 1)] += 1;
    }
}

/* To what columns have that have so many stones comes one column of so many more. */
static void add_cell(const ways *from, size_t f, const ways *column, size_t c, ways *to, size_t t) {
    to->without[t] += from->without[f] * column->without[c];
    to->with_group[t] += from->with_group[f] * column->without[c];
    to->with_group[t] += from->without[f] * column->with_group[c];
}

static void add_column(const ways *from, const ways *column, int height, ways *to) {
    int most = to->most;
    for (int x = 0; x <= most; x++)
        for (int o = 0; o <= most; o++)
            for (int a = 0; a <= height && x + a <= most; a++)
                for (int b = 0; a + b <= height && o + b <= most; b++)
                    add_cell(from, at(from, x, o), column, at(column, a, b), to,
                             at(to, x + a, o + b));
}

/* The most of any ply, where one colour has as many stones as the other or one more. */
static double greatest(const ways *w) {
    double most = 0;
    for (int o = 0; o <= w->most; o++)
        for (int x = o; x <= o + 1 && x <= w->most; x++) {
            double ply = w->without[at(w, x, o)] + w->with_group[at(w, x, o)];
            if (ply > most) most = ply;
        }
    return most;
}

/* From nothing, one column after another; the ways are in the first of two. */
static double read_columns(int width, int height, const ways *column, ways two[2]) {
    two[0].without[0] = 1;
    for (int i = 0; i < width; i++) {
        ways from = two[0], to = two[1];
        memset(to.without, 0, table_size(&to));
        memset(to.with_group, 0, table_size(&to));
        add_column(&from, column, height, &to);
        two[0] = to;
        two[1] = from;
    }
    return greatest(&two[0]);
}

int plb_count_bound(const plb_column_words *words, int width, double *bound) {
    int height = words->height, half = (width * height + 1) / 2;
    int most = half > height ? half : height; /* a column alone */
    ways column, two[2];
    bool are_made = make_ways(most, &column);
    for (int i = 0; i < 2; i++) are_made = make_ways(most, &two[i]) && are_made;
    if (are_made) {
        fill_column(words, &column);
        *bound = read_columns(width, height, &column, two);
    }
    free_ways(&column);
    for (int i = 0; i < 2; i++) free_ways(&two[i]);
    return are_made ? PLB_OK : PLB_ENOMEM;
}
