/* SPDX-License-Identifier: MIT
 *
 * The folder of a site gets its name on file systems with and without the rename that replaces
 * nothing or exchanges two folders. What another process makes meanwhile stays.
 */
#include "tools/site/site_folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/support.h"
#include "tests/support/watched_disk.h"

/* What file systems lack: ext4 nothing, NFS both, an overlay one. */
static const unsigned file_systems[] = {0, DISK_NO_NEW_NAME, DISK_NO_EXCHANGE};
enum { FILE_SYSTEMS = sizeof file_systems / sizeof file_systems[0] };

/* A file of a site, valid until the next call. */
static const char *in_site(const char *path, const char *name) {
    static char file[SUPPORT_PATH + 32];
    snprintf(file, sizeof file, "%s/%s", path, name);
    return file;
}

/* Write a site without tables; `meanwhile`: before it is finished, another process makes a folder.
 */
static int write_site(const char *path, bool force, bool meanwhile, plb_message *why) {
    site_folder site;
    int error = site_folder_open(path, force, 0, &site, why);
    if (meanwhile) assert_int_equal(mkdir(path, 0755), 0);
    if (!error) error = site_folder_finish(&site, why);
    site_folder_close(&site);
    return error;
}

static void sites_replace_and_are_replaced_by_force_only(void **state) {
    const char *path = support_path(state, "site");
    for (int f = 0; f < FILE_SYSTEMS; f++) {
        char command[SUPPORT_PATH + 16];
        plb_message why = {""};
        watched_disk_begin(*state);
        watched_disk_lack(file_systems[f]);
        support_expect(write_site(path, false, false, &why), PLB_OK, path, &why);
        support_write_file(in_site(path, "mine"), "mine", 4);
        assert_int_equal(write_site(path, false, false, &why), PLB_EARGUMENT);
        assert_true(support_exists(in_site(path, "mine")));
        support_expect(write_site(path, true, false, &why), PLB_OK, path, &why);
        assert_false(support_exists(in_site(path, "mine")));
        assert_true(support_exists(in_site(path, "tables/tables.json")));
        assert_int_equal(support_count_files(state), 1);
        snprintf(command, sizeof command, "rm -r '%s'", path);
        assert_int_equal(system(command), 0);
    }
}

static void a_folder_made_meanwhile_stays(void **state) {
    const char *path = support_path(state, "site"), *kept = support_path(state, "site.part");
    for (int f = 0; f < FILE_SYSTEMS; f++) {
        plb_message why = {""};
        watched_disk_begin(*state);
        watched_disk_lack(file_systems[f]);
        assert_int_equal(write_site(path, false, true, &why), PLB_EARGUMENT);
        assert_non_null(strstr(why.text, "and it stays: the complete new site is "));
        assert_int_equal(rmdir(path), 0); /* it is empty */
        assert_true(support_exists(in_site(kept, "tables/tables.json")));
    }
}

/* PATH.part is not in the folder that is replaced. */
static void a_path_may_end_with_slashes(void **state) {
    const char *path = support_path(state, "site//");
    for (int f = 0; f < FILE_SYSTEMS; f++) {
        plb_message why = {""};
        watched_disk_begin(*state);
        watched_disk_lack(file_systems[f]);
        support_expect(write_site(path, f > 0, false, &why), PLB_OK, path, &why);
        support_expect(write_site(path, true, false, &why), PLB_OK, path, &why);
        assert_true(support_exists(in_site(path, "tables/tables.json")));
        assert_int_equal(support_count_files(state), 1);
    }
}

/* A site that a server has open on NFS cannot be removed, and an old PATH.old is not touched. */
static void a_new_site_is_there_even_if_the_old_one_stays(void **state) {
    const char *path = support_path(state, "site"), *old = support_path(state, "site.old");
    plb_message why = {""};
    watched_disk_begin(*state);
    support_expect(write_site(path, false, false, &why), PLB_OK, path, &why);
    support_write_file(in_site(path, "mine"), "mine", 4);
    watched_disk_lack(DISK_NO_NEW_NAME);
    watched_disk_arm(DISK_DELETE, 1, EBUSY, true);
    assert_int_not_equal(write_site(path, true, false, &why), PLB_OK);
    assert_true(watched_disk_disarm());
    assert_non_null(strstr(why.text, "site.old"));
    assert_true(support_exists(in_site(path, "tables/tables.json")));
    assert_false(support_exists(in_site(path, "mine")));
    assert_true(support_exists(in_site(old, "mine")));
    support_expect(write_site(path, true, false, &why), PLB_OK, path, &why);
    assert_true(support_exists(in_site(path, "tables/tables.json")));
    assert_true(support_exists(in_site(old, "mine")));
}

int main(void) {
    site_folder site;
    plb_message why = {""};
    int error = site_folder_open("/", false, 0, &site, &why);
    site_folder_close(&site);
    if (error && strstr(why.text, "without the module")) return 77;
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(sites_replace_and_are_replaced_by_force_only),
        SUPPORT_IN_FOLDER(a_folder_made_meanwhile_stays),
        SUPPORT_IN_FOLDER(a_path_may_end_with_slashes),
        SUPPORT_IN_FOLDER(a_new_site_is_there_even_if_the_old_one_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
