/* SPDX-License-Identifier: MIT
 *
 * Answers about one position, as the page needs them: its value and moves, its distance and best
 * moves, a best line, the values of the moves of its game. Threads: any number. Uses the public
 * header alone. Must not know: how the question came.
 */
#ifndef PLB_TOOLS_ANSWERS_ASKED_POSITION_H
#define PLB_TOOLS_ANSWERS_ASKED_POSITION_H

#include "tools/answers/json_positions.h"

typedef struct asked_position {
    uint64_t x, o;             /* the position, after the moves */
    uint64_t start_x, start_o; /* and before them */
    const char *parameter;     /* "board" or "moves", by which it was given; static storage */
    bool by_moves;
    int resist; /* plies of resistance that find_asked_best looks ahead; 0: none */
    plb_line played;
} asked_position;

/* Read a board, moves from the empty board, or a board and moves from it; NULL: not given.
 * parameter is set in any case; no resistance is asked. Errors: those of plb_parse_board and
 * plb_play_text. */
int read_asked_position(const plb_table *table, const char *board, const char *moves,
                        asked_position *asked, plb_message *message);

/* Find an answer, and write the members of its object.
 *
 * limits    [in]      of a search; zeros: none
 * is_final  [in,out]  false: a limit was reached, and a later answer may be better
 *
 * Errors: those of the library; the object is then of no use. */
typedef int asked_finder(const plb_table *table, const asked_position *asked,
                         const plb_limits *limits, json_writer *to, bool *is_final,
                         plb_message *message);

asked_finder find_asked_position, find_asked_best, find_asked_line, find_asked_game;

/* Write the members of an annotated game: the position after it as of put_position, then
 * put_annotations. Errors: those of plb_analyse, PLB_ENOMEM; the object is then of no use. */
int put_game(json_writer *to, const plb_table *table, const asked_position *game,
             plb_message *message);

/* Read plies of resistance, an odd number from 1 to PLB_MAX_RESIST, into an int. */
bool parse_resist(const char *text, void *to);
#define RESIST_NEEDED "an odd number from 1 to 15"

#endif
