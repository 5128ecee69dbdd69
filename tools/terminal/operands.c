/* SPDX-License-Identifier: MIT */
#include "tools/terminal/operands.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probe/table.h"
#include "tables/games/game.h"
#include "tables/games/game_spec.h"
#include "tools/terminal/console.h"
#include "tools/terminal/quantity.h"

/* ---- tables and games ---- */

static const char ending[] = ".plb";

bool ends_as_table(const char *text) {
    size_t length = strlen(text), end = strlen(ending);
    return length > end && strcmp(text + length - end, ending) == 0;
}

/* The canonical spec of a game; the text is any spec of it, or the usual name of its table. */
static bool find_spec(const char *text, char spec[PLB_SPEC_TEXT]) {
    char stem[PLB_SPEC_TEXT];
    plb_game game;
    size_t length = strlen(text);
    if (ends_as_table(text)) length -= strlen(ending);
    if (length >= sizeof stem) return false;
    memcpy(stem, text, length);
    stem[length] = 0;
    if (plb_game_parse(stem, &game, NULL) != PLB_OK) return false;
    plb_game_format(&game, spec);
    return true;
}

/* Is the board wide or high enough for K in a row? */
static bool has_room(const char *spec) {
    plb_game game;
    return plb_game_parse(spec, &game, NULL) == PLB_OK &&
           (game.k <= game.width || game.k <= game.height);
}

/* Guess the spec that the user means by a text: another name of a game, a spec in capitals, or a
 * part of a spec. */
static bool guess_spec(const char *text, char spec[PLB_SPEC_TEXT]) {
    static const char *const other_names[][2] = {
        {"connect4", "connect-7x6-k4"},    {"connect-4", "connect-7x6-k4"},
        {"connectfour", "connect-7x6-k4"}, {"connect-four", "connect-7x6-k4"},
        {"tictactoe", "mnk-3x3-k3"},       {"tic-tac-toe", "mnk-3x3-k3"}};
    static const char *const forms[] = {"%s",    "connect-%s",    "connect-%s-k4",
                                        "%s-k4", "connect-%s-k3", "%s-k3"};
    enum { WITHOUT_K = 2 }; /* the first forms do not add K */
    char small[PLB_SPEC_TEXT], whole[2 * PLB_SPEC_TEXT];
    size_t length = strlen(text);
    if (length >= sizeof small) return false;
    for (size_t c = 0; c <= length; c++)
        small[c] = (char)(text[c] >= 'A' && text[c] <= 'Z' ? text[c] | 0x20 : text[c]);
    for (size_t n = 0; n < sizeof other_names / sizeof *other_names; n++)
        if (strcmp(small, other_names[n][0]) == 0) return find_spec(other_names[n][1], spec);
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        int fits = snprintf(whole, sizeof whole, forms[f], small);
        if (fits > 0 && find_spec(whole, spec) && (f < WITHOUT_K || has_room(spec))) return true;
    }
    return false;
}

int explain_spec(const char *text, int error, plb_message *message) {
    char spec[PLB_SPEC_TEXT];
    if (error == PLB_ESPEC && ends_as_table(text) && find_spec(text, spec))
        return plb_fail(message, error, "%s is the name of a table; here a game is needed: %s",
                        text, spec);
    if (error == PLB_ESPEC && guess_spec(text, spec)) {
        size_t used = strlen(message->text);
        snprintf(message->text + used, sizeof message->text - used, "; did you mean %s?", spec);
    }
    return error;
}

int read_game(const char *spec, plb_game *game) {
    plb_message message;
    int error = plb_game_parse(spec, game, &message);
    if (!error) return EXIT_GOOD;
    explain_spec(spec, error, &message);
    return report_error(error, &message);
}

static const char search_path[] = "PLYBASE_PATH";

static bool is_table_in(const char *folder, int length, const char *spec, char found[TABLE_NAME]) {
    int used = snprintf(found, TABLE_NAME, "%.*s/%s%s", length, folder, spec, ending);
    return length && used < TABLE_NAME && access(found, F_OK) == 0;
}

