/* SPDX-License-Identifier: MIT
 *
 * Answers about one position.
 */
#include <ctype.h>
#include <string.h>

#include "tools/answers/json_service.h"
#include "tools/quantity.h"
#include "tools/serve/problems.h"
#include "tools/serve/routes.h"

/* The position of a request. */
typedef struct asked_position {
    uint64_t x, o;
    const char *parameter; /* that it was given by */
    bool by_moves;
    int count; /* of moves that were played */
    played_move played[PLB_MAX_CELLS];
} asked_position;

/* ---- which position ---- */

/* Where a move of the notation of plb_parse_moves ends: after one character with gravity, else
 * after the row's number. */
static const char *end_of_move(const plb_table_info *info, const char *text) {
    if (info->gravity) return text + 1;
    while (*text && !isalpha((unsigned char)*text)) text++;
    if (*text) text++;
    while (isdigit((unsigned char)*text)) text++;
    return text;
}

/* The cell that is occupied in one position and not in the one before. */
static void find_cell(const plb_table *table, uint64_t x, uint64_t o, played_move *after) {
    plb_cell before_cells[PLB_MAX_CELLS], cells[PLB_MAX_CELLS];
    const plb_table_info *info = plb_info(table);
    plb_read_cells(table, x, o, before_cells);
    plb_read_cells(table, after->x, after->o, cells);
    for (int cell = 0; cell < info->cells; cell++) {
        if (!cells[cell].player || before_cells[cell].player) continue;
        after->column = cell / info->height;
        after->row = cell % info->height;
    }
}

/* Play moves one after another from the position; that they can be played was found out before. */
static void play_moves(const plb_table *table, const char *text, asked_position *asked) {
    for (text += strspn(text, " ,"); *text && asked->count < PLB_MAX_CELLS;
         text += strspn(text, " ,")) {
        played_move *move = &asked->played[asked->count];
        const char *end = end_of_move(plb_info(table), text);
        if (end - text >= PLB_MOVE_TEXT) return;
        memcpy(move->text, text, end - text);
        move->text[end - text] = 0;
        move->x = asked->x;
        move->o = asked->o;
        if (plb_play_text(table, move->text, &move->x, &move->o, NULL) != PLB_OK) return;
        find_cell(table, asked->x, asked->o, move);
        asked->x = move->x;
        asked->o = move->o;
        asked->count++;
        text = end;
    }
}

/* A board, moves from the empty board, or moves from a board. */
static bool read_position(const route_call *call, http_answer *answer, asked_position *asked) {
    const request_target *target = &call->request->target;
    const plb_table *table = call->table->table;
    const char *board = request_target_find(target, "board");
    const char *moves = request_target_find(target, "moves");
    plb_message message;
    int error = PLB_OK;
    asked->x = asked->o = 0;
    asked->count = 0;
    asked->by_moves = moves;
    asked->parameter = "board";
    if (board) error = plb_parse_board(table, board, &asked->x, &asked->o, &message);
    if (!error && moves) {
        uint64_t x = asked->x, o = asked->o;
        asked->parameter = "moves";
        error = plb_play_text(table, moves, &x, &o, &message);
        if (!error) play_moves(table, moves, asked);
    }
    if (error) answer_table_error(call, answer, error, &message, asked->parameter);
    return !error;
}

/* Answer with what was found. */
static void answer_found(const route_call *call, const asked_position *asked, json_t *found,
                         http_answer *answer) {
    const plb_table *table = call->table->table;
    size_t size = 0;
    json_t *object = json_of_answer(table, found);
    if (object && asked->by_moves)
        object = json_with_played(table, object, asked->played, asked->count);
    char *line = format_json_line(object, &size);
    answer_table_json(call, answer, line, size);
}

void answer_position(const route_call *call, http_answer *answer) {
    asked_position asked;
    plb_analysis found;
    plb_message message;
    if (!read_position(call, answer, &asked)) return;
    int error = plb_analyse(call->table->table, asked.x, asked.o, &found, &message);
    if (error)
        answer_table_error(call, answer, error, &message, asked.parameter);
    else
        answer_found(call, &asked, json_of_position(call->table->table, asked.x, asked.o, &found),
                     answer);
}

/* ---- searches ---- */

static bool read_seconds(const route_call *call, http_answer *answer, double *seconds) {
    const serve_options *o = call->service->options;
    const char *text = request_target_find(&call->request->target, "seconds");
    *seconds = o->search_seconds;
    if (!text || (parse_seconds(text, seconds) && *seconds <= o->most_search_seconds)) return true;
    answer_bad_parameter(answer, "seconds",
                         "seconds=%.40s: more than 0 and at most %g seconds are needed", text,
                         o->most_search_seconds);
    return false;
}

void answer_best(const route_call *call, http_answer *answer) {
    asked_position asked;
    plb_limits limits = {.memory_bytes = (uint64_t)call->service->options->search_memory_bytes};
    plb_best best;
    plb_message message;
    if (!read_position(call, answer, &asked) || !read_seconds(call, answer, &limits.seconds))
        return;
    int error = plb_find_best(call->table->table, asked.x, asked.o, &limits, &best, &message);
    if (error)
        answer_table_error(call, answer, error, &message, asked.parameter);
    else
        answer_found(call, &asked, json_of_best(call->table->table, asked.x, asked.o, &best),
                     answer);
}

void answer_line(const route_call *call, http_answer *answer) {
    asked_position asked;
    plb_limits limits = {.memory_bytes = (uint64_t)call->service->options->search_memory_bytes};
    played_line line;
    plb_answer value;
    plb_message message;
    const plb_table *table = call->table->table;
    if (!read_position(call, answer, &asked) || !read_seconds(call, answer, &limits.seconds))
        return;
    int error = plb_probe(table, asked.x, asked.o, &value, &message);
    line = (played_line){.x = asked.x, .o = asked.o, .value = value.value};
    if (!error) error = plb_find_line(table, asked.x, asked.o, &limits, &line.played, &message);
    if (!error) error = play_line(table, &line, &message);
    if (error)
        answer_table_error(call, answer, error, &message, asked.parameter);
    else
        answer_found(call, &asked, json_of_line(table, &line), answer);
}
