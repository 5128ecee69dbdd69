/* SPDX-License-Identifier: MIT */
#include "tools/serve/request_stream.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void lose(request_stream *s) {
    s->state = STREAM_LOST;
    s->malformed = s->requests;
}

/* ---- lines ---- */

/* The line is the end of the head, or a header, of which the length of the body is read. A longer
 * line is not seen as a whole; no Content-Length needs one. */
static void end_line(request_stream *s) {
    static const char name[] = "content-length:";
    bool whole = s->line_size < STREAM_LINE;
    s->line[whole ? s->line_size : STREAM_LINE - 1] = 0;
    if (s->line_size == 0)
        s->state = s->body ? STREAM_BODY : STREAM_BETWEEN;
    else if (s->has_line && strchr(" \t:", *s->line))
        lose(s);
    else if (strncasecmp(s->line, name, strlen(name)) == 0 && whole)
        s->body = strtoull(s->line + strlen(name), NULL, 10);
    else if (strncasecmp(s->line, name, strlen(name)) == 0)
        lose(s);
    s->has_line = true;
    s->ends = false;
    s->line_size = 0;
}

/* Take bytes up to the end of the line, of which the beginning is kept. CR must be followed by LF,
 * and LF must follow CR. */
static size_t take_line(request_stream *s, char *bytes, size_t size) {
    static const char cookie[] = "cookie";
    const size_t last = sizeof cookie - 2; /* letter */
    const char *line_feed = memchr(bytes, '\n', size);
    size_t taken = line_feed ? (size_t)(line_feed - bytes) + 1 : size;
    size_t text = line_feed ? taken - 1 : taken; /* and CR, unless it came before */
    const char *end = memchr(bytes, '\r', text);
    if (end && end == bytes + text - 1 && !s->ends) {
        s->ends = true;
        text--;
        end = NULL;
    } else if (text) {
        end = s->ends ? bytes : end;
    }
    if (end || memchr(bytes, 0, text) || (line_feed && !s->ends)) {
        lose(s);
        return size;
    }
    size_t space = s->line_size < STREAM_LINE ? STREAM_LINE - s->line_size : 0;
    memcpy(s->line + (STREAM_LINE - space), bytes, text < space ? text : space);
    if (s->line_size <= last && s->line_size + text > last &&
        strncasecmp(s->line, cookie, last + 1) == 0)
        bytes[last - s->line_size] = '-';
    s->line_size += text;
    if (line_feed) end_line(s);
    return taken;
}

/* ---- the stream ---- */

bool request_stream_take(request_stream *s, char *bytes, size_t size) {
    int begun = s->requests;
    for (size_t taken; size && s->state != STREAM_LOST; bytes += taken, size -= taken) {
        taken = 0;
        if (s->state == STREAM_HEAD) {
            taken = take_line(s, bytes, size);
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
