/* SPDX-License-Identifier: MIT
 *
 * `plybase line`: optimal lines to the end of the game. Uses the public header alone.
 */
#include <stdio.h>

#include "tools/answers/json_positions.h"
#include "tools/answers/position_answers.h"
#include "tools/commands/best_search.h"
#include "tools/commands/commands.h"
#include "tools/terminal/board.h"
#include "tools/terminal/console.h"
#include "tools/terminal/line_input.h"

static const command_syntax syntax = {
    .operands = "FILE POSITION...",
    .purpose =
        "Play a position to its end, each player in turn the first of his best moves: print the "
        "moves, the final board and who has won at which ply.",
    .details = FILE_HELP
    "One with distances (built with --values dtm) answers at once; with any other a search "
    "does, whose limits hold for the whole line. The moves are written so that they may "
    "follow those of a position with --moves.\n\n" POSITION_HELP BATCH_HELP(
        "value TAB dtm TAB moves") " dtm is plies to the end of the game.",
    .rows = best_rows};

typedef struct question {
    best_question of;
    played_line line;
} question;

static int find(void *context, const char *text, plb_message *message) {
    question *q = context;
    played_line *l = &q->line;
    int error = begin_best_question(&q->of, text, message);
    if (error) return error;
    *l = (played_line){.x = q->of.x, .o = q->of.o, .value = q->of.value};
    error = plb_find_line(q->of.table, l->x, l->o, &q->of.limits, &l->played, message);
    clear_display(&q->of.shown);
    return error ? error : play_line(q->of.table, l, message);
}

static int print_text(void *context) {
    const question *q = context;
    const played_line *l = &q->line;
    char text[32], side = l->begin.to_move;
    if (l->played.count)
        printf("%c to move: %s\n", side, format_outcome(l->value, line_plies(l), text));
    else
        printf("the game is over: %s for %c\n", plb_value_text(l->value), side);
    for (int m = 0; m < l->played.count; m++) printf(m ? " %s" : "%s", l->played.moves[m].text);
    if (l->played.count) putchar('\n');
    draw_board(q->of.table, l->final_x, l->final_o, terminal_takes_colour());
    if (l->end.winner)
        printf("%c wins at ply %d\n", l->end.winner, l->end.ply);
    else
        printf("draw at ply %d\n", l->end.ply);
    return EXIT_GOOD;
}

static int print_json(void *context) {
    const question *q = context;
    json_writer w = {0};
    open_object(&w, NULL);
    put_line(&w, q->of.table, &q->line);
    close_object(&w);
    print_json_line(&w);
    return EXIT_GOOD;
}

static int print_line(void *context, const char *text) {
    const played_line *l = &((const question *)context)->line;
    printf("%s\t", text);
    write_value_columns(stdout, l->value, line_plies(l));
    write_moves_column(stdout, l->played.moves, l->played.count);
    return EXIT_GOOD;
}

int command_line(int argc, char **argv) {
    question q;
    position_answerer answerer = {find, print_text, print_json, print_line, .context = &q};
    return run_best_command(argc, argv, &syntax, &answerer, &q.of);
}
