/* SPDX-License-Identifier: MIT
 *
 * The search of games of numbers is compared with published results, and with plain play in
 * thousands of positions.
 */
#include "tools/search/position_search.h"
#include "tools/search/search_rules.h"

#include <string.h>
#include <sys/resource.h>

#include "tables/bits.h"
#include "tables/games/notation.h"
#include "tests/support/number_oracle.h"
#include "tests/support/support.h"

static number_search *search_of(const plb_game *game, size_t bytes) {
    number_search *search = NULL;
    assert_int_equal(number_search_open(game, bytes, &search, NULL), PLB_OK);
    return search;
}

/* Can the player force a win by a ply (0: any)? nodes [out]: of the search, or NULL. */
static bool is_forced(number_search *search, plb_position p, int player, int by, uint64_t *nodes) {
    number_result result;
    number_search_ask(search, p, &(number_question){.player = player, .by = by}, &result);
    assert_true(result.answered);
    if (nodes) *nodes = result.nodes;
    return result.yes;
}

static bool can_force(const char *spec, int player) {
    plb_game game = support_game(spec);
    number_search *search = search_of(&game, 1 << 20);
    bool yes = is_forced(search, (plb_position){0, 0}, player, 0, NULL);
    number_search_close(search);
    return yes;
}

/* Graham; Markowsky, J. Recreational Math. 22 (1990) 114-123 and 192-200. */
static void the_first_player_wins_3x3(void **state) {
    (void)state;
    assert_true(can_force("numeric-3x3", 0));
    assert_false(can_force("numeric-3x3", 1));
}

/* Sandlund, Staley, Dixon and Butler: for any five numbers of the first player. */
static void the_first_player_wins_every_split_of_3x3(void **state) {
    (void)state;
    int splits = 0;
    for (unsigned set = 0; set < 1u << 9; set++) {
        char spec[32] = "numeric-3x3-first", *at = spec + 17;
        if (plb_popcount(set) != 5) continue;
        for (int number = 1; number <= 9; number++)
            if (set >> (number - 1) & 1) *at++ = (char)('0' + number);
        *at = 0;
        if (!can_force(spec, 0)) fail_msg("%s", spec);
        splits++;
    }
    assert_int_equal(splits, 126);
}

/* ---- compared with plain play ---- */

static oracle_board board_of(const plb_game *game) {
    oracle_board board = {.size = game->width, .target = game->target};
    for (int tile = 0; tile < game->cells; tile++)
        board.owns[game->tiles[1] >> tile & 1][plb_numbers_value(game, tile)] = true;
    return board;
}

/* Play random moves up to a ply, none of which ends the game. False: none was found. */
static bool play_randomly(const plb_game *game, int ply, uint64_t *random, plb_position *p,
                          oracle_board *board) {
    *p = (plb_position){0, 0};
    *board = board_of(game);
    for (int tries = 0; board->placed < ply && tries < 400; tries++) {
        int cell = (int)support_random_below(random, game->cells);
        int tile = (int)support_random_below(random, game->cells), owner = board->placed % 2;
        if (p->o >> cell & 1 || !(game->tiles[owner] >> tile & 1)) continue;
        if (plb_numbers_played(*p) >> tile & 1) continue;
        int number = plb_numbers_value(game, tile);
        int column = plb_game_column(game, cell), row = plb_game_row(game, cell);
        if (oracle_place(board, number, column, row))
            oracle_take_back(board, column, row, number);
        else
            *p = plb_numbers_put(*p, tile, cell);
    }
    return board->placed == ply;
}

static void assert_agrees(number_search *search, const plb_game *game, plb_position p,
                          oracle_board *board, int player, int by) {
    bool expected = oracle_can_force(board, player, by ? by : game->cells);
    if (is_forced(search, p, player, by, NULL) == expected) return;
    char text[PLB_BOARD_TEXT];
    game->rules->format_board(game, p, text);
    fail_msg("%s: player %d, by %d: %s expected", text, player, by, expected ? "yes" : "no");
}

static void random_positions_agree(const char *spec, int min_ply, int trials, uint64_t *random) {
    plb_game game = support_game(spec);
    number_search *search = search_of(&game, 1 << 22);
    for (int ply = min_ply; ply < game.cells; ply++) {
        int checked = 0;
        for (int trial = 0; trial < trials; trial++) {
            plb_position p;
            oracle_board board;
            if (!play_randomly(&game, ply, random, &p, &board)) continue;
            checked++;
            int by = trial % 3 ? 0 : ply + 1 + trial % 5;
            for (int player = 0; player < 2; player++)
                assert_agrees(search, &game, p, &board, player, by < game.cells ? by : 0);
        }
        if (game.width > 2) assert_true(checked > trials / 2); /* 2x2 is over by ply 3 */
    }
    number_search_close(search);
}

