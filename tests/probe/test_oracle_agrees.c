/* SPDX-License-Identifier: MIT
 *
 * Whole tables agree with the oracle: value and distance of every reachable position and the counts
 * of every ply, on small boards of every family with every suffix. The bytes do not depend on
 * kernels and number of threads. With the argument `bigger`: bigger boards, which take longer.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/misere.h"
#include "tests/support/positions.h"
#include "tests/support/support.h"

#define C ORACLE_CONNECT
#define M ORACLE_MNK
#define S ORACLE_SQUARE

/* Up to 12 stones a slab has one block; boards of 13 and more cells test the other code of the
 * kernels. */
static const oracle_game games[] = {
    /* connect: sizes and k */
    {C, 1, 1, 1, false, false},
    {C, 1, 1, 2, true, false},
    {C, 2, 2, 1, false, false},
    {C, 3, 3, 1, true, false},
    {C, 3, 3, 2, false, false},
    {C, 3, 3, 3, false, false},
    {C, 4, 4, 3, false, false},
    {C, 4, 4, 4, false, false},
    {C, 3, 3, 4, false, false},
    {C, 1, 8, 3, false, false},
    {C, 1, 16, 4, false, false},
    {C, 9, 1, 3, false, false},
    {C, 2, 7, 4, false, false},
    {C, 7, 2, 3, false, false},
    {C, 5, 3, 4, false, false},
    {C, 3, 5, 4, false, false},
    {C, 3, 6, 3, false, false},
    {C, 2, 10, 4, false, false},
    /* connect: suffixes */
    {C, 4, 4, 4, true, false},
    {C, 4, 4, 3, false, true},
    {C, 4, 4, 4, true, true},
    {C, 5, 3, 3, true, false},
    {C, 5, 3, 4, false, true},
    {C, 3, 5, 3, true, true},
    {C, 7, 2, 4, true, true},
    {C, 7, 2, 2, true, false},
    {C, 2, 7, 2, false, true},
    {C, 2, 8, 4, true, true},
    {C, 1, 13, 2, true, true},
    {C, 10, 1, 2, true, true},
    {C, 3, 4, 1, true, true},
    /* mnk */
    {M, 1, 1, 1, false, false},
    {M, 2, 2, 1, true, false},
    {M, 2, 2, 2, false, true},
    {M, 3, 3, 3, false, false},
    {M, 3, 3, 3, true, false},
    {M, 3, 3, 3, false, true},
    {M, 3, 3, 2, true, true},
    {M, 3, 3, 4, false, true},
    {M, 4, 3, 3, false, false},
    {M, 4, 3, 3, true, true},
    {M, 4, 3, 4, true, false},
    {M, 1, 9, 3, false, false},
    {M, 13, 1, 3, false, false},
    {M, 13, 1, 2, true, true},
    {M, 2, 7, 2, true, false},
    {M, 7, 2, 2, true, true},
    {M, 4, 4, 2, true, true},
    {M, 4, 4, 2, false, false},
    {M, 5, 3, 2, true, false},
    /* square */
    {S, 2, 2, 4, false, false},
    {S, 1, 6, 4, false, false},
    {S, 3, 3, 4, false, false},
    {S, 3, 3, 4, true, false},
    {S, 4, 3, 4, false, false},
    {S, 4, 3, 4, true, false},
    {S, 6, 2, 4, false, false},
    {S, 2, 6, 4, true, false},
};
enum { GAMES = sizeof games / sizeof games[0] };

/* One to three million positions each. */
static const oracle_game big_games[] = {
    {M, 5, 3, 3, false, false},
    {M, 5, 3, 3, true, true},
    {S, 5, 3, 4, false, false},
    {S, 7, 2, 4, true, false},
};

/* ---- one table ---- */

static bool has_distances(const plb_table *table) {
    return strcmp(plb_info(table)->values, "dtm") == 0;
}

static void assert_probe(const plb_table *table, const oracle *solved, const oracle_position *p) {
    char text[ORACLE_TEXT];
    plb_answer answer;
    plb_message why;
    oracle_board_text(&solved->game, p->board, text);
    support_expect(plb_probe_text(table, text, &answer, &why), PLB_OK, text, &why);
    int dtm = has_distances(table) ? p->dtm : PLB_NO_DTM;
    if ((int)answer.value != p->value || answer.over != p->over || answer.dtm != dtm)
        fail_msg("%s: %s has value %d, over %d, distance %d, expected %d, %d, %d",
                 plb_info(table)->spec, text, answer.value, answer.over, answer.dtm, p->value,
                 p->over, dtm);
}

