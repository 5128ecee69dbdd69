/* SPDX-License-Identifier: MIT
 *
 * Games of numbers: specs, positions and moves as text, reachable positions, static values, and
 * symmetries.
 */
#include "tables/games/number_rules.h"

#include <string.h>

#include "tables/bits.h"
#include "tables/games/notation.h"
#include "tables/index/orbit.h"
#include "tests/support/number_oracle.h"
#include "tests/support/support.h"

/* ---- specs ---- */

static void specs_are_read_and_written(void **state) {
    (void)state;
    static const struct {
        const char *spec, *canonical;
        int cells, target;
        uint32_t first, second;
    } games[] = {
        {"numeric-2x2", "numeric-2x2", 4, 5, 0x5, 0xa},
        {"numeric-3x3", "numeric-3x3", 9, 15, 0x155, 0xaa},
        {"numeric-4x4", "numeric-4x4", 16, 34, 0x5555, 0xaaaa},
        {"numeric-3x3-first13579", "numeric-3x3", 9, 15, 0x155, 0xaa},
        {"numeric-3x3-first12345", "numeric-3x3-first12345", 9, 15, 0x1f, 0x1e0},
        {"numeric-4x4-first13579bdf", "numeric-4x4", 16, 34, 0x5555, 0xaaaa},
        {"numeric-4x4-first9abcdefg", "numeric-4x4-first9abcdefg", 16, 34, 0xff00, 0xff},
        {"numeric-2x2-each", "numeric-2x2-each", 4, 3, 0x3, 0xc},
        {"numeric-4x4-each", "numeric-4x4-each", 16, 18, 0xff, 0xff00},
    };
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        plb_game game = support_game(games[i].spec);
        char text[PLB_SPEC_TEXT];
        plb_game_format(&game, text);
        assert_string_equal(text, games[i].canonical);
        assert_int_equal(game.cells, games[i].cells);
        assert_int_equal(game.target, games[i].target);
        assert_int_equal(game.tiles[0], games[i].first);
        assert_int_equal(game.tiles[1], games[i].second);
    }
}

