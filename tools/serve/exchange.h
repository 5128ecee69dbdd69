/* SPDX-License-Identifier: MIT
 *
 * A request and its answer, independent of the library that carries them.
 */
#ifndef PLB_TOOLS_SERVE_EXCHANGE_H
#define PLB_TOOLS_SERVE_EXCHANGE_H

#include <stdint.h>
#include <stdio.h>

#include "tools/serve/request_target.h"
#include "tools/terminal/text_stream.h"

typedef enum http_method { HTTP_GET, HTTP_HEAD, HTTP_POST, HTTP_OPTIONS, HTTP_OTHER } http_method;

typedef struct http_request {
    http_method method;
    request_target target;
    const char *body; /* [body_size] */
    size_t body_size;
    /* Headers; NULL where there is none. */
    const char *host, *content_type, *if_none_match, *accept, *accept_encoding;
} http_request;

/* How long an answer may be cached. */
typedef enum http_caching {
    CACHE_NEVER,  /* no-store */
    CACHE_ASK,    /* no-cache: cached, but asked for each time */
    CACHE_TABLE,  /* no-cache; always, where ?v= names the table */
    CACHE_ALWAYS, /* what is at this address never changes */
} http_caching;

/* For whom an answer is, which decides its headers besides those of its content. */
typedef enum http_audience {
    FOR_PROGRAMS,    /* of origins as of --cors, at addresses that are shared */
    FOR_SAME_ORIGIN, /* programs of this origin */
    FOR_BROWSERS,    /* a page: what it may load and do */
    FOR_FRAMES,      /* a page that others may embed */
} http_audience;

enum { ETAG_TEXT = 48 };

struct search_work; /* search_queue.h */

typedef struct http_answer {
    struct search_work *work; /* NULL; else this search finds everything below */
    int status;
    const char *type; /* of the content; static storage */
    char *body;       /* [size]; freed with the answer if it is owned */
    size_t size;
    bool owned, gzip, varies; /* gzip: it is encoded; varies: that depends on the request */
    http_caching caching;
    http_audience audience;
    char etag[ETAG_TEXT]; /* with its quotes; "": none */
    const char *allow;    /* methods, of statuses 204 and 405; else NULL */
    bool preflight;       /* it says what pages of other origins may do */
    int problem;          /* 1 and its problem_kind (problems.h); 0: none */
    int retry_seconds;    /* when to try again; 0: not said */
    int refused_lines;    /* of a batch as text, and those that differ from what is expected */
    int differing_lines;
} http_answer;

/* Begin an answer; its body is freed. */
void http_answer_begin(http_answer *answer, int status, const char *type);

/* Make an answer a copy of another one, with its own body; out of memory it has status 503. Its old
 * body is freed. */
void http_answer_copy(http_answer *answer, const http_answer *of);

/* Free its body. */
void http_answer_free(http_answer *answer);

/* Give an answer a body that it owns, from malloc; NULL, when memory did not suffice, makes it an
 * answer of status 503. */
void http_answer_own(http_answer *answer, char *body, size_t size);

/* Does an Accept-Encoding header, or NULL, accept gzip? Not with weight 0 (RFC 9110, 12.5.3). */
bool http_takes_gzip(const char *accept_encoding);

/* Is the tag of an answer among those of an If-None-Match header, or NULL? */
bool http_is_known(const char *if_none_match, const char *etag);

/* End a stream, and answer with the text, or as of http_answer_own if memory did not suffice for
 * all of it. The FILE may be NULL. */
void http_answer_stream(http_answer *answer, const char *type, text_stream *stream, FILE *to);

#endif
