/* SPDX-License-Identifier: MIT
 *
 * Measures builds and probes: `plybase-measure PLYBASE THREADS SPEC...` runs `PLYBASE build` for
 * every spec in the current folder and prints one JSON line each; SPEC=dtm asks for a table with
 * distances. tools/measure/bench is the way to call it. Probes are timed one by one, over reachable
 * positions drawn from all of the table.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "probe/export_rows.h"
#include "probe/plybase.h"
#include "tools/answers/table_answers.h"

enum { PROBES = 20000, SEED = 1 };

static double nanoseconds_since(const struct timespec *begin) {
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    return 1e9 *
           ((double)(end.tv_sec - begin->tv_sec) + 1e-9 * (double)(end.tv_nsec - begin->tv_nsec));
}

/* ---- builds ---- */

typedef struct build_cost {
    double wall, processor;
    uint64_t peak_bytes;
} build_cost;

static double seconds_of(struct timeval t) {
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static bool run_build(char *plybase, char *threads, char *spec, char *values, build_cost *cost) {
    char *arguments[] = {plybase,    "build", "--force", "--threads", threads,
                         "--values", values,  spec,      NULL};
    struct timespec begin;
    struct rusage usage;
    int status = 0;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    pid_t child = fork();
    if (child == 0) {
        if (!freopen("/dev/null", "w", stderr)) _exit(127);
        execv(plybase, arguments);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) < 0 || status != 0) return false;
    cost->wall = nanoseconds_since(&begin) / 1e9;
    cost->processor = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
    cost->peak_bytes = (uint64_t)usage.ru_maxrss * 1024;
    return true;
}

/* ---- probes ---- */

static uint64_t positions[PROBES][2], drawn;

static bool take_row(void *context, const plb_export_row *row) {
    (void)context;
    positions[drawn][0] = row->x;
    positions[drawn++][1] = row->o;
    return true;
}

static int compare_times(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static double time_probe(const plb_table *table, uint64_t x, uint64_t o) {
    struct timespec begin;
    plb_answer answer;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    int error = plb_probe(table, x, o, &answer, NULL);
    double time = nanoseconds_since(&begin);
    return error ? -1 : time;
}

/* Median and 99th percentile of the first probe of a position and of the second, by when its
 * block is cached. */
static bool measure_probes(const plb_table *table, double median[2], double p99[2]) {
    static float times[2][PROBES];
    const plb_export_options options = {.samples = PROBES, .seed = SEED};
    static plb_export_source rows;
    plb_message message;
    int error = plb_export_init(table, &options, &rows, &message);
    drawn = 0;
    for (uint64_t task = 0, done; task < rows.tasks && !error; task++) /* warms the file cache */
        error = plb_export_run(&rows, task, &(plb_export_taker){take_row, NULL}, &done, &message);
    if (error) return false;
    for (int i = 0; i < PROBES; i++)
        for (int again = 0; again < 2; again++)
            times[again][i] = (float)time_probe(table, positions[i][0], positions[i][1]);
    for (int again = 0; again < 2; again++) {
        qsort(times[again], PROBES, sizeof times[again][0], compare_times);
        median[again] = times[again][PROBES / 2];
        p99[again] = times[again][PROBES / 100 * 99];
    }
    return true;
}

/* ---- the whole ---- */

static bool print_line(const char *spec, int threads, const build_cost *cost,
                       const plb_table *table) {
    const plb_table_info *info = plb_info(table);
    double median[2], p99[2];
    if (!measure_probes(table, median, p99)) return false;
    json_writer w = begin_json_object();
    put_word(&w, "spec", spec);
    put_word(&w, "values", info->values);
    put_number(&w, "threads", threads);
    put_count(&w, "positions", info->positions);
    put_real(&w, "wall_seconds", cost->wall);
    put_real(&w, "processor_seconds", cost->processor);
    put_real(&w, "positions_per_second", (double)info->positions / cost->wall);
    put_number(&w, "peak_memory_bytes", (int64_t)cost->peak_bytes);
    put_number(&w, "table_bytes", (int64_t)info->size_bytes);
    put_real(&w, "bits_per_position", bits_per_position(info));
    put_real(&w, "probe_median_ns", median[0]);
    put_real(&w, "probe_p99_ns", p99[0]);
    put_real(&w, "cached_probe_median_ns", median[1]);
    put_real(&w, "cached_probe_p99_ns", p99[1]);
    print_json_object(&w);
    fflush(stdout);
    return true;
}

int main(int argc, char **argv) {
    if (argc < 4) {
        fprintf(stderr, "Usage: plybase-measure PLYBASE THREADS SPEC...\n");
        return 2;
    }
    int status = 0;
    for (int a = 3; a < argc; a++) {
        char path[256], wdl[] = "wdl", *spec = argv[a], *values = strchr(spec, '=');
        if (values) *values++ = 0;
        build_cost cost;
        plb_table *table = NULL;
        snprintf(path, sizeof path, "%s.plb", spec);
        bool good = run_build(argv[1], argv[2], spec, values ? values : wdl, &cost) &&
                    plb_open(path, &table, NULL) == PLB_OK &&
                    print_line(spec, atoi(argv[2]), &cost, table);
        plb_close(table);
        if (good) continue;
        fprintf(stderr, "plybase-measure: %s could not be built and probed\n", spec);
        status = 1;
    }
    return status;
}
