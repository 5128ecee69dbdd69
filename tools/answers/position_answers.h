/* SPDX-License-Identifier: MIT
 *
 * The loop of the commands that answer positions, and answers as lines of columns with tabs between
 * them. Positions are arguments, which are answered for people, or with `-` lines of the standard
 * input, each of which is answered by one line. After a failure to write, `ferror` of a stream is
 * set.
 */
#ifndef PLB_TOOLS_ANSWERS_POSITION_ANSWERS_H
#define PLB_TOOLS_ANSWERS_POSITION_ANSWERS_H

#include <signal.h>
#include <stdio.h>

#include "probe/plybase.h"
#include "tools/terminal/operands.h"

/* What a command does with a position. Each function gets the context: `find` leaves there what the
 * others print. These return an exit status. */
typedef struct position_answerer {
    /* 0, or an error and its message. known: for --expect, but for its cells. */
    int (*find)(void *context, const char *text, plb_list_known *known, plb_message *message);
    int (*print_text)(void *context); /* for people */
    int (*print_json)(void *context); /* one line */
    /* One line of columns; the first one is write_position_column of the text. */
    int (*print_line)(void *context, const char *text);
    void *context;
    bool has_values;                   /* find writes what is known; else --expect is refused */
    int width, height;                 /* of the board, for lists */
    bool paragraphs;                   /* an empty line between texts for people */
    const volatile sig_atomic_t *stop; /* no position is begun once it is set; NULL: never */
    /* Tell of a line of a list that it is refused; NULL: by write_error_line. */
    void (*refuse)(void *context, const char *text, const plb_message *message);
    uint64_t *number; /* NULL, or set to the position's place among all, refused ones too, from 1 */
} position_answerer;

/* Answer all positions. A text that is no position is reported on stderr, or in a batch by a line
 * in its place; the others are answered. The format of a list sets whether positions are moves.
 * Returns the exit status: that of an interruption, or the worst of all. */
int answer_positions(position_arguments *arguments, const position_answerer *answerer);

/* Columns of a line: value and distance, each with a tab after it, the distance `-` if it is
 * PLB_NO_DTM; and moves with commas between them, or `-`, and what follows. */
void write_value_columns(FILE *to, plb_value value, int dtm);
void write_moves_column(FILE *to, const plb_move *moves, int count, char end);

/* The first column: a line as it was given, without a byte order mark, up to its first tab, so that
 * whatever it holds never shifts the columns that follow. */
void write_position_column(FILE *to, const char *text);

/* A position with its value and its best moves, and in a further column why it differs from what a
 * list expects, NULL if it does not; and one that is refused. text: as it was given. */
void write_probed_line(FILE *to, const char *text, const plb_analysis *found, const char *why);
void write_error_line(FILE *to, const char *text, const plb_message *message);

#endif
