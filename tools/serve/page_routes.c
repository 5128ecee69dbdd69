/* SPDX-License-Identifier: MIT
 *
 * Static files, which are built into the program, plain and compressed: the page (with --assets it
 * is read from a folder instead); openapi.json; and from templates, /api with examples from a
 * served table, and a page for each problem.
 *
 * The page refers to its files as "/assets/NAME", its modules to each other as ./NAME. In the
 * built-in page this becomes "/assets/HASH/NAME", with a hash of all files, so that they may be
 * cached for ever; in a page from a folder it becomes "/assets/dev/NAME".
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/answers/chart.h"
#include "tools/serve/routes.h"

enum { MAX_ASSET_BYTES = 1 << 20, SAMPLES = 5, NUMBER_TEXT = 32 };

/* ---- built in ---- */

/* The assembler includes the files. pack-page writes page_files.inc, which has their hash and a row
 * FILE_ROW(symbol, name) for each file. */
#define EMBED(symbol, path)                                                      \
    __asm__(".pushsection .rodata\n" #symbol ":\n.incbin \"" path "\"\n" #symbol \
            "_end:\n.byte 0\n.popsection\n")
#define FILE_ROW(symbol, name)                                         \
    EMBED(page_##symbol, PAGE_FOLDER "/" name);                        \
    EMBED(gzip_##symbol, PAGE_FOLDER "/" name ".gz");                  \
    extern const unsigned char page_##symbol[], page_##symbol##_end[]; \
    extern const unsigned char gzip_##symbol[], gzip_##symbol##_end[];
#include "page_files.inc"
#undef FILE_ROW

/* A zero byte follows each plain file. */
static const struct built_in {
    const char *name;
    const unsigned char *bytes, *end, *packed, *packed_end;
} files[] = {
#define FILE_ROW(symbol, name) \
    {name, page_##symbol, page_##symbol##_end, gzip_##symbol, gzip_##symbol##_end},
#include "page_files.inc"
};

static const struct {
    const char *ending, *type;
} types[] = {
    {".html", "text/html; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".svg", "image/svg+xml"},
    {".json", "application/json"},
    {".txt", "text/plain; charset=utf-8"},
};

static const struct built_in *find_file(const char *name) {
    for (size_t f = 0; f < sizeof files / sizeof *files; f++)
        if (strcmp(files[f].name, name) == 0) return &files[f];
    return NULL;
}

/* The content type of a file; NULL: the page has no files with this ending. */
static const char *type_of(const char *name) {
    const char *ending = strrchr(name, '.');
    for (size_t t = 0; ending && t < sizeof types / sizeof *types; t++)
        if (strcmp(ending, types[t].ending) == 0) return types[t].type;
    return NULL;
}

static void answer_built_in(const route_call *call, const char *name, http_answer *answer) {
    const char *type = type_of(name);
    const struct built_in *file = type ? find_file(name) : NULL;
    bool gzip = http_accepts_gzip(call->request->accept_encoding);
    if (!file) {
        answer_problem(answer, PROBLEM_NO_SUCH_ROUTE, "the page has no file '%.60s'", name);
        return;
    }
    http_answer_begin(answer, 200, type);
    snprintf(answer->etag, sizeof answer->etag, "\"%s%s\"", PAGE_HASH, gzip ? "z" : "");
    answer->varies = true;
    answer->caching = CACHE_REVALIDATE;
    answer->gzip = gzip;
    answer->body = (char *)(gzip ? file->packed : file->bytes);
    answer->size = gzip ? file->packed_end - file->packed : file->end - file->bytes;
}

/* ---- from a folder ---- */

/* The bytes of a file and a zero, from malloc; NULL: it cannot be read. */
static char *read_file(const char *folder, const char *name, size_t *size) {
    char *path = NULL, *text = NULL;
    struct stat file;
    if (asprintf(&path, "%s/%s", folder, name) < 0) return NULL;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    free(path);
    if (descriptor < 0) return NULL;
    if (fstat(descriptor, &file) == 0 && S_ISREG(file.st_mode) && file.st_size < MAX_ASSET_BYTES)
        text = malloc(file.st_size + 1);
    ssize_t got = text ? read(descriptor, text, file.st_size) : -1;
    close(descriptor);
    if (got < 0) {
        free(text);
        return NULL;
    }
    text[got] = 0;
    *size = got;
    return text;
}

/* Replace "/assets/ by "/assets/dev/. Frees the text and returns the new one, or NULL. */
static char *rewrite_assets(char *text, size_t *size) {
    static const char from[] = "\"/assets/";
    text_stream rewritten;
    FILE *to = text_stream_open(&rewritten);
    for (const char *next = text; to && next;) {
        const char *place = strstr(next, from);
        fwrite(next, 1, place ? (size_t)(place - next) : strlen(next), to);
        if (place) fprintf(to, "%sdev/", from);
        next = place ? place + strlen(from) : NULL;
    }
    text_stream_close(&rewritten, to);
    free(text);
    *size = rewritten.size;
    return rewritten.text;
}

/* Answer with a file of the page, from the folder of --assets or built in. */
static void answer_file(const route_call *call, const char *name, http_answer *answer) {
    const char *folder = call->service->options->assets, *type = type_of(name);
    size_t size = 0;
    if (!folder || !type) {
        answer_built_in(call, name, answer);
        return;
    }
    char *text = read_file(folder, name, &size);
    if (!text) {
        answer_problem(answer, PROBLEM_NO_SUCH_ROUTE, "there is no file %.60s in the folder", name);
        return;
    }
    if (strcmp(name, "index.html") == 0) text = rewrite_assets(text, &size);
    http_answer_begin(answer, 200, type);
    http_answer_set_body(answer, text, size);
    answer->caching = CACHE_REVALIDATE;
}

/* ---- the page ---- */

void answer_asset(const route_call *call, http_answer *answer) {
    const char *hash = call->request->target.segment[1];
    bool current = strcmp(hash, PAGE_HASH) == 0;
    (current ? answer_built_in : answer_file)(call, call->name, answer);
    if (answer->status < 400 && current) answer->caching = CACHE_FOREVER;
    answer->audience = FOR_SAME_ORIGIN;
}

/* The page reads the address itself. If the table of the path does not exist, the status is 404. */
static void answer_index(const route_call *call, http_audience audience, http_answer *answer) {
    answer_file(call, "index.html", answer);
    if (answer->status == 200 && call->request->target.segments == 2 && !call->table)
        answer->status = 404;
    if (answer->status < 400 || answer->status == 404) answer->audience = audience;
}

void answer_page(const route_call *call, http_answer *answer) {
    answer_index(call, FOR_BROWSERS, answer);
}

void answer_embedded_page(const route_call *call, http_answer *answer) {
    answer_index(call, FOR_FRAMES, answer);
}

/* ---- templates ---- */

typedef struct field {
    const char *name, *text;
} field;

/* Answer with a template: a built-in file in which each [[NAME]] is replaced by the text of a
 * field. The array of fields ends with a field without a name. */
static void answer_template(const char *name, const field *fields, http_answer *answer) {
    text_stream page;
    const char *next = (const char *)find_file(name)->bytes;
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
    answer->caching = CACHE_REVALIDATE;
    if (answer->status == 200) answer->audience = FOR_BROWSERS;
}

/* ---- /api ---- */

/* Find the first table that is not a strategy, for examples. context: its spec, or "" */
static void find_spec(void *context, const served_table *table, bool shadowed) {
    char *spec = context;
    if (table->info && !shadowed && !table->damaged && !table->info->player && !*spec)
        snprintf(spec, SPEC_TEXT, "%s", table->info->spec);
}

/* The host for shell commands; HOST if it has characters that may be special to a shell. */
static const char *find_host(const http_request *request) {
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-:[]";
    const char *host = request->host;
    return host && *host && !host[strspn(host, plain)] ? host : "HOST";
}

/* The examples are of the empty board of a table, its best move and the board after that. */
void answer_manual(const route_call *call, http_answer *answer) {
    const serve_options *o = call->service->options;
    char spec[SPEC_TEXT] = "", board[PLB_BOARD_TEXT] = "";
    char count[NUMBER_TEXT], seconds[NUMBER_TEXT];
    plb_analysis empty = {.count = 0};
    uint64_t x = 0, o_stones = 0;
    table_catalogue_visit(call->service->catalogue, find_spec, spec);
    served_table *t = *spec ? table_catalogue_acquire(call->service->catalogue, spec) : NULL;
    int error = t ? plb_analyse(t->table, 0, 0, &empty, NULL) : PLB_OK;
    bool found = t && !error && empty.count &&
                 plb_play(t->table, &empty.moves[0], &x, &o_stones, NULL) == PLB_OK &&
                 plb_format_board(t->table, x, o_stones, board) == PLB_OK;
    const char *value = plb_value_text(empty.answer.value);
    snprintf(count, sizeof count, "%d", o->samples < SAMPLES ? o->samples : SAMPLES);
    snprintf(seconds, sizeof seconds, "%g", o->search_seconds);
    const field fields[] = {{"host", find_host(call->request)},
                            {"hash", PAGE_HASH},
                            {"spec", found ? spec : ""},
                            {"v", found ? t->info->id : ""},
                            {"moves", empty.moves[0].text},
                            {"board", board},
                            {"value", value},
                            {"where", value},
                            {"count", count},
                            {"seconds", seconds},
                            {NULL, NULL}};
    if (error == PLB_ENOMEM)
        http_answer_set_body(answer, NULL, 0);
    else
        answer_template(found ? "api.html" : "api_empty.html", fields, answer);
    table_catalogue_release(t);
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
        if (strcmp(problem_descriptions[p].name, call->name) == 0) d = &problem_descriptions[p];
    if (!d) {
        answer_problem(answer, PROBLEM_NO_SUCH_ROUTE, "there is no problem '%.60s'", call->name);
        return;
    }
    snprintf(status, sizeof status, "%d", d->status);
    const field fields[] = {
        {"title", d->title}, {"status", status}, {"explanation", d->explanation}, {NULL, NULL}};
    answer_template("problem.html", fields, answer);
}
