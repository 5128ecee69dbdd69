/* SPDX-License-Identifier: MIT */
#include "tables/games/notation.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- parts of every notation ---- */

static const char white_space[] = " \t\r\n";

const char *plb_notation_skip_mark(const char *text) {
    static const char mark[] = "\xef\xbb\xbf";
    return strncmp(text, mark, strlen(mark)) == 0 ? text + strlen(mark) : text;
}

bool plb_notation_is_end(const char *next) {
    return !next[strspn(next, white_space)];
}

int plb_notation_fail_field(const char *text, const char *next, plb_message *message) {
    const char *field = next + strspn(next, white_space);
    return plb_fail(message, PLB_ESYNTAX,
                    "'%.*s' is followed by a blank and '%.*s': only one position is read here, one "
                    "a line, without blanks in it",
                    (int)plb_min(next - text, 80), text,
                    (int)plb_min(strcspn(field, white_space), 40), field);
}

/* Move *next from the end of a move, or from the start of `text`, to the next move or to the final
 * zero. */
static int skip_between(const char *text, const char **next, plb_message *message) {
    const char *end = *next;
    bool first = end == text;
    const char *move = end + strspn(end, first ? " ," : " ,\t\r\n");
    if (plb_notation_is_end(move))
        move += strlen(move);
    else if (move > end && !first && !memchr(end, ',', move - end))
        return plb_notation_fail_field(text, end, message);
    *next = move;
    return PLB_OK;
}

int plb_notation_read_moves(const plb_game *game, const char *text, plb_position *position,
                            int moves[PLB_MAX_CELLS], int *count, plb_message *message) {
    plb_position p = *position;
    text = plb_notation_skip_mark(text);
    const char *next = text;
    int n = 0, error = skip_between(text, &next, message);
    while (!error && *next) {
        error = game->rules->read_move(game, p, text, &next, &moves[n], message);
        if (!error) error = skip_between(text, &next, message);
        if (!error) p = plb_rules_play(game, p, moves[n++]);
    }
    if (error) return error;
    *position = p;
    *count = n;
    return PLB_OK;
}

int plb_notation_play_moves(const plb_game *game, const char *text, plb_position *position,
                            plb_message *message) {
    int moves[PLB_MAX_CELLS], count;
    return plb_notation_read_moves(game, text, position, moves, &count, message);
}

