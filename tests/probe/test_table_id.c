/* SPDX-License-Identifier: MIT
 *
 * The id of a table is a hash of its contents: equal contents have equal ids, and every change
 * gives another id.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/plybase.h"
#include "tests/support/flaw.h"
#include "tests/support/strategies.h"

enum { MAX_IDS = 200, ID_TEXT = 17 };

typedef struct ids {
    char text[MAX_IDS][ID_TEXT], name[MAX_IDS][64];
    int count;
} ids;

static void read_id(const char *path, char id[ID_TEXT]) {
    plb_table *table = support_open_table(path);
    assert_int_equal(strlen(plb_info(table)->id), ID_TEXT - 1);
    strcpy(id, plb_info(table)->id);
    plb_close(table);
}

/* Add the id of a file, which no earlier file may have. */
static void add_new(ids *all, const char *path, const char *name) {
    assert_true(all->count < MAX_IDS);
    read_id(path, all->text[all->count]);
    snprintf(all->name[all->count], sizeof all->name[0], "%s", name);
    for (int i = 0; i < all->count; i++)
        if (strcmp(all->text[i], all->text[all->count]) == 0)
            fail_msg("%s and %s have one id, %s", all->name[i], name, all->text[i]);
    all->count++;
}

static const char *const specs[] = {"connect-4x4-k4",
                                    "connect-4x4-k3",
                                    "connect-4x4-k4-misere",
                                    "connect-4x4-k4-cylinder",
                                    "connect-5x3-k3",
                                    "connect-3x5-k3",
                                    "mnk-3x3-k3",
                                    "mnk-4x3-k3",
                                    "mnk-3x3-k3-misere",
                                    "square-3x3",
                                    "connect-5x4-k4",
                                    "numeric-2x2",
                                    "numeric-2x2-first12",
                                    "numeric-2x2-each"};

/* ---- different files ---- */

static void add_strategies(ids *all, const char *path, const char *spec, const char *table) {
    static const strategy_choice choices[] = {CHOOSE_FIRST, CHOOSE_FORCING};
    for (int player = 0; player < 2; player++)
        for (int ahead = 1; ahead < 4; ahead += 2) {
            char id[2][ID_TEXT], name[64];
            size_t size[2];
            uint8_t *bytes[2];
            for (int c = 0; c < 2; c++) {
                made_strategy m;
                extract_strategy(spec, table, (plb_strategy_claim){player, PLB_DRAW, ahead},
                                 choices[c], &m);
                write_strategy(&m, path);
                discard_strategy(&m);
                bytes[c] = support_read_file(path, &size[c]);
                read_id(path, id[c]);
                bool same = c && size[0] == size[1] && memcmp(bytes[0], bytes[1], size[0]) == 0;
                snprintf(name, sizeof name, "%s %d %d %d", spec, player, ahead, c);
                if (same)
                    assert_string_equal(id[0], id[1]);
                else
                    add_new(all, path, name);
            }
            free(bytes[0]);
            free(bytes[1]);
        }
}

static bool is_drawn(const char *path) {
    plb_table *table = support_open_table(path);
    plb_answer answer;
    assert_int_equal(plb_probe(table, 0, 0, &answer, NULL), PLB_OK);
    plb_close(table);
    return answer.value == PLB_DRAW;
}

static void different_files_have_different_ids(void **state) {
    const char *path = support_path(state, "built.plb");
    const char *strategy = support_path(state, "strategy.plb");
    ids *all = calloc(1, sizeof *all);
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++)
        for (int values = 0; values < 2; values++) {
            char name[64], first[ID_TEXT], again[ID_TEXT];
            snprintf(name, sizeof name, "%s %s", specs[s], values ? "dtm" : "wdl");
            remove(path);
            support_build_values(specs[s], values ? PLB_DTM : PLB_WDL, path, NULL, 1);
            add_new(all, path, name);
            read_id(path, first);
            if (!values && is_drawn(path)) add_strategies(all, strategy, specs[s], path);
            remove(path);
            support_build_values(specs[s], values ? PLB_DTM : PLB_WDL, path, NULL, 2);
            read_id(path, again);
            assert_string_equal(again, first);
        }
    print_message("%d files\n", all->count);
    free(all);
}

