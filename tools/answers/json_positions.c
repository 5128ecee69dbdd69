/* SPDX-License-Identifier: MIT */
#include "tools/answers/json_positions.h"

/* ---- members ---- */

void put_dtm(json_writer *to, const char *key, int dtm) {
    put_known(to, key, dtm != PLB_NO_DTM, dtm);
}

void put_player(json_writer *to, const char *key, char player) {
    if (player)
        put_word(to, key, (char[2]){player, 0});
    else
        put_null(to, key);
}

void put_board(json_writer *to, const char *key, const plb_table *table, uint64_t x, uint64_t o) {
    char board[PLB_BOARD_TEXT];
    if (plb_format_board(table, x, o, board) == PLB_OK)
        put_word(to, key, board);
    else
        put_null(to, key);
}

const char *error_name(int error) {
#define NAME(name, number, text) \
    if (error == (number)) return #name;
    PLB_ERRORS(NAME)
#undef NAME
    return NULL;
}

/* Write a cell, such as b3. */
static void put_cell(json_writer *to, const char *key, int column, int row) {
    char text[4] = {(char)('a' + column)}, *digit = text + 1;
    if (row >= 9) *digit++ = (char)('0' + (row + 1) / 10);
    *digit = (char)('0' + (row + 1) % 10);
    put_word(to, key, text);
}

/* Write a move with x and o, the position after it. replies: to the move, or NULL. */
static void put_move(json_writer *to, const plb_table *table, const plb_move *move, uint64_t x,
                     uint64_t o, const plb_replies *replies) {
    open_object(to, NULL);
    put_word(to, "move", move->text);
    put_cell(to, "cell", move->column, move->row);
    put_word(to, "value", plb_value_text(move->value));
    put_dtm(to, "dtm_plies", move->dtm);
    put_board(to, "position", table, x, o);
    if (replies) {
        open_object(to, "resistance");
        put_number(to, "replies", replies->count);
        put_number(to, "worse", replies->worse);
        put_real(to, "share", replies->share);
        close_object(to);
    }
    close_object(to);
}

/* Write the moves of a position. at: its x and o; replies: [count] or NULL. */
static void put_moves(json_writer *to, const plb_table *table, const uint64_t at[2],
                      const plb_move *moves, int count, const plb_replies *replies) {
    open_list(to, "moves");
    for (int m = 0; m < count; m++) {
        uint64_t x = at[0], o = at[1];
        plb_play(table, &moves[m], &x, &o, NULL);
        put_move(to, table, &moves[m], x, o, replies ? &replies[m] : NULL);
    }
    close_list(to);
}

/* Write the members with which all answers about a position begin. Returns its state. */
static plb_state put_beginning(json_writer *to, const plb_table *table, uint64_t x, uint64_t o,
                               plb_value value, int dtm) {
    plb_state state = {0};
    plb_find_state(table, x, o, &state, NULL);
    put_board(to, "position", table, x, o);
    put_player(to, "to_move", state.to_move);
    put_flag(to, "over", state.over);
    put_word(to, "value", plb_value_text(value));
    put_dtm(to, "dtm_plies", dtm);
    return state;
}

/* ---- positions ---- */

int find_bound(const plb_table *table, uint64_t x, uint64_t o) {
    plb_answer answer;
    bool found = plb_info(table)->player && plb_probe(table, x, o, &answer, NULL) == PLB_OK;
    return found ? answer.bound : 0;
}

static void put_bound(json_writer *to, int bound) {
    if (bound) put_word(to, "bound", bound > 0 ? "at least" : "at most");
}

void put_probed(json_writer *to, const plb_table *table, uint64_t x, uint64_t o,
                const plb_answer *answer) {
    const plb_table_info *info = plb_info(table);
    plb_state state = put_beginning(to, table, x, o, answer->value, answer->dtm);
    put_number(to, "ply", state.ply);
    put_player(to, "winner", state.winner);
    open_list(to, "group");
    for (int cell = 0; state.groups && cell < info->cells; cell++)
        if (state.groups >> cell & 1) put_cell(to, NULL, cell / info->height, cell % info->height);
    close_list(to);
    put_bound(to, answer->bound);
}

