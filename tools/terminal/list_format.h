/* SPDX-License-Identifier: MIT
 *
 * Lists of other programs, which the library reads (plb_read_list_line), and the comparison of a
 * column of a list with the answers.
 */
#ifndef PLB_TOOLS_TERMINAL_LIST_FORMAT_H
#define PLB_TOOLS_TERMINAL_LIST_FORMAT_H

#include "probe/plybase.h"

/* A line that was read: the columns after the position are those of the library. */
typedef struct list_line {
    const char *line, *as_given; /* the line, which is cut after its position */
    plb_list_line of;
} list_line;

/* A format is its name; that is an option's value: false if there is none. */
bool parse_list_format(const char *text, void *to);
#define LIST_FORMATS "plybase, pons, columns0, board or uci"

/* Read a line of a board's size. Errors: PLB_ESYNTAX, PLB_EBOARD; of the line all is set but the
 * position. */
int list_format_read(const char *format, int width, int height, char *line, list_line *read,
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
 * does: win, draw, loss, or 1, 0, -1, in the format uci of x, as in its data set. In the format
 * pons it is a score; where the distance is not known, only its sign is compared. If it does not
 * agree, the message says why. */
bool list_column_agrees(const char *format, const list_line *line, int column,
                        const list_outcome *known, plb_message *message);

#endif
