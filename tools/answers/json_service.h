/* SPDX-License-Identifier: MIT
 *
 * Answers of the service as JSON objects, as json_answers.h has those of the commands: what it
 * serves, and why it refuses. Every function returns a new reference, or NULL when memory does not
 * suffice.
 */
#ifndef PLB_TOOLS_ANSWERS_JSON_SERVICE_H
#define PLB_TOOLS_ANSWERS_JSON_SERVICE_H

#include "tools/answers/json_answers.h"

/* A table as the list of tables has it. */
typedef struct listed_table {
    const plb_table *table; /* NULL: it could not be opened */
    const char *name;       /* of the file */
    const char *state;      /* ok, shadowed, damaged */
    const char *detail;     /* why it is not ok, or NULL */
    plb_value first_player;
} listed_table;

json_t *json_of_listed_table(const listed_table *listed);

/* A table with all that is known of it, its rules in a few sentences, and links. */
json_t *json_of_served_table(const plb_table *table, plb_value first_player);

/* Why a request was refused (RFC 9457). code, parameter: NULL where there is none. */
typedef struct refusal {
    const char *type, *title, *detail, *code, *parameter;
    int status;
} refusal;

json_t *json_of_refusal(const refusal *refusal);

/* A position of a batch that is refused, as it was given. */
json_t *json_of_refused_position(const char *text, int error, const plb_message *message);

#endif
