/* SPDX-License-Identifier: MIT
 *
 * The memory of a machine, from copies of /proc and /sys: free memory, or the limits of control
 * groups.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "tests/support/support.h"
#include "tools/terminal/machine_memory.h"

#define MIB (1024. * 1024)

static void write_text(void **state, const char *name, const char *text) {
    char path[SUPPORT_PATH];
    snprintf(path, sizeof path, "%s", support_path(state, name));
    for (char *slash = path + strlen(*(char **)state) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = 0;
        mkdir(path, 0777);
        *slash = '/';
    }
    support_write_file(path, text, strlen(text));
}

static void assert_memory(void **state, double all, double free_now) {
    const char *root = *state;
    assert_true(machine_memory_bytes(MEMORY_TOTAL, root) == all);
    assert_true(machine_memory_bytes(MEMORY_FREE, root) == free_now);
}

static void make_machine(void **state, const char *groups) {
    write_text(state, "proc/meminfo",
               "MemTotal:       24576 kB\nMemFree:        1 kB\nMemAvailable:   16384 kB\n");
    write_text(state, "proc/self/cgroup", groups);
}

static void without_control_groups_it_is_all_memory(void **state) {
    assert_memory(state, 0, 0);
    make_machine(state, "0::/\n");
    assert_memory(state, 24 * MIB, 16 * MIB);
}

static void the_least_limit_of_a_group_and_its_parents_applies(void **state) {
    make_machine(state, "1:name=systemd:/\n0::/a.slice/b.service\n");
    write_text(state, "sys/fs/cgroup/a.slice/b.service/memory.max", "max\n");
    assert_memory(state, 24 * MIB, 16 * MIB);
    write_text(state, "sys/fs/cgroup/a.slice/memory.max", "20971520\n");
    assert_memory(state, 20 * MIB, 16 * MIB);
    write_text(state, "sys/fs/cgroup/a.slice/b.service/memory.max", "8388608\n");
    assert_memory(state, 8 * MIB, 8 * MIB);
    write_text(state, "sys/fs/cgroup/memory.max", "4194304\n");
    assert_memory(state, 4 * MIB, 4 * MIB);
}

/* Version 1, in a container that does not see the folder of its group. */
static void limits_of_control_groups_v1_apply(void **state) {
    make_machine(state, "5:cpu:/\n4:memory:/docker/0123\n");
    write_text(state, "sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    assert_memory(state, 24 * MIB, 16 * MIB);
    write_text(state, "sys/fs/cgroup/memory/memory.limit_in_bytes", "2097152\n");
    assert_memory(state, 2 * MIB, 2 * MIB);
}

static void limits_of_the_process_apply(void **state) {
    struct rlimit old, limit;
    make_machine(state, "0::/\n");
    assert_int_equal(getrlimit(RLIMIT_DATA, &old), 0);
    limit = (struct rlimit){12 << 20, old.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_DATA, &limit), 0);
    double all = machine_memory_bytes(MEMORY_TOTAL, *state);
    assert_int_equal(setrlimit(RLIMIT_DATA, &old), 0);
    assert_true(all == 12 * MIB);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(without_control_groups_it_is_all_memory),
        SUPPORT_IN_FOLDER(the_least_limit_of_a_group_and_its_parents_applies),
        SUPPORT_IN_FOLDER(limits_of_control_groups_v1_apply),
        SUPPORT_IN_FOLDER(limits_of_the_process_apply),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
