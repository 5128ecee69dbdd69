/* SPDX-License-Identifier: MIT */
#include "tools/serve/serve_options.h"

#include <string.h>
#include <unistd.h>

#include "tools/terminal/machine_memory.h"
#include "tools/terminal/operands.h"

#define MIB (1 << 20)

static const argument_row rows[] = {
    OPERANDS("TABLE", serve_options, paths, 1),
    TEXT('l', "listen", "WHERE", serve_options, listen,
         "address and port, :PORT for this machine only, or unix:PATH (127.0.0.1:8080); port 0: "
         "any free port"),
    TEXT('H', "host", "NAMES", serve_options, hosts,
         "further host names of this server, with commas between them"),
    TEXT('c', "cors", "ORIGIN", serve_options, cors,
         "origin whose pages may send requests: * (all), none, or one origin (*)"),
    NUMBER('t', "threads", "N", serve_options, threads, 1, MAX_THREADS,
           "threads that answer (default: one per processor)"),
    SIZE(
        'M', "memory", serve_options, memory_bytes,
        "memory for all tables and their blocks, such as 2G (default: a quarter of the machine's)"),
    SECONDS('s', "seconds", serve_options, search_seconds,
            "time limit of a search, if the request has none (2)"),
    SECONDS('S', "longest", serve_options, max_search_seconds,
            "longest time limit that a request may have (10)"),
    SIZE('m', "search-memory", serve_options, search_memory_bytes, "memory of a search (64M)"),
    NUMBER('T', "search-threads", "N", serve_options, search_threads, 1, 64,
           "threads for searches (1)"),
    NUMBER('q', "queue", "N", serve_options, search_queue, 0, 10000,
           "at most N searches wait (16)"),
    NUMBER('C', "connections", "N", serve_options, connections, 1, 100000,
           "at most N connections (1024)"),
    NUMBER('R', "requests", "N", serve_options, requests, 1, 1000000000,
           "at most N requests of a connection (1000)"),
    NUMBER('b', "batch", "N", serve_options, batch, 1, 1000000,
           "at most N positions in a request (1000)"),
    SECONDS('p', "batch-time", serve_options, batch_seconds,
            "longest processor time for the positions of a request (2)"),
    NUMBER('B', "body", "BYTES", serve_options, body_bytes, 1, 1 << 30,
           "longest body of a request (1048576)"),
    NUMBER('N', "sample", "N", serve_options, samples, 1, 100000,
           "at most N random positions, or rows of an export, for a request (1000)"),
    NUMBER('e', "head", "BYTES", serve_options, head_bytes, 256, 1 << 16,
           "longest head of a request, without its first line (8192)"),
    NUMBER('n', "lines", "N", serve_options, head_lines, 4, 1000,
           "at most N lines in the head of a request (64)"),
    NUMBER('g', "target", "BYTES", serve_options, target_bytes, 64, 1 << 16,
           "longest target of a request, path and query (4096)"),
    SECONDS('d', "deadline", serve_options, head_seconds,
            "time from the first byte of a request to its last (10)"),
    SECONDS('i', "idle", serve_options, idle_seconds,
            "time that a connection may wait between requests (30)"),
    SECONDS('r', "read", serve_options, read_seconds,
            "time in which the client must read an answer (10)"),
    TEXT('a', "assets", "FOLDER", serve_options, assets,
         "read the files of the page from this folder, for developers"),
    FLAG('L', "log-access", serve_options, access_log, "write a line for each request to stderr"),
    {0}};
static const command_syntax syntax = {
    .operands = "TABLE...",
    .purpose =
        "Serve tables over HTTP: a page to play on, which shows the value of every move, and "
        "answers in JSON for programs.",
    .details =
        "A TABLE is a file that `plybase build` has written, its SPEC, or a folder, of which all "
        "files *.plb are served. If there are several tables of one game, one with distances is "
        "preferred. / is the page, and /api lists all addresses. When the server is ready, it "
        "prints its address and the number of tables.\n\nOn SIGHUP it looks for new, replaced and "
        "removed tables. On SIGTERM or Ctrl-C it finishes the requests that have begun, within 5 "
        "s, and exits with 0; a second signal ends it immediately. Under systemd it uses the "
        "socket of systemd, and reports when it is ready.",
    .rows = rows};

void serve_options_read(int argc, char **argv, serve_options *o) {
    double machine = machine_memory_bytes(MEMORY_TOTAL, "");
    *o = (serve_options){.listen = "127.0.0.1:8080",
                         .cors = "*",
                         .threads = (int)sysconf(_SC_NPROCESSORS_ONLN),
                         .search_threads = 1,
                         .search_queue = 16,
                         .search_seconds = 2,
                         .max_search_seconds = 10,
                         .batch_seconds = 2,
                         .search_memory_bytes = 64.0 * MIB,
                         .memory_bytes = machine > 0 ? 0.25 * machine : 0x1p60, /* no limit */
                         .head_seconds = 10,
                         .idle_seconds = 30,
                         .read_seconds = 10,
                         .connections = 1024,
                         .requests = 1000,
                         .head_bytes = 8192,
                         .head_lines = 64,
                         .target_bytes = 4096,
                         .body_bytes = MIB,
                         .batch = 1000,
                         .samples = 1000};
    parse_arguments(argc, argv, &syntax, o);
    for (int p = 0; p < o->paths.count; p++) {
        char found[TABLE_NAME];
        char *path = strdup(find_table(o->paths.items[p], NULL, true, found));
        if (path) o->paths.items[p] = path; /* until the process ends */
    }
    if (strcmp(o->cors, "*") != 0 && strcmp(o->cors, "none") != 0 &&
        strncmp(o->cors, "http://", 7) != 0 && strncmp(o->cors, "https://", 8) != 0)
        fail_usage("--cors %s: *, none, or an origin such as https://example.org is needed",
                   o->cors);
    if (strpbrk(o->cors, "\r\n")) fail_usage("--cors: an origin has one line");
    if (o->search_seconds > o->max_search_seconds)
        fail_usage("--seconds %g is more than --longest %g", o->search_seconds,
                   o->max_search_seconds);
}
