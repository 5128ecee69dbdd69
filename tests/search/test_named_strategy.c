/* SPDX-License-Identifier: MIT
 *
 * Named strategies: the values that they reach, the number of plies, and the boards on which they
 * fail; the rules for a row are compared with naive implementations of their definitions.
 * Source: R. Steele and D. B. Larremore, Misere Connect Four is Solved.
 */
#include <stdio.h>
#include <string.h>

#include "tables/games/notation.h"
#include "tables/games/stone_rules.h"
#include "tests/support/misere.h"
#include "tests/support/support.h"
#include "tools/strategy/bottom_row.h"
#include "tools/strategy/strategy_walk.h"

/* ---- walks ---- */

static const named_strategy *strategy_of(const char *name) {
    const named_strategy *s = named_strategy_find(name);
    assert_non_null(s);
    return s;
}

static rule_walk_options options_of(const plb_game *game, const named_strategy *s, int player,
                                    plb_value claim) {
    return (rule_walk_options){
        .game = game, .strategy = s, .player = player, .claim = claim, .memory_bytes = 1 << 28};
}

static rule_walk_result walk(const rule_walk_options *o) {
    rule_walk_result result;
    plb_message message;
    support_expect(rule_walk(o, &result, &message), PLB_OK, o->strategy->name, &message);
    return result;
}

static void assert_holds(const char *spec, const named_strategy *s, const rule_walk_result *r) {
    if (!r->holds) fail_msg("%s on %s fails after %s: %s", s->name, spec, r->line, r->why.text);
}

/* The claim of a theorem agrees with the published outcome. */
static void assert_claim(const strategy_terms *terms, int player, plb_value published) {
    plb_value own = player == 0 ? published : (plb_value)-published;
    if (terms->reaches == PLB_WIN)
        assert_int_equal(own, PLB_WIN);
    else
        assert_int_equal(own, PLB_DRAW);
}

/* Is the bound of the plies reached? It is for take-even, and for delayed take-even with k >= 3. */
static bool is_bound_exact(const named_strategy *s, const plb_game *g) {
    return strcmp(s->name, "take-even") == 0 ||
           (strcmp(s->name, "delayed-take-even") == 0 && g->k >= 3);
}

/* The longest game of delayed take-even with k = 2; a formula for the boards that were tried. */
static int longest_of_two(const plb_game *g) {
    return 3 + 2 * ((g->width - 1) / 4) + (g->height - 1) * ((g->width + 1) / 4);
}

/* Play every strategy for each player to whom its theorem applies. Returns the number of walks. */
static int walk_board(const char *spec, plb_value published) {
    int count = 0;
    plb_game game = support_game(spec);
    for (const named_strategy *s = named_strategies; s->name; s++)
        for (int player = 0; player < 2; player++) {
            strategy_terms terms;
            plb_message why;
            if (s->refuted || !s->applies(&game, player, &terms, &why)) continue;
            rule_walk_options o = options_of(&game, s, player, terms.reaches);
            rule_walk_result r = walk(&o);
            assert_holds(spec, s, &r);
            assert_true(r.longest <= terms.most_plies);
            if (is_bound_exact(s, &game)) assert_int_equal(r.longest, terms.most_plies);
            if (strcmp(s->name, "delayed-take-even") == 0 && game.k == 2)
                assert_int_equal(r.longest, longest_of_two(&game));
            if (!game.cylinder) assert_claim(&terms, player, published);
            o.is_immune = true;
            if (s->is_immune) {
                r = walk(&o);
                assert_holds(spec, s, &r);
            }
            count++;
        }
    return count;
}

enum { SMALL = 12, LARGE = 16 }; /* cells */

static void walk_boards(int min_cells, int max_cells, const char *suffix) {
    for (int w = 1; w <= max_cells; w++)
        for (int h = 1; w * h <= max_cells; h++)
            for (int k = 2; k <= (w > h ? w : h) + 1; k++) {
                char spec[PLB_SPEC_TEXT];
                if (w * h < min_cells || k > max_cells) continue;
                snprintf(spec, sizeof spec, "connect-%dx%d-k%d-misere%s", w, h, k, suffix);
                int count = walk_board(spec, misere_value(w, h, k));
                /* every board has a strategy for its outcome; if that is a draw, for both players
                 */
                int needed = misere_value(w, h, k) == PLB_DRAW ? 2 : 1;
                bool exhausted = k == 2 && h == 1; /* drawn widths: 1, 2, 4 and 6 */
                if (!*suffix && !exhausted) assert_true(count >= needed);
            }
}

