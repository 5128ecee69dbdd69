/* SPDX-License-Identifier: MIT
 *
 * The addresses of the service, as rows of a table: path, methods, parameters, and who answers.
 *
 *     /v1                              what the server is, its limits, links
 *     /v1/tables                       all tables
 *     /v1/tables/SPEC                  one table, its rules, links
 *     /v1/tables/SPEC/positions        a position with all moves, ?board= or ?moves=; POST: a batch
 *     /v1/tables/SPEC/stats            counts per ply; ?format=csv
 *     /v1/tables/SPEC/best             distance and best moves; ?seconds=
 *     /v1/tables/SPEC/line             a line to the end; ?seconds=
 *     /v1/tables/SPEC/sample           positions at random; ?count= ?seed= ?ply= ?value=
 *     /health /metrics                 for who watches the server
 *     /openapi.json /api /problems/P   descriptions
 *     / /tables/SPEC /embed/SPEC       the page, which finds its files at /assets/HASH/NAME
 *
 * A position is a board, moves from the empty board, or with both moves from that board; if none is
 * given it is the empty board. Every address of a table takes ?v=ID, and then
 * answers only for the table of this id, for ever.
 *
 * Answers of /v1 are those of the commands with --json (tools/answers/), with `table` before them,
 * and with `played` where there is ?moves=: each move with its cell and the position after it.
 *
 * Uses the public header alone.
 */
#ifndef PLB_TOOLS_SERVE_ROUTES_H
#define PLB_TOOLS_SERVE_ROUTES_H

#include "tools/serve/search_queue.h"
#include "tools/serve/serve_options.h"
#include "tools/serve/service_metrics.h"
#include "tools/serve/table_catalogue.h"

/* The service: what all requests share. */
typedef struct service {
    const serve_options *options;
    table_catalogue *catalogue;
    search_queue *searches;
    service_metrics *metrics;
    atomic_int connections; /* that are open */
    double started;         /* seconds since 1970 */
    atomic_bool draining;   /* nothing new is taken */
} service;

/* A request that is being answered. */
typedef struct route_call {
    service *service;
    const http_request *request;
    served_table *table; /* of the path's {spec}; NULL where there is none */
    const char *name;    /* of the path's {name} */
} route_call;

typedef void route_answerer(const route_call *call, http_answer *answer);

/* Every route answers GET, HEAD and OPTIONS. */
typedef struct route {
    const char *path;       /* segments in braces stand for any */
    const char *parameters; /* that it knows, with blanks between; NULL: any */
    route_answerer *answer;
    route_answerer *post; /* answers POST, whose only parameter is v; NULL: nobody */
} route;

enum { SPEC_TEXT = 64 }; /* bytes of a table's name, with the final zero */

/* What a request has asked, for who counts and logs it. */
typedef struct asked_route {
    int number;           /* -1: there is no such route */
    char spec[SPEC_TEXT]; /* of the table that was found; "": none was */
} asked_route;

/* Answer a request by its route; or with answer->work name what finds the answer. */
asked_route routes_answer(service *service, const http_request *request, http_answer *answer);

/* How many routes there are, and the path of one as its row has it; `none` for -1. */
int routes_count(void);
const char *routes_name(int route);

/* Is the target, as it came or taken apart, one that programs of other origins may ask, whether
 * there is such a route or not? */
bool routes_are_shared(const char *target);

/* Complete an answer that a search has found: where the address names the table's id, it may be
 * kept for ever. */
void routes_complete(const http_request *request, http_answer *answer);

/* Those who answer, by what they answer about. */
route_answerer answer_service, answer_tables, answer_health;           /* service_routes.c */
route_answerer answer_metrics;                                         /* metrics_routes.c */
route_answerer answer_description, answer_manual, answer_problem_page; /* description_routes.c */
route_answerer answer_sample;                                          /* sample_routes.c */
route_answerer answer_table, answer_stats;                             /* table_routes.c */
route_answerer answer_position, answer_best, answer_line;              /* position_routes.c */
route_answerer answer_batch;                                           /* batch_routes.c */
route_answerer answer_page, answer_embedded_page, answer_asset;        /* page_routes.c */

/* Answer with a file that is built in. */
void answer_built_in(const route_call *call, const char *name, http_answer *answer);

/* An answer of a table: 200, JSON, that may be kept as long as the table stands. Of the call the
 * table alone is looked at. */
void answer_table_json(const route_call *call, http_answer *answer, char *line, size_t size);

/* Has the client the answer of this table (If-None-Match)? Then this is answered, status 304: to be
 * asked when nothing is left for which the request could be refused, and before anything is looked
 * up. A strategy refuses what it does not answer, so it has to be asked first. */
bool answer_is_known(const route_call *call, http_answer *answer);

/* The next answer to the same question may be a better one: this one is not kept, and has no tag.
 */
void answer_is_unfinished(http_answer *answer);

/* Tell the catalogue and the log of an error if it is one of the table's file. */
void routes_report(const route_call *call, int error, const plb_message *message);

/* An error of the library while a table was asked; damage is reported to the catalogue. The call's
 * request is not looked at. */
void answer_table_error(const route_call *call, http_answer *answer, int error,
                        const plb_message *message, const char *parameter);

#endif
