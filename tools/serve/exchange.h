/* SPDX-License-Identifier: MIT
 *
 * A request as routes see it, and their answer to it. What carries them is not known here.
 */
#ifndef PLB_TOOLS_SERVE_EXCHANGE_H
#define PLB_TOOLS_SERVE_EXCHANGE_H

#include <stdint.h>
#include <stdio.h>

#include "tools/serve/request_target.h"

typedef enum http_method { HTTP_GET, HTTP_HEAD, HTTP_POST, HTTP_OPTIONS, HTTP_OTHER } http_method;

typedef struct http_request {
    http_method method;
    request_target target;
    const char *body; /* [body_size] */
    size_t body_size;
    /* Headers; NULL where there is none. */
    const char *host, *content_type, *if_none_match, *accept_encoding;
    int socket; /* of the client */
} http_request;

/* For how long an answer may be kept. */
typedef enum http_caching {
    CACHE_NEVER,  /* no-store */
    CACHE_ASK,    /* no-cache: kept, but asked for each time */
    CACHE_HOUR,   /* an hour, and a day while it is asked for again */
    CACHE_ALWAYS, /* what stands at this address never changes */
} http_caching;

/* Which headers go with an answer besides those of its content. */
typedef enum http_audience {
    FOR_PROGRAMS,    /* of any origin, as --cors has it, at addresses that are for them */
    FOR_SAME_ORIGIN, /* programs of this origin */
    FOR_BROWSERS,    /* a page: what it may load and do */
    FOR_FRAMES,      /* a page that may stand in the pages of others */
} http_audience;

enum { ETAG_TEXT = 48 };

struct search_work; /* search_queue.h */

typedef struct http_answer {
    struct search_work *work; /* NULL, or all else is found by this search */
    int status;
    const char *type; /* of the content; static storage */
    char *body;       /* [size]; freed with the answer if it is owned */
    size_t size;
    bool owned, gzip, varies; /* gzip: as it is encoded; varies: it may be with other requests */
    http_caching caching;
    http_audience audience;
    char etag[ETAG_TEXT]; /* with its quotes; "": none */
    const char *allow;    /* methods, of statuses 204 and 405; else NULL */
    bool preflight;       /* it tells programs of other origins what they may do */
    int problem;          /* 1 and its problem_kind (problems.h); 0: none */
    int retry_seconds;    /* when to try again; 0: it does not say */
} http_answer;

/* Begin an answer; what it held is freed. */
void http_answer_begin(http_answer *answer, int status, const char *type);

/* Make an answer a copy of another one, which owns its body; out of memory it is of status 503.
 * What it held is freed. */
void http_answer_copy(http_answer *answer, const http_answer *of);

/* Free what it owns. */
void http_answer_free(http_answer *answer);

/* Give an answer a body that it owns: from malloc, or NULL where memory did not suffice, which
 * makes it an answer of status 503. */
void http_answer_own(http_answer *answer, char *body, size_t size);

/* Does an Accept-Encoding header, or NULL, take gzip? Not with a weight of 0 (RFC 9110, 12.5.3). */
bool http_takes_gzip(const char *accept_encoding);

/* Is one of the tags of an If-None-Match header, or NULL, that of the answer? */
bool http_is_known(const char *if_none_match, const char *etag);

/* A stream into memory that knows whether everything got there: open_memstream loses what it has no
 * memory for, and only the call that wrote it sees the error. */
typedef struct text_stream {
    char *text; /* [capacity], the first `size` bytes are written */
    size_t size, capacity;
    char buffer[4096]; /* of the FILE */
} text_stream;

/* Begin; NULL: memory does not suffice. The stream must stay where it is. */
FILE *text_stream_open(text_stream *stream);

/* End. Returns the text, of *size bytes and a zero byte after them, to be freed; NULL: memory did
 * not suffice for all of it. The FILE may be NULL. */
char *text_stream_close(text_stream *stream, FILE *to, size_t *size);

#endif
