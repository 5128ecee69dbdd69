/* SPDX-License-Identifier: MIT
 *
 * The rules of the library agree with the oracle on games of every family: the state of a game,
 * legal and refused moves, and the positions of every ply.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "probe/plybase.h"
#include "tests/support/positions.h"
#include "tests/support/support.h"

static const oracle_game games[] = {
    {ORACLE_CONNECT, 4, 3, 3, false, false}, {ORACLE_CONNECT, 3, 4, 3, true, false},
    {ORACLE_CONNECT, 4, 3, 3, false, true},  {ORACLE_MNK, 3, 3, 3, false, false},
    {ORACLE_MNK, 4, 3, 3, true, true},       {ORACLE_SQUARE, 3, 3, 4, false, false}};
enum { GAMES = sizeof games / sizeof games[0] };

/* A game, solved by the oracle, and its table. */
typedef struct solved_table {
    oracle solved;
    plb_table *table;
} solved_table;

static plb_table *open_built(void **state, const char *spec) {
    plb_table *table = NULL;
    const char *path = support_path(state, spec);
    support_build(spec, path, NULL, 1);
    assert_int_equal(plb_open(path, &table, NULL), PLB_OK);
    return table;
}

static void for_every_game(void **state, void (*check)(const solved_table *)) {
    for (int g = 0; g < GAMES; g++) {
        solved_table t;
        char spec[ORACLE_TEXT];
        oracle_spec_text(&games[g], spec);
        assert_true(oracle_solve(&games[g], &t.solved));
        t.table = open_built(state, spec);
        check(&t);
        plb_close(t.table);
        oracle_free(&t.solved);
        assert_int_equal(unlink(support_path(state, spec)), 0);
    }
}

/* ---- the state of a game ---- */

/* The cells have stones of the last player, which have a group without other stones. */
static void assert_groups(const solved_table *t, const oracle_position *p, uint64_t groups) {
    char board[ORACLE_CELLS + 1], last = p->ply % 2 ? 'x' : 'o';
    const oracle_game *game = &t->solved.game;
    assert_int_equal(groups != 0, p->complete);
    if (!groups) return;
    for (int cell = 0; cell < t->solved.cells; cell++) {
        int bit = cell % game->width * game->height + cell / game->width;
        board[cell] = groups >> bit & 1 ? last : '.';
        if (groups >> bit & 1) assert_int_equal(p->board[cell], last);
    }
    board[t->solved.cells] = 0;
    assert_true(oracle_has_group(game, board, last));
}

static void check_states(const solved_table *t) {
    for (size_t p = 0; p < t->solved.count; p++) {
        const oracle_position *here = &t->solved.positions[p];
        plb_state state;
        uint64_t x, o;
        positions_bits(&t->solved.game, here->board, &x, &o);
        memset(&state, 0xff, sizeof state);
        assert_int_equal(plb_find_state(t->table, x, o, &state, NULL), PLB_OK);
        char mover = here->ply % 2 ? 'o' : 'x', other = here->ply % 2 ? 'x' : 'o';
        char winner = !here->over || !here->value ? 0 : here->value > 0 ? mover : other;
        assert_int_equal(state.to_move, mover);
        assert_int_equal(state.over, here->over);
        assert_int_equal(state.ply, here->ply);
        assert_int_equal(state.winner, winner);
        assert_groups(t, here, state.groups);
        for (size_t r = 0; r < sizeof state.reserved; r++) assert_int_equal(state.reserved[r], 0);
    }
}

static void states_agree_with_the_oracle(void **state) {
    for_every_game(state, check_states);
}

/* x completes a1 b1 c1 and a1 a2 a3 with one move: five cells.
 *     x . .
 *     x o o
 *     x x x    the move a1 came last */
static void all_cells_of_complete_groups_are_returned(void **state) {
    plb_table *table = open_built(state, "mnk-3x3-k3");
    plb_state found;
    uint64_t x = 0, o = 0;
    assert_int_equal(plb_parse_moves(table, "b1b2c1c2a2b3a3c3a1", &x, &o, NULL), PLB_OK);
    assert_int_equal(plb_find_state(table, x, o, &found, NULL), PLB_OK);
    assert_int_equal(found.winner, 'x');
    assert_int_equal(found.to_move, 'o');
    assert_int_equal(found.groups, 1 << 0 | 1 << 1 | 1 << 2 | 1 << 3 | 1 << 6);
    plb_close(table);
}

