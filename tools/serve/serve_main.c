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
#include "tools/serve/routes.h"
#include "tools/serve/service_log.h"
#include "tools/terminal/console.h"
#include "tools/terminal/interrupts.h"

enum {
    SWEEP_MS = 50, /* who leaves a search is noticed in twice that, at most */
    DRAIN_SECONDS = 5,
    SPARE_DESCRIPTORS = 64, /* of threads, of a scan, of connections that are being closed */
};

/* Tables and connections take a descriptor each: as many as the system allows. */
static void raise_descriptors(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

/* Connections have the descriptors that tables leave. */
static void fit_connections(serve_options *o, int tables) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
    double room = (double)limit.rlim_cur - tables - SPARE_DESCRIPTORS;
    if (o->connections > room) o->connections = room < 1 ? 1 : (int)room;
}

/* Signals are waited for, not caught: in all threads they are blocked. */
static void block_signals(sigset_t *signals) {
    sigemptyset(signals);
    sigaddset(signals, SIGHUP);
    sigaddset(signals, SIGTERM);
    sigaddset(signals, SIGINT);
    pthread_sigmask(SIG_BLOCK, signals, NULL);
    signal(SIGPIPE, SIG_IGN);
}

/* The next signal within the time of a sweep; 0: none came. */
static int wait_signal(const sigset_t *signals) {
    const struct timespec time = {.tv_nsec = SWEEP_MS * 1000000L};
    int signal = sigtimedwait(signals, NULL, &time);
    return signal > 0 ? signal : 0;
}

static void log_tables(int count) {
    service_log(LOG_IS_NOTICE, "%d table%s", count, count == 1 ? "" : "s");
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

/* Who has named a file should know that it is no table; those of folders are listed with the
 * others. */
static void tell_of_unreadable(const service *s) {
    for (int p = 0; p < s->options->paths.count; p++) {
        unreadable u = {.path = s->options->paths.items[p]};
        table_catalogue_visit(s->catalogue, find_sentence, &u);
        if (*u.sentence.text) service_log(LOG_IS_ERROR, "%s; it is not served", u.sentence.text);
    }
}

static void rescan(service *s) {
    plb_message message;
    notify_reloading();
    if (table_catalogue_scan(s->catalogue, &message) != PLB_OK)
        service_log(LOG_IS_ERROR, "%s; what was served before is served still", message.text);
    else
        log_tables(table_catalogue_count(s->catalogue));
    tell_of_unreadable(s);
    notify_ready();
}

/* Serve until a signal ends it. */
static void run(service *s, http_server *server, const sigset_t *signals) {
    for (;;) {
        int signal = wait_signal(signals);
        if (signal == SIGHUP) rescan(s);
        if (signal == SIGTERM || signal == SIGINT) return;
        http_server_sweep(server);
        search_queue_sweep(s->searches);
        notify_alive();
        table_catalogue_trim(s->catalogue, s->options->memory_bytes);
    }
}

/* End what has begun, or what a second signal does not wait for. */
static void drain(service *s, http_server *server, const sigset_t *signals) {
    double end = seconds_now() + DRAIN_SECONDS;
    s->draining = true;
    notify_stopping();
    http_server_stop_listening(server);
    search_queue_stop(s->searches);
    while (http_server_connections(server) && seconds_now() < end) {
        const struct timespec moment = {.tv_nsec = 10000000};
        int signal = sigtimedwait(signals, NULL, &moment);
        if (signal == SIGTERM || signal == SIGINT) return;
        http_server_sweep(server);
    }
}

/* Connections that wait for a search cannot be closed; it was stopped, and ends soon. */
static void wait_for_searches(service *s) {
    const struct timespec moment = {.tv_nsec = 10000000};
    for (;;) {
        search_counts counts = search_queue_count(s->searches);
        if (counts.waiting + counts.running == 0) return;
        nanosleep(&moment, NULL);
    }
}

/* A folder may be filled later; who has named the wrong one should know now. */
static void warn_of_no_tables(const serve_options *o) {
    print_error(
        "no table is served: there is none that can be read in %s%s; `plybase build SPEC -o "
        "FILE.plb` makes one, and SIGHUP lets the server look again",
        o->paths.items[0], o->paths.count > 1 ? " and the others" : "");
}

static int serve(service *s, serve_options *o, const listening *l, const sigset_t *signals) {
    http_server *server;
    plb_message message;
    int count = table_catalogue_count(s->catalogue);
    fit_connections(o, count);
    if (http_server_open(s, l, &server, &message) != PLB_OK) return print_error("%s", message.text);
    printf("%s  %d table%s\n", l->where, count, count == 1 ? "" : "s");
    tell_of_unreadable(s);
    if (!count) warn_of_no_tables(o);
    if (!l->local)
        print_error("anybody who can reach %s can ask; a proxy before it can limit how much",
                    l->where);
    int status = end_output(EXIT_GOOD); /* nobody could know the port */
    if (status == EXIT_GOOD) {
        notify_ready();
        run(s, server, signals);
        drain(s, server, signals);
        wait_for_searches(s);
    }
    http_server_close(server);
    return status;
}

int main(int argc, char **argv) {
    static char name[] = "plybase serve";
    serve_options options;
    service s = {.options = &options, .started = (double)time(NULL)};
    listening l;
    plb_message message;
    sigset_t signals;
    argv[0] = name;
    serve_options_read(argc, argv, &options);
    raise_descriptors();
    block_signals(&signals);
    int status = EXIT_FAILED, error = PLB_OK;
    if (table_catalogue_open(options.paths.items, options.paths.count, &s.catalogue, &message) ||
        service_metrics_open(routes_count(), &s.metrics) ||
        search_queue_open(options.search_threads, options.search_queue, &s.searches, &message) ||
        (error = listening_open(options.listen, &l, &message))) {
        print_error("%s", message.text);
        if (error == PLB_ESYNTAX) status = EXIT_USAGE; /* of --listen */
    } else {
        status = serve(&s, &options, &l, &signals);
        listening_end(&l);
    }
    search_queue_close(s.searches);
    service_metrics_close(s.metrics);
    table_catalogue_close(s.catalogue);
    return status;
}
