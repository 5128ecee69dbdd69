/* SPDX-License-Identifier: MIT
 *
 * What describes the service: openapi.json for programs; for people a page of all addresses, whose
 * examples are those of a table that is served, and a page for each problem. The pages are
 * templates (tools/page/) in which [[NAME]] stands for a field.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/serve/page_assets.h"
#include "tools/serve/problems.h"
#include "tools/serve/routes.h"

/* ---- templates ---- */

typedef struct field {
    const char *name, *text;
} field;

/* Write text so that nothing in it is a tag or the end of an attribute. */
static void write_escaped(FILE *to, const char *text) {
    for (; *text; text++) {
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

/* Answer with a template. The last field has no name. */
static void answer_template(const char *name, const field *fields, http_answer *answer) {
    text_stream page;
    page_asset asset = {.bytes = (const unsigned char *)""};
    page_assets_find(name, &asset);
    const char *next = (const char *)asset.bytes;
    FILE *to = text_stream_open(&page);
    for (const char *place; to && (place = strstr(next, "[[")); next = strstr(place, "]]") + 2) {
        const field *f = fields;
        size_t length = strcspn(place + 2, "]");
        while (f->name && (strncmp(f->name, place + 2, length) != 0 || f->name[length])) f++;
        fwrite(next, 1, place - next, to);
        if (f->name) write_escaped(to, f->text);
    }
    if (to) fputs(next, to);
    http_answer_stream(answer, "text/html; charset=utf-8", &page, to);
    answer->caching = CACHE_ASK;
    if (answer->status == 200) answer->audience = FOR_BROWSERS;
}

/* ---- addresses ---- */

enum { SAMPLES = 5, NUMBER_TEXT = 32 };

/* Of the first table that answers everything, which no strategy does. */
typedef struct examples {
    char spec[SPEC_TEXT]; /* "": there is none */
    char id[sizeof "0123456789abcdef"];
    char move[PLB_MOVE_TEXT], board[PLB_BOARD_TEXT]; /* a first move, and the board after it */
    const char *value;                               /* of the empty board */
} examples;

static void find_spec(void *context, const served_table *table, bool shadowed) {
    examples *e = context;
    if (table->info && !shadowed && !table->damaged && !table->info->player && !*e->spec)
        snprintf(e->spec, sizeof e->spec, "%s", table->info->spec);
}

/* A table that answers the empty board and the one after its best move has all examples. False:
 * memory does not suffice. */
static bool find_examples(table_catalogue *catalogue, examples *e) {
    plb_analysis empty = {.count = 0};
    uint64_t x = 0, o = 0;
    *e = (examples){.value = ""};
    table_catalogue_visit(catalogue, find_spec, e);
    served_table *t = *e->spec ? table_catalogue_take(catalogue, e->spec) : NULL;
    *e->spec = 0;
    int error = t ? plb_analyse(t->table, 0, 0, &empty, NULL) : PLB_OK;
    if (!error && empty.count && plb_play(t->table, &empty.moves[0], &x, &o, NULL) == PLB_OK &&
        plb_format_board(t->table, x, o, e->board) == PLB_OK) {
        snprintf(e->spec, sizeof e->spec, "%s", t->info->spec);
        snprintf(e->id, sizeof e->id, "%s", t->info->id);
        snprintf(e->move, sizeof e->move, "%s", empty.moves[0].text);
        e->value = plb_value_text(empty.answer.value);
    }
    table_catalogue_give(t);
    return error != PLB_ENOMEM;
}

/* The name of the server in lines for a shell, to which other characters may mean something. */
static const char *find_host(const http_request *request) {
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-:[]";
    const char *host = request->host;
    return host && *host && !host[strspn(host, plain)] ? host : "HOST";
}

void answer_manual(const route_call *call, http_answer *answer) {
    const serve_options *o = call->service->options;
    examples e;
    char count[NUMBER_TEXT], seconds[NUMBER_TEXT];
    if (!find_examples(call->service->catalogue, &e)) {
        http_answer_own(answer, NULL, 0);
        return;
    }
    snprintf(count, sizeof count, "%d", o->samples < SAMPLES ? o->samples : SAMPLES);
    snprintf(seconds, sizeof seconds, "%g", o->search_seconds);
    const field fields[] = {{"host", find_host(call->request)},
                            {"hash", page_assets_hash()},
                            {"spec", e.spec},
                            {"v", e.id},
                            {"moves", e.move},
                            {"board", e.board},
                            {"value", e.value},
                            {"count", count},
                            {"seconds", seconds},
                            {NULL, NULL}};
    answer_template(*e.spec ? "api.html" : "api_empty.html", fields, answer);
}

void answer_description(const route_call *call, http_answer *answer) {
    answer_built_in(call, "openapi.json", answer);
    answer->audience = FOR_PROGRAMS;
}

/* ---- problems ---- */

void answer_problem_page(const route_call *call, http_answer *answer) {
    const problem_description *d = NULL;
    char status[NUMBER_TEXT];
    for (int p = 0; p < PROBLEM_KINDS && !d; p++)
        if (strcmp(problem_describe((problem_kind)p)->name, call->name) == 0)
            d = problem_describe((problem_kind)p);
    if (!d) {
        answer_problem(answer, PROBLEM_NO_SUCH_ROUTE, "there is no problem '%.60s'", call->name);
        return;
    }
    snprintf(status, sizeof status, "%d", d->status);
    const field fields[] = {
        {"title", d->title}, {"status", status}, {"explanation", d->explanation}, {NULL, NULL}};
    answer_template("problem.html", fields, answer);
}