static void strategies_hold_on_small_boards(void **state) {
    (void)state;
    walk_boards(1, SMALL, "");
}
static void strategies_hold_on_larger_boards(void **state) {
    (void)state;
    walk_boards(SMALL + 1, LARGE, "");
}
static void strategies_hold_on_cylinders(void **state) {
    (void)state;
    walk_boards(1, SMALL, "-cylinder");
}
static void strategies_hold_on_larger_cylinders(void **state) {
    (void)state;
    walk_boards(SMALL + 1, LARGE, "-cylinder");
}

/* ---- numbers of positions, by formulas ---- */

static uint64_t walked_positions(const char *spec, const char *name, int player, plb_value claim) {
    plb_game game = support_game(spec);
    rule_walk_options o = options_of(&game, strategy_of(name), player, claim);
    rule_walk_result r = walk(&o);
    assert_true(r.holds);
    return r.positions;
}

/* Count the positions of take-even: each column has up to h / 2 pairs of stones, and no k
 * neighbouring columns have any. */
static uint64_t count_piles(int w, int h, int k) {
    uint64_t runs[64] = {1}, full = 0; /* by the number of piles on the left */
    for (int column = 0; column < w; column++) {
        uint64_t next[64] = {0};
        for (int run = 0; run < k; run++) {
            next[0] += runs[run];
            if (run + 1 < k) next[run + 1] += runs[run] * (uint64_t)(h / 2);
        }
        memcpy(runs, next, sizeof runs);
    }
    for (int run = 0; run < k; run++) full += runs[run];
    return full;
}

static void take_even_meets_every_set_of_piles(void **state) {
    (void)state;
    static const int boards[][3] = {{7, 6, 4}, {8, 8, 4}, {4, 4, 4}, {10, 2, 3},
                                    {5, 4, 2}, {9, 4, 3}, {12, 2, 9}};
    for (size_t b = 0; b < sizeof boards / sizeof *boards; b++) {
        int w = boards[b][0], h = boards[b][1], k = boards[b][2];
        char spec[PLB_SPEC_TEXT];
        snprintf(spec, sizeof spec, "connect-%dx%d-k%d-misere", w, h, k);
        assert_int_equal(walked_positions(spec, "take-even", 1, PLB_WIN), count_piles(w, h, k));
    }
}

/* The second player, on an even width: each pair of columns is free or has a stone of each player,
 * in one of two orders; at least one pair is free. */
static void take_other_meets_every_set_of_pairs(void **state) {
    (void)state;
    uint64_t three = 1, two = 1;
    for (int w = 2; w <= 16; w += 2) {
        char spec[PLB_SPEC_TEXT];
        three *= 3, two *= 2;
        snprintf(spec, sizeof spec, "connect-%dx1-k3-misere", w);
        assert_int_equal(walked_positions(spec, "take-other", 1, PLB_DRAW), three - two);
    }
}

/* ---- failures ---- */

typedef struct failing_board {
    const char *spec, *line;
    int player;
} failing_board;

/* All boards of at most 24 cells on which rule (1) of Theorem 2, as written, fails. */
static const failing_board failing_boards[] = {
    {"connect-5x3-k3-misere", "5241", 0},    {"connect-6x3-k3-misere", "12635", 1},
    {"connect-7x3-k3-misere", "215647", 0},  {"connect-7x3-k4-misere", "215647", 0},
    {"connect-8x3-k3-misere", "1847532", 1}, {"connect-8x3-k4-misere", "8273641", 1}};
enum { FAILING = sizeof failing_boards / sizeof *failing_boards };

static const failing_board *find_failing(const char *spec) {
    for (int b = 0; b < FAILING; b++)
        if (strcmp(failing_boards[b].spec, spec) == 0) return &failing_boards[b];
    return NULL;
}

/* After the line the player is to move, and the game is not over. All stones are in the bottom row,
 * and every move there loses. */
