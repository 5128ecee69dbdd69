/* SPDX-License-Identifier: MIT */
#include "tools/serve/exchange.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tools/answers/json_positions.h"

void http_answer_begin(http_answer *answer, int status, const char *type) {
    http_answer_free(answer);
    *answer = (http_answer){.status = status, .type = type};
}

void http_answer_free(http_answer *answer) {
    if (answer->owned) free(answer->body);
    answer->body = NULL;
    answer->owned = false;
}

void http_answer_set_body(http_answer *answer, char *body, size_t size) {
    static char nothing[] = "{\"title\":\"The server is out of memory\",\"status\":503}\n";
    if (body) {
        answer->body = body;
        answer->size = size;
        answer->owned = true;
        return;
    }
    *answer = (http_answer){.status = 503,
                            .type = "application/problem+json",
                            .body = nothing,
                            .size = sizeof nothing - 1,
                            .retry_seconds = 1};
}

void http_answer_copy(http_answer *answer, const http_answer *from) {
    http_answer_free(answer);
    *answer = *from;
    answer->owned = false;
    if (!from->owned) return;
    char *body = malloc(from->size + 1);
    if (body) memcpy(body, from->body, from->size);
    http_answer_set_body(answer, body, from->size);
}

/* Does `;q=0` follow the name of a coding, which ends at `end`? */
static bool is_refused(const char *end) {
    end += strspn(end, " \t;");
    if (strncasecmp(end, "q=0", 3) != 0) return false;
    end += strlen("q=0");
    end += strspn(end, ".0");
    return !*end || strchr(" \t,", *end);
}

bool http_accepts_gzip(const char *accept_encoding) {
    bool takes = false;
    for (const char *name = accept_encoding; name && *name; name += strcspn(name, ",")) {
        name += strspn(name, " \t,");
        size_t length = strcspn(name, " \t;,");
        bool is_any = length == 1 && *name == '*';
        if (!is_any && (length != strlen("gzip") || strncasecmp(name, "gzip", length) != 0))
            continue;
        if (!is_any) return !is_refused(name + length);
        takes = !is_refused(name + length);
    }
    return takes;
}

bool http_etag_matches(const char *if_none_match, const char *etag) {
    size_t length = strlen(etag);
    for (const char *tag = if_none_match; tag && *tag && length;) {
        tag += strspn(tag, " \t,");
        if (strncmp(tag, "W/", 2) == 0) tag += 2;
        size_t tag_length = strcspn(tag, " \t,");
        if (tag_length == length && memcmp(tag, etag, length) == 0) return true;
        tag += tag_length;
    }
    return false;
}

void http_answer_stream(http_answer *answer, const char *type, text_stream *stream, FILE *to) {
    text_stream_close(stream, to);
    http_answer_begin(answer, 200, type);
    http_answer_set_body(answer, stream->text, stream->size);
}

/* ---- problems ---- */

const problem_description problem_descriptions[PROBLEM_KINDS] = {
#define DESCRIPTION(kind, name, status, title, explanation) {name, status, title, explanation},
    PROBLEMS(DESCRIPTION)
#undef DESCRIPTION
};

/* Errors of the library and their kinds; all others are DAMAGED_TABLE. */
static const struct {
    int error;
    problem_kind kind;
} kinds[] = {{PLB_ESYNTAX, PROBLEM_MALFORMED_POSITION}, {PLB_EBOARD, PROBLEM_OTHER_BOARD},
             {PLB_ECOUNTS, PROBLEM_IMPOSSIBLE_COUNTS},  {PLB_EFLOATING, PROBLEM_FLOATING_STONE},
             {PLB_EOVER, PROBLEM_BEYOND_THE_END},       {PLB_EUNREACHABLE, PROBLEM_UNREACHABLE},
             {PLB_EMOVE, PROBLEM_ILLEGAL_MOVE},         {PLB_EARGUMENT, PROBLEM_BAD_PARAMETER},
             {PLB_EUNKNOWN, PROBLEM_NOT_KNOWN},         {PLB_ENOMEM, PROBLEM_OUT_OF_MEMORY},
             {PLB_ENOTFOUND, PROBLEM_BAD_PARAMETER}};

/* code: the name of an error, or NULL; parameter: of the query, or NULL. */
static void write_problem(http_answer *answer, problem_kind kind, const char *detail,
                          const char *code, const char *parameter) {
    const problem_description *d = &problem_descriptions[kind];
    char type[64];
    size_t size = 0;
    json_writer w = begin_json_object();
    snprintf(type, sizeof type, "/problems/%s", d->name);
    put_word(&w, "type", type);
    put_word(&w, "title", d->title);
    put_number(&w, "status", d->status);
    put_text(&w, "detail", detail);
    put_text(&w, "code", code);
    put_text(&w, "parameter", parameter);
    close_object(&w);
    http_answer_begin(answer, d->status, "application/problem+json");
    answer->problem = 1 + (int)kind;
    if (d->status == 503) answer->retry_seconds = 1;
    char *line = take_json_line(&w, &size);
    http_answer_set_body(answer, line, size);
}

enum { DETAIL_TEXT = 512 };

void answer_problem(http_answer *answer, problem_kind kind, const char *format, ...) {
    char detail[DETAIL_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(detail, sizeof detail, format, arguments);
    va_end(arguments);
    write_problem(answer, kind, detail, NULL, NULL);
}

void answer_bad_parameter(http_answer *answer, const char *parameter, const char *format, ...) {
    char detail[DETAIL_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(detail, sizeof detail, format, arguments);
    va_end(arguments);
    write_problem(answer, PROBLEM_BAD_PARAMETER, detail, NULL, parameter);
}

void answer_error(http_answer *answer, int error, const plb_message *message,
                  const char *parameter) {
    size_t k = 0, count = sizeof kinds / sizeof *kinds;
    while (k < count && kinds[k].error != error) k++;
    write_problem(answer, k < count ? kinds[k].kind : PROBLEM_DAMAGED_TABLE, message->text,
                  error_name(error), parameter);
}
