/* SPDX-License-Identifier: MIT
 *
 * For two columns v and w, the set S(v, w) of all third columns with which they have an order. The
 * last stone lies on top of one of the three columns, and is an x exactly if the number of stones
 * is odd. Without it the columns have an order, so that, for third columns of a height that make
 * this number of stones,
 *
 *     S(v, w) = S(v without its top, w)      if that top has the colour of the last stone
 *             + S(v, w without its top)      the same
 *             + the columns of S(v, w) that are one stone lower, with a stone of this colour on top
 *
 * and no more if v, w and the third column are empty. Sets have a bit for every sequence of stones,
 * by heights:
 *
 *     height h    h < 6: bits [0, 2^h) of word h      else: words [2^(h - 6), 2^(h - 5)) + 5
 *
 * where the stone of row r is bit r of a sequence's place, 1 for x, so that the sequences with an o
 * on top are the first half of a height and those with an x the second, in the order of those that
 * are one stone lower. Columns with a group are in no set.
 *
 * Words v come in the order of a search in depth, so that of the first stones of v are at hand the
 * sets with all w. A position is complete if v, as good as any column, can be.
 */
#include "tables/count/narrow_columns.h"

#include <stdlib.h>
#include <string.h>

#include "tables/bits.h"
#include "tables/stop.h"
#include "tables/vocabulary.h"

enum { MOST_ROWS = 16, WORD_ROWS = 6 };

typedef struct narrow {
    const plb_count_board *board;
    const plb_column_words *words;
    const volatile sig_atomic_t *stop;
    size_t size;            /* words of a set */
    uint64_t *nobody, *all; /* [size] no sequence; all without a group */
    uint64_t *sets;         /* [stones of v][w][size] for the sequences that v begins with */
    plb_ply_count *plies;
} narrow;

bool plb_narrow_can_count(int width, int height) {
    return (width == 2 || width == 3) && height <= MOST_ROWS;
}

/* ---- sets ---- */

/* Where a height begins in a set. */
static size_t begin_of(int height) {
    return height < WORD_ROWS ? (size_t)height : ((size_t)1 << (height - WORD_ROWS)) + 5;
}

static uint64_t *set_of(const narrow *n, int v, int w) {
    return n->sets + ((size_t)n->words->items[v].stones * n->words->count + w) * n->size;
}

/* Sequences of a height: those of either set, and those a stone lower of the set itself with one
 * more stone on top. */
static void join_height(const narrow *n, int height, const uint64_t *a, const uint64_t *b, bool x,
                        uint64_t *set) {
    const uint64_t *all = n->all + begin_of(height), *lower = set + begin_of(height - 1);
    uint64_t *to = set + begin_of(height);
    if (height <= WORD_ROWS) {
        uint64_t put = x ? *lower << (1U << (height - 1)) : *lower;
        *to = *a | *b | (put & *all);
        return;
    }
    size_t half = (size_t)1 << (height - WORD_ROWS - 1), put = x ? half : 0, other = half - put;
    for (size_t i = 0; i < half; i++) {
        to[put + i] = a[put + i] | b[put + i] | (lower[i] & all[put + i]);
        to[other + i] = a[other + i] | b[other + i];
    }
}

/* The set without the top stone of one of both columns, if that stone can be the last. */
static const uint64_t *without_top(const narrow *n, int word, const uint64_t *set, bool x) {
    const plb_column_word *w = &n->words->items[word];
    return word && plb_column_word_x_on_top(w) == x ? set : n->nobody;
}

static void make_set(const narrow *n, int v, int w) {
    const plb_column_word *words = n->words->items;
    const uint64_t *below_v = set_of(n, words[v].below, w), *below_w = set_of(n, v, words[w].below);
    uint64_t *set = set_of(n, v, w);
    for (int height = 0; height <= n->words->height; height++) {
        bool x = (words[v].stones + words[w].stones + height) % 2;
        size_t at = begin_of(height);
        const uint64_t *a = without_top(n, v, below_v, x) + at;
        const uint64_t *b = without_top(n, w, below_w, x) + at;
        if (height == 0)
            set[at] = v || w ? *a | *b : 1;
        else
            join_height(n, height, a, b, x, set);
    }
}

/* ---- counting ---- */

/* Does a stone on top of a column complete a group in it? */
static bool completes(const narrow *n, int word, bool x) {
    const plb_column_word *w = &n->words->items[word];
    return w->stones < n->words->height && w->with[x] == PLB_NO_WORD;
}

/* What has columns v and w, in both orders, where both are chosen. */
static void count_set(const narrow *n, int v, int w) {
    const plb_column_word *words = n->words->items;
    const uint64_t *set = set_of(n, v, w);
    bool mirrored = n->board->width == 3 && v != w;
    for (int height = 0; height <= n->words->height; height++) {
        uint64_t sets = 0;
        int ply = words[v].stones + words[w].stones + height;
        for (size_t i = begin_of(height); i < begin_of(height + 1); i++)
            sets += plb_popcount(set[i]);
        n->plies[ply].total += mirrored ? 2 * sets : sets;
        int ways = completes(n, w, ply % 2 == 0) + (mirrored && completes(n, v, ply % 2 == 0));
        if (ways == 0) continue;
        n->plies[ply + 1].total += sets * ways * n->board->width;
        n->plies[ply + 1].terminal += sets * ways * n->board->width;
    }
}

/* All columns v that begin with a word; one column of two is v. */
static int count_from(const narrow *n, int v) {
    const plb_column_word *word = &n->words->items[v];
    int error = plb_is_stopped(n->stop) ? PLB_EINTERRUPTED : PLB_OK;
    for (int w = 0; w < n->words->count; w++) {
        make_set(n, v, w);
        if (n->board->width == 2 || w <= v) count_set(n, v, w);
    }
    if (n->board->width == 2) return error;
    for (int x = 0; x < 2 && !error; x++)
        if (word->stones < n->words->height && word->with[x] != PLB_NO_WORD)
            error = count_from(n, word->with[x]);
    return error;
}

int plb_narrow_count(const plb_count_board *board, const plb_column_words *words,
                     const volatile sig_atomic_t *stop, plb_ply_count *plies) {
    size_t size = begin_of(words->height + 1), depth = board->width == 2 ? 1 : words->height + 1;
    narrow n = {board, words, stop, size, .plies = plies};
    n.nobody = calloc(2 * size, sizeof *n.nobody);
    n.sets = calloc(depth * words->count * size, sizeof *n.sets);
    int error = n.nobody && n.sets ? PLB_OK : PLB_ENOMEM;
    if (!error) {
        n.all = n.nobody + size;
        for (int w = 0; w < words->count; w++) {
            const plb_column_word *word = &words->items[w];
            n.all[begin_of(word->stones) + word->x / 64] |= 1ULL << word->x % 64;
        }
        error = count_from(&n, 0);
    }
    free(n.nobody);
    free(n.sets);
    return error;
}

double plb_narrow_count_seconds(int width, int height, double words) {
    double sets = width == 2 ? words : words * words;
    return 2e-9 * sets * (double)begin_of(height + 1);
}
