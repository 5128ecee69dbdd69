/* SPDX-License-Identifier: MIT
 *
 * The service: what all requests share.
 */
#ifndef PLB_TOOLS_SERVE_SERVICE_H
#define PLB_TOOLS_SERVE_SERVICE_H

#include "tools/serve/search_queue.h"
#include "tools/serve/serve_options.h"
#include "tools/serve/table_catalogue.h"

typedef struct service {
    const serve_options *options;
    table_catalogue *catalogue;
    search_queue *searches;
    atomic_bool draining; /* nothing new is taken */
} service;

#endif
