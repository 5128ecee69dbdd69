/* SPDX-License-Identifier: MIT
 *
 * What describes the service: openapi.json for programs, which is built in; a page for people,
 * which is made from it; and a page for each problem.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/answers/json_answers.h"
#include "tools/serve/page_assets.h"
#include "tools/serve/problems.h"
#include "tools/serve/routes.h"
#include "tools/serve/text_stream.h"

/* ---- pages ---- */

/* Text in HTML. */
static void write_text(FILE *to, const char *text) {
    for (; text && *text; text++) {
        const char *escaped = *text == '&'   ? "&amp;"
                              : *text == '<' ? "&lt;"
                              : *text == '>' ? "&gt;"
                              : *text == '"' ? "&quot;"
                                             : NULL;
        if (escaped)
            fputs(escaped, to);
        else
            putc(*text, to);
    }
}

static void begin_page(FILE *to, const char *title) {
    fputs(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n<title>",
        to);
    write_text(to, title);
    fprintf(to,
            "</title>\n<link rel=\"stylesheet\" href=\"/assets/%s/manual.css\">\n</head>\n"
            "<body>\n<main>\n<h1>",
            page_assets_hash());
    write_text(to, title);
    fputs("</h1>\n", to);
}

/* End a page, which is given up, and answer with it. */
static void answer_html(FILE *to, text_stream *page, http_answer *answer) {
    size_t size;
    if (to) fputs("</main>\n</body>\n</html>\n", to);
    char *text = text_stream_close(page, to, &size);
    http_answer_begin(answer, 200, "text/html; charset=utf-8");
    http_answer_own(answer, text, size);
    answer->caching = CACHE_ASK;
    if (answer->status == 200) answer->audience = FOR_BROWSERS;
}

/* ---- problems ---- */

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
        begin_page(to, d->title);
        fprintf(to, "<p>Status %d. ", d->status);
        write_text(to, d->explanation);
        fputs("</p>\n<p><a href=\"/api\">The addresses of this server</a></p>\n", to);
    }
    answer_html(to, &page, answer);
}

/* ---- openapi.json ---- */

void answer_description(const route_call *call, http_answer *answer) {
    answer_built_in(call, "openapi.json", answer);
    answer->audience = FOR_PROGRAMS;
}

static const char *text_at(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* A parameter, which may be one of the components. */
static const json_t *resolve(const json_t *description, const json_t *parameter) {
    const char *name = strrchr(text_at(parameter, "$ref"), '/');
    if (!name) return parameter;
    const json_t *components = json_object_get(description, "components");
    return json_object_get(json_object_get(components, "parameters"), name + 1);
}

static void write_parameter(FILE *to, const json_t *parameter) {
    const char *example = text_at(parameter, "example");
    fputs("<dt><code>", to);
    write_text(to, text_at(parameter, "name"));
    fputs("</code></dt>\n<dd>", to);
    write_text(to, text_at(parameter, "description"));
    if (*example) {
        fputs(", such as <code>", to);
        write_text(to, example);
        fputs("</code>", to);
    }
    fputs("</dd>\n", to);
}

static void write_parameters(FILE *to, const json_t *description, const json_t *list) {
    size_t count = json_array_size(list);
    if (count) fputs("<dl>\n", to);
    for (size_t p = 0; p < count; p++)
        write_parameter(to, resolve(description, json_array_get(list, p)));
    if (count) fputs("</dl>\n", to);
}

/* An address and one of its methods. */
static void write_operation(FILE *to, const json_t *description, const char *path,
                            const char *method, const json_t *operation) {
    const json_t *answers = json_object_get(operation, "responses");
    fputs("<section>\n<h2><code>", to);
    fputs(strcmp(method, "post") == 0 ? "POST " : "GET ", to);
    write_text(to, path);
    fputs("</code></h2>\n<p>", to);
    write_text(to, text_at(operation, "summary"));
    fputs(". Gives ", to);
    write_text(to, text_at(json_object_get(answers, "200"), "description"));
    fputs(".</p>\n", to);
    write_parameters(to, description, json_object_get(operation, "parameters"));
    if (strcmp(method, "get") == 0 && !strchr(path, '{'))
        fprintf(to, "<p><a href=\"%s\">Try it</a></p>\n", path);
    fputs("</section>\n", to);
}

/* The first table that there is, as an example. */
typedef struct example {
    char spec[128]; /* "": there is none */
} example;

static void find_example(void *context, const served_table *table, bool shadowed) {
    example *e = context;
    if (table->info && !shadowed && !*e->spec)
        snprintf(e->spec, sizeof e->spec, "%s", table->info->spec);
}

static void write_methods(FILE *to, const json_t *description, const char *path, json_t *methods) {
    for (void *m = json_object_iter(methods); m; m = json_object_iter_next(methods, m))
        write_operation(to, description, path, json_object_iter_key(m), json_object_iter_value(m));
}

static void write_manual(FILE *to, const route_call *call, const json_t *description) {
    json_t *paths = json_object_get(description, "paths");
    example e = {""};
    begin_page(to, "The addresses of this server");
    fputs("<p>", to);
    write_text(to, text_at(json_object_get(description, "info"), "description"));
    fputs(" <a href=\"/openapi.json\">openapi.json</a> says the same to programs.</p>\n", to);
    table_catalogue_visit(call->service->catalogue, find_example, &e);
    if (*e.spec)
        fprintf(to,
                "<pre>curl 'http://HOST/v1/tables/%s/positions'</pre>\n"
                "<p><a href=\"/v1/tables/%s/positions\">The empty board of %s</a></p>\n",
                e.spec, e.spec, e.spec);
    for (void *p = json_object_iter(paths); p; p = json_object_iter_next(paths, p))
        write_methods(to, description, json_object_iter_key(p), json_object_iter_value(p));
}

void answer_manual(const route_call *call, http_answer *answer) {
    page_asset asset;
    text_stream page = {0};
    json_t *description = NULL;
    bool lacks_memory;
    if (page_assets_find("openapi.json", &asset))
        description = read_json((const char *)asset.bytes, asset.size, 0, NULL, &lacks_memory);
    FILE *to = description ? text_stream_open(&page) : NULL;
    if (to) write_manual(to, call, description);
    answer_html(to, &page, answer);
    json_decref(description);
}
