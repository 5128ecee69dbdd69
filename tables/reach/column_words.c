/* SPDX-License-Identifier: MIT */
#include "tables/reach/column_words.h"

#include <stdlib.h>

#include "tables/bits.h"
#include "tables/vocabulary.h"

/* Add the word that is word `below` with one more letter, unless it is too long or has a group. */
static int add_word(plb_column_words *words, int below, int letter) {
    plb_column_word *from = &words->items[below];
    plb_column_word made = {.x = from->x | (uint32_t)letter << from->stones,
                            .stones = from->stones + 1,
                            .balance = (int8_t)(from->balance + (letter ? 1 : -1)),
                            .below = (uint16_t)below,
                            .with = {PLB_NO_WORD, PLB_NO_WORD}};
    from->with[letter] = PLB_NO_WORD;
    if (from->stones == words->height) return PLB_OK;
    if (made.stones >= words->k) { /* do the k upper letters make a group? */
        uint64_t top = made.x >> (made.stones - words->k) & plb_low_bits(words->k);
        if (top == 0 || top == plb_low_bits(words->k)) return PLB_OK;
    }
    if (words->count == PLB_MAX_WORDS) return PLB_ETOOBIG;
    from->with[letter] = (uint16_t)words->count;
    words->items[words->count++] = made;
    return PLB_OK;
}

int plb_column_words_make(int height, int k, plb_column_words *words) {
    int error = PLB_OK;
    *words = (plb_column_words){.height = height, .k = k, .count = 1};
    if (height > PLB_MAX_ROWS) return PLB_ETOOBIG;
    words->items = calloc(PLB_MAX_WORDS, sizeof *words->items);
    if (!words->items) return PLB_ENOMEM;
    for (int below = 0; below < words->count && !error; below++)
        for (int letter = 0; letter < 2 && !error; letter++) error = add_word(words, below, letter);
    size_t size = (size_t)2 << words->height;
    if (!error && words->height <= PLB_LOOK_UP) {
        words->numbers = malloc(size * sizeof *words->numbers);
        error = words->numbers ? PLB_OK : PLB_ENOMEM;
        for (size_t i = 0; i < size && !error; i++) words->numbers[i] = PLB_NO_WORD;
        for (int w = 0; w < words->count && !error; w++)
            words->numbers[1U << words->items[w].stones | words->items[w].x] = (uint16_t)w;
    }
    for (int w = 0; w < words->count && !error; w++) {
        plb_column_word *word = &words->items[w];
        uint32_t x = plb_column_word_stones(word, 0);
        word->exchanged = (uint16_t)plb_column_words_find(words, x, word->stones);
    }
    if (error) plb_column_words_free(words);
    return error;
}

double plb_column_words_estimate(int height, int k) {
    double words = 1, ending[PLB_MAX_ROWS] = {2}; /* [n] words with n + 1 equal letters on top */
    if (k > PLB_MAX_ROWS) k = PLB_MAX_ROWS;
    if (k == 1) return 1;
    for (int stones = 1; stones <= height; stones++) {
        double all = 0;
        for (int run = 0; run < k - 1; run++) all += ending[run];
        words += all;
        for (int run = k - 2; run > 0; run--) ending[run] = ending[run - 1];
        ending[0] = all;
    }
    return words;
}

void plb_column_words_free(plb_column_words *words) {
    free(words->items);
    free(words->numbers);
    *words = (plb_column_words){.count = 0};
}
