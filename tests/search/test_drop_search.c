/* SPDX-License-Identifier: MIT
 *
 * The drop search is compared with tables with distances, which another engine builds backward, and
 * with published values of 7x6.
 */
#include "tools/search/drop_search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "probe/plybase.h"
#include "tables/games/notation.h"
#include "tests/support/support.h"
#include "tools/search/drop_pairs.h"

/* A game, its table and its search. */
typedef struct board {
    plb_game game;
    plb_table *table;
    drop_search *search;
} board;

static drop_search *open_search(const plb_game *game, size_t bytes, int threads) {
    search_rules rules;
    assert_int_equal(search_rules_make(game, &rules, NULL), PLB_OK);
    assert_true(drop_search_suits(&rules, bytes));
    drop_search *search = drop_search_open(&rules, bytes, threads);
    assert_non_null(search);
    return search;
}

static board open_board(void **state, const char *spec, size_t bytes) {
    const char *path = support_path(state, spec);
    board b = {.game = support_game(spec)};
    support_build_values(spec, PLB_DTM, path, NULL, 2);
    support_expect(plb_open(path, &b.table, NULL), PLB_OK, path, NULL);
    b.search = open_search(&b.game, bytes, 1);
    return b;
}

static void close_board(board *b) {
    drop_search_close(b->search);
    plb_close(b->table);
}

/* Drop stones in random columns. Cell (column, row) is bit column * height + row. */
static void drop_stones(const plb_game *game, int stones, uint64_t *seed, uint64_t sides[2]) {
    int filled[PLB_MAX_CELLS] = {0};
    sides[0] = sides[1] = 0;
    for (int n = 0; n < stones;) {
        int column = (int)(support_random(seed) % game->width);
        if (filled[column] == game->height) continue;
        sides[n % 2] |= 1ULL << (column * game->height + filled[column]++);
        n++;
    }
}

/* The score of a position of the table, as drop_search.h defines it. */
static int score_of(const plb_game *game, const plb_answer *answer, int stones) {
    return (int)answer->value * ((game->cells + 2 - stones - answer->dtm) / 2);
}

/* The cells of such bits on a drop board. */
static uint64_t spread(const drop_board *b, uint64_t bits) {
    uint64_t cells = 0;
    for (int column = 0; column < b->width; column++)
        cells |= (bits >> (column * b->height) & plb_low_bits(b->height)) << (column * b->stride);
    return cells;
}

/* Bounds that pairs prove must hold for the score. Returns the number of proven bounds. */
static int check_pairs(const plb_game *game, const uint64_t sides[2], int stones, int score) {
    drop_board b = drop_board_make(game->width, game->height, game->k);
    uint64_t mine = spread(&b, sides[stones % 2]), occupied = spread(&b, sides[0] | sides[1]);
    if (drop_completing(&b, mine, occupied) & drop_playable(&b, occupied)) return 0;
    uint64_t threats = drop_completing(&b, mine ^ occupied, occupied);
    int shown = 0;
    for (int need = 0; need <= b.height / 2 + 1; need++) {
        if (!drop_pairing_holds(&b, mine, occupied, threats, need)) continue;
        if (score > -need) fail_msg("pairs show -%d, the table says %d", need, score);
        shown++;
    }
    return shown;
}

static void compare_with_table(void **state, const char *spec, size_t bytes, int rounds) {
    board b = open_board(state, spec, bytes);
    uint64_t seed = support_seed(spec, 3), sides[2];
    int compared = 0, shown = 0;
    for (int n = 0; n < rounds; n++) {
        int stones = n % (b.game.cells + 1);
        plb_answer answer;
        forward_search_result value, distance;
        drop_stones(&b.game, stones, &seed, sides);
        if (plb_probe(b.table, sides[0], sides[1], &answer, NULL))
            continue; /* not reachable: the game ended before */
        plb_position p = {plb_game_cells_of_bits(&b.game, sides[0]),
                          plb_game_cells_of_bits(&b.game, sides[1])};
        assert_int_equal(drop_search_solve(b.search, &(search_request){.position = p}, &value),
                         PLB_OK);
        assert_int_equal(
            drop_search_solve(b.search, &(search_request){.position = p, .distance = true},
                              &distance),
            PLB_OK);
        assert_true(value.proved && distance.proved && distance.value_proved);
        assert_int_equal(value.value, answer.value);
        assert_int_equal(value.dtm, PLB_NO_DTM);
        assert_int_equal(distance.value, answer.value);
        assert_int_equal(distance.dtm, answer.dtm);
        if (answer.dtm != 0 && stones < b.game.cells)
            shown += check_pairs(&b.game, sides, stones, score_of(&b.game, &answer, stones));
        compared++;
    }
    printf("%s: %d positions compared, pairs show something %d times\n", spec, compared, shown);
    assert_true(compared > rounds / 20 && (shown > 0 || b.game.k == 2));
    close_board(&b);
}

