/* SPDX-License-Identifier: MIT
 *
 * Power cuts at random moments of a build. They lose what was not synced: all of it, contents but
 * not names, or some of either. The same command then resumes from the last save or later, and
 * builds the same bytes.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/support.h"
#include "tests/support/watched_disk.h"

static const char spec[] = "connect-4x3-k3", spec_of_parts[] = "connect-5x5-k3";

typedef struct scenario {
    const char *spec;
    double part_entries; /* entries of a part of a ply; 0: the default */
    double save_seconds;
    uint64_t spare_bytes;
} scenario;

/* The first and the last report of a build before the power cut. */
typedef struct reports {
    bool any;
    plb_progress first, last;
} reports;

static void record_report(void *context, const plb_progress *progress) {
    reports *r = context;
    if (watched_disk_is_cut()) return;
    if (!r->any) r->first = *progress;
    r->any = true;
    r->last = *progress;
}

/* Returns whether the table existed already. */
static bool build(const char *output, const scenario *s, reports *r) {
    plb_build_options options = support_build_options(output, NULL, 1);
    options.budget = plb_budget_of_spare(s->spare_bytes);
    options.part_entries = s->part_entries;
    options.save_seconds = s->save_seconds;
    options.report = record_report;
    options.context = r;
    plb_message why;
    plb_built built;
    support_expect(support_run_build(s->spec, &options, &built, &why), PLB_OK, s->spec, &why);
    return built.existed;
}

/* before: the last report before the cut; first: the first one after it. saves: each ply was saved
 * before it was reported as done. */
static void assert_resumed(const plb_progress *before, const plb_progress *first, bool saves) {
    assert_true(first->resume_ply <= before->resume_ply);
    if (!saves || before->phase != PLB_FORWARD || first->phase != PLB_FORWARD) return;
    assert_true(first->ply > before->ply - !before->ply_done);
}

typedef struct cut {
    uint64_t at;
    disk_loss loss;
} cut;

static void try_cut(void **state, const scenario *s, const cut *c, uint64_t *random,
                    const char *expected) {
    reports before = {0}, after = {0};
    char output[SUPPORT_PATH];
    strcpy(output, support_path(state, "disk/table"));
    watched_disk_begin(support_path(state, "disk"));
    watched_disk_cut_at(c->at);
    build(output, s, &before);
    assert_true(watched_disk_is_cut());
    watched_disk_restore(c->loss, random);
    bool existed = build(output, s, &after);
    if (!existed && before.any) assert_resumed(&before.last, &after.first, s->save_seconds == 0);
    support_assert_same_files(output, expected);
    assert_int_equal(unlink(output), 0);
    if (support_exists(support_path(state, "disk/table.part")))
        fail_msg("cut at %llu, loss %d: scratch files are left", (unsigned long long)c->at,
                 c->loss);
}

static void try_cuts(void **state, const scenario *s, int cuts) {
    char expected[SUPPORT_PATH], disk[SUPPORT_PATH];
    reports whole = {0};
    const uint64_t seed = support_seed("cuts", 11);
    strcpy(expected, support_path(state, "expected"));
    strcpy(disk, support_path(state, "disk"));
    support_build(s->spec, expected, NULL, 1);
    assert_int_equal(mkdir(disk, 0755), 0);
    watched_disk_begin(disk);
    build(support_path(state, "disk/table"), s, &whole);
    uint64_t changes = watched_disk_changes();
    watched_disk_begin(NULL);
    assert_int_equal(unlink(support_path(state, "disk/table")), 0);
    const uint64_t before = 7; /* support_next_fault selects all of the first numbers: skip some */
    for (uint64_t i = support_next_fault(before); i <= before + cuts; i = support_next_fault(i)) {
        uint64_t random = seed + i;
        cut c = {.at = 1 + support_random_below(&random, changes), .loss = i % DISK_LOSSES};
        try_cut(state, s, &c, &random, expected);
    }
}

static void saves_of_every_ply_survive_a_cut(void **state) {
    try_cuts(state, &(scenario){.spec = spec}, 240);
}

static void saves_of_plies_in_memory_survive_a_cut(void **state) {
    try_cuts(state, &(scenario){.spec = spec, .spare_bytes = 64 << 20}, 150);
}

static void without_saves_a_build_starts_anew_after_a_cut(void **state) {
    try_cuts(state, &(scenario){.spec = spec, .spare_bytes = 64 << 20, .save_seconds = 1e9}, 60);
    assert_int_equal(rmdir(support_path(state, "disk")), 0);
}

static void saves_of_parts_survive_a_cut(void **state) {
    try_cuts(state, &(scenario){.spec = spec_of_parts, .part_entries = 1 << 20}, 24);
}

static void saves_of_parts_in_memory_survive_a_cut(void **state) {
    const scenario held = {.spec = spec_of_parts, .part_entries = 1 << 20, .spare_bytes = 4 << 20};
    try_cuts(state, &held, 12);
}

int main(void) {
    support_use_memory();
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(saves_of_every_ply_survive_a_cut),
        SUPPORT_IN_FOLDER(saves_of_plies_in_memory_survive_a_cut),
        SUPPORT_IN_FOLDER(without_saves_a_build_starts_anew_after_a_cut),
        SUPPORT_IN_FOLDER(saves_of_parts_survive_a_cut),
        SUPPORT_IN_FOLDER(saves_of_parts_in_memory_survive_a_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
