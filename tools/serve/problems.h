/* SPDX-License-Identifier: MIT
 *
 * Why a request is refused: the kinds of problems that the service answers with (RFC 9457), each
 * with its status and an address of its own, /problems/NAME, where a page explains it. An error of
 * the library is one of them, with its sentence and its name.
 *
 * Must not know: routes, tables.
 */
#ifndef PLB_TOOLS_SERVE_PROBLEMS_H
#define PLB_TOOLS_SERVE_PROBLEMS_H

#include "tools/serve/exchange.h"

typedef enum problem_kind {
    PROBLEM_MALFORMED_POSITION,
    PROBLEM_OTHER_BOARD,
    PROBLEM_IMPOSSIBLE_COUNTS,
    PROBLEM_FLOATING_STONE,
    PROBLEM_BEYOND_THE_END,
    PROBLEM_UNREACHABLE,
    PROBLEM_ILLEGAL_MOVE,
    PROBLEM_BAD_REQUEST,
    PROBLEM_BAD_PARAMETER,
    PROBLEM_BAD_BODY,
    PROBLEM_NO_SUCH_TABLE,
    PROBLEM_NO_SUCH_ROUTE,
    PROBLEM_TABLE_REPLACED,
    PROBLEM_NOT_KNOWN,
    PROBLEM_METHOD,
    PROBLEM_LENGTH_NEEDED,
    PROBLEM_BODY_TOO_LARGE,
    PROBLEM_TOO_MUCH_WORK,
    PROBLEM_TARGET_TOO_LONG,
    PROBLEM_MEDIA_TYPE,
    PROBLEM_WRONG_HOST,
    PROBLEM_HEAD_TOO_LARGE,
    PROBLEM_DAMAGED_TABLE,
    PROBLEM_OUT_OF_MEMORY,
    PROBLEM_BUSY,
    PROBLEM_DRAINING,
    PROBLEM_KINDS,
} problem_kind;

/* Name and meaning of a kind. Static storage. */
typedef struct problem_description {
    const char *name; /* in its address */
    int status;
    const char *title, *explanation;
} problem_description;

const problem_description *problem_describe(problem_kind kind);

/* Answer with a problem and a sentence. Its caching is CACHE_NEVER; the caller may change it. */
void answer_problem(http_answer *answer, problem_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same, of a parameter of the query. */
void answer_bad_parameter(http_answer *answer, const char *parameter, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for an error of the library; parameter: by which the position was given, or NULL. */
void answer_error(http_answer *answer, int error, const plb_message *message,
                  const char *parameter);

#endif
