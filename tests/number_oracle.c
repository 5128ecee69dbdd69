/* SPDX-License-Identifier: MIT
 *
 * Games of numbers by plain play.
 */
#include "tests/number_oracle.h"

/* A line of cells from a start on: full, and with the right sum? */
static bool is_complete(const oracle_board *b, int column, int row, int dx, int dy) {
    int sum = 0;
    for (int i = 0; i < b->size; i++) {
        int number = b->number[column + i * dx][row + i * dy];
        if (number == 0) return false;
        sum += number;
    }
    return sum == b->target;
}

static bool any_complete(const oracle_board *b) {
    for (int i = 0; i < b->size; i++)
        if (is_complete(b, i, 0, 0, 1) || is_complete(b, 0, i, 1, 0)) return true;
    return is_complete(b, 0, 0, 1, 1) || is_complete(b, 0, b->size - 1, 1, -1);
}

bool oracle_place(oracle_board *board, int number, int column, int row) {
    board->number[column][row] = number;
    board->played[board->placed++ % 2][number] = true;
    return any_complete(board);
}

void oracle_take_back(oracle_board *board, int column, int row, int number) {
    board->number[column][row] = 0;
    board->played[--board->placed % 2][number] = false;
}

/* After one move: does it, or what follows, give the player his win? */
static bool wins_after(oracle_board *b, int number, int column, int row, int player, int by) {
    int mover = b->placed % 2;
    bool complete = oracle_place(b, number, column, row), wins;
    if (complete)
        wins = mover == player && b->placed <= by;
    else
        wins = oracle_can_force(b, player, by);
    oracle_take_back(b, column, row, number);
    return wins;
}

bool oracle_can_force(oracle_board *board, int player, int by) {
    int mover = board->placed % 2;
    if (board->placed == board->size * board->size) return false;
    for (int column = 0; column < board->size; column++)
        for (int row = 0; row < board->size; row++)
            for (int number = 1; number <= 16 && board->number[column][row] == 0; number++) {
                if (!board->owns[mover][number] || board->played[mover][number]) continue;
                if (wins_after(board, number, column, row, player, by) == (mover == player))
                    return mover == player;
            }
    return mover != player;
}
