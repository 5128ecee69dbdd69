/* SPDX-License-Identifier: MIT
 *
 * The signature of the tables: one hash over the values of every reachable position of a fixed set
 * of small games, of every family and suffix, found and answered by probes alone. It changes when
 * a value does, and with nothing else. A commit that changes it says so in its last line,
 * `Tables: <signature>`.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "probe/plybase.h"
#include "tests/support/support.h"

static const char signature[] = "f788e425c67bc77c";

static const char *const specs[] = {
    "connect-4x4-k4",
    "connect-4x3-k3",
    "connect-4x3-k3-misere",
    "connect-4x3-k3-cylinder",
    "connect-3x4-k2-misere",
    "connect-4x3-k3-misere-cylinder",
    "mnk-3x3-k3",
    "mnk-3x3-k3-misere",
    "mnk-4x3-k3-cylinder",
    "mnk-3x3-k3-misere-cylinder",
    "square-3x3",
    "square-4x3-misere",
};

typedef struct stones {
    uint64_t x, o;
} stones;

/* A list of positions of a ply. */
typedef struct ply_list {
    stones *positions;
    size_t count, room;
} ply_list;

static void add_position(ply_list *list, stones position) {
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 1024;
        list->positions = realloc(list->positions, list->room * sizeof *list->positions);
        assert_non_null(list->positions);
    }
    list->positions[list->count++] = position;
}

static int compare_stones(const void *a, const void *b) {
    const stones *p = a, *q = b;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    return (p->o > q->o) - (p->o < q->o);
}

static void sort_once(ply_list *list) {
    size_t kept = 0;
    if (list->count) qsort(list->positions, list->count, sizeof *list->positions, compare_stones);
    for (size_t p = 0; p < list->count; p++)
        if (!kept || compare_stones(&list->positions[p], &list->positions[kept - 1]) != 0)
            list->positions[kept++] = list->positions[p];
    list->count = kept;
}

/* Hash a position with its value, and list where its moves lead. */
static void take_position(const plb_table *table, stones p, XXH3_state_t *hash, ply_list *next) {
    plb_analysis found;
    assert_int_equal(plb_analyse(table, p.x, p.o, &found, NULL), PLB_OK);
    int64_t record[4] = {(int64_t)p.x, (int64_t)p.o, found.answer.value, found.answer.dtm};
    XXH3_64bits_update(hash, record, sizeof record);
    for (int m = 0; m < found.count; m++) {
        stones after = p;
        assert_int_equal(plb_play(table, &found.moves[m], &after.x, &after.o, NULL), PLB_OK);
        add_position(next, after);
    }
}

static void hash_table(const plb_table *table, XXH3_state_t *hash) {
    ply_list ply = {0};
    add_position(&ply, (stones){0, 0});
    while (ply.count > 0) {
        ply_list next = {0};
        for (size_t p = 0; p < ply.count; p++) take_position(table, ply.positions[p], hash, &next);
        sort_once(&next);
        free(ply.positions);
        ply = next;
    }
    free(ply.positions);
}

static void hash_game(void **state, const char *spec, plb_value_kind values, XXH3_state_t *hash) {
    plb_table *table = NULL;
    const char *path = support_path(state, plb_value_kind_text(values));
    support_build_values(spec, values, path, NULL, 1);
    assert_int_equal(plb_open(path, &table, NULL), PLB_OK);
    hash_table(table, hash);
    plb_close(table);
    assert_int_equal(unlink(path), 0);
}

static void values_have_the_recorded_signature(void **state) {
    XXH3_state_t *hash = XXH3_createState();
    assert_non_null(hash);
    XXH3_64bits_reset(hash);
    for (size_t s = 0; s < sizeof specs / sizeof specs[0]; s++) {
        XXH3_64bits_update(hash, specs[s], strlen(specs[s]));
        hash_game(state, specs[s], PLB_WDL, hash);
        hash_game(state, specs[s], PLB_DTM, hash);
    }
    char found[32];
    snprintf(found, sizeof found, "%016llx", (unsigned long long)XXH3_64bits_digest(hash));
    XXH3_freeState(hash);
    assert_string_equal(found, signature);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(values_have_the_recorded_signature, support_enter_folder,
                                        support_leave_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