static void positions_of_4x4_agree(void **state) {
    (void)state;
    uint64_t random = support_seed("positions of 4x4", 20260101);
    static const char *const specs[] = {"numeric-4x4", "numeric-4x4-each",
                                        "numeric-4x4-first12345678", "numeric-4x4-first1256bcfg",
                                        "numeric-4x4-first2468aceg"};
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++)
        random_positions_agree(specs[i], 10, 1000, &random);
}

static void positions_of_smaller_boards_agree(void **state) {
    (void)state;
    uint64_t random = support_seed("positions of smaller boards", 20260102);
    random_positions_agree("numeric-2x2", 0, 50, &random);
    random_positions_agree("numeric-2x2-each", 0, 50, &random);
    random_positions_agree("numeric-2x2-first12", 0, 50, &random);
    random_positions_agree("numeric-3x3", 3, 100, &random);
    random_positions_agree("numeric-3x3-first12345", 3, 100, &random);
}

/* ---- each rule: it decides without a search, and correctly ---- */

typedef enum rule { R1 = 1, R2, R3, SEARCHED } rule;

/* R1: the mover can complete a line. R2: the opponent could in two or more cells, if it were his
 * turn. R3: he can after every move. cells_that_complete counts the cells where a player could do
 * so now.
 */
static int cells_that_complete(oracle_board *b, int player, bool complete[4][4]) {
    int count = 0, shift = b->placed % 2 != player;
    b->placed += shift;
    for (int c = 0; c < b->size; c++)
        for (int r = 0; r < b->size; r++) {
            complete[c][r] = false;
            for (int n = 1; n <= 16 && b->number[c][r] == 0; n++) {
                if (!b->owns[player][n] || b->played[player][n]) continue;
                complete[c][r] |= oracle_place(b, n, c, r);
                oracle_take_back(b, c, r, n);
            }
            count += complete[c][r];
        }
    b->placed -= shift;
    return count;
}

/* The number of moves after which the opponent cannot complete a line at once. */
static int count_safe_moves(oracle_board *b) {
    int mover = b->placed % 2, safe = 0;
    bool complete[4][4];
    for (int c = 0; c < b->size; c++)
        for (int r = 0; r < b->size; r++)
            for (int n = 1; n <= 16 && b->number[c][r] == 0; n++) {
                if (!b->owns[mover][n] || b->played[mover][n]) continue;
                oracle_place(b, n, c, r);
                safe += cells_that_complete(b, !mover, complete) == 0;
                oracle_take_back(b, c, r, n);
            }
    return safe;
}

static rule rule_of(oracle_board *b) {
    int mover = b->placed % 2;
    bool complete[4][4];
    if (cells_that_complete(b, mover, complete)) return R1;
    if (cells_that_complete(b, !mover, complete) > 1) return R2;
    return count_safe_moves(b) ? SEARCHED : R3;
}

/* The rule gives the right answers without a search. From ply 11 on they are also compared with
 * plain play. */
static void assert_decided(number_search *search, plb_position p, oracle_board *board, rule which) {
    int mover = board->placed % 2;
    uint64_t nodes[2];
    assert_int_equal(is_forced(search, p, mover, 0, &nodes[0]), which == R1);
    assert_int_equal(is_forced(search, p, !mover, 0, &nodes[1]), which != R1);
    assert_int_equal(nodes[0] + nodes[1], 0);
    if (board->placed < 11) return;
    assert_int_equal(oracle_can_force(board, mover, 16), which == R1);
    assert_int_equal(oracle_can_force(board, !mover, 16), which != R1);
}

/* If no rule decides a position, the search tries only safe moves: a threat forces the cell (R2),
 * and numbers that lose at once are left out (R3). */
static void assert_only_safe_moves(number_search *search, plb_position p, oracle_board *board) {
    uint64_t safe = count_safe_moves(board);
    for (int player = 0; player < 2; player++) {
        number_result result;
        number_search_ask(search, p, &(number_question){.player = player}, &result);
        assert_true(result.depths[board->placed + 1].visited <= safe);
        if (board->placed >= 11) assert_int_equal(result.yes, oracle_can_force(board, player, 16));
    }
}

