/* SPDX-License-Identifier: MIT
 *
 * Enumeration visits or lists every reachable position of a ply exactly once, in all games.
 */
#include "tables/index/enumerate.h"

#include <pthread.h>
#include <stdlib.h>

#include "tables/index/orbit.h"
#include "tests/support/number_oracle.h"
#include "tests/support/positions.h"
#include "tests/support/support.h"

/* A space and its enumeration. */
typedef struct listed_game {
    plb_space space;
    plb_enumeration *enumeration;
} listed_game;

static void open_game_by(const char *spec, plb_index_kind kind, listed_game *g) {
    assert_int_equal(plb_space_begin(spec, &g->space, NULL), PLB_OK);
    assert_int_equal(plb_space_add_index(&g->space, kind, NULL), PLB_OK);
    assert_int_equal(plb_enumeration_open(&g->space, NULL, &g->enumeration, NULL), PLB_OK);
}

static void open_game(const char *spec, listed_game *g) {
    support_open_space(spec, &g->space);
    assert_int_equal(plb_enumeration_open(&g->space, NULL, &g->enumeration, NULL), PLB_OK);
}

static void close_game(listed_game *g) {
    plb_enumeration_close(g->enumeration);
    plb_space_close(&g->space);
}

/* ---- visited and listed positions ---- */

/* Positions in the order of the visit. */
typedef struct collection {
    const plb_game *game;
    plb_position *positions; /* [count] */
    uint64_t count, room;    /* room: capacity */
    uint64_t stands_for;     /* sum of the numbers of images */
    uint64_t most;           /* the visit ends at this count */
} collection;

static collection begin_collection(const plb_game *game) {
    return (collection){.game = game, .most = UINT64_MAX};
}

static bool collect(void *context, plb_position position, uint64_t count) {
    collection *c = context;
    if (c->count == c->room) {
        c->room = 2 * c->room + 64;
        c->positions = realloc(c->positions, c->room * sizeof *c->positions);
        assert_non_null(c->positions);
    }
    c->positions[c->count++] = position;
    c->stands_for += count;
    return c->count < c->most;
}

static int compare(const void *a, const void *b) {
    plb_position p = *(const plb_position *)a, q = *(const plb_position *)b;
    return plb_position_is_less(q, p) - plb_position_is_less(p, q);
}

/* Sort the positions, and check that each is reachable and that none occurs twice. */
static void check_collection(collection *c, int ply) {
    if (c->count) qsort(c->positions, c->count, sizeof *c->positions, compare);
    for (uint64_t i = 0; i < c->count; i++) {
        assert_int_equal(plb_rules_check(c->game, c->positions[i], NULL), PLB_OK);
        assert_int_equal(plb_rules_ply(c->game, c->positions[i]), ply);
        if (i) assert_int_equal(compare(&c->positions[i - 1], &c->positions[i]), -1);
    }
}

static collection visit_ply(const listed_game *g, int ply) {
    collection c = begin_collection(&g->space.game);
    assert_int_equal(plb_enumeration_begin(g->enumeration, ply, NULL, NULL), PLB_OK);
    for (uint64_t chunk = 0; chunk < plb_enumeration_chunks(g->enumeration, ply); chunk++)
        plb_enumeration_chunk(g->enumeration, ply, chunk, collect, &c);
    return c;
}

/* List a ply in pages of at most `entries` entries and `page` positions. */
static collection list_ply(const listed_game *g, int ply, uint64_t entries, uint64_t page) {
    collection c = begin_collection(&g->space.game);
    plb_listing cursor = {.ply = ply};
    assert_int_equal(plb_enumeration_begin(g->enumeration, ply, NULL, NULL), PLB_OK);
    while (!cursor.done) {
        assert_true(plb_enumeration_is_cursor(g->enumeration, &cursor));
        uint64_t before = c.count;
        c.most = before + page;
        plb_enumeration_list(g->enumeration, &cursor, entries, collect, &c);
        assert_in_range(c.count, before, before + plb_min(page, entries));
    }
    return c;
}

/* The images of the visited canonical positions are the listed positions, and the numbers of images
 * that visits give add up to their count, which is returned. */
