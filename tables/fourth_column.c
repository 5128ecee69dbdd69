/* SPDX-License-Identifier: MIT
 *
 * Places of words in sets; masks; sets.
 */
#include "tables/fourth_column.h"

#include <stdlib.h>

#include "tables/bits.h"
#include "tables/vocabulary.h"

enum { SET_BITS = 64, LAST_LAYER = 3 };

/* Where words are: among those of their balance. */
typedef struct places {
    const plb_column_words *words;
    size_t *of; /* [words] bit */
} places;

static void set_bit(uint64_t *set, size_t bit) {
    set[bit / SET_BITS] |= 1ULL << (bit % SET_BITS);
}

/* ---- places ---- */

/* Place the words of a balance: the lower columns first, each height beginning a word of 64 bits.
 * size: how many of these there are. */
static void place_balance(places *p, int balance, size_t *size) {
    size_t at = 0;
    int stones = 0;
    for (int w = 0; w < p->words->count; w++) {
        const plb_column_word *word = &p->words->items[w];
        if (word->balance != balance) continue;
        if (word->stones != stones) at = plb_divide_up(at, SET_BITS) * SET_BITS;
        stones = word->stones;
        p->of[w] = at++;
    }
    *size = plb_divide_up(at, SET_BITS * PLB_FOURTH_LANES) * PLB_FOURTH_LANES;
}

/* Columns have balances from -height to height at most; one below that is the first b. */
static int find_places(places *p, plb_fourth_columns *f) {
    f->height = p->words->height;
    f->least = -f->height - 1;
    f->balances = 2 * f->height + 2;
    f->odd = calloc(f->balances + 1, sizeof *f->odd);
    p->of = calloc(p->words->count, sizeof *p->of);
    if (!f->odd || !p->of) return PLB_ENOMEM;
    for (int b = 0; b <= f->balances; b++) place_balance(p, f->least + b, &f->odd[b]);
    for (int b = 0; b < f->balances; b++)
        if (f->odd[b] + f->odd[b + 1] > f->room) f->room = f->odd[b] + f->odd[b + 1];
    return PLB_OK;
}

/* ---- masks ---- */

static void put_mask(plb_fourth_columns *f, int balance, plb_fourth_mask mask, int x, int row,
                     size_t bit) {
    set_bit(plb_fourth_masks(f, balance, mask) + (size_t)(x * f->height + row) * f->room, bit);
}

/* Put a word into the masks of a balance, of which it makes the columns odd or even. */
static void put_word(plb_fourth_columns *f, int balance, bool odd, const plb_column_word *w,
                     size_t bit) {
    int mover = !odd, last = odd;
    f->stones[balance * f->room + bit / SET_BITS] = w->stones;
    for (int row = 0; row < f->height; row++)
        for (int x = 0; x < 2; x++) {
            bool has = row < w->stones && (w->x >> row & 1) == (unsigned)x;
            if (!has) put_mask(f, balance, PLB_FOURTH_WITHOUT, x, row, bit);
            if (has && x == mover) put_mask(f, balance, PLB_FOURTH_MEETS, x, row, bit);
            if (has && x == last) put_mask(f, balance, PLB_FOURTH_HAS, x, row, bit);
            if (has && x == last && row == w->stones - 1)
                put_mask(f, balance, PLB_FOURTH_TOPS, x, row, bit);
        }
    if (w->with[mover] != PLB_NO_WORD)
        put_mask(f, balance, PLB_FOURTH_GROWS, mover, w->stones, bit);
    else if (w->stones < f->height)
        set_bit(f->ends + balance * f->room, bit);
}

static int make_masks(const places *p, plb_fourth_columns *f) {
    size_t sets = f->balances * f->room;
    f->masks = calloc(sets * PLB_FOURTH_MASKS * 2 * f->height, sizeof *f->masks);
    f->ends = calloc(sets, sizeof *f->ends);
    f->is_even = calloc(sets, sizeof *f->is_even);
    f->stones = calloc(sets, sizeof *f->stones);
    if (!f->masks || !f->ends || !f->is_even || !f->stones) return PLB_ENOMEM;
    for (int w = 0; w < p->words->count; w++) {
        const plb_column_word *word = &p->words->items[w];
        int b = word->balance - f->least;
        put_word(f, b, false, word, p->of[w]);
        put_word(f, b - 1, true, word, f->odd[b - 1] * SET_BITS + p->of[w]);
    }
    for (int b = 0; b < f->balances; b++)
        for (size_t i = 0; i < f->odd[b]; i++) f->is_even[b * f->room + i] = ~0ULL;
    return PLB_OK;
}

/* ---- sets ---- */

/* A class tells by any word which balance its columns have. */
static uint8_t find_balance(const places *p, const plb_fourth_columns *f, const uint8_t *row) {
    for (int w = 0; w < p->words->count; w++)
        if (row[w] != PLB_DEAD_CLASS)
            return (uint8_t)(p->words->items[w].balance - (row[w] == PLB_ODD_CLASS) - f->least);
    return 0;
}

static void put_class(const places *p, plb_fourth_columns *f, uint32_t class, const uint8_t *row) {
    uint8_t b = f->balance[class] = find_balance(p, f, row);
    for (int w = 0; w < p->words->count; w++) {
        const plb_column_word *word = &p->words->items[w];
        uint32_t before =
            word->stones && plb_column_word_x_on_top(word) ? PLB_EVEN_CLASS : PLB_ODD_CLASS;
        bool grows = w > 0 && row[word->below] == before;
        if (row[w] == PLB_DEAD_CLASS && !grows) continue;
        bool odd = word->balance - f->least != b;
        size_t bit = (odd ? f->odd[b] * SET_BITS : 0) + p->of[w];
        if (row[w] != PLB_DEAD_CLASS) set_bit(f->sets + class * f->room, bit);
        if (grows) set_bit(f->growing + class * f->room, bit);
    }
}

static int make_sets(const places *p, plb_fourth_columns *f, const plb_row_set *rows) {
    f->balance = calloc(rows->count, sizeof *f->balance);
    f->sets = calloc(rows->count * f->room, sizeof *f->sets);
    f->growing = calloc(rows->count * f->room, sizeof *f->growing);
    if (!f->balance || !f->sets || !f->growing) return PLB_ENOMEM;
    for (uint32_t class = PLB_DEAD_CLASS + 1; class < rows->count; class ++)
        put_class(p, f, class, plb_row_set_at(rows, class));
    return PLB_OK;
}

/* ---- make and free ---- */

int plb_fourth_columns_make(const plb_column_classes *classes, plb_fourth_columns *fourth) {
    places p = {.words = classes->words};
    *fourth = (plb_fourth_columns){.height = 0};
    int error = find_places(&p, fourth);
    if (!error) error = make_masks(&p, fourth);
    if (!error) error = make_sets(&p, fourth, &classes->layers[LAST_LAYER]);
    free(p.of);
    return error;
}

void plb_fourth_columns_free(plb_fourth_columns *fourth) {
    free(fourth->odd);
    free(fourth->masks);
    free(fourth->ends);
    free(fourth->is_even);
    free(fourth->stones);
    free(fourth->balance);
    free(fourth->sets);
    free(fourth->growing);
    *fourth = (plb_fourth_columns){.height = 0};
}
