/* SPDX-License-Identifier: MIT
 *
 * What describes the service: openapi.json for programs, which is built in, and a page for each
 * problem. The page for people is manual_routes.c.
 */
#include <string.h>

#include "tools/serve/html_page.h"
#include "tools/serve/problems.h"
#include "tools/serve/routes.h"

void answer_problem_page(const route_call *call, http_answer *answer) {
    text_stream page;
    const problem_description *d = NULL;
    for (int p = 0; p < PROBLEM_KINDS && !d; p++)
        if (strcmp(problem_describe((problem_kind)p)->name, call->name) == 0)
            d = problem_describe((problem_kind)p);
    if (!d) {
        answer_problem(answer, PROBLEM_NO_SUCH_ROUTE, "there is no problem '%.60s'", call->name);
        return;
    }
    FILE *to = text_stream_open(&page);
    if (to) {
        html_begin_page(to, d->title);
        fprintf(to, "<p>Status %d. ", d->status);
        html_write_text(to, d->explanation);
        fputs("</p>\n<p><a href=\"/api\">The addresses of this server</a></p>\n", to);
    }
    html_answer_page(to, &page, answer);
}

void answer_description(const route_call *call, http_answer *answer) {
    answer_built_in(call, "openapi.json", answer);
    answer->audience = FOR_PROGRAMS;
}