static void rules_hold_alone(const char *spec, uint64_t *random) {
    int met[SEARCHED + 1] = {0}, threatened = 0;
    bool complete[4][4];
    plb_game game = support_game(spec);
    number_search *search = search_of(&game, 1 << 21);
    for (int trial = 0; trial < 8000; trial++) {
        plb_position p;
        oracle_board board;
        if (!play_randomly(&game, 9 + trial % 6, random, &p, &board)) continue;
        rule which = rule_of(&board);
        met[which]++;
        if (which != SEARCHED) {
            assert_decided(search, p, &board, which);
        } else {
            threatened += cells_that_complete(&board, !(board.placed % 2), complete) == 1;
            assert_only_safe_moves(search, p, &board);
        }
    }
    for (int which = R1; which <= SEARCHED; which++) assert_in_range(met[which], 11, 8000);
    assert_in_range(threatened, 21, 8000);
    number_search_close(search);
}

static void every_rule_holds_alone(void **state) {
    (void)state;
    uint64_t random = support_seed("positions for the rules", 20260103);
    static const char *const specs[] = {"numeric-4x4", "numeric-4x4-each",
                                        "numeric-4x4-first1256bcfg"};
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) rules_hold_alone(specs[i], &random);
}

/* ---- values and distances ---- */

/* Plies until the win that a player can force; 0: he cannot force one. */
static int plies_to_force(oracle_board *board, int player) {
    for (int by = board->placed + 1; by <= board->size * board->size; by++)
        if (oracle_can_force(board, player, by)) return by - board->placed;
    return 0;
}

static void values_and_distances_are_those_of_plain_play(void **state) {
    (void)state;
    uint64_t random = support_seed("positions for values", 20260106);
    plb_game game = support_game("numeric-3x3");
    position_search search;
    assert_int_equal(position_search_open(&game, 1 << 20, 1, &search, NULL), PLB_OK);
    int met[3] = {0}; /* losses, draws, wins */
    for (int trial = 0; trial < 300; trial++) {
        search_request request = {.distance = true};
        oracle_board board;
        forward_search_result found;
        if (!play_randomly(&game, 3 + trial % 6, &random, &request.position, &board)) continue;
        int mover = board.placed % 2, mine = plies_to_force(&board, mover);
        int other = mine ? 0 : plies_to_force(&board, !mover);
        assert_int_equal(position_search_solve(&search, &request, &found), PLB_OK);
        assert_true(found.proved);
        assert_int_equal(found.value, mine ? PLB_WIN : other ? PLB_LOSS : PLB_DRAW);
        met[found.value + 1]++;
        assert_int_equal(found.dtm, mine ? mine : other ? other : PLB_NO_DTM);
    }
    for (int value = 0; value < 3; value++) assert_true(met[value] > 5);
    position_search_close(&search);
}

/* ---- the independent implementation of the rules ---- */

static int compare_rules(const plb_game *game) {
    plb_message why = {.text = ""};
    search_rules rules;
    int error = search_rules_make(game, &rules, &why);
    assert_int_equal(error != PLB_OK, strstr(why.text, "are not those of the game") != NULL);
    return error;
}

static void the_rules_are_the_plain_ones(void **state) {
    (void)state;
    static const char *const specs[] = {
        "numeric-2x2",      "numeric-2x2-first14",      "numeric-2x2-each",
        "numeric-3x3",      "numeric-3x3-first12589",   "numeric-4x4",
        "numeric-4x4-each", "numeric-4x4-first1256bcfg"};
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        plb_game game = support_game(specs[i]);
        assert_int_equal(compare_rules(&game), PLB_OK);
    }
}

/* Another target, a line that is missing, other cells of a line. */
static void other_rules_are_found_out(void **state) {
    (void)state;
    plb_game game = support_game("numeric-3x3");
    game.target++;
    assert_int_equal(compare_rules(&game), PLB_ECORRUPT);
    game.target--;
    game.group_count--;
    assert_int_equal(compare_rules(&game), PLB_ECORRUPT);
    game.group_count++;
    game.groups[0] ^= game.groups[1];
    assert_int_equal(compare_rules(&game), PLB_ECORRUPT);
    game.groups[0] ^= game.groups[1];
    assert_int_equal(compare_rules(&game), PLB_OK);
}

/* ---- limits ---- */

/* The first player has won at ply 5, which is not by ply 3. */
static void a_game_that_is_over_was_won_when_it_was(void **state) {
    (void)state;
    plb_game game = support_game("numeric-3x3");
    plb_position p = {0, 0};
    number_search *search = search_of(&game, 1 << 20);
    assert_int_equal(plb_notation_play_moves(&game, "9@c3,2@a3,5@b2,4@b1,1@a1", &p, NULL), PLB_OK);
    assert_true(is_forced(search, p, 0, 5, NULL));
    assert_false(is_forced(search, p, 0, 3, NULL));
    assert_false(is_forced(search, p, 1, 0, NULL));
    number_search_close(search);
}

