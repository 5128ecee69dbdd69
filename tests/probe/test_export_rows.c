/* SPDX-License-Identifier: MIT
 *
 * Rows of an export, of games of every family: each position of a ply once, with the answer of a
 * single probe; the rows that options select; samples.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "probe/plybase.h"
#include "tests/support/flaw.h"
#include "tests/support/support.h"

static const char *const specs[] = {"connect-4x3-k3", "mnk-3x3-k3-misere", "square-3x3",
                                    "numeric-2x2", "connect-3x3-k3-cylinder"};
enum { SPECS = sizeof specs / sizeof *specs };

typedef struct row_list {
    plb_row *rows;
    size_t count;
} row_list;

static row_list export_rows(const plb_table *table, const plb_export_options *options) {
    row_list list = {malloc(1), 0};
    plb_export *cursor;
    plb_message why = {""};
    support_expect(plb_export_open(table, options, &cursor, &why), PLB_OK, "open", &why);
    for (;;) {
        const plb_row *rows;
        size_t count;
        support_expect(plb_export_next(cursor, &rows, &count, &why), PLB_OK, "next", &why);
        if (!rows) break;
        list.rows = realloc(list.rows, (list.count + count + 1) * sizeof *rows);
        memcpy(list.rows + list.count, rows, count * sizeof *rows);
        list.count += count;
    }
    plb_export_close(cursor);
    return list;
}

static int compare_rows(const void *a, const void *b) {
    const plb_row *r = a, *s = b;
    if (r->ply != s->ply) return r->ply - s->ply;
    if (r->x != s->x) return r->x < s->x ? -1 : 1;
    return r->o < s->o ? -1 : r->o > s->o;
}

static void assert_answered(const plb_table *table, const plb_row *row) {
    plb_analysis found;
    plb_state state;
    uint64_t best = 0;
    assert_int_equal(plb_analyse(table, row->x, row->o, &found, NULL), PLB_OK);
    assert_int_equal(plb_find_state(table, row->x, row->o, &state, NULL), PLB_OK);
    for (int m = 0; m < found.best; m++)
        best |= 1ULL << (found.moves[m].column * plb_info(table)->height + found.moves[m].row);
    assert_true(row->best == best && row->value == found.answer.value);
    assert_true(row->dtm == found.answer.dtm && row->ply == state.ply);
}

/* ---- all ---- */

/* Rows without answers, of the positions of plb_list_positions. */
static row_list list_rows(const plb_table *table) {
    row_list list = {calloc(plb_info(table)->positions, sizeof *list.rows), 0};
    for (int ply = 0; ply <= plb_info(table)->cells; ply++) {
        plb_listing listing = {.ply = ply};
        while (!listing.done) {
            uint64_t x[64], o[64];
            size_t count;
            assert_int_equal(plb_list_positions(table, &listing, 64, x, o, &count), PLB_OK);
            for (size_t p = 0; p < count; p++)
                list.rows[list.count++] = (plb_row){.x = x[p], .o = o[p], .ply = (uint8_t)ply};
        }
    }
    return list;
}

static void every_position_is_a_row(const plb_table *table) {
    row_list got = export_rows(table, NULL), expected = list_rows(table);
    assert_int_equal(got.count, plb_info(table)->positions);
    assert_int_equal(got.count, expected.count);
    for (size_t r = 1; r < got.count; r++) assert_true(got.rows[r].ply >= got.rows[r - 1].ply);
    qsort(got.rows, got.count, sizeof *got.rows, compare_rows);
    qsort(expected.rows, expected.count, sizeof *got.rows, compare_rows);
    for (size_t r = 0; r < got.count; r++) {
        assert_int_equal(compare_rows(&got.rows[r], &expected.rows[r]), 0);
        assert_answered(table, &got.rows[r]);
    }
    free(got.rows);
    free(expected.rows);
}