/* After a1 and b3 on a board of 3x3: cell 0 is x, cell 5 is o. */
static void cells_have_the_player_and_text_of_their_stone(void **state) {
    plb_table *table = open_built(state, "mnk-3x3-k3");
    plb_cell cells[PLB_MAX_CELLS];
    uint64_t x = 0, o = 0;
    assert_int_equal(plb_parse_moves(table, "a1b3", &x, &o, NULL), PLB_OK);
    assert_int_equal(plb_read_cells(table, x, o, cells), PLB_OK);
    for (int cell = 0; cell < 9; cell++) {
        const char *expected = cell == 0 ? "x" : cell == 5 ? "o" : "";
        assert_string_equal(cells[cell].text, expected);
        assert_int_equal(cells[cell].player, expected[0]);
    }
    assert_int_equal(plb_read_cells(table, 1, 1, cells), PLB_EARGUMENT);
    assert_int_equal(plb_read_cells(table, 1 << 9, 0, cells), PLB_EARGUMENT);
    plb_close(table);
}

/* ---- moves ---- */

static const oracle_move *find_move(const oracle_move *moves, int count, int column, int row) {
    for (int m = 0; m < count; m++)
        if (moves[m].column == column && moves[m].row == row) return &moves[m];
    return NULL;
}

/* Play to every cell and beyond the edges: a move of the oracle leads to its position, any other is
 * refused. */
static void check_plays_of(const solved_table *t, const oracle_position *here) {
    const oracle_game *game = &t->solved.game;
    oracle_move moves[ORACLE_CELLS];
    uint64_t x, o, child_x, child_o;
    int count = oracle_moves(&t->solved, here, moves);
    positions_bits(game, here->board, &x, &o);
    for (int column = -1; column <= game->width; column++)
        for (int row = -1; row <= game->height; row++) {
            const oracle_move *expected = find_move(moves, count, column, row);
            plb_move move = {.column = column, .row = row};
            plb_message why = {.text = ""};
            uint64_t after_x = x, after_o = o;
            int error = plb_play(t->table, &move, &after_x, &after_o, &why);
            assert_int_equal(error, expected ? PLB_OK : PLB_EMOVE);
            assert_int_equal(strlen(why.text) > 0, !expected);
            child_x = x, child_o = o;
            if (expected) positions_bits(game, expected->child->board, &child_x, &child_o);
            assert_true(after_x == child_x && after_o == child_o);
        }
}

static void check_plays(const solved_table *t) {
    for (size_t p = 0; p < t->solved.count; p += 7) check_plays_of(t, &t->solved.positions[p]);
}

static void moves_agree_with_the_oracle(void **state) {
    for_every_game(state, check_plays);
}

static void assert_refused(int error, int expected, const plb_message *why, const char *text) {
    assert_int_equal(error, expected);
    if (!strstr(why->text, text)) fail_msg("'%s' does not say '%s'", why->text, text);
}

static void refusals_of_moves_say_why(void **state) {
    plb_table *table = open_built(state, "connect-4x3-k3");
    const plb_move beyond = {.column = 4}, far = {.column = INT_MAX, .row = INT_MAX},
                   high = {.column = 1, .row = 2}, taken = {.column = 0};
    plb_message why;
    uint64_t x = 1, o = 1 << 3;
    assert_refused(plb_play(table, &beyond, &x, &o, &why), PLB_EMOVE, &why,
                   "a move to column 5, row 1 is off the 4x3 board");
    assert_refused(plb_play(table, &far, &x, &o, &why), PLB_EMOVE, &why, "column 2147483648");
    assert_refused(plb_play(table, &high, &x, &o, &why), PLB_EMOVE, &why, "below is empty");
    assert_refused(plb_play(table, &taken, &x, &o, &why), PLB_EMOVE, &why, "cell is taken");
    assert_refused(plb_play_text(table, "5", &x, &o, &why), PLB_EMOVE, &why, "off the 4x3 board");
    assert_refused(plb_play_text(table, "1-", &x, &o, &why), PLB_ESYNTAX, &why, "no move");
    assert_true(x == 1 && o == 1 << 3);
    assert_int_equal(plb_play_text(table, "121", &x, &o, NULL), PLB_OK);
    const plb_move late = {.column = 3};
    assert_refused(plb_play(table, &late, &x, &o, &why), PLB_EMOVE, &why, "game is over");
    x = 2, o = 0;
    assert_refused(plb_play(table, &late, &x, &o, &why), PLB_EFLOATING, &why, "floats");
    assert_refused(plb_play_text(table, "1", &x, &o, &why), PLB_EFLOATING, &why, "floats");
    plb_state found;
    assert_refused(plb_find_state(table, x, o, &found, &why), PLB_EFLOATING, &why, "floats");
    plb_close(table);
}

