/* SPDX-License-Identifier: MIT
 *
 * `plybase probe`: values of positions from a table.
 * Uses the public header alone.
 */
#include <stdio.h>

#include "tools/answers/json_positions.h"
#include "tools/answers/position_answers.h"
#include "tools/commands/commands.h"
#include "tools/terminal/board.h"
#include "tools/terminal/console.h"
#include "tools/terminal/line_input.h"
#include "tools/terminal/operands.h"

static const command_syntax syntax = {
    .operands = "FILE [POSITION...]",
    .purpose =
        "Answer positions from a table: the value for the player to move, and the value of every "
        "move.",
    .details = FILE_HELP POSITION_HELP BATCH_HELP(
        "value TAB dtm TAB best-moves",
        "dtm is plies to the end of the game, in a table built with --values dtm."),
    .rows = file_position_rows};

/* A question with all that the table knows of the position. */
typedef struct question {
    const plb_table *table;
    const position_arguments *arguments;
    uint64_t x, o;
    plb_analysis all;
} question;

static int find(void *context, const char *text, plb_list_known *known, plb_message *message) {
    question *q = context;
    int error = read_position(q->table, q->arguments, text, &q->x, &q->o, message);
    if (!error) error = plb_analyse(q->table, q->x, q->o, &q->all, message);
    if (error) return error;
    known->value = q->all.answer.value;
    known->dtm = q->all.answer.dtm;
    known->ply = stones_on_board(q->table, q->x, q->o);
    return PLB_OK;
}

static int print_text(void *context) {
    const question *q = context;
    const plb_answer *answer = &q->all.answer;
    char text[32], side = side_to_move(q->table, q->x, q->o);
    draw_board(q->table, q->x, q->o, terminal_takes_colour());
    if (answer->over) {
        printf("the game is over: %s for %c\n", plb_value_text(answer->value), side);
        return EXIT_GOOD;
    }
    printf("%c to move: %s%s\n", side, bound_words(answer->bound),
           plb_format_outcome(answer->value, answer->dtm, text));
    for (int m = 0; m < q->all.count; m++)
        printf("  %-4s %s\n", q->all.moves[m].text,
               plb_format_outcome(q->all.moves[m].value, q->all.moves[m].dtm, text));
    return EXIT_GOOD;
}

static int print_json(void *context) {
    const question *q = context;
    json_writer w = begin_json_object();
    put_position(&w, q->table, q->x, q->o, &q->all);
    print_json_object(&w);
    return EXIT_GOOD;
}

static int print_line(void *context, const char *text) {
    const question *q = context;
    write_probed_line(stdout, text, &q->all, NULL);
    return EXIT_GOOD;
}

int command_probe(int argc, char **argv) {
    position_arguments a = {0};
    parse_arguments(argc, argv, &syntax, &a);
    plb_table *table = open_asked_table(&a, false);
    if (!table) return EXIT_FAILED;
    question q = {.table = table, .arguments = &a};
    position_answerer answerer = {find,
                                  print_text,
                                  print_json,
                                  print_line,
                                  &q,
                                  .has_values = true,
                                  .width = plb_info(table)->width,
                                  .height = plb_info(table)->height,
                                  .paragraphs = true};
    int status = answer_positions(&a, &answerer);
    plb_close(table);
    return end_output(status);
}
