/* SPDX-License-Identifier: MIT
 *
 * Late positions have the same outcome by search as in the table: on small boards all of them, on
 * 5x5 those of random games, there also with a table that is searched or read as the lookup
 * decides.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "probe/outcome.h"
#include "tests/support/open_table.h"
#include "tests/support/support.h"

enum { LISTED = 256, GAMES = 3000, MIN_PLY = 10, QUESTIONS = 4, FEW_NODES = 30 };

static plb_context borrow(const plb_table *table) {
    plb_context context;
    assert_int_equal(plb_context_borrow(table, &context, NULL), PLB_OK);
    return context;
}

static void expect_same(const plb_table *table, plb_position position, plb_outcome found,
                        plb_outcome expected, const char *way) {
    char board[PLB_BOARD_TEXT];
    plb_rules_format_board(&table->file.space.game, position, board);
    if (found.value != expected.value || found.dtm != expected.dtm)
        fail_msg("%s: %s: %d in %d, stored: %d in %d", way, board, found.value, found.dtm,
                 expected.value, expected.dtm);
}

static bool is_decided(const plb_game *game, plb_position position) {
    return plb_rules_static_value(game, position).kind == PLB_DECIDED;
}

/* Compare by search and by reading; false: the search is not for this position. */
static bool compare(const plb_context *c, plb_position position) {
    const plb_table *t = c->table;
    const plb_game *game = &t->file.space.game;
    plb_outcome stored;
    if (plb_rules_ply(game, position) < t->late.first_ply || is_decided(game, position))
        return false;
    assert_int_equal(plb_outcome_read(c, position, &stored, NULL), PLB_OK);
    plb_late_search search = t->late;
    search.max_nodes = INT_MAX;
    plb_outcome found;
    assert_true(plb_late_search_find(&search, game, position, t->file.coding.values, &found));
    expect_same(t, position, found, stored, "searched");
    return true;
}

/* ---- small boards ---- */

static uint64_t compare_all(const char *path) {
    plb_table *table = support_open_table(path);
    plb_context c = borrow(table);
    uint64_t x[LISTED], o[LISTED], compared = 0;
    for (plb_listing at = {0}; at.ply <= table->info.cells; at = (plb_listing){.ply = at.ply + 1})
        while (!at.done) {
            size_t count = 0;
            assert_int_equal(plb_list_positions(table, &at, LISTED, x, o, &count), PLB_OK);
            for (size_t i = 0; i < count; i++)
                compared += compare(&c, plb_position_of_words(table, x[i], o[i]));
        }
    plb_context_return(&c);
    plb_close(table);
    return compared;
}

static void small_boards(void **state) {
    static const char *const specs[] = {"connect-4x4-k4", "connect-4x4-k3", "connect-3x5-k3",
                                        "connect-7x2-k3", "connect-2x8-k3", "connect-6x2-k5",
                                        "connect-5x3-k4"};
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++)
        for (int v = 0; v < 2; v++) {
            const char *path = support_path(state, "small");
            support_build_values(specs[s], v ? PLB_DTM : PLB_WDL, path, NULL, 1);
            uint64_t compared = compare_all(path);
            printf("%s: %llu positions\n", specs[s], (unsigned long long)compared);
            assert_true(compared > 0);
            remove(path);
        }
}

/* Misere play and cylinders are not searched. */
static void other_games(void **state) {
    static const char *const specs[] = {"connect-4x3-k3-misere", "connect-4x3-k3-cylinder",
                                        "mnk-3x3-k3", "square-3x3"};
    (void)state;
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) {
        plb_game game = support_game(specs[s]);
        assert_true(plb_late_search_make(&game).first_ply > game.cells);
    }
}

