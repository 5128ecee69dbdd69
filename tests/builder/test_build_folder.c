/* SPDX-License-Identifier: MIT
 *
 * The folder of scratch files: a build deletes no file that no build has made, and uses no file of
 * another build. Whatever is in the folder, it builds the right bytes or ends with an error that
 * names the file.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "builder/scratch/build_folder.h"
#include "tests/support/support.h"

static const char spec[] = "connect-4x3-k3", other_spec[] = "connect-4x3-k3-misere";
enum { CELLS = 12, MIDDLE = 6 };

/* Interrupts a build when a ply is solved. */
typedef struct stopper {
    int ply; /* -1: never */
    volatile sig_atomic_t stop;
    int resumed; /* resume_ply of the first report; -1: there was none */
} stopper;

static void stop_at_ply(void *context, const plb_progress *progress) {
    stopper *s = context;
    if (s->resumed < 0) s->resumed = progress->resume_ply;
    if (progress->phase == PLB_BACKWARD && progress->ply_done && progress->ply == s->ply)
        s->stop = 1;
}

/* Build, and save every ply. */
static int build(const char *name, const char *output, bool force, stopper *s, plb_message *why) {
    plb_build_options options = support_build_options(output, NULL, 1);
    s->resumed = -1;
    options.force = force;
    options.stop = &s->stop;
    options.report = stop_at_ply;
    options.context = s;
    return support_run_build(name, &options, NULL, why);
}

static void assert_refused(const char *name, const char *output, bool force, int expected,
                           const char *word) {
    stopper s = {.ply = -1};
    plb_message why = {.text = ""};
    support_expect(build(name, output, force, &s, &why), expected, name, &why);
    if (!strstr(why.text, word)) fail_msg("'%s' does not name %s", why.text, word);
    assert_false(support_exists(output));
}

static void assert_built(const char *name, const char *output, bool force) {
    stopper s = {.ply = -1};
    plb_message why = {.text = ""};
    support_expect(build(name, output, force, &s, &why), PLB_OK, name, &why);
}

static void interrupt(const char *name, const char *output) {
    stopper s = {.ply = MIDDLE};
    assert_int_equal(build(name, output, false, &s, NULL), PLB_EINTERRUPTED);
}

/* Copy the path of the table: that of support_path is valid for a few calls only. */
static void name_output(void **state, char output[SUPPORT_PATH]) {
    strcpy(output, support_path(state, "table"));
}

/* A path in the folder of the table's build. */
static const char *in_part(void **state, const char *name) {
    char path[PLB_NAME_TEXT + 16];
    snprintf(path, sizeof path, "table.part/%.*s", PLB_NAME_TEXT, name);
    return support_path(state, path);
}

static const char *right_table(void **state) {
    const char *right = support_path(state, "right");
    if (!support_exists(right)) support_build(spec, right, NULL, 1);
    return right;
}

/* ---- files that no build has made ---- */

static void a_foreign_file_is_refused(void **state) {
    char output[SUPPORT_PATH];
    name_output(state, output);
    const char *thesis = in_part(state, "thesis.txt");
    assert_int_equal(mkdir(support_path(state, "table.part"), 0755), 0);
    support_write_file(thesis, "mine", 4);
    for (int force = 0; force < 2; force++) {
        assert_refused(spec, output, force, PLB_ENOTTABLE, "thesis.txt");
        assert_true(support_exists(thesis));
        assert_false(support_exists(in_part(state, "lock")));
    }
    assert_int_equal(unlink(thesis), 0);
    assert_built(spec, output, false);
    support_assert_same_files(output, right_table(state));
}

static void a_foreign_file_beside_a_build_is_refused(void **state) {
    char output[SUPPORT_PATH];
    name_output(state, output);
    const char *thesis = in_part(state, "reach.5");
    interrupt(spec, output);
    support_write_file(thesis, "mine", 4);
    for (int force = 0; force < 2; force++) {
        assert_refused(spec, output, force, PLB_ENOTTABLE, "reach.5");
        assert_true(support_exists(thesis));
    }
    assert_int_equal(unlink(thesis), 0);
    assert_built(spec, output, false);
    support_assert_same_files(output, right_table(state));
}

