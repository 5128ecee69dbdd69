/* SPDX-License-Identifier: MIT
 *
 * The description for people, made from that for programs: every address with what it takes, links
 * that ask it, and a line for a shell. Its examples are those of a table that is served.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "tools/serve/html_page.h"
#include "tools/serve/page_assets.h"
#include "tools/serve/routes.h"

/* ---- examples ---- */

enum { SAMPLES = 5, NUMBER_TEXT = 32 };

/* Of the first table that answers everything, which no strategy does. */
typedef struct examples {
    char spec[128]; /* "": there is none */
    char id[sizeof "0123456789abcdef"];
    char move[PLB_MOVE_TEXT], board[PLB_BOARD_TEXT]; /* a first move, and the board after it */
    const char *value;                               /* of the empty board */
    char count[NUMBER_TEXT], seconds[NUMBER_TEXT];   /* that the server grants */
} examples;

static void find_spec(void *context, const served_table *table, bool shadowed) {
    examples *e = context;
    if (table->info && !shadowed && !table->damaged && !table->info->player && !*e->spec)
        snprintf(e->spec, sizeof e->spec, "%s", table->info->spec);
}

/* A table that answers the empty board and the one after its best move has them all. */
static int find_examples_of(const served_table *t, const serve_options *granted, examples *e) {
    plb_analysis empty;
    uint64_t x = 0, o = 0;
    int error = plb_analyse(t->table, 0, 0, &empty, NULL);
    if (error) return error;
    if (empty.count == 0 || plb_play(t->table, &empty.moves[0], &x, &o, NULL) != PLB_OK ||
        plb_format_board(t->table, x, o, e->board) != PLB_OK)
        return PLB_OK;
    snprintf(e->spec, sizeof e->spec, "%s", t->info->spec);
    snprintf(e->id, sizeof e->id, "%s", t->info->id);
    snprintf(e->move, sizeof e->move, "%s", empty.moves[0].text);
    e->value = plb_value_text(empty.answer.value);
    snprintf(e->count, sizeof e->count, "%d",
             granted->samples < SAMPLES ? granted->samples : SAMPLES);
    snprintf(e->seconds, sizeof e->seconds, "%g", granted->search_seconds);
    return PLB_OK;
}

/* False: memory does not suffice. */
static bool find_examples(const service *service, examples *e) {
    *e = (examples){0};
    table_catalogue_visit(service->catalogue, find_spec, e);
    served_table *t = *e->spec ? table_catalogue_take(service->catalogue, e->spec) : NULL;
    *e->spec = 0;
    int error = t ? find_examples_of(t, service->options, e) : PLB_OK;
    table_catalogue_give(t);
    return error != PLB_ENOMEM;
}

