/* SPDX-License-Identifier: MIT
 *
 * A strategy stores only positions in which it needs a move, and not more than can
 * exist.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tables/index/orbit.h"
#include "tests/support/strategies.h"

/* ---- positions that should not be stored ---- */

/* Insert a position and its move; there is capacity for one more. Returns its place. */
static uint64_t insert(plb_strategy_ply *ply, plb_code code, uint8_t move) {
    uint64_t at = 0;
    while (at < ply->count && ply->codes[at] < code) at++;
    memmove(ply->codes + at + 1, ply->codes + at, (ply->count - at) * sizeof *ply->codes);
    memmove(ply->moves + at + 1, ply->moves + at, ply->count - at);
    ply->codes[at] = code;
    ply->moves[at] = move;
    ply->count++;
    return at;
}

static void remove_entry(plb_strategy_ply *ply, uint64_t at) {
    ply->count--;
    memmove(ply->codes + at, ply->codes + at + 1, (ply->count - at) * sizeof *ply->codes);
    memmove(ply->moves + at, ply->moves + at + 1, ply->count - at);
}

static void expect_one_too_many(const made_strategy *m, int ply, plb_position p, const char *why) {
    plb_strategy_ply *of = (plb_strategy_ply *)&m->strategy.ply[ply];
    char board[PLB_BOARD_TEXT];
    strategy_report report;
    uint64_t at = insert(of, plb_position_number(&m->space.game, p), 0);
    plb_rules_format_board(&m->space.game, p, board);
    write_strategy(m, "extra.plb");
    assert_int_equal(check_strategy("extra.plb", 2, &report), PLB_ECORRUPT);
    assert_false(report.holds);
    assert_string_equal(report.position, board);
    if (!strstr(report.fault.text, why)) fail_msg("%s: not '%s'", report.fault.text, why);
    remove_entry(of, at);
}

/* Store one more position, of many in turn. The checker finds it: the strategy does not reach it, a
 * rule gives its move, the game is over, or it is not canonical. */
static void a_superfluous_position_is_found(void **state) {
    static const struct {
        const char *spec;
        plb_strategy_claim u;
    } games[] = {{"connect-4x4-k4", {1, PLB_DRAW, 1}}, {"mnk-3x3-k3", {1, PLB_DRAW, 1}}};
    int strange = 0, ruled = 0, turned = 0, over = 0;
    for (size_t g = 0; g < 2; g++) {
        const char *table = support_path(state, "table.plb");
        made_strategy m;
        remove(table);
        support_build(games[g].spec, table, NULL, 1);
        extract_strategy(games[g].spec, table, games[g].u, CHOOSE_FIRST, &m);
        for (int ply = 3; ply < m.space.game.cells; ply += 2) {
            plb_listing listing = {.ply = ply};
            plb_strategy_ply *of = &m.strategy.ply[ply];
            of->codes = realloc(of->codes, (of->count + 1) * sizeof *of->codes);
            of->moves = realloc(of->moves, of->count + 1);
            while (!listing.done) {
                uint64_t x[64], o[64];
                size_t count;
                assert_int_equal(plb_list_positions(m.table, &listing, 64, x, o, &count), PLB_OK);
                for (size_t i = 0; i < count; i += g == 0 ? 61 : 7) {
                    plb_position p;
                    int move;
                    assert_int_equal(
                        m.space.game.rules->from_words(&m.space.game, x[i], o[i], &p, NULL),
                        PLB_OK);
                    plb_position least = plb_orbit_least(&m.space.game, &m.space.symmetry, p);
                    plb_code code = plb_position_number(&m.space.game, least);
                    if (!plb_position_is_same(least, p) && turned++ % 9 == 0)
                        expect_one_too_many(&m, ply, p, "not the least of its images");
                    if (plb_rules_is_over(&m.space.game, least)) {
                        if (over++ % 9 == 0)
                            expect_one_too_many(&m, ply, least, "the game is over");
                    } else if (plb_strategy_find_rule(&m.space.game, &games[g].u, least, &move)) {
                        if (ruled++ % 9 == 0)
                            expect_one_too_many(&m, ply, least, "a rule gives the move");
                    } else if (plb_strategy_find(&m.strategy, ply, code) < 0) {
                        if (strange++ % 9 == 0)
                            expect_one_too_many(&m, ply, least, "does not arise");
                    }
                }
            }
        }
        discard_strategy(&m);
    }
    print_message("%d strange, %d ruled, %d turned, %d over\n", strange, ruled, turned, over);
    assert_true(strange > 50 && ruled > 50 && turned > 50 && over > 10);
}

/* ---- positions that cannot exist ---- */

static void expect_refused(const made_strategy *m, const char *path, const char *why) {
    plb_table *table = NULL;
    plb_message message;
    write_strategy(m, path);
    assert_int_equal(plb_open(path, &table, &message), PLB_ECORRUPT);
    if (!strstr(message.text, why)) fail_msg("%s: not '%s'", message.text, why);
}

static void an_impossible_position_is_refused(void **state) {
    const char *table = support_path(state, "table.plb");
    const char *path = support_path(state, "strategy.plb");
    made_strategy m;
    support_build("connect-5x4-k4", table, NULL, 1);
    extract_strategy("connect-5x4-k4", table, (plb_strategy_claim){1, PLB_DRAW, 1}, CHOOSE_FIRST,
                     &m);
    plb_strategy_ply *of = &m.strategy.ply[5], *other = &m.strategy.ply[4];
    uint64_t at = insert(of, of->codes[of->count / 2] ^ 1, 0); /* another number of stones */
    expect_refused(&m, path, "ply 5 has a position that is none");
    remove_entry(of, at);
    at = insert(of, (plb_code)1 << 100, 0);
    expect_refused(&m, path, "ply 5 has a position that is none");
    remove_entry(of, at);
    at = insert(other, 0, 0);
    expect_refused(&m, path, "ply 4 has more positions than there can be");
    remove_entry(other, at);
    write_strategy(&m, path);
    plb_close(support_open_table(path));
    discard_strategy(&m);
}

static void a_small_file_with_too_many_positions_is_refused(void **state) {
    const char *path = support_path(state, "strategy.plb");
    made_strategy m = {.meta = {.claim = {1, PLB_DRAW, 1},
                                .level = 19,
                                .builder = "test",
                                .symmetries = 2,
                                .block_entries = PLB_STRATEGY_BLOCK}};
    enum { COUNT = 1 << 20 };
    const int plies[] = {1, 13};
    plb_message why;
    snprintf(m.meta.spec, sizeof m.meta.spec, "connect-5x5-k4");
    support_expect(plb_space_begin(m.meta.spec, &m.space, &why), PLB_OK, "space", &why);
    for (int p = 0; p < 2; p++) {
        plb_strategy_ply *of = &m.strategy.ply[plies[p]];
        *of = (plb_strategy_ply){COUNT, malloc(COUNT * sizeof *of->codes), calloc(COUNT, 1)};
        assert_true(of->codes && of->moves);
        for (uint64_t i = 0; i < COUNT; i++) of->codes[i] = i;
        expect_refused(&m, path, "has more positions than there can be");
        of->count = 0;
    }
    discard_strategy(&m);
}

int main(void) {
    support_use_memory();
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(a_superfluous_position_is_found),
        SUPPORT_IN_FOLDER(an_impossible_position_is_refused),
        SUPPORT_IN_FOLDER(a_small_file_with_too_many_positions_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
