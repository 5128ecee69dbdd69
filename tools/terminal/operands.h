/* SPDX-License-Identifier: MIT
 *
 * What commands are given: FILE, a table; SPEC, a game; POSITION, a board or moves. Where one is
 * given for the other, the message names what is needed.
 */
#ifndef PLB_TOOLS_TERMINAL_OPERANDS_H
#define PLB_TOOLS_TERMINAL_OPERANDS_H

#include "probe/plybase.h"
#include "tables/message.h"
#include "tools/terminal/arguments.h"

/* ---- tables and games ---- */

/* Does a name end in .plb, as those of tables do that are looked for in folders? */
bool ends_as_table(const char *text);

/* A spec was refused with an error, as the message says. If it is the name of a table, let the
 * message name the spec that is needed; if it resembles the spec of a game, let it ask whether that
 * is meant. Returns the error. */
int explain_spec(const char *text, int error, plb_message *message);

/* Read a spec, or print an error. Returns an exit status. */
struct plb_game;
int read_game(const char *spec, struct plb_game *game);

/* The file that FILE names: it, or if there is none and it is the spec of a game, the first table
 * of the usual name in `folder` (NULL: none is given), in the current folder, or in one of those in
 * $PLYBASE_PATH, which have colons between them. tell: which one, on stderr. Returns the path or
 * the buffer. */
enum { TABLE_NAME = 4096 };
const char *find_table(const char *path, const char *folder, bool tell, char found[TABLE_NAME]);

/* The option that names this folder. */
#define TABLES(type, field)                 \
    TEXT('T', "tables", "DIR", type, field, \
         "if FILE is the SPEC of a table, look for it in DIR first")

/* There is no file of this path, as the message says. If the path is the spec of a game, or its
 * table's usual name, let the message say where find_table has looked and how the table is built;
 * if it is no path, why it is no spec. */
void suggest_table(const char *path, const char *folder, plb_message *message);

/* Open the table that find_table finds, or print an error: NULL. Bytes after the end of the table
 * are told on stderr. */
plb_table *open_table(const char *path, const char *folder);

/* The same for commands that ask more than a strategy can answer; it is refused. */
plb_table *open_whole_table(const char *path, const char *folder);

/* End the process with a sentence if a table of the game cannot have this name: none at all, `-`,
 * or that of a folder. NULL is good. */
void require_table_name(const char *output, const char *spec);

/* ---- rows of an export ---- */

/* Read plies, one or a range, or which positions, into plb_export_options: false where the text is
 * none. */
bool parse_plies(const char *text, void *options);
bool parse_where(const char *text, void *options);
#define PLIES_NEEDED "a ply such as 8, or plies such as 2-4, the lower one first, up to 64"
#define WHERE_NEEDED "win, draw, loss or quiet"

/* ---- lists of other programs, which the library reads ---- */

/* A line that was read. */
typedef struct list_line {
    const char *position; /* to be parsed */
    const char *as_given; /* the position in the line, which is cut after it */
    plb_list_line of;     /* of a format: the columns that follow are at `rest` */
} list_line;

/* A format is its name; that is an option's value: false if there is none. */
bool parse_list_format(const char *text, void *to);
#define LIST_FORMATS "plybase, pons, columns0, board or uci"

/* How the lines of a list are written, and for which board. */
typedef struct list_form {
    const char *format; /* NULL: the whole line is the position */
    bool moves;         /* positions are moves: an empty line is one */
    int width, height;
} list_form;

/* Read a line of a list.
 *
 * size    [in]   of the line, which may have zero bytes in it
 * read    [out]  after an error all is set but the position
 *
 * Errors: PLB_ESYNTAX, PLB_EBOARD. */
int read_list_line(const list_form *form, char *line, size_t size, list_line *read,
                   plb_message *message);

/* ---- positions ---- */

typedef struct position_arguments {
    const char *source, *folder; /* FILE or SPEC, and of FILE what TABLES names */
    operand_list positions;
    bool moves, json;
    const char *format; /* of a list, or NULL */
    int expect;         /* the column that is compared with the answers; 0: none */
} position_arguments;

/* FILE or SPEC, POSITION..., of FILE --tables, --moves, --json, --input and --expect,
 * into position_arguments. */
extern const argument_row file_position_rows[], spec_position_rows[];

/* Parts of the help of these commands. */
#define FILE_HELP                                                                            \
    "FILE is a table that `plybase build` has written, or its SPEC. Without a POSITION the " \
    "empty board is answered. "
#define BOARD_HELP                                                                                \
    "by rows from the top, with / between rows: x, o, and numbers for runs of empty cells, as "   \
    "in 5/5/5/2o2/2x2 or ...../...../...../..o../..x..; in games of numbers commas separate the " \
    "cells, and . is an empty one, as in 2,.,9/.,5,./.,.,."
#define MOVES_HELP                                                                                \
    "with gravity columns 1 to 9, then a and so on, as in 33; without gravity cells, as in "      \
    "b3c1; in games of numbers 5@b2,2@a1. Commas may stand between moves, as in 3,3; blanks may " \
    "not. With gravity and up to 9 columns a cell such as c1 is also read, if the stone falls "   \
    "to it"
#define POSITION_HELP                   \
    "A POSITION is a board " BOARD_HELP \
    "; with --moves it is the sequence of moves from the empty board: " MOVES_HELP "."
#define LIST_HELP                                                                              \
    "--input names the format of a list of another program: plybase, positions as above; "     \
    "pons, moves as above and a score, as in 4453 -2; columns0, moves by columns that begin "  \
    "with 0; board, the cells of the rows from the top, as in .......xo.....; uci, the cells " \
    "column by column, each from the bottom, as in b,x,o,b. Cells are x, o, and . - _ or b "   \
    "if empty. Without --input the format is guessed from the first line, and stderr names "   \
    "the guess. With --expect 2 the column after the position is compared with the answer: "   \
    "win, draw, loss, or 1, 0, -1, for x in uci; or a score of pons. A strategy knows "        \
    "bounds, not values, and is refused. stderr says how many lines agree, and shows the "     \
    "first ten that differ; if one differs, the exit status is 1."
#define BATCH_HELP(columns, notes)                                                              \
    "\n\nIf - is the only POSITION, positions are read from the standard input, one per line. " \
    "For each, one line is printed:\nposition TAB " columns                                     \
    ", with - for what is unknown. If a "                                                       \
    "line is no position, the columns are position TAB error TAB message; the other lines are " \
    "answered, and the exit status is 1. The first column is the line, up to its first "        \
    "tab. " notes "\n\n" LIST_HELP

/* Without a POSITION the empty board is meant. */
void default_to_empty_board(position_arguments *arguments);

/* Do so, and open the table that FILE names as open_table does. or_game: if there is no table of a
 * SPEC, open the game without values (plb_table_of_game). */
plb_table *open_asked_table(position_arguments *arguments, bool or_game);

/* Read a position of a table's game as the arguments have it. Where it is written the other way,
 * moves for a board or a board for moves, the message says so.
 * Errors: those of plb_parse_board and plb_parse_moves. */
int read_position(const plb_table *table, const position_arguments *arguments, const char *text,
                  uint64_t *x, uint64_t *o, plb_message *message);

/* The message for a text that is written the other way. */
void suggest_notation(const position_arguments *arguments, const char *text, plb_message *message);

/* Add to the message of a line with more than one field, refused with an error, which option reads
 * such lists. */
void suggest_columns(const char *line, const char *option, int error, plb_message *message);

#endif
