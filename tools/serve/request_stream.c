/* SPDX-License-Identifier: MIT */
#include "tools/serve/request_stream.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void set_malformed(request_stream *s) {
    s->state = STREAM_MALFORMED;
    s->malformed = s->requests;
}

/* ---- lines ---- */

/* Process a whole line of a head: read Content-Length; an empty line ends the head. A
 * Content-Length line that is too long for LINE_PREFIX is malformed. */
static void end_line(request_stream *s) {
    static const char name[] = "content-length:";
    bool whole = s->line_size < LINE_PREFIX;
    s->line[whole ? s->line_size : LINE_PREFIX - 1] = 0;
    if (s->line_size == 0)
        s->state = s->body ? STREAM_BODY : STREAM_BETWEEN;
    else if (s->has_first_line && strchr(" \t:", *s->line))
        set_malformed(s);
    else if (strncasecmp(s->line, name, strlen(name)) == 0 && whole)
        s->body = strtoull(s->line + strlen(name), NULL, 10);
    else if (strncasecmp(s->line, name, strlen(name)) == 0)
        set_malformed(s);
    s->has_first_line = true;
    s->after_cr = false;
    s->line_size = 0;
}

/* Parse bytes up to the end of the line, and keep its first ones. Each CR must be followed by LF,
 * and each LF must follow CR. Returns the number of bytes. */
static size_t parse_line(request_stream *s, char *bytes, size_t size) {
    static const char cookie[] = "cookie";
    const size_t last = sizeof cookie - 2; /* index of its last letter */
    const char *line_feed = memchr(bytes, '\n', size);
    size_t taken = line_feed ? (size_t)(line_feed - bytes) + 1 : size;
    size_t text = line_feed ? taken - 1 : taken; /* bytes before LF */
    const char *end = memchr(bytes, '\r', text);
    if (end && end == bytes + text - 1 && !s->after_cr) {
        s->after_cr = true;
        text--;
        end = NULL;
    } else if (text) {
        end = s->after_cr ? bytes : end;
    }
    if (end || memchr(bytes, 0, text) || (line_feed && !s->after_cr)) {
        set_malformed(s);
        return size;
    }
    size_t space = s->line_size < LINE_PREFIX ? LINE_PREFIX - s->line_size : 0;
    memcpy(s->line + (LINE_PREFIX - space), bytes, text < space ? text : space);
    if (s->line_size <= last && s->line_size + text > last &&
        strncasecmp(s->line, cookie, last + 1) == 0)
        bytes[last - s->line_size] = '-';
    s->line_size += text;
    if (line_feed) end_line(s);
    return taken;
}

/* ---- the stream ---- */

bool request_stream_parse(request_stream *s, char *bytes, size_t size) {
    int begun = s->requests;
    for (size_t taken; size && s->state != STREAM_MALFORMED; bytes += taken, size -= taken) {
        taken = 0;
        if (s->state == STREAM_HEAD) {
            taken = parse_line(s, bytes, size);
        } else if (s->state == STREAM_BODY) {
            taken = size < s->body ? size : (size_t)s->body;
            s->body -= taken;
            if (!s->body) s->state = STREAM_BETWEEN;
        } else { /* line ends between requests are skipped */
            while (taken < size && (bytes[taken] == '\r' || bytes[taken] == '\n')) taken++;
            int requests = s->requests + 1;
            if (taken < size) *s = (request_stream){.state = STREAM_HEAD, .requests = requests};
        }
    }
    return s->requests > begun;
}