static void moves_in_text_continue_the_position(void **state) {
    plb_table *table = open_built(state, "connect-4x3-k3");
    uint64_t x = 0, o = 0, whole_x, whole_o;
    assert_int_equal(plb_parse_moves(table, "12341", &whole_x, &whole_o, NULL), PLB_OK);
    assert_int_equal(plb_play_text(table, "12", &x, &o, NULL), PLB_OK);
    assert_int_equal(plb_play_text(table, "", &x, &o, NULL), PLB_OK);
    assert_int_equal(plb_play_text(table, "3, 4,1", &x, &o, NULL), PLB_OK);
    assert_true(x == whole_x && o == whole_o);
    plb_close(table);
}

/* ---- best moves ---- */

static void best_moves_are_as_good_as_the_first(void **state) {
    (void)state;
    const plb_move moves[] = {{.value = PLB_WIN, .dtm = 3},
                              {.value = PLB_WIN, .dtm = 3},
                              {.value = PLB_WIN, .dtm = 5},
                              {.value = PLB_LOSS, .dtm = 3}};
    assert_int_equal(plb_count_best(moves, 4), 2);
    assert_int_equal(plb_count_best(moves, 1), 1);
    assert_int_equal(plb_count_best(moves + 2, 2), 1);
    assert_int_equal(plb_count_best(moves, 0), 0);
}

static void check_analyses(const solved_table *t) {
    for (size_t p = 0; p < t->solved.count; p++) {
        static plb_analysis all;
        plb_answer answer;
        plb_move moves[PLB_MAX_MOVES];
        uint64_t x, o;
        int count = 0;
        positions_bits(&t->solved.game, t->solved.positions[p].board, &x, &o);
        assert_int_equal(plb_analyse(t->table, x, o, &all, NULL), PLB_OK);
        assert_int_equal(plb_probe(t->table, x, o, &answer, NULL), PLB_OK);
        assert_int_equal(plb_moves(t->table, x, o, moves, &count, NULL), PLB_OK);
        assert_memory_equal(&all.answer, &answer, sizeof answer);
        assert_int_equal(all.count, count);
        assert_int_equal(all.best, plb_count_best(moves, count));
        assert_memory_equal(all.moves, moves, count * sizeof *moves);
    }
}

static void an_analysis_has_answer_and_moves(void **state) {
    for_every_game(state, check_analyses);
}

/* ---- the positions of a ply ---- */

static int compare_pairs(const void *a, const void *b) {
    return memcmp(a, b, 2 * sizeof(uint64_t));
}

/* The bitboards (x, o) of a ply, sorted; the caller frees them. */
static uint64_t (*list_by_oracle(const oracle *solved, int ply))[2] {
    uint64_t(*pairs)[2] = calloc(solved->count, sizeof *pairs);
    size_t count = 0;
    assert_non_null(pairs);
    for (size_t p = 0; p < solved->count; p++)
        if (solved->positions[p].ply == ply) {
            uint64_t *pair = pairs[count++];
            positions_bits(&solved->game, solved->positions[p].board, &pair[0], &pair[1]);
        }
    qsort(pairs, count, sizeof *pairs, compare_pairs);
    return pairs;
}

