/* SPDX-License-Identifier: MIT
 *
 * plybase-serve, which `plybase serve` starts: a program of its own, so that no other command loads
 * what only a server needs.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "tools/serve/http_server.h"
#include "tools/serve/service_log.h"
#include "tools/terminal/console.h"
#include "tools/terminal/interrupts.h"

enum {
    SWEEP_MS = 50, /* a client that leaves a search is noticed in twice this time, at most */
    WAIT_MS = 10,  /* while the server shuts down */
    DRAIN_SECONDS = 5,
    SPARE_DESCRIPTORS = 64, /* of threads, of a scan, of connections that are being closed */
};

/* Each table and each connection needs a descriptor. Get as many as the system allows; connections
 * have those that the tables leave. */
static void fit_connections(serve_options *o, int tables) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
    double left = (double)limit.rlim_cur - tables - SPARE_DESCRIPTORS;
    if (o->connections > left) o->connections = left < 1 ? 1 : (int)left;
}

/* What is wrong with the file of a path. */
typedef struct unreadable {
    const char *path;
    plb_message sentence; /* "": nothing */
} unreadable;

static void find_sentence(void *context, const served_table *table, bool shadowed) {
    unreadable *u = context;
    (void)shadowed;
    if (!table->info && strcmp(table->path, u->path) == 0) u->sentence = table->sentence;
}

/* Report files that were named and are not tables; those of folders are listed with the others. */
static void report_unreadable(const service *s) {
    for (int p = 0; p < s->options->paths.count; p++) {
        unreadable u = {.path = s->options->paths.items[p]};
        table_catalogue_visit(s->catalogue, find_sentence, &u);
        if (*u.sentence.text) service_log(LOG_IS_ERROR, "%s; it is not served", u.sentence.text);
    }
}

static void rescan(service *s) {
    plb_message message;
    notify_reloading();
    if (table_catalogue_scan(s->catalogue, &message) == PLB_OK) {
        int count = table_catalogue_count(s->catalogue);
        service_log(LOG_IS_NOTICE, "%d table%s", count, count == 1 ? "" : "s");
    } else {
        service_log(LOG_IS_ERROR, "%s; the tables from before are still served", message.text);
    }
    report_unreadable(s);
    notify_ready();
}

/* The next signal within this time; 0: there was none. Signals are blocked in all threads. */
static int wait_signal(const sigset_t *signals, int ms) {
    const struct timespec time = {.tv_nsec = ms * 1000000L};
    int signal = sigtimedwait(signals, NULL, &time);
    return signal > 0 ? signal : 0;
}

/* Serve until a signal ends it. */
static void run(service *s, http_server *server, const sigset_t *signals) {
    for (;;) {
        int signal = wait_signal(signals, SWEEP_MS);
        if (signal == SIGHUP) rescan(s);
        if (signal == SIGTERM || signal == SIGINT) return;
        http_server_sweep(server);
        search_queue_sweep(s->searches);
        search_queue_sweep(s->batches);
        notify_alive();
        table_catalogue_trim(s->catalogue);
    }
}

/* Finish the requests that have begun; a second signal does not wait for them. A connection that
 * waits for a search cannot be closed: the search was stopped, and ends soon. */
static void drain(service *s, http_server *server, const sigset_t *signals) {
    double end = seconds_now() + DRAIN_SECONDS;
    bool waits = true;
    search_counts searches, batches;
    s->draining = true;
    notify_stopping();
    http_server_stop_listening(server);
    search_queue_stop(s->searches);
    while (waits && http_server_connections(server) && seconds_now() < end) {
        int signal = wait_signal(signals, WAIT_MS);
        waits = signal != SIGTERM && signal != SIGINT;
        http_server_sweep(server);
        search_queue_sweep(s->batches);
    }
    search_queue_stop(s->batches);
    for (;;) {
        searches = search_queue_count(s->searches);
        batches = search_queue_count(s->batches);
        if (searches.waiting + searches.running + batches.waiting + batches.running == 0) return;
        wait_signal(signals, WAIT_MS);
    }
}

static int serve(service *s, serve_options *o, const listening *l, const sigset_t *signals) {
    http_server *server;
    plb_message message;
    int count = table_catalogue_count(s->catalogue);
    fit_connections(o, count);
    if (http_server_open(s, l, &server, &message) != PLB_OK) return print_error("%s", message.text);
    printf("%s  %d table%s\n", l->where, count, count == 1 ? "" : "s");
    report_unreadable(s);
    if (!count) /* a folder may be filled later, but this may be the wrong one */
        print_error(
            "no table is served: there is none that can be read in %s%s; `plybase build SPEC -o "
            "FILE.plb` makes one, and SIGHUP lets the server look again",
            o->paths.items[0], o->paths.count > 1 ? " and the others" : "");
    if (!l->local)
        print_error(
            "everybody who can reach %s can send requests; a proxy before it can limit them",
            l->where);
    int status = end_output(EXIT_GOOD); /* without the line the port is not known */
    if (status == EXIT_GOOD) {
        notify_ready();
        run(s, server, signals);
        drain(s, server, signals);
    }
    http_server_close(server);
    return status;
}

int main(int argc, char **argv) {
    static char name[] = "plybase serve";
    serve_options options;
    service s = {.options = &options, .started = (double)time(NULL)};
    listening l;
    plb_message message = {"out of memory"};
    sigset_t signals;
    struct rlimit limit;
    argv[0] = name;
    serve_options_read(argc, argv, &options);
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
    sigemptyset(&signals);
    sigaddset(&signals, SIGHUP);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    signal(SIGPIPE, SIG_IGN);
    int status = EXIT_FAILED, error = PLB_OK;
    if (table_catalogue_open(options.paths.items, options.paths.count, options.memory_bytes,
                             &s.catalogue, &message) ||
        service_metrics_open(routes_count(), &s.metrics) ||
        search_queue_open(options.search_threads, options.search_queue, &s.searches, &message) ||
        search_queue_open(options.threads, options.connections, &s.batches, &message) ||
        (error = listening_open(options.listen, &l, &message))) {
        print_error("%s", message.text);
        if (error == PLB_ESYNTAX) status = EXIT_USAGE; /* of --listen */
    } else {
        status = serve(&s, &options, &l, &signals);
        listening_end(&l);
    }
    search_queue_close(s.searches);
    search_queue_close(s.batches);
    service_metrics_close(s.metrics);
    table_catalogue_close(s.catalogue);
    return status;
}
