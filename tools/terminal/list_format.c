/* SPDX-License-Identifier: MIT */
#include "tools/terminal/list_format.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tables/games/notation.h"
#include "tables/message.h"

typedef enum position_kind {
    AS_IT_IS,
    COLUMNS_FROM_0,
    CELLS_BY_ROWS,
    CELLS_BY_COLUMNS
} position_kind;

struct list_format {
    const char *name;
    position_kind kind;
    bool moves, scores;
};

/* Of cells: by rows from the top, by columns from the left and from the bottom. */
static const list_format formats[] = {
    {.name = "plybase", .kind = AS_IT_IS},
    {.name = "pons", .kind = AS_IT_IS, .moves = true, .scores = true},
    {.name = "columns0", .kind = COLUMNS_FROM_0, .moves = true},
    {.name = "board", .kind = CELLS_BY_ROWS},
    {.name = "uci", .kind = CELLS_BY_COLUMNS},
};

bool parse_list_format(const char *text, void *to) {
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        if (strcmp(text, formats[f].name) != 0) continue;
        *(const list_format **)to = &formats[f];
        return true;
    }
    return false;
}

const char *list_format_name(const list_format *format) {
    return format->name;
}

bool list_format_has_moves(const list_format *format, bool moves) {
    return format->moves || (format->kind == AS_IT_IS && moves);
}

/* ---- columns ---- */

static const char blanks[] = " \t\r", between[] = " \t\r,";

/* Go from the end of a column to the beginning of the next one: over one tab or comma, with blanks
 * around it. */
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

static int read_cells(const list_format *f, int width, int height, const char *text,
                      list_line *read, plb_message *message) {
    int cells = width * height, cell = 0;
    char *to = read->position;
    for (const char *c = text; *c; c++) {
        int small = tolower((unsigned char)*c);
        if (strchr("/,", *c)) continue;
        if (!strchr(cell_names, small))
            return plb_fail(message, PLB_ESYNTAX,
                            "'%.80s': character %d is not a cell: x, o, or . - _ b of an empty one",
                            text, (int)(c - text) + 1);
        if (cell == cells) break;
        int column = f->kind == CELLS_BY_ROWS ? cell % width : cell / height;
        int from_top = f->kind == CELLS_BY_ROWS ? cell / width : height - 1 - cell % height;
        to[from_top * (width + 1) + column] = (char)(small == 'x' || small == 'o' ? small : '.');
        cell++;
    }
    if (cell < cells)
        return plb_fail(message, PLB_EBOARD,
                        "'%.80s' is not a position of a %dx%d board: it has "
                        "%d cells instead of %d",
                        text, width, height, cell, cells);
    for (int row = 1; row < height; row++) to[row * (width + 1) - 1] = '/';
    to[height * (width + 1) - 1] = 0;
    return PLB_OK;
}

/* Columns from 0 become columns from 1. */
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

int list_format_read(const list_format *f, int width, int height, char *line, list_line *read,
                     plb_message *message) {
    char *text = line + (plb_notation_skip_mark(line) - line);
    text += strspn(text, " ");
    size_t length = position_length(f, text, width * height);
    read->as_given = text;
    read->rest = text[length] ? skip_separator(text + length) : "";
    text[length] = 0;
    if (f->kind == CELLS_BY_ROWS || f->kind == CELLS_BY_COLUMNS)
        return read_cells(f, width, height, text, read, message);
    if (length >= sizeof read->position)
        return plb_fail(message, PLB_ESYNTAX, "'%.80s' and so on is longer than any position",
                        text);
    memcpy(read->position, text, length + 1);
    return f->kind == COLUMNS_FROM_0 ? shift_columns(read->position, message) : PLB_OK;
}

/* ---- guesses ---- */

static bool is_integer(const char *text, size_t length) {
    size_t sign = *text == '-' || *text == '+';
    return length > sign && strspn(text + sign, "0123456789") == length - sign;
}

const list_format *guess_list_format(const char *line, int width, int height, bool moves) {
    const char *text = plb_notation_skip_mark(line);
    text += strspn(text, " ");
    size_t length = strcspn(text, blanks), digits = strspn(text, "0123456789");
    const char *rest = text[length] ? skip_separator(text + length) : "";
    bool more = *rest && *rest != ',' && !(length && text[length - 1] == ',');
    /* A board has ends of rows, if it has more than one row. */
    bool columns = length && digits == length && (moves || height > 1);
    const char *name = NULL;
    if (columns && memchr(text, '0', length))
        name = "columns0";
    else if (columns && more && is_integer(rest, strcspn(rest, blanks)))
        name = "pons";
    else if (!moves && height > 1 && strspn(text, "xobXOB,") >= (size_t)(2 * width * height - 1))
        name = "uci";
    else if (!moves && height > 1 && strspn(text, "xoXO.-_") == (size_t)(width * height))
        name = "board";
    else if (more)
        name = "plybase";
    const list_format *guess = NULL;
    if (name) parse_list_format(name, &guess);
    return guess;
}

/* ---- what a list expects ---- */

int pons_score(const list_outcome *known) {
    int left = known->cells - known->ply - known->dtm;
    return (int)known->value * (known->dtm == PLB_NO_DTM ? 1 : left / 2 + 1);
}

bool list_column_agrees(const list_format *f, const char *rest, int column,
                        const list_outcome *known, plb_message *message) {
    for (int c = 2; c < column && *rest; c++) rest = skip_separator(rest + strcspn(rest, between));
    int length = (int)strcspn(rest, between), right = (int)known->value;
    char word[16];
    snprintf(word, sizeof word, "%.*s", length, rest);
    const char *known_text = plb_value_text(known->value);
    if (length == 0) {
        plb_fail(message, PLB_ESYNTAX, "there is no column %d; the answer is %s", column,
                 known_text);
        return false;
    }
    bool number = is_integer(word, strlen(word));
    int given = number ? atoi(word) : 0;
    if (number && f->scores) {
        right = pons_score(known);
        if (known->dtm == PLB_NO_DTM) given = (given > 0) - (given < 0);
    }
    for (plb_value v = PLB_LOSS; v <= PLB_WIN && !number; v++)
        if (strcasecmp(word, plb_value_text(v)) == 0) given = (int)v, number = true;
    if (!number || (!f->scores && abs(given) > 1))
        plb_fail(message, PLB_ESYNTAX, "column %d, '%s', is no %s; the answer is %s", column, word,
                 f->scores ? "score" : "win, draw, loss, 1, 0 or -1", known_text);
    else if (given != right && f->scores && known->dtm != PLB_NO_DTM)
        plb_fail(message, PLB_OK, "the list says %s, the answer is %s, a score of %d", word,
                 known_text, right);
    else if (given != right)
        plb_fail(message, PLB_OK, "the list says %s, the answer is %s", word, known_text);
    else
        return true;
    return false;
}