static void a_link_to_a_foreign_file_is_refused(void **state) {
    char output[SUPPORT_PATH];
    name_output(state, output);
    const char *home = support_path(state, "home"),
               *thesis = support_path(state, "home/thesis.txt");
    assert_int_equal(mkdir(home, 0755), 0);
    support_write_file(thesis, "mine", 4);
    assert_int_equal(symlink(home, support_path(state, "table.part")), 0);
    for (int force = 0; force < 2; force++) {
        assert_refused(spec, output, force, PLB_ENOTTABLE, "thesis.txt");
        assert_true(support_exists(thesis));
    }
    assert_int_equal(unlink(thesis), 0);
    assert_built(spec, output, false);
    support_assert_same_files(output, right_table(state));
    assert_true(support_exists(home));
}

/* ---- label ---- */

static void write_label(void **state, size_t size) {
    const char *path = in_part(state, "game");
    size_t whole;
    uint8_t *bytes = support_read_file(path, &whole);
    assert_true(size < whole);
    support_write_file(path, bytes, size);
    free(bytes);
}

/* Cut short, the label of the other game could be mistaken for one that was being written. */
static void scratch_without_a_whole_label_is_refused(void **state) {
    static const size_t sizes[] = {90, 60, 30, 10, 1, 0};
    char output[SUPPORT_PATH];
    name_output(state, output);
    interrupt(other_spec, output);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        write_label(state, sizes[i]);
        for (int force = 0; force < 2; force++) {
            assert_refused(spec, output, force, PLB_ECORRUPT, "'game'");
            assert_refused(other_spec, output, force, PLB_ECORRUPT, "remove the folder");
        }
    }
    assert_int_equal(unlink(in_part(state, "game")), 0);
    assert_refused(spec, output, true, PLB_ECORRUPT, "'game'");
    assert_true(support_exists(in_part(state, "values.06")));
}

static void a_build_of_another_version_is_refused(void **state) {
    char output[SUPPORT_PATH], label[SUPPORT_PATH];
    name_output(state, output);
    size_t size;
    strcpy(label, in_part(state, "game"));
    interrupt(spec, output);
    char *text = (char *)support_read_file(label, &size);
    char *version = memmem(text, size, " scratch 1", 10);
    assert_non_null(version);
    version[9]++;
    support_write_file(label, (uint8_t *)text, size);
    assert_refused(spec, output, false, PLB_EOTHERGAME, "another version of plybase has begun");
    assert_refused(other_spec, output, false, PLB_EOTHERGAME, "the unfinished build of");
    version[9]--;
    support_write_file(label, (uint8_t *)text, size);
    free(text);
    assert_built(spec, output, false);
}

static void a_label_without_scratch_files_is_ignored(void **state) {
    char output[SUPPORT_PATH];
    name_output(state, output);
    assert_int_equal(mkdir(support_path(state, "table.part"), 0755), 0);
    support_write_file(in_part(state, "game"), "", 0);
    support_write_file(in_part(state, "lock"), "", 0);
    assert_built(spec, output, false);
    support_assert_same_files(output, right_table(state));
}

/* ---- files of another build, another ply, another kind ---- */

/* A change of scratch files is detected, or the table is right all the same. With --force the build
 * starts anew. */
static void assert_right_or_refused(void **state, const char *output) {
    stopper s = {.ply = -1};
    plb_message why = {.text = ""};
    int error = build(spec, output, false, &s, &why);
    if (error) {
        support_expect(error, PLB_ECORRUPT, "changed scratch files", &why);
        assert_non_null(strstr(why.text, "scratch file "));
        assert_non_null(strstr(why.text, "--force"));
        assert_built(spec, output, true);
    }
    support_assert_same_files(output, right_table(state));
    assert_int_equal(unlink(output), 0);
}

