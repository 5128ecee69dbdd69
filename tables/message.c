/* SPDX-License-Identifier: MIT */
#include "tables/message.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

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
    static const char *const texts[] = {"loss", "draw", "win"};
    return value < PLB_LOSS || value > PLB_WIN ? "no value" : texts[value - PLB_LOSS];
}

/* ---- sentences ---- */

enum {
    WHOLE_BYTES = 12000, /* room for two paths and a sentence, before words are shortened */
    MIN_WORD = 48,       /* words are not shortened to fewer bytes */
};

static const char gap[] = "...";
enum { GAP = sizeof gap - 1 };

typedef struct word {
    char *begin;
    size_t length;
} word;

static bool is_continuation(char byte) {
    return (byte & 0xC0) == 0x80;
}

/* Replace the middle of words by "...", the longest first, until the text has at most max_bytes.
 * The longest words are those that the user gave, such as paths or positions; the reason of the
 * failure stays. If all words are short, the whole text is cut in its middle. No character of UTF-8
 * is cut in two. */
static void shorten(char *text, size_t max_bytes) {
    for (size_t length; (length = strlen(text)) > max_bytes;) {
        word w = {text, 0};
        for (char *at = text; *at;) {
            size_t bytes = strcspn(at, " ");
            if (bytes > w.length) w = (word){at, bytes};
            at += bytes + strspn(at + bytes, " ");
        }
        if (w.length <= MIN_WORD) w = (word){text, length};
        size_t excess = length - max_bytes;
        size_t left = w.length > MIN_WORD + excess ? w.length - excess : MIN_WORD;
        size_t head = (left - GAP) / 2, tail = left - GAP - head;
        char *cut = w.begin + head, *end = w.begin + w.length - tail;
        while (cut > w.begin && is_continuation(*cut)) cut--;
        while (is_continuation(*end)) end++;
        memcpy(cut, gap, GAP);
        memmove(cut + GAP, end, strlen(end) + 1);
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

int plb_reject_null(plb_message *message, const char *function, const char *names,
                    const void *const *given, size_t count) {
    for (size_t g = 0; g < count; g++)
        if (!given[g])
            return plb_fail(message, PLB_EARGUMENT, "NULL was given to %s, which needs: %s",
                            function, names);
    return PLB_OK;
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

/* ---- text that is to be shown ---- */

/* Refuses surrogates, overlong forms, and codes above U+10FFFF. */
size_t plb_text_character(const char *text, size_t size, uint32_t *code) {
    static const uint32_t min_code[] = {0, 0, 0x80, 0x800, 0x10000};
    const uint8_t *at = (const uint8_t *)text;
    size_t bytes = *at < 0x80 ? 1 : *at < 0xC2 ? 0 : *at < 0xE0 ? 2 : *at < 0xF0 ? 3 : 4;
    if (bytes > size || !bytes || *at > 0xF4) return 0;
    *code = bytes == 1 ? *at : *at & (0x7F >> bytes);
    for (size_t b = 1; b < bytes; b++) {
        if ((at[b] & 0xC0) != 0x80) return 0;
        *code = *code << 6 | (at[b] & 0x3F);
    }
    bool is_surrogate = *code >= 0xD800 && *code <= 0xDFFF;
    return *code >= min_code[bytes] && *code <= 0x10FFFF && !is_surrogate ? bytes : 0;
}

/* Size of the character at the beginning of a text; 0: malformed, or a control character. */
static size_t plain_bytes(const char *at, size_t size) {
    uint32_t code;
    size_t bytes = plb_text_character(at, size, &code);
    return bytes && code >= ' ' && (code < 0x7F || code > 0x9F) ? bytes : 0;
}

bool plb_text_is_plain(const char *text, size_t size) {
    for (const char *at = text, *end = text + size; at < end;) {
        size_t bytes = plain_bytes(at, end - at);
        if (!bytes) return false;
        at += bytes;
    }
    return true;
}

void plb_text_make_plain(char *text) {
    for (char *at = text, *end = text + strlen(text); at < end;) {
        size_t bytes = plain_bytes(at, end - at);
        if (!bytes) *at = '?';
        at += bytes ? bytes : 1;
    }
}
