/* SPDX-License-Identifier: MIT
 *
 * `plybase annotate`: the value and the cost of each move of a game. Of the library it uses only
 * the public header.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tables/message.h"
#include "tools/answers/position_answers.h"
#include "tools/answers/position_query.h"
#include "tools/commands/commands.h"
#include "tools/terminal/console.h"
#include "tools/terminal/operands.h"
#include "tools/terminal/output_file.h"

typedef struct arguments {
    position_arguments of;
    const char *svg;
    bool csv, force;
} arguments;

static const argument_row rows[] = {
    OPERAND("FILE", arguments, of.source, NULL),
    OPERANDS("MOVES", arguments, of.positions, 1),
    FLAG('c', "csv", arguments, csv, "print CSV, a line for each move"),
    FLAG('j', "json", arguments, of.json, "print one JSON object per game"),
    PARSED('i', "input", "FORMAT", arguments, of.format, parse_list_format, LIST_FORMATS,
           "how a list of games is written, such as pons or columns0"),
    TEXT('s', "svg", "OUT", arguments, svg,
         "draw a game as a strip of boards: OUT.svg, or - for stdout"),
    FLAG('f', "force", arguments, force, "replace OUT"),
    TABLES(arguments, of.folder),
    {0}};
static const command_syntax syntax = {
    .operands = "FILE MOVES...",
    .purpose =
        "Annotate games from a table: value and distance before and after each move, what it "
        "cost, and which moves are better.",
    .details =
        "FILE is a table that `plybase build` has written, or its SPEC. MOVES are a game from the "
        "empty board, which need not be over: " MOVES_HELP
        ".\n\nValues before and after the move are for the player who moves; distances are from "
        "there to the end of the game. A move that changes the value is a mistake. A move that "
        "keeps the value may cost plies, in a table built with --values dtm: a win comes later, or "
        "a loss sooner.\n\nIf - is the only MOVES, games are read from the standard input, one per "
        "line. If a line is not a game, stderr says so, and the exit status is 1. CSV has the "
        "columns "
        "game,ply,player,move,before,before_dtm,after,after_dtm,mistake,plies_lost,best: best "
        "moves are separated by blanks, mistake is 1 or 0, and plies_lost is for moves that keep "
        "the value.",
    .rows = rows};

/* ---- a game ---- */

/* A board, and three lines below it: the move that led there, its value and its cost. */
typedef struct strip_frame {
    plb_picture board;
    char lines[3][PLB_PICTURE_WORDS];
    bool is_mistake;
} strip_frame;

typedef struct question {
    const plb_table *table;
    const arguments *arguments;
    position_query game;
    plb_annotation moves[PLB_MAX_CELLS]; /* [game.played.count] */
    uint64_t number;                     /* of the game in a list, from 1 */
    int mistakes[2];                     /* of x and of o */
    strip_frame *frames;                 /* of the picture: [game.played.count + 1] */
} question;

static int find(void *context, const char *text, plb_list_known *known, plb_message *message) {
    (void)known;
    question *q = context;
    q->mistakes[0] = q->mistakes[1] = 0;
    int error = read_position_query(q->table, NULL, text, &q->game, message);
    if (!error) error = plb_annotate(q->table, 0, 0, &q->game.played, q->moves, message);
    for (int m = 0; m < q->game.played.count && !error; m++)
        q->mistakes[m % 2] += q->moves[m].mistake;
    return error;
}

/* ---- for people ---- */

static void format_cost(const plb_annotation *s, char text[PLB_PICTURE_WORDS]) {
    plb_value best = s->before.answer.value;
    *text = 0;
    if (s->mistake)
        snprintf(text, PLB_PICTURE_WORDS, "%s becomes %s", plb_value_text(best),
                 plb_value_text(s->move.value));
    else if (s->plies_lost)
        snprintf(text, PLB_PICTURE_WORDS, "%d %s %s", s->plies_lost,
                 s->plies_lost == 1 ? "ply" : "plies", best == PLB_WIN ? "slower" : "sooner");
}

