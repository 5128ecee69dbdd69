/* SPDX-License-Identifier: MIT
 *
 * JSON written as text, member by member, in one buffer: for answers that are given many thousand
 * times a second, where building objects first (jansson) takes longer than finding the answer.
 *
 *     json_writer w = {0};
 *     open_object(&w, NULL);
 *     put_word(&w, "value", "win");
 *     open_list(&w, "moves");
 *     put_number(&w, NULL, 3);
 *     close_list(&w);
 *     close_object(&w);            {"value":"win","moves":[3]}
 *
 * Members of objects have a key, elements of lists have none (NULL). Commas are the writer's
 * matter; that brackets match, and keys differ, is the caller's. Where memory does not suffice all
 * that follows does nothing, and no text comes out.
 *
 * Threads: any number, one of them for a writer. Must not know: what is written.
 */
#ifndef PLB_TOOLS_ANSWERS_JSON_WRITER_H
#define PLB_TOOLS_ANSWERS_JSON_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct json_writer {
    char *text; /* [room] of which size bytes are written */
    size_t size, room;
    bool failed; /* memory did not suffice */
} json_writer;

void open_object(json_writer *to, const char *key);
void close_object(json_writer *to);
void open_list(json_writer *to, const char *key);
void close_list(json_writer *to);

/* A text of printable ASCII without quotes and backslashes: names, boards, moves. */
void put_word(json_writer *to, const char *key, const char *word);

void put_null(json_writer *to, const char *key);
void put_number(json_writer *to, const char *key, int64_t number);
void put_flag(json_writer *to, const char *key, bool flag);

/* With up to 10 digits, and always as a number that is not an integer: 2 is 2.0. */
void put_real(json_writer *to, const char *key, double number);

/* A whole value that is JSON already; NULL, where memory did not suffice for it, fails. */
void put_written(json_writer *to, const char *key, const char *value);

/* The text as one line with its end, of so many bytes and a 0 behind them; to be freed. NULL when
 * memory did not suffice. The writer is empty then. */
char *take_json_line(json_writer *from, size_t *size);

/* Print it as one line, `null` where memory did not suffice. The writer is empty then. */
void print_json_text(json_writer *from);

/* Free what was written, and be empty. */
void drop_json(json_writer *writer);

#endif
