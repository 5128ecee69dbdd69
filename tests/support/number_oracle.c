/* SPDX-License-Identifier: MIT
 *
 * Solves games of numbers naively.
 */
#include "tests/support/number_oracle.h"

#include <stdlib.h>

/* Is a line full, with the right sum? It begins at a cell and continues by (dx, dy). */
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

/* Does the player win by this move, or can he force a win after it? */
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

/* ---- all positions ---- */

enum { CAPACITY = 1 << 24, SCORES = 256, ZERO = 128 };

typedef struct scoring {
    oracle_board board;
    bool shared;         /* some number belongs to both players */
    int largest;         /* the largest number */
    uint64_t powers[16]; /* by cell: the power of ten of its digit */
    uint64_t *slots;
    size_t count;
} scoring;

/* What a move adds to the code of a position. */
static uint64_t digit_of(const scoring *s, int cell, int number, int mover) {
    return s->powers[cell] * (uint64_t)(number + (s->shared && mover ? s->largest : 0));
}

/* The slot of a code, or the empty slot for it. */
static uint64_t *find_code(const scoring *s, uint64_t code) {
    size_t at = code * 0x9E3779B97F4A7C15u >> 40;
    while (s->slots[at] && s->slots[at] / SCORES != code) at = (at + 1) % CAPACITY;
    return &s->slots[at];
}

static void keep_score(scoring *s, uint64_t code, int score) {
    uint64_t *slot = find_code(s, code);
    if (!*slot) s->count++;
    *slot = code * SCORES + (uint64_t)(score + ZERO);
}

/* The score of a position for the player who moves into it, one ply earlier. */
static int before_move(int score) {
    return score > 0 ? 1 - score : score < 0 ? -1 - score : 0;
}

static int score_position(scoring *s, uint64_t code, bool complete) {
    uint64_t known = *find_code(s, code);
    oracle_board *b = &s->board;
    int best = -101, mover = b->placed % 2;
    if (known) return (int)(known % SCORES) - ZERO;
    for (int cell = 0; cell < b->size * b->size && !complete; cell++) {
        int column = cell / b->size, row = cell % b->size;
        for (int number = 1; number <= s->largest && !b->number[column][row]; number++) {
            if (!b->owns[mover][number] || b->played[mover][number]) continue;
            uint64_t next = code + digit_of(s, cell, number, mover);
            bool ends = oracle_place(b, number, column, row);
            int score = before_move(score_position(s, next, ends));
            oracle_take_back(b, column, row, number);
            if (score > best) best = score;
        }
    }
    if (best < -100) best = complete ? -100 : 0;
    keep_score(s, code, best);
    return best;
}

bool oracle_score_all(const oracle_board *empty, oracle_scores *scores) {
    scoring s = {.board = *empty};
    for (int number = 1; number <= 16; number++) {
        if (empty->owns[0][number] || empty->owns[1][number]) s.largest = number;
        s.shared |= empty->owns[0][number] && empty->owns[1][number];
    }
    s.powers[0] = 1;
    for (int cell = 1; cell < empty->size * empty->size; cell++)
        s.powers[cell] = 10 * s.powers[cell - 1];
    s.slots = calloc(CAPACITY, sizeof *s.slots);
    if (!s.slots) return false;
    score_position(&s, 0, false);
    *scores = (oracle_scores){s.slots, CAPACITY, s.count};
    return true;
}

void oracle_free_scores(oracle_scores *scores) {
    free(scores->slots);
    *scores = (oracle_scores){NULL, 0, 0};
}
