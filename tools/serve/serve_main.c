/* SPDX-License-Identifier: MIT
 *
 * The program plybase-serve, which `plybase serve` executes. It is a program of its own, so that no
 * other command loads the libraries of the server.
 *
 * The main thread waits for signals and reads tables; libmicrohttpd answers in its own threads.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "probe/table.h"
#include "tools/serve/http_server.h"
#include "tools/serve/service_log.h"
#include "tools/terminal/console.h"

enum {
    SWEEP_MS = 50,  /* a search without a client is stopped after at most twice this time */
    ALIVE_MS = 500, /* between reports to systemd */
    WAIT_MS = 10,   /* between checks while the server shuts down */
    DRAIN_SECONDS = 5,
    OWN_DESCRIPTORS = 10,   /* besides those of threads, tables and connections */
    SPARE_DESCRIPTORS = 64, /* for a scan, and for connections that are being closed */
};

static void count_files(void *context, const served_table *table, bool shadowed) {
    (void)shadowed;
    *(int *)context += table->table ? plb_table_files(table->table) : 1;
}

/* Limit the number of connections to the file descriptors that the tables leave. Errors: PLB_EIO if
 * there are too few for the tables. */
static int limit_connections(const service *s, serve_options *o, plb_message *message) {
    struct rlimit limit;
    int files = 0;
    table_catalogue_visit(s->catalogue, count_files, &files);
    int needed = files + OWN_DESCRIPTORS + 3 * o->threads;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return PLB_OK;
    if (limit.rlim_cur < (rlim_t)needed)
        return plb_fail(message, PLB_EIO,
                        "too many open files: %llu are allowed (ulimit -n), %d are needed",
                        (unsigned long long)limit.rlim_cur, needed);
    rlim_t left = limit.rlim_cur - needed;
    left -= left < 2 * SPARE_DESCRIPTORS ? left / 2 : SPARE_DESCRIPTORS;
    if ((rlim_t)o->connections > left) o->connections = left ? (int)left : 1;
    return PLB_OK;
}

/* Log a file that is not served, or that has bytes after the end of its table. */
static void report_file(void *context, const served_table *table, bool shadowed) {
    (void)context;
    if (shadowed)
        service_log(LOG_IS_NOTICE, "%s is not served: another table of %s is", table->path,
                    table->info->spec);
    if (!table->info) service_log(LOG_IS_ERROR, "%s; it is not served", table->message.text);
    const char *file;
    uint64_t extra = table->table ? plb_table_bytes_after_end(table->table, &file) : 0;
    if (extra)
        service_log(LOG_IS_NOTICE,
                    "%s has %llu bytes after the end of the table, which are not looked at", file,
                    (unsigned long long)extra);
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
    table_catalogue_visit(s->catalogue, report_file, NULL);
    notify_systemd("READY=1");
}

/* Wait for a signal; they are blocked in all threads. Returns 0 if none comes within this time. */
static int wait_signal(const sigset_t *signals, int ms) {
    const struct timespec time = {.tv_nsec = ms * 1000000L};
    int signal = sigtimedwait(signals, NULL, &time);
    return signal > 0 ? signal : 0;
}

/* The thread that accepts connections, and enforces deadlines and limits, also while the main
 * thread reads tables. */
typedef struct sweeper {
    service *service;
    http_server *server;
    atomic_bool ends;
} sweeper;

static void *sweep(void *context) {
    sweeper *w = context;
    while (!w->ends) {
        http_server_accept(w->server, SWEEP_MS);
        http_server_sweep(w->server);
        search_queue_sweep(w->service->searches);
        search_queue_sweep(w->service->batches);
        table_catalogue_trim(w->service->catalogue);
    }
    return NULL;
}

/* Shut down: finish the requests that have begun, unless a second signal comes. A suspended
 * connection cannot be closed, so wait until all searches, which were stopped, have ended. */