static void print_step(const plb_annotation *s) {
    enum { MAX_NAMED = 4 };
    char before[32], after[32], cost[PLB_PICTURE_WORDS];
    format_cost(s, cost);
    plb_format_outcome(s->before.answer.value, s->before.answer.dtm, before);
    plb_format_outcome(s->move.value, s->move.dtm, after);
    printf("%5d %c %-5s %-16s", s->ply, s->player, s->move.text, before);
    if (!*cost) {
        printf(" %s\n", after);
        return;
    }
    printf(" %-16s %-17s", after, cost);
    for (int m = 0; m < s->before.best && m < MAX_NAMED; m++)
        printf(m ? ",%s" : " %s", s->before.moves[m].text);
    puts(s->before.best > MAX_NAMED ? ",..." : "");
}

static int print_text(void *context) {
    const question *q = context;
    plb_message message;
    plb_answer end;
    plb_state state;
    char outcome[32];
    printf("%5s %c %-5s %-16s %-16s %-17s %s\n", "ply", ' ', "move", "before", "after", "cost",
           "best");
    for (int m = 0; m < q->game.played.count; m++) print_step(&q->moves[m]);
    printf("mistakes: %d of x, %d of o\n", q->mistakes[0], q->mistakes[1]);
    int error = plb_probe(q->table, q->game.x, q->game.o, &end, &message);
    if (!error) error = plb_find_state(q->table, q->game.x, q->game.o, &state, &message);
    if (error) return print_error("%s", message.text);
    if (!state.over)
        printf("%c to move: %s\n", state.to_move, plb_format_outcome(end.value, end.dtm, outcome));
    else if (state.winner)
        printf("%c wins at ply %d\n", state.winner, state.ply);
    else
        printf("draw at ply %d\n", state.ply);
    return EXIT_GOOD;
}

/* ---- as a picture ---- */

static int find_frame(const question *q, int m, strip_frame *frame, plb_message *message) {
    const plb_annotation *move = m ? &q->moves[m - 1] : NULL;
    uint64_t x = move ? move->x : 0, o = move ? move->o : 0;
    frame->board.wordless = true;
    frame->board.bare = m > 0;
    int error = plb_draw(q->table, x, o, &frame->board, message);
    if (error) return error;
    if (!move) {
        snprintf(frame->lines[0], PLB_PICTURE_WORDS, "start");
        memcpy(frame->lines[1], frame->board.words, PLB_PICTURE_WORDS);
        frame->board.bare = true;
        return plb_draw(q->table, x, o, &frame->board, message);
    }
    snprintf(frame->lines[0], PLB_PICTURE_WORDS, "%d. %c %s", m, move->player, move->move.text);
    plb_format_outcome(move->move.value, move->move.dtm, frame->lines[1]);
    format_cost(move, frame->lines[2]);
    frame->is_mistake = move->mistake;
    return PLB_OK;
}

/* Draw the boards at half their size, IN_A_ROW in a row. */
static void draw_strip(FILE *to, const void *of) {
    enum { IN_A_ROW = 6, MIN_WIDTH = 320, FONT = 24, LINE = FONT + 6 };
    const question *q = of;
    int count = q->game.played.count + 1, columns = count < IN_A_ROW ? count : IN_A_ROW;
    int width = q->frames[0].board.width, height = q->frames[0].board.height;
    int wide = width < MIN_WIDTH ? MIN_WIDTH : width, high = height + 4 * LINE;
    int all_wide = columns * wide / 2, all_high = (count + columns - 1) / columns * high / 2;
    fprintf(to,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"%d\" "
            "text-anchor=\"middle\">\n<title>%s: %d moves, mistakes: %d of x, %d of o</title>\n"
            "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
            all_wide, all_high, all_wide, all_high, FONT, plb_info(q->table)->spec, count - 1,
            q->mistakes[0], q->mistakes[1], all_wide, all_high);
    for (int f = 0; f < count; f++) {
        const strip_frame *frame = &q->frames[f];
        fprintf(to, "<g transform=\"translate(%d,%d) scale(.5)\">\n%s",
                f % columns * wide / 2 + (wide - width) / 4, f / columns * high / 2,
                frame->board.svg);
        for (int line = 0; line < 3; line++)
            fprintf(to, "<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>\n", width / 2,
                    height + LINE / 2 + line * LINE + FONT / 3,
                    frame->is_mistake ? "#a33b00" : "#1d232b", frame->lines[line]);
        fputs("</g>\n", to);
    }
    fputs("</svg>\n", to);
}

