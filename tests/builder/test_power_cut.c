/* SPDX-License-Identifier: MIT
 *
 * Power cuts at random moments of a build, after which what was not synced is lost: all of it, or
 * contents but not names, or some of either. The same command resumes no earlier than from the last
 * save, and ends in the same bytes.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/support.h"
#include "tests/support/watched_disk.h"

static const char spec[] = "connect-4x3-k3", spec_of_parts[] = "connect-6x4-k4";

/* What is built, with plies cut into parts of so many entries (0: each is one). */
typedef struct scene {
    const char *spec;
    double part_entries, save_seconds;
    uint64_t spare_bytes;
} scene;

/* What a build reported, until the power was cut. */
typedef struct witness {
    bool has_reported;
    plb_progress first, last;
} witness;

static void witness_report(void *context, const plb_progress *progress) {
    witness *w = context;
    if (watched_disk_is_cut()) return;
    if (!w->has_reported) w->first = *progress;
    w->has_reported = true;
    w->last = *progress;
}

static bool build(const char *output, const scene *s, witness *w) {
    plb_space space;
    support_open_space(s->spec, &space);
    plb_build_options options = support_build_options(output, NULL, 1);
    options.budget = plb_budget_of_spare(s->spare_bytes);
    options.part_entries = s->part_entries;
    options.save_seconds = s->save_seconds;
    options.report = witness_report;
    options.context = w;
    plb_message why;
    plb_built built;
    support_expect(plb_build(&space, &options, &built, &why), PLB_OK, s->spec, &why);
    plb_space_close(&space);
    return built.existed;
}

/* Every ply that is reported to be done was saved when each is. */
static void assert_resumed(const plb_progress *before, const plb_progress *first, bool saves) {
    assert_true(first->resume_ply <= before->resume_ply);
    if (!saves || before->phase != PLB_FORWARD || first->phase != PLB_FORWARD) return;
    assert_true(first->ply > before->ply - !before->ply_done);
}

typedef struct cut {
    uint64_t at;
    disk_loss loss;
} cut;

/* False when the build ended before the cut. */
static bool try_cut(void **state, const scene *s, const cut *c, uint64_t *random,
                    const char *right) {
    witness before = {0}, after = {0};
    char output[SUPPORT_PATH];
    strcpy(output, support_path(state, "disk/table"));
    watched_disk_begin(support_path(state, "disk"));
    watched_disk_cut_at(c->at);
    build(output, s, &before);
    bool is_cut = watched_disk_is_cut();
    watched_disk_restore(c->loss, random);
    bool existed = build(output, s, &after);
    if (!existed && before.has_reported)
        assert_resumed(&before.last, &after.first, s->save_seconds == 0);
    support_assert_same_files(output, right);
    assert_int_equal(unlink(output), 0);
    if (support_exists(support_path(state, "disk/table.part")))
        fail_msg("cut at %llu, loss %d: scratch files are left", (unsigned long long)c->at,
                 c->loss);
    return is_cut;
}

static void try_cuts(void **state, const scene *s, int cuts) {
    char right[SUPPORT_PATH], disk[SUPPORT_PATH];
    witness whole = {0};
    const uint64_t seed = support_seed("cuts", 11);
    strcpy(right, support_path(state, "right"));
    strcpy(disk, support_path(state, "disk"));
    support_build(s->spec, right, NULL, 1);
    assert_int_equal(mkdir(disk, 0755), 0);
    watched_disk_begin(disk);
    build(support_path(state, "disk/table"), s, &whole);
    uint64_t changes = watched_disk_changes();
    watched_disk_begin(NULL);
    assert_int_equal(unlink(support_path(state, "disk/table")), 0);
    const uint64_t before = 7; /* of the first ones all would be tried */
    for (uint64_t i = support_next_fault(before); i <= before + cuts; i = support_next_fault(i)) {
        uint64_t random = seed + i;
        cut c = {.at = 1 + support_random_below(&random, changes), .loss = i % DISK_LOSSES};
        assert_true(try_cut(state, s, &c, &random, right));
    }
}

static void saves_of_every_ply_outlast_a_cut(void **state) {
    try_cuts(state, &(scene){.spec = spec}, 240);
}

static void saves_of_held_plies_outlast_a_cut(void **state) {
    try_cuts(state, &(scene){.spec = spec, .spare_bytes = 64 << 20}, 150);
}

static void without_saves_a_cut_costs_time_alone(void **state) {
    try_cuts(state, &(scene){.spec = spec, .spare_bytes = 64 << 20, .save_seconds = 1e9}, 60);
    assert_int_equal(rmdir(support_path(state, "disk")), 0);
}

static void saves_of_parts_outlast_a_cut(void **state) {
    try_cuts(state, &(scene){.spec = spec_of_parts, .part_entries = 1 << 20}, 24);
}

static void saves_of_held_parts_outlast_a_cut(void **state) {
    const scene held = {.spec = spec_of_parts, .part_entries = 1 << 20, .spare_bytes = 4 << 20};
    try_cuts(state, &held, 12);
}

int main(void) {
    support_use_memory();
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(saves_of_every_ply_outlast_a_cut),
        SUPPORT_IN_FOLDER(saves_of_held_plies_outlast_a_cut),
        SUPPORT_IN_FOLDER(without_saves_a_cut_costs_time_alone),
        SUPPORT_IN_FOLDER(saves_of_parts_outlast_a_cut),
        SUPPORT_IN_FOLDER(saves_of_held_parts_outlast_a_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
