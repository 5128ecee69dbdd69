/* SPDX-License-Identifier: MIT
 *
 * Counts of requests by route, method and status, and of the time that they took.
 * Threads: safe, without locks. Must not know: routes, tables, what carries requests.
 */
#ifndef PLB_TOOLS_SERVE_SERVICE_METRICS_H
#define PLB_TOOLS_SERVE_SERVICE_METRICS_H

#include <stdio.h>

#include "tools/serve/problems.h"

typedef struct service_metrics service_metrics;

/* routes: their number. Errors: PLB_ENOMEM. */
int service_metrics_open(int routes, service_metrics **metrics);

/* NULL is allowed. */
void service_metrics_close(service_metrics *metrics);

/* Count an answer. route: its number, or -1 for none. */
void service_metrics_count(service_metrics *metrics, int route, http_method method,
                           const http_answer *answer, double seconds);

/* Write the counts as Prometheus has them (text format 0.0.4); name: of a route, or of -1. */
void service_metrics_write(const service_metrics *metrics, const char *(*name)(int route),
                           FILE *to);

#endif
