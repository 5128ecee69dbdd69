/* SPDX-License-Identifier: MIT */
#include "tools/serve/service_metrics.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { METHODS = HTTP_OTHER + 1, STATUSES = 600, BOUNDS = 17 };

/* Upper bounds of the buckets, in seconds. */
static const double bounds[BOUNDS] = {50e-6, 100e-6, 200e-6, 500e-6, 1e-3, 2e-3, 5e-3, 10e-3, 20e-3,
                                      50e-3, 100e-3, 200e-3, 500e-3, 1,    2,    5,    10};

typedef struct route_counts {
    atomic_uint_fast64_t answers[METHODS][STATUSES];
    atomic_uint_fast64_t within[BOUNDS + 1]; /* the last one: above all bounds */
    atomic_uint_fast64_t nanoseconds;
} route_counts;

struct service_metrics {
    int routes; /* the last one: of requests without a route */
    atomic_uint_fast64_t problems[PROBLEM_KINDS];
    route_counts counts[]; /* [routes] */
};

int service_metrics_open(int routes, service_metrics **metrics) {
    service_metrics *made = calloc(1, sizeof *made + (routes + 1) * sizeof *made->counts);
    if (!made) return PLB_ENOMEM;
    made->routes = routes + 1;
    *metrics = made;
    return PLB_OK;
}

void service_metrics_close(service_metrics *metrics) {
    free(metrics);
}

static void add(atomic_uint_fast64_t *count, uint64_t more) {
    atomic_fetch_add_explicit(count, more, memory_order_relaxed);
}

void service_metrics_count(service_metrics *m, int route, http_method method,
                           const http_answer *answer, double seconds) {
    route_counts *c = &m->counts[route < 0 ? m->routes - 1 : route];
    int bound = 0;
    while (bound < BOUNDS && seconds > bounds[bound]) bound++;
    add(&c->answers[method][answer->status % STATUSES], 1);
    add(&c->within[bound], 1);
    add(&c->nanoseconds, (uint64_t)(1e9 * seconds));
    if (answer->problem) add(&m->problems[answer->problem - 1], 1);
}

/* ---- text ---- */

/* The number of a route outside of this module. */
static int number_of(const service_metrics *m, int route) {
    return route == m->routes - 1 ? -1 : route;
}

/* Each number of requests that is not 0, and how long the requests of each route took. */
void service_metrics_write(const service_metrics *m, const char *(*name)(int route), FILE *to) {
    static const char *const methods[METHODS] = {"GET", "HEAD", "POST", "OPTIONS", "other"};
    static const char time[] = "plybase_http_request_duration_seconds";
    fputs(
        "# HELP plybase_http_requests_total Requests that were answered.\n"
        "# TYPE plybase_http_requests_total counter\n",
        to);
    for (int r = 0; r < m->routes; r++)
        for (int method = 0; method < METHODS; method++)
            for (int status = 0; status < STATUSES; status++) {
                uint64_t count = m->counts[r].answers[method][status];
                if (!count) continue;
                fprintf(
                    to,
                    "plybase_http_requests_total{route=\"%s\",method=\"%s\",code=\"%d\"} %llu\n",
                    name(number_of(m, r)), methods[method], status, (unsigned long long)count);
            }
    fprintf(to, "# HELP %s From the first line of a request to its answer.\n# TYPE %s histogram\n",
            time, time);
    for (int r = 0; r < m->routes; r++) {
        const route_counts *c = &m->counts[r];
        const char *route = name(number_of(m, r));
        unsigned long long sum = 0, all = 0;
        for (int b = 0; b <= BOUNDS; b++) all += c->within[b];
        if (!all) continue;
        for (int b = 0; b < BOUNDS; b++) {
            sum += c->within[b];
            fprintf(to, "%s_bucket{route=\"%s\",le=\"%g\"} %llu\n", time, route, bounds[b], sum);
        }
        sum += c->within[BOUNDS];
        fprintf(to, "%s_bucket{route=\"%s\",le=\"+Inf\"} %llu\n", time, route, sum);
        fprintf(to, "%s_sum{route=\"%s\"} %.9f\n", time, route, 1e-9 * (double)c->nanoseconds);
        fprintf(to, "%s_count{route=\"%s\"} %llu\n", time, route, sum);
    }
    fputs(
        "# HELP plybase_http_refused_total Requests that were refused, by the name of the "
        "problem.\n"
        "# TYPE plybase_http_refused_total counter\n",
        to);
    for (int p = 0; p < PROBLEM_KINDS; p++)
        fprintf(to, "plybase_http_refused_total{reason=\"%s\"} %llu\n",
                problem_describe((problem_kind)p)->name, (unsigned long long)m->problems[p]);
}