static void assert_stuck(const failing_board *b, const char *moves) {
    plb_game game = support_game(b->spec);
    plb_position p = {0, 0};
    support_expect(plb_notation_play_moves(&game, moves, &p, NULL), PLB_OK, moves, NULL);
    assert_false(plb_stones_is_over(&game, p));
    assert_int_equal(plb_stones_ply(p) % 2, b->player);
    uint64_t occupied = plb_stones_occupied(p), own = b->player ? p.o : p.x;
    int free_columns = 0;
    for (int column = 0; column < game.width; column++) {
        uint64_t cell = 1ULL << plb_game_cell(&game, column, 0);
        if (occupied & cell) continue;
        assert_true(plb_game_has_group(&game, own | cell));
        free_columns++;
    }
    assert_true(free_columns > 0);
    assert_true((occupied & ~game.bottom) == 0);
}

static void rule_1_of_theorem_2_fails_on_six_boards(void **state) {
    (void)state;
    const named_strategy *s = strategy_of("delayed-as-written");
    int failing = 0;
    for (int w = 3; w <= 8; w++)
        for (int h = 3; w * h <= 24; h += 2)
            for (int k = 3; k <= w; k++) {
                char spec[PLB_SPEC_TEXT];
                snprintf(spec, sizeof spec, "connect-%dx%d-k%d-misere", w, h, k);
                plb_game game = support_game(spec);
                rule_walk_options o = options_of(&game, s, w % 2 ? 0 : 1, PLB_WIN);
                rule_walk_result r = walk(&o);
                const failing_board *known = find_failing(spec);
                assert_int_equal(r.holds, known == NULL);
                if (known) {
                    assert_stuck(known, known->line);
                    assert_stuck(known, r.line);
                    assert_int_equal(strlen(r.line), strlen(known->line));
                    failing++;
                }
            }
    assert_int_equal(failing, FAILING);
}

/* A rule of this test: always the leftmost column. */
static bool never_applies(const plb_game *game, int player, strategy_terms *terms,
                          plb_message *why) {
    (void)game, (void)player, (void)terms, (void)why;
    return false;
}
static uint64_t leftmost(const strategy_turn *t) {
    uint64_t cells = plb_game_playable(t->game, plb_stones_occupied(t->position));
    for (int column = 0; column < t->game->width; column++)
        for (int row = 0; row < t->game->height; row++)
            if (cells >> plb_game_cell(t->game, column, row) & 1)
                return 1ULL << plb_game_cell(t->game, column, row);
    return 0;
}
static const named_strategy careless = {
    .name = "careless", .applies = never_applies, .moves = leftmost};

