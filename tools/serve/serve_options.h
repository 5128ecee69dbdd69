/* SPDX-License-Identifier: MIT
 *
 * The options of `plybase serve`; see its help (serve_options.c) for limits and defaults.
 */
#pragma once

#include "tools/terminal/arguments.h"

typedef struct serve_options {
    operand_list paths; /* files and folders */
    const char *listen; /* ADDRESS:PORT, :PORT or unix:PATH */
    const char *hosts;  /* further host names, separated by commas; or NULL */
    const char *cors;   /* *, none, or an origin */
    const char *assets; /* folder of the page; NULL: the built-in page */
    int threads;
    int search_threads, search_queue; /* search_queue: searches that may wait */
    double search_seconds, max_search_seconds, batch_seconds;
    double search_memory_bytes;                      /* of one search */
    double memory_bytes;                             /* of all tables and their cached blocks */
    double head_seconds, idle_seconds, read_seconds; /* deadlines of a connection */
    int connections, requests;                       /* requests: of one connection */
    int head_bytes, head_lines, target_bytes;        /* of a request */
    int body_bytes, batch, samples;                  /* of a request */
    bool access_log;
} serve_options;

/* Parse the arguments; exits the process as parse_arguments does. */
void serve_options_read(int argc, char **argv, serve_options *options);
