/* SPDX-License-Identifier: MIT
 *
 * Calls to the disk that fail: the first of a kind, then a later one (support_next_fault) ... until
 * a build needs no more. Whichever fails, the build ends with an error and a sentence, or succeeds;
 * there is no table before it is whole, and the same command without a fault ends in the same
 * bytes.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/support.h"
#include "tests/support/watched_disk.h"

static const char spec[] = "connect-3x3-k3";
enum { PLIES = 10 };

/* What is there when the build begins, and when it saves. */
typedef struct scene {
    int stop_at; /* report at which an earlier run was interrupted, 0: none */
    bool force;
    uint64_t spare_bytes;
    double save_seconds;
} scene;

typedef struct fault {
    disk_call call;
    int number;
    bool for_good;
} fault;

static plb_build_options options_of(const scene *s, const char *output) {
    plb_build_options options = support_build_options(output, NULL, 1);
    options.budget = plb_budget_of_spare(s->spare_bytes);
    options.save_seconds = s->save_seconds;
    return options;
}

static int build(const plb_build_options *options, plb_message *why) {
    plb_space space;
    support_open_space(spec, &space);
    plb_built built;
    int error = plb_build(&space, options, &built, why);
    plb_space_close(&space);
    return error;
}

static void set_up(const scene *s, const char *output) {
    support_stopper stopped = {.calls_left = s->stop_at};
    if (!s->stop_at) return;
    plb_build_options options = options_of(s, output);
    options.stop = &stopped.stop;
    options.report = support_count_down;
    options.context = &stopped;
    assert_int_equal(build(&options, NULL), PLB_EINTERRUPTED);
}

/* Builds that ended with an error because the name of the complete table may not outlast a power
 * cut. */
static int unsynced_names;

/* One build with a fault, and what follows it; false when no call has failed. */
static bool try_fault(void **state, const scene *s, const fault *f, uint64_t nth,
                      const char *right) {
    const char *output = support_path(state, "table");
    plb_message why = {.text = ""};
    watched_disk_begin(*state);
    set_up(s, output);
    plb_build_options options = options_of(s, output);
    options.force = s->force;
    watched_disk_arm(f->call, nth, f->number, f->for_good);
    int error = build(&options, &why);
    bool failed = watched_disk_disarm();
    if (error > 0 || (error != PLB_OK) != (why.text[0] != 0))
        fail_msg("%s %llu: error %d and message '%s'", disk_call_name(f->call),
                 (unsigned long long)nth, error, why.text);
    /* Only the sync after its naming can fail when the file is there. */
    if (error && support_exists(output)) assert_int_equal(f->call, DISK_SYNC);
    if (error && support_exists(output)) unsynced_names++;
    if (!error || support_exists(output)) support_assert_same_files(output, right);
    options.force = false;
    support_expect(build(&options, &why), PLB_OK, disk_call_name(f->call), &why);
    support_assert_same_files(output, right);
    assert_int_equal(unlink(output), 0);
    return failed;
}

static void try_faults(void **state, const scene *s) {
    static const fault faults[] = {
        {DISK_OPEN, EIO, false},    {DISK_READ, EIO, false},    {DISK_WRITE, EIO, false},
        {DISK_WRITE, ENOSPC, true}, {DISK_SYNC, EIO, false},    {DISK_RENAME, EIO, false},
        {DISK_DELETE, EIO, false},  {DISK_DELETE, EPERM, true}, {DISK_FOLDER, EIO, false},
        {DISK_LOCK, EIO, false},    {DISK_MAP, ENOMEM, false}};
    char right[SUPPORT_PATH];
    strcpy(right, support_path(state, "right"));
    support_build(spec, right, NULL, 1);
    unsynced_names = 0;
    for (size_t f = 0; f < sizeof faults / sizeof faults[0]; f++) {
        uint64_t nth = 1;
        while (try_fault(state, s, &faults[f], nth, right))
            nth = faults[f].call == DISK_SYNC ? nth + 1 : support_next_fault(nth);
        assert_true(nth > 1);
        assert_int_equal(support_count_files(state), 1); /* the right table alone */
        watched_disk_begin(*state);                      /* the model would grow */
    }
    assert_int_equal(unsynced_names, 1);
    watched_disk_begin(NULL);
}

static void a_build_survives_every_fault(void **state) {
    try_faults(state, &(scene){.spare_bytes = 8 << 20, .save_seconds = 1e9});
}

static void a_build_that_saves_every_ply_survives_every_fault(void **state) {
    try_faults(state, &(scene){.save_seconds = 0});
}

static void a_build_that_writes_every_ply_survives_every_fault(void **state) {
    try_faults(state, &(scene){.save_seconds = 1e9});
}

/* Interrupted in the backward pass: two reports of each ply. */
static void a_resumed_build_survives_every_fault(void **state) {
    try_faults(state, &(scene){.stop_at = 3 * PLIES, .save_seconds = 0});
}

static void a_forced_build_survives_every_fault(void **state) {
    try_faults(state, &(scene){.stop_at = 3 * PLIES, .force = true, .save_seconds = 1e9});
}

int main(void) {
    support_use_memory();
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(a_build_survives_every_fault),
        SUPPORT_IN_FOLDER(a_build_that_saves_every_ply_survives_every_fault),
        SUPPORT_IN_FOLDER(a_build_that_writes_every_ply_survives_every_fault),
        SUPPORT_IN_FOLDER(a_resumed_build_survives_every_fault),
        SUPPORT_IN_FOLDER(a_forced_build_survives_every_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
