/* SPDX-License-Identifier: MIT
 *
 * `plybase serve` executes plybase-serve, from the folder of this program or from $PATH. `plybase
 * site` writes a folder with tables and a page for them, for any static web host.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/commands/commands.h"
#include "tools/site/site_folder.h"
#include "tools/terminal/arguments.h"
#include "tools/terminal/console.h"
#include "tools/terminal/operands.h"
#include "tools/terminal/quantity.h"

typedef struct arguments {
    operand_list files;
    const char *output, *folder;
    double part_bytes;
    bool force;
} arguments;

static const argument_row rows[] = {
    OPERANDS("FILE", arguments, files, 1),
    TEXT('o', "output", "DIR", arguments, output, "the folder to write"),
    SIZE('s', "part-size", arguments, part_bytes,
         "split tables that are larger, for hosts with a limit (64M)"),
    FLAG('f', "force", arguments, force, "replace a site, with all that is in its folder"),
    TABLES(arguments, folder),
    {0}};
static const command_syntax syntax = {
    .operands = "-o DIR FILE...",
    .purpose = "Write a folder that shows tables in a browser, from any web host.",
    .details =
        "The folder has the page of `plybase serve`, the probe library as WebAssembly, and the "
        "tables. Any host of static files can serve it: the page reads the few parts of a table "
        "that it needs by range requests. Without range requests tables of up to 32 MiB, or parts "
        "of that size, can be read. ?table=SPEC in the address names a table. The same tables give "
        "the same bytes. DIR appears when it is complete.",
    .rows = rows};

int command_site(int argc, char **argv) {
    const double min_part = SITE_CHUNK * 16.0, max_part = 0x1p50;
    arguments a = {.part_bytes = 64 << 20};
    site_folder site;
    plb_message message;
    parse_arguments(argc, argv, &syntax, &a);
    if (!a.output) fail_usage("-o DIR is needed: the folder to write");
    if (a.part_bytes < min_part || a.part_bytes > max_part || fmod(a.part_bytes, SITE_CHUNK) != 0)
        fail_usage("--part-size: 64K or more is needed, in steps of 4K");
    int error = site_folder_open(a.output, a.force, (uint64_t)a.part_bytes, &site, &message);
    for (int f = 0; f < a.files.count && !error; f++) {
        char found[TABLE_NAME];
        error =
            site_folder_add(&site, find_table(a.files.items[f], a.folder, true, found), &message);
        if (error == PLB_ENOTFOUND) suggest_table(a.files.items[f], a.folder, &message);
    }
    if (!error) error = site_folder_finish(&site, &message);
    if (error) {
        print_error("%s", message.text);
    } else {
        char bytes[32];
        printf("%s: %d table%s, %d files, %s\n", site.path, site.tables,
               site.tables == 1 ? "" : "s", site.files, format_bytes((double)site.bytes, bytes));
        if (site.largest_part > SITE_WHOLE_FILE)
            puts(
                "It needs a host with range requests, such as nginx; to try it with python3 -m "
                "http.server use --part-size 32M");
        else
            printf("Try it: python3 -m http.server -d %s, then open http://127.0.0.1:8000/\n",
                   site.path);
    }
    site_folder_close(&site);
    return error ? EXIT_FAILED : end_output(EXIT_GOOD);
}

/* ---- serve ---- */

static const char server[] = "plybase-serve";

int command_serve(int argc, char **argv) {
    char path[4096];
    (void)argc;
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = 0;
    char *slash = strrchr(path, '/');
    if (slash && (size_t)(slash + 1 - path) + sizeof server <= sizeof path) {
        memcpy(slash + 1, server, sizeof server); /* beside this program */
        execv(path, argv);
    }
    if (errno == ENOENT) execvp(server, argv);
    if (errno == ENOENT)
        return print_error(
            "the program %s is missing: it is built if libmicrohttpd and python3 are there "
            "(Debian: libmicrohttpd-dev, python3)",
            server);
    return print_error("cannot start %s: %s", server, strerror(errno));
}
