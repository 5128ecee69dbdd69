/* SPDX-License-Identifier: MIT
 *
 * `plybase-measure TABLE THREADS WALL PROCESSOR PEAK`: measures the latency of probes, of random
 * reachable positions of a table, and prints it as one JSON line with the given cost of the build
 * (seconds and bytes). tools/measure/bench calls it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "probe/export_rows.h"
#include "probe/plybase.h"
#include "tools/answers/table_answers.h"
#include "tools/terminal/console.h"

enum { PROBES = 20000, SEED = 1 };

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
    plb_answer answer;
    double begun = seconds_now();
    int error = plb_probe(table, x, o, &answer, NULL);
    double time = 1e9 * (seconds_now() - begun);
    return error ? -1 : time;
}

/* Median and 99th percentile of the first probe of a position, and of the second, whose block is
 * cached. */
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

int main(int argc, char **argv) {
    plb_table *table = NULL;
    double median[2], p99[2];
    if (argc != 6) {
        fprintf(stderr, "Usage: plybase-measure TABLE THREADS WALL PROCESSOR PEAK\n");
        return 2;
    }
    if (plb_open(argv[1], &table, NULL) != PLB_OK || !measure_probes(table, median, p99)) {
        fprintf(stderr, "plybase-measure: %s could not be probed\n", argv[1]);
        plb_close(table);
        return 1;
    }
    const plb_table_info *info = plb_info(table);
    double wall = strtod(argv[3], NULL);
    json_writer w = begin_json_object();
    put_word(&w, "spec", info->spec);
    put_word(&w, "values", info->values);
    put_number(&w, "threads", strtol(argv[2], NULL, 10));
    put_count(&w, "positions", info->positions);
    put_real(&w, "wall_seconds", wall);
    put_real(&w, "processor_seconds", strtod(argv[4], NULL));
    put_real(&w, "positions_per_second", (double)info->positions / wall);
    put_number(&w, "peak_memory_bytes", strtoll(argv[5], NULL, 10));
    put_number(&w, "table_bytes", (int64_t)info->size_bytes);
    put_real(&w, "bits_per_position", bits_per_position(info));
    put_real(&w, "probe_median_ns", median[0]);
    put_real(&w, "probe_p99_ns", p99[0]);
    put_real(&w, "cached_probe_median_ns", median[1]);
    put_real(&w, "cached_probe_p99_ns", p99[1]);
    print_json_object(&w);
    plb_close(table);
    return 0;
}
