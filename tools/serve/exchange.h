/* SPDX-License-Identifier: MIT
 *
 * An HTTP request and its answer, independent of the HTTP library; and the kinds of problems with
 * which requests are refused (RFC 9457). Each has a status, and an address, /problems/NAME, with a
 * page that explains it. Errors of the library are mapped to these kinds.
 *
 * Must not know: routes, tables.
 */
#pragma once

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
    int problem;          /* 1 + problem_kind; 0: none */
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

/* Does an Accept-Encoding header (or NULL) accept gzip, by a weight above 0 (RFC 9110, 12.5.3)? */
bool http_accepts_gzip(const char *accept_encoding);

/* Does an If-None-Match header (or NULL) list this ETag? */
bool http_etag_matches(const char *if_none_match, const char *etag);

/* Close a text stream and answer with its text, or with status 503 if memory ran out. `to` may be
 * NULL. */
void http_answer_stream(http_answer *answer, const char *type, text_stream *stream, FILE *to);

/* ---- problems ---- */

/* Kind, name in the address, status, title, explanation. */
#define PROBLEMS(X)                                                                            \
    X(MALFORMED_POSITION, "malformed-position", 400, "The position is malformed",              \
      "The text is not a board or a list of moves of this game. A board is written by rows "   \
      "from the top, with / between them; the page of the table shows an example.")            \
    X(OTHER_BOARD, "other-board", 400, "The board has another size",                           \
      "The text has another number of rows or columns than the game.")                         \
    X(IMPOSSIBLE_COUNTS, "impossible-counts", 400, "The position is refused",                  \
      "Players move in turn and x begins, so x has as many stones as o, or one more.")         \
    X(FLOATING_STONE, "floating-stone", 400, "The position is refused",                        \
      "In games with gravity there is no empty cell below a stone.")                           \
    X(BEYOND_THE_END, "beyond-the-end", 400, "The position is refused",                        \
      "The game was over before the last stones were placed.")                                 \
    X(UNREACHABLE, "unreachable", 400, "The position is refused",                              \
      "No sequence of moves leads to the position, although the numbers of stones are right.") \
    X(ILLEGAL_MOVE, "illegal-move", 400, "A move cannot be played",                            \
      "A move is off the board, on an occupied cell or after the end of the game.")            \
    X(BAD_REQUEST, "bad-request", 400, "The request is malformed",                             \
      "The head of the request, or its target, is not valid HTTP.")                            \
    X(BAD_PARAMETER, "bad-parameter", 400, "A parameter is invalid",                           \
      "A parameter of the query is not known here, is given twice, or has an invalid value.")  \
    X(BAD_BODY, "bad-body", 400, "The body is invalid",                                        \
      "The body is not JSON, is not a list of positions, or has too many positions.")          \
    X(NO_SUCH_TABLE, "no-such-table", 404, "There is no such table",                           \
      "The server has no table of this game; /v1/tables lists those that it has.")             \
    X(NO_SUCH_ROUTE, "no-such-address", 404, "There is nothing at this address",               \
      "/api describes the addresses of this server.")                                          \
    X(TABLE_REPLACED, "table-replaced", 404, "The table has been replaced",                    \
      "The parameter v asks for the answers of one particular table, which has been "          \
      "replaced by another table of this game.")                                               \
    X(NOT_KNOWN, "not-known", 404, "The table does not have the answer",                       \
      "A strategy answers only the positions that arise when its player follows it.")          \
    X(METHOD, "method", 405, "The method is not allowed here",                                 \
      "The header Allow lists the methods of this address.")                                   \
    X(LENGTH_NEEDED, "length-needed", 411, "The length of the body is needed",                 \
      "A request with a body needs a Content-Length; Transfer-Encoding is not supported.")     \
    X(BODY_TOO_LARGE, "body-too-large", 413, "The body is too large",                          \
      "/v1 lists how many bytes and positions a request may have.")                            \
    X(TOO_MUCH_WORK, "too-much-work", 413, "The positions take too long",                      \
      "/v1 lists the time limits of a batch and of an export. Request fewer positions at "     \
      "once.")                                                                                 \
    X(TARGET_TOO_LONG, "target-too-long", 414, "The target is too long",                       \
      "/v1 lists how long the target of a request may be.")                                    \
    X(MEDIA_TYPE, "media-type", 415, "The type of the body is not supported",                  \
      "Positions are sent as application/json or text/plain.")                                 \
    X(WRONG_HOST, "wrong-host", 421, "The request is for another host",                        \
      "The server only answers requests to its own address, so that a page of another site "   \
      "cannot reach it by another name. The option --host adds names.")                        \
    X(HEAD_TOO_LARGE, "head-too-large", 431, "The head of the request is too large",           \
      "/v1 lists how many bytes and lines it may have.")                                       \
    X(DAMAGED_TABLE, "damaged-table", 500, "The table is damaged",                             \
      "The file does not contain what was written. No value is guessed; other positions of "   \
      "the table may still be answered. `plybase verify` checks every block.")                 \
    X(OUT_OF_MEMORY, "out-of-memory", 503, "The server is out of memory",                      \
      "The same request may succeed later.")                                                   \
    X(BUSY, "busy", 503, "The server is busy",                                                 \
      "The queue for searches is full, or all connections are in use. Retry-After says "       \
      "when to try again. Tables with distances (built with --values dtm) need no searches.")  \
    X(DRAINING, "draining", 503, "The server is shutting down",                                \
      "It finishes the requests that have begun and accepts no new ones.")

typedef enum problem_kind {
#define KIND(kind, name, status, title, explanation) PROBLEM_##kind,
    PROBLEMS(KIND)
#undef KIND
        PROBLEM_KINDS
} problem_kind;

/* All texts are in static storage. */
typedef struct problem_description {
    const char *name; /* in the address */
    int status;
    const char *title, *explanation;
} problem_description;

extern const problem_description problem_descriptions[PROBLEM_KINDS];

/* Answer with a problem and a sentence about this request. Caching is CACHE_NEVER; the caller may
 * change it. */
void answer_problem(http_answer *answer, problem_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for BAD_PARAMETER, with the name of the parameter. */
void answer_bad_parameter(http_answer *answer, const char *parameter, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for an error of the library. parameter: the one that is wrong, or NULL. */
void answer_error(http_answer *answer, int error, const plb_message *message,
                  const char *parameter);