static void drain(service *s, http_server *server, const sigset_t *signals) {
    double end = seconds_now() + DRAIN_SECONDS;
    bool waits = true;
    search_counts searches, batches;
    s->draining = true;
    notify_systemd("STOPPING=1");
    http_server_sweep(server);
    search_queue_stop(s->searches);
    while (waits && s->connections && seconds_now() < end) {
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

/* Serve until a signal ends it. */
static int serve(service *s, serve_options *o, const listener *l, const sigset_t *signals) {
    sweeper w = {.service = s};
    pthread_t sweeping;
    plb_message message;
    int count = table_catalogue_count(s->catalogue);
    if (limit_connections(s, o, &message) != PLB_OK) return print_error("%s", message.text);
    table_catalogue_visit(s->catalogue, report_file, NULL);
    for (int p = 0; p < o->paths.count && !count; p++) {
        struct stat file;
        if (stat(o->paths.items[p], &file) == 0 && !S_ISDIR(file.st_mode))
            return print_error("no table is served: no file that was named can be read");
    }
    if (http_server_open(s, l, &w.server, &message) != PLB_OK)
        return print_error("%s", message.text);
    if (pthread_create(&sweeping, NULL, sweep, &w) != 0) {
        http_server_close(w.server);
        return print_error("cannot start the threads of the server");
    }
    printf("%s  %d table%s\n", l->where, count, count == 1 ? "" : "s");
    if (!count) /* not an error, since a folder may be filled later */
        print_error(
            "no table is served: there is no readable table in %s%s; `plybase build SPEC -o "
            "FILE.plb` makes one, and after SIGHUP the server looks again",
            o->paths.items[0], o->paths.count > 1 ? " and the others" : "");
    if (!l->local)
        print_error(
            "anyone who can reach %s can send requests; a proxy in front of it can limit them",
            l->where);
    int status = end_output(EXIT_GOOD); /* fail if the line, which has the port, is not written */
    if (status == EXIT_GOOD) notify_systemd("READY=1");
    for (int signal = 0; status == EXIT_GOOD && signal != SIGTERM && signal != SIGINT;) {
        notify_alive();
        signal = wait_signal(signals, ALIVE_MS);
        if (signal == SIGHUP) rescan(s);
    }
    w.ends = true;
    pthread_join(sweeping, NULL);
    close(l->socket);
    if (status == EXIT_GOOD) drain(s, w.server, signals);
    http_server_close(w.server);
    return status;
}

int main(int argc, char **argv) {
    static char name[] = "plybase serve";
    static const int ends[] = {SIGTERM, SIGINT};
    serve_options options;
    static service s; /* static, since its counters take half a megabyte */
    listener l;
    plb_message message;
    sigset_t signals;
    struct rlimit limit;
    argv[0] = name;
    s.options = &options;
    s.start_seconds = (double)time(NULL);
    serve_options_read(argc, argv, &options);
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
    sigemptyset(&signals);
    sigaddset(&signals, SIGHUP);
    for (size_t e = 0; e < sizeof ends / sizeof *ends; e++) {
        struct sigaction action;
        if (sigaction(ends[e], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(&signals, ends[e]); /* a signal that the parent ignores stays ignored */
    }
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* of the log */
    int status = EXIT_FAILED, error = PLB_OK;
    if (table_catalogue_open(options.paths.items, options.paths.count, options.memory_bytes,
                             &s.catalogue, &message) ||
        search_queue_open(options.search_threads, options.search_queue, &s.searches, &message) ||
        search_queue_open(options.threads, options.connections, &s.batches, &message) ||
        (error = listener_open(options.listen, &l, &message))) {
        print_error("%s", message.text);
        if (error == PLB_ESYNTAX) status = EXIT_USAGE; /* of --listen */
    } else {
        status = serve(&s, &options, &l, &signals);
        if (*l.path) unlink(l.path);
    }
    search_queue_close(s.searches);
    search_queue_close(s.batches);
    table_catalogue_close(s.catalogue);
    return status;
}