/* Names of all scratch files of an interrupted build. */
static int list_scratch(void **state, char names[][PLB_NAME_TEXT]) {
    char path[SUPPORT_PATH];
    plb_folder_files files;
    int count = 0;
    strcpy(path, support_path(state, "table.part"));
    assert_int_equal(plb_build_folder_list(&(plb_build_folder){.path = path}, &files, NULL),
                     PLB_OK);
    for (plb_scratch_file file = {0}; plb_scratch_set_find(&files.saved, &file); file.part++)
        plb_build_folder_name(file, true, names[count++]);
    return count;
}

static void exchanged_files_are_detected(void **state) {
    char names[64][PLB_NAME_TEXT];
    char output[SUPPORT_PATH];
    name_output(state, output);
    interrupt(spec, output);
    int count = list_scratch(state, names);
    assert_int_equal(count, 6 + 1 + 7); /* reach files, values of ply 6, tables of plies 6 to 12 */
    for (int a = 0; a < count; a++)
        for (int b = a + 1; b < count; b++) {
            char first[SUPPORT_PATH], second[SUPPORT_PATH], third[SUPPORT_PATH];
            if (!support_exists(in_part(state, "game"))) interrupt(spec, output);
            strcpy(first, in_part(state, names[a]));
            strcpy(second, in_part(state, names[b]));
            strcpy(third, support_path(state, "third"));
            assert_int_equal(rename(first, third) + rename(second, first) + rename(third, second),
                             0);
            assert_right_or_refused(state, output);
        }
}

/* Files of another game, and of another build of this game. */
static void files_of_another_build_are_detected(void **state) {
    const char *const games[] = {other_spec, spec};
    char names[64][PLB_NAME_TEXT], other[PLB_NAME_TEXT + 16];
    char output[SUPPORT_PATH];
    name_output(state, output);
    for (int g = 0; g < 2; g++) {
        interrupt(games[g], support_path(state, "other"));
        interrupt(spec, output);
        int count = list_scratch(state, names);
        for (int n = 0; n < count; n++) {
            if (!support_exists(in_part(state, "game"))) interrupt(spec, output);
            snprintf(other, sizeof other, "other.part/%.*s", PLB_NAME_TEXT, names[n]);
            support_copy_file(support_path(state, other), in_part(state, names[n]));
            assert_refused(spec, output, false, PLB_ECORRUPT, names[n]);
            assert_built(spec, output, true);
            support_assert_same_files(output, right_table(state));
            assert_int_equal(unlink(output), 0);
        }
        assert_built(games[g], support_path(state, "other"), true);
        assert_int_equal(unlink(support_path(state, "other")), 0);
    }
}

static void a_missing_file_is_detected(void **state) {
    char names[64][PLB_NAME_TEXT];
    char output[SUPPORT_PATH];
    name_output(state, output);
    interrupt(spec, output);
    int count = list_scratch(state, names);
    for (int n = 0; n < count; n++) {
        if (!support_exists(in_part(state, "game"))) interrupt(spec, output);
        assert_int_equal(unlink(in_part(state, names[n])), 0);
        assert_right_or_refused(state, output);
    }
}

/* A folder has the name of a scratch file: even root cannot delete it as a file. */
static void a_file_that_cannot_be_deleted_is_an_error(void **state) {
    char output[SUPPORT_PATH];
    name_output(state, output);
    const char *stubborn = in_part(state, "reach.03");
    interrupt(other_spec, output);
    assert_int_equal(unlink(stubborn), 0);
    assert_int_equal(mkdir(stubborn, 0755), 0);
    assert_refused(spec, output, true, PLB_EIO, "reach.03");
    assert_int_equal(rmdir(stubborn), 0);
    assert_built(spec, output, true);
    support_assert_same_files(output, right_table(state));
}

