/* SPDX-License-Identifier: MIT
 *
 * Places of words in sets; what blocks lack; sets.
 */
#include "tables/count/fourth_column_sets.h"

#include <stdlib.h>

#include "tables/bits.h"
#include "tables/vocabulary.h"

enum { LANE_BITS = 64, BLOCK_BITS = LANE_BITS * PLB_FOURTH_LANES, LAST_LAYER = 3 };

/* Where words are: among those of their balance. */
typedef struct places {
    const plb_column_words *words;
    size_t *of;  /* [words] bit */
    int *blocks; /* [balances + 1] from the first b on */
} places;

static void set_bit(uint64_t *set, size_t bit) {
    set[bit / LANE_BITS] |= 1ULL << (bit % LANE_BITS);
}

/* ---- places ---- */

/* Place the words of a balance: the lower columns first, each height beginning 64 bits.
 * Returns how many blocks these are. */
static int place_balance(places *p, int balance) {
    size_t at = 0;
    int stones = 0;
    for (int w = 0; w < p->words->count; w++) {
        const plb_column_word *word = &p->words->items[w];
        if (word->balance != balance) continue;
        if (word->stones != stones) at = plb_divide_up(at, LANE_BITS) * LANE_BITS;
        stones = word->stones;
        p->of[w] = at++;
    }
    return (int)plb_divide_up(at, BLOCK_BITS);
}

/* Columns have balances from -height to height at most. The first b is one below that, for those
 * that are odd, and one more below, for sets without a top. */
static int find_places(places *p, plb_fourth_columns *f) {
    f->height = p->words->height;
    f->least = -f->height - 2;
    f->balances = 2 * f->height + 3;
    p->of = calloc(p->words->count, sizeof *p->of);
    p->blocks = calloc(f->balances + 1, sizeof *p->blocks);
    if (!p->of || !p->blocks) return PLB_ENOMEM;
    for (int b = 0; b <= f->balances; b++) p->blocks[b] = place_balance(p, f->least + b);
    for (int b = 0; b < f->balances; b++)
        if (p->blocks[b] + p->blocks[b + 1] > f->blocks)
            f->blocks = p->blocks[b] + p->blocks[b + 1];
    return PLB_OK;
}

/* The bit of a word in sets of a balance, of which it makes the columns odd or even. */
static size_t bit_of(const places *p, int balance, bool odd, int word) {
    return (odd ? (size_t)p->blocks[balance] * BLOCK_BITS : 0) + p->of[word];
}

/* ---- blocks ---- */

static void put_word(const places *p, plb_fourth_columns *f, int balance, bool odd, int word) {
    const plb_column_word *w = &p->words->items[word];
    size_t bit = bit_of(p, balance, odd, word), at = plb_fourth_at(f, balance, 0);
    f->stones[at + bit / LANE_BITS] = w->stones;
    for (int x = 0; x < 2; x++)
        plb_lacks_put(plb_fourth_lacks(f, balance, (int)(bit / BLOCK_BITS)) +
                          (size_t)x * PLB_LACKS * PLB_FOURTH_LANES,
                      plb_column_word_stones(w, x), bit % BLOCK_BITS);
}

/* How far blocks go with columns up to each height. */
static void find_ends(const places *p, plb_fourth_columns *f, int balance, int odd) {
    int begin = odd ? p->blocks[balance] : 0, end = begin + p->blocks[balance + odd];
    for (int height = 0; height <= f->height; height++) {
        int block = begin;
        while (block < end && f->stones[plb_fourth_at(f, balance, block)] <= (uint64_t)height)
            block++;
        f->until[(balance * 2 + odd) * (f->height + 1) + height] = (uint8_t)block;
    }
}

static int make_blocks(const places *p, plb_fourth_columns *f) {
    size_t sets = plb_fourth_at(f, f->balances, 0);
    f->until = calloc(f->balances * 2 * (f->height + 1), sizeof *f->until);
    f->lacks = calloc(sets * 2 * PLB_LACKS, sizeof *f->lacks);
    f->stones = calloc(sets, sizeof *f->stones);
    if (!f->until || !f->lacks || !f->stones) return PLB_ENOMEM;
    for (int w = 0; w < p->words->count; w++) {
        int b = p->words->items[w].balance - f->least;
        put_word(p, f, b, false, w);
        put_word(p, f, b - 1, true, w);
    }
    for (int b = 0; b < f->balances; b++)
        for (int odd = 0; odd < 2; odd++) find_ends(p, f, b, odd);
    return PLB_OK;
}

/* ---- sets ---- */

/* A class tells by any word which balance its columns have. */
static int find_balance(const places *p, const plb_fourth_columns *f, const uint8_t *row) {
    for (int w = 0; w < p->words->count; w++)
        if (row[w] != PLB_DEAD_CLASS)
            return p->words->items[w].balance - (row[w] == PLB_ODD_CLASS) - f->least;
    return 0;
}

static void put_class(const places *p, plb_fourth_columns *f, uint32_t class, const uint8_t *row) {
    int b = find_balance(p, f, row);
    uint64_t *set = f->sets + plb_fourth_at(f, 2 * (size_t) class, 0);
    uint64_t *growing = set + plb_fourth_at(f, 1, 0);
    for (int w = 0; w < p->words->count; w++) {
        const plb_column_word *word = &p->words->items[w];
        uint32_t before =
            word->stones && plb_column_word_x_on_top(word) ? PLB_EVEN_CLASS : PLB_ODD_CLASS;
        bool grows = w > 0 && row[word->below] == before;
        if (row[w] == PLB_DEAD_CLASS && !grows) continue;
        size_t bit = bit_of(p, b, word->balance - f->least != b, w);
        if (row[w] != PLB_DEAD_CLASS) set_bit(set, bit);
        if (grows) set_bit(growing, bit);
    }
}

static int make_sets(const places *p, plb_fourth_columns *f, const plb_tuple_set *rows) {
    f->sets = calloc(plb_fourth_at(f, 2 * (size_t)rows->count, 0), sizeof *f->sets);
    if (!f->sets) return PLB_ENOMEM;
    for (uint32_t class = PLB_DEAD_CLASS + 1; class < rows->count; class ++)
        put_class(p, f, class, plb_tuple_set_at(rows, class));
    return PLB_OK;
}

/* ---- make and free ---- */

int plb_fourth_columns_make(const plb_column_classes *classes, plb_fourth_columns *fourth) {
    places p = {.words = classes->words};
    *fourth = (plb_fourth_columns){.height = 0};
    int error = find_places(&p, fourth);
    if (!error) error = make_blocks(&p, fourth);
    if (!error) error = make_sets(&p, fourth, &classes->layers[LAST_LAYER]);
    free(p.of);
    free(p.blocks);
    return error;
}

void plb_fourth_columns_free(plb_fourth_columns *fourth) {
    free(fourth->until);
    free(fourth->lacks);
    free(fourth->stones);
    free(fourth->sets);
    *fourth = (plb_fourth_columns){.height = 0};
}
