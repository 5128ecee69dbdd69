/* SPDX-License-Identifier: MIT
 *
 * Writes JSON as text into one buffer, member by member.
 *
 *     json_writer w = begin_json_object();
 *     put_word(&w, "value", "win");
 *     open_list(&w, "moves");
 *     put_number(&w, NULL, 3);
 *     close_list(&w);
 *     print_json_object(&w);       {"value":"win","moves":[3]}
 *
 * Members of objects have a key, elements of lists have none (NULL). The writer adds the commas;
 * the caller must match brackets and use different keys. After an allocation has failed, all calls
 * do nothing, and there is no text at the end.
 *
 * Threads: any number, each with its own writer. Must not know: what is written.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct json_writer {
    char *text; /* [capacity] bytes, of which `size` are written */
    size_t size, capacity;
    bool failed; /* out of memory */
} json_writer;

void open_object(json_writer *to, const char *key);
void close_object(json_writer *to);
void open_list(json_writer *to, const char *key);
void close_list(json_writer *to);

/* A string of printable ASCII without quotes and backslashes: names, boards, moves. */
void put_word(json_writer *to, const char *key, const char *word);

/* Any string, escaped; NULL is null. If it is not UTF-8, each byte beyond ASCII becomes `?`. */
void put_text(json_writer *to, const char *key, const char *text);

void put_null(json_writer *to, const char *key);
void put_number(json_writer *to, const char *key, int64_t number);

/* A number, or null if it is not known. */
void put_known(json_writer *to, const char *key, bool known, int64_t number);

/* A count that may reach 2^53, such as of positions, as a string of digits, even if it is small:
 * many programs read numbers as doubles, which are exact only up to 2^53. */
void put_count(json_writer *to, const char *key, unsigned __int128 count);

/* An estimated count, rounded. */
void put_estimate(json_writer *to, const char *key, double estimate);

void put_flag(json_writer *to, const char *key, bool flag);

/* Up to 10 digits, and never like an integer: 2 is written as 2.0. NAN is null. */
void put_real(json_writer *to, const char *key, double number);

/* Pass the text as one line to the caller, who must free it. size  [out]  with the line end, but
 * without the final zero. NULL: out of memory. The writer is empty afterwards. */
char *take_json_line(json_writer *from, size_t *size);

/* Open an object; close it and print it to stdout as one line, `null` if out of memory. The writer
 * is empty afterwards. */
json_writer begin_json_object(void);
void print_json_object(json_writer *from);

/* Free the text. The writer is empty afterwards. */
void drop_json(json_writer *writer);
