/* SPDX-License-Identifier: MIT
 *
 * Plies that are solved in parts: each slab belongs to one part; the table has the same bytes,
 * however often the build is interrupted; the files or the memory of two plies are hardly larger
 * than those of the bigger ply.
 */
#include "builder/ply_parts.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/support.h"

static const char small[] = "connect-6x4-k4", big[] = "connect-7x4-k4";
enum { PART_ENTRIES = 1 << 20, BIG_PART_ENTRIES = 4 << 20 };
static const double whole_plies = 1e30; /* entries: no ply has parts */

static void parts_have_whole_slabs(void **state) {
    (void)state;
    static const uint64_t slabs[] = {1, 2, 31, 32, 33, 1000, 4321};
    static const uint64_t sizes[] = {1, 70, 48620, 1 << 20, 1ULL << 33};
    static const double entries[] = {1, 1 << 20, 1e9, 1e30};
    for (int i = 0; i < 7 * 5 * 4; i++) {
        plb_block_layout layout = plb_block_layout_make(sizes[i / 4 % 5], slabs[i / 20], 2048);
        plb_parts parts = plb_parts_make(&layout, entries[i % 4]);
        assert_in_range(parts.count, 1, PLB_PLY_PARTS);
        assert_int_equal(plb_parts_first_slab(&parts, 0), 0);
        assert_int_equal(plb_parts_first_slab(&parts, parts.count), layout.slabs);
        for (int part = 0; part < parts.count; part++) {
            uint64_t first = plb_parts_first_slab(&parts, part);
            uint64_t end = plb_parts_first_slab(&parts, part + 1);
            assert_true(first < end);
            for (uint64_t slab = first; slab < end; slab++)
                assert_int_equal(plb_parts_find(&parts, slab), part);
        }
    }
}

/* ---- builds ---- */

typedef struct build_case {
    plb_value_kind values;
    plb_reach_way reach;
    uint64_t spare_bytes;
    double save_seconds, part_entries;
    int stop_at; /* the report at which it is interrupted; 0: never */
} build_case;

typedef struct listener {
    int calls, stop_at;
    volatile sig_atomic_t stop;
    double work_skipped, work_done, work_total;
    const char *folder;
    uint64_t max_bytes; /* largest total size of the values files at any report */
    uint64_t written;   /* bytes of values that were saved or did not fit in memory */
} listener;

/* The total size and the number of the files of a kind in a folder. */
static uint64_t sum_files(const char *folder, const char *kind, int *count) {
    DIR *files = opendir(folder);
    uint64_t bytes = 0;
    *count = 0;
    for (struct dirent *e; files && (e = readdir(files));) {
        struct stat status;
        char path[2 * SUPPORT_PATH];
        if (strncmp(e->d_name, kind, strlen(kind)) != 0) continue;
        snprintf(path, sizeof path, "%s/%.100s", folder, e->d_name);
        if (stat(path, &status) == 0) bytes += status.st_size, ++*count;
    }
    if (files) closedir(files);
    return bytes;
}

static void listen(void *context, const plb_progress *progress) {
    listener *l = context;
    int count;
    if (progress->phase == PLB_COUNT_AHEAD) return; /* there are no parts yet */
    l->work_skipped = progress->work_skipped;
    l->work_done = progress->work_done;
    l->work_total = progress->work_total;
    if (progress->phase == PLB_BACKWARD && progress->ply_done) l->written += progress->values_bytes;
    if (l->folder) {
        uint64_t bytes = sum_files(l->folder, "values", &count);
        if (bytes > l->max_bytes) l->max_bytes = bytes;
    }
    if (++l->calls == l->stop_at) l->stop = 1;
}