static void check_listing(const solved_table *t, int ply, size_t capacity) {
    size_t total = t->solved.plies[ply].total, found = 0;
    uint64_t(*expected)[2] = list_by_oracle(&t->solved, ply), *x, *o;
    uint64_t(*listed)[2] = calloc(total + capacity, sizeof *listed);
    x = calloc(capacity, sizeof *x);
    o = calloc(capacity, sizeof *o);
    assert_true(listed && x && o);
    for (plb_listing listing = {.ply = ply}; !listing.done;) {
        size_t count = 12345;
        assert_int_equal(plb_list_positions(t->table, &listing, capacity, x, o, &count), PLB_OK);
        assert_in_range(count, 0, capacity);
        for (size_t p = 0; p < count; p++, found++) {
            assert_in_range(found, 0, total - 1);
            listed[found][0] = x[p];
            listed[found][1] = o[p];
        }
    }
    assert_int_equal(found, total);
    qsort(listed, found, sizeof *listed, compare_pairs);
    assert_memory_equal(listed, expected, found * sizeof *listed);
    free(expected);
    free(listed);
    free(x);
    free(o);
}

static void check_listings(const solved_table *t) {
    for (int ply = 0; ply <= t->solved.cells; ply++) {
        check_listing(t, ply, 1000);
        if (ply < 5) check_listing(t, ply, 1);
    }
}

static void every_position_of_a_ply_is_listed_once(void **state) {
    for_every_game(state, check_listings);
}

/* One call looks at fewer entries than this ply has: slabs of 5x5 have 184,756 and more colourings.
 */
static void a_listing_takes_many_calls(void **state) {
    plb_table *table = open_built(state, "connect-5x5-k3");
    static uint64_t x[5000], o[5000];
    plb_ply_stats stats;
    uint64_t found = 0;
    assert_int_equal(plb_stats(table, 21, &stats), PLB_OK);
    for (plb_listing listing = {.ply = 21}; !listing.done;) {
        size_t count;
        assert_int_equal(plb_list_positions(table, &listing, 5000, x, o, &count), PLB_OK);
        found += count;
    }
    assert_int_equal(found, stats.total);
    plb_close(table);
}

static void impossible_listings_are_refused(void **state) {
    plb_table *table = open_built(state, "connect-4x3-k3");
    const plb_listing bad[] = {{.ply = -1},
                               {.ply = 13},
                               {.ply = 3, .slab = 1ULL << 40},
                               {.ply = 3, .element = 2},
                               {.ply = 3, .rank = 3}};
    uint64_t x[4], o[4];
    size_t count = 77;
    for (size_t b = 0; b < sizeof bad / sizeof bad[0]; b++) {
        plb_listing listing = bad[b];
        assert_int_equal(plb_list_positions(table, &listing, 4, x, o, &count), PLB_EARGUMENT);
    }
    plb_listing none = {.ply = 3}, done = {.ply = 3, .done = true};
    assert_int_equal(plb_list_positions(table, &none, 0, x, o, &count), PLB_EARGUMENT);
    assert_int_equal(count, 77);
    assert_int_equal(plb_list_positions(table, &done, 4, x, o, &count), PLB_OK);
    assert_int_equal(count, 0);
    plb_close(table);
}

static bool stop_at_once(void *context, const plb_bounds *bounds) {
    (void)bounds;
    ++*(int *)context;
    return false;
}

static void resistance_keeps_its_contract(void **state) {
    plb_table *table = open_built(state, "connect-4x4-k4");
    static plb_resistance found, before;
    static const int wrong[] = {-1, 2, 16, 17, INT_MAX};
    plb_message why;
    memset(&before, 0x5a, sizeof before);
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
        found = before;
        found.plies = wrong[w];
        assert_int_equal(plb_find_resistance(table, 0, 0, NULL, &found, &why), PLB_EARGUMENT);
        assert_non_null(strstr(why.text, "an odd number from 1 to 15"));
        assert_memory_equal(&found.best, &before.best, sizeof found.best);
    }
    assert_int_equal(plb_find_resistance(NULL, 0, 0, NULL, &found, NULL), PLB_EARGUMENT);
    assert_int_equal(plb_find_resistance(table, 0, 0, NULL, NULL, NULL), PLB_EARGUMENT);
    found = (plb_resistance){.plies = 3};
    assert_int_equal(plb_find_resistance(table, 1, 1, NULL, &found, NULL), PLB_ECOUNTS);

    /* Without plies it does the same as plb_find_best. With limits it reaches at least ply 1. */
    plb_best best;
    assert_int_equal(plb_find_best(table, 0, 0, NULL, &best, NULL), PLB_OK);
    found = (plb_resistance){.plies = 0};
    assert_int_equal(plb_find_resistance(table, 0, 0, NULL, &found, NULL), PLB_OK);
    assert_int_equal(found.plies, 0);
    assert_int_equal(found.best.count, best.count);
    assert_memory_equal(found.best.moves, best.moves, best.count * sizeof *best.moves);
    int calls = 0;
    const plb_limits limits[] = {{.nodes = 1}, {.report = stop_at_once, .context = &calls}};
    for (int l = 0; l < 2; l++) {
        found = (plb_resistance){.plies = 15};
        assert_int_equal(plb_find_resistance(table, 0, 0, &limits[l], &found, NULL), PLB_OK);
        assert_in_range(found.plies, 1, l ? 14 : 1);
        assert_int_equal(found.replies[0].count, 4);
    }
    assert_true(calls > 0);
    plb_close(table);
}

