/* SPDX-License-Identifier: MIT */
#include "tools/serve/exchange.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tables/array.h"

enum { FIRST_CAPACITY = 8192 }; /* of a stream */

void http_answer_begin(http_answer *answer, int status, const char *type) {
    http_answer_free(answer);
    *answer = (http_answer){.status = status, .type = type};
}

void http_answer_free(http_answer *answer) {
    if (answer->owned) free(answer->body);
    answer->body = NULL;
    answer->owned = false;
}

void http_answer_own(http_answer *answer, char *body, size_t size) {
    static char nothing[] = "{\"title\":\"Memory does not suffice\",\"status\":503}\n";
    if (body) {
        answer->body = body;
        answer->size = size;
        answer->owned = true;
        return;
    }
    *answer = (http_answer){.status = 503,
                            .type = "application/problem+json",
                            .body = nothing,
                            .size = sizeof nothing - 1,
                            .retry_seconds = 1};
}

void http_answer_copy(http_answer *answer, const http_answer *of) {
    http_answer_free(answer);
    *answer = *of;
    answer->owned = false;
    if (!of->owned) return;
    char *body = malloc(of->size + 1);
    if (body) memcpy(body, of->body, of->size);
    http_answer_own(answer, body, of->size);
}

/* Is a coding, whose name ends at `end`, of the weight 0? */
static bool is_refused(const char *end) {
    end += strspn(end, " \t;");
    if (strncasecmp(end, "q=0", 3) != 0) return false;
    end += strlen("q=0");
    end += strspn(end, ".0");
    return !*end || strchr(" \t,", *end);
}

bool http_takes_gzip(const char *accept_encoding) {
    bool takes = false;
    for (const char *name = accept_encoding; name && *name; name += strcspn(name, ",")) {
        name += strspn(name, " \t,");
        size_t length = strcspn(name, " \t;,");
        bool is_any = length == 1 && *name == '*';
        if (!is_any && (length != strlen("gzip") || strncasecmp(name, "gzip", length) != 0))
            continue;
        if (!is_any) return !is_refused(name + length);
        takes = !is_refused(name + length);
    }
    return takes;
}

bool http_is_known(const char *if_none_match, const char *etag) {
    size_t length = strlen(etag);
    for (const char *tag = if_none_match; tag && *tag && length;) {
        tag += strspn(tag, " \t,");
        if (strncmp(tag, "W/", 2) == 0) tag += 2;
        size_t tag_length = strcspn(tag, " \t,");
        if (tag_length == length && memcmp(tag, etag, length) == 0) return true;
        tag += tag_length;
    }
    return false;
}

/* ---- a stream into memory ---- */

/* A short write leaves the error in the FILE, where ferror finds it. */
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

/* A FILE that has no memory for its buffer loses a character without an error: it is given one. */
FILE *text_stream_open(text_stream *stream) {
    *stream = (text_stream){0};
    write_bytes(stream, "", 0); /* so that an empty text is one */
    FILE *to = stream->text
                   ? fopencookie(stream, "w", (cookie_io_functions_t){.write = write_bytes})
                   : NULL;
    if (to) setvbuf(to, stream->buffer, _IOFBF, sizeof stream->buffer);
    return to;
}

void http_answer_stream(http_answer *answer, const char *type, text_stream *stream, FILE *to) {
    bool whole = to && fflush(to) == 0 && !ferror(to);
    if (to && fclose(to) != 0) whole = false;
    if (!whole) {
        free(stream->text);
        stream->text = NULL;
    }
    http_answer_begin(answer, 200, type);
    http_answer_own(answer, stream->text, stream->size);
}
