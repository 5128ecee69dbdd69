/* SPDX-License-Identifier: MIT
 *
 * Fault injection on the disk: the first call of a kind fails, then a later one
 * (support_next_fault), and so on until a build makes fewer calls. Each build either succeeds or
 * ends with an error and a message; there is no incomplete table, and the same command without a
 * fault builds the same bytes.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/support.h"
#include "tests/support/watched_disk.h"

static const char spec[] = "connect-3x3-k3";
enum { PLIES = 10 };

typedef struct scenario {
    int stop_at; /* the report at which an earlier run was interrupted; 0: there was none */
    bool force;
    uint64_t spare_bytes;
    double save_seconds;
    unsigned lacking; /* of the file system */
} scenario;

typedef struct fault {
    disk_call call;
    int number;
    bool for_good;
} fault;

static plb_build_options options_of(const scenario *s, const char *output) {
    plb_build_options options = support_build_options(output, NULL, 1);
    options.budget = plb_budget_of_spare(s->spare_bytes);
    options.save_seconds = s->save_seconds;
    return options;
}

static void set_up(const scenario *s, const char *output) {
    support_stopper stopped = {.calls_left = s->stop_at};
    if (!s->stop_at) return;
    plb_build_options options = options_of(s, output);
    options.stop = &stopped.stop;
    options.report = support_count_down;
    options.context = &stopped;
    assert_int_equal(support_run_build(spec, &options, NULL, NULL), PLB_EINTERRUPTED);
}

/* Number of builds that failed when the table was complete, in the sync of its name. */
static int unsynced_names;

/* Build with a fault, then without. False: the build made fewer than nth calls. */
static bool try_fault(void **state, const scenario *s, const fault *f, uint64_t nth,
                      const char *expected) {
    const char *output = support_path(state, "table");
    plb_message why = {.text = ""};
    watched_disk_begin(*state);
    watched_disk_lack(s->lacking);
    set_up(s, output);
    plb_build_options options = options_of(s, output);
    options.force = s->force;
    watched_disk_arm(f->call, nth, f->number, f->for_good);
    int error = support_run_build(spec, &options, NULL, &why);
    bool failed = watched_disk_disarm();
    if (error > 0 || (error != PLB_OK) != (why.text[0] != 0))
        fail_msg("%s %llu: error %d and message '%s'", disk_call_name(f->call),
                 (unsigned long long)nth, error, why.text);
    if (error && support_exists(output)) {
        assert_int_equal(f->call, DISK_SYNC);
        unsynced_names++;
    }
    if (!error || support_exists(output)) support_assert_same_files(output, expected);
    options.force = false;
    support_expect(support_run_build(spec, &options, NULL, &why), PLB_OK, disk_call_name(f->call),
                   &why);
    support_assert_same_files(output, expected);
    assert_int_equal(unlink(output), 0);
    return failed;
}

static void try_faults(void **state, const scenario *s) {
    static const fault faults[] = {
        {DISK_OPEN, EIO, false},    {DISK_READ, EIO, false},    {DISK_WRITE, EIO, false},
        {DISK_WRITE, ENOSPC, true}, {DISK_SYNC, EIO, false},    {DISK_RENAME, EIO, false},
        {DISK_DELETE, EIO, false},  {DISK_DELETE, EPERM, true}, {DISK_FOLDER, EIO, false},
        {DISK_LOCK, EIO, false},    {DISK_MAP, ENOMEM, false}};
    char expected[SUPPORT_PATH];
    strcpy(expected, support_path(state, "expected"));
    support_build(spec, expected, NULL, 1);
    unsynced_names = 0;
    for (size_t f = 0; f < sizeof faults / sizeof faults[0]; f++) {
        uint64_t nth = 1;
        while (try_fault(state, s, &faults[f], nth, expected))
            nth = faults[f].call == DISK_SYNC ? nth + 1 : support_next_fault(nth);
        assert_true(nth > 1);
        assert_int_equal(support_count_files(state), 1); /* only the expected table */
        watched_disk_begin(*state);                      /* empty the model of the disk */
    }
    assert_int_equal(unsynced_names, 1);
    watched_disk_begin(NULL);
    watched_disk_lack(0);
}

static void a_build_survives_every_fault(void **state) {
    try_faults(state, &(scenario){.spare_bytes = 8 << 20, .save_seconds = 1e9});
}

static void a_build_that_saves_every_ply_survives_every_fault(void **state) {
    try_faults(state, &(scenario){.save_seconds = 0});
}

static void a_build_that_writes_every_ply_survives_every_fault(void **state) {
    try_faults(state, &(scenario){.save_seconds = 1e9});
}

/* Interrupted in the backward pass: two reports of each ply. */
static void a_resumed_build_survives_every_fault(void **state) {
    try_faults(state, &(scenario){.stop_at = 3 * PLIES, .save_seconds = 0});
}

static void a_forced_build_survives_every_fault(void **state) {
    try_faults(state, &(scenario){.stop_at = 3 * PLIES, .force = true, .save_seconds = 1e9});
}

static void a_build_on_another_file_system_survives_every_fault(void **state) {
    try_faults(state, &(scenario){.save_seconds = 0, .lacking = DISK_NO_NEW_NAME});
    assert_int_equal(unlink(support_path(state, "expected")), 0);
    try_faults(state, &(scenario){.save_seconds = 1e9, .lacking = DISK_NO_NEW_NAME | DISK_NO_LINK});
}

int main(void) {
    support_use_memory();
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(a_build_survives_every_fault),
        SUPPORT_IN_FOLDER(a_build_that_saves_every_ply_survives_every_fault),
        SUPPORT_IN_FOLDER(a_build_that_writes_every_ply_survives_every_fault),
        SUPPORT_IN_FOLDER(a_resumed_build_survives_every_fault),
        SUPPORT_IN_FOLDER(a_forced_build_survives_every_fault),
        SUPPORT_IN_FOLDER(a_build_on_another_file_system_survives_every_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