static void lines_of_lists_keep_their_contract(void **state) {
    (void)state;
    static const char line[] = "\xef\xbb\xbf  4453\t-2, x";
    plb_list_line read;
    size_t length = 0;
    assert_int_equal(plb_read_list_line("pons", 5, 5, line, &read, NULL), PLB_OK);
    assert_string_equal(read.position, "4453");
    assert_int_equal(read.begin, 5);
    assert_int_equal(read.end, 9);
    const char *second = plb_list_column(line, read.rest, 2, &length);
    assert_true(second && length == 2 && memcmp(second, "-2", 2) == 0);
    const char *third = plb_list_column(line, read.rest, 3, &length);
    assert_true(third && length == 1 && *third == 'x');
    assert_null(plb_list_column(line, read.rest, 4, &length));
    assert_null(plb_list_column(line, read.rest, 1, &length));
    assert_null(plb_list_column(NULL, 0, 2, &length));
    assert_null(plb_list_column(line, read.rest, 2, NULL));

    /* A letter is a column, even if a digit follows. */
    assert_int_equal(plb_read_list_line("pons", 11, 2, "a11 3", &read, NULL), PLB_OK);
    assert_string_equal(read.position, "a,1,1");
    assert_int_equal(plb_read_list_line("columns0", 11, 2, "90a", &read, NULL), PLB_OK);
    assert_string_equal(read.position, "a,1,b");

    /* The place of refused text is reported. */
    assert_int_equal(plb_read_list_line("board", 3, 3, "xo win", &read, NULL), PLB_EBOARD);
    assert_string_equal(read.position, "");
    assert_int_equal(read.end, 2);
    assert_int_equal(read.rest, 3);
    assert_int_equal(plb_read_list_line("uci", 3, 3, "x?", &read, NULL), PLB_ESYNTAX);
    assert_int_equal(plb_read_list_line("csv", 3, 3, "x", &read, NULL), PLB_EARGUMENT);
    assert_int_equal(plb_read_list_line("board", 0, 3, "x", &read, NULL), PLB_EARGUMENT);
    assert_int_equal(plb_read_list_line("board", 9, 8, "x", &read, NULL), PLB_EARGUMENT);
    assert_int_equal(plb_read_list_line("board", 3, 3, NULL, &read, NULL), PLB_EARGUMENT);

    /* x has completed his fourth stone with 7 on 7x6: o has lost, by 22 - 4 points. */
    const plb_list_known over = {PLB_LOSS, 0, 7, 42}, unknown = {PLB_LOSS, PLB_NO_DTM, 7, 42};
    plb_message why;
    assert_int_equal(plb_list_score(&over), -18);
    assert_int_equal(plb_list_score(&unknown), -1);
    assert_int_equal(plb_list_score(NULL), 0);
    assert_int_equal(plb_list_agrees("pons", "1212121 -18", 8, 2, &over, &why), 1);
    assert_int_equal(plb_list_agrees("pons", "1212121 -9", 8, 2, &over, &why), 0);
    assert_string_equal(why.text, "the list says -9, the answer is loss, a score of -18");
    assert_int_equal(plb_list_agrees("pons", "1212121 -9", 8, 2, &unknown, &why), 1);
    assert_int_equal(plb_list_agrees("uci", "win", 0, 2, &over, &why), 1);
    assert_int_equal(plb_list_agrees("board", "loss", 0, 3, &over, NULL), 0);
    assert_int_equal(plb_list_agrees("csv", "loss", 0, 2, &over, &why), PLB_EARGUMENT);
    assert_int_equal(plb_list_agrees("uci", NULL, 0, 2, &over, &why), PLB_EARGUMENT);
    assert_int_equal(plb_list_agrees("uci", "win", 0, 2, NULL, &why), PLB_EARGUMENT);
    for (int column = -1; column < 2; column++)
        assert_int_equal(plb_list_agrees("uci", "win", 0, column, &over, &why), PLB_EARGUMENT);
    assert_string_equal(why.text,
                        "there is no column 1 to compare: 2 is the first after the position");
    assert_int_equal(plb_list_has_moves(NULL, true), -1);
    assert_int_equal(plb_list_has_moves("csv", true), -1);
    assert_int_equal(plb_list_has_moves("plybase", true), 1);
    assert_int_equal(plb_list_has_moves("uci", true), 0);
    assert_null(plb_guess_list_format(NULL, 3, 3, false));
    assert_null(plb_guess_list_format("xo", INT_MAX, INT_MAX, false));
    assert_null(plb_guess_list_format("xo", INT_MIN, 2, false));
    assert_string_equal(plb_guess_list_format("b,b,b,b,b,b,b,b,b,win", 3, 3, false), "uci");
}

