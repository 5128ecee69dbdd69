/* SPDX-License-Identifier: MIT
 *
 * Tables of games of numbers are compared with plain play: the value and the distance of every
 * reachable position, and the counts of every ply. Unreachable positions are refused.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probe/plybase.h"
#include "tables/games/number_rules.h"
#include "tests/support/number_oracle.h"
#include "tests/support/open_table.h"
#include "tests/support/support.h"

static plb_table *open_built(void **state, const char *spec, plb_value_kind values) {
    const char *path = support_path(state, values == PLB_DTM ? "dtm.plb" : "wdl.plb");
    support_build_values(spec, values, path, NULL, 2);
    plb_table *table = support_open_table(path);
    assert_int_equal(unlink(path), 0);
    return table;
}

static oracle_board board_of(const char *spec) {
    plb_game game = support_game(spec);
    oracle_board board = {.size = game.width, .target = game.target};
    for (int tile = 0; tile < game.cells; tile++)
        board.owns[game.tiles[1] >> tile & 1][plb_numbers_value(&game, tile)] = true;
    return board;
}

/* ---- every position ---- */

enum { PAGE = 1 << 14 };

/* Positions that are probed together, and their expected scores. */
typedef struct page {
    uint64_t x[PAGE], o[PAGE];
    int8_t values[PAGE], errors[PAGE], scores[PAGE];
    int16_t dtms[PAGE];
    size_t count;
} page;

/* The tables of a game, and the expected statistics of each ply, for the first player. */
typedef struct expectation {
    const char *spec;
    plb_table *wdl, *dtm;
    plb_ply_stats plies[PLB_MAX_CELLS + 1];
} expectation;

static void expect_page(const expectation *e, page *p, plb_table *table) {
    plb_columns columns = {.x = p->x,
                           .o = p->o,
                           .values = p->values,
                           .dtms = p->dtms,
                           .errors = p->errors,
                           .threads = 2};
    bool distances = table == e->dtm;
    assert_int_equal(plb_probe_columns(table, &columns, p->count), PLB_OK);
    for (size_t i = 0; i < p->count; i++) {
        int score = p->scores[i], value = (score > 0) - (score < 0);
        int dtm = distances && score ? 100 - abs(score) : PLB_NO_DTM;
        if (p->errors[i] == PLB_OK && p->values[i] == value && p->dtms[i] == dtm) continue;
        char text[PLB_BOARD_TEXT];
        plb_format_board(table, p->x[i], p->o[i], text);
        fail_msg("%s %s: error %d, value %d in %d, not %d in %d", e->spec, text, p->errors[i],
                 p->values[i], p->dtms[i], value, dtm);
    }
}

static void ask_page(const expectation *e, page *p) {
    expect_page(e, p, e->wdl);
    expect_page(e, p, e->dtm);
    p->count = 0;
}

static void count_position(expectation *e, int ply, int score) {
    plb_ply_stats *s = &e->plies[ply];
    int of_first = ply % 2 ? -score : score;
    s->total++;
    s->terminal += score == -100;
    s->won += of_first > 0;
    s->drawn += of_first == 0;
    s->lost += of_first < 0;
}

/* The public words of a code. */
static int write_words(uint64_t code, uint64_t *x, uint64_t *o) {
    int ply = 0;
    *x = *o = 0;
    for (int cell = 0; code; cell++, code /= 10) {
        if (code % 10 == 0) continue;
        *x |= (code % 10 - 1) << (4 * cell);
        *o |= 1ULL << cell;
        ply++;
    }
    return ply;
}

static void expect_stats(const expectation *e, const plb_table *table) {
    uint64_t sum = 0;
    for (int ply = 0; ply <= plb_info(table)->cells; ply++) {
        plb_ply_stats stats;
        assert_int_equal(plb_stats(table, ply, &stats), PLB_OK);
        assert_memory_equal(&stats, &e->plies[ply], sizeof stats);
        sum += stats.total;
    }
    assert_int_equal(plb_info(table)->positions, sum);
}