static void other_specs_are_refused_with_a_reason(void **state) {
    (void)state;
    static const char *const bad[][2] = {
        {"numeric", "not a game"},
        {"numeric-", "WIDTHxHEIGHT"},
        {"numeric-3", "WIDTHxHEIGHT"},
        {"numeric-3x4", "square"},
        {"numeric-5x5", "2, 3 or 4 rows"},
        {"numeric-1x1", "2, 3 or 4 rows"},
        {"numeric-3x3-each", "even number of cells"},
        {"numeric-3x3-misere", "suffix"},
        {"numeric-3x3-first", "first player has 5 of the 9"},
        {"numeric-3x3-first1234", "first player has 5 of the 9"},
        {"numeric-3x3-first123456", "first player has 5 of the 9"},
        {"numeric-3x3-first12354", "ascending"},
        {"numeric-3x3-first11345", "ascending"},
        {"numeric-3x3-first1234a", "ascending"},
        {"numeric-4x4-first12345678-each", "do not go together"},
        {"numeric-4x4-each-first12345678", "do not go together"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        plb_game game;
        plb_message message;
        assert_int_equal(plb_game_parse(bad[i][0], &game, &message), PLB_ESPEC);
        if (!strstr(message.text, bad[i][1])) fail_msg("%s: %s", bad[i][0], message.text);
    }
}

/* ---- text ---- */

/* The header's example, with the public words: bit 0 is a1, then a2, b1, b2. */
static void the_picture_of_2x2(void **state) {
    (void)state;
    plb_game game = support_game("numeric-2x2");
    plb_position p = {0, 0}, again;
    plb_move move;
    uint64_t x, o;
    char text[PLB_BOARD_TEXT];
    assert_int_equal(plb_notation_play_moves(&game, "3@a2, 2@b1", &p, NULL), PLB_OK);
    game.rules->format_board(&game, p, text);
    assert_string_equal(text, "3,./.,2");
    game.rules->to_words(&game, p, &x, &o);
    assert_int_equal(x, 2 << 4 | 1 << 8);
    assert_int_equal(o, 1 << 1 | 1 << 2);
    assert_int_equal(game.rules->from_words(&game, x, o, &again, NULL), PLB_OK);
    assert_int_equal(again.x, p.x);
    assert_int_equal(again.o, p.o);
    assert_int_not_equal(plb_numbers_complete(&game, p), 0);
    game.rules->to_public_move(&game, 2 * PLB_MAX_CELLS + plb_game_cell(&game, 0, 1), &move);
    assert_string_equal(move.text, "3@a2");
    assert_int_equal(move.number, 3);
}

/* a2 has the 8 of o, d4 the 1 of x: cells 1 and 15. */
static void cells_show_numbers_and_owners(void **state) {
    (void)state;
    plb_game game = support_game("numeric-4x4-each");
    plb_position p = {0, 0};
    plb_cell cells[PLB_MAX_CELLS];
    assert_int_equal(plb_notation_play_moves(&game, "1@d4,8'@a2", &p, NULL), PLB_OK);
    game.rules->read_cells(&game, p, cells);
    for (int cell = 0; cell < 16; cell++) {
        assert_string_equal(cells[cell].text, cell == 1 ? "8'" : cell == 15 ? "1" : "");
        assert_int_equal(cells[cell].player, cell == 1 ? 'o' : cell == 15 ? 'x' : 0);
    }
}

/* Text and public words of any tiles on any cells. */
static void every_position_is_read_as_it_was_written(void **state) {
    (void)state;
    static const char *const specs[] = {"numeric-2x2-each", "numeric-3x3", "numeric-4x4",
                                        "numeric-4x4-each"};
    uint64_t random = support_seed("boards", 20260104);
    for (int trial = 0; trial < 4000; trial++) {
        plb_game game = support_game(specs[trial % 4]);
        plb_position p = {0, 0}, read, again;
        uint64_t x, o;
        char text[PLB_BOARD_TEXT];
        for (int cell = 0; cell < game.cells; cell++)
            if (support_random_below(&random, 2))
                p = plb_numbers_put(p, (int)support_random_below(&random, game.cells), cell);
        game.rules->format_board(&game, p, text);
        assert_int_equal(game.rules->parse_board(&game, text, &read, NULL), PLB_OK);
        game.rules->to_words(&game, p, &x, &o);
        assert_int_equal(game.rules->from_words(&game, x, o, &again, NULL), PLB_OK);
        assert_true(read.x == p.x && read.o == p.o && again.x == p.x && again.o == p.o);
    }
}

static void bad_text_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *spec, *text;
        bool moves;
        int error;
        const char *reason;
    } bad[] = {
        {"numeric-3x3", "", false, PLB_ESYNTAX, "3 rows"},
        {"numeric-3x3", "1,2,3/4,5,6/7,8", false, PLB_ESYNTAX, "3 rows"},
        {"numeric-3x3", "1,2,3/4,5,6/7,8,9/", false, PLB_ESYNTAX, "3 rows"},
        {"numeric-3x3", "1,2/3,4", false, PLB_ESYNTAX, "3 rows"},
        {"numeric-3x3", "10,.,./.,.,./.,.,.", false, PLB_EBOARD, "1 to 9"},
        {"numeric-3x3", "0,.,./.,.,./.,.,.", false, PLB_EBOARD, "1 to 9"},
        {"numeric-3x3", "5',.,./.,.,./.,.,.", false, PLB_ESYNTAX, "3 rows"},
        {"numeric-4x4-each", "9,.,.,./.,.,.,./.,.,.,./.,.,.,.", false, PLB_EBOARD, "1 to 8"},
        {"numeric-3x3", "5@b2,5@b3", true, PLB_EMOVE, "played before"},
        {"numeric-3x3", "5@b2,2@b2", true, PLB_EMOVE, "taken"},
        {"numeric-3x3", "2@b2", true, PLB_EMOVE, "the opponent's"},
        {"numeric-3x3", "5@d1", true, PLB_ESYNTAX, "no move"},
        {"numeric-3x3", "5@a4", true, PLB_ESYNTAX, "no move"},
        {"numeric-3x3", "5", true, PLB_ESYNTAX, "no move"},
        {"numeric-3x3", "b2", true, PLB_ESYNTAX, "no move"},
        {"numeric-2x2", "1@a1,4@a2,3@b1", true, PLB_EMOVE, "over"},
        {"numeric-3x3", "5@b2 2@a1", true, PLB_ESYNTAX, "followed by a blank"},
        {"numeric-3x3", "5,.,./.,.,./.,.,. 1", false, PLB_ESYNTAX, "followed by a blank"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        plb_game game = support_game(bad[i].spec);
        plb_position p = {0, 0};
        plb_message message = {.text = ""};
        int error = (bad[i].moves ? plb_notation_play_moves : game.rules->parse_board)(
            &game, bad[i].text, &p, &message);
        if (error != bad[i].error || !strstr(message.text, bad[i].reason))
            fail_msg("%s: %d, %s", bad[i].text, error, message.text);
    }
}