/* A board of twelve columns whose lower row is full, so that many orders of moves are possible. */
static void long_searches_give_up(void **state) {
    (void)state;
    plb_game game = support_game("connect-12x2-k4");
    plb_position position = {0, 0};
    for (int column = 0; column < game.width; column++)
        *(column % 2 ? &position.o : &position.x) |= 1ULL << column * game.height;
    plb_late_search search = plb_late_search_make(&game);
    plb_outcome outcome = {PLB_LOSS, 1};
    assert_true(plb_stones_ply(position) >= search.first_ply);
    assert_false(plb_late_search_find(&search, &game, position, PLB_DTM, &outcome));
    assert_int_equal(outcome.value, PLB_LOSS);
    search.max_nodes = INT_MAX;
    assert_true(plb_late_search_find(&search, &game, position, PLB_DTM, &outcome));
    assert_int_equal(outcome.value, PLB_DRAW);
}

/* ---- 5x5 ---- */

/* Play a random game; call `look` with each position from MIN_PLY on in which it is not over. */
static void play(const plb_table *table, uint64_t *random,
                 void (*look)(const plb_table *table, plb_position position, void *context),
                 void *context) {
    const plb_game *game = &table->file.space.game;
    plb_position position = {0, 0};
    for (int ply = 0; !plb_rules_is_over(game, position); ply++) {
        int moves[PLB_MAX_MOVES], count = plb_rules_moves(game, position, moves);
        if (ply >= MIN_PLY) look(table, position, context);
        position = plb_rules_play(game, position, moves[support_random_below(random, count)]);
    }
}

typedef struct readers {
    plb_context reading, probing; /* with caches of their own */
    uint64_t compared;
} readers;

static void look(const plb_table *table, plb_position position, void *context) {
    readers *r = context;
    plb_outcome stored, found;
    assert_int_equal(plb_outcome_read(&r->reading, position, &stored, NULL), PLB_OK);
    assert_int_equal(plb_outcome_find(&r->probing, position, &found, NULL), PLB_OK);
    expect_same(table, position, found, stored, "probed");
    r->compared += compare(&r->reading, position);
}

static uint64_t blocks_read(const plb_table *table) {
    uint64_t cached, read;
    plb_lookup_find_usage(table->lookup, &cached, &read);
    return read;
}

/* The first questions about a block are answered without it. */
static void expect_few_reads(const plb_table *table, plb_position position, void *context) {
    plb_outcome found;
    int *reads = context;
    if (*reads || is_decided(&table->file.space.game, position)) return;
    plb_trim(table);
    plb_context c = borrow(table);
    uint64_t before = blocks_read(table);
    for (int q = 0; q < 2 * QUESTIONS; q++) {
        assert_int_equal(plb_outcome_find(&c, position, &found, NULL), PLB_OK);
        *reads = (int)(blocks_read(table) - before);
        if (q < QUESTIONS - 1) assert_int_equal(*reads, 0);
    }
    plb_context_return(&c);
}

static void probes_of_5x5(void **state) {
    const char *path = support_path(state, "5x5");
    support_build_values("connect-5x5-k4", PLB_DTM, path, NULL, 2);
    plb_table *table = support_open_table(path);
    uint64_t random = support_seed("games", 20261129);
    readers r = {borrow(table), borrow(table), 0};
    int max_nodes = table->late.max_nodes;
    for (int game = 0; game < GAMES; game++) {
        table->late.max_nodes = game % 2 ? FEW_NODES : max_nodes;
        play(table, &random, look, &r);
    }
    table->late.max_nodes = INT_MAX;
    plb_context_return(&r.reading);
    plb_context_return(&r.probing);
    printf("connect-5x5-k4: %llu positions\n", (unsigned long long)r.compared);
    assert_true(r.compared > GAMES / 2);
    int reads = 0;
    for (int game = 0; game < GAMES && !reads; game++)
        play(table, &random, expect_few_reads, &reads);
    assert_true(reads > 0);
    plb_close(table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(small_boards),
        cmocka_unit_test(other_games),
        cmocka_unit_test(long_searches_give_up),
        SUPPORT_IN_FOLDER(probes_of_5x5),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
