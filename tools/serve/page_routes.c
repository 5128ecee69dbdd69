/* SPDX-License-Identifier: MIT
 *
 * The page and its files: built in, or with --assets those of a folder.
 *
 * The page names its files as "/assets/NAME", and its modules name each other as ./NAME. Built in,
 * this is "/assets/HASH/NAME" with a hash of all files, so that they may be cached for ever; with a
 * folder it is "/assets/dev/NAME".
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/serve/page_assets.h"
#include "tools/serve/problems.h"
#include "tools/serve/routes.h"

enum { MOST_ASSET_BYTES = 1 << 20 };

/* ---- from a folder ---- */

/* A whole file, to be freed; NULL: it cannot be read. */
static char *read_whole(const char *folder, const char *name, size_t *size) {
    char *path = NULL, *text = NULL;
    struct stat file;
    if (asprintf(&path, "%s/%s", folder, name) < 0) return NULL;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    free(path);
    if (descriptor < 0) return NULL;
    if (fstat(descriptor, &file) == 0 && S_ISREG(file.st_mode) && file.st_size < MOST_ASSET_BYTES)
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

/* Replace "/assets/ by "/assets/dev/ in a text, which is freed. */
static char *name_folder(char *text, size_t *size) {
    static const char from[] = "\"/assets/";
    char *named = NULL;
    FILE *to = open_memstream(&named, size);
    for (const char *next = text; to && next;) {
        const char *place = strstr(next, from);
        fwrite(next, 1, place ? (size_t)(place - next) : strlen(next), to);
        if (place) fprintf(to, "%sdev/", from);
        next = place ? place + strlen(from) : NULL;
    }
    if (to && fclose(to) != 0) {
        free(named);
        named = NULL;
    }
    free(text);
    return named;
}

/* ---- built in ---- */

void answer_built_in(const route_call *call, const char *name, http_answer *answer) {
    page_asset asset;
    const char *type = page_assets_type(name);
    bool gzip = http_takes_gzip(call->request->accept_encoding);
    if (!type || !page_assets_find(name, &asset)) {
        answer_problem(answer, PROBLEM_NO_SUCH_ROUTE, "the page has no file '%.60s'", name);
        return;
    }
    http_answer_begin(answer, 200, type);
    snprintf(answer->etag, sizeof answer->etag, "\"%s%s\"", page_assets_hash(), gzip ? "z" : "");
    answer->varies = true;
    answer->caching = CACHE_ASK;
    answer->gzip = gzip;
    answer->body = (char *)(gzip ? asset.packed : asset.bytes);
    answer->size = gzip ? asset.packed_size : asset.size;
}

/* A file of the page, from the folder or built in. */
static void answer_named(const route_call *call, const char *name, http_answer *answer) {
    const char *folder = call->service->options->assets, *type = page_assets_type(name);
    size_t size = 0;
    if (!folder || !type) {
        answer_built_in(call, name, answer);
        return;
    }
    char *text = read_whole(folder, name, &size);
    if (!text) {
        answer_problem(answer, PROBLEM_NO_SUCH_ROUTE, "there is no file %.60s in the folder", name);
        return;
    }
    if (strcmp(name, "index.html") == 0) text = name_folder(text, &size);
    http_answer_begin(answer, 200, type);
    http_answer_own(answer, text, size);
    answer->caching = CACHE_ASK;
}

/* ---- routes ---- */

void answer_asset(const route_call *call, http_answer *answer) {
    const char *hash = call->request->target.segment[1];
    bool current = strcmp(hash, page_assets_hash()) == 0;
    (current ? answer_built_in : answer_named)(call, call->name, answer);
    if (answer->status < 400 && current) answer->caching = CACHE_ALWAYS;
    answer->audience = FOR_SAME_ORIGIN;
}

/* The page finds out itself which table it shows; if there is none, its status says so. */
static void answer_index(const route_call *call, http_audience audience, http_answer *answer) {
    answer_named(call, "index.html", answer);
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