static void assert_stats(const plb_table *table, const oracle *solved) {
    uint64_t positions = 0;
    for (int ply = 0; ply <= solved->cells; ply++) {
        const oracle_counts *c = &solved->plies[ply];
        const plb_ply_stats expected = {.total = c->total,
                                        .terminal = c->terminal,
                                        .won = c->won,
                                        .drawn = c->drawn,
                                        .lost = c->lost};
        plb_ply_stats stats;
        assert_int_equal(plb_stats(table, ply, &stats), PLB_OK);
        if (memcmp(&stats, &expected, sizeof stats) != 0)
            fail_msg("%s, ply %d: %llu %llu %llu %llu %llu, expected %llu %llu %llu %llu %llu",
                     plb_info(table)->spec, ply, (unsigned long long)stats.total,
                     (unsigned long long)stats.terminal, (unsigned long long)stats.won,
                     (unsigned long long)stats.drawn, (unsigned long long)stats.lost,
                     (unsigned long long)c->total, (unsigned long long)c->terminal,
                     (unsigned long long)c->won, (unsigned long long)c->drawn,
                     (unsigned long long)c->lost);
        positions += c->total;
    }
    assert_int_equal(plb_info(table)->positions, positions);
}

/* Count wins and losses of the oracle by distance. The longest ones are not set. */
static void count_distances(const oracle *solved, plb_ply_distances plies[ORACLE_CELLS + 1]) {
    memset(plies, 0, (ORACLE_CELLS + 1) * sizeof *plies);
    for (size_t p = 0; p < solved->count; p++) {
        const oracle_position *position = &solved->positions[p];
        plb_ply_distances *counts = &plies[(int)position->ply];
        if (position->value)
            (position->value > 0 ? counts->wins : counts->losses)[(int)position->dtm]++;
    }
}

/* The longest distance is the largest with a count, and its position has that value and distance.
 */
static void assert_longest(const plb_table *table, int ply, const uint64_t *counts, int value,
                           const plb_longest *longest) {
    int max = PLB_NO_DTM;
    for (int plies = 1; plies <= PLB_MAX_CELLS; plies++)
        if (counts[plies]) max = plies;
    if (longest->plies != max)
        fail_msg("%s, ply %d: the longest of value %d has %d plies, expected %d",
                 plb_info(table)->spec, ply, value, longest->plies, max);
    if (max == PLB_NO_DTM) {
        assert_true(longest->x == 0 && longest->o == 0);
        return;
    }
    plb_answer answer;
    assert_int_equal(__builtin_popcountll(longest->x | longest->o), ply);
    assert_int_equal(plb_probe(table, longest->x, longest->o, &answer, NULL), PLB_OK);
    assert_int_equal(answer.value, value);
    assert_int_equal(answer.dtm, max);
}

static void assert_ply_distances(const plb_table *table, int ply,
                                 const plb_ply_distances *expected) {
    plb_ply_distances found;
    assert_int_equal(plb_distance_stats(table, ply, &found), PLB_OK);
    for (int plies = 0; plies <= PLB_MAX_CELLS; plies++)
        if (found.wins[plies] != expected->wins[plies] ||
            found.losses[plies] != expected->losses[plies])
            fail_msg("%s, ply %d: %d wins and %d losses in %d plies, expected %d and %d",
                     plb_info(table)->spec, ply, (int)found.wins[plies], (int)found.losses[plies],
                     plies, (int)expected->wins[plies], (int)expected->losses[plies]);
    assert_longest(table, ply, expected->wins, PLB_WIN, &found.longest_win);
    assert_longest(table, ply, expected->losses, PLB_LOSS, &found.longest_loss);
}

static void assert_distances(const plb_table *table, const oracle *solved) {
    plb_ply_distances expected[ORACLE_CELLS + 1], none;
    assert_int_equal(plb_distance_stats(table, -1, &none), PLB_EARGUMENT);
    assert_int_equal(plb_distance_stats(table, solved->cells + 1, &none), PLB_EARGUMENT);
    if (!has_distances(table)) {
        assert_int_equal(plb_distance_stats(table, 0, &none), PLB_EUNKNOWN);
        return;
    }
    count_distances(solved, expected);
    for (int ply = 0; ply <= solved->cells; ply++) assert_ply_distances(table, ply, &expected[ply]);
}

