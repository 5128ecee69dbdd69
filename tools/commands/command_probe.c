/* SPDX-License-Identifier: MIT
 *
 * `plybase probe`: the values of positions and of all their moves. `plybase best`: distance and
 * best moves. `plybase line`: a line of best play to the end of the game. The last two search if
 * the table has no distances. Of the library they use only the public header.
 */
#include <signal.h>
#include <stdio.h>

#include "tables/stop.h"
#include "tools/answers/json_positions.h"
#include "tools/answers/position_answers.h"
#include "tools/answers/position_query.h"
#include "tools/commands/commands.h"
#include "tools/terminal/board.h"
#include "tools/terminal/console.h"
#include "tools/terminal/line_input.h"
#include "tools/terminal/operands.h"
#include "tools/terminal/progress_line.h"
#include "tools/terminal/quantity.h"

typedef struct arguments {
    position_arguments of;
    plb_limits limits;   /* nodes and seconds; 0: none */
    double memory_bytes; /* 0: the default of the library */
    int resist;          /* plies of --resist; 0: not given */
} arguments;

static const argument_row rows[] = {
    INCLUDED(file_position_rows, arguments, of),
    COUNT('n', "nodes", "N", arguments, limits.nodes, 1, MAX_NODES,
          "stop after N searched positions (default: never)"),
    SECONDS('s', "seconds", arguments, limits.seconds, "stop after this time (default: never)"),
    SIZE('M', "memory", arguments, memory_bytes,
         "memory for what the search has proven, such as 512M or 8G (64M)"),
    {0}};

/* The current position and its answer. */
typedef struct question {
    const plb_table *table;
    const position_arguments *arguments;
    plb_limits limits;
    uint64_t x, o;
    plb_value value;
    display shown; /* the bounds, while a search runs */
    const volatile sig_atomic_t *stop;
    int resist;           /* plies of --resist */
    plb_analysis all;     /* the answer of `probe` */
    plb_resistance found; /* the answer of `best` */
    played_line line;     /* the answer of `line` */
} question;

/* Callback of the search. Returns false to stop it. */
static bool show_bounds(void *context, const plb_bounds *bounds) {
    question *q = context;
    char text[64], nodes[32];
    if (display_is_due(&q->shown) && bounds->seconds > 0.2)
        show_line(&q->shown, "%s, %s nodes", format_bounded(q->value, bounds, text),
                  format_count(bounds->nodes, nodes));
    return !plb_is_stopped(q->stop);
}

/* Parse and probe the next position. Errors: those of read_position and plb_probe. */
static int begin_question(question *q, const char *text, plb_message *message) {
    plb_answer answer;
    int error = read_position(q->table, q->arguments, text, &q->x, &q->o, message);
    if (!error) error = plb_probe(q->table, q->x, q->o, &answer, message);
    if (error) return error;
    q->value = answer.value;
    q->shown.shown = 0;
    return PLB_OK;
}

/* Set the values that --expect compares. */
static void set_known(const question *q, plb_value value, int dtm, plb_list_known *known) {
    known->value = value;
    known->dtm = dtm;
    known->ply = stones_on_board(q->table, q->x, q->o);
}

/* Run a command. The context of the answerer becomes a question. Returns the exit status. */
static int run(int argc, char **argv, const command_syntax *syntax, position_answerer answerer) {
    arguments a = {0};
    parse_arguments(argc, argv, syntax, &a);
    plb_table *table = open_asked_table(&a.of, false);
    if (!table) return EXIT_FAILED;
    question q = {.table = table,
                  .arguments = &a.of,
                  .limits = a.limits,
                  .resist = a.resist,
                  .shown = begin_display(),
                  .stop = catch_interrupts()};
    q.limits.memory_bytes = (uint64_t)a.memory_bytes;
    q.limits.report = show_bounds;
    q.limits.context = &q;
    answerer.context = &q;
    answerer.width = plb_info(table)->width;
    answerer.height = plb_info(table)->height;
    answerer.paragraphs = true;
    answerer.stop = q.stop;
    int status = answer_positions(&a.of, &answerer);
    plb_close(table);
    return end_output(status);
}

/* The words for plb_answer.bound. */
static const char *bound_words(int bound) {
    return bound > 0 ? "at least a " : bound < 0 ? "at most a " : "";
}

/* ---- probe ---- */

static const argument_row probe_rows[] = {INCLUDED(file_position_rows, arguments, of), {0}};
static const command_syntax probe_syntax = {
    .operands = "FILE [POSITION...]",
    .purpose =
        "Answer positions from a table: the value for the player to move, and the value of every "
        "move.",
    .details = FILE_HELP POSITION_HELP BATCH_HELP(
        "value TAB dtm TAB best-moves",
        "dtm is plies to the end of the game, in a table built with --values dtm."),
    .rows = probe_rows};

