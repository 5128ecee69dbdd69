/* SPDX-License-Identifier: MIT
 *
 * Arguments that name positions.
 */
#include "tools/terminal/position_arguments.h"

#include <stdio.h>
#include <string.h>

static const argument_row how_rows[] = {
    FLAG('m', "moves", position_arguments, moves, "positions are sequences of moves, not boards"),
    FLAG('j', "json", position_arguments, json, "print one JSON object per position"),
    {0}};

const argument_row file_position_rows[] = {OPERAND("FILE", position_arguments, source, NULL),
                                           OPERANDS("POSITION", position_arguments, positions, 1),
                                           ALL_OF(how_rows),
                                           {0}};
const argument_row spec_position_rows[] = {
    OPERAND("SPEC", position_arguments, source, "such as connect-5x5-k4"),
    OPERANDS("POSITION", position_arguments, positions, 0),
    ALL_OF(how_rows),
    {0}};

void suggest_notation(const position_arguments *a, const char *text, plb_message *message) {
    snprintf(message->text, sizeof message->text,
             a->moves ? "'%.80s' is a board and no list of moves: leave --moves out"
                      : "'%.80s' is no board, but a list of moves: did you mean --moves %.80s?",
             text, text);
}

int read_position(const plb_table *table, const position_arguments *a, const char *text,
                  uint64_t *x, uint64_t *o, plb_message *message) {
    typedef int parser(const plb_table *, const char *, uint64_t *, uint64_t *, plb_message *);
    parser *parse = a->moves ? plb_parse_moves : plb_parse_board;
    parser *parse_other = a->moves ? plb_parse_board : plb_parse_moves;
    uint64_t other_x, other_o;
    plb_message of_other;
    int error = parse(table, text, x, o, message);
    if (!error || !*text) return error;
    int error_of_other = parse_other(table, text, &other_x, &other_o, &of_other);
    /* A list of moves that cannot all be played has neither stones nor ends of rows. */
    bool is_move_list = error_of_other == PLB_EMOVE && !text[strcspn(text, "/xoXO")];
    if (!error_of_other)
        suggest_notation(a, text, message);
    else if (!a->moves && is_move_list)
        snprintf(message->text, sizeof message->text, "%.240s; and a list of moves needs --moves",
                 of_other.text);
    return error;
}