static void assert_info(const plb_table *table, const oracle_game *game, const char *spec) {
    const plb_table_info *info = plb_info(table);
    assert_string_equal(info->spec, spec);
    assert_int_equal(info->width, game->width);
    assert_int_equal(info->height, game->height);
    assert_int_equal(info->cells, game->width * game->height);
    assert_int_equal(info->k, game->family == ORACLE_SQUARE ? 4 : game->k);
    assert_int_equal(info->gravity, game->family == ORACLE_CONNECT);
    assert_int_equal(info->misere, game->misere);
    assert_int_equal(info->cylinder, game->cylinder);
}

/* Build with each kernel set, with one and two threads. Returns the path of one of the equal files.
 */
static const char *build_all(void **state, const char *spec, plb_value_kind values) {
    const char *first = support_path(state, "first");
    bool any = false;
    for (const plb_kernels *const *kernels = support_kernels(); *kernels; kernels++)
        for (int threads = 1; threads <= 2; threads++) {
            const char *path = any ? support_path(state, "other") : first;
            support_build_values(spec, values, path, *kernels, threads);
            if (any) {
                support_assert_same_files(path, first);
                assert_int_equal(unlink(path), 0);
            }
            any = true;
        }
    return first;
}

static void assert_table_agrees(void **state, const oracle *solved, plb_value_kind values) {
    char spec[ORACLE_TEXT];
    plb_table *table = NULL;
    plb_message why;
    oracle_spec_text(&solved->game, spec);
    const char *path = build_all(state, spec, values);
    support_expect(plb_open(path, &table, &why), PLB_OK, spec, &why);
    assert_info(table, &solved->game, spec);
    assert_stats(table, solved);
    assert_distances(table, solved);
    for (size_t p = 0; p < solved->count; p++) assert_probe(table, solved, &solved->positions[p]);
    if (values == PLB_DTM) assert_true(misere_loss_is_in_time(table));
    plb_close(table);
    assert_int_equal(unlink(path), 0);
}

static void assert_game_agrees(void **state, const oracle_game *game) {
    char spec[ORACLE_TEXT];
    oracle solved;
    oracle_spec_text(game, spec);
    if (!oracle_solve(game, &solved)) fail_msg("%s is too big for the oracle", spec);
    printf("%s: %zu positions\n", spec, solved.count);
    assert_table_agrees(state, &solved, PLB_WDL);
    assert_table_agrees(state, &solved, PLB_DTM);
    oracle_free(&solved);
}

static void small_boards_agree_on_every_position(void **state) {
    for (int g = 0; g < GAMES; g += support_step(5))
        if (support_has_turn(g, 3)) assert_game_agrees(state, &games[g]);
}

static void bigger_boards_agree_on_every_position(void **state) {
    for (size_t g = 0; g < sizeof big_games / sizeof big_games[0]; g++)
        assert_game_agrees(state, &big_games[g]);
}

/* ---- samples of bigger boards ---- */

/* Play this many random moves, none of which completes a group. */
static void play_randomly(const oracle_game *game, int stones, uint64_t *random,
                          char board[ORACLE_CELLS + 1]) {
    int cells = game->width * game->height, ply = 0;
    memset(board, 0, ORACLE_CELLS + 1);
    memset(board, '.', cells);
    while (ply < stones) {
        int cell = (int)support_random_below(random, cells);
        if (board[cell] != '.') continue;
        board[cell] = ply % 2 ? 'o' : 'x';
        if (oracle_has_group(game, board, board[cell]))
            board[cell] = '.';
        else
            ply++;
    }
}

