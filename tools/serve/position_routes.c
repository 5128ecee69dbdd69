/* SPDX-License-Identifier: MIT
 *
 * What the table knows of a position.
 */
#include "tools/serve/asked_position.h"

void answer_position(const route_call *call, http_answer *answer) {
    asked_position asked;
    plb_analysis found;
    plb_message message;
    if (!asked_position_read(call, answer, &asked)) return;
    int error = plb_analyse(call->table->table, asked.x, asked.o, &found, &message);
    if (error)
        answer_table_error(call, answer, error, &message, asked.parameter);
    else
        asked_position_answer(
            call, &asked, json_of_position(call->table->table, asked.x, asked.o, &found), answer);
}
