/* SPDX-License-Identifier: MIT */
#include "tools/serve/exchange.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void http_answer_begin(http_answer *answer, int status, const char *type) {
    http_answer_free(answer);
    *answer = (http_answer){.status = status, .type = type};
}

void http_answer_free(http_answer *answer) {
    if (answer->owned) free(answer->body);
    answer->body = NULL;
    answer->owned = false;
}

void http_answer_set_body(http_answer *answer, char *body, size_t size) {
    static char nothing[] = "{\"title\":\"The server is out of memory\",\"status\":503}\n";
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

void http_answer_copy(http_answer *answer, const http_answer *from) {
    http_answer_free(answer);
    *answer = *from;
    answer->owned = false;
    if (!from->owned) return;
    char *body = malloc(from->size + 1);
    if (body) memcpy(body, from->body, from->size);
    http_answer_set_body(answer, body, from->size);
}

/* Does `;q=0` follow the name of a coding, which ends at `end`? */
static bool is_refused(const char *end) {
    end += strspn(end, " \t;");
    if (strncasecmp(end, "q=0", 3) != 0) return false;
    end += strlen("q=0");
    end += strspn(end, ".0");
    return !*end || strchr(" \t,", *end);
}

bool http_accepts_gzip(const char *accept_encoding) {
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

bool http_etag_matches(const char *if_none_match, const char *etag) {
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

void http_answer_stream(http_answer *answer, const char *type, text_stream *stream, FILE *to) {
    text_stream_close(stream, to);
    http_answer_begin(answer, 200, type);
    http_answer_set_body(answer, stream->text, stream->size);
}
