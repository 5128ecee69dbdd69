/* SPDX-License-Identifier: MIT
 *
 * Builds: whatever interrupts a build, the next run builds the same bytes. Files of others are
 * refused and not changed.
 */
#include "builder/build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/support.h"

static const char spec[] = "connect-4x3-k3";
static plb_index_kind kind = PLB_SLABS; /* with the argument `keys`: PLB_KEYS */
static plb_reach_way reach;             /* with the argument `columns`: PLB_REACH_BY_COLUMNS */

/* Two reports for each ply of the passes before the backward one. */
static int reports_of_forward(int plies) {
    return reach == PLB_REACH_BY_COLUMNS ? 0 : 2 * plies;
}

/* No planes or all planes stay in memory; values are saved after each ply or only at an interrupt.
 */
static const struct resources {
    uint64_t spare_bytes;
    double save_seconds;
} resources[] = {{0, 0}, {0, 1e9}, {64 << 20, 0}, {64 << 20, 1e9}};
enum { RESOURCES = sizeof resources / sizeof resources[0] };

static void set_resources(plb_build_options *options, const struct resources *r) {
    options->budget = plb_budget_of_spare(r->spare_bytes);
    options->save_seconds = r->save_seconds;
}

static int build(const char *name, const plb_build_options *options, plb_built *built,
                 plb_message *why) {
    plb_space space;
    support_open_kind(name, kind, &space);
    *built = (plb_built){.existed = false};
    plb_build_options wanted = *options;
    wanted.slabs.reach = reach;
    int error = plb_build(&space, &wanted, built, why);
    plb_space_close(&space);
    return error;
}

static void assert_build(const char *name, const plb_build_options *options, int expected) {
    plb_message why = {.text = ""};
    plb_built built;
    support_expect(build(name, options, &built, &why), expected, name, &why);
    if (expected) assert_true(strlen(why.text) > 0);
    assert_false(built.existed);
}

static void assert_built_values(const char *name, plb_value_kind values, const char *output,
                                int threads) {
    plb_build_options options = support_build_options(output, NULL, threads);
    options.values = values;
    assert_build(name, &options, PLB_OK);
}

static void assert_built(const char *name, const char *output, int threads) {
    assert_built_values(name, PLB_WDL, output, threads);
}

static const char *part_of(void **state, const char *name) {
    char part[100];
    snprintf(part, sizeof part, "%s.part", name);
    return support_path(state, part);
}

/* ---- a build from beginning to end ---- */

static void a_build_leaves_only_the_table(void **state) {
    assert_built(spec, support_path(state, "table"), 2);
    assert_true(support_exists(support_path(state, "table")));
    assert_int_equal(support_count_files(state), 1);
}

static void success_writes_no_message(void **state) {
    plb_build_options options = support_build_options(support_path(state, "table"), NULL, 1);
    plb_message why = {.text = "untouched"};
    plb_built built;
    assert_int_equal(build(spec, &options, &built, &why), PLB_OK);
    assert_string_equal(why.text, "untouched");
    assert_int_equal(build(spec, &options, &built, &why), PLB_OK);
    assert_string_equal(why.text, "untouched");
}

/* The reports of a build. */
typedef struct listener {
    int calls, stop_at; /* stop_at: the call at which the stop flag is set; 0: never */
    volatile sig_atomic_t stop;
    double work_done, work_total, work_skipped;
    int plies_done[2];
    uint64_t positions[2];
} listener;

static void listen(void *context, const plb_progress *progress) {
    listener *l = context;
    if (progress->phase == PLB_COUNT_AHEAD) return; /* there are no plies yet */
    l->calls++;
    if (l->calls == l->stop_at) l->stop = 1;
    assert_true(progress->work_done >= l->work_done);
    assert_true(progress->work_done <= progress->work_total);
    assert_true(progress->work_skipped <= progress->work_done);
    assert_true(progress->ply_share <= 1 + 1e-9);
    l->work_done = progress->work_done;
    l->work_total = progress->work_total;
    l->work_skipped = progress->work_skipped;
    if (progress->ply_done && progress->phase <= PLB_BACKWARD) {
        l->plies_done[progress->phase]++;
        l->positions[progress->phase] += progress->positions;
    }
}

static plb_build_options listened_options(const char *output, listener *l) {
    plb_build_options options = support_build_options(output, NULL, 1);
    options.stop = &l->stop;
    options.report = listen;
    options.context = l;
    return options;
}