/* ---- resuming ---- */

static void a_build_reports_where_it_resumes(void **state) {
    char output[SUPPORT_PATH];
    name_output(state, output);
    stopper s = {.ply = -1};
    interrupt(spec, output);
    assert_int_equal(build(spec, output, false, &s, NULL), PLB_OK);
    assert_int_equal(s.resumed, MIDDLE);
    assert_int_equal(unlink(output), 0);
    assert_int_equal(build(spec, output, false, &s, NULL), PLB_OK);
    assert_int_equal(s.resumed, CELLS + 1);
}

static void a_trial_leaves_an_unfinished_build_alone(void **state) {
    char output[SUPPORT_PATH];
    name_output(state, output);
    plb_space space;
    support_open_space(spec, &space);
    plb_build_options options = support_build_options(output, NULL, 1);
    stopper s = {.ply = -1};
    plb_message why;
    interrupt(spec, output);
    support_expect(plb_build_trial(&space, &options, MIDDLE, &why), PLB_EOTHERGAME, spec, &why);
    assert_int_equal(build(spec, output, false, &s, NULL), PLB_OK);
    assert_int_equal(s.resumed, MIDDLE);
    support_assert_same_files(output, right_table(state));
    plb_space_close(&space);
}

/* plb_build_folder_max_bytes includes the free space, which may change between two calls. */
static void folders_of_ranks_count_as_their_space(void **state) {
    enum { SIZE = 8 << 20, NEAR = 1 << 20, TRIES = 20 };
    static const char *const folders[] = {"t.rank1.part", "t.rank2", "other.rank1.part",
                                          "t.rank3.part"};
    static const char head[] = "unfinished table of plybase\n",
                      own[] = "connect-4x4-k4 wdl shards ";
    char output[SUPPORT_PATH];
    uint8_t *bytes = calloc(1, SIZE);
    double more = 0;
    strcpy(output, support_path(state, "t"));
    for (int f = 0; f < 4; f++) {
        char file[32], label[128];
        snprintf(file, sizeof file, "%s/table.12", folders[f]);
        assert_int_equal(mkdir(support_path(state, folders[f]), 0777), 0);
        support_write_file(support_path(state, file), bytes, SIZE);
        snprintf(file, sizeof file, "%s/game", folders[f]);
        snprintf(label, sizeof label, "%s%sslabs build 1\n", head,
                 f == 3 ? "connect-4x4-k4 dtm shards " : own);
        support_write_file(support_path(state, file), (uint8_t *)label, strlen(label));
    }
    for (int n = 0; n < TRIES && fabs(more - SIZE) > NEAR; n++)
        more = plb_build_folder_max_bytes(output, own) - plb_build_folder_max_bytes(output, NULL);
    assert_true(fabs(more - SIZE) <= NEAR);
    free(bytes);
}

int main(void) {
    support_use_memory();
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(a_foreign_file_is_refused),
        SUPPORT_IN_FOLDER(a_foreign_file_beside_a_build_is_refused),
        SUPPORT_IN_FOLDER(a_link_to_a_foreign_file_is_refused),
        SUPPORT_IN_FOLDER(scratch_without_a_whole_label_is_refused),
        SUPPORT_IN_FOLDER(a_build_of_another_version_is_refused),
        SUPPORT_IN_FOLDER(a_label_without_scratch_files_is_ignored),
        SUPPORT_IN_FOLDER(exchanged_files_are_detected),
        SUPPORT_IN_FOLDER(files_of_another_build_are_detected),
        SUPPORT_IN_FOLDER(a_missing_file_is_detected),
        SUPPORT_IN_FOLDER(a_file_that_cannot_be_deleted_is_an_error),
        SUPPORT_IN_FOLDER(a_build_reports_where_it_resumes),
        SUPPORT_IN_FOLDER(folders_of_ranks_count_as_their_space),
        SUPPORT_IN_FOLDER(a_trial_leaves_an_unfinished_build_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
