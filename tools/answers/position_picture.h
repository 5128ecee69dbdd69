/* SPDX-License-Identifier: MIT
 *
 * A board as SVG, with the values of its moves: discs, signs and labels that are readable in print
 * and without colours. A document needs nothing besides itself. Uses the public header alone.
 */
#ifndef PLB_TOOLS_ANSWERS_POSITION_PICTURE_H
#define PLB_TOOLS_ANSWERS_POSITION_PICTURE_H

#include <stdio.h>

#include "probe/plybase.h"

/* A position that is drawn. */
typedef struct position_picture {
    const plb_table *table;
    uint64_t x, o;
    plb_analysis found;
    plb_state state;
    bool bare; /* without values */
} position_picture;

/* Find what is drawn. Errors: those of plb_analyse. */
int find_picture(const plb_table *table, uint64_t x, uint64_t o, bool bare,
                 position_picture *picture, plb_message *message);

/* The size of a board with its labels, in units of the drawing, and the height of its letters. */
void find_picture_size(const plb_table *table, int *width, int *height);
enum { PICTURE_FONT = 24 };

/* How the position stands, in words, such as `x to move: win in 5 plies`. */
enum { PICTURE_WORDS = 96 };
void describe_picture(const position_picture *picture, char text[PICTURE_WORDS]);

/* Begin a document on white paper, from the left edge on, with a title of two parts; `</svg>` ends
 * it. */
void begin_drawing(FILE *to, int left, int width, int height, const char *spec, const char *words);

/* Draw the board, from the top left of the drawing; a text around a point, in a colour of CSS. */
void draw_position(FILE *to, const position_picture *picture);
void draw_text(FILE *to, int x, int y, const char *colour, const char *text);

#endif
