/* SPDX-License-Identifier: MIT
 *
 * The options of `plybase serve`, among them its limits.
 */
#ifndef PLB_TOOLS_SERVE_SERVE_OPTIONS_H
#define PLB_TOOLS_SERVE_SERVE_OPTIONS_H

#include "tools/terminal/arguments.h"

typedef struct serve_options {
    operand_list paths;               /* files and folders */
    const char *listen;               /* address, unix:PATH, or :PORT */
    const char *hosts;                /* further names, with commas between them; or NULL */
    const char *cors;                 /* *, none, or an origin */
    const char *assets;               /* folder of the page, or NULL: what is built in */
    int threads;                      /* that answer */
    int search_threads, search_queue; /* for searches; searches that wait at most */
    double search_seconds, max_search_seconds, batch_seconds;
    double search_memory_bytes;                      /* of one search, at most */
    double memory_bytes;                             /* of cached blocks of all tables */
    double head_seconds, idle_seconds, read_seconds; /* see help */
    int connections, requests;                       /* at most; of a connection */
    int head_bytes, head_lines, target_bytes;        /* of a request, at most */
    int body_bytes, batch, samples;                  /* of a request, at most */
    bool access_log;
} serve_options;

/* Read the arguments; ends the process as parse_arguments does. */
void serve_options_read(int argc, char **argv, serve_options *options);

#endif
