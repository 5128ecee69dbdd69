/* SPDX-License-Identifier: MIT
 *
 * Answers as jansson has them. An object is begun with what all answers about a position share.
 */
#include "tools/answers/json_answers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- parts ---- */

json_t *json_of_dtm(int dtm) {
    return dtm == PLB_NO_DTM ? json_null() : json_integer(dtm);
}

json_t *json_of_player(char player) {
    return player ? json_stringn(&player, 1) : json_null();
}

json_t *json_of_board(const plb_table *table, uint64_t x, uint64_t o) {
    char board[PLB_BOARD_TEXT];
    return plb_format_board(table, x, o, board) == PLB_OK ? json_string(board) : json_null();
}

json_t *json_of_cell(int column, int row) {
    char text[16];
    snprintf(text, sizeof text, "%c%d", 'a' + column, row + 1);
    return json_string_nocheck(text);
}

/* A move, and the position that it leads to. Most of an answer is moves: json_pack would take half
 * as long again. */
static json_t *json_of_move(const plb_table *table, const plb_move *move, uint64_t x, uint64_t o) {
    json_t *object = json_object();
    json_object_set_new_nocheck(object, "move", json_string_nocheck(move->text));
    json_object_set_new_nocheck(object, "cell", json_of_cell(move->column, move->row));
    json_object_set_new_nocheck(object, "value", json_string_nocheck(plb_value_text(move->value)));
    json_object_set_new_nocheck(object, "dtm_plies", json_of_dtm(move->dtm));
    json_object_set_new_nocheck(object, "position", json_of_board(table, x, o));
    return object;
}

/* Moves of one position. */
static json_t *json_of_moves(const plb_table *table, uint64_t x, uint64_t o, const plb_move *moves,
                             int count) {
    json_t *list = json_array();
    for (int m = 0; m < count; m++) {
        uint64_t next_x = x, next_o = o;
        plb_play(table, &moves[m], &next_x, &next_o, NULL);
        json_array_append_new(list, json_of_move(table, &moves[m], next_x, next_o));
    }
    return list;
}

/* ---- positions ---- */

static plb_state state_of(const plb_table *table, uint64_t x, uint64_t o) {
    plb_state state = {0};
    plb_find_state(table, x, o, &state, NULL);
    return state;
}

/* The cells of complete groups, column by column. */
static json_t *json_of_groups(const plb_table *table, uint64_t groups) {
    const plb_table_info *info = plb_info(table);
    json_t *list = json_array();
    for (int cell = 0; cell < info->cells; cell++)
        if (groups >> cell & 1)
            json_array_append_new(list, json_of_cell(cell / info->height, cell % info->height));
    return list;
}

/* What all answers about a position begin with. */
static json_t *begin_position(json_t *board, const plb_state *state, plb_value value, int dtm) {
    return json_pack("{s:o, s:o, s:b, s:s, s:o}", "position", board, "to_move",
                     json_of_player(state->to_move), "over", state->over, "value",
                     plb_value_text(value), "dtm_plies", json_of_dtm(dtm));
}

json_t *json_of_probed(const plb_table *table, uint64_t x, uint64_t o, const plb_answer *answer) {
    plb_state state = state_of(table, x, o);
    json_t *object = begin_position(json_of_board(table, x, o), &state, answer->value, answer->dtm);
    json_object_update_new(object, json_pack("{s:i, s:o, s:o}", "ply", state.ply, "winner",
                                             json_of_player(state.winner), "group",
                                             json_of_groups(table, state.groups)));
    if (answer->bound)
        json_object_set_new(object, "bound",
                            json_string(answer->bound > 0 ? "at least" : "at most"));
    return object;
}

json_t *json_of_position(const plb_table *table, uint64_t x, uint64_t o,
                         const plb_analysis *found) {
    json_t *object = json_of_probed(table, x, o, &found->answer);
    json_object_set_new(object, "moves", json_of_moves(table, x, o, found->moves, found->count));
    return object;
}

json_t *json_of_best(const plb_table *table, uint64_t x, uint64_t o, const plb_best *found) {
    const plb_bounds *b = &found->bounds;
    bool draw = found->value == PLB_DRAW;
    int least = draw ? PLB_NO_DTM : b->least, most = draw ? PLB_NO_DTM : b->most;
    plb_state state = state_of(table, x, o);
    json_t *object = begin_position(json_of_board(table, x, o), &state, found->value,
                                    least == most ? least : PLB_NO_DTM);
    json_object_update_new(
        object, json_pack("{s:o, s:o, s:b, s:o, s:I, s:f}", "least_plies", json_of_dtm(least),
                          "most_plies", json_of_dtm(most), "exact", found->exact, "moves",
                          json_of_moves(table, x, o, found->moves, found->count), "nodes",
                          (json_int_t)b->nodes, "seconds", b->seconds));
    return object;
}

int play_line(const plb_table *table, played_line *l, plb_message *message) {
    int error = plb_find_state(table, l->x, l->o, &l->begin, message);
    l->final_x = l->x;
    l->final_o = l->o;
    for (int m = 0; m < l->played.count && !error; m++)
        error = plb_play(table, &l->played.moves[m], &l->final_x, &l->final_o, message);
    return error ? error : plb_find_state(table, l->final_x, l->final_o, &l->end, message);
}

int line_plies(const played_line *line) {
    return line->value == PLB_DRAW || line->incomplete ? PLB_NO_DTM : line->played.count;
}

