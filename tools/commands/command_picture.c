/* SPDX-License-Identifier: MIT
 *
 * `plybase picture`: a board with the values of its moves, as SVG: discs, signs and labels that are
 * readable in print and without colours. Uses the public header alone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tables/message.h"
#include "tools/commands/commands.h"
#include "tools/terminal/board.h"
#include "tools/terminal/console.h"
#include "tools/terminal/operands.h"
#include "tools/terminal/output_file.h"

typedef struct arguments {
    position_arguments of;
    const char *output;
    bool bare, force;
} arguments;

static const argument_row rows[] = {
    OPERAND("FILE", arguments, of.source, NULL),
    OPERANDS("POSITION", arguments, of.positions, 0),
    FLAG('m', "moves", arguments, of.moves, "the position is a sequence of moves, not a board"),
    TEXT('o', "output", "OUT", arguments, output, "the picture to write: OUT.svg, or - for stdout"),
    FLAG('b', "bare", arguments, bare, "the board alone, without values"),
    FLAG('f', "force", arguments, force, "replace OUT"),
    TABLES(arguments, of.folder),
    {0}};
static const command_syntax syntax = {
    .operands = "FILE [POSITION] -o OUT",
    .purpose = "Draw a position as SVG, with the value of every move.",
    .details = FILE_HELP
    "On the cells of moves stand + for a win, = for a draw, - for a loss of the player who makes "
    "the move, and the plies to the end of the game after it, if the table has distances; in games "
    "of numbers those of the best number. Stones of a complete group have thick "
    "rims.\n\n" POSITION_HELP,
    .rows = rows};

/* ---- the picture ---- */

typedef struct drawn_position {
    const plb_table *table;
    uint64_t x, o;
    plb_analysis found;
    plb_state state;
    bool bare;
} drawn_position;

enum { SIDE = 60, RADIUS = 22, MARGIN = 36, FONT = 24, LEAST_WIDTH = 320 }; /* in its units */

/* Where things are: the middle of a cell, from the top left. */
static int middle_x(int column) {
    return MARGIN + SIDE * column + SIDE / 2;
}
static int middle_y(const plb_table_info *info, int row) {
    return SIDE * (info->height - 1 - row) + SIDE / 2;
}

static void write_text(FILE *to, int x, int y, const char *colour, const char *text) {
    fprintf(to, "<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>\n", x, y + FONT / 3, colour, text);
}

static void draw_stones(FILE *to, const drawn_position *p) {
    const plb_table_info *info = plb_info(p->table);
    plb_cell cells[PLB_MAX_CELLS];
    plb_read_cells(p->table, p->x, p->o, cells);
    for (int cell = 0; cell < info->cells; cell++) {
        int column = cell / info->height, row = cell % info->height;
        bool is_x = cells[cell].player == 'x';
        if (!cells[cell].player) continue;
        fprintf(to,
                "<circle cx=\"%d\" cy=\"%d\" r=\"%d\" fill=\"%s\" stroke=\"#1d232b\" "
                "stroke-width=\"%d\"/>\n",
                middle_x(column), middle_y(info, row), RADIUS, is_x ? "#7457cf" : "#f2b91f",
                p->state.groups >> cell & 1 ? 6 : 2);
        write_text(to, middle_x(column), middle_y(info, row), is_x ? "#fff" : "#1d232b",
                   cells[cell].text);
    }
}

/* Moves come best first; a cell gets its best one. */
static void draw_values(FILE *to, const plb_table_info *info, const plb_analysis *found) {
    static const char signs[] = "-=+";
    static const char *const colours[] = {"#a33b00", "#55606e", "#0b5fa5"};
    uint64_t drawn = 0;
    for (int m = 0; m < found->count; m++) {
        const plb_move *move = &found->moves[m];
        int cell = move->column * info->height + move->row, value = (int)move->value + 1;
        char text[16];
        if (drawn >> cell & 1) continue;
        drawn |= 1ULL << cell;
        snprintf(text, sizeof text, "%c", signs[value]);
        if (move->dtm != PLB_NO_DTM) snprintf(text + 1, sizeof text - 1, "%d", move->dtm);
        write_text(to, middle_x(move->column), middle_y(info, move->row), colours[value], text);
    }
}

