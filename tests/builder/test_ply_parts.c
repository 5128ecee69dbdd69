/* SPDX-License-Identifier: MIT
 *
 * Plies that are made in parts: each slab has one part; the table has the same bytes, whatever
 * interrupts the build; what is on the disk or in memory meanwhile is hardly more than the bigger
 * ply.
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

/* ---- which part ---- */

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

/* How a build goes, and where it is stopped. */
typedef struct course {
    plb_value_kind values;
    plb_reach_way reach;
    uint64_t spare_bytes;
    double save_seconds, part_entries;
    int stop_at; /* report, 0: none */
} course;

typedef struct listener {
    int calls, stop_at;
    volatile sig_atomic_t stop;
    double work_skipped, work_done, work_total;
    const char *folder;
    uint64_t max_bytes; /* of values files, at any report */
    uint64_t written;   /* bytes of values, for which memory had no room, or that were saved */
} listener;

/* Bytes of the files of a kind in a folder, and their number. */
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

static int build(const char *spec, const char *output, const course *c, listener *l,
                 plb_message *why) {
    plb_space space;
    plb_built built;
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
    support_open_space(spec, &space);
    int error = plb_build(&space, &options, &built, why);
    plb_space_close(&space);
    return error;
}

static void assert_built(const char *spec, const char *output, const course *c, listener *l) {
    plb_message why;
    support_expect(build(spec, output, c, l, &why), PLB_OK, spec, &why);
    assert_true(l->work_done == l->work_total);
}

static void make_whole(const char *output, const course *c) {
    course whole = *c;
    whole.part_entries = whole_plies;
    whole.stop_at = 0;
    assert_built(small, output, &whole, &(listener){0});
}

static const course courses[] = {
    {.part_entries = PART_ENTRIES},
    {.part_entries = PART_ENTRIES, .save_seconds = 1e9},
    {.part_entries = 3 * PART_ENTRIES, .spare_bytes = 2 << 20},
    {.part_entries = PART_ENTRIES, .spare_bytes = 2 << 20, .save_seconds = 1e9},
    {.part_entries = PART_ENTRIES, .spare_bytes = 256 << 20},
    {.part_entries = PART_ENTRIES, .spare_bytes = 256 << 20, .save_seconds = 1e9},
    {.part_entries = PART_ENTRIES, .reach = PLB_REACH_BY_COLUMNS},
    {.part_entries = 2 * PART_ENTRIES, .values = PLB_DTM, .spare_bytes = 4 << 20},
};
enum { COURSES = sizeof courses / sizeof courses[0] };

/* Any number of interruptions cost time alone. */
static void interrupted_parts_go_on(void **state) {
    const char *whole = support_path(state, "whole"), *output = support_path(state, "table");
    uint64_t random = support_seed("interruptions", 5);
    for (int i = 0; i < COURSES; i++) {
        course c = courses[i];
        plb_message why;
        int error = PLB_EINTERRUPTED;
        bool has_gone_on = false;
        if (!support_has_turn(i, 3)) continue;
        if (!support_exists(whole) || c.values != courses[i - 1].values) {
            unlink(whole);
            make_whole(whole, &c);
        }
        for (int runs = 0; runs < 8 && error == PLB_EINTERRUPTED; runs++) {
            listener l = {0};
            c.stop_at = 2 + (int)support_random_below(&random, 40);
            error = build(small, output, &c, &l, &why);
            has_gone_on = has_gone_on || l.work_skipped > 0;
            if (error) support_expect(error, PLB_EINTERRUPTED, small, &why);
        }
        c.stop_at = 0;
        if (error) assert_built(small, output, &c, &(listener){0});
        assert_true(has_gone_on);
        support_assert_same_files(output, whole);
        assert_int_equal(unlink(output), 0);
    }
}

/* ---- what is on the disk; these two take turns ---- */

static void both_plies_take_hardly_more_than_the_bigger_one(void **state) {
    char folder[SUPPORT_PATH];
    const char *output = support_path(state, "table");
    course c = {0};
    uint64_t most[2];
    if (!support_has_turn(0, 2)) skip();
    strcpy(folder, support_path(state, "table.part"));
    for (int parts = 0; parts < 2; parts++) {
        listener l = {.folder = folder};
        c.part_entries = parts ? BIG_PART_ENTRIES : whole_plies;
        assert_built(big, output, &c, &l);
        assert_int_equal(unlink(output), 0);
        most[parts] = l.max_bytes;
    }
    assert_true(most[1] * 10 < most[0] * 7);
}

/* Where memory has room for a ply and half of another one, but not for two. */
static void parts_that_are_needed_no_more_make_room_in_memory(void **state) {
    const char *output = support_path(state, "table");
    course c = {.spare_bytes = (uint64_t)plb_budget_spare_for_planes(80 << 20),
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

/* Build until some parts of a ply are made and parts of the one after it are gone. */
static void stop_within_ply(const char *output, const char *folder, int least) {
    plb_message why;
    int count = 0;
    for (int stop_at = 60; count < least; stop_at += 7) {
        const course c = {.part_entries = PART_ENTRIES, .stop_at = stop_at};
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

/* Without a part that is needed there is nothing to go on from: the build begins anew. */
static void a_missing_part_costs_time_alone(void **state) {
    const char *whole = support_path(state, "whole"), *output = support_path(state, "table");
    char folder[SUPPORT_PATH], last[2 * SUPPORT_PATH] = "";
    const course c = {.part_entries = PART_ENTRIES};
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

/* A part that is not as it was written is an error, not a value. */
static void a_damaged_part_is_noticed(void **state) {
    const char *output = support_path(state, "table");
    char folder[SUPPORT_PATH], path[2 * SUPPORT_PATH];
    const course c = {.part_entries = PART_ENTRIES};
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
        SUPPORT_IN_FOLDER(interrupted_parts_go_on),
        SUPPORT_IN_FOLDER(both_plies_take_hardly_more_than_the_bigger_one),
        SUPPORT_IN_FOLDER(parts_that_are_needed_no_more_make_room_in_memory),
        SUPPORT_IN_FOLDER(a_missing_part_costs_time_alone),
        SUPPORT_IN_FOLDER(a_damaged_part_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
