/* SPDX-License-Identifier: MIT
 *
 * Renaming without replacing, on file systems that can do it in one step, by hard links, or not at
 * all.
 */
#include "tables/rename.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/support.h"
#include "tests/support/watched_disk.h"

/* What file systems lack: ext4 nothing, NFS one of two, some of FUSE both. */
static const unsigned file_systems[] = {0, DISK_NO_NEW_NAME, DISK_NO_NEW_NAME | DISK_NO_LINK};
enum { FILE_SYSTEMS = sizeof file_systems / sizeof file_systems[0] };

static void use(void **state, unsigned lacking) {
    watched_disk_begin(*state);
    watched_disk_lack(lacking);
}

static void assert_content(const char *path, const char *content) {
    size_t size;
    uint8_t *bytes = support_read_file(path, &size);
    if (size != strlen(content) || memcmp(bytes, content, size) != 0)
        fail_msg("%s is not '%s'", path, content);
    free(bytes);
}

static void a_file_gets_its_name(void **state) {
    const char *from = support_path(state, "from"), *to = support_path(state, "to");
    for (int replaces = 0; replaces < 2; replaces++)
        for (int f = 0; f < FILE_SYSTEMS; f++) {
            use(state, file_systems[f]);
            support_write_file(from, "new", 3);
            assert_int_equal(plb_rename(from, to, replaces), 0);
            assert_content(to, "new");
            assert_int_equal(support_count_files(state), 1);
            assert_int_equal(unlink(to), 0);
        }
}

static void a_file_is_replaced_if_wanted_only(void **state) {
    const char *from = support_path(state, "from"), *to = support_path(state, "to");
    for (int f = 0; f < FILE_SYSTEMS; f++) {
        use(state, file_systems[f]);
        support_write_file(from, "new", 3);
        support_write_file(to, "old", 3);
        assert_int_equal(plb_rename(from, to, false), -1);
        assert_int_equal(errno, EEXIST);
        assert_content(from, "new");
        assert_content(to, "old");
        assert_int_equal(plb_rename(from, to, true), 0);
        assert_content(to, "new");
        assert_int_equal(support_count_files(state), 1);
    }
}

/* Not even by its name: a link to nowhere is something, too. */
static void a_symbolic_link_stays(void **state) {
    const char *from = support_path(state, "from"), *to = support_path(state, "to");
    support_write_file(from, "new", 3);
    assert_int_equal(symlink("nowhere", to), 0);
    for (int f = 0; f < FILE_SYSTEMS; f++) {
        use(state, file_systems[f]);
        assert_int_equal(plb_rename(from, to, false), -1);
        assert_int_equal(errno, EEXIST);
    }
    assert_content(from, "new");
}

static void folders_are_renamed_too(void **state) {
    const char *from = support_path(state, "from"), *to = support_path(state, "to");
    for (int f = 0; f < FILE_SYSTEMS; f++) {
        use(state, file_systems[f]);
        assert_int_equal(mkdir(from, 0755), 0);
        assert_int_equal(mkdir(to, 0755), 0);
        assert_int_equal(plb_rename(from, to, false), -1);
        assert_int_equal(errno, EEXIST);
        assert_int_equal(rmdir(to), 0);
        assert_int_equal(plb_rename(from, to, false), 0);
        assert_int_equal(rmdir(to), 0);
    }
}

static void a_lost_answer_of_a_server_does_not_matter(void **state) {
    const char *from = support_path(state, "from"), *to = support_path(state, "to");
    use(state, DISK_NO_NEW_NAME | DISK_LOSES_ANSWER);
    support_write_file(from, "new", 3);
    assert_int_equal(plb_rename(from, to, false), 0);
    assert_content(to, "new");
    assert_int_equal(support_count_files(state), 1);
}

static void failures_are_told(void **state) {
    const char *from = support_path(state, "none"), *to = support_path(state, "to");
    for (int f = 0; f < FILE_SYSTEMS; f++) {
        use(state, file_systems[f]);
        assert_int_equal(plb_rename(from, to, false), -1);
        assert_int_equal(errno, ENOENT);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(a_file_gets_its_name),
        SUPPORT_IN_FOLDER(a_file_is_replaced_if_wanted_only),
        SUPPORT_IN_FOLDER(a_symbolic_link_stays),
        SUPPORT_IN_FOLDER(folders_are_renamed_too),
        SUPPORT_IN_FOLDER(a_lost_answer_of_a_server_does_not_matter),
        SUPPORT_IN_FOLDER(failures_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
