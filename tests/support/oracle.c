/* SPDX-License-Identifier: MIT
 *
 * A forward pass finds all positions, a backward pass their values. Positions are sorted by ply, so
 * that children come after their parents.
 */
#include "tests/support/oracle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 2 * ORACLE_CAPACITY }; /* a power of two */

/* ---- groups ---- */

static bool is_on_board(const oracle_game *game, int column, int row) {
    return column >= 0 && column < game->width && row >= 0 && row < game->height;
}

/* Do k distinct cells in a line have the colour? It begins at a cell and continues by (dx, dy). */
static bool is_line(const oracle_game *game, const char *board, char colour, int column, int row,
                    int dx, int dy) {
    bool seen[ORACLE_CELLS] = {false};
    for (int step = 0; step < game->k; step++, column += dx, row += dy) {
        if (game->cylinder && column >= game->width) column -= game->width;
        if (!is_on_board(game, column, row)) return false;
        int cell = row * game->width + column;
        if (seen[cell] || board[cell] != colour) return false;
        seen[cell] = true;
    }
    return true;
}

static bool is_square(const oracle_game *game, const char *board, char colour, int column, int row,
                      int side) {
    if (!is_on_board(game, column + side, row + side)) return false;
    const char *bottom = board + row * game->width, *top = bottom + side * game->width;
    return bottom[column] == colour && bottom[column + side] == colour && top[column] == colour &&
           top[column + side] == colour;
}

static bool has_group_from(const oracle_game *game, const char *board, char colour, int column,
                           int row) {
    if (game->family == ORACLE_SQUARE) {
        for (int side = 1; side < game->width; side++)
            if (is_square(game, board, colour, column, row, side)) return true;
        return false;
    }
    return is_line(game, board, colour, column, row, 1, 0) ||
           is_line(game, board, colour, column, row, 0, 1) ||
           is_line(game, board, colour, column, row, 1, 1) ||
           is_line(game, board, colour, column, row, 1, -1);
}

bool oracle_has_group(const oracle_game *game, const char *board, char colour) {
    for (int row = 0; row < game->height; row++)
        for (int column = 0; column < game->width; column++)
            if (has_group_from(game, board, colour, column, row)) return true;
    return false;
}

/* ---- the set of positions ---- */

static unsigned hash_board(const char *board) {
    unsigned long long hash = 14695981039346656037ULL; /* FNV-1a */
    for (; *board; board++) hash = (hash ^ (unsigned char)*board) * 1099511628211ULL;
    return (unsigned)(hash >> 32);
}

/* The slot of a board, or the empty slot for it. */
static unsigned *find_slot(const oracle *solved, const char *board) {
    unsigned slot = hash_board(board) % SLOTS;
    while (solved->slots[slot] &&
           strcmp(solved->positions[solved->slots[slot] - 1].board, board) != 0)
        slot = (slot + 1) % SLOTS;
    return &solved->slots[slot];
}

const oracle_position *oracle_find(const oracle *solved, const char *board) {
    unsigned number = *find_slot(solved, board);
    return number ? &solved->positions[number - 1] : NULL;
}

static oracle_position make_position(const oracle *solved, const char *board, int ply) {
    oracle_position position = {.ply = (signed char)ply};
    strcpy(position.board, board);
    position.complete = ply > 0 && oracle_has_group(&solved->game, board, ply % 2 ? 'x' : 'o');
    position.over = position.complete || ply == solved->cells;
    return position;
}

static bool add_position(oracle *solved, const char *board, int ply) {
    unsigned *slot = find_slot(solved, board);
    if (*slot) return true;
    if (solved->count == ORACLE_CAPACITY) return false;
    solved->positions[solved->count++] = make_position(solved, board, ply);
    *slot = (unsigned)solved->count;
    return true;
}

static bool is_playable(const oracle_game *game, const char *board, int column, int row) {
    if (board[row * game->width + column] != '.') return false;
    return game->family != ORACLE_CONNECT || row == 0 ||
           board[(row - 1) * game->width + column] != '.';
}

/* List all moves and the boards after them. Returns their number. */
static int play_all(const oracle *solved, const oracle_position *position,
                    oracle_move moves[ORACLE_CELLS], char boards[][ORACLE_CELLS + 1]) {
    const oracle_game *game = &solved->game;
    int count = 0;
    for (int column = 0; column < game->width && !position->over; column++)
        for (int row = 0; row < game->height; row++) {
            if (!is_playable(game, position->board, column, row)) continue;
            strcpy(boards[count], position->board);
            boards[count][row * game->width + column] = position->ply % 2 ? 'o' : 'x';
            moves[count++] = (oracle_move){column, row, NULL};
        }
    return count;
}

