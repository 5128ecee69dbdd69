/* SPDX-License-Identifier: MIT
 *
 * Queries about one position and their answers in JSON, for the HTTP service and the module of the
 * page: value and moves, distance and best moves, a line of best play, an annotated game. Threads:
 * any number. Uses only the public header. Must not know: how the query arrived.
 */
#pragma once

#include "tools/answers/json_positions.h"

typedef struct position_query {
    uint64_t x, o;             /* the position after the moves */
    uint64_t start_x, start_o; /* the position before them */
    const char *parameter;     /* "board" or "moves": the last one that was read; static storage */
    bool by_moves;             /* moves were given */
    int resist;                /* query_best: look-ahead in plies for resistance; 0: none */
    plb_line played;           /* the given moves */
} position_query;

/* Parse a board, moves from the empty board, or a board and moves from it; NULL: not given. Sets
 * query->resist to 0, and query->parameter even after an error. Errors: those of plb_parse_board
 * and plb_play_text. */
int read_position_query(const plb_table *table, const char *board, const char *moves,
                        position_query *query, plb_message *message);

/* Answer a query: write the members of a JSON object.
 *
 * limits    [in]      of a search; zeros: none
 * is_final  [in,out]  set to false if a limit was reached, so that a later answer may be better
 *
 * Errors: those of the library; the object must then be dropped. */
typedef int query_handler(const plb_table *table, const position_query *query,
                          const plb_limits *limits, json_writer *to, bool *is_final,
                          plb_message *message);

query_handler query_position, query_best, query_line, query_game;

/* Write the members of an annotated game: those of put_position for its last position, then those
 * of put_annotations. Errors: those of plb_analyse, PLB_ENOMEM; the object must then be dropped. */
int put_game(json_writer *to, const plb_table *table, const position_query *game,
             plb_message *message);

/* Parse a look-ahead for resistance, an odd number from 1 to PLB_MAX_RESIST, into an int. */
bool parse_resist(const char *text, void *to);
#define RESIST_NEEDED "an odd number from 1 to 15"
