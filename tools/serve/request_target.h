/* SPDX-License-Identifier: MIT
 *
 * The target of an HTTP request (RFC 9112, 3.2.1): a path and a query, parsed and decoded.
 *
 *     /v1/tables/connect-5x5-k4/positions?board=5/5/5/3o1/2oxx
 *     segments  v1  tables  connect-5x5-k4  positions
 *     parameters  board = 5/5/5/3o1/2oxx
 *
 * Only the origin form is accepted: a path that begins with a slash. What another program could
 * understand as another path is refused, not normalized: empty segments except the last one (after
 * a slash at the end), `.` and `..`, an encoded slash or backslash in the path, control characters,
 * percent signs without two hexadecimal digits. In the query `+` is a blank, as browsers send it,
 * and an empty parameter is ignored.
 *
 * Must not know: routes, tables.
 */
#ifndef PLB_TOOLS_SERVE_REQUEST_TARGET_H
#define PLB_TOOLS_SERVE_REQUEST_TARGET_H

#include "tables/message.h"

enum { TARGET_SEGMENTS = 8, TARGET_PARAMETERS = 16 };

typedef struct target_parameter {
    const char *name, *value; /* value: "" where there is none */
} target_parameter;

typedef struct request_target {
    int segments, parameters;
    const char *segment[TARGET_SEGMENTS]; /* `/` alone has none */
    target_parameter parameter[TARGET_PARAMETERS];
} request_target;

/* Parse a target in place: what is found points into the text.
 * Errors: PLB_ESYNTAX, with a sentence. */
int request_target_parse(char *text, request_target *target, plb_message *message);

/* The value of the first parameter of a name; NULL: there is none. */
const char *request_target_find(const request_target *target, const char *name);

#endif
