/* SPDX-License-Identifier: MIT */
#include "tests/support/positions.h"

plb_position positions_of_board(const plb_game *game, const char *board) {
    plb_position position = {0, 0};
    for (int cell = 0; cell < game->cells; cell++) {
        uint64_t bit = 1ULL << plb_game_cell(game, cell % game->width, cell / game->width);
        if (board[cell] == 'x') position.x |= bit;
        if (board[cell] == 'o') position.o |= bit;
    }
    return position;
}

void positions_bits(const oracle_game *game, const char *board, uint64_t *x, uint64_t *o) {
    *x = *o = 0;
    for (int cell = 0; board[cell]; cell++) {
        uint64_t bit = 1ULL << (cell % game->width * game->height + cell / game->width);
        if (board[cell] == 'x') *x |= bit;
        if (board[cell] == 'o') *o |= bit;
    }
}