static void values_and_distances_are_those_of_tables(void **state) {
    compare_with_table(state, "connect-5x4-k4", 1 << 20, 4000);
    compare_with_table(state, "connect-4x5-k4", 1 << 20, 4000);
    compare_with_table(state, "connect-5x5-k4", 1 << 22, 4000);
    compare_with_table(state, "connect-6x4-k4", 1 << 22, 4000);
    compare_with_table(state, "connect-4x4-k3", 1 << 20, 4000);
    compare_with_table(state, "connect-5x3-k3", 1 << 20, 4000);
    compare_with_table(state, "connect-3x5-k3", 1 << 20, 4000);
    compare_with_table(state, "connect-6x3-k5", 1 << 20, 4000);
    compare_with_table(state, "connect-3x3-k2", 1 << 20, 4000);
}

/* With a small transposition table, which forgets positions, answers are right, too. */
static void little_memory_is_enough(void **state) {
    compare_with_table(state, "connect-5x4-k4", 256, 500);
}

/* Board, value for the player to move, and distance, from the test sets of Pons. */
static void published_scores_are_found(void **state) {
    (void)state;
    plb_game game = support_game("connect-7x6-k4");
    drop_search *search = open_search(&game, 64 << 20, 1);
    FILE *file = fopen(TEST_DATA "/connect-7x6-k4-pons.tsv", "r");
    char row[200], text[PLB_BOARD_TEXT], value[8], distance[8];
    int rows = 0;
    assert_non_null(file);
    for (; fgets(row, sizeof row, file); rows++) {
        plb_position position;
        forward_search_result found;
        assert_int_equal(sscanf(row, "%99s %7s %7s", text, value, distance), 3);
        assert_int_equal(plb_notation_parse_board(&game, text, &position, NULL), PLB_OK);
        assert_int_equal(
            drop_search_solve(search, &(search_request){.position = position, .distance = true},
                              &found),
            PLB_OK);
        assert_true(found.proved);
        assert_string_equal(plb_value_text(found.value), value);
        assert_int_equal(found.dtm, strcmp(distance, "-") ? atoi(distance) : PLB_NO_DTM);
    }
    assert_int_equal(rows, 252);
    fclose(file);
    drop_search_close(search);
}

static void other_games_are_left_to_the_general_search(void **state) {
    (void)state;
    static const char *specs[] = {
        "connect-5x4-k4-misere", "connect-5x4-k4-cylinder", "mnk-4x4-k4", "square-4x4",
        "connect-8x8-k4",        "connect-4x4-k5"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        plb_game game = support_game(specs[i]);
        search_rules rules;
        assert_int_equal(search_rules_make(&game, &rules, NULL), PLB_OK);
        assert_false(drop_search_suits(&rules, 64 << 20));
    }
}

/* A node budget and a stop flag end a search, and impossible stones are refused. */
static void searches_end_when_they_are_told(void **state) {
    (void)state;
    plb_game game = support_game("connect-7x6-k4");
    drop_search *search = open_search(&game, 1 << 20, 1);
    volatile sig_atomic_t stop = 1;
    forward_search_result found;
    plb_position empty = {0, 0};
    assert_int_equal(
        drop_search_solve(
            search, &(search_request){.position = empty, .distance = true, .node_budget = 20000},
            &found),
        PLB_OK);
    assert_true(!found.proved && found.nodes <= 20000 && found.dtm == PLB_NO_DTM);
    assert_int_equal(
        drop_search_solve(search, &(search_request){.position = empty, .stop = &stop}, &found),
        PLB_OK);
    assert_true(!found.proved && !found.value_proved && found.nodes == 0);
    drop_search_close(search);
}

/* Two threads share a budget; each may search one node more than half of it. */
static void threads_share_a_budget(void **state) {
    (void)state;
    plb_game game = support_game("connect-7x6-k4");
    for (int budget = 1; budget < 100000; budget = 3 * budget + 1) {
        drop_search *search = open_search(&game, 1 << 20, 2);
        const search_request request = {.distance = budget % 2, .node_budget = budget};
        forward_search_result found;
        assert_int_equal(drop_search_solve(search, &request, &found), PLB_OK);
        assert_false(found.proved);
        assert_in_range(found.nodes, budget, budget + 1);
        drop_search_close(search);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(values_and_distances_are_those_of_tables),
        SUPPORT_IN_FOLDER(little_memory_is_enough),
        cmocka_unit_test(published_scores_are_found),
        cmocka_unit_test(other_games_are_left_to_the_general_search),
        cmocka_unit_test(searches_end_when_they_are_told),
        cmocka_unit_test(threads_share_a_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
