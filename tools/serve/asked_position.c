/* SPDX-License-Identifier: MIT */
#include "tools/serve/asked_position.h"

#include <ctype.h>
#include <string.h>

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
bool asked_position_read(const route_call *call, http_answer *answer, asked_position *asked) {
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
    atomic_fetch_add_explicit(&call->table->probes, 1, memory_order_relaxed);
    if (error) answer_table_error(call, answer, error, &message, asked->parameter);
    return !error;
}

bool asked_position_is_known(const route_call *call, const asked_position *asked,
                             http_answer *answer) {
    plb_state state;
    plb_message message;
    if (!answer_is_known(call, answer)) return false;
    int error = plb_find_state(call->table->table, asked->x, asked->o, &state, &message);
    if (error) answer_table_error(call, answer, error, &message, asked->parameter);
    return true;
}

json_writer asked_position_begin(const route_call *call) {
    json_writer w = {0};
    open_object(&w, NULL);
    put_word(&w, "table", call->table->info->spec);
    return w;
}

void asked_position_end(const route_call *call, const asked_position *asked, json_writer *found,
                        http_answer *answer) {
    size_t size = 0;
    if (asked->by_moves) put_played(found, call->table->table, asked->played, asked->count);
    close_object(found);
    char *line = take_json_line(found, &size);
    answer_table_json(call, answer, line, size);
}