static uint64_t check_ply(const listed_game *g, int ply) {
    const plb_space *s = &g->space;
    collection visited = visit_ply(g, ply), listed = list_ply(g, ply, 1000, 300);
    collection all = begin_collection(&s->game);
    check_collection(&visited, ply);
    check_collection(&listed, ply);
    assert_int_equal(visited.stands_for, listed.count);
    for (uint64_t v = 0; v < visited.count; v++) {
        plb_orbit_row images[PLB_MAX_SYMMETRIES];
        plb_position p = visited.positions[v];
        if (!plb_position_is_same(plb_enumeration_canonical(g->enumeration, p), p)) continue;
        int count = plb_orbit_list(&s->game, &s->symmetry, p, images);
        for (int i = 0; i < count; i++) collect(&all, images[i].position, 1);
    }
    check_collection(&all, ply);
    assert_int_equal(all.count, listed.count);
    for (uint64_t i = 0; i < all.count; i++)
        assert_true(plb_position_is_same(all.positions[i], listed.positions[i]));
    free(visited.positions);
    free(listed.positions);
    free(all.positions);
    return listed.count;
}

/* ---- stones ---- */

static void walks_through_stones_find_what_the_oracle_finds(void **state) {
    (void)state;
    static const oracle_game games[] = {
        {ORACLE_CONNECT, 4, 3, 3, false, false}, {ORACLE_CONNECT, 4, 3, 2, true, true},
        {ORACLE_MNK, 3, 3, 3, false, false},     {ORACLE_MNK, 4, 3, 3, true, true},
        {ORACLE_SQUARE, 3, 3, 4, false, false},  {ORACLE_MNK, 1, 5, 2, false, false},
    };
    enum { GAMES = sizeof games / sizeof games[0] };
    for (int i = 0; i < 2 * GAMES; i++) {
        oracle solved;
        char spec[ORACLE_TEXT];
        listed_game g;
        uint64_t expected[PLB_MAX_CELLS + 1] = {0};
        oracle_spec_text(&games[i / 2], spec);
        assert_true(oracle_solve(&games[i / 2], &solved));
        for (size_t p = 0; p < solved.count; p++) expected[solved.positions[p].ply]++;
        open_game_by(spec, i % 2 ? PLB_KEYS : PLB_SLABS, &g);
        for (int ply = 0; ply <= g.space.game.cells; ply++)
            assert_int_equal(check_ply(&g, ply), expected[ply]);
        close_game(&g);
        oracle_free(&solved);
    }
}

/* ---- numbers ---- */

enum { CODES = 9 * 9 * 9 * 9 };

/* The code of a 2x2 board: its numbers as digits in base 9; 4 is added for the second player. */
static int code_of(const oracle_board *b, const int owners[4]) {
    int code = 0;
    for (int cell = 0; cell < 4; cell++) {
        int number = b->number[cell / 2][cell % 2];
        code = 9 * code + (number ? number + 4 * owners[cell] : 0);
    }
    return code;
}

/* Play all games on a 2x2 board, and count distinct boards by ply. */
static void play_all(oracle_board *b, int owners[4], bool seen[CODES], uint64_t counts[5]) {
    int code = code_of(b, owners), mover = b->placed % 2;
    if (!seen[code]) counts[b->placed]++;
    seen[code] = true;
    for (int cell = 0; cell < 4; cell++)
        for (int number = 1; number <= 4 && !b->number[cell / 2][cell % 2]; number++) {
            if (!b->owns[mover][number] || b->played[mover][number]) continue;
            owners[cell] = mover;
            if (oracle_place(b, number, cell / 2, cell % 2)) {
                int end = code_of(b, owners);
                counts[b->placed] += !seen[end];
                seen[end] = true;
            } else {
                play_all(b, owners, seen, counts);
            }
            oracle_take_back(b, cell / 2, cell % 2, number);
        }
}

static void walks_through_2x2_find_what_plain_play_finds(void **state) {
    (void)state;
    static const char *const specs[] = {"numeric-2x2", "numeric-2x2-first12", "numeric-2x2-first14",
                                        "numeric-2x2-each"};
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        listed_game g;
        open_game(specs[i], &g);
        oracle_board board = {.size = 2, .target = g.space.game.target};
        for (int tile = 0; tile < 4; tile++)
            board.owns[g.space.game.tiles[1] >> tile & 1]
                      [g.space.game.each ? tile % 2 + 1 : tile + 1] = true;
        static bool seen[CODES];
        int owners[4] = {0};
        uint64_t counts[5] = {0};
        for (int c = 0; c < CODES; c++) seen[c] = false;
        play_all(&board, owners, seen, counts);
        for (int ply = 0; ply <= 4; ply++) assert_int_equal(check_ply(&g, ply), counts[ply]);
        close_game(&g);
    }
}

