/* SPDX-License-Identifier: MIT
 *
 * `plybase picture`: draws a board with the values of its moves, as SVG. Of the library it uses
 * only the public header.
 */
#include <stdio.h>

#include "probe/plybase.h"
#include "tools/commands/commands.h"
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
    FLAG('b', "bare", arguments, bare, "draw only the board, without values"),
    FLAG('f', "force", arguments, force, "replace OUT"),
    TABLES(arguments, of.folder),
    {0}};
static const command_syntax syntax = {
    .operands = "FILE [POSITION] -o OUT",
    .purpose = "Draw a position as SVG, with the value of every move.",
    .details = FILE_HELP
    "If there is no table of a SPEC, the board is drawn without values. The cell of a move has + "
    "for a win, = for a draw, - for a loss of the player who makes the "
    "move, and, if the table has distances, the plies to the end of the game after it. In games of "
    "numbers these are for the best number. Stones of a complete group have thick "
    "rims.\n\n" POSITION_HELP,
    .rows = rows};

static void write_picture(FILE *to, const void *picture) {
    fputs(((const plb_picture *)picture)->svg, to);
}

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
    plb_table *table = open_asked_table(&a.of, true);
    if (!table) return EXIT_FAILED;
    static plb_picture picture;
    picture.bare = a.bare || !plb_info(table)->values;
    uint64_t x, o;
    int error = read_position(table, &a.of, a.of.positions.items[0], &x, &o, &message);
    if (!error) error = plb_draw(table, x, o, &picture, &message);
    if (!error) error = output_file_draw(a.output, a.force, write_picture, &picture, &message);
    if (!error && !a.bare && picture.bare) {
        suggest_table(a.of.source, a.of.folder, &message);
        print_error("%s; without it there are no values", message.text);
    }
    plb_close(table);
    return error ? report_error(error, &message) : end_output(EXIT_GOOD);
}
