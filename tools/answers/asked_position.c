/* SPDX-License-Identifier: MIT */
#include "tools/answers/asked_position.h"

#include <ctype.h>
#include <string.h>

#include "tools/terminal/console.h"

/* ---- reading ---- */

/* The end of a move as of plb_parse_moves: after one character if it is a column, else after the
 * number of the row, which is of one digit in games of numbers: 5@b22@a1 are two moves. */
static const char *end_of_move(const plb_table_info *info, const char *text) {
    if (info->gravity &&
        !(isalpha((unsigned char)*text) && isdigit((unsigned char)text[1]) && info->width <= 9))
        return text + 1;
    while (*text && !isalpha((unsigned char)*text)) text++;
    while (isalpha((unsigned char)*text)) text++;
    if (info->largest_number) return *text ? text + 1 : text;
    while (isdigit((unsigned char)*text)) text++;
    return text;
}

/* A move as answers name it, from what was written of it up to an end: in small letters, a number
 * without zeros before it, and with gravity the column alone. */
static void write_move(const plb_table_info *info, const char *text, const char *end,
                       char to[PLB_MOVE_TEXT]) {
    bool is_column = info->gravity && end - text > 1;
    int length = 0;
    while (*text == '0') text++;
    for (; text < end && length < PLB_MOVE_TEXT - 1; text++)
        to[length++] = (char)tolower((unsigned char)*text);
    if (is_column) *to = (char)('1' + (*to - 'a'));
    to[is_column ? 1 : length] = 0;
}

/* Play moves from the position, which is then the one after them. It was checked before that they
 * can be played. The cell of a move is the one that it occupies. */
static void play_moves(const plb_table *table, const char *text, asked_position *asked) {
    const plb_table_info *info = plb_info(table);
    plb_cell before[PLB_MAX_CELLS], cells[PLB_MAX_CELLS];
    plb_read_cells(table, asked->x, asked->o, before);
    static const char between[] = "\xef\xbb\xbf ,\t\r\n"; /* a byte order mark among them */
    for (text += strspn(text, between); *text && asked->count < PLB_MAX_CELLS;
         text += strspn(text, between)) {
        played_move *move = &asked->played[asked->count];
        const char *end = end_of_move(info, text);
        write_move(info, text, end, move->text);
        move->x = asked->x;
        move->o = asked->o;
        if (plb_play_text(table, move->text, &move->x, &move->o, NULL) != PLB_OK) return;
        plb_read_cells(table, move->x, move->o, cells);
        for (int cell = 0; cell < info->cells; cell++) {
            if (!cells[cell].player || before[cell].player) continue;
            move->column = cell / info->height;
            move->row = cell % info->height;
        }
        memcpy(before, cells, sizeof cells);
        asked->x = move->x;
        asked->o = move->o;
        asked->count++;
        text = end;
    }
}

int read_asked_position(const plb_table *table, const char *board, const char *moves,
                        asked_position *asked, plb_message *message) {
    int error = PLB_OK;
    asked->x = asked->o = 0;
    asked->count = asked->resist = 0;
    asked->by_moves = moves;
    asked->parameter = "board";
    if (board) error = plb_parse_board(table, board, &asked->x, &asked->o, message);
    asked->start_x = asked->x;
    asked->start_o = asked->o;
    if (!error && moves) {
        uint64_t x = asked->x, o = asked->o;
        asked->parameter = "moves";
        error = plb_play_text(table, moves, &x, &o, message);
        if (!error) play_moves(table, moves, asked);
        asked->x = x;
        asked->o = o;
    }
    return error;
}

bool parse_resist(const char *text, void *to) {
    _Static_assert(PLB_MAX_RESIST == 15, "as RESIST_NEEDED says");
    int plies = 0;
    for (const char *c = text; *c; c++) {
        if (!isdigit((unsigned char)*c) || plies > PLB_MAX_RESIST) return false;
        plies = 10 * plies + (*c - '0');
    }
    if (plies % 2 == 0 || plies > PLB_MAX_RESIST) return false;
    *(int *)to = plies;
    return true;
}

/* ---- answering ---- */

static void end_object(const plb_table *table, const asked_position *asked, json_writer *to) {
    if (asked->by_moves) put_played(to, table, asked->played, asked->count);
}

int find_asked_position(const plb_table *table, const asked_position *asked,
                        const plb_limits *limits, json_writer *to, bool *is_final,
                        plb_message *message) {
    plb_analysis found;
    (void)limits;
    (void)is_final;
    int error = plb_analyse(table, asked->x, asked->o, &found, message);
    if (error) return error;
    put_word(to, "table", plb_info(table)->spec);
    put_position(to, table, asked->x, asked->o, &found);
    end_object(table, asked, to);
    return PLB_OK;
}

int find_asked_best(const plb_table *table, const asked_position *asked, const plb_limits *limits,
                    json_writer *to, bool *is_final, plb_message *message) {
    plb_resistance found = {.plies = asked->resist};
    int error = plb_find_resistance(table, asked->x, asked->o, limits, &found, message);
    if (error) return error;
    put_word(to, "table", plb_info(table)->spec);
    put_best(to, table, asked->x, asked->o, &found);
    end_object(table, asked, to);
    *is_final = found.best.exact && found.plies == asked->resist;
    return PLB_OK;
}

/* Move by move, so that the answer has what was found before the time was over. */
static int find_moves(const plb_table *table, const plb_limits *limits, played_line *line,
                      plb_message *message) {
    double end = seconds_now() + limits->seconds;
    plb_limits rest = *limits;
    uint64_t x = line->x, o = line->o;
    for (;;) {
        plb_best best;
        if (limits->seconds > 0) rest.seconds = end - seconds_now();
        line->incomplete = rest.seconds < 0;
        if (line->incomplete) return PLB_OK;
        int error = plb_find_best(table, x, o, &rest, &best, message);
        line->incomplete = !error && !best.exact;
        if (error || line->incomplete || best.count == 0) return error;
        line->played.moves[line->played.count++] = best.moves[0];
        error = plb_play(table, &best.moves[0], &x, &o, message);
        if (error) return error;
    }
}

int find_asked_line(const plb_table *table, const asked_position *asked, const plb_limits *limits,
                    json_writer *to, bool *is_final, plb_message *message) {
    played_line line = {.x = asked->x, .o = asked->o};
    plb_answer value;
    int error = plb_probe(table, line.x, line.o, &value, message);
    line.value = value.value;
    if (!error) error = find_moves(table, limits, &line, message);
    if (!error) error = play_line(table, &line, message);
    if (error) return error;
    put_word(to, "table", plb_info(table)->spec);
    put_line(to, table, &line);
    end_object(table, asked, to);
    *is_final = !line.incomplete;
    return PLB_OK;
}