/* ---- games ---- */

/* The cost of each move follows from the answers for the positions before and after it. */
static void annotations_agree_with_the_positions(void **state) {
    const char *path = support_path(state, "connect-4x3-k3");
    plb_table *table = NULL;
    plb_line game;
    support_build_values("connect-4x3-k3", PLB_DTM, path, NULL, 1);
    assert_int_equal(plb_open(path, &table, NULL), PLB_OK);
    assert_int_equal(plb_read_moves(table, " A1, 2,b2 4", 0, 0, &game, NULL), PLB_ESYNTAX);
    assert_int_equal(plb_read_moves(table, " A1, 2,b2,4", 0, 0, &game, NULL), PLB_OK);
    plb_annotation *found = calloc(game.count, sizeof *found);
    *game.moves[1].text = 0; /* is ignored */
    game.moves[1].number = 7;
    assert_int_equal(plb_annotate(table, 0, 0, &game, found, NULL), PLB_OK);
    static const char *const texts[] = {"1", "2", "2", "4"};
    uint64_t x = 0, o = 0;
    assert_int_equal(game.count, 4);
    for (int m = 0; m < game.count; m++) {
        const plb_annotation *a = &found[m];
        plb_analysis before;
        plb_answer after;
        assert_int_equal(plb_analyse(table, x, o, &before, NULL), PLB_OK);
        assert_int_equal(plb_play_text(table, texts[m], &x, &o, NULL), PLB_OK);
        assert_int_equal(plb_probe(table, x, o, &after, NULL), PLB_OK);
        assert_true(a->x == x && a->o == o && a->ply == m + 1 && a->player == "xo"[m % 2]);
        assert_string_equal(a->move.text, texts[m]);
        assert_int_equal(a->move.number, 0);
        assert_memory_equal(&a->before.answer, &before.answer, sizeof before.answer);
        assert_int_equal(a->before.best, before.best);
        assert_int_equal(a->move.value, -(int)after.value);
        assert_int_equal(a->move.dtm, after.dtm);
        assert_int_equal(a->mistake, before.answer.value != -(int)after.value);
        if (!a->mistake && a->move.value == PLB_WIN)
            assert_int_equal(a->plies_lost, after.dtm + 1 - before.answer.dtm);
        if (!a->mistake && a->move.value == PLB_LOSS)
            assert_int_equal(a->plies_lost, before.answer.dtm - after.dtm - 1);
        if (a->mistake || a->move.value == PLB_DRAW) assert_int_equal(a->plies_lost, 0);
    }
    assert_int_equal(plb_annotate(table, 3, 0, &game, found, NULL), PLB_ECOUNTS);
    game.moves[1].column = 9;
    assert_int_equal(plb_annotate(table, 0, 0, &game, found, NULL), PLB_EMOVE);
    assert_int_equal(plb_annotate(table, 0, 0, NULL, found, NULL), PLB_EARGUMENT);
    game.count = PLB_MAX_CELLS + 1;
    assert_int_equal(plb_annotate(table, 0, 0, &game, found, NULL), PLB_EARGUMENT);
    game.count = -1;
    assert_int_equal(plb_annotate(table, 0, 0, &game, found, NULL), PLB_EARGUMENT);
    assert_int_equal(plb_read_moves(table, NULL, 0, 0, &game, NULL), PLB_EARGUMENT);
    assert_int_equal(plb_read_moves(table, "1", 1, 1, &game, NULL), PLB_ECOUNTS);
    free(found);
    plb_close(table);
}