/* ---- reachable positions ---- */

static void positions_that_cannot_arise_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *spec, *board;
        int error;
        const char *reason;
    } cases[] = {
        {"numeric-3x3", ".,.,./.,.,./.,.,.", PLB_OK, ""},
        {"numeric-3x3", "2,.,9/.,5,./.,.,.", PLB_OK, ""},
        {"numeric-3x3", "5,.,./.,.,./.,.,5", PLB_ECOUNTS, "5 of x is on the board twice"},
        {"numeric-3x3", "2,.,./.,.,./.,.,.", PLB_ECOUNTS, "0 numbers of x and 1"},
        {"numeric-3x3", "1,3,./.,.,./.,.,.", PLB_ECOUNTS, "2 numbers of x and 0"},
        {"numeric-3x3", "2,9,4/1,.,./.,.,.", PLB_OK, ""},
        {"numeric-3x3", "2,9,4/.,7,./.,.,.", PLB_OK, ""},
        /* The 1 completes both lines; no number is in all three; the 7 may have come last. */
        {"numeric-3x3", "1,5,9/6,.,./8,.,.", PLB_OK, ""},
        {"numeric-3x3", "8,1,6/3,5,./4,.,.", PLB_EOVER, "no last move"},
        {"numeric-3x3", "6,7,2/1,.,./.,.,9", PLB_OK, ""},
        {"numeric-3x3", "8,4,3/7,6,2/.,.,.", PLB_ECOUNTS, "2 numbers of x and 4"},
        {"numeric-3x3", "8,1,6/2,4,./7,5,3", PLB_EOVER, "no last move"},
        {"numeric-4x4-each", "4,4',5,5'/.,.,.,./.,.,.,./.,.,.,.", PLB_OK, ""},
        {"numeric-4x4-each", "4,4,5,5'/.,.,.,./.,.,.,./.,.,.,.", PLB_ECOUNTS, "twice"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        plb_game game = support_game(cases[i].spec);
        plb_position p;
        plb_message message = {.text = ""};
        assert_int_equal(game.rules->parse_board(&game, cases[i].board, &p, NULL), PLB_OK);
        int error = game.rules->check(&game, NULL, p, &message);
        if (error != cases[i].error || !strstr(message.text, cases[i].reason))
            fail_msg("%s: %d, %s", cases[i].board, error, message.text);
    }
}

static void words_that_mean_nothing_are_refused(void **state) {
    (void)state;
    plb_game game = support_game("numeric-3x3");
    static const uint64_t bad[][2] = {{0, 1 << 9}, {1, 0}, {9, 1}, {0x50, 1}};
    plb_position p;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(game.rules->from_words(&game, bad[i][0], bad[i][1], &p, NULL), PLB_EBOARD);
}

/* ---- moves ---- */

/* Every listed move is accepted as a public one, and no other is. */
static void moves_are_those_that_are_listed(void **state) {
    (void)state;
    static const char *const specs[] = {"numeric-2x2", "numeric-3x3", "numeric-4x4-each"};
    uint64_t random = support_seed("moves", 20260105);
    for (int trial = 0; trial < 60; trial++) {
        plb_game game = support_game(specs[trial % 3]);
        plb_position p = {0, 0};
        int moves[PLB_MAX_MOVES], count;
        while ((count = plb_rules_moves(&game, p, moves)) > 0) {
            int accepted = 0, move;
            plb_move of = {.number = 0};
            for (int number = 0; number <= game.cells + 1; number++)
                for (int cell = 0; cell < game.cells; cell++) {
                    of.number = number, of.column = cell / game.height, of.row = cell % game.height;
                    accepted += !game.rules->from_public_move(&game, p, &of, &move, NULL);
                }
            assert_int_equal(accepted, count);
            move = moves[support_random_below(&random, count)];
            game.rules->to_public_move(&game, move, &of);
            assert_int_equal(game.rules->from_public_move(&game, p, &of, &count, NULL), PLB_OK);
            assert_int_equal(count, move);
            p = plb_rules_play(&game, p, move);
            assert_int_equal(plb_rules_check(&game, p, NULL), PLB_OK);
        }
    }
}