/* The rows that options select are a subsequence of all rows. */
static void options_select_rows(const plb_table *table) {
    const plb_export_options options = {
        .first_ply = 1, .end_ply = 4, .values = PLB_VALUE_BIT(PLB_LOSS) | PLB_VALUE_BIT(PLB_DRAW)};
    const plb_export_options canonical = {.canonical = true}, open = {.stage = PLB_STAGE_OPEN};
    row_list all = export_rows(table, NULL), got = export_rows(table, &options);
    row_list orbits = export_rows(table, &canonical), continuing = export_rows(table, &open);
    size_t next = 0, next_orbit = 0, next_open = 0;
    for (size_t r = 0; r < all.count; r++) {
        const plb_row *row = &all.rows[r];
        if (row->ply >= 1 && row->ply < 4 && row->value <= 0)
            assert_memory_equal(row, &got.rows[next++], sizeof *row);
        if (next_orbit < orbits.count && memcmp(row, &orbits.rows[next_orbit], sizeof *row) == 0)
            next_orbit++;
        if (row->best) assert_memory_equal(row, &continuing.rows[next_open++], sizeof *row);
    }
    assert_true(next == got.count && next_open == continuing.count);
    assert_true(next_orbit == orbits.count);
    assert_true(orbits.count * (size_t)plb_info(table)->symmetries >= all.count);
    free(all.rows);
    free(got.rows);
    free(orbits.rows);
    free(continuing.rows);
}

/* ---- samples ---- */

static void samples_are_reproducible(const plb_table *table) {
    const plb_export_options some = {.samples = 300, .seed = 7, .first_ply = 1},
                             more = {.samples = 5000, .seed = 7, .first_ply = 1},
                             other = {.samples = 300, .seed = 8, .first_ply = 1};
    row_list a = export_rows(table, &some), b = export_rows(table, &more),
             c = export_rows(table, &other);
    assert_true(a.count == 300 && b.count == 5000 && c.count == 300);
    assert_memory_equal(a.rows, b.rows, 300 * sizeof *a.rows);
    assert_true(memcmp(a.rows, c.rows, 300 * sizeof *a.rows) != 0);
    for (size_t r = 0; r < a.count; r++) {
        assert_true(a.rows[r].ply >= 1);
        assert_answered(table, &a.rows[r]);
    }
    free(a.rows);
    free(b.rows);
    free(c.rows);
}

/* ---- text ---- */

/* Text has as many rows as plb_export_next returns, also in formats that leave rows out. */
static void text_has_the_rows(const plb_table *table) {
    static const char *const formats[] = {"csv", "npy", "uci", "pons"};
    for (int f = 0; f < 4; f++) {
        const plb_export_options options = {.format = formats[f]};
        plb_export *cursor;
        const char *text = "";
        char header[PLB_EXPORT_HEADER];
        size_t size, count, whole = 0, lines = 0, header_size = 0, again = 0;
        uint64_t rows = 0;
        const plb_table_info *info = plb_info(table);
        bool has_rows = f < 2 || (!info->largest_number &&
                                  (f == 2 || (info->gravity && strcmp(info->values, "dtm") == 0)));
        assert_int_equal(plb_export_open(table, &options, &cursor, NULL),
                         has_rows ? PLB_OK : PLB_EARGUMENT);
        if (!has_rows) continue;
        assert_int_equal(plb_export_header(cursor, 0, header, &header_size), PLB_OK);
        while (plb_export_next_text(cursor, &text, &size, &count, NULL) == PLB_OK && text) {
            for (size_t c = 0; c < size; c++) lines += text[c] == '\n';
            whole += size;
            rows += count;
        }
        assert_null(text);
        assert_int_equal(plb_export_header(cursor, rows, header, &again), PLB_OK);
        assert_int_equal(header_size, again);
        plb_export_close(cursor);
        row_list got = export_rows(table, &options);
        assert_true(rows == got.count && rows > 0);
        assert_true(f == 1 ? whole == rows * 28 : lines == rows);
        assert_true(f == 0 ? again == 42 : f == 1 ? again == PLB_EXPORT_HEADER : again == 0);
        free(got.rows);
    }
}

/* ---- the tests ---- */

static void rows_are_the_positions_of_a_table(void **state) {
    for (int s = 0; s < SPECS; s++)
        for (int values = PLB_WDL; values <= PLB_DTM; values++) {
            const char *path = support_path(state, "table.plb");
            plb_table *table = NULL;
            support_build_values(specs[s], values, path, NULL, 1);
            assert_int_equal(plb_open(path, &table, NULL), PLB_OK);
            every_position_is_a_row(table);
            options_select_rows(table);
            samples_are_reproducible(table);
            text_has_the_rows(table);
            plb_close(table);
            assert_int_equal(unlink(path), 0);
        }
}

