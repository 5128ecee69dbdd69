/* SPDX-License-Identifier: MIT */
#include "tools/answers/json_writer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tables/array.h"
#include "tables/message.h"

/* Enough for most answers about a position. malloc is slower for larger blocks: it first merges
 * small free ones. */
enum { FIRST_CAPACITY = 1000, ESCAPE_BYTES = 6 };

/* ---- the buffer ---- */

/* Returns where `more` bytes can be written; NULL: out of memory. */
static char *reserve(json_writer *w, size_t more) {
    if (w->failed) return NULL;
    if (w->size + more > w->capacity) {
        size_t capacity = w->capacity ? 2 * w->capacity : FIRST_CAPACITY;
        while (capacity < w->size + more) capacity *= 2;
        w->failed = !plb_array_resize(&w->text, capacity);
        if (w->failed) return NULL;
        w->capacity = capacity;
    }
    return w->text + w->size;
}

static char *append(char *to, const char *bytes, size_t size) {
    memcpy(to, bytes, size);
    return to + size;
}

/* Write the key, after a comma if it is not the first member. Returns where a value of `more` bytes
 * can be written, or NULL. */
static char *begin_value(json_writer *w, const char *key, size_t more) {
    size_t length = key ? strlen(key) : 0;
    char *to = reserve(w, length + more + strlen(",\"\":"));
    if (!to) return NULL;
    if (w->size && to[-1] != '{' && to[-1] != '[') *to++ = ',';
    if (!key) return to;
    *to++ = '"';
    to = append(to, key, length);
    return append(to, "\":", 2);
}

static void end_value(json_writer *w, const char *end) {
    w->size = end - w->text;
}

static void put_bytes(json_writer *w, const char *key, const char *bytes, size_t size) {
    char *to = begin_value(w, key, size);
    if (to) end_value(w, append(to, bytes, size));
}

static void close_with(json_writer *w, char bracket) {
    char *to = reserve(w, 1);
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
    char digits[24];
    put_bytes(to, key, digits, snprintf(digits, sizeof digits, "%lld", (long long)number));
}

void put_known(json_writer *to, const char *key, bool known, int64_t number) {
    if (known)
        put_number(to, key, number);
    else
        put_null(to, key);
}

void put_count(json_writer *to, const char *key, unsigned __int128 count) {
    char digits[40], *first = digits + sizeof digits - 1;
    *first = 0;
    do *--first = (char)('0' + (int)(count % 10));
    while (count /= 10);
    put_word(to, key, first);
}

void put_estimate(json_writer *to, const char *key, double estimate) {
    put_count(to, key, (unsigned __int128)(estimate + 0.5));
}

void put_flag(json_writer *to, const char *key, bool flag) {
    put_bytes(to, key, flag ? "true" : "false", flag ? 4 : 5);
}

/* The exponent has no plus sign and no leading zeros: 1e+05 becomes 1e5. */
void put_real(json_writer *to, const char *key, double number) {
    char text[40];
    if (isnan(number)) {
        put_null(to, key);
        return;
    }
    int length = snprintf(text, sizeof text - 2, "%.10g", number);
    char *exponent = strchr(text, 'e');
    if (exponent) {
        char *digits = exponent + 1 + (exponent[1] == '-' || exponent[1] == '+');
        char *to_digits = exponent + 1 + (exponent[1] == '-');
        digits += strspn(digits, "0");
        memmove(to_digits, digits, strlen(digits) + 1);
        length = (int)strlen(text);
    } else if (!strchr(text, '.')) {
        length += snprintf(text + length, 3, ".0");
    }
    put_bytes(to, key, text, length);
}

/* ---- texts ---- */

void put_text(json_writer *to, const char *key, const char *text) {
    static const char special[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
    if (!text) {
        put_null(to, key);
        return;
    }
    size_t length = strlen(text), checked = 0, bytes = 1;
    for (uint32_t code; checked < length && bytes; checked += bytes)
        bytes = plb_text_character(text + checked, length - checked, &code);
    bool keeps = bytes; /* it is UTF-8 */
    char *next = begin_value(to, key, ESCAPE_BYTES * length + 2);
    if (!next) return;
    *next++ = '"';
    for (; *text; text++) {
        const char *found = strchr(special, *text);
        if (found) {
            *next++ = '\\';
            *next++ = letters[found - special];
        } else if ((unsigned char)*text < ' ') {
            next += sprintf(next, "\\u%04X", *text); /* there is space for its final zero */
        } else {
            *next++ = (char)((unsigned char)*text < 0x80 || keeps ? *text : '?');
        }
    }
    *next++ = '"';
    end_value(to, next);
}

/* ---- the whole ---- */

void drop_json(json_writer *w) {
    free(w->text);
    *w = (json_writer){0};
}

char *take_json_line(json_writer *from, size_t *size) {
    char *end = reserve(from, 2);
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

json_writer begin_json_object(void) {
    json_writer w = {0};
    open_object(&w, NULL);
    return w;
}

void print_json_object(json_writer *from) {
    size_t size = 0;
    close_object(from);
    char *line = take_json_line(from, &size);
    fputs(line ? line : "null\n", stdout);
    free(line);
}
