/* SPDX-License-Identifier: MIT
 *
 * Answers as JSON objects, in the vocabulary of json_positions.h: those that are asked seldom, and
 * so may be built first and written then.
 *
 * Every function returns a new reference; NULL when memory does not suffice, and NULL may be handed
 * on. Threads: any number. Uses the public header alone. Must not know: how the answer was found.
 */
#ifndef PLB_TOOLS_ANSWERS_JSON_ANSWERS_H
#define PLB_TOOLS_ANSWERS_JSON_ANSWERS_H

#include <jansson.h>

#include "probe/plybase.h"
#include "tools/answers/json_writer.h"

/* What a table is; first_player: the value of the empty board. */
json_t *json_of_info(const plb_table *table, plb_value first_player);

/* The counts of every ply, with its distances or null. */
json_t *json_of_stats(const plb_table *table);

/* An error for the text of a question, which may hold any bytes. */
json_t *json_of_error(const char *text, int error, const plb_message *message);

/* Parts of objects: plies, or null for PLB_NO_DTM; the player to move, or who has won, 0 for
 * nobody. */
json_t *json_of_dtm(int dtm);
json_t *json_of_player(char player);

/* A position as text. */
json_t *json_of_board(const plb_table *table, uint64_t x, uint64_t o);

/* Its name in plybase.h, such as "PLB_ECOUNTS"; NULL for a number that is none. */
const char *error_name(int error);

/* A JSON string of any bytes: what is not UTF-8 becomes `?`. */
json_t *json_of_text(const char *text);

/* Bits of the file per reachable position. */
double bits_per_position(const plb_table_info *info);

/* Read JSON with flags of jansson. NULL: it is none, and where, which may be NULL, says what is
 * wrong; or memory did not suffice, and *lacks_memory is true. */
json_t *read_json(const char *bytes, size_t size, size_t flags, json_error_t *where,
                  bool *lacks_memory);

/* An object as one line with its end, of so many bytes; to be freed. The object, which may be NULL,
 * is given up. NULL when memory does not suffice. */
char *format_json_line(json_t *object, size_t *size);

/* Put an object into what is written, and give it up. NULL, where memory did not suffice, fails. */
void put_built(json_writer *to, const char *key, json_t *object);

/* Print an object as one line and give it up. */
void print_json_line(json_t *object);

#endif
