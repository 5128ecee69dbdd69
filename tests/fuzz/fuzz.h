/* SPDX-License-Identifier: MIT
 *
 * Helpers of the fuzz targets. A target is a function of some bytes that ends the process if
 * a required property does not hold; libFuzzer or replay.c (CMakeLists.txt) calls it.
 */
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tables/message.h"

/* The target; libFuzzer defines the name. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* End the process unless the property holds. */
#define FUZZ_REQUIRE(promise) ((promise) ? (void)0 : fuzz_fail(#promise, __FILE__, __LINE__))

_Noreturn static inline void fuzz_fail(const char *promise, const char *file, int line) {
    fprintf(stderr, "%s:%d: broken: %s\n", file, line, promise);
    abort();
}

/* A copy of exactly this size, so that a sanitizer detects reads beyond its end. The caller
 * frees it. */
static inline void *fuzz_copy(const void *bytes, size_t size) {
    void *copy = malloc(size + (size == 0));
    FUZZ_REQUIRE(copy != NULL);
    if (size) memcpy(copy, bytes, size);
    return copy;
}

/* The same as text. */
static inline char *fuzz_copy_text(const uint8_t *bytes, size_t size) {
    char *text = malloc(size + 1);
    FUZZ_REQUIRE(text != NULL);
    if (size) memcpy(text, bytes, size);
    text[size] = 0;
    return text;
}

/* Is a message one sentence, as required after a failure? Fill it with 0xff before the call. */
static inline int fuzz_is_sentence(const plb_message *message) {
    size_t length = strnlen(message->text, sizeof message->text);
    return length > 0 && length < sizeof message->text;
}