static int build(const char *spec, const char *output, const build_case *c, listener *l,
                 plb_message *why) {
    plb_build_options options = support_build_options(output, NULL, 2);
    options.values = c->values;
    options.slabs.reach = c->reach;
    options.budget = plb_budget_of_spare(c->spare_bytes);
    options.save_seconds = c->save_seconds;
    options.part_entries = c->part_entries;
    options.report = listen;
    options.context = l;
    options.stop = &l->stop;
    l->stop_at = c->stop_at;
    return support_run_build(spec, &options, NULL, why);
}

static void assert_built(const char *spec, const char *output, const build_case *c, listener *l) {
    plb_message why;
    support_expect(build(spec, output, c, l, &why), PLB_OK, spec, &why);
    assert_true(l->work_done == l->work_total);
}

static void make_whole(const char *output, const build_case *c) {
    build_case whole = *c;
    whole.part_entries = whole_plies;
    whole.stop_at = 0;
    assert_built(small, output, &whole, &(listener){0});
}

static const build_case cases[] = {
    {.part_entries = PART_ENTRIES},
    {.part_entries = PART_ENTRIES, .save_seconds = 1e9},
    {.part_entries = 3 * PART_ENTRIES, .spare_bytes = 2 << 20},
    {.part_entries = PART_ENTRIES, .spare_bytes = 2 << 20, .save_seconds = 1e9},
    {.part_entries = PART_ENTRIES, .spare_bytes = 256 << 20},
    {.part_entries = PART_ENTRIES, .spare_bytes = 256 << 20, .save_seconds = 1e9},
    {.part_entries = PART_ENTRIES, .reach = PLB_REACH_BY_COLUMNS},
    {.part_entries = 2 * PART_ENTRIES, .values = PLB_DTM, .spare_bytes = 4 << 20},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static void interrupted_builds_of_parts_resume(void **state) {
    const char *whole = support_path(state, "whole"), *output = support_path(state, "table");
    uint64_t random = support_seed("interruptions", 5);
    for (int i = 0; i < CASES; i++) {
        build_case c = cases[i];
        plb_message why;
        int error = PLB_EINTERRUPTED;
        bool has_resumed = false;
        if (!support_has_turn(i, 3)) continue;
        if (!support_exists(whole) || c.values != cases[i - 1].values) {
            unlink(whole);
            make_whole(whole, &c);
        }
        for (int runs = 0; runs < 8 && error == PLB_EINTERRUPTED; runs++) {
            listener l = {0};
            c.stop_at = 2 + (int)support_random_below(&random, 40);
            error = build(small, output, &c, &l, &why);
            has_resumed = has_resumed || l.work_skipped > 0;
            if (error) support_expect(error, PLB_EINTERRUPTED, small, &why);
        }
        c.stop_at = 0;
        if (error) assert_built(small, output, &c, &(listener){0});
        assert_true(has_resumed);
        support_assert_same_files(output, whole);
        assert_int_equal(unlink(output), 0);
    }
}

/* ---- files and memory; the commit decides which of the two tests runs ---- */

static void two_plies_in_parts_need_less_than_whole_ones(void **state) {
    char folder[SUPPORT_PATH];
    const char *output = support_path(state, "table");
    build_case c = {0};
    uint64_t max_bytes_of[2];
    if (!support_has_turn(0, 2)) skip();
    strcpy(folder, support_path(state, "table.part"));
    for (int parts = 0; parts < 2; parts++) {
        listener l = {.folder = folder};
        c.part_entries = parts ? BIG_PART_ENTRIES : whole_plies;
        assert_built(big, output, &c, &l);
        assert_int_equal(unlink(output), 0);
        max_bytes_of[parts] = l.max_bytes;
    }
    assert_true(max_bytes_of[1] * 10 < max_bytes_of[0] * 7);
}

/* Memory has space for one and a half plies, but not for two. */
static void freed_parts_make_space_in_memory(void **state) {
    const char *output = support_path(state, "table");
    build_case c = {.spare_bytes = (uint64_t)plb_budget_spare_for_planes(80 << 20),
                    .save_seconds = 1e9};
    if (!support_has_turn(1, 2)) skip();
    for (int parts = 0; parts < 2; parts++) {
        listener l = {0};
        c.part_entries = parts ? BIG_PART_ENTRIES : whole_plies;
        assert_built(big, output, &c, &l);
        assert_int_equal(unlink(output), 0);
        assert_int_equal(l.written == 0, parts);
    }
}

/* Interrupt builds later and later, until the folder has at least `min` files of values. */
static void stop_within_ply(const char *output, const char *folder, int min) {
    plb_message why;
    int count = 0;
    for (int stop_at = 60; count < min; stop_at += 7) {
        const build_case c = {.part_entries = PART_ENTRIES, .stop_at = stop_at};
        int error = build(small, output, &c, &(listener){0}, &why);
        support_expect(error, PLB_EINTERRUPTED, small, &why);
        sum_files(folder, "values", &count);
    }
}

static plb_scratch_set saved_values(char *folder) {
    plb_folder_files files;
    plb_scratch_set values = {0};
    assert_int_equal(plb_build_folder_list(&(plb_build_folder){.path = folder}, &files, NULL),
                     PLB_OK);
    memcpy(values.parts[PLB_SCRATCH_VALUES], files.saved.parts[PLB_SCRATCH_VALUES],
           sizeof values.parts[PLB_SCRATCH_VALUES]);
    return values;
}

static void a_build_without_a_needed_part_starts_anew(void **state) {
    const char *whole = support_path(state, "whole"), *output = support_path(state, "table");
    char folder[SUPPORT_PATH], last[2 * SUPPORT_PATH] = "";
    const build_case c = {.part_entries = PART_ENTRIES};
    listener l = {0};
    strcpy(folder, support_path(state, "table.part"));
    make_whole(whole, &c);
    stop_within_ply(output, folder, 5);
    plb_scratch_set values = saved_values(folder);
    for (plb_scratch_file file = {0}; plb_scratch_set_find(&values, &file); file.part++) {
        char name[PLB_NAME_TEXT];
        plb_build_folder_name(file, true, name);
        snprintf(last, sizeof last, "%s/%s", folder, name);
    }
    assert_int_equal(unlink(last), 0);
    assert_built(small, output, &c, &l);
    support_assert_same_files(output, whole);
}

static void a_damaged_part_is_an_error(void **state) {
    const char *output = support_path(state, "table");
    char folder[SUPPORT_PATH], path[2 * SUPPORT_PATH];
    const build_case c = {.part_entries = PART_ENTRIES};
    plb_message why;
    strcpy(folder, support_path(state, "table.part"));
    stop_within_ply(output, folder, 5);
    plb_scratch_set values = saved_values(folder);
    for (plb_scratch_file file = {0}; plb_scratch_set_find(&values, &file); file.part++) {
        char name[PLB_NAME_TEXT];
        size_t size;
        plb_build_folder_name(file, true, name);
        snprintf(path, sizeof path, "%s/%s", folder, name);
        uint8_t *bytes = support_read_file(path, &size);
        for (size_t i = 0; i < size; i += 97) bytes[i] ^= 1;
        support_write_file(path, bytes, size);
        free(bytes);
    }
    int error = build(small, output, &c, &(listener){0}, &why);
    support_expect(error, PLB_ECORRUPT, small, &why);
    assert_non_null(strstr(why.text, "values."));
    assert_non_null(strstr(why.text, "--force"));
    assert_false(support_exists(output));
}

int main(void) {
    support_use_memory();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_have_whole_slabs),
        SUPPORT_IN_FOLDER(interrupted_builds_of_parts_resume),
        SUPPORT_IN_FOLDER(two_plies_in_parts_need_less_than_whole_ones),
        SUPPORT_IN_FOLDER(freed_parts_make_space_in_memory),
        SUPPORT_IN_FOLDER(a_build_without_a_needed_part_starts_anew),
        SUPPORT_IN_FOLDER(a_damaged_part_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
