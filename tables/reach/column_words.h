/* SPDX-License-Identifier: MIT
 *
 * The words of a column: what stands in a column of a board with gravity, read from the bottom, as
 * a word over x and o. Words with so many equal letters in succession that they hold a group are
 * left out. Words are numbered, the shorter first:
 *
 *     0: (empty)   1: o   2: x   3: oo   4: xo   5: ox   6: xx   7: ooo ...      (bottom left)
 *
 * Must not know: games, positions.
 */
#ifndef PLB_TABLES_REACH_COLUMN_WORDS_H
#define PLB_TABLES_REACH_COLUMN_WORDS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    PLB_MAX_WORDS = 1 << 14, /* 13 rows with groups of four have 7,470 */
    PLB_MAX_COLUMNS = 64,
    PLB_MAX_ROWS = 31,
    PLB_LOOK_UP = 12,
    PLB_NO_WORD = 0xFFFF, /* too long, or it would hold a group */
};

typedef struct plb_column_word {
    uint32_t x;         /* bit r: the stone in row r is x */
    uint8_t stones;     /* letters */
    int8_t balance;     /* x less o */
    uint16_t below;     /* the word without its top letter; 0 of the empty one */
    uint16_t with[2];   /* the word with o, with x on top, or PLB_NO_WORD */
    uint16_t exchanged; /* the word with x for o and o for x */
} plb_column_word;

typedef struct plb_column_words {
    int height, k;          /* rows; equal stones in succession that make a group */
    int count;              /* of words, at least 1 */
    plb_column_word *items; /* [count] */
    uint16_t *numbers;      /* [2 << height] number of the word with `stones` letters x, at
                               1 << stones | x; NULL where columns are higher than PLB_LOOK_UP */
} plb_column_words;

/* All words of at most `height` letters without k equal ones in succession, k at least 1.
 * Errors: PLB_ENOMEM; PLB_ETOOBIG if there are more than PLB_MAX_WORDS or PLB_MAX_ROWS. The
 * caller frees them. */
int plb_column_words_make(int height, int k, plb_column_words *words);

/* How many words there are, without making them. */
double plb_column_words_estimate(int height, int k);

void plb_column_words_free(plb_column_words *words);

/* Is the top letter x? Of a word that is not empty. */
static inline bool plb_column_word_x_on_top(const plb_column_word *word) {
    return word->x >> (word->stones - 1) & 1;
}

/* Its stones x: bit r for that in row r. */
static inline uint32_t plb_column_word_stones(const plb_column_word *word, int x) {
    return x ? word->x : ~word->x & ((1U << word->stones) - 1);
}

/* The number of the word of a column, PLB_NO_WORD if it holds a group. Bit r of x: the stone in row
 * r is x; stones is at most the height. Cost: a look-up, on high columns a step for each stone. */
static inline int plb_column_words_find(const plb_column_words *words, uint64_t x, int stones) {
    int word = 0;
    if (words->numbers) return words->numbers[1ULL << stones | x];
    for (int row = 0; row < stones && word != PLB_NO_WORD; row++)
        word = words->items[word].with[x >> row & 1];
    return word;
}

#endif
