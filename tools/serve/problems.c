/* SPDX-License-Identifier: MIT */
#include "tools/serve/problems.h"

#include <stdarg.h>
#include <stdio.h>

#include "tools/answers/json_positions.h"

static const problem_description descriptions[PROBLEM_KINDS] = {
#define DESCRIPTION(kind, name, status, title, explanation) {name, status, title, explanation},
    PROBLEMS(DESCRIPTION)
#undef DESCRIPTION
};

const problem_description *problem_describe(problem_kind kind) {
    return &descriptions[kind];
}

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
    const problem_description *d = &descriptions[kind];
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