static void draw_labels(FILE *to, const plb_table_info *info) {
    char text[16];
    for (int column = 0; column < info->width; column++) {
        snprintf(text, sizeof text, "%c", board_column_label(info, column));
        write_text(to, middle_x(column), SIDE * info->height + FONT, "#1d232b", text);
    }
    for (int row = 0; row < info->height && !info->gravity; row++) {
        snprintf(text, sizeof text, "%d", row + 1);
        write_text(to, MARGIN / 2, middle_y(info, row), "#1d232b", text);
    }
}

/* What the picture shows, in words. */
static void describe(const drawn_position *p, char text[96]) {
    const plb_state *state = &p->state;
    const plb_answer *answer = &p->found.answer;
    char outcome[32];
    if (state->over && state->winner)
        snprintf(text, 96, "%c has won", state->winner);
    else if (state->over)
        snprintf(text, 96, "a draw");
    else if (p->bare)
        snprintf(text, 96, "%c to move", state->to_move);
    else
        snprintf(text, 96, "%c to move: %s%s", state->to_move, bound_words(answer->bound),
                 format_outcome(answer->value, answer->dtm, outcome));
}

static void draw(FILE *to, const void *position) {
    const drawn_position *p = position;
    const plb_table_info *info = plb_info(p->table);
    int board_width = SIDE * info->width, board_height = SIDE * info->height;
    int middle = MARGIN + board_width / 2, height = board_height + 2 * FONT + MARGIN;
    int width = board_width + 2 * MARGIN > LEAST_WIDTH ? board_width + 2 * MARGIN
                                                       : LEAST_WIDTH; /* for the words */
    char words[96];
    describe(p, words);
    fprintf(to,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"%d 0 %d %d\" font-family=\"sans-serif\" font-size=\"%d\" "
            "text-anchor=\"middle\">\n<title>%s: %s</title>\n"
            "<rect x=\"%d\" width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
            width, height, middle - width / 2, width, height, FONT, info->spec, words,
            middle - width / 2, width, height);
    for (int cell = 0; cell < info->cells; cell++)
        fprintf(to,
                "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" "
                "stroke=\"#c9ced6\"/>\n",
                middle_x(cell / info->height) - SIDE / 2,
                middle_y(info, cell % info->height) - SIDE / 2, SIDE, SIDE);
    draw_stones(to, p);
    if (!p->bare) draw_values(to, info, &p->found);
    draw_labels(to, info);
    write_text(to, middle, board_height + 2 * FONT + MARGIN / 3, "#1d232b", words);
    fputs("</svg>\n", to);
}

/* ---- the command ---- */

int command_picture(int argc, char **argv) {
    arguments a = {0};
    plb_message message;
    parse_arguments(argc, argv, &syntax, &a);
    if (a.of.positions.count > 1)
        fail_usage("'%s' is one argument too many: plybase picture %s", a.of.positions.items[1],
                   syntax.operands);
    if (!a.output) fail_usage("an output is needed: -o OUT.svg, or -o - for stdout");
    if (!is_picture_name(a.output))
        fail_usage("-o %s: the name must end in .svg, or be - for stdout", a.output);
    plb_table *table = open_asked_table(&a.of);
    if (!table) return EXIT_FAILED;
    drawn_position p = {.table = table, .bare = a.bare};
    int error = read_position(table, &a.of, a.of.positions.items[0], &p.x, &p.o, &message);
    if (!error) error = plb_analyse(table, p.x, p.o, &p.found, &message);
    if (!error) error = plb_find_state(table, p.x, p.o, &p.state, &message);
    if (!error) error = output_file_draw(a.output, a.force, draw, &p, &message);
    plb_close(table);
    return error ? report_error(error, &message) : end_output(EXIT_GOOD);
}
