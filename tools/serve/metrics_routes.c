/* SPDX-License-Identifier: MIT
 *
 * /metrics: counts of requests, tables, searches and the process, in the text format of Prometheus.
 */
#include <dirent.h>
#include <unistd.h>

#include "tables/stop.h"
#include "tools/serve/routes.h"
#include "tools/serve/service_log.h"

static void begin_metric(FILE *to, const char *name, const char *type, const char *help) {
    fprintf(to, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

/* Write a metric with a single number. */
static void write_metric(FILE *to, const char *name, const char *type, const char *help,
                         double value) {
    begin_metric(to, name, type, help);
    fprintf(to, "%s %.15g\n", name, value);
}

/* ---- requests ---- */

/* Upper bounds of the histogram buckets, in seconds. */
static const double bounds[METRICS_BOUNDS] = {50e-6,  100e-6, 200e-6, 500e-6, 1e-3,   2e-3,
                                              5e-3,   10e-3,  20e-3,  50e-3,  100e-3, 200e-3,
                                              500e-3, 1,      2,      5,      10};

static void add(atomic_uint_fast64_t *count, uint64_t more) {
    atomic_fetch_add_explicit(count, more, memory_order_relaxed);
}

void metrics_count(service_metrics *m, int route, http_method method, const http_answer *answer,
                   double seconds) {
    route_counts *c = &m->counts[route < 0 ? ROUTES : route];
    int bound = 0;
    while (bound < METRICS_BOUNDS && seconds > bounds[bound]) bound++;
    add(&c->answers[method][answer->status % METRICS_STATUSES], 1);
    add(&c->buckets[bound], 1);
    add(&c->nanoseconds, (uint64_t)(1e9 * seconds));
    if (answer->problem) add(&m->problems[answer->problem - 1], 1);
}

static const char *name_of(int route) {
    return routes_name(route < ROUTES ? route : -1);
}

/* Write the numbers of requests (unless 0), and a histogram of the duration for each route. */
static void write_requests(const service_metrics *m, FILE *to) {
    static const char *const methods[METRICS_METHODS] = {"GET", "HEAD", "POST", "OPTIONS", "other"};
    static const char time[] = "plybase_http_request_duration_seconds";
    begin_metric(to, "plybase_http_requests_total", "counter", "Requests that were answered.");
    for (int r = 0; r <= ROUTES; r++)
        for (int method = 0; method < METRICS_METHODS; method++)
            for (int status = 0; status < METRICS_STATUSES; status++) {
                uint64_t count = m->counts[r].answers[method][status];
                if (!count) continue;
                fprintf(
                    to,
                    "plybase_http_requests_total{route=\"%s\",method=\"%s\",code=\"%d\"} %llu\n",
                    name_of(r), methods[method], status, (unsigned long long)count);
            }
    begin_metric(to, time, "histogram", "From the first line of a request to its answer.");
    for (int r = 0; r <= ROUTES; r++) {
        const route_counts *c = &m->counts[r];
        unsigned long long sum = 0, all = 0;
        for (int b = 0; b <= METRICS_BOUNDS; b++) all += c->buckets[b];
        if (!all) continue;
        for (int b = 0; b < METRICS_BOUNDS; b++) {
            sum += c->buckets[b];
            fprintf(to, "%s_bucket{route=\"%s\",le=\"%g\"} %llu\n", time, name_of(r), bounds[b],
                    sum);
        }
        sum += c->buckets[METRICS_BOUNDS];
        fprintf(to, "%s_bucket{route=\"%s\",le=\"+Inf\"} %llu\n", time, name_of(r), sum);
        fprintf(to, "%s_sum{route=\"%s\"} %.9f\n", time, name_of(r), 1e-9 * (double)c->nanoseconds);
        fprintf(to, "%s_count{route=\"%s\"} %llu\n", time, name_of(r), sum);
    }
    begin_metric(to, "plybase_http_refused_total", "counter",
                 "Requests that were refused, by the name of the problem.");
    for (int p = 0; p < PROBLEM_KINDS; p++)
        fprintf(to, "plybase_http_refused_total{reason=\"%s\"} %llu\n",
                problem_descriptions[p].name, (unsigned long long)m->problems[p]);
}

/* ---- tables ---- */

/* A metric with a number for each table. */
typedef struct table_metric {
    const char *name, *type, *help;
    enum { OF_INFO, OF_PROBES, OF_ANALYSES, OF_BLOCKS, OF_CACHE } kind;
    FILE *to;
} table_metric;

static void write_table(void *context, const served_table *table, bool shadowed) {
    const table_metric *m = context;
    const plb_table_info *info = table->info;
    plb_usage usage = {0};
    if (!info || shadowed) return;
    plb_find_usage(table->table, &usage);
    if (m->kind == OF_INFO)
        fprintf(m->to, "%s{table=\"%s\",id=\"%s\",values=\"%s\"} 1\n", m->name, info->spec,
                info->id, info->values);
    else
        fprintf(m->to, "%s{table=\"%s\"} %llu\n", m->name, info->spec,
                (unsigned long long)(m->kind == OF_PROBES     ? table->probes
                                     : m->kind == OF_ANALYSES ? table->analyses
                                     : m->kind == OF_BLOCKS   ? usage.blocks_read
                                                              : usage.cached_bytes));
}

/* ---- the process ---- */

static void write_process(const service *s, FILE *to) {
    long pages = 0;
    int descriptors = 0;
    FILE *memory = fopen("/proc/self/statm", "re");
    if (memory && fscanf(memory, "%*d %ld", &pages) != 1) pages = 0; /* NOLINT: of the kernel */
    if (memory) fclose(memory);
    DIR *folder = opendir("/proc/self/fd"); /* is a descriptor itself */
    for (const struct dirent *e; folder && (e = readdir(folder));) descriptors += *e->d_name != '.';
    if (folder) closedir(folder);
    write_metric(to, "process_cpu_seconds_total", "counter", "Processor time.",
                 plb_clock_seconds(CLOCK_PROCESS_CPUTIME_ID));
    write_metric(to, "process_resident_memory_bytes", "gauge", "Resident memory.",
                 (double)pages * (double)sysconf(_SC_PAGE_SIZE));
    write_metric(to, "process_open_fds", "gauge", "Open descriptors.",
                 descriptors - (folder != NULL));
    write_metric(to, "plybase_log_lines_lost_total", "counter", "Lines of the log that were lost.",
                 (double)service_log_lost());
    write_metric(to, "process_start_time_seconds", "gauge", "Start, since 1970.", s->start_seconds);
}

/* ---- the route ---- */

void answer_metrics(const route_call *call, http_answer *answer) {
    const service *s = call->service;
    text_stream text;
    FILE *to = text_stream_open(&text);
    table_metric metrics[] = {
        {"plybase_table_info", "gauge", "Tables that are served.", OF_INFO, to},
        {"plybase_probes_total", "counter", "Requested positions.", OF_PROBES, to},
        {"plybase_analyses_total", "counter",
         "Positions of batches that were looked up with their moves; equal ones of a batch once.",
         OF_ANALYSES, to},
        {"plybase_blocks_read_total", "counter", "Blocks that were decompressed.", OF_BLOCKS, to},
        {"plybase_cache_bytes", "gauge", "Memory of decompressed blocks.", OF_CACHE, to},
    };
    search_counts counts = search_queue_count(s->searches);
    const struct {
        const char *outcome;
        uint64_t count;
    } outcomes[] = {{"run", counts.run},
                    {"shared", counts.shared},
                    {"refused", counts.refused},
                    {"stopped", counts.stopped}};
    if (to) {
        begin_metric(to, "plybase_build_info", "gauge", "The version.");
        fprintf(to, "plybase_build_info{version=\"%s\"} 1\n", plb_version());
        write_requests(&s->metrics, to);
        write_metric(to, "plybase_http_connections", "gauge", "Open connections.",
                     atomic_load(&s->connections));
        for (size_t m = 0; m < sizeof metrics / sizeof *metrics; m++) {
            begin_metric(to, metrics[m].name, metrics[m].type, metrics[m].help);
            table_catalogue_visit(s->catalogue, write_table, &metrics[m]);
        }
        write_metric(to, "plybase_tables", "gauge", "Number of tables that are served.",
                     table_catalogue_count(s->catalogue));
        begin_metric(
            to, "plybase_searches_total", "counter",
            "Searches: run, shared with an equal search, or refused; stopped ones are also "
            "counted as run.");
        for (size_t o = 0; o < sizeof outcomes / sizeof *outcomes; o++)
            fprintf(to, "plybase_searches_total{outcome=\"%s\"} %llu\n", outcomes[o].outcome,
                    (unsigned long long)outcomes[o].count);
        write_metric(to, "plybase_search_queue", "gauge", "Searches that wait.", counts.waiting);
        write_metric(to, "plybase_searches_running", "gauge", "Searches that run.", counts.running);
        write_process(s, to);
    }
    http_answer_stream(answer, "text/plain; version=0.0.4; charset=utf-8", &text, to);
    answer->caching = CACHE_REVALIDATE;
    answer->audience = FOR_SAME_ORIGIN;
}