/* The line of a failure can be played, and ends in the fault. */
static void a_bad_rule_is_caught(void **state) {
    (void)state;
    static const char *const specs[] = {"connect-4x4-k3-misere", "connect-6x1-k3-misere",
                                        "connect-3x3-k3-misere-cylinder"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        for (int player = 0; player < 2; player++) {
            plb_game game = support_game(specs[i]);
            rule_walk_options o = options_of(&game, &careless, player, PLB_DRAW);
            rule_walk_result r = walk(&o);
            plb_position p = {0, 0};
            assert_false(r.holds);
            assert_string_equal(r.why.text, "the rule's move completes a group");
            support_expect(plb_notation_play_moves(&game, r.line, &p, NULL), PLB_OK, r.line, NULL);
            assert_true(plb_stones_is_over(&game, p));
            assert_int_equal(plb_stones_ply(p) % 2, 1 - player);
            assert_true(plb_rules_final_value(&game, p) == PLB_WIN);
        }
}

/* A strategy for a draw does not hold as one for a win. */
static void a_claim_that_is_too_high_is_caught(void **state) {
    (void)state;
    plb_game game = support_game("connect-6x1-k3-misere");
    rule_walk_options o = options_of(&game, strategy_of("take-other"), 1, PLB_WIN);
    rule_walk_result r = walk(&o);
    assert_false(r.holds);
    assert_int_equal(strlen(r.line), 6);
}

static void memory_and_interrupts_end_a_walk(void **state) {
    (void)state;
    plb_game game = support_game("connect-8x8-k4-misere");
    volatile sig_atomic_t stop = 0;
    rule_walk_options o = options_of(&game, strategy_of("take-even"), 1, PLB_WIN);
    rule_walk_result r;
    plb_message message;
    o.memory_bytes = 1 << 16;
    o.stop = &stop;
    support_expect(rule_walk(&o, &r, &message), PLB_ETOOBIG, "a walk", &message);
    assert_false(r.holds);
    stop = 1;
    support_expect(rule_walk(&o, &r, &message), PLB_EINTERRUPTED, "a walk", &message);
}

/* ---- rules for a row ---- */

/* A row from text: x the player to move, o the other, - empty. */
static bottom_row row_of(const char *text) {
    bottom_row row = {.width = (int)strlen(text)};
    for (int c = 0; c < row.width; c++)
        row.cells[c] = text[c] == 'x' ? CELL_OWN : text[c] == 'o' ? CELL_OTHER : CELL_EMPTY;
    return row;
}

/* The columns that a text marks with ^. */
static uint64_t marks(const char *text) {
    uint64_t columns = 0;
    for (int c = 0; text[c]; c++) columns |= text[c] == '^' ? 1ULL << c : 0;
    return columns;
}

typedef struct row_case {
    const char *row, *moves;
} row_case;

static void assert_rows(const row_case *cases, size_t count, uint64_t (*rule)(const bottom_row *)) {
    for (size_t i = 0; i < count; i++) {
        bottom_row row = row_of(cases[i].row);
        if (rule(&row) != marks(cases[i].moves)) fail_msg("%s", cases[i].row);
    }
}

static void take_other_completes_pairs(void **state) {
    (void)state;
    static const row_case cases[] = {{"--------", "       ^"}, {"--o-----", "   ^    "},
                                     {"-----", "    ^"},       {"-o--x", "^    "},
                                     {"ox--x", "   ^ "},       {"xoox-x", "    ^ "}};
    assert_rows(cases, sizeof cases / sizeof *cases, take_other_moves);
}

/* Table III and the priorities of Lemmas 3 and 4. */
static void canonical_boards_are_played_in_order(void **state) {
    (void)state;
    static const row_case cases[] = {{"-----", "^   ^"},      /* A5 */
                                     {"x--o-", "    ^"},      /* odd: B2 waits, A1 */
                                     {"x---oo", "   ^  "},    /* odd: B3 becomes C2 */
                                     {"----", "^  ^"},        /* even: A4 */
                                     {"xx--o--", "   ^   "},  /* even: D2 becomes E1 */
                                     {"x--o", "  ^ "},        /* even: B2 */
                                     {"x--xo--", "     ^^"},  /* even: A2 before C2 */
                                     {"x--xo", " ^^  "},      /* even: C2 becomes E1 */
                                     {"xx-xox-", "      ^"}}; /* even: B1 before E1 */
    assert_rows(cases, sizeof cases / sizeof *cases, canonical_board_moves);
}

/* The player to move (x) is the second one. */
static void the_tally_begins_at_walls(void **state) {
    (void)state;
    static const row_case cases[] = {{"-o---", "^   ^"},   /* in the template of an even column */
                                     {"--o--", "^   ^"},   /* offensive at both walls */
                                     {"o----", "    ^"},   /* offensive */
                                     {"o-----", "     ^"}, /* in the template */
                                     {"--o---", "^     "}, /* offensive at one wall */
                                     {"o-o----x", "    ^   "}, /* the double contradiction */
                                     {"oxo---x", "   ^^  "}};  /* odd width: in a template */
    assert_rows(cases, sizeof cases / sizeof *cases, tally_moves);
}

/* The tally as the paper defines it. In each gap between two stones, count the moves that comply
 * with the template of the left stone, except the last cell if the two templates contradict; in a
 * gap at a wall, with the template of the only stone. */
static void count_tally(const char *row, int *own, int *other) {
    int width = (int)strlen(row);
    *own = *other = 0;
    for (int begin = 0; begin < width; begin++) {
        if (row[begin] != '-') continue;
        int end = begin;
        while (end < width && row[end] == '-') end++;
        char left = begin ? row[begin - 1] : 0, right = end < width ? row[end] : 0;
        int cells = end - begin, count = cells;
        char stone = left ? left : right;
        bool agree = cells % 2 ? left == right : left != right;
        if (left && right && !agree) count--;
        /* the cell next to the stone is for the other player, then they alternate */
        int of_stone = count / 2, of_other = count - count / 2;
        *own += stone == 'x' ? of_stone : of_other;
        *other += stone == 'x' ? of_other : of_stone;
        begin = end;
    }
}

static const int effects[][2] = {[PLAY_IN_TEMPLATE] = {-1, 0},
                                 [PLAY_DOUBLE] = {-2, -1},
                                 [PLAY_OFFENSIVE] = {-1, -1},
                                 [PLAY_IMMOLATION] = {-2, 0}};

/* Check that every play in a row has the effect of Table II, and count the plays of each kind. */
static void check_plays(const char *text, uint64_t counts[PLAY_IMMOLATION + 1]) {
    bottom_row row = row_of(text);
    int own, other, own_after, other_after;
    count_tally(text, &own, &other);
    for (int c = 0; c < row.width; c++) {
        if (text[c] != '-') continue;
        template_play play = bottom_row_play(&row, c);
        char after[BOTTOM_ROW_WIDTH + 1];
        bool loses = (c > 0 && text[c - 1] == 'x') || text[c + 1] == 'x';
        assert_int_equal(loses, play == PLAY_NONE);
        if (loses) continue;
        strcpy(after, text);
        after[c] = 'x';
        count_tally(after, &own_after, &other_after);
        if (own_after - own != effects[play][0] || other_after - other != effects[play][1])
            fail_msg("%s to %s", text, after);
        counts[play]++;
    }
}

/* Check all rows of a width without two equal neighbouring stones. */
static void check_rows(char *text, int width, int column, int stones, uint64_t *counts) {
    static const char cells[] = {'-', 'x', 'o'};
    if (column == width) {
        if (stones) check_plays(text, counts);
        return;
    }
    for (int i = 0; i < 3; i++) {
        if (i && column && text[column - 1] == cells[i]) continue;
        text[column] = cells[i];
        check_rows(text, width, column + 1, stones + (i > 0), counts);
    }
}

static void plays_change_the_tally_as_table_2_says(void **state) {
    (void)state;
    uint64_t counts[PLAY_IMMOLATION + 1] = {0};
    for (int width = 1; width <= 12; width++) {
        char text[BOTTOM_ROW_WIDTH + 1] = "";
        check_rows(text, width, 0, 0, counts);
    }
    for (template_play play = PLAY_IN_TEMPLATE; play <= PLAY_IMMOLATION; play++)
        assert_true(counts[play] > 1000);
}

/* ---- small parts ---- */

static void strategies_are_found_by_name(void **state) {
    (void)state;
    for (const named_strategy *s = named_strategies; s->name; s++)
        assert_ptr_equal(named_strategy_find(s->name), s);
    assert_null(named_strategy_find("take-odd"));
    assert_null(named_strategy_find(""));
}

static void only_misere_connect_is_known(void **state) {
    (void)state;
    static const char *const specs[] = {"connect-4x4-k4", "mnk-3x3-k3-misere", "square-3x3-misere"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        plb_game game = support_game(specs[i]);
        assert_false(named_strategy_knows(&game));
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strategies_are_found_by_name),
        cmocka_unit_test(only_misere_connect_is_known),
        cmocka_unit_test(take_other_completes_pairs),
        cmocka_unit_test(canonical_boards_are_played_in_order),
        cmocka_unit_test(the_tally_begins_at_walls),
        cmocka_unit_test(plays_change_the_tally_as_table_2_says),
        cmocka_unit_test(strategies_hold_on_small_boards),
        cmocka_unit_test(strategies_hold_on_cylinders),
        cmocka_unit_test(take_even_meets_every_set_of_piles),
        cmocka_unit_test(take_other_meets_every_set_of_pairs),
        cmocka_unit_test(rule_1_of_theorem_2_fails_on_six_boards),
        cmocka_unit_test(a_bad_rule_is_caught),
        cmocka_unit_test(a_claim_that_is_too_high_is_caught),
        cmocka_unit_test(memory_and_interrupts_end_a_walk),
    };
    const struct CMUnitTest larger[] = {
        cmocka_unit_test(strategies_hold_on_larger_boards),
        cmocka_unit_test(strategies_hold_on_larger_cylinders),
    };
    if (argc > 1 && strcmp(argv[1], "larger") == 0)
        return cmocka_run_group_tests(larger, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
