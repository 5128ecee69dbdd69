/* SPDX-License-Identifier: MIT */
#include "tools/commands/rank_launcher.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/terminal/console.h"

/* An implementation of MPI, and the environment variables that its launchers set. */
typedef struct implementation {
    const char *name, *title, *size, *rank, *local_size;
} implementation;

static const implementation implementations[] = {
    {"openmpi", "Open MPI", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK",
     "OMPI_COMM_WORLD_LOCAL_SIZE"},
    {"mpich", "MPICH", "PMI_SIZE", "PMI_RANK", "MPI_LOCALNRANKS"},
    {"openmpi", "Open MPI (pmix)", NULL, "PMIX_RANK", NULL},
};
enum {
    IMPLEMENTATIONS = sizeof implementations / sizeof implementations[0],
    NAMES = 2 /* the first rows have different names */
};

static const char *read_environment(const char *name) {
    const char *text = name ? getenv(name) : NULL;
    return text && *text ? text : NULL;
}

static const implementation *find_launcher(void) {
    for (int i = 0; i < IMPLEMENTATIONS; i++)
        if (read_environment(implementations[i].size ? implementations[i].size
                                                     : implementations[i].rank))
            return &implementations[i];
    return NULL;
}

bool speaks_for_ranks(void) {
    const implementation *launcher = find_launcher();
    const char *rank = launcher ? read_environment(launcher->rank) : NULL;
    return !rank || strcmp(rank, "0") == 0;
}

int ranks_on_machine(void) {
    const implementation *launcher = find_launcher();
    const char *size = launcher ? read_environment(launcher->local_size) : NULL;
    int count = size ? atoi(size) : 1;
    return count > 0 ? count : 1;
}

/* Find a plugin, beside this program or where it is installed. False: it is missing. */
static bool find_plugin(const char *name, char *path, size_t size) {
    static const char *const places[] = {"", "../" PLYBASE_LIBDIR "/plybase/"};
    char program[4096];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0) return false;
    program[length] = 0;
    *strrchr(program, '/') = 0;
    for (int p = 0; p < 2; p++) {
        snprintf(path, size, "%s/%slibplybase-ranks-%s.so", program, places[p], name);
        if (access(path, R_OK) == 0) return true;
    }
    return false;
}

void list_rank_plugins(char text[RANK_PLUGINS_TEXT]) {
    char path[8192];
    size_t length = 0;
    *text = 0;
    for (int i = 0; i < NAMES; i++)
        if (find_plugin(implementations[i].name, path, sizeof path))
            length += snprintf(text + length, RANK_PLUGINS_TEXT - length, "%s%s",
                               length ? ", " : "", implementations[i].name);
}

double launched_bytes(void) {
    enum { LATER_BYTES = 128 << 20 };
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file) return LATER_BYTES;
    if (fscanf(file, "%*u %*u %*u %*u %*u %llu", &pages) != 1) pages = 0;
    fclose(file);
    return (double)pages * (double)sysconf(_SC_PAGESIZE) + LATER_BYTES;
}

static int load_plugin(const char *name, plb_transport *transport, plb_message *message) {
    char path[8192];
    if (!find_plugin(name, path, sizeof path))
        return plb_fail(message, PLB_ENOTFOUND,
                        "libplybase-ranks-%s.so is missing, so each of the processes that were "
                        "started would build alone: install it, or start one process without a "
                        "launcher",
                        name);
    void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    plb_transport_opener *open = NULL;
    if (plugin) *(void **)&open = dlsym(plugin, PLB_TRANSPORT_SYMBOL);
    if (!open) return plb_fail(message, PLB_EIO, "cannot load %s: %s", path, dlerror());
    if (open(transport)) return plb_fail(message, PLB_EIO, "%s cannot join the other ranks", path);
    if (transport->format == PLB_TRANSPORT_FORMAT) return PLB_OK;
    return plb_fail(message, PLB_EARGUMENT, "%s is of another version of plybase", path);
}

int launch_ranks(double patience_seconds, plb_ranks **ranks, plb_message *message) {
    const implementation *launcher = find_launcher();
    const char *wanted = read_environment("PLYBASE_MPI");
    const char *size = launcher ? read_environment(launcher->size) : NULL;
    plb_transport transport = {.count = 0};
    *ranks = NULL;
    if (wanted && strcmp(wanted, "none") == 0) return PLB_OK;
    if (wanted && strcmp(wanted, "openmpi") != 0 && strcmp(wanted, "mpich") != 0)
        return plb_fail(message, PLB_EARGUMENT,
                        "PLYBASE_MPI is '%s' and may be openmpi, mpich or none", wanted);
    if ((!launcher && !wanted) || (size && strcmp(size, "1") == 0)) return PLB_OK;
    int error = load_plugin(wanted ? wanted : launcher->name, &transport, message);
    if (error || !transport.close) return error;
    if (size && atoi(size) != transport.count) {
        transport.close(transport.state);
        return plb_fail(message, PLB_EARGUMENT,
                        "the launcher of %s has started %s processes, which see only %d of "
                        "themselves: each would build alone; start them with the launcher of the "
                        "MPI that is to be used, or set PLYBASE_MPI to it",
                        launcher->title, size, transport.count);
    }
    const plb_ranks_options options = {patience_seconds, interrupt_now, NULL};
    if (transport.count > 1) return plb_ranks_open(&transport, &options, ranks, message);
    transport.close(transport.state);
    return PLB_OK;
}
