/* SPDX-License-Identifier: MIT
 *
 * Column words: a filling of a column of a board with gravity, read from the bottom, is a word over
 * the letters x and o. Words with k equal letters in succession are left out: they have a group.
 * Words are numbered, shorter ones first:
 *
 *     0: (empty)   1: o   2: x   3: oo   4: xo   5: ox   6: xx   7: ooo ...      (bottom left)
 *
 * Must not know: games, positions.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    PLB_MAX_WORDS = 1 << 14, /* 13 rows with groups of four have 7,470 */
    PLB_MAX_COLUMNS = 64,
    PLB_MAX_ROWS = 31,
    PLB_LOOK_UP = 12,     /* height up to which plb_column_words.numbers exists */
    PLB_NO_WORD = 0xFFFF, /* too long, or with a group */
};

typedef struct plb_column_word {
    uint32_t x;         /* bit r: the stone in row r is x */
    uint8_t stones;     /* number of letters */
    int8_t balance;     /* number of x less number of o */
    uint16_t below;     /* the word without its top letter; 0 for the empty word */
    uint16_t with[2];   /* the word with o, or x, on top; or PLB_NO_WORD */
    uint16_t exchanged; /* the word with x and o exchanged */
} plb_column_word;

typedef struct plb_column_words {
    int height, k;          /* rows; stones of a group */
    int count;              /* at least 1 */
    plb_column_word *items; /* [count] */
    uint16_t *numbers; /* [2 << height] number of a word, at 1 << stones | x; NULL if the height
                          exceeds PLB_LOOK_UP */
} plb_column_words;

/* Make all words of at most `height` letters without k equal ones in succession, k at least 1.
 * Errors: PLB_ENOMEM; PLB_ETOOBIG if the height exceeds PLB_MAX_ROWS or the count PLB_MAX_WORDS.
 * The caller frees them. */
int plb_column_words_make(int height, int k, plb_column_words *words);

/* The number of words, without making them. */
double plb_column_words_estimate(int height, int k);

void plb_column_words_free(plb_column_words *words);

/* Is the top letter of a nonempty word x? */
static inline bool plb_column_word_x_on_top(const plb_column_word *word) {
    return word->x >> (word->stones - 1) & 1;
}

/* The rows with a stone of this colour, 1 for x, as a bit mask. */
static inline uint32_t plb_column_word_stones(const plb_column_word *word, int x) {
    return x ? word->x : ~word->x & ((1U << word->stones) - 1);
}

/* The number of a column's word; PLB_NO_WORD if it has a group. Bit r of x: the stone in row r is
 * x; stones is at most the height. Cost: a look-up; above PLB_LOOK_UP a step for each stone. */
static inline int plb_column_words_find(const plb_column_words *words, uint64_t x, int stones) {
    int word = 0;
    if (words->numbers) return words->numbers[1ULL << stones | x];
    for (int row = 0; row < stones && word != PLB_NO_WORD; row++)
        word = words->items[word].with[x >> row & 1];
    return word;
}