/* tolower for ASCII only, whatever the locale. */
static char small_letter(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* ---- boards ---- */

static int fail_row_length(const plb_game *game, const char *text, int row, plb_message *message) {
    return plb_fail(message, PLB_EBOARD,
                    "'%.80s' is not a position of a %dx%d board: its row %d from the top does not "
                    "have %d cells",
                    text, game->width, game->height, game->height - row, game->width);
}

static int fail_rows(const plb_game *game, const char *text, const char *has, int rows,
                     plb_message *message) {
    return plb_fail(message, PLB_EBOARD,
                    "'%.80s' is not a position of a %dx%d board: it has %s%d rows", text,
                    game->width, game->height, has, rows);
}

int plb_notation_parse_board(const plb_game *game, const char *text, plb_position *position,
                             plb_message *message) {
    text = plb_notation_skip_mark(text);
    int row = game->height - 1, column = 0;
    plb_position p = {0, 0};
    if (plb_notation_is_end(text))
        return plb_fail(message, PLB_ESYNTAX,
                        "an empty text is not a position: write the rows from the top with / "
                        "between them");
    for (const char *next = text + strspn(text, " "); !plb_notation_is_end(next); next++) {
        char c = small_letter(*next);
        if (c == '/') {
            if (column != game->width) return fail_row_length(game, text, row, message);
            if (row == 0) return fail_rows(game, text, "more than ", game->height, message);
            row--;
            column = 0;
        } else if (c == 'x' || c == 'o' || c == '.') {
            if (column >= game->width) return fail_row_length(game, text, row, message);
            uint64_t stone = c == '.' ? 0 : 1ULL << plb_game_cell(game, column, row);
            *(c == 'x' ? &p.x : &p.o) |= stone;
            column++;
        } else if (c == '0') {
            return plb_fail(message, PLB_ESYNTAX, "'%.80s': a run of empty cells begins with 1..9",
                            text);
        } else if (isdigit((unsigned char)c)) {
            int run = c - '0';
            for (; isdigit((unsigned char)next[1]); next++)
                run = run > PLB_MAX_CELLS ? run : run * 10 + (next[1] - '0');
            column += run;
            if (column > game->width) return fail_row_length(game, text, row, message);
        } else if (strchr(white_space, c)) {
            return plb_notation_fail_field(text, next, message);
        } else {
            return plb_fail(message, PLB_ESYNTAX,
                            "'%.80s': character %d is not x, o, a digit, . or /", text,
                            (int)(next - text) + 1);
        }
    }
    if (column != game->width) return fail_row_length(game, text, row, message);
    if (row != 0) return fail_rows(game, text, "", game->height - row, message);
    *position = p;
    return PLB_OK;
}

/* Write a number up to 64. printf would take longer than the rest of the board. */
static char *write_run(char *to, int run) {
    if (run > 9) *to++ = (char)('0' + run / 10);
    *to++ = (char)('0' + run % 10);
    return to;
}

void plb_notation_format_board(const plb_game *game, plb_position position,
                               char text[PLB_BOARD_TEXT]) {
    char *to = text;
    uint64_t x = plb_game_bits_of_cells(game, position.x);
    uint64_t stones = x | plb_game_bits_of_cells(game, position.o);
    for (int row = game->height - 1; row >= 0; row--) {
        int run = 0;
        for (int bit = row; bit < game->cells; bit += game->height) {
            bool stone = stones >> bit & 1;
            if (stone && run) to = write_run(to, run);
            run = stone ? 0 : run + 1;
            if (stone) *to++ = x >> bit & 1 ? 'x' : 'o';
        }
        if (run) to = write_run(to, run);
        if (row) *to++ = '/';
    }
    *to = 0;
}

/* ---- moves ---- */

static const char column_digits[] = "123456789abcdefghijklmnopqrstuvwxyz";

/* Parse column letters: `a` is 0, `aa` is 26. False if there are none. */
static bool read_column_letters(const char **next, int *column) {
    int value = 0;
    for (; value <= PLB_MAX_CELLS; ++*next) {
        char letter = small_letter(**next);
        if (letter < 'a' || letter > 'z') break;
        value = value * 26 + (letter - 'a' + 1);
    }
    *column = value - 1;
    return value > 0;
}

static bool read_row_number(const char **next, int *row) {
    if (**next < '1' || **next > '9') return false;
    int value = 0;
    for (; isdigit((unsigned char)**next) && value <= PLB_MAX_CELLS; ++*next)
        value = value * 10 + (**next - '0');
    *row = value - 1;
    return true;
}

/* The row that a stone falls to; the height if the column is full. */
static int lowest_empty_row(const plb_game *game, plb_position position, int column) {
    int bottom = plb_game_cell(game, column, 0);
    uint64_t stones = plb_stones_occupied(position) >> bottom & plb_low_bits(game->height);
    return plb_popcount(stones);
}

/* A letter and a digit. */
static bool looks_like_cell(const char *next) {
    char letter = small_letter(*next);
    return letter >= 'a' && letter <= 'z' && isdigit((unsigned char)next[1]);
}

/* Refuse an ambiguous text such as a1 where letters are columns: two columns, or the cell that a
 * stone falls to. */
static int check_reading(const plb_game *game, plb_position position, const char *text,
                         const char *next, plb_message *message) {
    int column = small_letter(*next) - 'a', row = next[1] - '1';
    if (!game->gravity || game->width <= 9 || !looks_like_cell(next) || column >= game->width ||
        row >= game->height || row != lowest_empty_row(game, position, column))
        return PLB_OK;
    return plb_fail(message, PLB_ESYNTAX,
                    "'%.80s': %.2s at character %d may be a cell or two columns: write %c, the "
                    "column of the cell, or %c,%c",
                    text, next, (int)(next - text) + 1, column_digits[column], next[0], next[1]);
}

/* Parse one move; returns its cell, NO_MOVE or OFF_BOARD. A column means its lowest empty cell, or
 * its top cell if it is full. */
enum { NO_MOVE = -1, OFF_BOARD = -2 };

static int read_move(const plb_game *game, plb_position position, const char **next) {
    int column, row = 0;
    if (game->gravity && (game->width > 9 || !looks_like_cell(*next))) {
        const char *digit = strchr(column_digits, small_letter(**next));
        if (!digit) return NO_MOVE;
        ++*next;
        column = (int)(digit - column_digits);
        if (column >= game->width) return OFF_BOARD;
        row = lowest_empty_row(game, position, column);
        return plb_game_cell(game, column, row < game->height ? row : row - 1);
    }
    if (!read_column_letters(next, &column) || !read_row_number(next, &row)) return NO_MOVE;
    if (column >= game->width || row >= game->height) return OFF_BOARD;
    return plb_game_cell(game, column, row);
}

int plb_notation_read_move(const plb_game *game, plb_position position, const char *text,
                           const char **next, int *move, plb_message *message) {
    if (game->gravity && game->width > (int)strlen(column_digits))
        return plb_fail(message, PLB_ESYNTAX,
                        "moves cannot be written on a board of more than %d columns: give the "
                        "board instead",
                        (int)strlen(column_digits));
    int error = check_reading(game, position, text, *next, message);
    if (error) return error;
    const char *start = *next;
    int at = (int)(start - text) + 1;
    int cell = read_move(game, position, next);
    int length = (int)(*next - start);
    if (cell == NO_MOVE)
        return plb_fail(
            message, PLB_ESYNTAX, "'%.80s': no move at character %d; moves are %s", text, at,
            game->gravity ? "columns such as 4, one character each" : "cells such as b3");
    if (cell == OFF_BOARD)
        return plb_fail(message, PLB_EMOVE,
                        "'%.80s': move %.*s at character %d is off the %dx%d board", text, length,
                        start, at, game->width, game->height);
    if (plb_stones_is_over(game, position))
        return plb_fail(message, PLB_EMOVE,
                        "'%.80s': move %.*s at character %d comes after the end of the game", text,
                        length, start, at);
    if (!(plb_game_playable(game, plb_stones_occupied(position)) >> cell & 1)) {
        int column = plb_game_column(game, cell);
        int row = game->gravity ? lowest_empty_row(game, position, column) : game->height;
        if (row < game->height)
            return plb_fail(
                message, PLB_EMOVE,
                "'%.80s': move %.*s at character %d: a stone in column %d falls to %c%d", text,
                length, start, at, column + 1, 'a' + column, row + 1);
        return plb_fail(message, PLB_EMOVE, "'%.80s': move %.*s at character %d: the %s", text,
                        length, start, at, game->gravity ? "column is full" : "cell is taken");
    }
    *move = cell;
    return PLB_OK;
}

void plb_notation_format_move(const plb_game *game, int cell, char text[PLB_MOVE_TEXT]) {
    int column = plb_game_column(game, cell), row = plb_game_row(game, cell);
    if (game->gravity)
        memcpy(text, (char[]){column < 35 ? column_digits[column] : '?', 0}, 2);
    else if (column < 26)
        snprintf(text, PLB_MOVE_TEXT, "%c%d", 'a' + column, row + 1);
    else
        snprintf(text, PLB_MOVE_TEXT, "%c%c%d", 'a' + column / 26 - 1, 'a' + column % 26, row + 1);
}
