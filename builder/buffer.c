/* SPDX-License-Identifier: MIT */
#include "builder/buffer.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tables/bits.h"
#include "tables/message.h"

enum {
    LINE = 64, /* of the processor's cache, bytes */
    PAGE = 4096,
    HUGE_BYTES = 16 << 20, /* from here on huge pages pay */
    SMALL_WORDS = 1 << 17, /* of a buffer that is not big, at most */
};

int plb_words_reserve(plb_words *buffer, size_t words) {
    bool fits = words + 1 <= buffer->capacity;
    if (fits && (buffer->capacity <= SMALL_WORDS || buffer->capacity / 4 <= words)) return PLB_OK;
    plb_words_free(buffer);
    size_t bytes = plb_divide_up((words + 1) * sizeof *buffer->words, LINE) * LINE;
    buffer->words = aligned_alloc(LINE, bytes);
    if (!buffer->words) return PLB_ENOMEM;
    buffer->capacity = bytes / sizeof *buffer->words;
    memset(buffer->words + words, 0, (buffer->capacity - words) * sizeof *buffer->words);
    if (bytes >= HUGE_BYTES) {
        /* Ask for huge pages, else most of the time is page faults. What they do not fit at the
         * ends is left to small ones: to align big buffers to huge pages would cost address space,
         * which counts. */
        uint8_t *memory = (uint8_t *)buffer->words;
        size_t ahead = -(uintptr_t)memory % PAGE;
        madvise(memory + ahead, bytes - ahead, MADV_HUGEPAGE);
    }
    return PLB_OK;
}

void plb_words_free(plb_words *buffer) {
    free(buffer->words);
    *buffer = (plb_words){NULL, 0};
}

void plb_words_free_big(plb_words *buffer) {
    if (buffer->capacity > SMALL_WORDS) plb_words_free(buffer);
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

/* ---- ranges of addresses ---- */

static uint8_t *map_bytes(uint64_t bytes) {
    return mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* The same if as much is left. */
static uint8_t *map_half(uint64_t bytes) {
    uint8_t *half = map_bytes(bytes), *rest = map_bytes(bytes);
    if (rest != MAP_FAILED) munmap(rest, bytes);
    if (rest != MAP_FAILED || half == MAP_FAILED) return half;
    munmap(half, bytes);
    return MAP_FAILED;
}

/* Where the system grants less, less is mapped: at most half of what is left of the address space,
 * as all else has to have some. */
plb_huge_pages plb_huge_pages_map(uint64_t bytes) {
    const uint64_t aligning = PLB_HUGE_PAGE; /* so that huge pages can be aligned */
    bytes -= bytes % PLB_HUGE_PAGE;
    uint8_t *mapped = bytes ? map_bytes(bytes + aligning) : MAP_FAILED;
    while (mapped == MAP_FAILED && bytes) {
        bytes = bytes / 2 / PLB_HUGE_PAGE * PLB_HUGE_PAGE;
        if (bytes) mapped = map_half(bytes + aligning);
    }
    if (mapped == MAP_FAILED) return (plb_huge_pages){NULL, 0, NULL, 0};
    uint64_t mapped_bytes = bytes + aligning;
    madvise(mapped, mapped_bytes, MADV_HUGEPAGE); /* else much of the time is page faults */
    uint8_t *first = mapped + (PLB_HUGE_PAGE - (uintptr_t)mapped % PLB_HUGE_PAGE);
    return (plb_huge_pages){first, bytes, mapped, mapped_bytes};
}

void plb_huge_pages_unmap(plb_huge_pages *range) {
    if (range->mapped) munmap(range->mapped, range->mapped_bytes);
    *range = (plb_huge_pages){NULL, 0, NULL, 0};
}

bool plb_huge_pages_set(const plb_huge_pages *range, uint64_t from, uint64_t bytes, bool writable) {
    if (!bytes) return true; /* there may be no range */
    uint8_t *pages = range->bytes + from;
    if (!writable) madvise(pages, bytes, MADV_DONTNEED);
    return mprotect(pages, bytes, writable ? PROT_READ | PROT_WRITE : PROT_NONE) == 0;
}
