/* SPDX-License-Identifier: MIT
 *
 * Public functions for one position: its value, its text, the state of its game, and playing moves.
 */
#include <stdlib.h>

#include "probe/outcome.h"
#include "tables/games/notation.h"

/* ---- probing ---- */

int plb_context_probe(plb_context *context, uint64_t x, uint64_t o, plb_answer *answer,
                      plb_message *message) {
    plb_position position = {0, 0};
    if (PLB_REJECT_NULL(message, context, answer)) return PLB_EARGUMENT;
    int error = plb_read_position(context->table, x, o, &position, message);
    return error ? error : context->table->kind->answer(context, position, answer, message);
}

int plb_probe(const plb_table *table, uint64_t x, uint64_t o, plb_answer *answer,
              plb_message *message) {
    plb_context context;
    if (PLB_REJECT_NULL(message, table, answer)) return PLB_EARGUMENT;
    int error = plb_context_borrow(table, &context, message);
    if (error) return error;
    error = plb_context_probe(&context, x, o, answer, message);
    plb_context_return(&context);
    return error;
}

int plb_probe_text(const plb_table *table, const char *board, plb_answer *answer,
                   plb_message *message) {
    uint64_t x, o;
    if (PLB_REJECT_NULL(message, table, board, answer)) return PLB_EARGUMENT;
    int error = plb_parse_board(table, board, &x, &o, message);
    return error ? error : plb_probe(table, x, o, answer, message);
}

int plb_context_open(const plb_table *table, plb_context **context) {
    if (!table || !context) return PLB_EARGUMENT;
    plb_context *made = malloc(sizeof *made);
    int error = made ? plb_context_borrow(table, made, NULL) : PLB_ENOMEM;
    return PLB_HAND_OVER(error, made, context, free);
}

void plb_context_close(plb_context *context) {
    if (!context) return;
    plb_context_return(context);
    free(context);
}

/* ---- text ---- */

int plb_parse_board(const plb_table *table, const char *text, uint64_t *x, uint64_t *o,
                    plb_message *message) {
    plb_position position;
    if (PLB_REJECT_NULL(message, table, text, x, o)) return PLB_EARGUMENT;
    const plb_game *game = &table->file.space.game;
    int error = game->rules->parse_board(game, text, &position, message);
    if (!error) plb_rules_to_words(game, position, x, o);
    return error;
}

int plb_parse_moves(const plb_table *table, const char *text, uint64_t *x, uint64_t *o,
                    plb_message *message) {
    uint64_t played_x = 0, played_o = 0;
    if (PLB_REJECT_NULL(message, table, text, x, o)) return PLB_EARGUMENT;
    int error = plb_play_text(table, text, &played_x, &played_o, message);
    if (!error) *x = played_x, *o = played_o;
    return error;
}

int plb_read_moves(const plb_table *table, const char *text, uint64_t x, uint64_t o, plb_line *line,
                   plb_message *message) {
    plb_position position = {0, 0};
    int moves[PLB_MAX_CELLS], count = 0;
    if (PLB_REJECT_NULL(message, table, text, line)) return PLB_EARGUMENT;
    const plb_game *game = &table->file.space.game;
    int error = plb_read_position(table, x, o, &position, message);
    if (!error) error = plb_notation_read_moves(game, text, &position, moves, &count, message);
    if (error) return error;
    line->count = count;
    for (int m = 0; m < count; m++) {
        line->moves[m] = (plb_move){.dtm = PLB_NO_DTM};
        game->rules->to_public_move(game, moves[m], &line->moves[m]);
    }
    return PLB_OK;
}

int plb_format_board(const plb_table *table, uint64_t x, uint64_t o, char text[PLB_BOARD_TEXT]) {
    if (!table || !text) return PLB_EARGUMENT;
    const plb_game *game = &table->file.space.game;
    plb_position position;
    if (game->rules->from_words(game, x, o, &position, NULL)) return PLB_EARGUMENT;
    game->rules->format_board(game, position, text);
    return PLB_OK;
}

int plb_read_cells(const plb_table *table, uint64_t x, uint64_t o, plb_cell cells[PLB_MAX_CELLS]) {
    if (!table || !cells) return PLB_EARGUMENT;
    const plb_game *game = &table->file.space.game;
    plb_position position;
    if (game->rules->from_words(game, x, o, &position, NULL)) return PLB_EARGUMENT;
    game->rules->read_cells(game, position, cells);
    return PLB_OK;
}

/* ---- the rules of the game, without its values ---- */

int plb_find_state(const plb_table *table, uint64_t x, uint64_t o, plb_state *state,
                   plb_message *message) {
    if (PLB_REJECT_NULL(message, table, state)) return PLB_EARGUMENT;
    const plb_game *game = &table->file.space.game;
    plb_position position = {0, 0};
    int error = plb_read_position(table, x, o, &position, message);
    if (error) return error;
    int ply = plb_rules_ply(game, position);
    plb_state found = {.to_move = plb_ply_x_moves(ply) ? 'x' : 'o',
                       .over = plb_rules_is_over(game, position),
                       .ply = (uint8_t)ply};
    plb_value value = found.over ? plb_rules_final_value(game, position) : PLB_DRAW;
    if (value != PLB_DRAW) found.winner = (value == PLB_WIN) == plb_ply_x_moves(ply) ? 'x' : 'o';
    found.groups = plb_game_bits_of_cells(game, game->rules->complete_groups(game, position));
    *state = found;
    return PLB_OK;
}

int plb_play(const plb_table *table, const plb_move *move, uint64_t *x, uint64_t *o,
             plb_message *message) {
    if (PLB_REJECT_NULL(message, table, move, x, o)) return PLB_EARGUMENT;
    const plb_game *game = &table->file.space.game;
    plb_position position = {0, 0};
    int error = plb_read_position(table, *x, *o, &position, message);
    if (error) return error;
    int made = 0;
    error = game->rules->from_public_move(game, position, move, &made, message);
    if (error) return error;
    plb_rules_to_words(game, plb_rules_play(game, position, made), x, o);
    return PLB_OK;
}

int plb_play_text(const plb_table *table, const char *text, uint64_t *x, uint64_t *o,
                  plb_message *message) {
    plb_position position = {0, 0};
    if (PLB_REJECT_NULL(message, table, text, x, o)) return PLB_EARGUMENT;
    const plb_game *game = &table->file.space.game;
    int error = plb_read_position(table, *x, *o, &position, message);
    if (!error) error = plb_notation_play_moves(game, text, &position, message);
    if (!error) plb_rules_to_words(game, position, x, o);
    return error;
}