static void a_budget_ends_a_search(void **state) {
    (void)state;
    plb_game game = support_game("numeric-4x4");
    number_search *search = search_of(&game, 1 << 20);
    number_result result;
    number_search_ask(search, (plb_position){0, 0},
                      &(number_question){.player = 1, .node_budget = 1000}, &result);
    assert_false(result.answered);
    assert_in_range(result.nodes, 1000, 1001);
    number_search_close(search);
}

/* With more and more nodes it is proved that the mover does not win, then that he draws. */
static void bounds_are_proved_before_the_value(void **state) {
    (void)state;
    plb_game game = support_game("numeric-3x3");
    search_request request = {.position = {0, 0}};
    forward_search_result found = {.proved = false};
    int bounded = 0;
    assert_int_equal(plb_notation_play_moves(&game, "5@b2,2@a1,9@c3", &request.position, NULL),
                     PLB_OK);
    for (request.node_budget = 1; !found.proved; request.node_budget++) {
        position_search search;
        assert_int_equal(position_search_open(&game, 1 << 20, 1, &search, NULL), PLB_OK);
        assert_int_equal(position_search_solve(&search, &request, &found), PLB_OK);
        assert_int_equal(found.lower, found.proved ? PLB_DRAW : PLB_LOSS);
        if (bounded || found.proved) assert_int_equal(found.upper, PLB_DRAW);
        bounded += !found.proved && found.upper == PLB_DRAW;
        position_search_close(&search);
    }
    assert_int_equal(found.value, PLB_DRAW);
    assert_true(bounded > 0);
}

static void count_report(void *context, const forward_search_result *so_far) {
    assert_true(so_far->nodes > 0);
    ++*(int *)context;
}

static void a_long_search_reports(void **state) {
    (void)state;
    plb_game game = support_game("numeric-4x4");
    int reports = 0;
    position_search search;
    forward_search_result found;
    const search_request request = {
        .node_budget = 70000, .report = count_report, .context = &reports};
    assert_int_equal(position_search_open(&game, 1 << 20, 1, &search, NULL), PLB_OK);
    assert_int_equal(position_search_solve(&search, &request, &found), PLB_OK);
    assert_int_equal(reports, 1);
    position_search_close(&search);
}

/* ---- memory ---- */

static long peak_kib(void) {
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss;
}

static void a_short_search_takes_little_memory(void **state) {
    (void)state;
    plb_game game = support_game("numeric-3x3");
    long before = peak_kib();
    number_search *search = search_of(&game, 1 << 28);
    assert_true(is_forced(search, (plb_position){0, 0}, 0, 0, NULL));
    assert_in_range(peak_kib() - before, 0, 32 << 10);
    number_search_close(search);
}

/* Both searches keep what they know; only one has room for it. */
static void a_table_that_grows_gives_the_same_answers(void **state) {
    (void)state;
    uint64_t random = support_seed("positions for a table that grows", 20260107);
    plb_game game = support_game("numeric-4x4");
    number_search *small = search_of(&game, NUMBER_SEARCH_MIN_TABLE);
    number_search *large = search_of(&game, 16 * NUMBER_SEARCH_MIN_TABLE);
    uint64_t in_small, in_large, all_in_large = 0;
    for (int trial = 0; trial < 60; trial++) {
        plb_position p;
        oracle_board board;
        if (!play_randomly(&game, 5, &random, &p, &board)) continue;
        bool yes = is_forced(small, p, trial % 2, 0, &in_small);
        assert_int_equal(is_forced(large, p, trial % 2, 0, &in_large), yes);
        all_in_large += in_large;
    }
    assert_true(all_in_large > 4 * NUMBER_SEARCH_MIN_TABLE / 16);
    number_search_close(small);
    number_search_close(large);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_player_wins_3x3),
        cmocka_unit_test(the_first_player_wins_every_split_of_3x3),
        cmocka_unit_test(positions_of_4x4_agree),
        cmocka_unit_test(positions_of_smaller_boards_agree),
        cmocka_unit_test(every_rule_holds_alone),
        cmocka_unit_test(values_and_distances_are_those_of_plain_play),
        cmocka_unit_test(the_rules_are_the_plain_ones),
        cmocka_unit_test(other_rules_are_found_out),
        cmocka_unit_test(a_game_that_is_over_was_won_when_it_was),
        cmocka_unit_test(a_budget_ends_a_search),
        cmocka_unit_test(bounds_are_proved_before_the_value),
        cmocka_unit_test(a_long_search_reports),
        cmocka_unit_test(a_short_search_takes_little_memory),
        cmocka_unit_test(a_table_that_grows_gives_the_same_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