static void assert_refused(const plb_table *table, plb_export_options options, int error,
                           const char *text) {
    plb_export *cursor = NULL;
    plb_message why;
    assert_int_equal(plb_export_open(table, &options, &cursor, &why), error);
    assert_null(cursor);
    assert_non_null(strstr(why.text, text));
}

static void impossible_exports_are_refused(void **state) {
    const char *path = support_path(state, "table.plb");
    plb_table *table = NULL;
    plb_export *cursor = NULL;
    const plb_row *rows;
    size_t count;
    volatile sig_atomic_t stop = 0;
    support_build("numeric-2x2", path, NULL, 1);
    assert_int_equal(plb_open(path, &table, NULL), PLB_OK);
    assert_refused(table, (plb_export_options){.end_ply = 6}, PLB_EARGUMENT, "no plies 0 to 5");
    assert_refused(table, (plb_export_options){.first_ply = 5}, PLB_EARGUMENT, "no plies 5");
    assert_refused(table, (plb_export_options){.first_ply = -1}, PLB_EARGUMENT, "no plies -1");
    assert_refused(table, (plb_export_options){.first_ply = 2, .end_ply = 2}, PLB_EARGUMENT,
                   "no plies 2 to 1");
    assert_refused(table, (plb_export_options){.end_ply = INT_MIN}, PLB_EARGUMENT,
                   "no plies 0 to -2147483649");
    assert_refused(table, (plb_export_options){.stage = PLB_STAGE_QUIET}, PLB_EARGUMENT, "stones");
    assert_refused(table, (plb_export_options){.format = "xml"}, PLB_EARGUMENT, "no format 'xml'");
    assert_refused(table, (plb_export_options){.format = "uci"}, PLB_EARGUMENT, "games of stones");
    assert_int_equal(plb_export_open(NULL, NULL, &cursor, NULL), PLB_EARGUMENT);
    assert_int_equal(plb_export_open(table, NULL, NULL, NULL), PLB_EARGUMENT);
    plb_export_options options = {.stop = &stop};
    assert_int_equal(plb_export_open(table, &options, &cursor, NULL), PLB_OK);
    assert_int_equal(plb_export_next(cursor, NULL, &count, NULL), PLB_EARGUMENT);
    assert_int_equal(plb_export_next_text(cursor, NULL, &count, NULL, NULL), PLB_EARGUMENT);
    assert_int_equal(plb_export_header(cursor, 0, NULL, &count), PLB_EARGUMENT);
    stop = 1;
    assert_int_equal(plb_export_next(cursor, &rows, &count, NULL), PLB_EINTERRUPTED);
    stop = 0;
    assert_int_equal(plb_export_next(cursor, &rows, &count, NULL), PLB_OK);
    assert_true(rows && count == 1 && rows->x == 0 && rows->o == 0);
    plb_export_close(cursor);
    plb_export_close(NULL);
    options = (plb_export_options){.samples = 1, .values = PLB_VALUE_BIT(PLB_DRAW), .end_ply = 1};
    assert_refused(table, options, PLB_EARGUMENT, "no position of these plies is a draw");
    plb_close(table);
}

/* The statistics say that the ply has no positions. */
static void more_rows_than_the_statistics_count_are_an_error(void **state) {
    const char *good = support_path(state, "good.plb"), *path = support_path(state, "damaged.plb");
    const plb_export_options options = {.first_ply = 4, .end_ply = 5};
    plb_table_file file;
    plb_table *table = NULL;
    plb_export *cursor;
    const plb_row *rows;
    size_t count;
    support_build("mnk-3x3-k3", good, NULL, 1);
    open_table_file(good, &file);
    copy_table(&file, path, &(flaw){.change = CLEAR_COUNTS, .ply = 4});
    plb_table_file_close(&file);
    assert_int_equal(plb_open(path, &table, NULL), PLB_OK);
    assert_int_equal(plb_export_open(table, &options, &cursor, NULL), PLB_OK);
    assert_int_equal(plb_export_next(cursor, &rows, &count, NULL), PLB_ECORRUPT);
    plb_export_close(cursor);
    plb_close(table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(rows_are_the_positions_of_a_table),
        SUPPORT_IN_FOLDER(impossible_exports_are_refused),
        SUPPORT_IN_FOLDER(more_rows_than_the_statistics_count_are_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
