/* SPDX-License-Identifier: MIT
 *
 * Files that commands write, on file systems with and without unnamed files, a rename that replaces
 * nothing, and links. Whichever call fails: there is no half of a file, and no other file is lost.
 */
#include "tools/terminal/output_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/support.h"
#include "tests/support/watched_disk.h"

/* What file systems lack: ext4 nothing, NFS and some of FUSE most. */
static const unsigned file_systems[] = {0, DISK_NO_NEW_NAME, DISK_NO_UNNAMED,
                                        DISK_NO_UNNAMED | DISK_NO_NEW_NAME,
                                        DISK_NO_UNNAMED | DISK_NO_NEW_NAME | DISK_NO_LINK};
enum { FILE_SYSTEMS = sizeof file_systems / sizeof file_systems[0] };

static void use(void **state, int number) {
    watched_disk_begin(*state);
    watched_disk_lack(file_systems[number]);
}

static void assert_content(const char *path, const char *content) {
    size_t size;
    uint8_t *bytes = support_read_file(path, &size);
    if (size != strlen(content) || memcmp(bytes, content, size) != 0)
        fail_msg("%s is not '%s'", path, content);
    free(bytes);
}

/* Write a file; `meanwhile`: before it is finished, another process makes one of its name. */
static int write_file(const char *path, bool force, bool meanwhile, plb_message *why) {
    output_file file;
    int error = output_file_open(path, force, &file, why);
    if (meanwhile) support_write_file(path, "mine", 4);
    if (!error) error = output_file_add(&file, "new", 3, why);
    if (!error) error = output_file_finish(&file, why);
    output_file_close(&file);
    return error;
}

static void a_file_is_written(void **state) {
    const char *path = support_path(state, "out");
    for (int f = 0; f < 2 * FILE_SYSTEMS; f++) {
        bool force = f >= FILE_SYSTEMS;
        plb_message why = {""};
        struct stat status;
        mode_t mask = umask(0);
        umask(mask);
        use(state, f % FILE_SYSTEMS);
        support_expect(write_file(path, force, false, &why), PLB_OK, path, &why);
        assert_content(path, "new");
        assert_int_equal(stat(path, &status), 0);
        assert_int_equal(status.st_mode & 0777, 0666 & ~mask);
        assert_int_equal(support_count_files(state), 1);
        assert_int_equal(unlink(path), 0);
    }
}

static void an_old_file_is_replaced_by_force_only(void **state) {
    const char *path = support_path(state, "out");
    for (int f = 0; f < FILE_SYSTEMS; f++) {
        plb_message why = {""};
        use(state, f);
        support_write_file(path, "old", 3);
        assert_int_equal(write_file(path, false, false, &why), PLB_EARGUMENT);
        assert_non_null(strstr(why.text, "out exists; --force replaces it"));
        assert_content(path, "old");
        support_expect(write_file(path, true, false, &why), PLB_OK, path, &why);
        assert_content(path, "new");
        assert_int_equal(support_count_files(state), 1);
    }
}

/* It is refused before work is done, not as if another process had made it. */
static void a_link_to_nowhere_is_replaced_by_force_only(void **state) {
    const char *path = support_path(state, "out");
    output_file file;
    for (int f = 0; f < FILE_SYSTEMS; f++) {
        plb_message why = {""};
        use(state, f);
        assert_int_equal(symlink("nowhere", path), 0);
        assert_int_equal(output_file_open(path, false, &file, &why), PLB_EARGUMENT);
        output_file_close(&file);
        assert_non_null(strstr(why.text, "out exists; --force replaces it"));
        support_expect(write_file(path, true, false, &why), PLB_OK, path, &why);
        assert_content(path, "new");
        assert_int_equal(support_count_files(state), 1);
        assert_int_equal(unlink(path), 0);
    }
}

/* The complete file is kept, and the message says where. */
static void a_file_made_meanwhile_stays(void **state) {
    const char *path = support_path(state, "out");
    for (int f = 0; f < FILE_SYSTEMS; f++) {
        plb_message why = {""};
        use(state, f);
        assert_int_equal(write_file(path, false, true, &why), PLB_EARGUMENT);
        assert_content(path, "mine");
        const char *kept = strstr(why.text, "the complete new file is /");
        assert_non_null(kept);
        kept = strchr(kept, '/');
        assert_content(kept, "new");
        assert_int_equal(support_count_files(state), 2);
        assert_int_equal(unlink(kept), 0);
        support_expect(write_file(path, true, true, &why), PLB_OK, path, &why);
        assert_content(path, "new");
        assert_int_equal(support_count_files(state), 1);
        assert_int_equal(unlink(path), 0);
    }
}

static void every_fault_leaves_other_files_alone(void **state) {
    static const disk_call calls[] = {DISK_OPEN, DISK_SYNC, DISK_RENAME};
    const char *path = support_path(state, "out");
    for (int f = 0; f < 3 * 4 * FILE_SYSTEMS; f++) {
        bool force = f / 3 % 2, meanwhile = f / 6 % 2, failed = true;
        for (int nth = 1; failed; nth++) {
            plb_message why = {""};
            use(state, f / 12);
            watched_disk_arm(calls[f % 3], nth, ENOSPC, false);
            int error = write_file(path, force, meanwhile, &why);
            failed = watched_disk_disarm();
            assert_true((error != 0) == (why.text[0] != 0));
            assert_true(!error || failed || meanwhile);
            if (!error) assert_content(path, "new");
            if (error && meanwhile) assert_content(path, "mine");
            if (error && !meanwhile) assert_false(support_exists(path));
            const char *kept = strstr(why.text, "the complete new file is /");
            if (kept) assert_int_equal(unlink(strchr(kept, '/')), 0);
            unlink(path);
            assert_int_equal(support_count_files(state), 0);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(a_file_is_written),
        SUPPORT_IN_FOLDER(an_old_file_is_replaced_by_force_only),
        SUPPORT_IN_FOLDER(a_link_to_nowhere_is_replaced_by_force_only),
        SUPPORT_IN_FOLDER(a_file_made_meanwhile_stays),
        SUPPORT_IN_FOLDER(every_fault_leaves_other_files_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