const char *find_table(const char *path, const char *folder, bool tell, char found[TABLE_NAME]) {
    char spec[PLB_SPEC_TEXT];
    if (access(path, F_OK) == 0 || errno != ENOENT || !find_spec(path, spec)) return path;
    bool is_found =
        is_table_in(folder ? folder : "", folder ? (int)strlen(folder) : 0, spec, found);
    if (!is_found) {
        snprintf(found, TABLE_NAME, "%s%s", spec, ending);
        is_found = access(found, F_OK) == 0;
    }
    const char *rest = getenv(search_path);
    while (!is_found && rest && *rest) {
        int length = (int)strcspn(rest, ":");
        is_found = is_table_in(rest, length, spec, found);
        rest += rest[length] ? length + 1 : length;
    }
    if (!is_found) return path;
    if (tell) print_error("%s: the table is %s", path, found);
    return found;
}

void suggest_table(const char *path, const char *folder, plb_message *message) {
    char spec[PLB_SPEC_TEXT];
    const char *folders = getenv(search_path);
    bool has_folders = folders && *folders;
    plb_message why;
    plb_game game;
    if (find_spec(path, spec)) {
        plb_fail(message, PLB_ENOTFOUND,
                 "there is no table %s%s %s%s%shere%s%s%s; `plybase build %s` makes it", spec,
                 ending, folder ? "in " : "", folder ? folder : "", folder ? " or " : "",
                 has_folders ? " or in $PLYBASE_PATH (" : "", has_folders ? folders : "",
                 has_folders ? ")" : "", spec);
    } else if (*path && !strchr(path, '/') && !ends_as_table(path) &&
               plb_game_parse(path, &game, &why) == PLB_ESPEC) {
        explain_spec(path, PLB_ESPEC, &why);
        plb_fail(message, PLB_ENOTFOUND, "there is no file %s; %s", path, why.text);
    }
}

/* or_game: as for open_asked_table. */
static plb_table *open_source(const char *path, const char *folder, bool or_game) {
    char found[TABLE_NAME];
    plb_table *table = NULL;
    plb_message message;
    int error = plb_open(find_table(path, folder, true, found), &table, &message);
    if (error == PLB_ENOTFOUND) suggest_table(path, folder, &message);
    if (error == PLB_ENOTFOUND && or_game && !plb_table_of_game(path, &table, NULL)) return table;
    if (error) print_error("%s", message.text);
    const char *file;
    uint64_t extra = error ? 0 : plb_table_bytes_after_end(table, &file);
    if (extra)
        print_error("%s has %llu bytes after the end of the table, which are not looked at", file,
                    (unsigned long long)extra);
    return table;
}

plb_table *open_table(const char *path, const char *folder) {
    return open_source(path, folder, false);
}

plb_table *open_whole_table(const char *path, const char *folder) {
    plb_table *table = open_table(path, folder);
    if (!table || !plb_info(table)->player) return table;
    print_error(
        "%s is a strategy, which has neither counts nor lists of positions: probe, best, play, "
        "info and verify take it",
        path);
    plb_close(table);
    return NULL;
}

void require_table_name(const char *output, const char *spec) {
    struct stat there;
    if (!output) return;
    size_t length = strlen(output);
    bool exists = stat(output, &there) == 0, folder = exists && S_ISDIR(there.st_mode);
    if (!exists && lstat(output, &there) == 0)
        fail_usage("-o %s is a symbolic link to a file that does not exist: name that file",
                   output);
    if (length == 0) fail_usage("-o '': a file is needed, such as -o %s%s", spec, ending);
    if (strcmp(output, "-") == 0)
        fail_usage(
            "-o -: a table cannot go to the standard output; a file is needed, such as -o "
            "%s%s",
            spec, ending);
    if (folder || output[length - 1] == '/')
        fail_usage("-o %s is a folder: a file is needed, such as -o %s%s%s%s", output, output,
                   output[length - 1] == '/' ? "" : "/", spec, ending);
}

/* ---- rows of an export ---- */

bool parse_plies(const char *text, void *options) {
    plb_export_options *o = options;
    uint64_t first, last;
    char begin[16];
    size_t length = strcspn(text, "-");
    if (length >= sizeof begin) return false;
    snprintf(begin, sizeof begin, "%.*s", (int)length, text);
    if (!parse_count(begin, 0, PLB_MAX_CELLS, &first)) return false;
    last = first;
    if (text[length] && !parse_count(text + length + 1, first, PLB_MAX_CELLS, &last)) return false;
    o->first_ply = (int)first;
    o->end_ply = (int)last + 1;
    return true;
}

