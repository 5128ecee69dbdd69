/* SPDX-License-Identifier: MIT
 *
 * The position that a request asks about. Uses the public header alone.
 */
#ifndef PLB_TOOLS_SERVE_ASKED_POSITION_H
#define PLB_TOOLS_SERVE_ASKED_POSITION_H

#include "tools/answers/json_positions.h"
#include "tools/serve/routes.h"

typedef struct asked_position {
    uint64_t x, o;
    const char *parameter; /* that it was given by; static storage */
    bool by_moves;
    int count; /* of moves that were played */
    played_move played[PLB_MAX_CELLS];
} asked_position;

/* Read it from the parameters board and moves; false: it is refused, and the answer says why. */
bool asked_position_read(const route_call *call, http_answer *answer, asked_position *asked);

/* Has the client the answer about it (answer_is_known)? Then this is answered, or that the rules
 * refuse the position. Nothing is looked up. */
bool asked_position_is_known(const route_call *call, const asked_position *asked,
                             http_answer *answer);

/* Answer with what was found of it: begin, put its members, end. Of the call the table alone is
 * looked at. */
json_writer asked_position_begin(const route_call *call);
void asked_position_end(const route_call *call, const asked_position *asked, json_writer *found,
                        http_answer *answer);

#endif
