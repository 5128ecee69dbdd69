/* SPDX-License-Identifier: MIT */
#include "builder/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tables/bits.h"
#include "tables/message.h"

enum {
    LINE = 64, /* of the processor's cache, bytes */
    HUGE_PAGE = 2 << 20,
    HUGE_BYTES = 16 << 20, /* from here on huge pages pay */
    SMALL_WORDS = 1 << 17, /* a buffer of up to so many is never given back */
};

void *plb_allocate_big(size_t bytes) {
    bool huge = bytes >= HUGE_BYTES;
    size_t unit = huge ? HUGE_PAGE : LINE;
    bytes = plb_divide_up(bytes, unit) * unit;
    void *memory = aligned_alloc(unit, bytes);
    /* Else most of the time is page faults. */
    if (memory && huge) madvise(memory, bytes, MADV_HUGEPAGE);
    return memory;
}

int plb_words_reserve(plb_words *buffer, size_t words) {
    bool fits = words + 1 <= buffer->capacity;
    if (fits && (buffer->capacity <= SMALL_WORDS || buffer->capacity / 4 <= words)) return PLB_OK;
    plb_words_free(buffer);
    buffer->words = plb_allocate_big((words + 1) * sizeof *buffer->words);
    if (!buffer->words) return PLB_ENOMEM;
    buffer->capacity = words + 1;
    return PLB_OK;
}

void plb_words_free(plb_words *buffer) {
    free(buffer->words);
    *buffer = (plb_words){NULL, 0};
}

int plb_bytes_reserve(plb_bytes *list, size_t capacity) {
    if (capacity <= list->capacity) return PLB_OK;
    uint8_t *bytes = realloc(list->bytes, capacity);
    if (!bytes) return PLB_ENOMEM;
    list->bytes = bytes;
    list->capacity = capacity;
    return PLB_OK;
}

int plb_bytes_append(plb_bytes *list, const plb_bytes *more) {
    size_t size = list->size + more->size;
    if (size > list->capacity && plb_bytes_reserve(list, size + size / 4)) return PLB_ENOMEM;
    memcpy(list->bytes + list->size, more->bytes, more->size);
    list->size = size;
    return PLB_OK;
}

void plb_bytes_free(plb_bytes *list) {
    free(list->bytes);
    *list = (plb_bytes){NULL, 0, 0};
}
