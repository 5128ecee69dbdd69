/* SPDX-License-Identifier: MIT
 *
 * Reading of lists of other programs. All formats are converted to the notation of Plybase; a
 * format is a row of one table.
 */

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "probe/plybase.h"
#include "tables/games/notation.h"

typedef enum position_kind {
    AS_IT_IS,
    COLUMNS_FROM_0,
    CELLS_BY_ROWS,
    CELLS_BY_COLUMNS
} position_kind;

typedef struct list_format {
    const char *name;
    position_kind kind;
    bool moves;
} list_format;

/* CELLS_BY_ROWS begin with the top row, CELLS_BY_COLUMNS with the left column, from the bottom. */
static const list_format formats[] = {
    {.name = "plybase", .kind = AS_IT_IS},
    {.name = "pons", .kind = AS_IT_IS, .moves = true},
    {.name = "columns0", .kind = COLUMNS_FROM_0, .moves = true},
    {.name = "board", .kind = CELLS_BY_ROWS},
    {.name = "uci", .kind = CELLS_BY_COLUMNS},
};

/* Find a format by its name. NULL: there is none. */
static const list_format *find_format(const char *name) {
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
        if (strcmp(name, formats[f].name) == 0) return &formats[f];
    return NULL;
}

int plb_list_has_moves(const char *format, bool moves) {
    const list_format *f = format ? find_format(format) : NULL;
    return !f ? -1 : f->moves || (f->kind == AS_IT_IS && moves);
}

static bool is_board(int width, int height) {
    return width >= 1 && height >= 1 && width <= PLB_MAX_CELLS / height;
}

/* ---- columns ---- */

static const char blanks[] = " \t\r", between[] = " \t\r,";

/* Skip a separator of columns: one tab or comma, with blanks around it. */
static const char *skip_separator(const char *next) {
    next += strspn(next, " ");
    if (*next && strchr("\t,", *next)) next++;
    return next + strspn(next, " \r");
}

/* The length of the position that a line begins with. */
static size_t position_length(const list_format *f, const char *text, int cells) {
    if (f->kind == AS_IT_IS || f->kind == COLUMNS_FROM_0) return strcspn(text, blanks);
    size_t length = 0;
    for (int cell = 0; text[length]; length++) {
        bool is_cell = !strchr("/,", text[length]);
        if (strchr(blanks, text[length]) || (cell == cells && text[length] != '/')) break;
        cell += is_cell;
    }
    return length;
}

/* ---- formats ---- */

static const char cell_names[] = "xo.-_b";

/* The number of characters of a position that a message shows. */
static int shown(size_t length) {
    return length < 80 ? (int)length : 80;
}

static int read_cells(const list_format *f, int width, int height, const char *line,
                      plb_list_line *read, plb_message *message) {
    const char *text = line + read->begin;
    size_t length = read->end - read->begin;
    int cells = width * height, cell = 0;
    char *to = read->position;
    for (const char *c = text; c < text + length; c++) {
        int small = tolower((unsigned char)*c);
        if (strchr("/,", *c)) continue;
        if (!strchr(cell_names, small))
            return plb_fail(message, PLB_ESYNTAX,
                            "'%.*s': character %d is not a cell: x, o, or . - _ b of an empty one",
                            shown(length), text, (int)(c - text) + 1);
        if (cell == cells) break;
        int column = f->kind == CELLS_BY_ROWS ? cell % width : cell / height;
        int from_top = f->kind == CELLS_BY_ROWS ? cell / width : height - 1 - cell % height;
        to[from_top * (width + 1) + column] = (char)(small == 'x' || small == 'o' ? small : '.');
        cell++;
    }
    if (cell < cells)
        return plb_fail(message, PLB_EBOARD,
                        "'%.*s' is not a position of a %dx%d board: it has "
                        "%d cells instead of %d",
                        shown(length), text, width, height, cell, cells);
    for (int row = 1; row < height; row++) to[row * (width + 1) - 1] = '/';
    to[height * (width + 1) - 1] = 0;
    return PLB_OK;
}

