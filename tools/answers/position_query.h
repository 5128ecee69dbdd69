/* SPDX-License-Identifier: MIT
 *
 * Answers about one position, as the page needs them: its value and moves, its distance and best
 * moves, a best line, the values of the moves of its game. Threads: any number. Uses the public
 * header alone. Must not know: how the question came.
 */
#ifndef PLB_TOOLS_ANSWERS_POSITION_QUERY_H
#define PLB_TOOLS_ANSWERS_POSITION_QUERY_H

#include "tools/answers/json_positions.h"

typedef struct position_query {
    uint64_t x, o;             /* the position, after the moves */
    uint64_t start_x, start_o; /* and before them */
    const char *parameter;     /* "board" or "moves", by which it was given; static storage */
    bool by_moves;
    int resist; /* plies of resistance that query_best looks ahead; 0: none */
    plb_line played;
} position_query;

/* Read a board, moves from the empty board, or a board and moves from it; NULL: not given.
 * parameter is set in any case; no resistance is query. Errors: those of plb_parse_board and
 * plb_play_text. */
int read_position_query(const plb_table *table, const char *board, const char *moves,
                        position_query *query, plb_message *message);

/* Find an answer, and write the members of its object.
 *
 * limits    [in]      of a search; zeros: none
 * is_final  [in,out]  false: a limit was reached, and a later answer may be better
 *
 * Errors: those of the library; the object is then of no use. */
typedef int query_handler(const plb_table *table, const position_query *query,
                          const plb_limits *limits, json_writer *to, bool *is_final,
                          plb_message *message);

query_handler query_position, query_best, query_line, query_game;

/* Write the members of an annotated game: the position after it as of put_position, then
 * put_annotations. Errors: those of plb_analyse, PLB_ENOMEM; the object is then of no use. */
int put_game(json_writer *to, const plb_table *table, const position_query *game,
             plb_message *message);

/* Read plies of resistance, an odd number from 1 to PLB_MAX_RESIST, into an int. */
bool parse_resist(const char *text, void *to);
#define RESIST_NEEDED "an odd number from 1 to 15"

#endif
