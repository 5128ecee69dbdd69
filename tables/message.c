/* SPDX-License-Identifier: MIT
 *
 * Error codes, their texts, and the one place where errno is translated.
 */
#include "tables/message.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tables/printable_text.h"

const char *plb_error_text(int error) {
    switch (error) {
#define ERROR_TEXT(name, number, text) \
    case number:                       \
        return text;
        PLB_ERRORS(ERROR_TEXT)
#undef ERROR_TEXT
        default:
            return "unknown error";
    }
}

const char *plb_value_text(plb_value value) {
    switch (value) {
        case PLB_WIN:
            return "win";
        case PLB_DRAW:
            return "draw";
        case PLB_LOSS:
            return "loss";
        default:
            return "no value";
    }
}

/* ---- sentences ---- */

enum {
    WHOLE_BYTES = 12000, /* two paths and a sentence */
    LEAST_WORD = 48,     /* bytes that remain of a word */
};

static const char gap[] = "...";
enum { GAP = sizeof gap - 1 };

typedef struct word {
    char *begin;
    size_t length;
} word;

static word find_longest_word(char *text) {
    word longest = {text, 0};
    for (char *at = text; *at;) {
        size_t length = strcspn(at, " ");
        if (length > longest.length) longest = (word){at, length};
        at += length + strspn(at + length, " ");
    }
    return longest;
}

static bool is_inside_character(char byte) {
    return (byte & 0xC0) == 0x80;
}

/* Let only `room` bytes of a word remain, its beginning and its end; more than a gap and
 * characters that are cut fit in it. */
static void shorten_word(word w, size_t room) {
    size_t head = (room - GAP) / 2, tail = room - GAP - head;
    char *cut = w.begin + head, *end = w.begin + w.length - tail;
    while (cut > w.begin && is_inside_character(*cut)) cut--;
    while (is_inside_character(*end)) end++;
    memcpy(cut, gap, GAP);
    memmove(cut + GAP, end, strlen(end) + 1);
}

/* Shorten words, the longest first, until the text has `most` bytes; without long words all of it
 * counts as one. What is longest is what somebody has given, a path or a position, and why it is
 * refused stands after it. */
static void shorten(char *text, size_t most) {
    for (size_t length; (length = strlen(text)) > most;) {
        word w = find_longest_word(text);
        if (w.length <= LEAST_WORD) w = (word){text, length};
        size_t excess = length - most;
        shorten_word(w, w.length > LEAST_WORD + excess ? w.length - excess : LEAST_WORD);
    }
}

int plb_fail(plb_message *message, int error, const char *format, ...) {
    if (!message) return error;
    char whole[WHOLE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(whole, sizeof whole, format, arguments);
    va_end(arguments);
    plb_text_make_plain(whole);
    shorten(whole, sizeof message->text - 1);
    memcpy(message->text, whole, strlen(whole) + 1);
    return error;
}

/* ---- errno ---- */

int plb_error_of_errno(int number) {
    switch (number) {
        case ENOENT:
        case ENOTDIR:
            return PLB_ENOTFOUND;
        case EACCES:
        case EPERM:
        case EROFS:
            return PLB_EPERMISSION;
        case ENOSPC:
        case EDQUOT:
        case EFBIG:
            return PLB_ENOSPACE;
        case ENOMEM:
            return PLB_ENOMEM;
        default:
            return PLB_EIO;
    }
}

int plb_fail_errno(plb_message *message, int number, const char *doing, const char *path) {
    return plb_fail(message, plb_error_of_errno(number), "%s %s: %s", doing, *path ? path : "''",
                    strerror(number));
}