/* ---- static values ---- */

/* A position, and the same position on the board of the oracle. */
typedef struct twin {
    plb_position p;
    oracle_board board;
    bool complete; /* the last move completed a line */
} twin;

static twin empty_twin(const plb_game *game) {
    twin t = {.board = {.size = game->width, .target = game->target}};
    for (int tile = 0; tile < game->cells; tile++)
        t.board.owns[game->tiles[1] >> tile & 1][plb_numbers_value(game, tile)] = true;
    return t;
}

static twin play_twin(const plb_game *game, const twin *before, int move) {
    plb_move public;
    twin t = *before;
    game->rules->to_public_move(game, move, &public);
    t.p = plb_rules_play(game, before->p, move);
    t.complete = oracle_place(&t.board, public.number, public.column, public.row);
    return t;
}

/* Plies until the win that a player can force; 0: he cannot force one. */
static int plies_to_force(const twin *t, int player) {
    oracle_board board = t->board;
    for (int by = board.placed + 1; by <= board.size * board.size; by++)
        if (oracle_can_force(&board, player, by)) return by - board.placed;
    return 0;
}

/* The score of a position: higher for a win, for a faster win, and for a slower loss; 0: a draw. */
static int score_of(const twin *t) {
    int mover = t->board.placed % 2;
    if (t->complete) return -100;
    int mine = plies_to_force(t, mover), other = mine ? 0 : plies_to_force(t, !mover);
    return mine ? 100 - mine : other ? other - 100 : 0;
}

static int score_of_result(const plb_static_result *s) {
    return s->value * (s->dtm == PLB_NO_DTM ? 0 : 100 - s->dtm);
}

static int best_score(const plb_game *game, const twin *t, uint64_t cells) {
    int moves[PLB_MAX_MOVES], best = -200;
    int count = game->rules->list_moves(game, t->p, cells, moves);
    for (int m = 0; m < count; m++) {
        twin after = play_twin(game, t, moves[m]);
        int score = score_of(&after);
        score = score > 0 ? 1 - score : score < 0 ? -1 - score : 0;
        if (score > best) best = score;
    }
    return best;
}

/* Returns its kind. */
static plb_static_result_kind check_static_value(const plb_game *game, const twin *t) {
    char text[PLB_BOARD_TEXT];
    int score = score_of(t);
    plb_static_result s = game->rules->static_value(game, t->p);
    game->rules->format_board(game, t->p, text);
    if (s.kind == PLB_DECIDED && score_of_result(&s) != score)
        fail_msg("%s: decided as %d in %d, not %d", text, s.value, s.dtm, score);
    if (s.kind == PLB_DECIDED) return s.kind;
    assert_int_equal(plb_popcount(s.cells) == 1, s.kind == PLB_FORCED);
    assert_true(s.cells && !(s.cells & (t->p.o | ~game->board)));
    if (best_score(game, t, s.cells) != score)
        fail_msg("%s: the best move is not to %llx", text, (unsigned long long)s.cells);
    for (int x_wins = 0; x_wins < 2; x_wins++) {
        int plies = plies_to_force(t, !x_wins);
        if (plies && game->rules->least_plies(game, t->p, x_wins) > plies)
            fail_msg("%s: %c wins in %d", text, "ox"[x_wins], plies);
    }
    return s.kind;
}

static void check_all_static_values(const plb_game *game, const twin *t) {
    int moves[PLB_MAX_MOVES], count = plb_rules_moves(game, t->p, moves);
    check_static_value(game, t);
    for (int m = 0; m < count; m++) {
        twin after = play_twin(game, t, moves[m]);
        check_all_static_values(game, &after);
    }
}

static void all_static_values_of_2x2_are_right(void **state) {
    (void)state;
    static const char *const specs[] = {"numeric-2x2", "numeric-2x2-first12", "numeric-2x2-first34",
                                        "numeric-2x2-first14", "numeric-2x2-each"};
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        plb_game game = support_game(specs[i]);
        twin t = empty_twin(&game);
        check_all_static_values(&game, &t);
    }
}

