/* SPDX-License-Identifier: MIT */
#include "tools/answers/annotated_game.h"

#include <stdlib.h>
#include <string.h>

int annotate_move(const plb_table *table, const asked_position *game, int m, annotated_move *move,
                  plb_message *message) {
    const played_move *played = &game->played[m];
    uint64_t x = m ? played[-1].x : game->start_x, o = m ? played[-1].o : game->start_o;
    plb_state state;
    int error = plb_analyse(table, x, o, &move->before, message);
    if (!error) error = plb_find_state(table, x, o, &state, message);
    if (error) return error;
    move->played = played;
    move->player = state.to_move;
    move->ply = state.ply + 1;
    move->value = move->before.answer.value;
    move->dtm = move->before.answer.dtm;
    for (int i = 0; i < move->before.count; i++) {
        if (strcmp(move->before.moves[i].text, played->text) != 0) continue;
        move->value = move->before.moves[i].value;
        move->dtm = move->before.moves[i].dtm;
    }
    move->is_mistake = move->value != move->before.answer.value;
    move->plies_lost = move->is_mistake ? 0 : abs(move->dtm - move->before.moves[0].dtm);
    return PLB_OK;
}

static void put_annotated_move(json_writer *to, const plb_table *table,
                               const annotated_move *move) {
    open_object(to, NULL);
    put_number(to, "ply", move->ply);
    put_player(to, "player", move->player);
    put_played_move(to, table, move->played);
    put_word(to, "value_before", plb_value_text(move->before.answer.value));
    put_dtm(to, "dtm_plies_before", move->before.answer.dtm);
    put_word(to, "value", plb_value_text(move->value));
    put_dtm(to, "dtm_plies", move->dtm);
    put_flag(to, "mistake", move->is_mistake);
    put_number(to, "plies_lost", move->plies_lost);
    open_list(to, "best");
    for (int b = 0; b < move->before.best; b++) put_word(to, NULL, move->before.moves[b].text);
    close_list(to);
    close_object(to);
}

int put_game(json_writer *to, const plb_table *table, const asked_position *game,
             plb_message *message) {
    annotated_move move;
    int mistakes_of_x = 0, mistakes_of_o = 0;
    int error = plb_analyse(table, game->x, game->o, &move.before, message);
    if (error) return error;
    put_position(to, table, game->x, game->o, &move.before);
    open_list(to, "played");
    for (int m = 0; m < game->count; m++) {
        error = annotate_move(table, game, m, &move, message);
        if (error) return error;
        put_annotated_move(to, table, &move);
        *(move.player == 'x' ? &mistakes_of_x : &mistakes_of_o) += move.is_mistake;
    }
    close_list(to);
    open_object(to, "mistakes");
    put_number(to, "x", mistakes_of_x);
    put_number(to, "o", mistakes_of_o);
    close_object(to);
    return PLB_OK;
}

int find_asked_game(const plb_table *table, const asked_position *asked, const plb_limits *limits,
                    json_writer *to, bool *is_final, plb_message *message) {
    (void)limits;
    (void)is_final;
    put_word(to, "table", plb_info(table)->spec);
    return put_game(to, table, asked, message);
}
