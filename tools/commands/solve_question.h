/* SPDX-License-Identifier: MIT
 *
 * `plybase solve --question`: can a player of a game of numbers force a win?
 */
#ifndef PLB_TOOLS_COMMANDS_SOLVE_QUESTION_H
#define PLB_TOOLS_COMMANDS_SOLVE_QUESTION_H

#include "tools/search/number_search.h"
#include "tools/terminal/position_arguments.h"

typedef struct question_options {
    int player; /* ASKED_NOBODY, or who shall win */
    int by;     /* ply; 0: whenever */
    bool depth_table;
} question_options;

enum { ASKED_NOBODY = -1 };

/* Rows of the options, into question_options. */
extern const argument_row question_rows[];

/* A position and the question that is asked of it. */
typedef struct asked_question {
    const plb_game *game;
    const question_options *options;
    number_search *search;
    plb_position position;
    const char *board;
    uint64_t node_budget; /* 0: none */
    const volatile sig_atomic_t *stop;
    number_result result;
    double seconds;
} asked_question;

/* Ask it, with progress on stderr; fills in result and seconds. */
void ask_question(asked_question *q);

/* Print the answer, and on request what happened at each ply. */
void print_answer(const asked_question *q);
void print_answer_json(const asked_question *q);
void print_answer_line(const asked_question *q, const char *text);

#endif