/* Count all positions, and probe one in `most`. */
static void expect_tables_of(void **state, const char *spec, unsigned most) {
    static page p;
    unsigned position = 0;
    expectation e = {.spec = spec};
    oracle_board empty = board_of(spec);
    oracle_scores scores;
    e.wdl = open_built(state, spec, PLB_WDL);
    e.dtm = open_built(state, spec, PLB_DTM);
    assert_true(oracle_score_all(&empty, &scores));
    for (size_t slot = 0; slot < scores.capacity; slot++) {
        if (!scores.slots[slot]) continue;
        int score = (int)(scores.slots[slot] % 256) - 128;
        p.scores[p.count] = (int8_t)score;
        count_position(&e, write_words(scores.slots[slot] / 256, &p.x[p.count], &p.o[p.count]),
                       score);
        p.count += support_has_turn(position++, most);
        if (p.count == PAGE) ask_page(&e, &p);
    }
    ask_page(&e, &p);
    expect_stats(&e, e.wdl);
    expect_stats(&e, e.dtm);
    oracle_free_scores(&scores);
    plb_close(e.wdl);
    plb_close(e.dtm);
}

static void every_position_of_2x2_is_right(void **state) {
    static const char *const specs[] = {
        "numeric-2x2",         "numeric-2x2-first12", "numeric-2x2-first14", "numeric-2x2-first23",
        "numeric-2x2-first24", "numeric-2x2-first34", "numeric-2x2-each"};
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++)
        expect_tables_of(state, specs[i], 1);
}

/* One in 13 of the 9,003,966 positions is probed, and only in every second commit. */
static void positions_of_3x3_are_right(void **state) {
    if (!support_has_turn(0, 2)) skip();
    expect_tables_of(state, "numeric-3x3", 13);
}

/* ---- what is refused ---- */

static void what_cannot_arise_is_refused(void **state) {
    static const struct {
        const char *board;
        int error;
    } refused[] = {
        {"5,.,./.,5,./.,.,.", PLB_ECOUNTS}, {"2,.,./.,.,./.,.,.", PLB_ECOUNTS},
        {"1,3,./.,.,./.,.,.", PLB_ECOUNTS}, {"8,1,6/3,5,./4,.,.", PLB_EOVER},
        {"0,.,./.,.,./.,.,.", PLB_EBOARD},  {"1,2/3,4", PLB_ESYNTAX},
    };
    plb_table *table = open_built(state, "numeric-3x3", PLB_WDL);
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        uint64_t x = 0, o = 0;
        plb_answer answer;
        plb_message why = {.text = ""};
        int error = plb_parse_board(table, refused[i].board, &x, &o, &why);
        if (!error) error = plb_probe(table, x, o, &answer, &why);
        support_expect(error, refused[i].error, refused[i].board, &why);
        assert_true(strlen(why.text) > 0);
    }
    plb_close(table);
}

/* ---- lists ---- */

static void lists_have_every_position_of_a_ply_once(void **state) {
    plb_table *table = open_built(state, "numeric-3x3", PLB_DTM);
    static uint64_t x[1000], o[1000];
    for (int ply = 0; ply <= 9; ply++) {
        plb_listing listing = {.ply = ply};
        plb_ply_stats stats;
        uint64_t listed = 0;
        size_t count = 0;
        assert_int_equal(plb_stats(table, ply, &stats), PLB_OK);
        while (!listing.done) {
            assert_int_equal(plb_list_positions(table, &listing, 1000, x, o, &count), PLB_OK);
            listed += count;
        }
        assert_int_equal(listed, stats.total);
    }
    assert_int_equal(plb_list_positions(table, &(plb_listing){.ply = 10}, 1000, x, o, &(size_t){0}),
                     PLB_EARGUMENT);
    assert_int_equal(plb_list_positions(table, &(plb_listing){.ply = 2, .slab = 1u << 20}, 1000, x,
                                        o, &(size_t){0}),
                     PLB_EARGUMENT);
    plb_close(table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(every_position_of_2x2_is_right),
        SUPPORT_IN_FOLDER(positions_of_3x3_are_right),
        SUPPORT_IN_FOLDER(what_cannot_arise_is_refused),
        SUPPORT_IN_FOLDER(lists_have_every_position_of_a_ply_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