static void assert_late_positions(void **state, const oracle_game *game, plb_value_kind values) {
    enum { STARTS = 30, STONES = 7 };
    char spec[ORACLE_TEXT], board[ORACLE_CELLS + 1];
    const char *path = support_path(state, "table");
    uint64_t random = support_seed("late positions", 1);
    plb_table *table = NULL;
    size_t positions = 0;
    oracle_spec_text(game, spec);
    support_build_values(spec, values, path, NULL, 2);
    assert_int_equal(plb_open(path, &table, NULL), PLB_OK);
    for (int start = 0; start < STARTS; start++) {
        oracle solved;
        play_randomly(game, STONES, &random, board);
        assert_true(oracle_solve_from(game, board, &solved));
        for (size_t p = 0; p < solved.count; p++)
            assert_probe(table, &solved, &solved.positions[p]);
        positions += solved.count;
        oracle_free(&solved);
    }
    printf("%s: %zu positions\n", spec, positions);
    plb_close(table);
    assert_int_equal(unlink(path), 0);
}

/* The smallest board with squares whose corners are three apart. */
static void late_positions_of_wide_squares_agree(void **state) {
    const oracle_game normal = {S, 4, 4, 4, false, false}, misere = {S, 4, 4, 4, true, false};
    assert_late_positions(state, &normal, PLB_WDL);
    assert_late_positions(state, &misere, PLB_DTM);
}

/* ---- moves ---- */

static const oracle_move *find_move(const oracle_move *moves, int count, const plb_move *move) {
    for (int m = 0; m < count; m++)
        if (moves[m].column == move->column && moves[m].row == move->row) return &moves[m];
    return NULL;
}

static void assert_order(const plb_move *first, const plb_move *second) {
    if (first->value != second->value)
        assert_true(first->value > second->value);
    else if (first->dtm != second->dtm)
        assert_true(first->value == PLB_WIN ? first->dtm < second->dtm : first->dtm > second->dtm);
    else if (first->column != second->column)
        assert_true(first->column < second->column);
    else
        assert_true(first->row < second->row);
}

static void assert_moves(const plb_table *table, const oracle *solved, const oracle_position *p) {
    oracle_move expected[ORACLE_CELLS];
    plb_move moves[PLB_MAX_MOVES];
    uint64_t x, o;
    int found = -1, count = oracle_moves(solved, p, expected);
    positions_bits(&solved->game, p->board, &x, &o);
    assert_int_equal(plb_moves(table, x, o, moves, &found, NULL), PLB_OK);
    assert_int_equal(found, count);
    for (int m = 0; m < found; m++) {
        const oracle_move *move = find_move(expected, count, &moves[m]);
        assert_non_null(move);
        assert_int_equal(moves[m].value, -move->child->value);
        assert_int_equal(moves[m].dtm, has_distances(table) ? move->child->dtm : PLB_NO_DTM);
        if (m) assert_order(&moves[m - 1], &moves[m]);
    }
}

static void assert_all_moves(void **state, const oracle *solved, plb_value_kind values) {
    char spec[ORACLE_TEXT];
    plb_table *table = NULL;
    const char *path = support_path(state, "table");
    oracle_spec_text(&solved->game, spec);
    support_build_values(spec, values, path, NULL, 1);
    assert_int_equal(plb_open(path, &table, NULL), PLB_OK);
    for (size_t p = 0; p < solved->count; p++) assert_moves(table, solved, &solved->positions[p]);
    plb_close(table);
    assert_int_equal(unlink(path), 0);
}

static void moves_agree_with_the_oracle(void **state) {
    static const oracle_game few[] = {{C, 4, 3, 3, false, false}, {C, 4, 3, 3, true, true},
                                      {C, 3, 5, 3, false, false}, {M, 3, 3, 3, false, false},
                                      {M, 4, 3, 3, true, false},  {S, 3, 3, 4, false, false}};
    for (size_t g = 0; g < sizeof few / sizeof few[0]; g++) {
        oracle solved;
        assert_true(oracle_solve(&few[g], &solved));
        assert_all_moves(state, &solved, PLB_WDL);
        assert_all_moves(state, &solved, PLB_DTM);
        oracle_free(&solved);
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest small[] = {
        SUPPORT_IN_FOLDER(small_boards_agree_on_every_position),
        SUPPORT_IN_FOLDER(moves_agree_with_the_oracle),
    };
    const struct CMUnitTest bigger[] = {
        SUPPORT_IN_FOLDER(bigger_boards_agree_on_every_position),
        SUPPORT_IN_FOLDER(late_positions_of_wide_squares_agree),
    };
    if (argc > 1 && strcmp(argv[1], "bigger") == 0)
        return cmocka_run_group_tests(bigger, NULL, NULL);
    return cmocka_run_group_tests(small, NULL, NULL);
}
