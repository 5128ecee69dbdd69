/* SPDX-License-Identifier: MIT
 *
 * Memory as Linux reports it. A control group has a path; each folder of the path may have a limit:
 *
 *     /proc/self/cgroup      0::/user.slice/a.service     version 2: memory.max, a number or "max"
 *                            4:memory:/docker/b           version 1: memory.limit_in_bytes
 *
 * In a container the path may exist on the host only: then the limit is in a folder above it.
 */
#include "tools/terminal/machine_memory.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "tables/threads.h"

/* The lowest limit of a group and its parents, up to the folder of all groups. */
static double limit_at_path(const char *root, const char *groups, const char *path,
                            const char *name) {
    char folder[PATH_MAX];
    double limit = HUGE_VAL;
    size_t top = strlen(root) + strlen(groups);
    int length = snprintf(folder, sizeof folder, "%s%s%s", root, groups, path);
    if (length >= (int)sizeof folder) return limit;
    for (char *end = folder + length; end; end = strrchr(folder + top, '/')) {
        char file_name[PATH_MAX];
        double bytes;
        *end = 0;
        if (snprintf(file_name, sizeof file_name, "%s/%s", folder, name) >= (int)sizeof file_name)
            continue;
        FILE *file = fopen(file_name, "re");
        if (file && fscanf(file, "%lf", &bytes) == 1)
            limit = fmin(limit, bytes); /* NOLINT: the kernel writes the file */
        if (file) fclose(file);
    }
    return limit;
}

static double group_limit(const char *root) {
    char path[PATH_MAX], line[PATH_MAX];
    double limit = HUGE_VAL;
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        const char *in = strchr(line, ':'), *group = in ? strchr(in + 1, ':') : NULL;
        if (!group) continue;
        if (group == in + 1)
            limit = fmin(limit, limit_at_path(root, "/sys/fs/cgroup", group + 1, "memory.max"));
        else if (strncmp(in, ":memory:", strlen(":memory:")) == 0)
            limit = fmin(limit, limit_at_path(root, "/sys/fs/cgroup/memory", group + 1,
                                              "memory.limit_in_bytes"));
    }
    if (file) fclose(file);
    return limit;
}

static double limit_of_process(int resource) {
    struct rlimit limit;
    bool is_limited = getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    return is_limited ? (double)limit.rlim_cur : HUGE_VAL;
}

double machine_memory_bytes(machine_memory kind, const char *root) {
    const char *name = kind == MEMORY_TOTAL ? "MemTotal" : "MemAvailable";
    char path[PATH_MAX], line[128], found[sizeof line];
    double kib = 0;
    snprintf(path, sizeof path, "%s/proc/meminfo", root);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "%127[^:]: %lf kB", found, &kib) == 2 && strcmp(found, name) == 0) break;
    if (file) fclose(file);
    double bytes = kib * 1024;
    double process = fmin(limit_of_process(RLIMIT_AS), limit_of_process(RLIMIT_DATA));
    return fmin(bytes, fmin(process, group_limit(root)));
}

double address_space_bytes(int threads) {
    return fmax(0, limit_of_process(RLIMIT_AS) - (double)threads * PLB_STACK_BYTES);
}
