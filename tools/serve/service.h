/* SPDX-License-Identifier: MIT
 *
 * The service: what all requests share.
 */
#ifndef PLB_TOOLS_SERVE_SERVICE_H
#define PLB_TOOLS_SERVE_SERVICE_H

#include "tools/serve/search_queue.h"
#include "tools/serve/serve_options.h"
#include "tools/serve/service_metrics.h"
#include "tools/serve/table_catalogue.h"

typedef struct service {
    const serve_options *options;
    table_catalogue *catalogue;
    search_queue *searches;
    service_metrics *metrics;
    atomic_int connections; /* that are open */
    double started;         /* seconds since 1970 */
    atomic_bool draining;   /* nothing new is taken */
} service;

#endif
