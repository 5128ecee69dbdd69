/* SPDX-License-Identifier: MIT
 *
 * The target of an HTTP request (RFC 9112, 3.2.1): a path and a query, parsed and decoded.
 *
 *     /v1/tables/connect-5x5-k4/positions?board=5/5/5/3o1/2oxx
 *     segments  v1  tables  connect-5x5-k4  positions
 *     parameters  board = 5/5/5/3o1/2oxx
 *
 * Only the origin form is accepted: a path that begins with a slash. A path that another program
 * could understand differently is refused, not normalized: empty segments (except after a final
 * slash), `.` and `..`, an encoded slash or backslash, control characters, a percent sign without
 * two hexadecimal digits. In the query `+` is a blank, as browsers send it, and an empty parameter
 * is ignored.
 *
 * Must not know: routes, tables.
 */
#pragma once

#include "tables/message.h"

enum { TARGET_SEGMENTS = 8, TARGET_PARAMETERS = 16 };

typedef struct target_parameter {
    const char *name, *value; /* value: "" if there is none */
} target_parameter;

typedef struct request_target {
    int segments, parameters;
    const char *segment[TARGET_SEGMENTS]; /* [segments]; the target `/` has none */
    target_parameter parameter[TARGET_PARAMETERS];
} request_target;

/* Parse and decode a target in place: all names and values point into the text.
 * Errors: PLB_ESYNTAX. */
int request_target_parse(char *text, request_target *target, plb_message *message);

/* The value of the first parameter with this name; NULL: there is none. */
const char *request_target_find(const request_target *target, const char *name);