bool parse_where(const char *text, void *options) {
    plb_export_options *o = options;
    if (strcmp(text, "quiet") == 0) o->stage = PLB_STAGE_QUIET;
    for (plb_value v = PLB_LOSS; v <= PLB_WIN; v++)
        if (strcmp(text, plb_value_text(v)) == 0) o->values = PLB_VALUE_BIT(v);
    return o->stage || o->values;
}

/* ---- lists of other programs ---- */

bool parse_list_format(const char *text, void *to) {
    if (plb_list_has_moves(text, false) < 0) return false;
    *(const char **)to = text;
    return true;
}

int read_list_line(const list_form *form, char *line, size_t size, list_line *read,
                   plb_message *message) {
    size_t length = strlen(line);
    *read = (list_line){.position = line, .as_given = line};
    if (!size && !form->moves)
        return plb_fail(message, PLB_ESYNTAX, "an empty line is not a position");
    if (length < size)
        return plb_fail(message, PLB_ESYNTAX, "character %zu of the line is a zero byte",
                        length + 1);
    if (!form->format) return PLB_OK;
    int error =
        plb_read_list_line(form->format, form->width, form->height, line, &read->of, message);
    read->position = read->of.position;
    read->as_given = line + read->of.begin;
    line[read->of.end] = 0;
    return error;
}

/* ---- positions ---- */

static const argument_row how_rows[] = {
    FLAG('m', "moves", position_arguments, moves, "positions are sequences of moves, not boards"),
    FLAG('j', "json", position_arguments, json, "print one JSON object per position"),
    PARSED('i', "input", "FORMAT", position_arguments, format, parse_list_format, LIST_FORMATS,
           "how a list is written: " LIST_FORMATS),
    NUMBER('e', "expect", "COLUMN", position_arguments, expect, 2, 99,
           "compare this column of a list, 2 or more, with the answers"),
    {0}};

const argument_row file_position_rows[] = {OPERAND("FILE", position_arguments, source, NULL),
                                           OPERANDS("POSITION", position_arguments, positions, 0),
                                           ALL_OF(how_rows),
                                           TABLES(position_arguments, folder),
                                           {0}};
const argument_row spec_position_rows[] = {
    OPERAND("SPEC", position_arguments, source, "such as connect-5x5-k4"),
    OPERANDS("POSITION", position_arguments, positions, 0),
    ALL_OF(how_rows),
    {0}};

void default_to_empty_board(position_arguments *a) {
    static char *no_moves[] = {""};
    if (a->positions.count) return;
    a->positions = (operand_list){no_moves, 1};
    a->moves = true;
}

plb_table *open_asked_table(position_arguments *a, bool or_game) {
    if (a->moves && !a->positions.count)
        fail_usage("--moves: FILE POSITION is needed, and there is only %s", a->source);
    default_to_empty_board(a);
    plb_table *table = open_source(a->source, a->folder, or_game);
    if (!table || !a->expect || !plb_info(table)->player) return table;
    print_error("%s: a strategy knows bounds, not values: --expect needs a table", a->source);
    plb_close(table);
    return NULL;
}

void suggest_notation(const position_arguments *a, const char *text, plb_message *message) {
    /* A text of digits is a list of moves, although it is also a valid board of one row. */
    if (a->moves && !text[strcspn(text, "/xoXO")]) return;
    bool by_format = a->moves && a->format && strcmp(a->format, "plybase") != 0;
    snprintf(message->text, sizeof message->text,
             by_format  ? "'%.80s' is a board, not a list of moves, which --input %.80s reads"
             : a->moves ? "'%.80s' is a board, not a list of moves: leave out --moves"
                        : "'%.80s' is a list of moves, not a board: did you mean --moves %.80s?",
             text, by_format ? a->format : text);
}

void suggest_columns(const char *line, const char *option, int error, plb_message *message) {
    static const char blanks[] = " \t\r";
    const char *field = line + strspn(line, blanks);
    field += strcspn(field, blanks);
    size_t used = strlen(message->text);
    if (error && field[strspn(field, blanks)])
        snprintf(message->text + used, sizeof message->text - used,
                 "; %s reads lists with more columns", option);
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
    /* Without stones and slashes, the text is a list of moves that cannot all be played. */
    bool is_move_list = error_of_other == PLB_EMOVE && !text[strcspn(text, "/xoXO")];
    if (!error_of_other)
        suggest_notation(a, text, message);
    else if (!a->moves && is_move_list)
        snprintf(message->text, sizeof message->text, "%.240s; and a list of moves needs --moves",
                 of_other.text);
    return error;
}
