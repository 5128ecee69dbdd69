/* SPDX-License-Identifier: MIT
 *
 * The comparison of two statements of the rules of numbers.
 */
#include "tools/search/number_rules_check.h"

#include <stdio.h>

#include "tables/games/game_spec.h"
#include "tools/search/naive_numbers.h"

/* A game that is played on both boards. */
typedef struct played_game {
    naive_numbers naive;
    plb_position position;
} played_game;

static int count_naive_moves(const naive_numbers *naive) {
    int count = 0;
    for (int column = 0; column < naive->size; column++)
        for (int row = 0; row < naive->size; row++)
            for (int number = 1; number <= naive->largest; number++)
                count += naive_numbers_may_place(naive, number, column, row);
    return count;
}

/* As many moves, and each of them a naive one: the same moves. */
static bool has_same_moves(const plb_game *game, const played_game *g, const int *moves,
                           int count) {
    for (int m = 0; m < count; m++) {
        plb_move move;
        game->rules->to_public_move(game, moves[m], &move);
        if (!naive_numbers_may_place(&g->naive, move.number, move.column, move.row)) return false;
    }
    return count == count_naive_moves(&g->naive);
}

/* NULL: there is none. */
static const char *find_difference(const plb_game *game, const played_game *g, const int *moves,
                                   int count) {
    bool complete = naive_numbers_is_complete(&g->naive);
    bool over = complete || g->naive.moves == g->naive.size * g->naive.size;
    if (!has_same_moves(game, g, moves, count)) return "other moves can be played";
    if (complete != (plb_numbers_complete(game, g->position) != 0))
        return "it is not the same when a line is complete";
    if (over != plb_rules_is_over(game, g->position)) return "the end comes at another time";
    if (over && plb_rules_final_value(game, g->position) != (complete ? PLB_LOSS : PLB_DRAW))
        return "another player wins";
    return plb_rules_check(game, g->position, NULL) ? "a position that was played is refused"
                                                    : NULL;
}

static void play(const plb_game *game, played_game *g, int chosen) {
    plb_move move;
    game->rules->to_public_move(game, chosen, &move);
    naive_numbers_place(&g->naive, move.number, move.column, move.row);
    g->position = plb_rules_play(game, g->position, chosen);
}

static int fail_different(const plb_game *game, plb_position position, const char *difference,
                          plb_message *message) {
    char spec[PLB_SPEC_TEXT], board[PLB_BOARD_TEXT];
    plb_game_format(game, spec);
    plb_rules_format_board(game, position, board);
    return plb_fail(message, PLB_ECORRUPT,
                    "the rules of %s by which tables are built and probed are not those of the "
                    "game: at %s %s; nothing that this program says of the game can be trusted",
                    spec, board, difference);
}

int number_rules_compare(const plb_game *game, plb_message *message) {
    enum { GAMES = 200, SEED = 1 };
    uint64_t random = SEED;
    char spec[PLB_SPEC_TEXT];
    plb_game_format(game, spec);
    for (int n = 0; n < GAMES; n++) {
        played_game g = {.position = {0, 0}};
        if (!naive_numbers_read(spec, &g.naive))
            return fail_different(game, g.position, "its name is none", message);
        for (;;) {
            int moves[PLB_MAX_MOVES], count = plb_rules_moves(game, g.position, moves);
            const char *difference = find_difference(game, &g, moves, count);
            if (difference) return fail_different(game, g.position, difference, message);
            if (!count) break;
            play(game, &g, moves[plb_next_random(&random) % count]);
        }
    }
    return PLB_OK;
}