static int draw_game(question *q, const char *moves) {
    plb_message message;
    const arguments *a = q->arguments;
    int error = find(q, moves, NULL, &message);
    if (error) return report_error(error, &message);
    q->frames = calloc(q->game.played.count + 1, sizeof *q->frames);
    if (!q->frames) return print_error("out of memory for the picture");
    for (int m = 0; m <= q->game.played.count && !error; m++)
        error = find_frame(q, m, &q->frames[m], &message);
    if (!error) error = output_file_draw(a->svg, a->force, draw_strip, q, &message);
    free(q->frames);
    return error ? report_error(error, &message) : EXIT_GOOD;
}

/* ---- for programs ---- */

static int print_json(void *context) {
    const question *q = context;
    plb_message message;
    json_writer w = begin_json_object();
    put_word(&w, "spec", plb_info(q->table)->spec);
    int error = put_game(&w, q->table, &q->game, &message);
    if (!error) {
        print_json_object(&w);
        return EXIT_GOOD;
    }
    drop_json(&w);
    return print_error("%s", message.text);
}

static int print_csv(void *context) {
    const question *q = context;
    for (const plb_annotation *s = q->moves; s < q->moves + q->game.played.count; s++) {
        printf("%llu,%d,%c,%s,%s,", (unsigned long long)q->number, s->ply, s->player, s->move.text,
               plb_value_text(s->before.answer.value));
        if (s->before.answer.dtm != PLB_NO_DTM) printf("%d", s->before.answer.dtm);
        printf(",%s,", plb_value_text(s->move.value));
        if (s->move.dtm != PLB_NO_DTM) printf("%d", s->move.dtm);
        printf(",%d,%d,", s->mistake, s->plies_lost);
        for (int b = 0; b < s->before.best; b++) printf(b ? " %s" : "%s", s->before.moves[b].text);
        putchar('\n');
    }
    return EXIT_GOOD;
}

/* A game of a list. */
static int print_listed(void *context, const char *text) {
    const question *q = context;
    if (q->arguments->csv) return print_csv(context);
    if (q->number > 1) putchar('\n');
    puts(text);
    return print_text(context);
}

static void refuse(void *context, const char *text, const plb_message *message) {
    const question *q = context;
    print_error("game %llu, %.80s: %s", (unsigned long long)q->number, text, message->text);
}

int command_annotate(int argc, char **argv) {
    arguments a = {.of.moves = true};
    parse_arguments(argc, argv, &syntax, &a);
    if (a.csv + a.of.json + (a.svg != NULL) > 1)
        fail_usage("one of --csv, --json and --svg, not several");
    if (a.force && !a.svg) fail_usage("--force needs --svg");
    if (a.svg && !is_picture_name(a.svg))
        fail_usage("--svg %s: the name must end in .svg, or be - for stdout", a.svg);
    if (a.svg && (a.of.positions.count > 1 || strcmp(a.of.positions.items[0], "-") == 0))
        fail_usage("--svg draws one game: give MOVES, not a list");
    plb_table *table = open_whole_table(a.of.source, a.of.folder);
    if (!table) return EXIT_FAILED;
    static question q;
    q.table = table;
    q.arguments = &a;
    position_answerer answerer = {.find = find,
                                  .print_text = a.csv ? print_csv : print_text,
                                  .print_json = print_json,
                                  .print_line = print_listed,
                                  .context = &q,
                                  .number = &q.number,
                                  .width = plb_info(table)->width,
                                  .height = plb_info(table)->height,
                                  .paragraphs = !a.csv,
                                  .refuse = a.of.json ? NULL : refuse};
    if (a.csv)
        puts("game,ply,player,move,before,before_dtm,after,after_dtm,mistake,plies_lost,best");
    int status = a.svg ? draw_game(&q, a.of.positions.items[0])
                       : end_output(answer_positions(&a.of, &answerer));
    plb_close(table);
    return status;
}
