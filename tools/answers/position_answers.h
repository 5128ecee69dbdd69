/* SPDX-License-Identifier: MIT
 *
 * The main loop of the commands that answer positions, and answers as lines with columns that are
 * separated by tabs. Positions are arguments, which are answered as text for people, or, with `-`,
 * lines of the standard input, each of which is answered by one line. After a write error, `ferror`
 * of the stream is set.
 */
#pragma once

#include <signal.h>
#include <stdio.h>

#include "probe/plybase.h"
#include "tools/terminal/operands.h"

/* The functions of a command. `find` stores the answer in the context, the others print it and
 * return an exit status. */
typedef struct position_answerer {
    /* Returns 0, or an error and its message. known  [out]  for --expect, except `cells` */
    int (*find)(void *context, const char *text, plb_list_known *known, plb_message *message);
    int (*print_text)(void *context); /* for people */
    int (*print_json)(void *context); /* one line */
    /* One line of columns, of which the first is write_position_column(text). */
    int (*print_line)(void *context, const char *text);
    void *context;
    int width, height;                 /* of the board, to read lists */
    bool paragraphs;                   /* print an empty line between texts for people */
    const volatile sig_atomic_t *stop; /* once set, no further position is answered; or NULL */
    /* Print that a line of a list is refused; NULL: write_error_line does. */
    void (*refuse)(void *context, const char *text, const plb_message *message);
    uint64_t *number; /* [out] number of the current position, from 1, or of its line; or NULL */
} position_answerer;

/* Answer all positions. An invalid position is reported on stderr, or for a list by a line in its
 * place; the others are answered. The format of a list decides whether positions are moves. Returns
 * the exit status: that of an interruption, or the worst of all positions. */
int answer_positions(position_arguments *arguments, const position_answerer *answerer);

/* Write columns: value and distance, each followed by a tab, `-` for PLB_NO_DTM; moves, separated
 * by commas, `-` if there are none, followed by `end`. */
void write_value_columns(FILE *to, plb_value value, int dtm);
void write_moves_column(FILE *to, const plb_move *moves, int count, char end);

/* Write the first column: the given line up to its first tab, without a byte order mark. So its
 * content never shifts the next columns. */
void write_position_column(FILE *to, const char *text);

/* Write a line for an answered position, and one for a refused position. text: the given line; why:
 * how the answer differs from the expected value, in a further column, or NULL. */
void write_probed_line(FILE *to, const char *text, const plb_analysis *found, const char *why);
void write_error_line(FILE *to, const char *text, const plb_message *message);