static const char *text_at(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* What a parameter may be, as the table has it; NULL: as the description has it. */
static const char *find_own(const examples *e, const char *parameter) {
    const struct {
        const char *name, *text;
    } own[] = {{"spec", e->spec},   {"board", e->board}, {"moves", e->move},     {"v", e->id},
               {"value", e->value}, {"count", e->count}, {"seconds", e->seconds}};
    for (size_t i = 0; *e->spec && i < sizeof own / sizeof *own; i++)
        if (strcmp(parameter, own[i].name) == 0) return own[i].text;
    return NULL;
}

static void write_example(FILE *to, const examples *e, const json_t *parameter) {
    const char *own = find_own(e, text_at(parameter, "name"));
    const json_t *described = json_object_get(parameter, "example");
    if (!own && json_is_integer(described))
        fprintf(to, "%lld", (long long)json_integer_value(described));
    else
        html_write_text(to, own ? own : text_at(parameter, "example"));
}

/* ---- the page ---- */

/* A page on its way. */
typedef struct manual {
    FILE *to;
    const json_t *description;
    const char *host; /* as the client names the server */
    examples examples;
} manual;

/* A parameter of an operation, which may be one of the components. */
static const json_t *parameter_at(const manual *m, const json_t *operation, size_t index) {
    const json_t *list = json_object_get(operation, "parameters");
    const json_t *parameter = json_array_get(list, index);
    const char *name = strrchr(text_at(parameter, "$ref"), '/');
    if (!name) return parameter;
    const json_t *components = json_object_get(m->description, "components");
    return json_object_get(json_object_get(components, "parameters"), name + 1);
}

static void write_parameter(const manual *m, const json_t *parameter) {
    fputs("<dt><code>", m->to);
    html_write_text(m->to, text_at(parameter, "name"));
    fputs("</code></dt>\n<dd>", m->to);
    html_write_text(m->to, text_at(parameter, "description"));
    fputs("; such as <code>", m->to);
    write_example(m->to, &m->examples, parameter);
    fputs("</code></dd>\n", m->to);
}

static void write_parameters(const manual *m, const json_t *operation) {
    size_t count = json_array_size(json_object_get(operation, "parameters"));
    if (count) fputs("<dl>\n", m->to);
    for (size_t p = 0; p < count; p++) write_parameter(m, parameter_at(m, operation, p));
    if (count) fputs("</dl>\n", m->to);
}

/* ---- what to ask ---- */

/* An address, of the example's table, with a parameter or NULL. */
static void write_target(const manual *m, const char *path, const json_t *parameter) {
    const char *brace = strchr(path, '{');
    if (brace) {
        fprintf(m->to, "%.*s", (int)(brace - path), path);
        html_write_text(m->to, *m->examples.spec ? m->examples.spec : "SPEC");
        path = strchr(brace, '}') + 1;
    }
    html_write_text(m->to, path);
    if (!parameter) return;
    fprintf(m->to, "?%s=", text_at(parameter, "name"));
    write_example(m->to, &m->examples, parameter);
}

static void write_link(const manual *m, const char *path, const json_t *parameter) {
    fputs("<li><a href=\"", m->to);
    write_target(m, path, parameter);
    fputs("\"><code>", m->to);
    write_target(m, path, parameter);
    fputs("</code></a></li>\n", m->to);
}

/* The address alone, and with each of the parameters of its query. */
static void write_links(const manual *m, const char *path, const json_t *operation) {
    size_t count = json_array_size(json_object_get(operation, "parameters"));
    if (strchr(path, '{') && !*m->examples.spec) return;
    fputs("<ul>\n", m->to);
    write_link(m, path, NULL);
    for (size_t p = 0; p < count; p++) {
        const json_t *parameter = parameter_at(m, operation, p);
        if (strcmp(text_at(parameter, "in"), "query") == 0) write_link(m, path, parameter);
    }
    fputs("</ul>\n", m->to);
}

/* The end of a line for a shell: the address in quotes, for it may have a `?`. */
static void write_shell_target(const manual *m, const char *path) {
    fputs("'http://", m->to);
    html_write_text(m->to, m->host);
    write_target(m, path, NULL);
    fputs("'</pre>\n", m->to);
}

/* Two positions as JSON, and one as a line. */
static void write_posts(const manual *m, const char *path) {
    const examples *e = &m->examples;
    bool any = *e->spec;
    fputs("<pre>curl -H 'Content-Type: application/json' -d '{\"moves\":[\"\",\"", m->to);
    html_write_text(m->to, any ? e->move : "1");
    fputs("\"]}' ", m->to);
    write_shell_target(m, path);
    fputs("<pre>printf '%s\\n' '", m->to);
    html_write_text(m->to, any ? e->board : "5/5/5/5/2x2");
    fputs("' | curl -H 'Content-Type: text/plain' --data-binary @- ", m->to);
    write_shell_target(m, path);
}

/* An address and one of its methods. */
static void write_operation(const manual *m, const char *path, const char *method,
                            const json_t *operation) {
    const json_t *answers = json_object_get(operation, "responses");
    bool is_post = strcmp(method, "post") == 0;
    fprintf(m->to, "<section>\n<h2><code>%s ", is_post ? "POST" : "GET");
    html_write_text(m->to, path);
    fputs("</code></h2>\n<p>", m->to);
    html_write_text(m->to, text_at(operation, "summary"));
    fputs(". Gives ", m->to);
    html_write_text(m->to, text_at(json_object_get(answers, "200"), "description"));
    fputs(".</p>\n", m->to);
    write_parameters(m, operation);
    if (is_post) {
        write_posts(m, path);
    } else {
        write_links(m, path, operation);
        fputs("<pre>curl ", m->to);
        write_shell_target(m, path);
    }
    fputs("</section>\n", m->to);
}

static void write_manual(const manual *m) {
    json_t *paths = json_object_get(m->description, "paths");
    html_begin_page(m->to, "The addresses of this server");
    fputs("<p>", m->to);
    html_write_text(m->to, text_at(json_object_get(m->description, "info"), "description"));
    fputs(" <a href=\"/openapi.json\">openapi.json</a> says the same to programs.</p>\n", m->to);
    for (void *p = json_object_iter(paths); p; p = json_object_iter_next(paths, p)) {
        json_t *methods = json_object_iter_value(p);
        for (void *o = json_object_iter(methods); o; o = json_object_iter_next(methods, o))
            write_operation(m, json_object_iter_key(p), json_object_iter_key(o),
                            json_object_iter_value(o));
    }
}

/* Names and numbers alone, for a shell would take other things for its own. */
static const char *host_of(const http_request *request) {
    const char *host = request->host;
    bool is_plain = host && *host &&
                    !host[strspn(host,
                                 "abcdefghijklmnopqrstuvwxyz"
                                 "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 "0123456789.-:[]")];
    return is_plain ? host : "HOST";
}

void answer_manual(const route_call *call, http_answer *answer) {
    page_asset asset;
    text_stream page = {0};
    json_t *description = NULL;
    if (page_assets_find("openapi.json", &asset))
        description = json_loadb((const char *)asset.bytes, asset.size, 0, NULL);
    manual m = {.description = description, .host = host_of(call->request)};
    if (description && find_examples(call->service, &m.examples)) m.to = text_stream_open(&page);
    if (m.to) write_manual(&m);
    html_answer_page(m.to, &page, answer);
    json_decref(description);
}