/* ---- pictures ---- */

static void assert_drawn(const plb_table *table, const plb_picture *asked, const char *words,
                         const char *svg_has, const char *svg_has_not) {
    plb_picture p = *asked;
    assert_int_equal(plb_draw(table, 0, 0, &p, NULL), PLB_OK);
    assert_string_equal(p.words, words);
    assert_non_null(strstr(p.svg, svg_has));
    assert_null(strstr(p.svg, svg_has_not));
    assert_string_equal(p.svg + strlen(p.svg) - 7, "</svg>\n");
    assert_true(strlen(p.svg) < sizeof p.svg / 2 && p.width >= 3 * 60 && p.height >= 3 * 60);
}

static void pictures_keep_their_contract(void **state) {
    plb_table *table = open_built(state, "mnk-3x3-k3");
    const plb_picture whole = {.bare = false}, bare = {.bare = true}, quiet = {.wordless = true};
    char text[PLB_OUTCOME_TEXT];
    assert_drawn(table, &whole, "x to move: draw", ">x to move: draw</text>", "<circle");
    assert_drawn(table, &whole, "x to move: draw", ">=</text>", "<circle");
    assert_drawn(table, &bare, "x to move", ">x to move</text>", ">=</text>");
    assert_drawn(table, &quiet, "x to move: draw", ">=</text>", "draw</text>");
    plb_picture before, after;
    memset(&before, 0, sizeof before);
    memset(before.svg, 'a', sizeof before.svg);
    after = before;
    assert_int_equal(plb_draw(table, 7, 0, &after, NULL), PLB_ECOUNTS);
    assert_memory_equal(&before, &after, sizeof before);
    assert_int_equal(plb_draw(table, 0, 0, NULL, NULL), PLB_EARGUMENT);
    assert_int_equal(plb_draw(NULL, 0, 0, &after, NULL), PLB_EARGUMENT);
    assert_null(plb_format_outcome(PLB_WIN, 1, NULL));
    assert_string_equal(plb_format_outcome(PLB_WIN, 1, text), "win in 1 ply");
    assert_string_equal(plb_format_outcome(PLB_LOSS, 64, text), "loss in 64 plies");
    assert_string_equal(plb_format_outcome(PLB_LOSS, 0, text), "loss");
    assert_string_equal(plb_format_outcome((plb_value)9, PLB_NO_DTM, text), "no value");
    plb_close(table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(states_agree_with_the_oracle),
        SUPPORT_IN_FOLDER(all_cells_of_complete_groups_are_returned),
        SUPPORT_IN_FOLDER(cells_have_the_player_and_text_of_their_stone),
        SUPPORT_IN_FOLDER(moves_agree_with_the_oracle),
        SUPPORT_IN_FOLDER(refusals_of_moves_say_why),
        SUPPORT_IN_FOLDER(moves_in_text_continue_the_position),
        cmocka_unit_test(best_moves_are_as_good_as_the_first),
        SUPPORT_IN_FOLDER(an_analysis_has_answer_and_moves),
        SUPPORT_IN_FOLDER(every_position_of_a_ply_is_listed_once),
        SUPPORT_IN_FOLDER(a_listing_takes_many_calls),
        SUPPORT_IN_FOLDER(impossible_listings_are_refused),
        SUPPORT_IN_FOLDER(resistance_keeps_its_contract),
        cmocka_unit_test(lines_of_lists_keep_their_contract),
        SUPPORT_IN_FOLDER(annotations_agree_with_the_positions),
        SUPPORT_IN_FOLDER(pictures_keep_their_contract),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