static uint64_t count_ply(const listed_game *g, int ply) {
    collection c = visit_ply(g, ply);
    free(c.positions);
    return c.stands_for;
}

/* 9,003,966 boards are reachable if play stops at a win. */
static void walks_through_3x3_find_all_positions(void **state) {
    (void)state;
    listed_game g;
    uint64_t sum = 0;
    open_game("numeric-3x3", &g);
    for (int ply = 0; ply <= 9; ply++) sum += ply < 4 ? check_ply(&g, ply) : count_ply(&g, ply);
    assert_int_equal(sum, 9003966);
    close_game(&g);
}

/* ---- random draws, interruption, memory ---- */

static void draws_are_of_the_ply_and_stand_for_what_visits_do(void **state) {
    (void)state;
    static const char *const specs[] = {"numeric-3x3-first12345", "mnk-3x3-k3"};
    uint64_t random = support_seed("draws", 20260201);
    for (size_t i = 0; i < 2; i++) {
        listed_game g;
        open_game(specs[i], &g);
        for (int ply = 0; ply <= 4; ply++) {
            collection visited = visit_ply(&g, ply);
            check_collection(&visited, ply);
            for (int n = 0; n < 200; n++) {
                plb_position p;
                uint64_t count;
                if (!plb_enumeration_draw(g.enumeration, ply, &random, &p, &count)) continue;
                assert_non_null(bsearch(&p, visited.positions, visited.count, sizeof p, compare));
                assert_in_range(count, 1, g.space.symmetry.order);
            }
            free(visited.positions);
        }
        close_game(&g);
    }
}

static void an_enumeration_is_interrupted(void **state) {
    (void)state;
    volatile sig_atomic_t stop = 0;
    listed_game g;
    plb_message why;
    support_open_space("numeric-3x3", &g.space);
    assert_int_equal(plb_enumeration_open(&g.space, NULL, &g.enumeration, NULL), PLB_OK);
    assert_int_equal(plb_enumeration_begin(g.enumeration, 1, &stop, &why), PLB_OK);
    stop = 1;
    assert_int_equal(plb_enumeration_begin(g.enumeration, 9, &stop, &why), PLB_EINTERRUPTED);
    stop = 0;
    assert_int_equal(check_ply(&g, 2), 20 * 72);
    close_game(&g);
}

static void *enumerate_all(void *context) {
    listed_game *g = context;
    assert_int_equal(plb_enumeration_begin(g->enumeration, 9, NULL, NULL), PLB_OK);
    return NULL;
}

/* A thread that reads the memory during the enumeration, as a server does, does not wait, and gets
 * a part of the final size. */
static void memory_is_told_while_plies_are_made(void **state) {
    (void)state;
    listed_game g;
    pthread_t maker;
    double bytes = 0;
    support_open_space("numeric-3x3", &g.space);
    assert_int_equal(plb_enumeration_open(&g.space, NULL, &g.enumeration, NULL), PLB_OK);
    assert_int_equal(pthread_create(&maker, NULL, enumerate_all, &g), 0);
    while (bytes == 0) bytes = plb_enumeration_bytes(g.enumeration);
    pthread_join(maker, NULL);
    uint64_t made = 0;
    for (int ply = 0; ply <= 9; ply++) made += plb_enumeration_entries(g.enumeration, ply);
    double all = (double)made * sizeof(plb_position);
    assert_true(bytes < all);
    assert_true(plb_enumeration_bytes(g.enumeration) == all);
    close_game(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_through_stones_find_what_the_oracle_finds),
        cmocka_unit_test(walks_through_2x2_find_what_plain_play_finds),
        cmocka_unit_test(walks_through_3x3_find_all_positions),
        cmocka_unit_test(draws_are_of_the_ply_and_stand_for_what_visits_do),
        cmocka_unit_test(an_enumeration_is_interrupted),
        cmocka_unit_test(memory_is_told_while_plies_are_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