/* Random games of 3x3, from the first ply that plain play solves quickly. */
static void static_values_of_3x3_are_right(void **state) {
    (void)state;
    static const char *const specs[] = {"numeric-3x3", "numeric-3x3-first12345",
                                        "numeric-3x3-first12389", "numeric-3x3-first34567"};
    uint64_t random = support_seed("games", 20260107);
    int met[3] = {0};
    for (int trial = 0; trial < 800; trial++) {
        plb_game game = support_game(specs[trial % 4]);
        twin t = empty_twin(&game);
        int moves[PLB_MAX_MOVES], count;
        while ((count = plb_rules_moves(&game, t.p, moves)) > 0) {
            t = play_twin(&game, &t, moves[support_random_below(&random, count)]);
            if (t.board.placed >= 4) met[check_static_value(&game, &t)]++;
        }
    }
    assert_true(met[PLB_DECIDED] > 100 && met[PLB_FORCED] > 100 && met[PLB_QUIET] > 100);
}

/* ---- symmetries ---- */

static void symmetries_are_all_that_keep_lines(void **state) {
    (void)state;
    static const struct {
        const char *spec;
        int count;
    } games[] = {{"numeric-2x2", 24}, {"numeric-3x3", 8}, {"numeric-4x4", 32}};
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        plb_game game = support_game(games[i].spec);
        plb_line_symmetry all[PLB_MAX_LINE_SYMMETRIES];
        assert_int_equal(plb_numbers_symmetries(&game, all), games[i].count);
        for (int s = 0; s < games[i].count; s++)
            for (int l = 0; l < game.group_count; l++) {
                uint64_t image = 0;
                for (uint64_t cells = game.groups[l]; cells; cells &= cells - 1)
                    image |= 1ULL << all[s].cells[plb_lowest(cells)];
                assert_int_equal(image, game.groups[all[s].lines[l]]);
            }
        for (int cell = 0; cell < game.cells; cell++) assert_int_equal(all[0].cells[cell], cell);
    }
}

/* Exchanging v and largest + 1 - v is a symmetry only if it keeps the owners: it does if the first
 * player has the odd numbers of 1 to 9, not if he has 12345. */
static void numbers_are_exchanged_where_that_keeps_their_owners(void **state) {
    (void)state;
    static const struct {
        const char *spec;
        int order;
    } games[] = {{"numeric-2x2", 24},
                 {"numeric-2x2-first14", 48},
                 {"numeric-2x2-each", 48},
                 {"numeric-3x3", 16},
                 {"numeric-3x3-first12345", 8},
                 {"numeric-3x3-first12589", 16},
                 {"numeric-3x3-first12489", 8},
                 {"numeric-4x4", 32},
                 {"numeric-4x4-each", 64},
                 {"numeric-4x4-first12345678", 32},
                 {"numeric-4x4-first1234defg", 64}};
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        plb_game game = support_game(games[i].spec);
        plb_symmetry symmetry;
        assert_int_equal(plb_symmetry_init(&game, &symmetry), PLB_OK);
        if (symmetry.order != games[i].order)
            fail_msg("%s has %d symmetries", games[i].spec, symmetry.order);
        plb_symmetry_free(&symmetry);
    }
}

/* Map a position one number at a time. */
static plb_position map_slowly(const plb_symmetry *symmetry, int element, plb_position p) {
    plb_position image = {0, 0};
    for (int cell = 0; cell < PLB_MAX_TILES; cell++)
        if (p.o >> cell & 1)
            image = plb_numbers_put(image, symmetry->tiles[element][p.x >> (4 * cell) & 15],
                                    symmetry->image[element][cell]);
    return image;
}

/* All images of a position are reachable, have its static value and its representative, and are
 * over if it is over. */
