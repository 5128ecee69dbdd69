/* SPDX-License-Identifier: MIT */
#include "tools/answers/json_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Most answers about a position fit, and the C library has such blocks at hand: for longer ones it
 * first merges the short ones that were given back. */
enum { FIRST_ROOM = 1000 };

/* ---- the buffer ---- */

/* Where so many bytes more can be written, or NULL. */
static char *make_room(json_writer *w, size_t more) {
    if (w->failed) return NULL;
    if (w->size + more > w->room) {
        size_t room = w->room ? 2 * w->room : FIRST_ROOM;
        while (room < w->size + more) room *= 2;
        char *text = realloc(w->text, room);
        if (!text) {
            w->failed = true;
            return NULL;
        }
        w->text = text;
        w->room = room;
    }
    return w->text + w->size;
}

static char *append(char *to, const char *bytes, size_t size) {
    memcpy(to, bytes, size);
    return to + size;
}

/* The comma that is due, and the key: then there is room for a value of `more` bytes, or NULL. */
static char *begin_value(json_writer *w, const char *key, size_t more) {
    size_t length = key ? strlen(key) : 0;
    char *to = make_room(w, length + more + strlen(",\"\":"));
    if (!to) return NULL;
    if (w->size && to[-1] != '{' && to[-1] != '[') *to++ = ',';
    if (!key) return to;
    *to++ = '"';
    to = append(to, key, length);
    return append(to, "\":", 2);
}

/* What was written ends here. */
static void end_value(json_writer *w, const char *end) {
    w->size = end - w->text;
}

static void put_bytes(json_writer *w, const char *key, const char *bytes, size_t size) {
    char *to = begin_value(w, key, size);
    if (to) end_value(w, append(to, bytes, size));
}

static void close_with(json_writer *w, char bracket) {
    char *to = make_room(w, 1);
    if (!to) return;
    *to++ = bracket;
    end_value(w, to);
}

/* ---- values ---- */

void open_object(json_writer *to, const char *key) {
    put_bytes(to, key, "{", 1);
}

void close_object(json_writer *to) {
    close_with(to, '}');
}

void open_list(json_writer *to, const char *key) {
    put_bytes(to, key, "[", 1);
}

void close_list(json_writer *to) {
    close_with(to, ']');
}

void put_word(json_writer *to, const char *key, const char *word) {
    size_t length = strlen(word);
    char *next = begin_value(to, key, length + 2);
    if (!next) return;
    *next++ = '"';
    next = append(next, word, length);
    *next++ = '"';
    end_value(to, next);
}

void put_null(json_writer *to, const char *key) {
    put_bytes(to, key, "null", 4);
}

void put_number(json_writer *to, const char *key, int64_t number) {
    char digits[24], *first = digits + sizeof digits;
    uint64_t rest = number < 0 ? -(uint64_t)number : (uint64_t)number;
    do *--first = (char)('0' + rest % 10);
    while (rest /= 10);
    if (number < 0) *--first = '-';
    put_bytes(to, key, first, digits + sizeof digits - first);
}

void put_flag(json_writer *to, const char *key, bool flag) {
    put_bytes(to, key, flag ? "true" : "false", flag ? 4 : 5);
}

void put_real(json_writer *to, const char *key, double number) {
    char text[40];
    int length = snprintf(text, sizeof text - 2, "%.10g", number);
    if (!strpbrk(text, ".e")) length += snprintf(text + length, 3, ".0");
    put_bytes(to, key, text, length);
}

void put_written(json_writer *to, const char *key, const char *value) {
    if (value)
        put_bytes(to, key, value, strlen(value));
    else
        to->failed = true;
}

/* ---- the whole ---- */

void drop_json(json_writer *w) {
    free(w->text);
    *w = (json_writer){0};
}

char *take_json_line(json_writer *from, size_t *size) {
    char *end = make_room(from, 2);
    if (!end) {
        drop_json(from);
        return NULL;
    }
    memcpy(end, "\n", 2);
    char *line = from->text;
    *size = from->size + 1;
    *from = (json_writer){0};
    return line;
}

void print_json_text(json_writer *from) {
    size_t size = 0;
    char *line = take_json_line(from, &size);
    fputs(line ? line : "null\n", stdout);
    free(line);
}
