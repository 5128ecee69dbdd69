/* SPDX-License-Identifier: MIT
 *
 * JSON by jansson.
 */
#include "tools/json_answers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

json_t *json_of_dtm(int dtm) {
    return dtm == PLB_NO_DTM ? json_null() : json_integer(dtm);
}

json_t *json_of_moves(const plb_move *moves, int count) {
    json_t *list = json_array();
    for (int m = 0; m < count; m++)
        json_array_append_new(list, json_pack("{s:s, s:s, s:o}", "move", moves[m].text, "value",
                                              plb_value_text(moves[m].value), "dtm_plies",
                                              json_of_dtm(moves[m].dtm)));
    return list;
}

json_t *json_of_board(const plb_table *table, uint64_t x, uint64_t o) {
    char board[PLB_BOARD_TEXT];
    return plb_format_board(table, x, o, board) == PLB_OK ? json_string(board) : json_null();
}

void print_json_line(json_t *object) {
    json_dumpf(object, stdout, JSON_COMPACT | JSON_REAL_PRECISION(6));
    putchar('\n');
    json_decref(object);
}

/* A JSON string of any bytes: what is not UTF-8 becomes `?`. */
static json_t *json_of_text(const char *text) {
    json_t *string = json_string(text);
    if (string) return string;
    char *copy = strdup(text);
    for (char *c = copy; c && *c; c++)
        if ((unsigned char)*c >= 0x80) *c = '?';
    string = copy ? json_string(copy) : json_null();
    free(copy);
    return string;
}

void print_json_error(const char *text, int error, const plb_message *message) {
    print_json_line(json_pack("{s:o, s:i, s:o}", "position", json_of_text(text), "error", error,
                              "message", json_of_text(message->text)));
}
