/* SPDX-License-Identifier: MIT
 *
 * JSON written as text, member by member, into one buffer.
 *
 *     json_writer w = begin_json_object();
 *     put_word(&w, "value", "win");
 *     open_list(&w, "moves");
 *     put_number(&w, NULL, 3);
 *     close_list(&w);
 *     print_json_object(&w);       {"value":"win","moves":[3]}
 *
 * Members of objects have a key, elements of lists have none (NULL). The writer puts the commas;
 * the caller sees to it that brackets match and that keys differ. When memory does not suffice, all
 * further calls do nothing, and there is no text at the end.
 *
 * Threads: any number, each with its own writer. Must not know: what is written.
 */
#ifndef PLB_TOOLS_ANSWERS_JSON_WRITER_H
#define PLB_TOOLS_ANSWERS_JSON_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct json_writer {
    char *text; /* [capacity], the first `size` bytes are written */
    size_t size, capacity;
    bool failed; /* memory did not suffice */
} json_writer;

void open_object(json_writer *to, const char *key);
void close_object(json_writer *to);
void open_list(json_writer *to, const char *key);
void close_list(json_writer *to);

/* A text of printable ASCII without quotes and backslashes: names, boards, moves. */
void put_word(json_writer *to, const char *key, const char *word);

/* Any text, escaped; NULL is null. If the text is not UTF-8, each byte beyond ASCII becomes `?`. */
void put_text(json_writer *to, const char *key, const char *text);

void put_null(json_writer *to, const char *key);
void put_number(json_writer *to, const char *key, int64_t number);

/* A number, or null where it is not known. */
void put_known(json_writer *to, const char *key, bool known, int64_t number);

/* A count that may reach 2^53, such as one of positions: a string of its digits, however small it
 * is. put_number takes those that cannot. Many programs read numbers as
 * doubles, which have no odd number above 2^53; boards have more positions. */
void put_count(json_writer *to, const char *key, unsigned __int128 count);

void put_flag(json_writer *to, const char *key, bool flag);

/* With up to 10 digits, and never in the form of an integer: 2 is 2.0. */
void put_real(json_writer *to, const char *key, double number);

/* Take the text as one line, to be freed; size: of the line with its line end, after which there is
 * a zero byte. NULL: memory did not suffice. The writer is empty afterwards. */
char *take_json_line(json_writer *from, size_t *size);

/* Begin with an object; and close it and print it as one line, `null` where memory did not suffice.
 * The writer is empty afterwards. */
json_writer begin_json_object(void);
void print_json_object(json_writer *from);

/* Free what was written. The writer is empty afterwards. */
void drop_json(json_writer *writer);

#endif
