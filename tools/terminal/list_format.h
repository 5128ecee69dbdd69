/* SPDX-License-Identifier: MIT
 *
 * Lists as programs of this field write them: a position a line, and columns with blanks, tabs or
 * commas between them. A format is a row of one table; all of them end as a position in the
 * notation of Plybase. With what a list expects of a position, its answer is compared.
 */
#ifndef PLB_TOOLS_TERMINAL_LIST_FORMAT_H
#define PLB_TOOLS_TERMINAL_LIST_FORMAT_H

#include "probe/plybase.h"

typedef struct list_format list_format;

/* The columns of a line. */
typedef struct list_line {
    const char *as_given;              /* the position in the line, which is cut after it, */
    char position[2 * PLB_BOARD_TEXT]; /* and in the notation of Plybase */
    const char *rest;                  /* the columns that follow; empty: none */
} list_line;

/* Find a format by its name, into a const list_format *: false if there is none. */
bool parse_list_format(const char *text, void *to);
#define LIST_FORMATS "plybase, pons, columns0, board or uci"

const char *list_format_name(const list_format *format);

/* Are positions of the format moves? Of plybase, they are if --moves says so. */
bool list_format_has_moves(const list_format *format, bool moves);

/* Guess the format of a list from a line, if it is none of single positions in the notation of
 * Plybase: NULL then. */
const list_format *guess_list_format(const char *line, int width, int height, bool moves);

/* Read a line of a board's size. Errors: PLB_ESYNTAX, PLB_EBOARD. */
int list_format_read(const list_format *format, int width, int height, char *line, list_line *read,
                     plb_message *message);

/* What is known of a position. */
typedef struct list_outcome {
    plb_value value; /* for the player to move */
    int dtm;         /* plies to the end of the game, or PLB_NO_DTM */
    int ply, cells;  /* stones, and cells of the board */
} list_outcome;

/* The score of the format pons: the number of cells that are empty at the end, halved, rounded down
 * and plus one, negative where the player to move loses, 0 of a draw; its sign where the distance
 * is not known. */
int pons_score(const list_outcome *known);

/* Does a column of a line, 2 being the one after the position, agree with what is known? A value
 * does: win, draw, loss, or 1, 0, -1. In the format pons it is a score; where the distance is not
 * known, only its sign is compared. If it does not agree, the message says why. */
bool list_column_agrees(const list_format *format, const char *rest, int column,
                        const list_outcome *known, plb_message *message);

#endif
