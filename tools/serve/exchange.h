/* SPDX-License-Identifier: MIT
 *
 * An HTTP request and its answer, independent of the HTTP library.
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
    /* Headers; NULL: absent. */
    const char *host, *content_type, *if_none_match, *accept, *accept_encoding;
} http_request;

/* The Cache-Control of an answer. */
typedef enum http_caching {
    CACHE_NEVER,      /* no-store */
    CACHE_REVALIDATE, /* no-cache: may be stored, but must be validated before each use */
    CACHE_WITH_ID,    /* CACHE_FOREVER if ?v= names the table, else CACHE_REVALIDATE */
    CACHE_FOREVER,    /* immutable: the answer at this address never changes */
} http_caching;

/* Who may read an answer; this decides the headers for security. */
typedef enum http_audience {
    FOR_PROGRAMS,    /* also pages of the origins that --cors allows */
    FOR_SAME_ORIGIN, /* only pages of this origin */
    FOR_BROWSERS,    /* an HTML page, with a content security policy */
    FOR_FRAMES,      /* an HTML page that other sites may embed */
} http_audience;

enum { ETAG_TEXT = 48 };

struct search_work; /* search_queue.h */

typedef struct http_answer {
    struct search_work *work; /* not NULL: this search will write all members below */
    int status;
    const char *type; /* Content-Type; static storage */
    char *body;       /* [size] bytes */
    size_t size;
    bool owned;  /* the body is freed with the answer */
    bool gzip;   /* the body is compressed */
    bool varies; /* whether it is compressed depends on Accept-Encoding */
    http_caching caching;
    http_audience audience;
    char etag[ETAG_TEXT]; /* with its quotes; "": none */
    const char *allow;    /* the methods of the address, for statuses 204 and 405; else NULL */
    bool preflight;       /* the answer to a CORS preflight request */
    int problem;          /* 1 + problem_kind (problems.h); 0: none */
    int retry_seconds;    /* Retry-After; 0: none */
    int refused_lines;    /* of a batch as text */
    int differing_lines;  /* of a batch as text: those that differ from the expected value */
} http_answer;

/* Set status and content type, and reset all else. The old body is freed. */
void http_answer_begin(http_answer *answer, int status, const char *type);

/* Copy an answer with its body. The old body is freed. Out of memory: the answer has status 503. */
void http_answer_copy(http_answer *answer, const http_answer *from);

/* Free the body. */
void http_answer_free(http_answer *answer);

/* Pass the ownership of a body from malloc to an answer. NULL, for out of memory, makes it an
 * answer with status 503. */
void http_answer_set_body(http_answer *answer, char *body, size_t size);

/* Does an Accept-Encoding header (or NULL) accept gzip, with a weight above 0 (RFC 9110, 12.5.3)?
 */
bool http_accepts_gzip(const char *accept_encoding);

/* Does an If-None-Match header (or NULL) list this ETag? */
bool http_etag_matches(const char *if_none_match, const char *etag);

/* Close a text stream and answer with its text, or with status 503 if memory ran out. `to` may be
 * NULL. */
void http_answer_stream(http_answer *answer, const char *type, text_stream *stream, FILE *to);

#endif
