/* SPDX-License-Identifier: MIT
 *
 * The fourth columns that go with three others: for each class of three (column_classes.h) a set,
 * with a bit for each word. Only two balances count: those that make as many x as o, and those that
 * make an x more.
 *
 *     set        | columns of balance b: even | of balance b + 1: odd |        b: of the class
 *                  of each a multiple of PLB_FOURTH_LANES words of 64 bits
 *     64 bits    columns of one balance with the same number of stones
 *
 * For each b there are masks of the columns in such a set that are so or so. x is 0 for o and 1 for
 * x; the *mover* has x after even columns, o after odd ones. Must not know: games.
 */
#ifndef PLB_TABLES_FOURTH_COLUMN_H
#define PLB_TABLES_FOURTH_COLUMN_H

#include <stddef.h>

#include "tables/column_classes.h"

enum { PLB_FOURTH_LANES = 8 };

typedef enum plb_fourth_mask {
    PLB_FOURTH_WITHOUT, /* without this stone */
    PLB_FOURTH_GROWS, /* onto which this stone of the mover may fall, with no group in the column */
    PLB_FOURTH_MEETS, /* with this stone, of the mover */
    PLB_FOURTH_HAS,   /* with this stone, of the last mover */
    PLB_FOURTH_TOPS,  /* with this stone, of the last mover, as the top */
    PLB_FOURTH_MASKS
} plb_fourth_mask;

typedef struct plb_fourth_columns {
    int height, least, balances; /* rows; the first b, and how many */
    size_t room;                 /* of a set, in words of 64 bits */
    size_t *odd;                 /* [balances + 1] where odd columns begin in a set: after so many
                                    words for the even ones */
    uint64_t *masks;   /* [balances][PLB_FOURTH_MASKS][x][height][room] for a stone x in a row */
    uint64_t *ends;    /* [balances][room] onto which the mover's stone may fall, with a group */
    uint64_t *is_even; /* [balances][room] all ones where columns are even */
    int *stones;       /* [balances][room] of the columns of a word; 0: there are none */
    uint8_t *balance;  /* [classes of three columns] b less `least` */
    uint64_t *sets;    /* [classes][room] in order with the three */
    uint64_t *growing; /* [classes][room] with whose top stone as the last they are */
} plb_fourth_columns;

/* Sets for the classes of three columns, of boards of four.
 * Errors: PLB_ENOMEM; to be freed in any case. */
int plb_fourth_columns_make(const plb_column_classes *classes, plb_fourth_columns *fourth);
void plb_fourth_columns_free(plb_fourth_columns *fourth);

/* The masks of one kind for a balance, [x][height][room]. */
static inline uint64_t *plb_fourth_masks(const plb_fourth_columns *f, int balance,
                                         plb_fourth_mask mask) {
    return f->masks + (size_t)(balance * PLB_FOURTH_MASKS + mask) * 2 * f->height * f->room;
}

#endif