/* ---- changes with valid checksums ---- */

static void every_change_of_content_changes_the_id(void **state) {
    static const uint8_t bytes[] = "other";
    const flaw flaws[] = {
        {.change = FLIP_ROUND, .ply = 8, .at = {8, 0, 100}},
        {.change = FLIP_VALUE, .ply = 8, .at = {8, 0, 100}},
        {.change = FLIP_VALUE, .ply = 8, .at = {8, 0, 101}},
        {.change = FLIP_VALUE, .ply = 10, .at = {10, 0, 100}},
        {.change = INVERT_PLY, .ply = 12},
        {.change = MOVE_COUNT, .ply = 8},
        {.change = ADD_COUNT, .ply = 8},
        {.change = MOVE_DISTANCE, .ply = 4},
        {.change = MOVE_LONGEST, .ply = 8},
        {.change = CORRUPT_COLUMNS},
        {.change = DROP_MODELS},
        {.change = ADD_RECORD},
        {.change = ADD_RECORD, .bytes = bytes, .size = 5},
        {.change = ADD_RECORD, .bytes = bytes + 1, .size = 4},
        {.change = ADD_RECORD, .record = "strange", .bytes = bytes, .size = 5},
    };
    const char *original = support_path(state, "original.plb"),
               *other = support_path(state, "other.plb");
    ids *all = calloc(1, sizeof *all);
    plb_table_file file;
    support_build_values("connect-5x4-k4", PLB_DTM, original, NULL, 1);
    add_new(all, original, "original");
    open_table_file(original, &file);
    for (size_t f = 0; f < sizeof flaws / sizeof *flaws; f++) {
        char name[64];
        snprintf(name, sizeof name, "flaw %zu", f);
        remove(other);
        copy_table(&file, other, &flaws[f]);
        add_new(all, other, name);
    }
    plb_table_file_close(&file);
    free(all);
}

/* ---- hash of a sample ---- */

static int segments_read;

static bool count_segments(void) {
    segments_read++;
    return true;
}

static bool stop(void) {
    return false;
}

/* If a store is larger than the limit, the hash is that of a fixed sample of its segments. */
static void a_hash_with_a_limit_reads_a_sample(void **state) {
    const char *path = support_path(state, "part.plb");
    plb_store *store = NULL;
    plb_message why;
    uint64_t count, all = 0, whole, once, again, untouched = 77;
    support_build("connect-5x4-k4", path, NULL, 1);
    support_expect(plb_store_open(path, &store, &why), PLB_OK, path, &why);
    const plb_stored_segment *segments = plb_store_segments(store, &count);
    for (uint64_t s = 0; s < count; s++) all += segments[s].size;
    assert_int_equal(plb_store_hash(store, all, count_segments, &whole, &why), PLB_OK);
    assert_int_equal(segments_read, count);
    segments_read = 0;
    assert_int_equal(plb_store_hash(store, all / 3, count_segments, &once, &why), PLB_OK);
    assert_in_range(segments_read, count / 4, count / 3 + 1);
    assert_int_equal(plb_store_hash(store, all / 3, NULL, &again, &why), PLB_OK);
    assert_true(once == again && once != whole);
    assert_int_equal(plb_store_hash(store, all, stop, &untouched, &why), PLB_EINTERRUPTED);
    assert_int_equal(untouched, 77);
    plb_store_close(store);
}

int main(void) {
    support_use_memory();
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(different_files_have_different_ids),
        SUPPORT_IN_FOLDER(every_change_of_content_changes_the_id),
        SUPPORT_IN_FOLDER(a_hash_with_a_limit_reads_a_sample),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
