/* SPDX-License-Identifier: MIT
 *
 * Answers as JSON, with the same keys in every subcommand. Uses the public header alone.
 */
#ifndef PLB_TOOLS_JSON_ANSWERS_H
#define PLB_TOOLS_JSON_ANSWERS_H

#include <jansson.h>

#include "probe/plybase.h"

/* Plies, or null for PLB_NO_DTM. */
json_t *json_of_dtm(int dtm);

/* A list of {move, value, dtm_plies}. */
json_t *json_of_moves(const plb_move *moves, int count);

/* A position as its board. */
json_t *json_of_board(const plb_table *table, uint64_t x, uint64_t o);

/* Print an object as one line and give it up. */
void print_json_line(json_t *object);

/* Print {position, error, message} for a text that is no position; it may hold any bytes. */
void print_json_error(const char *text, int error, const plb_message *message);

#endif
