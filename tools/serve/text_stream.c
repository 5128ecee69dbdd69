/* SPDX-License-Identifier: MIT
 *
 * A write of a cookie that is cut short leaves the error in the FILE, where ferror finds it. A FILE
 * that has no memory for its buffer loses a character without an error, so it is given one.
 */
#include "tools/serve/text_stream.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 8192 };

static ssize_t write_bytes(void *cookie, const char *bytes, size_t count) {
    text_stream *s = cookie;
    if (s->size + count + 1 > s->room) {
        size_t room = s->room ? 2 * s->room : FIRST_ROOM;
        while (room < s->size + count + 1) room *= 2;
        char *text = realloc(s->text, room);
        if (!text) return 0;
        s->text = text;
        s->room = room;
    }
    memcpy(s->text + s->size, bytes, count);
    s->size += count;
    s->text[s->size] = 0;
    return (ssize_t)count;
}

FILE *text_stream_open(text_stream *stream) {
    *stream = (text_stream){0};
    write_bytes(stream, "", 0); /* an empty text is one, too */
    FILE *to = stream->text
                   ? fopencookie(stream, "w", (cookie_io_functions_t){.write = write_bytes})
                   : NULL;
    if (to) setvbuf(to, stream->buffer, _IOFBF, sizeof stream->buffer);
    return to;
}

char *text_stream_close(text_stream *stream, FILE *to, size_t *size) {
    bool whole = to && fflush(to) == 0 && !ferror(to);
    if (to && fclose(to) != 0) whole = false;
    if (!whole) {
        free(stream->text);
        stream->text = NULL;
    }
    *size = stream->size;
    return stream->text;
}