/* Moves of a line, one after another. */
static json_t *json_of_line_moves(const plb_table *table, const played_line *line) {
    json_t *list = json_array();
    uint64_t x = line->x, o = line->o;
    for (int m = 0; m < line->played.count; m++) {
        plb_play(table, &line->played.moves[m], &x, &o, NULL);
        json_array_append_new(list, json_of_move(table, &line->played.moves[m], x, o));
    }
    return list;
}

json_t *json_of_line(const plb_table *table, const played_line *line) {
    json_t *object = begin_position(json_of_board(table, line->x, line->o), &line->begin,
                                    line->value, line_plies(line));
    json_object_update_new(
        object, json_pack("{s:b, s:o, s:o, s:o, s:i}", "complete", !line->incomplete, "moves",
                          json_of_line_moves(table, line), "final",
                          json_of_board(table, line->final_x, line->final_o), "winner",
                          json_of_player(line->end.winner), "end_ply", line->end.ply));
    return object;
}

/* ---- tables ---- */

double bits_per_position(const plb_table_info *info) {
    return info->positions ? 8.0 * (double)info->size_bytes / (double)info->positions : 0;
}

json_t *json_of_info(const plb_table *table, plb_value first_player) {
    const plb_table_info *info = plb_info(table);
    return json_pack(
        "{s:s, s:i, s:i, s:i, s:i, s:b, s:b, s:b, s:s, s:s, s:I, s:i, s:I, s:f, s:s, s:I, s:i, "
        "s:s, s:s, s:s?, s:s?, s:o, s:s}",
        "spec", info->spec, "width", info->width, "height", info->height, "cells", info->cells, "k",
        info->k, "gravity", info->gravity, "misere", info->misere, "cylinder", info->cylinder,
        "first_player", plb_value_text(first_player), "values", info->values, "positions",
        (json_int_t)info->positions, "symmetries", info->symmetries, "size_bytes",
        (json_int_t)info->size_bytes, "bits_per_position", bits_per_position(info), "index",
        info->index, "entries", (json_int_t)info->entries, "block_entries", info->block_entries,
        "compression", info->compression, "builder", info->builder, "player", info->player, "claim",
        info->claim, "look_ahead_plies",
        info->player ? json_integer(info->look_ahead) : json_null(), "id", info->id);
}

static json_t *json_of_counts(const plb_table *table, const uint64_t counts[]) {
    json_t *list = json_array();
    for (int plies = 0; plies <= plb_info(table)->cells; plies++)
        if (counts[plies])
            json_array_append_new(list, json_pack("{s:i, s:I}", "dtm_plies", plies, "positions",
                                                  (json_int_t)counts[plies]));
    return list;
}

static json_t *json_of_longest(const plb_table *table, const plb_longest *longest) {
    if (longest->plies == PLB_NO_DTM) return json_null();
    return json_pack("{s:i, s:o}", "dtm_plies", longest->plies, "position",
                     json_of_board(table, longest->x, longest->o));
}

/* Distances of a ply, or null. */
static json_t *json_of_distances(const plb_table *table, int ply) {
    plb_ply_distances d;
    if (plb_distance_stats(table, ply, &d) != PLB_OK) return json_null();
    return json_pack("{s:o, s:o, s:o, s:o}", "wins", json_of_counts(table, d.wins), "losses",
                     json_of_counts(table, d.losses), "longest_win",
                     json_of_longest(table, &d.longest_win), "longest_loss",
                     json_of_longest(table, &d.longest_loss));
}

json_t *json_of_stats(const plb_table *table) {
    json_t *plies = json_array();
    plb_ply_stats s;
    for (int ply = 0; plb_stats(table, ply, &s) == PLB_OK; ply++)
        json_array_append_new(
            plies, json_pack("{s:i, s:I, s:I, s:I, s:I, s:I, s:o}", "ply", ply, "total",
                             (json_int_t)s.total, "terminal", (json_int_t)s.terminal, "won",
                             (json_int_t)s.won, "drawn", (json_int_t)s.drawn, "lost",
                             (json_int_t)s.lost, "distances", json_of_distances(table, ply)));
    return json_pack("{s:s, s:o}", "spec", plb_info(table)->spec, "plies", plies);
}

/* ---- errors, printing ---- */

json_t *json_of_text(const char *text) {
    json_t *string = json_string(text);
    if (string) return string;
    char *copy = strdup(text);
    for (char *c = copy; c && *c; c++)
        if ((unsigned char)*c >= 0x80) *c = '?';
    string = copy ? json_string(copy) : json_null();
    free(copy);
    return string;
}

const char *error_name(int error) {
#define NAME(name, number, text) \
    if (error == (number)) return #name;
    PLB_ERRORS(NAME)
#undef NAME
    return NULL;
}

json_t *json_of_error(const char *text, int error, const plb_message *message) {
    return json_pack("{s:o, s:i, s:o, s:s?}", "position", json_of_text(text), "error", error,
                     "message", json_of_text(message->text), "code", error_name(error));
}

enum { LINE_FLAGS = JSON_COMPACT | JSON_REAL_PRECISION(10) };

char *format_json_line(json_t *object, size_t *size) {
    char *text = object ? json_dumps(object, LINE_FLAGS) : NULL;
    json_decref(object);
    if (!text) return NULL;
    size_t length = strlen(text);
    char *line = realloc(text, length + 2);
    if (!line) {
        free(text);
        return NULL;
    }
    memcpy(line + length, "\n", 2);
    *size = length + 1;
    return line;
}

/* In one piece: jansson would write token by token. */
void print_json_line(json_t *object) {
    size_t size = 0;
    char *line = format_json_line(object, &size);
    fputs(line ? line : "null\n", stdout);
    free(line);
}
