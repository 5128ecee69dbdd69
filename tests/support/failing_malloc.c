/* SPDX-License-Identifier: MIT
 *
 * The failing allocator counts, then calls the real one: that of the C library, or in a build with
 * sanitizers that of the sanitizer.
 */
#include "tests/support/failing_malloc.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define REAL(name) __interceptor_##name
#else
#define REAL(name) __libc_##name
#endif
void *REAL(malloc)(size_t size);
void *REAL(calloc)(size_t count, size_t size);
void *REAL(realloc)(void *block, size_t size);
void *REAL(memalign)(size_t alignment, size_t size);
void REAL(free)(void *block);

static atomic_bool armed, failed, fails_for_good;
static atomic_ullong calls_left;
static atomic_llong live;
static atomic_size_t bound = SIZE_MAX, max_size;

/* ---- when to fail ---- */

void failing_malloc_arm(uint64_t nth, bool for_good) {
    calls_left = nth;
    fails_for_good = for_good;
    failed = false;
    armed = true;
}

bool failing_malloc_disarm(void) {
    armed = false;
    return failed;
}

int64_t failing_malloc_live(void) {
    return live;
}

size_t failing_malloc_bound(size_t bytes) {
    bound = bytes;
    return atomic_exchange(&max_size, 0);
}

static bool must_fail(void) {
    if (!armed) return false;
    if (!(failed && fails_for_good) && --calls_left > 0) return false;
    failed = true;
    if (!fails_for_good) armed = false;
    errno = ENOMEM;
    return true;
}

/* ---- the allocator ---- */

static void *counted(void *block) {
    if (block) live++;
    return block;
}

void *malloc(size_t size) {
    return must_fail() ? NULL : counted(REAL(malloc)(size));
}

void *calloc(size_t count, size_t size) {
    return must_fail() ? NULL : counted(REAL(calloc)(count, size));
}

void *realloc(void *block, size_t size) {
    if (must_fail()) return NULL;
    void *moved = REAL(realloc)(block, size);
    return block ? moved : counted(moved);
}

void *aligned_alloc(size_t alignment, size_t size) {
    if (size > max_size) max_size = size;
    return size > bound || must_fail() ? NULL : counted(REAL(memalign)(alignment, size));
}

void *memalign(size_t alignment, size_t size) {
    return must_fail() ? NULL : counted(REAL(memalign)(alignment, size));
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    if (must_fail()) return ENOMEM;
    void *made = counted(REAL(memalign)(alignment, size));
    if (made) *block = made;
    return made ? 0 : ENOMEM;
}

void free(void *block) {
    if (block) live--;
    REAL(free)(block);
}

/* The strdup of a sanitizer would not call the malloc above. */
char *strdup(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}