/* Some blocks of big plies are solved twice, first for a sample. */
static void samples_do_not_count_as_work(void **state) {
    listener l = {0};
    plb_build_options options = listened_options(support_path(state, "table"), &l);
    assert_build("connect-5x4-k4", &options, PLB_OK);
    assert_true(l.work_done == l.work_total);
}

static void progress_ends_with_all_work_done(void **state) {
    listener l = {0};
    plb_build_options options = listened_options(support_path(state, "table"), &l);
    assert_build(spec, &options, PLB_OK);
    assert_true(l.work_done == l.work_total && l.work_total > 0 && l.work_skipped == 0);
    assert_int_equal(l.plies_done[PLB_BACKWARD], 13);
    assert_int_equal(l.plies_done[PLB_FORWARD], reports_of_forward(13) / 2);
    if (reports_of_forward(13))
        assert_int_equal(l.positions[PLB_FORWARD], l.positions[PLB_BACKWARD]);
}

/* ---- threads ---- */

/* Slabs are big enough to be split in every way: into runs, chunks, parts of their blocks. */
static void threads_and_workers_change_no_byte(void **state) {
    const char *big = kind == PLB_KEYS ? "numeric-3x3" : "connect-5x5-k4";
    static const struct { int threads, workers; } cases[] = {{2, 2}, {2, 1}, {3, 1}, {3, 2}};
    const char *first = support_path(state, "first"), *other = support_path(state, "other");
    assert_built_values(big, PLB_DTM, first, 1);
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        if (kind == PLB_KEYS && cases[c].workers == 1) continue; /* keys have no workers */
        if (!support_has_turn(c + (reach == PLB_REACH_BY_COLUMNS), 2)) continue;
        plb_build_options options = support_build_options(other, NULL, cases[c].threads);
        options.values = PLB_DTM;
        for (int ply = 0; ply <= 25; ply++)
            options.budget.workers[ply] = ply % 4 ? cases[c].workers : 1;
        assert_build(big, &options, PLB_OK);
        support_assert_same_files(other, first);
        assert_int_equal(unlink(other), 0);
    }
}

/* ---- memory ---- */

/* With 8 MiB some slabs of a big ply stay in memory and others do not, and keys are spilled. */
static void memory_changes_no_byte(void **state) {
    static const char *const specs[] = {"connect-5x5-k4", "connect-5x4-k4-cylinder", "mnk-4x4-k4",
                                        "square-4x4-misere"};
    static const char *const of_keys[] = {"numeric-3x3", "mnk-4x3-k3", NULL, NULL};
    static const struct resources scarce = {8 << 20, 1e9};
    const char *first = support_path(state, "first"), *other = support_path(state, "other");
    for (size_t s = 0; s < sizeof specs / sizeof specs[0]; s += support_step(2)) {
        const char *name = kind == PLB_KEYS ? of_keys[s] : specs[s];
        if (!name) break;
        assert_built_values(name, PLB_DTM, first, 2);
        for (int d = 0; d <= RESOURCES; d++) {
            if (!support_has_turn(s + d, 4)) continue;
            plb_build_options options = support_build_options(other, NULL, 2);
            options.values = PLB_DTM;
            set_resources(&options, d < RESOURCES ? &resources[d] : &scarce);
            assert_build(name, &options, PLB_OK);
            support_assert_same_files(other, first);
            assert_int_equal(unlink(other), 0);
        }
        assert_int_equal(unlink(first), 0);
    }
}

/* ---- interruption ---- */

/* The report at which the next build is stopped: one in five, or each with PLYBASE_FAULTS=1/1. */
static uint64_t next_report(uint64_t report) {
    do report++;
    while (!support_has_turn((unsigned)report, 5));
    return report;
}

/* Stop at a report, then resume. False: the build ended before that report. */
static bool interrupt_and_resume(plb_value_kind values, const struct resources *r,
                                 const char *output, const char *whole, int stop_at) {
    listener l = {.stop_at = stop_at};
    plb_build_options options = listened_options(output, &l);
    options.values = values;
    set_resources(&options, r);
    plb_message why;
    plb_built built;
    int error = build(spec, &options, &built, &why);
    if (error == PLB_OK) return false;
    support_expect(error, PLB_EINTERRUPTED, "interrupted build", &why);
    assert_false(support_exists(output));
    listener rest = {0};
    options = listened_options(output, &rest);
    options.values = values;
    set_resources(&options, r);
    assert_build(spec, &options, PLB_OK);
    assert_true(rest.calls > 0 && rest.work_done == rest.work_total);
    assert_true(rest.work_skipped > 0 || stop_at <= 2);
    support_assert_same_files(output, whole);
    assert_int_equal(unlink(output), 0);
    return true;
}

