/* SPDX-License-Identifier: MIT
 *
 * What the table knows of a position.
 */
#include "tools/serve/asked_position.h"

void answer_position(const route_call *call, http_answer *answer) {
    asked_position asked;
    plb_analysis found;
    plb_message message;
    if (!asked_position_read(call, answer, &asked) || asked_position_is_known(call, &asked, answer))
        return;
    int error = plb_analyse(call->table->table, asked.x, asked.o, &found, &message);
    if (error) {
        answer_table_error(call, answer, error, &message, asked.parameter);
        return;
    }
    json_writer w = asked_position_begin(call);
    put_position(&w, call->table->table, asked.x, asked.o, &found);
    asked_position_end(call, &asked, &w, answer);
}