static void check_images(const plb_game *game, const plb_symmetry *symmetry, plb_position p) {
    const plb_rules *rules = game->rules;
    plb_position least = rules->representative(symmetry, p);
    plb_static_result s = rules->static_value(game, p);
    for (int e = 0; e < symmetry->order; e++) {
        plb_position image = rules->map(symmetry, e, p);
        plb_position back = rules->map(symmetry, symmetry->inverse[e], image);
        plb_position one = rules->representative(symmetry, image);
        plb_static_result of_image = rules->static_value(game, image);
        assert_true(plb_position_is_same(image, map_slowly(symmetry, e, p)));
        assert_true(plb_position_is_same(back, p));
        assert_true(plb_position_is_same(one, least));
        assert_true(plb_position_is_same(plb_orbit_least(game, symmetry, image), least));
        assert_int_equal(plb_rules_check(game, image, NULL), PLB_OK);
        assert_int_equal(plb_rules_is_over(game, image), plb_rules_is_over(game, p));
        assert_int_equal(of_image.kind, s.kind);
        assert_int_equal(of_image.value, s.value);
        assert_int_equal(of_image.dtm, s.dtm);
        assert_int_equal(of_image.cells, plb_symmetry_map(symmetry, e, s.cells));
    }
}

/* The list has each image once, with a symmetry that maps to it; the minimal image is in it. */
static void check_list_of_images(const plb_game *game, const plb_symmetry *symmetry,
                                 plb_position p) {
    plb_orbit_row images[PLB_MAX_SYMMETRIES];
    plb_position least = plb_orbit_least(game, symmetry, p);
    int count = plb_orbit_list(game, symmetry, p, images), found = 0, first = 0;
    plb_orbit_choice choice;
    plb_orbit_choose(symmetry, least.o, &choice);
    assert_int_equal(count, plb_orbit_count(game, symmetry, p));
    assert_int_equal(count, plb_orbit_count_of(game, symmetry, &choice, least));
    assert_true(plb_position_is_same(images[0].position, p));
    for (int e = 0, earlier; e < symmetry->order; e++) {
        plb_position image = game->rules->map(symmetry, e, p);
        for (earlier = 0; earlier < e; earlier++)
            if (plb_position_is_same(game->rules->map(symmetry, earlier, p), image)) break;
        first += earlier == e; /* no earlier symmetry gives this image */
    }
    assert_int_equal(count, first);
    for (int i = 0; i < count; i++) {
        plb_position image = game->rules->map(symmetry, images[i].element, p);
        assert_true(plb_position_is_same(image, images[i].position));
        assert_false(plb_position_is_less(image, least));
        found += plb_position_is_same(image, least);
        for (int j = 0; j < i; j++) assert_false(plb_position_is_same(images[j].position, image));
    }
    assert_int_equal(found, 1);
}

static void images_play_alike(void **state) {
    (void)state;
    static const char *const specs[] = {"numeric-2x2-each", "numeric-3x3", "numeric-3x3-first12489",
                                        "numeric-4x4", "numeric-4x4-each"};
    uint64_t random = support_seed("games", 20260108);
    for (int trial = 0; trial < 100; trial++) {
        plb_game game = support_game(specs[trial % 5]);
        plb_symmetry symmetry;
        plb_position p = {0, 0};
        int moves[PLB_MAX_MOVES], count;
        assert_int_equal(plb_symmetry_init(&game, &symmetry), PLB_OK);
        while ((count = plb_rules_moves(&game, p, moves)) > 0) {
            p = plb_rules_play(&game, p, moves[support_random_below(&random, count)]);
            check_images(&game, &symmetry, p);
            check_list_of_images(&game, &symmetry, p);
        }
        plb_symmetry_free(&symmetry);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(specs_are_read_and_written),
        cmocka_unit_test(other_specs_are_refused_with_a_reason),
        cmocka_unit_test(the_picture_of_2x2),
        cmocka_unit_test(cells_show_numbers_and_owners),
        cmocka_unit_test(every_position_is_read_as_it_was_written),
        cmocka_unit_test(bad_text_is_refused),
        cmocka_unit_test(positions_that_cannot_arise_are_refused),
        cmocka_unit_test(words_that_mean_nothing_are_refused),
        cmocka_unit_test(moves_are_those_that_are_listed),
        cmocka_unit_test(all_static_values_of_2x2_are_right),
        cmocka_unit_test(static_values_of_3x3_are_right),
        cmocka_unit_test(symmetries_are_all_that_keep_lines),
        cmocka_unit_test(numbers_are_exchanged_where_that_keeps_their_owners),
        cmocka_unit_test(images_play_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