static void an_interrupted_build_resumes(void **state) {
    for (int run = 0; run < 2 * RESOURCES; run += support_step(3)) {
        const char *whole = support_path(state, "whole"), *output = support_path(state, "table");
        plb_value_kind values = run % 2 ? PLB_DTM : PLB_WDL;
        assert_built_values(spec, values, whole, 1);
        uint64_t stop_at = 1;
        while (interrupt_and_resume(values, &resources[run / 2], output, whole, (int)stop_at))
            stop_at = next_report(stop_at);
        assert_true((int)stop_at > reports_of_forward(13) + 2 * 13);
        assert_int_equal(unlink(whole), 0);
        assert_int_equal(unlink(output), 0);
    }
}

static void check_many_interruptions(void **state, const struct resources *r) {
    const char *whole = support_path(state, "whole"), *output = support_path(state, "table");
    plb_message why;
    plb_built built;
    int error, runs = 0;
    assert_built(spec, whole, 1);
    do {
        /* The report at which the second ply begins; keys are reported more often. */
        listener l = {.stop_at = kind == PLB_KEYS ? 12 : 3};
        plb_build_options options = listened_options(output, &l);
        set_resources(&options, r);
        error = build(spec, &options, &built, &why);
        assert_true(++runs < 100);
    } while (error == PLB_EINTERRUPTED);
    support_expect(error, PLB_OK, "last run", &why);
    assert_true(runs > (kind == PLB_KEYS ? 5 : 10));
    support_assert_same_files(output, whole);
    assert_int_equal(support_count_files(state), 2);
    assert_int_equal(unlink(whole), 0);
    assert_int_equal(unlink(output), 0);
}

static void a_build_survives_many_interruptions(void **state) {
    for (int d = 0; d < RESOURCES; d++) check_many_interruptions(state, &resources[d]);
}

/* Exit at a report, as if killed. */
static void die(void *context, const plb_progress *progress) {
    (void)progress;
    int *calls_left = context;
    if (--*calls_left == 0) _exit(7);
}