/* Convert columns from 0 on to columns from 1 on. */
static int shift_columns(char *text, plb_message *message) {
    static const char names[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    for (char *c = text; *c; c++) {
        const char *name = strchr(names, tolower((unsigned char)*c));
        if (*c == ',') continue;
        if (!name || !name[1])
            return plb_fail(message, PLB_ESYNTAX, "'%.80s': character %d is not a column from 0 on",
                            text, (int)(c - text) + 1);
        *c = name[1];
    }
    return PLB_OK;
}

/* Put commas between columns: on boards with more than 9 columns a1 could also be a cell. */
static void separate_columns(char *text, size_t length) {
    for (size_t c = length; c-- > 0;) {
        text[2 * c + 1] = c + 1 < length ? ',' : 0;
        text[2 * c] = text[c];
    }
}

int plb_read_list_line(const char *format, int width, int height, const char *line,
                       plb_list_line *read, plb_message *message) {
    if (PLB_REJECT_NULL(message, format, line, read)) return PLB_EARGUMENT;
    const list_format *f = find_format(format);
    if (!f || !is_board(width, height))
        return plb_fail(message, PLB_EARGUMENT, "there is no list of the format %.40s on %dx%d",
                        format, width, height);
    const char *text = plb_notation_skip_mark(line);
    text += strspn(text, " ");
    size_t length = position_length(f, text, width * height);
    plb_list_line found = {.begin = (size_t)(text - line), .end = (size_t)(text - line) + length};
    const char *rest = text[length] ? skip_separator(text + length) : text + length;
    found.rest = (size_t)(rest - line);
    int error = PLB_OK;
    if (f->kind == CELLS_BY_ROWS || f->kind == CELLS_BY_COLUMNS) {
        error = read_cells(f, width, height, line, &found, message);
    } else if (length >= sizeof found.position) {
        error =
            plb_fail(message, PLB_ESYNTAX, "'%.80s' and so on is longer than any position", text);
    } else {
        memcpy(found.position, text, length);
        if (f->kind == COLUMNS_FROM_0) error = shift_columns(found.position, message);
        if (f->moves && width > 9 && 2 * length < sizeof found.position)
            separate_columns(found.position, length);
    }
    if (error) *found.position = 0;
    *read = found;
    return error;
}

const char *plb_list_column(const char *line, size_t rest, int column, size_t *length) {
    if (!line || !length || column < 2) return NULL;
    const char *found = line + rest;
    for (int c = 2; c < column && *found; c++)
        found = skip_separator(found + strcspn(found, between));
    *length = strcspn(found, between);
    return *found ? found : NULL;
}

/* ---- comparing answers with a list ---- */

int plb_list_score(const plb_list_known *known) {
    if (!known) return 0;
    int left = known->cells - known->ply - known->dtm;
    return (int)known->value * (known->dtm == PLB_NO_DTM ? 1 : left / 2 + 1);
}

/* Is a column win, draw or loss? */
static bool is_value(const char *text, size_t length, long *value) {
    for (plb_value v = PLB_LOSS; v <= PLB_WIN; v++) {
        const char *word = plb_value_text(v);
        if (strlen(word) != length || strncasecmp(text, word, length) != 0) continue;
        *value = v;
        return true;
    }
    return false;
}

int plb_list_agrees(const char *format, const char *line, size_t rest, int column,
                    const plb_list_known *known, plb_message *message) {
    if (PLB_REJECT_NULL(message, format, line, known)) return PLB_EARGUMENT;
    if (!find_format(format))
        return plb_fail(message, PLB_EARGUMENT, "there is no format %.40s", format);
    if (column < 2)
        return plb_fail(message, PLB_EARGUMENT,
                        "there is no column %d to compare: 2 is the first after the position",
                        column);
    size_t length = 0;
    const char *text = plb_list_column(line, rest, column, &length);
    bool scores = strcmp(format, "pons") == 0, of_x = strcmp(format, "uci") == 0;
    bool has_score = scores && known->dtm != PLB_NO_DTM;
    int right = (int)known->value;
    if (of_x && known->ply % 2) right = -right;
    char word[16], known_text[16], *end;
    snprintf(word, sizeof word, "%.*s", (int)length, text ? text : "");
    snprintf(known_text, sizeof known_text, "%s%s", plb_value_text((plb_value)right),
             of_x ? " for x" : "");
    if (length == 0) {
        plb_fail(message, PLB_ESYNTAX, "there is no column %d; the answer is %s", column,
                 known_text);
        return 0;
    }
    long given = strtol(word, &end, 10);
    bool number = !*end && length < sizeof word;
    if (number && has_score)
        right = plb_list_score(known);
    else if (number && scores)
        given = (given > 0) - (given < 0);
    if (!number) number = is_value(text, length, &given);
    if (!number || (!scores && labs(given) > 1))
        plb_fail(message, PLB_ESYNTAX, "column %d, '%s', is not %s; the answer is %s", column, word,
                 scores ? "a score" : "win, draw, loss, 1, 0 or -1", known_text);
    else if (given != right && has_score)
        plb_fail(message, PLB_OK, "the list says %s, the answer is %s, a score of %d", word,
                 known_text, plb_list_score(known));
    else if (given != right)
        plb_fail(message, PLB_OK, "the list says %s, the answer is %s", word, known_text);
    else
        return 1;
    return 0;
}

/* ---- guesses ---- */

static bool is_integer(const char *text, size_t length) {
    size_t sign = *text == '-' || *text == '+';
    return length > sign && strspn(text + sign, "0123456789") == length - sign;
}

const char *plb_guess_list_format(const char *line, int width, int height, bool moves) {
    if (!line || !is_board(width, height)) return NULL;
    const char *text = plb_notation_skip_mark(line);
    text += strspn(text, " ");
    size_t length = strcspn(text, blanks), digits = strspn(text, "0123456789");
    const char *rest = text[length] ? skip_separator(text + length) : "";
    bool more = *rest && *rest != ',' && !(length && text[length - 1] == ',');
    /* A board with more than one row has slashes; a cell has a digit. */
    bool no_board = length && height > 1 && !memchr(text, '/', length);
    bool stones = width < 15 && strcspn(text, "xoXO") < length; /* no column has such a letter */
    bool cells =
        no_board && !moves && !stones && (width > 9 || strcspn(text, "123456789") < length);
    bool columns = digits == length && (no_board || (length && moves));
    size_t second = strcspn(rest, blanks);
    long value;
    bool score = more && (is_integer(rest, second) || (!moves && is_value(rest, second, &value)));
    const char *name = NULL;
    if (columns && memchr(text, '0', length))
        name = "columns0";
    else if (!moves && height > 1 && strspn(text, "xobXOB,") >= (size_t)(2 * width * height - 1))
        name = "uci";
    else if (!moves && height > 1 && strspn(text, "xoXO.-_") == (size_t)(width * height))
        name = "board";
    else if ((columns || cells) && score)
        name = "pons";
    else if (more)
        name = "plybase";
    return name;
}
