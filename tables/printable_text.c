/* SPDX-License-Identifier: MIT */
#include "tables/printable_text.h"

#include <stdint.h>
#include <string.h>

/* Bytes of the character that begins with a byte; 0 where none does. */
static size_t character_bytes(uint8_t first) {
    if (first < 0x80) return 1;
    if (first < 0xC2) return 0;
    if (first < 0xE0) return 2;
    if (first < 0xF0) return 3;
    return first < 0xF5 ? 4 : 0;
}

/* Code of a character that is whole; 0 where a byte does not belong to it. */
static uint32_t decode(const uint8_t *at, size_t bytes) {
    uint32_t code = bytes == 1 ? at[0] : at[0] & (0x7F >> bytes);
    for (size_t b = 1; b < bytes; b++) {
        if ((at[b] & 0xC0) != 0x80) return 0;
        code = code << 6 | (at[b] & 0x3F);
    }
    return code;
}

/* C0, C1, halves of surrogate pairs, longer forms than needed, and what is beyond Unicode. */
static bool is_plain(uint32_t code, size_t bytes) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    return code >= ' ' && (code < 0x7F || code > 0x9F) && (code < 0xD800 || code > 0xDFFF) &&
           code >= least[bytes] && code <= 0x10FFFF;
}

/* Bytes of the plain character at the beginning of a text; 0 where there is none. */
static size_t plain_bytes(const uint8_t *at, size_t size) {
    size_t bytes = character_bytes(*at);
    return bytes <= size && bytes && is_plain(decode(at, bytes), bytes) ? bytes : 0;
}

bool plb_text_is_plain(const char *text, size_t size) {
    const uint8_t *at = (const uint8_t *)text, *end = at + size;
    while (at < end) {
        size_t bytes = plain_bytes(at, end - at);
        if (!bytes) return false;
        at += bytes;
    }
    return true;
}

void plb_text_make_plain(char *text) {
    for (char *at = text, *end = text + strlen(text); at < end;) {
        size_t bytes = plain_bytes((const uint8_t *)at, end - at);
        if (!bytes) *at = '?';
        at += bytes ? bytes : 1;
    }
}