void put_position(json_writer *to, const plb_table *table, uint64_t x, uint64_t o,
                  const plb_analysis *found) {
    put_probed(to, table, x, o, &found->answer);
    put_moves(to, table, (uint64_t[]){x, o}, found->moves, found->count, NULL);
}

void put_best(json_writer *to, const plb_table *table, uint64_t x, uint64_t o,
              const plb_resistance *found) {
    const plb_best *best = &found->best;
    const plb_bounds *b = &best->bounds;
    bool draw = best->value == PLB_DRAW;
    int lower = draw ? PLB_NO_DTM : b->least, upper = draw ? PLB_NO_DTM : b->most;
    put_beginning(to, table, x, o, best->value, lower == upper ? lower : PLB_NO_DTM);
    put_bound(to, find_bound(table, x, o));
    put_dtm(to, "least_plies", lower);
    put_dtm(to, "most_plies", upper);
    put_flag(to, "exact", best->exact);
    if (found->plies) put_number(to, "resist_plies", found->plies);
    put_moves(to, table, (uint64_t[]){x, o}, best->moves, best->count,
              found->plies ? found->replies : NULL);
    put_number(to, "nodes", (int64_t)b->nodes);
    put_real(to, "seconds", b->seconds);
}

/* ---- lines ---- */

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

void put_line(json_writer *to, const plb_table *table, const played_line *line) {
    uint64_t x = line->x, o = line->o;
    put_beginning(to, table, line->x, line->o, line->value, line_plies(line));
    put_flag(to, "complete", !line->incomplete);
    open_list(to, "moves");
    for (int m = 0; m < line->played.count; m++) {
        plb_play(table, &line->played.moves[m], &x, &o, NULL);
        put_move(to, table, &line->played.moves[m], x, o, NULL);
    }
    close_list(to);
    put_board(to, "final", table, line->final_x, line->final_o);
    put_player(to, "winner", line->end.winner);
    put_number(to, "end_ply", line->end.ply);
}

/* ---- games ---- */

/* Write the members of a played move; x and o: the position after it. */
static void put_played_move(json_writer *to, const plb_table *table, const plb_move *move,
                            uint64_t x, uint64_t o) {
    put_word(to, "move", move->text);
    put_cell(to, "cell", move->column, move->row);
    put_board(to, "position", table, x, o);
}

void put_played(json_writer *to, const plb_table *table, uint64_t x, uint64_t o,
                const plb_line *played) {
    open_list(to, "played");
    for (int m = 0; m < played->count; m++) {
        plb_play(table, &played->moves[m], &x, &o, NULL);
        open_object(to, NULL);
        put_played_move(to, table, &played->moves[m], x, o);
        close_object(to);
    }
    close_list(to);
}

void put_annotations(json_writer *to, const plb_table *table, const plb_annotation *moves,
                     int count) {
    int mistakes_of_x = 0, mistakes_of_o = 0;
    open_list(to, "played");
    for (const plb_annotation *a = moves; a < moves + count; a++) {
        open_object(to, NULL);
        put_number(to, "ply", a->ply);
        put_player(to, "player", a->player);
        put_played_move(to, table, &a->move, a->x, a->o);
        put_word(to, "value_before", plb_value_text(a->before.answer.value));
        put_dtm(to, "dtm_plies_before", a->before.answer.dtm);
        put_word(to, "value", plb_value_text(a->move.value));
        put_dtm(to, "dtm_plies", a->move.dtm);
        put_flag(to, "mistake", a->mistake);
        put_number(to, "plies_lost", a->plies_lost);
        open_list(to, "best");
        for (int b = 0; b < a->before.best; b++) put_word(to, NULL, a->before.moves[b].text);
        close_list(to);
        close_object(to);
        *(a->player == 'x' ? &mistakes_of_x : &mistakes_of_o) += a->mistake;
    }
    close_list(to);
    open_object(to, "mistakes");
    put_number(to, "x", mistakes_of_x);
    put_number(to, "o", mistakes_of_o);
    close_object(to);
}
