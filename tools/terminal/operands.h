/* SPDX-License-Identifier: MIT
 *
 * The operands of commands: FILE, a table; SPEC, a game; POSITION, a board or moves. If one is
 * given in place of another, the message says what is needed.
 */
#pragma once

#include "probe/plybase.h"
#include "tables/message.h"
#include "tools/terminal/arguments.h"

/* ---- tables and games ---- */

/* Does a name end in .plb, as the names of tables do? */
bool ends_as_table(const char *text);

/* Improve the message about an invalid spec. If the text is the name of a table, the message says
 * which spec is needed; if it resembles a spec, the message suggests that. Returns the error. */
int explain_spec(const char *text, int error, plb_message *message);

/* Read a spec, or print an error. Returns an exit status. */
struct plb_game;
int read_game(const char *spec, struct plb_game *game);

/* The path of the table that FILE names. If there is no such file and FILE is the spec of a game,
 * this is the first SPEC.plb in `folder` (may be NULL), in the current folder, and in the folders
 * of $PLYBASE_PATH, which are separated by colons. tell: print on stderr which one was found.
 * Returns `path` or the buffer. */
enum { TABLE_NAME = 4096 };
const char *find_table(const char *path, const char *folder, bool tell, char found[TABLE_NAME]);

/* The option for `folder`. */
#define TABLES(type, field)                 \
    TEXT('T', "tables", "DIR", type, field, \
         "if FILE is the SPEC of a table, look for it in DIR first")

/* Improve the message that there is no such file. If the path is the spec of a game, or SPEC.plb,
 * the message says where find_table has looked and how to build the table. If it has neither a
 * slash nor the ending of a table, the message says why it is not a valid spec. */
void suggest_table(const char *path, const char *folder, plb_message *message);

/* Open the table that find_table finds. If this fails, print an error and return NULL. Warns on
 * stderr of bytes after the end of the table. */
plb_table *open_table(const char *path, const char *folder);

/* The same, but refuse strategies: for commands that need the values of all positions. */
plb_table *open_whole_table(const char *path, const char *folder);

/* Exit with EXIT_USAGE if a table cannot have this name: the empty one, `-`, a folder, or a
 * dangling symbolic link. NULL is allowed. */
void require_table_name(const char *output, const char *spec);

/* ---- rows of an export ---- */

/* Callbacks of options: parse a ply or a range of plies, and parse which positions, into
 * plb_export_options. False: the text is not valid. */
bool parse_plies(const char *text, void *options);
bool parse_where(const char *text, void *options);
#define PLIES_NEEDED "a ply such as 8, or plies such as 2-4, the lower one first, up to 64"
#define WHERE_NEEDED "win, draw, loss or quiet"

/* ---- lists of other programs, which the library reads ---- */

typedef struct list_line {
    const char *position; /* in a notation that read_position parses */
    const char *as_given; /* as written in the line, which is cut off after it */
    plb_list_line of;     /* if there is a format: `rest` has the columns that follow */
} list_line;

/* Callback of an option: store the name of a format. False: there is no such format. */
bool parse_list_format(const char *text, void *to);
#define LIST_FORMATS "plybase, pons, columns0, board or uci"

/* How the lines of a list are written, and for which board. */
typedef struct list_form {
    const char *format; /* NULL: the whole line is the position */
    bool moves;         /* positions are moves: an empty line is the empty board */
    int width, height;
} list_form;

/* Parse a line of a list.
 *
 * size    [in]   bytes of the line, which may have zero bytes in it
 * read    [out]  also set after an error, but then the position is not valid
 *
 * Errors: PLB_ESYNTAX, PLB_EBOARD. */
int read_list_line(const list_form *form, char *line, size_t size, list_line *read,
                   plb_message *message);

/* ---- positions ---- */

typedef struct position_arguments {
    const char *source, *folder; /* FILE or SPEC; with FILE, the folder of --tables or NULL */
    operand_list positions;
    bool moves, json;
    const char *format; /* of a list, or NULL */
    int expect;         /* the column that is compared with the answers; 0: none */
} position_arguments;

/* FILE POSITION... with --moves, --json, --input, --expect and --tables; and SPEC POSITION... with
 * the same options but --tables; into position_arguments. */
extern const argument_row file_position_rows[], spec_position_rows[];

/* Parts of the help of these commands. */
#define FILE_HELP                                                                            \
    "FILE is a table that `plybase build` has written, or its SPEC. Without a POSITION the " \
    "empty board is taken. "
#define STONES_HELP                                                                             \
    "by rows from the top, with / between rows: x, o, and numbers for runs of empty cells, as " \
    "in 5/5/5/2o2/2x2 or ...../...../...../..o../..x.."
#define BOARD_HELP                                                                   \
    STONES_HELP                                                                      \
    "; in games of numbers commas separate the cells, and . is an empty one, as in " \
    "2,.,9/.,5,./.,.,."
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
#define BATCH_HELP(columns, notes)                                                                 \
    "\n\nIf - is the only POSITION, positions are read from the standard input, one per line. "    \
    "For each, one line is printed:\nposition TAB " columns                                        \
    ", with - for what is unknown. If a "                                                          \
    "line is not a position, the columns are position TAB error TAB message; the other lines are " \
    "answered, and the exit status is 1. The first column is the line, up to its first "           \
    "tab. " notes "\n\n" LIST_HELP

/* If there is no POSITION, add the empty board. */
void default_to_empty_board(position_arguments *arguments);

/* Do so, and open the table that FILE names, as open_table does. or_game: if there is no table of a
 * SPEC, open the game without values (plb_table_of_game). */
plb_table *open_asked_table(position_arguments *arguments, bool or_game);

/* Parse a position of the table's game: moves with --moves, otherwise a board. If the text is in
 * the other notation, the message says so. Errors: those of plb_parse_board and plb_parse_moves. */
int read_position(const plb_table *table, const position_arguments *arguments, const char *text,
                  uint64_t *x, uint64_t *o, plb_message *message);

/* Write the message about a board with --moves, or about moves without it. */
void suggest_notation(const position_arguments *arguments, const char *text, plb_message *message);

/* If there was an error and the line has more than one field, add to the message which option reads
 * such lists. */
void suggest_columns(const char *line, const char *option, int error, plb_message *message);