int oracle_moves(const oracle *solved, const oracle_position *position,
                 oracle_move moves[ORACLE_CELLS]) {
    char boards[ORACLE_CELLS][ORACLE_CELLS + 1];
    int count = play_all(solved, position, moves, boards);
    for (int m = 0; m < count; m++) moves[m].child = oracle_find(solved, boards[m]);
    return count;
}

static bool find_positions(oracle *solved, const char *from) {
    char boards[ORACLE_CELLS][ORACLE_CELLS + 1];
    oracle_move moves[ORACLE_CELLS];
    int ply = 0;
    for (int cell = 0; cell < solved->cells; cell++) ply += from[cell] != '.';
    bool room = add_position(solved, from, ply);
    for (size_t p = 0; p < solved->count && room; p++) {
        int count = play_all(solved, &solved->positions[p], moves, boards);
        for (int m = 0; m < count && room; m++)
            room = add_position(solved, boards[m], solved->positions[p].ply + 1);
    }
    return room;
}

/* ---- values ---- */

/* The best value of a move, and the shortest win or the longest loss. */
static void solve_by_moves(const oracle *solved, oracle_position *position) {
    oracle_move moves[ORACLE_CELLS];
    int count = oracle_moves(solved, position, moves), fastest = 99, slowest = 0;
    position->value = -1;
    for (int m = 0; m < count; m++) {
        const oracle_position *child = moves[m].child;
        if (-child->value > position->value) position->value = -child->value;
        if (child->value < 0 && child->dtm < fastest) fastest = child->dtm;
        if (child->value > 0 && child->dtm > slowest) slowest = child->dtm;
    }
    position->dtm = position->value == 0  ? ORACLE_NO_DTM
                    : position->value > 0 ? 1 + fastest
                                          : 1 + slowest;
}

static void solve_position(const oracle *solved, oracle_position *position) {
    if (!position->over) {
        solve_by_moves(solved, position);
    } else if (position->complete) {
        position->value = solved->game.misere ? 1 : -1;
        position->dtm = 0;
    } else {
        position->value = 0;
        position->dtm = ORACLE_NO_DTM;
    }
}

static void count_position(oracle *solved, const oracle_position *position) {
    oracle_counts *counts = &solved->plies[(int)position->ply];
    int first = position->ply % 2 ? -position->value : position->value;
    counts->total++;
    counts->terminal += position->complete;
    counts->won += first > 0;
    counts->drawn += first == 0;
    counts->lost += first < 0;
}

bool oracle_solve(const oracle_game *game, oracle *solved) {
    char empty[ORACLE_CELLS + 1] = "";
    if (game->width * game->height > ORACLE_CELLS) return false;
    memset(empty, '.', (size_t)game->width * game->height);
    return oracle_solve_from(game, empty, solved);
}

bool oracle_solve_from(const oracle_game *game, const char *board, oracle *solved) {
    oracle made = {.game = *game, .cells = game->width * game->height};
    made.positions = calloc(ORACLE_CAPACITY, sizeof *made.positions);
    made.slots = calloc(SLOTS, sizeof *made.slots);
    if (!made.positions || !made.slots || !find_positions(&made, board)) {
        oracle_free(&made);
        return false;
    }
    for (size_t p = made.count; p-- > 0;) {
        solve_position(&made, &made.positions[p]);
        count_position(&made, &made.positions[p]);
    }
    *solved = made;
    return true;
}

void oracle_free(oracle *solved) {
    free(solved->positions);
    free(solved->slots);
    *solved = (oracle){.count = 0};
}

/* ---- text ---- */

void oracle_board_text(const oracle_game *game, const char *board, char text[ORACLE_TEXT]) {
    char *to = text;
    for (int row = game->height - 1; row >= 0; row--) {
        const char *cells = board + row * game->width;
        for (int column = 0; column < game->width;) {
            int run = 0;
            while (column + run < game->width && cells[column + run] == '.') run++;
            if (run) {
                to += sprintf(to, "%d", run);
                column += run;
            } else {
                *to++ = cells[column++];
            }
        }
        *to++ = row ? '/' : '\0';
    }
}

void oracle_spec_text(const oracle_game *game, char text[ORACLE_TEXT]) {
    static const char *const families[] = {"connect", "mnk", "square"};
    char k[16] = "";
    if (game->family != ORACLE_SQUARE) sprintf(k, "-k%d", game->k);
    snprintf(text, ORACLE_TEXT, "%s-%dx%d%s%s%s", families[game->family], game->width, game->height,
             k, game->misere ? "-misere" : "", game->cylinder ? "-cylinder" : "");
}