static int status_of_dying_build(const struct resources *r, const char *output, int calls) {
    pid_t child = fork();
    if (child == 0) {
        plb_build_options options = support_build_options(output, NULL, 1);
        options.report = die;
        options.context = &calls;
        set_resources(&options, r);
        plb_built built;
        _exit(build(spec, &options, &built, NULL) ? 1 : 0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void check_killed_builds(void **state, const struct resources *r) {
    const char *whole = support_path(state, "whole"), *output = support_path(state, "table");
    assert_built(spec, whole, 1);
    uint64_t calls = 1;
    for (; status_of_dying_build(r, output, (int)calls) == 7; calls = next_report(calls)) {
        assert_false(support_exists(output));
        assert_built(spec, output, 1);
        support_assert_same_files(output, whole);
        assert_int_equal(unlink(output), 0);
    }
    assert_true((int)calls > reports_of_forward(13) + 2 * 13);
    support_assert_same_files(output, whole);
    assert_int_equal(unlink(whole), 0);
    assert_int_equal(unlink(output), 0);
}

static void a_killed_build_resumes(void **state) {
    for (int d = 0; d < RESOURCES; d += support_step(3)) check_killed_builds(state, &resources[d]);
}

static void a_build_resumes_with_other_kernels(void **state) {
    const char *whole = support_path(state, "whole"), *output = support_path(state, "table");
    listener l = {.stop_at = reports_of_forward(13) + 4};
    plb_build_options options = listened_options(output, &l);
    options.slabs.kernels = &plb_kernels_portable;
    assert_built(spec, whole, 1);
    assert_build(spec, &options, PLB_EINTERRUPTED);
    assert_built(spec, output, 2);
    support_assert_same_files(output, whole);
}

static void interrupt(const char *name, const char *output, int stop_at) {
    listener l = {.stop_at = stop_at};
    plb_build_options options = listened_options(output, &l);
    assert_build(name, &options, PLB_EINTERRUPTED);
}

/* A table of one kind of values is not taken for one of another. */
static void other_values_are_refused(void **state) {
    const char *output = support_path(state, "table");
    plb_build_options options = support_build_options(output, NULL, 1);
    options.values = PLB_DTM;
    interrupt(spec, output, 20);
    assert_build(spec, &options, PLB_EOTHERGAME);
    assert_built(spec, output, 1);
    assert_build(spec, &options, PLB_EOTHERGAME);
    options.force = true;
    assert_build(spec, &options, PLB_OK);
}

/* The build crashed while it wrote the file, for example. */
static void a_half_written_file_is_written_again(void **state) {
    const char *whole = support_path(state, "whole"), *output = support_path(state, "table");
    size_t size;
    assert_built(spec, whole, 1);
    uint8_t *bytes = support_read_file(whole, &size);
    static const int parts[] = {0, 1, 2, 8}; /* eighths of the file */
    for (size_t p = 0; p < sizeof parts / sizeof parts[0]; p++) {
        interrupt(spec, output, reports_of_forward(13) + 24);
        support_write_file(support_path(state, "table.part/table"), bytes, size * parts[p] / 8);
        assert_built(spec, output, 1);
        support_assert_same_files(output, whole);
        assert_int_equal(unlink(output), 0);
    }
    free(bytes);
}

/* ---- existing files ---- */

static void a_finished_table_is_not_built_again(void **state) {
    const char *output = support_path(state, "table");
    struct stat before, after;
    plb_built first, built;
    plb_message why;
    plb_build_options options = support_build_options(output, NULL, 1);
    support_expect(build(spec, &options, &first, &why), PLB_OK, spec, &why);
    assert_false(first.existed);
    assert_int_equal(stat(output, &before), 0);
    support_expect(build(spec, &options, &built, &why), PLB_OK, spec, &why);
    assert_true(built.existed);
    assert_int_equal(stat(output, &after), 0);
    assert_int_equal(before.st_ino, after.st_ino);
    assert_int_equal(first.bytes, before.st_size);
    assert_int_equal(built.bytes, before.st_size);
    assert_true(first.positions > 0 && built.positions == first.positions);
    assert_int_equal(support_count_files(state), 1);
}

static void force_builds_again(void **state) {
    const char *output = support_path(state, "table"), *whole = support_path(state, "whole");
    struct stat before, after;
    assert_built(spec, whole, 1);
    assert_built(spec, output, 1);
    assert_int_equal(stat(output, &before), 0);
    plb_build_options options = support_build_options(output, NULL, 1);
    options.force = true;
    assert_build(spec, &options, PLB_OK);
    assert_int_equal(stat(output, &after), 0);
    assert_true(before.st_ino != after.st_ino);
    support_assert_same_files(output, whole);
}

/* The build is refused, and changes neither the file nor the folder. */
static void assert_untouched(void **state, const char *output, const plb_build_options *options,
                             int expected) {
    size_t size, size_after;
    uint8_t *before = support_read_file(output, &size);
    int files = support_count_files(state);
    plb_message why = {.text = ""};
    plb_built built;
    support_expect(build(spec, options, &built, &why), expected, output, &why);
    assert_non_null(strstr(why.text, output));
    uint8_t *after = support_read_file(output, &size_after);
    assert_int_equal(size_after, size);
    assert_memory_equal(after, before, size);
    assert_int_equal(support_count_files(state), files);
    free(before);
    free(after);
}

static void the_table_of_another_game_is_refused(void **state) {
    const char *output = support_path(state, "table"), *expected = support_path(state, "expected");
    assert_built("connect-3x4-k3", output, 1);
    plb_build_options options = support_build_options(output, NULL, 1);
    assert_untouched(state, output, &options, PLB_EOTHERGAME);
    options.force = true;
    assert_build(spec, &options, PLB_OK);
    assert_built(spec, expected, 1);
    support_assert_same_files(output, expected);
}

static void a_file_that_is_no_table_is_never_replaced(void **state) {
    static const char *const contents[] = {"", "x", "my thesis, the only copy\n"};
    for (int c = 0; c < 3; c++) {
        const char *output = support_path(state, "file");
        support_write_file(output, contents[c], strlen(contents[c]));
        plb_build_options options = support_build_options(output, NULL, 1);
        assert_untouched(state, output, &options, PLB_ENOTTABLE);
        options.force = true;
        assert_untouched(state, output, &options, PLB_ENOTTABLE);
    }
}

static void a_folder_is_never_replaced(void **state) {
    const char *output = support_path(state, "folder");
    assert_int_equal(mkdir(output, 0755), 0);
    plb_build_options options = support_build_options(output, NULL, 1);
    assert_build(spec, &options, PLB_ENOTTABLE);
    options.force = true;
    assert_build(spec, &options, PLB_ENOTTABLE);
    assert_int_equal(support_count_files(state), 1);
}

static void a_damaged_table_is_replaced_by_force_only(void **state) {
    const char *output = support_path(state, "table"), *whole = support_path(state, "whole");
    size_t size;
    assert_built(spec, whole, 1);
    uint8_t *bytes = support_read_file(whole, &size);
    support_write_file(output, bytes, size / 2);
    free(bytes);
    plb_build_options options = support_build_options(output, NULL, 1);
    assert_untouched(state, output, &options, PLB_ECORRUPT);
    options.force = true;
    assert_build(spec, &options, PLB_OK);
    support_assert_same_files(output, whole);
}

static void the_unfinished_build_of_another_game_is_refused(void **state) {
    const char *output = support_path(state, "table"), *expected = support_path(state, "expected");
    interrupt("connect-3x4-k3", output, 20);
    plb_build_options options = support_build_options(output, NULL, 1);
    assert_build(spec, &options, PLB_EOTHERGAME);
    assert_false(support_exists(output));
    assert_built("connect-3x4-k3", output, 1); /* it can still be finished */
    assert_int_equal(unlink(output), 0);
    interrupt("connect-3x4-k3", output, 20);
    options.force = true;
    assert_build(spec, &options, PLB_OK);
    assert_built(spec, expected, 1);
    support_assert_same_files(output, expected);
    assert_int_equal(support_count_files(state), 2);
}

/* Another process makes a file with the name of the table when the table is complete. */
typedef struct intruder {
    const char *path, *content;
    plb_phase last;
} intruder;

static void make_file(void *context, const plb_progress *progress) {
    intruder *other = context;
    if (progress->phase == PLB_ASSEMBLE && other->content)
        support_write_file(other->path, other->content, strlen(other->content));
    if (progress->phase < PLB_COUNT) other->last = progress->phase;
}

static void a_file_made_during_a_build_is_replaced_only_by_force(void **state) {
    static const char mine[] = "my thesis, the only copy\n";
    const char *output = support_path(state, "table"), *whole = support_path(state, "whole");
    assert_built(spec, whole, 1);
    for (int d = 0; d < RESOURCES; d++) {
        intruder other = {output, mine, PLB_ASSEMBLE};
        plb_message why = {""};
        plb_built built;
        size_t size;
        plb_build_options options = support_build_options(output, NULL, 1);
        set_resources(&options, &resources[d]);
        options.report = make_file;
        options.context = &other;
        support_expect(build(spec, &options, &built, &why), PLB_EBUSY, spec, &why);
        assert_non_null(strstr(why.text, "move it away, then the same command writes the table"));
        uint8_t *bytes = support_read_file(output, &size);
        assert_true(size == strlen(mine) && memcmp(bytes, mine, size) == 0);
        free(bytes);
        assert_build(spec, &options, PLB_ENOTTABLE); /* the file is still there */
        assert_int_equal(unlink(output), 0);
        other = (intruder){output, NULL, PLB_ASSEMBLE};
        assert_build(spec, &options, PLB_OK);
        assert_int_equal(other.last, PLB_ASSEMBLE); /* nothing was solved again */
        support_assert_same_files(output, whole);
        assert_int_equal(unlink(output), 0);
        other.content = mine;
        options.force = true;
        assert_build(spec, &options, PLB_OK);
        support_assert_same_files(output, whole);
        assert_int_equal(unlink(output), 0);
    }
    assert_int_equal(support_count_files(state), 1);
}

/* ---- damaged scratch files ---- */

static void a_damaged_scratch_file_is_reported(void **state) {
    const char *output = support_path(state, "table"), *expected = support_path(state, "expected");
    interrupt(spec, output, reports_of_forward(13) + 4);
    const char *damaged =
        support_path(state, reports_of_forward(13) ? "table.part/reach.04" : "table.part/table.12");
    struct stat status;
    assert_int_equal(stat(damaged, &status), 0);
    support_flip_bits(damaged, status.st_size - 4, 0x10);
    plb_build_options options = support_build_options(output, NULL, 1);
    assert_build(spec, &options, PLB_ECORRUPT);
    assert_false(support_exists(output));
    options.force = true;
    assert_build(spec, &options, PLB_OK);
    assert_built(spec, expected, 1);
    support_assert_same_files(output, expected);
}

/* ---- two builders ---- */

typedef struct rival {
    const char *output;
    int tries;
} rival;

static void build_in_between(void *context, const plb_progress *progress) {
    (void)progress;
    rival *r = context;
    plb_build_options options = support_build_options(r->output, NULL, 1);
    if (r->tries++ % 10) return;
    assert_build(spec, &options, PLB_EBUSY);
    options.force = true;
    assert_build(spec, &options, PLB_EBUSY);
}

static void a_second_builder_gets_busy(void **state) {
    const char *output = support_path(state, "table"), *whole = support_path(state, "whole");
    rival r = {.output = output};
    plb_build_options options = support_build_options(output, NULL, 1);
    options.report = build_in_between;
    options.context = &r;
    assert_build(spec, &options, PLB_OK);
    assert_true(r.tries > 20);
    assert_built(spec, whole, 1);
    support_assert_same_files(output, whole);
    assert_int_equal(support_count_files(state), 2);
}

/* ---- limits ---- */

static void an_output_in_no_folder_is_refused(void **state) {
    plb_build_options options = support_build_options(support_path(state, "none/table"), NULL, 1);
    assert_build(spec, &options, PLB_ENOTFOUND);
    assert_int_equal(support_count_files(state), 0);
}

static void a_file_with_the_name_of_the_scratch_folder_is_refused(void **state) {
    const char *part = part_of(state, "table");
    support_write_file(part, "mine", 4);
    plb_build_options options = support_build_options(support_path(state, "table"), NULL, 1);
    plb_message why;
    plb_built built;
    assert_true(build(spec, &options, &built, &why) < 0);
    size_t size;
    uint8_t *bytes = support_read_file(part, &size);
    assert_int_equal(size, 4);
    free(bytes);
    assert_int_equal(support_count_files(state), 1);
}

static void a_folder_without_write_permission_is_reported(void **state) {
    if (geteuid() == 0) skip(); /* root may write anywhere */
    assert_int_equal(chmod(*state, 0555), 0);
    plb_build_options options = support_build_options(support_path(state, "table"), NULL, 1);
    assert_build(spec, &options, PLB_EPERMISSION);
    assert_int_equal(chmod(*state, 0755), 0);
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "columns") == 0)
        reach = PLB_REACH_BY_COLUMNS;
    else if (argc > 1 && !plb_index_kind_parse(argv[1], &kind))
        return 2;
    support_use_memory();
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(a_killed_build_resumes), /* forks: before there are threads */
        SUPPORT_IN_FOLDER(a_build_leaves_only_the_table),
        SUPPORT_IN_FOLDER(success_writes_no_message),
        SUPPORT_IN_FOLDER(progress_ends_with_all_work_done),
        SUPPORT_IN_FOLDER(samples_do_not_count_as_work),
        SUPPORT_IN_FOLDER(threads_and_workers_change_no_byte),
        SUPPORT_IN_FOLDER(memory_changes_no_byte),
        SUPPORT_IN_FOLDER(other_values_are_refused),
        SUPPORT_IN_FOLDER(an_interrupted_build_resumes),
        SUPPORT_IN_FOLDER(a_build_survives_many_interruptions),
        SUPPORT_IN_FOLDER(a_build_resumes_with_other_kernels),
        SUPPORT_IN_FOLDER(a_half_written_file_is_written_again),
        SUPPORT_IN_FOLDER(a_finished_table_is_not_built_again),
        SUPPORT_IN_FOLDER(force_builds_again),
        SUPPORT_IN_FOLDER(the_table_of_another_game_is_refused),
        SUPPORT_IN_FOLDER(a_file_that_is_no_table_is_never_replaced),
        SUPPORT_IN_FOLDER(a_folder_is_never_replaced),
        SUPPORT_IN_FOLDER(a_damaged_table_is_replaced_by_force_only),
        SUPPORT_IN_FOLDER(the_unfinished_build_of_another_game_is_refused),
        SUPPORT_IN_FOLDER(a_file_made_during_a_build_is_replaced_only_by_force),
        SUPPORT_IN_FOLDER(a_damaged_scratch_file_is_reported),
        SUPPORT_IN_FOLDER(a_second_builder_gets_busy),
        SUPPORT_IN_FOLDER(an_output_in_no_folder_is_refused),
        SUPPORT_IN_FOLDER(a_file_with_the_name_of_the_scratch_folder_is_refused),
        SUPPORT_IN_FOLDER(a_folder_without_write_permission_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
