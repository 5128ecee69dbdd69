/* SPDX-License-Identifier: MIT
 *
 * A FILE that writes to memory and reports at its end whether memory sufficed. (open_memstream
 * reports this only to the call that wrote the lost bytes.)
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct text_stream {
    char *text; /* [capacity]: `size` bytes and a zero byte */
    size_t size, capacity;
    char buffer[4096]; /* of the FILE */
} text_stream;

/* Open the stream, which must not be moved. NULL: out of memory. */
FILE *text_stream_open(text_stream *stream);

/* Close the FILE, which may be NULL. The caller frees the text. False: memory did not suffice, and
 * the text is NULL. */
bool text_stream_close(text_stream *stream, FILE *to);
