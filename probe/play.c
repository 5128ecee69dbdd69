/* SPDX-License-Identifier: MIT
 *
 * The rules of the table's game, without its values: how a game stands, and playing moves.
 */
#include "probe/argument_check.h"
#include "probe/outcome.h"

/* The player who wins a finished game, 0 for a draw. */
static char find_winner(const plb_game *game, plb_position position, char to_move) {
    plb_value value = plb_rules_final_value(game, position);
    if (value == PLB_DRAW) return 0;
    return value == PLB_WIN ? to_move : to_move == 'x' ? 'o' : 'x';
}

int plb_find_state(const plb_table *table, uint64_t x, uint64_t o, plb_state *state,
                   plb_message *message) {
    if (PLB_GIVEN(message, table, state)) return PLB_EARGUMENT;
    const plb_game *game = &table->file.space.game;
    plb_position position = {0, 0};
    int error = plb_read_position(table, x, o, &position, message);
    if (error) return error;
    int ply = plb_rules_ply(game, position);
    plb_state found = {.to_move = plb_ply_x_moves(ply) ? 'x' : 'o',
                       .over = plb_rules_is_over(game, position),
                       .ply = (uint8_t)ply};
    if (found.over) found.winner = find_winner(game, position, found.to_move);
    found.groups = plb_game_bits_of_cells(game, game->rules->complete_groups(game, position));
    *state = found;
    return PLB_OK;
}

int plb_play(const plb_table *table, const plb_move *move, uint64_t *x, uint64_t *o,
             plb_message *message) {
    if (PLB_GIVEN(message, table, move, x, o)) return PLB_EARGUMENT;
    const plb_game *game = &table->file.space.game;
    plb_position position = {0, 0};
    int error = plb_read_position(table, *x, *o, &position, message);
    if (error) return error;
    int made = 0;
    error = game->rules->from_public_move(game, position, move, &made, message);
    if (error) return error;
    plb_write_position(table, plb_rules_play(game, position, made), x, o);
    return PLB_OK;
}

int plb_play_text(const plb_table *table, const char *text, uint64_t *x, uint64_t *o,
                  plb_message *message) {
    plb_position position = {0, 0};
    if (PLB_GIVEN(message, table, text, x, o)) return PLB_EARGUMENT;
    const plb_rules *rules = table->file.space.game.rules;
    int error = plb_read_position(table, *x, *o, &position, message);
    if (!error) error = rules->play_text(&table->file.space.game, text, &position, message);
    if (!error) plb_write_position(table, position, x, o);
    return error;
}
