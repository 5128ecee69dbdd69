/* SPDX-License-Identifier: MIT
 *
 * The rules of the table's game, without its values: how a game stands, and playing moves.
 */
#include "probe/given.h"
#include "probe/resolve.h"
#include "tables/notation.h"

/* The player who wins a finished game, 0 for nobody. */
static char find_winner(const plb_game *game, plb_position position, char to_move) {
    plb_value value = plb_rules_final_value(game, position);
    if (value == PLB_DRAW) return 0;
    return value == PLB_WIN ? to_move : to_move == 'x' ? 'o' : 'x';
}

int plb_find_state(const plb_table *table, uint64_t x, uint64_t o, plb_state *state,
                   plb_message *message) {
    if (PLB_GIVEN(message, table, state)) return PLB_EARGUMENT;
    const plb_game *game = &table->space.game;
    plb_position position = {0, 0};
    int error = plb_read_position(table, x, o, &position, message);
    if (error) return error;
    plb_state found = {.to_move = plb_position_x_to_move(position) ? 'x' : 'o',
                       .over = plb_rules_is_over(game, position),
                       .ply = (uint8_t)plb_position_ply(position)};
    if (found.over) found.winner = find_winner(game, position, found.to_move);
    uint64_t groups = plb_game_grouped(game, plb_position_last(position));
    found.groups = plb_game_bits_of_cells(game, groups);
    *state = found;
    return PLB_OK;
}

/* Tell why no stone may be placed on a cell of the board. */
static int refuse_cell(const plb_game *game, plb_position position, int cell,
                       plb_message *message) {
    char text[PLB_MOVE_TEXT];
    plb_notation_format_move(game, cell, text);
    bool taken = plb_position_occupied(position) >> cell & 1;
    const char *why = plb_rules_is_over(game, position) ? "the game is over"
                      : taken                           ? "the cell is taken"
                                                        : "the cell below is empty";
    return plb_fail(message, PLB_EMOVE, "move %s to row %d cannot be played: %s", text,
                    plb_game_row(game, cell) + 1, why);
}

int plb_play(const plb_table *table, const plb_move *move, uint64_t *x, uint64_t *o,
             plb_message *message) {
    if (PLB_GIVEN(message, table, move, x, o)) return PLB_EARGUMENT;
    const plb_game *game = &table->space.game;
    plb_position position = {0, 0};
    int error = plb_read_position(table, *x, *o, &position, message);
    if (error) return error;
    if (move->column < 0 || move->column >= game->width || move->row < 0 ||
        move->row >= game->height)
        return plb_fail(message, PLB_EMOVE, "a move to column %d, row %d is off the %dx%d board",
                        move->column + 1, move->row + 1, game->width, game->height);
    int cell = plb_game_cell(game, move->column, move->row);
    if (!(plb_rules_moves(game, position) >> cell & 1))
        return refuse_cell(game, position, cell, message);
    plb_write_position(table, plb_position_play(position, cell), x, o);
    return PLB_OK;
}

int plb_play_text(const plb_table *table, const char *text, uint64_t *x, uint64_t *o,
                  plb_message *message) {
    plb_position position = {0, 0};
    if (PLB_GIVEN(message, table, text, x, o)) return PLB_EARGUMENT;
    int error = plb_read_position(table, *x, *o, &position, message);
    if (!error) error = plb_notation_play_moves(&table->space.game, text, &position, message);
    if (!error) plb_write_position(table, position, x, o);
    return error;
}
