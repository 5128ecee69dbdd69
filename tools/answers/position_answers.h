/* SPDX-License-Identifier: MIT
 *
 * The loop of the commands that answer positions: those among the arguments for people, or with `-`
 * lines of the standard input, one line out for each.
 */
#ifndef PLB_TOOLS_ANSWERS_POSITION_ANSWERS_H
#define PLB_TOOLS_ANSWERS_POSITION_ANSWERS_H

#include <signal.h>

#include "probe/plybase.h"
#include "tools/terminal/position_arguments.h"

/* What a command does with a position. Each function gets the context, where `find` leaves what the
 * others print; these return an exit status. */
typedef struct position_answerer {
    /* 0, or an error and its message. */
    int (*find)(void *context, const char *text, plb_message *message);
    int (*print_text)(void *context); /* for people */
    int (*print_json)(void *context); /* one line */
    /* One line: columns with tabs between them, the first one being the text. */
    int (*print_line)(void *context, const char *text);
    void *context;
    bool paragraphs;                   /* an empty line between texts for people */
    const volatile sig_atomic_t *stop; /* no position is begun once it is set; NULL: never */
} position_answerer;

/* Answer all positions. A text that is none is reported on stderr, or in a batch by a line in
 * its place; the others are answered. Returns the exit status: that of an interruption, or the
 * worst of all. */
int answer_positions(const position_arguments *arguments, const position_answerer *answerer);

#endif
