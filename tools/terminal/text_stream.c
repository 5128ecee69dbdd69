/* SPDX-License-Identifier: MIT */
#include "tools/terminal/text_stream.h"

#include <stdlib.h>
#include <string.h>

#include "tables/array.h"

enum { FIRST_CAPACITY = 8192 };

/* After a short write, ferror is true of the FILE. */
static ssize_t write_bytes(void *cookie, const char *bytes, size_t count) {
    text_stream *s = cookie;
    if (s->size + count + 1 > s->capacity) {
        size_t capacity = s->capacity ? 2 * s->capacity : FIRST_CAPACITY;
        while (capacity < s->size + count + 1) capacity *= 2;
        if (!plb_array_resize(&s->text, capacity)) return 0;
        s->capacity = capacity;
    }
    memcpy(s->text + s->size, bytes, count);
    s->size += count;
    s->text[s->size] = 0;
    return (ssize_t)count;
}

/* The FILE gets a buffer here: if it cannot allocate one, it loses a character without an error. */
FILE *text_stream_open(text_stream *stream) {
    *stream = (text_stream){0};
    write_bytes(stream, "", 0); /* so that an empty text is not NULL */
    FILE *to = stream->text
                   ? fopencookie(stream, "w", (cookie_io_functions_t){.write = write_bytes})
                   : NULL;
    if (to) setvbuf(to, stream->buffer, _IOFBF, sizeof stream->buffer);
    return to;
}

bool text_stream_close(text_stream *stream, FILE *to) {
    bool is_whole = to && fflush(to) == 0 && !ferror(to);
    if (to && fclose(to) != 0) is_whole = false;
    if (is_whole) return true;
    free(stream->text);
    stream->text = NULL;
    return false;
}
