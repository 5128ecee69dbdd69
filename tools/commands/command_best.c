/* SPDX-License-Identifier: MIT
 *
 * `plybase best`: distance and best moves of positions, searched for where the table holds none.
 * Uses the public header alone.
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
        "Print in how many plies a position is won or lost, and the best moves: those that win as "
        "fast or lose as slowly as possible.",
    .details = FILE_HELP
        "One with distances (built with --values dtm) answers at once; with any other a search "
        "does, which is quick near the end and may take long near the beginning. If a limit stops "
        "the search, the bounds that it has proven are printed, and the exit status is 1; after "
        "Ctrl-C it is 130.\n\n" POSITION_HELP BATCH_HELP("value TAB dtm TAB best-moves")
        " dtm is plies to the end of the game, as in 13-21 where only bounds are proven.",
    .rows = best_rows};

typedef struct question {
    best_question of;
    plb_best best;
} question;

static int find(void *context, const char *text, plb_message *message) {
    question *q = context;
    int error = begin_best_question(&q->of, text, message);
    if (error) return error;
    error = plb_find_best(q->of.table, q->of.x, q->of.o, &q->of.limits, &q->best, message);
    clear_display(&q->of.shown);
    return error;
}

static bool is_strategy(const question *q) {
    return plb_info(q->of.table)->player != NULL;
}

/* A search that was stopped is a failure, whatever it has proven. A strategy is asked for its move
 * alone. */
static int status_of(const question *q) {
    return q->best.exact || is_strategy(q) ? EXIT_GOOD : EXIT_FAILED;
}

static int print_text(void *context) {
    const question *q = context;
    const plb_best *best = &q->best;
    char bounds[64], stop[96], side = side_to_move(q->of.table, q->of.x, q->of.o);
    draw_board(q->of.table, q->of.x, q->of.o, terminal_takes_colour());
    if (!best->count) {
        printf("the game is over: %s for %c\n", plb_value_text(best->value), side);
        return EXIT_GOOD;
    }
    printf("%c to move: %s%s", side, bound_words(find_bound(q->of.table, q->of.x, q->of.o)),
           format_bounds(best->value, &best->bounds, bounds));
    if (!best->exact && !is_strategy(q)) printf(", %s", format_stop(&q->of, &best->bounds, stop));
    fputs(is_strategy(q) ? "\nthe strategy knows:"
          : best->exact  ? "\nbest moves:"
                         : "\nmost promising:",
          stdout);
    for (int m = 0; m < best->count; m++) printf(" %s", best->moves[m].text);
    putchar('\n');
    return status_of(q);
}

static int print_json(void *context) {
    const question *q = context;
    json_writer w = {0};
    open_object(&w, NULL);
    put_best(&w, q->of.table, q->of.x, q->of.o, &q->best);
    close_object(&w);
    print_json_line(&w);
    return status_of(q);
}

static int print_line(void *context, const char *text) {
    const question *q = context;
    const plb_best *best = &q->best;
    const plb_bounds *b = &best->bounds;
    printf("%s\t", text);
    if (best->value == PLB_DRAW || b->least == b->most)
        write_value_columns(stdout, best->value, best->value == PLB_DRAW ? PLB_NO_DTM : b->least);
    else
        printf("%s\t%d-%d\t", plb_value_text(best->value), b->least, b->most);
    write_moves_column(stdout, best->moves, best->count);
    return status_of(q);
}

int command_best(int argc, char **argv) {
    question q;
    position_answerer answerer = {find, print_text, print_json, print_line, .context = &q};
    return run_best_command(argc, argv, &syntax, &answerer, &q.of);
}