static int find_probed(void *context, const char *text, plb_list_known *known,
                       plb_message *message) {
    question *q = context;
    int error = read_position(q->table, q->arguments, text, &q->x, &q->o, message);
    if (!error) error = plb_analyse(q->table, q->x, q->o, &q->all, message);
    if (error) return error;
    set_known(q, q->all.answer.value, q->all.answer.dtm, known);
    return PLB_OK;
}

static int print_probed_text(void *context) {
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

static int print_probed_json(void *context) {
    const question *q = context;
    json_writer w = begin_json_object();
    put_position(&w, q->table, q->x, q->o, &q->all);
    print_json_object(&w);
    return EXIT_GOOD;
}

static int print_probed_columns(void *context, const char *text) {
    const question *q = context;
    write_probed_line(stdout, text, &q->all, NULL);
    return EXIT_GOOD;
}

int command_probe(int argc, char **argv) {
    return run(argc, argv, &probe_syntax,
               (position_answerer){.find = find_probed,
                                   .print_text = print_probed_text,
                                   .print_json = print_probed_json,
                                   .print_line = print_probed_columns});
}

/* ---- best ---- */

static const argument_row best_rows[] = {
    ALL_OF(rows),
    PARSED_OR_IMPLIED(
        'r', "resist", "PLIES", arguments, resist, parse_resist, RESIST_NEEDED, "1",
        "sort the best moves: first those after which most replies cost the opponent a "
        "win or a draw; look PLIES ahead, an odd number up to 15 (1)"),
    {0}};

static const command_syntax best_syntax = {
    .operands = "FILE [POSITION...]",
    .purpose =
        "Print in how many plies a position is won or lost, and the best moves: those that win as "
        "fast or lose as slowly as possible.",
    .details = FILE_HELP
    "A table with distances (built with --values dtm) answers immediately. With any other table a "
    "search finds the distance, which is quick near the end and may take long near the beginning. "
    "If a limit stops the search, the bounds that it has proven are printed, and the exit status "
    "is 1; after Ctrl-C it is 130.\n\n" POSITION_HELP BATCH_HELP(
        "value TAB dtm TAB best-moves",
        "dtm is plies to the end of the game; if only bounds are proven, they are written as in "
        "13-21. With --resist a last column has the resistance of each best move.")
    "\n\nThe resistance of a move is the share of the replies to it that give up a win or a draw; "
    "it changes no value. With 3 or more PLIES it is how likely the opponent is to give one up "
    "within PLIES plies, if each of his moves is equally likely and the player answers with the "
    "moves that keep the value and resist most. A limit may reduce PLIES; the number is printed. A "
    "strategy has no resistance.",
    .rows = best_rows};

static int find_best(void *context, const char *text, plb_list_known *known, plb_message *message) {
    question *q = context;
    int error = begin_question(q, text, message);
    if (error) return error;
    q->found.plies = q->resist;
    error = plb_find_resistance(q->table, q->x, q->o, &q->limits, &q->found, message);
    clear_display(&q->shown);
    if (error) return error;
    const plb_best *best = &q->found.best;
    bool is_exact = best->value != PLB_DRAW && best->bounds.least == best->bounds.most;
    set_known(q, best->value, is_exact ? best->bounds.least : PLB_NO_DTM, known);
    return PLB_OK;
}

static bool is_strategy(const question *q) {
    return plb_info(q->table)->player != NULL;
}

/* A search that was stopped is a failure, whatever it has proven. For a strategy there is no
 * search. */
static int status_of(const question *q) {
    return q->found.best.exact || is_strategy(q) ? EXIT_GOOD : EXIT_FAILED;
}

/* Print a line for each best move. */
static void print_resistance(const plb_resistance *found) {
    if (found->plies && found->best.value == PLB_WIN) {
        puts("resistance none: the opponent has lost already, whatever he replies");
        return;
    }
    for (int m = 0; m < found->best.count && found->plies; m++) {
        const plb_replies *r = &found->replies[m];
        printf("%s %-4s %d of %d replies lose value", m ? "          " : "resistance",
               found->best.moves[m].text, r->worse, r->count);
        if (found->plies > 1) printf(", %.1f %% within %d plies", 100 * r->share, found->plies);
        putchar('\n');
    }
}

static int print_best_text(void *context) {
    const question *q = context;
    const plb_best *best = &q->found.best;
    char bounds[64], nodes[32], time[32], side = side_to_move(q->table, q->x, q->o);
    draw_board(q->table, q->x, q->o, terminal_takes_colour());
    if (!best->count) {
        printf("the game is over: %s for %c\n", plb_value_text(best->value), side);
        return EXIT_GOOD;
    }
    printf("%c to move: %s%s", side, bound_words(find_bound(q->table, q->x, q->o)),
           format_bounded(best->value, &best->bounds, bounds));
    if (!best->exact && !is_strategy(q))
        printf(", %s after %s nodes, %s", *q->stop ? "interrupted" : "stopped",
               format_count(best->bounds.nodes, nodes), format_seconds(best->bounds.seconds, time));
    fputs(is_strategy(q) ? "\nthe strategy knows:"
          : best->exact  ? "\nbest moves:"
                         : "\nmost promising:",
          stdout);
    for (int m = 0; m < best->count; m++) printf(" %s", best->moves[m].text);
    putchar('\n');
    print_resistance(&q->found);
    return status_of(q);
}

static int print_best_json(void *context) {
    const question *q = context;
    json_writer w = begin_json_object();
    put_best(&w, q->table, q->x, q->o, &q->found);
    print_json_object(&w);
    return status_of(q);
}

static int print_best_columns(void *context, const char *text) {
    const question *q = context;
    const plb_best *best = &q->found.best;
    const plb_bounds *b = &best->bounds;
    write_position_column(stdout, text);
    if (best->value == PLB_DRAW || b->least == b->most)
        write_value_columns(stdout, best->value, best->value == PLB_DRAW ? PLB_NO_DTM : b->least);
    else
        printf("%s\t%d-%d\t", plb_value_text(best->value), b->least, b->most);
    write_moves_column(stdout, best->moves, best->count, q->resist ? '\t' : '\n');
    for (int m = 0; m < best->count && q->resist; m++)
        printf(q->found.plies ? "%s%.9g" : "%s-", m ? "," : "", q->found.replies[m].share);
    if (q->resist) puts(best->count ? "" : "-");
    return status_of(q);
}

int command_best(int argc, char **argv) {
    return run(argc, argv, &best_syntax,
               (position_answerer){.find = find_best,
                                   .print_text = print_best_text,
                                   .print_json = print_best_json,
                                   .print_line = print_best_columns});
}

/* ---- line ---- */

static const command_syntax line_syntax = {
    .operands = "FILE [POSITION...]",
    .purpose =
        "Play a position to its end: each player plays the first of his best moves. Print the "
        "moves, the final board, and who has won at which ply.",
    .details = FILE_HELP
    "If the table has no distances (built with --values dtm), a search finds them; its limits "
    "apply to the whole line. The printed moves can be appended to those of a position with "
    "--moves.\n\n" POSITION_HELP BATCH_HELP("value TAB dtm TAB moves",
                                            "dtm is plies to the end of the game."),
    .rows = rows};

static int find_line(void *context, const char *text, plb_list_known *known, plb_message *message) {
    question *q = context;
    played_line *l = &q->line;
    int error = begin_question(q, text, message);
    if (error) return error;
    *l = (played_line){.x = q->x, .o = q->o, .value = q->value};
    error = plb_find_line(q->table, l->x, l->o, &q->limits, &l->played, message);
    clear_display(&q->shown);
    if (!error) error = play_line(q->table, l, message);
    if (error) return error;
    set_known(q, l->value, line_plies(l), known);
    return PLB_OK;
}

static int print_line_text(void *context) {
    const question *q = context;
    const played_line *l = &q->line;
    char text[32], side = l->begin.to_move;
    if (l->played.count)
        printf("%c to move: %s\n", side, plb_format_outcome(l->value, line_plies(l), text));
    else
        printf("the game is over: %s for %c\n", plb_value_text(l->value), side);
    for (int m = 0; m < l->played.count; m++) printf(m ? " %s" : "%s", l->played.moves[m].text);
    if (l->played.count) putchar('\n');
    draw_board(q->table, l->final_x, l->final_o, terminal_takes_colour());
    if (l->end.winner)
        printf("%c wins at ply %d\n", l->end.winner, l->end.ply);
    else
        printf("draw at ply %d\n", l->end.ply);
    return EXIT_GOOD;
}

static int print_line_json(void *context) {
    const question *q = context;
    json_writer w = begin_json_object();
    put_line(&w, q->table, &q->line);
    print_json_object(&w);
    return EXIT_GOOD;
}

static int print_line_columns(void *context, const char *text) {
    const played_line *l = &((const question *)context)->line;
    write_position_column(stdout, text);
    write_value_columns(stdout, l->value, line_plies(l));
    write_moves_column(stdout, l->played.moves, l->played.count, '\n');
    return EXIT_GOOD;
}

int command_line(int argc, char **argv) {
    return run(argc, argv, &line_syntax,
               (position_answerer){.find = find_line,
                                   .print_text = print_line_text,
                                   .print_json = print_line_json,
                                   .print_line = print_line_columns});
}
