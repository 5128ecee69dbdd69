/* SPDX-License-Identifier: MIT
 *
 * Metrics for Prometheus: of requests, tables, searches and the process.
 */
#include <dirent.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tools/serve/routes.h"
#include "tools/serve/service_log.h"

/* A metric of one number, with its help and type. */
static void write_metric(FILE *to, const char *name, const char *type, const char *help,
                         double value) {
    fprintf(to, "# HELP %s %s\n# TYPE %s %s\n%s %.15g\n", name, help, name, type, name, value);
}

/* ---- tables ---- */

/* A metric of each table. */
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

static double seconds_of(struct timeval time) {
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

static void write_process(const service *s, FILE *to) {
    struct rusage used;
    long pages = 0;
    int descriptors = 0;
    FILE *memory = fopen("/proc/self/statm", "re");
    if (memory && fscanf(memory, "%*d %ld", &pages) != 1) pages = 0; /* NOLINT: of the kernel */
    if (memory) fclose(memory);
    DIR *folder = opendir("/proc/self/fd"); /* which is a descriptor, too */
    for (const struct dirent *e; folder && (e = readdir(folder));) descriptors += *e->d_name != '.';
    if (folder) closedir(folder);
    getrusage(RUSAGE_SELF, &used);
    write_metric(to, "process_cpu_seconds_total", "counter", "Processor time.",
                 seconds_of(used.ru_utime) + seconds_of(used.ru_stime));
    write_metric(to, "process_resident_memory_bytes", "gauge", "Resident memory.",
                 (double)pages * (double)sysconf(_SC_PAGE_SIZE));
    write_metric(to, "process_open_fds", "gauge", "Open descriptors.",
                 descriptors - (folder != NULL));
    write_metric(to, "plybase_log_lines_lost_total", "counter",
                 "Lines of the log that nobody read.", (double)service_log_lost());
    write_metric(to, "process_start_time_seconds", "gauge", "Start, since 1970.", s->started);
}

/* ---- the route ---- */

void answer_metrics(const route_call *call, http_answer *answer) {
    const service *s = call->service;
    text_stream text;
    FILE *to = text_stream_open(&text);
    table_metric metrics[] = {
        {"plybase_table_info", "gauge", "Tables that are served.", OF_INFO, to},
        {"plybase_probes_total", "counter", "Positions that were asked.", OF_PROBES, to},
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
        fprintf(to,
                "# HELP plybase_build_info The version.\n# TYPE plybase_build_info gauge\n"
                "plybase_build_info{version=\"%s\"} 1\n",
                plb_version());
        service_metrics_write(s->metrics, routes_name, to);
        write_metric(to, "plybase_http_connections", "gauge", "Open connections.",
                     atomic_load(&s->connections));
        for (size_t m = 0; m < sizeof metrics / sizeof *metrics; m++) {
            fprintf(to, "# HELP %s %s\n# TYPE %s %s\n", metrics[m].name, metrics[m].help,
                    metrics[m].name, metrics[m].type);
            table_catalogue_visit(s->catalogue, write_table, &metrics[m]);
        }
        write_metric(to, "plybase_tables", "gauge", "Number of tables that are served.",
                     table_catalogue_count(s->catalogue));
        fputs(
            "# HELP plybase_searches_total Searches: run, answered by another one's run, refused, "
            "and of those run stopped.\n# TYPE plybase_searches_total counter\n",
            to);
        for (size_t o = 0; o < sizeof outcomes / sizeof *outcomes; o++)
            fprintf(to, "plybase_searches_total{outcome=\"%s\"} %llu\n", outcomes[o].outcome,
                    (unsigned long long)outcomes[o].count);
        write_metric(to, "plybase_search_queue", "gauge", "Searches that wait.", counts.waiting);
        write_metric(to, "plybase_searches_running", "gauge", "Searches that run.", counts.running);
        write_process(s, to);
    }
    http_answer_stream(answer, "text/plain; version=0.0.4; charset=utf-8", &text, to);
    answer->caching = CACHE_ASK;
    answer->audience = FOR_SAME_ORIGIN;
}
