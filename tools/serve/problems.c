/* SPDX-License-Identifier: MIT */
#include "tools/serve/problems.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/answers/json_positions.h"

static const problem_description descriptions[PROBLEM_KINDS] = {
    [PROBLEM_MALFORMED_POSITION] = {"malformed-position", 400, "The position is malformed",
                                    "The text is not a board, or not a list of moves, of this "
                                    "game. Boards are written by rows from the top with / between "
                                    "them; a table's page and the commands show the form."},
    [PROBLEM_OTHER_BOARD] = {"other-board", 400, "The position is one of another board",
                             "The text has another number of rows or columns than the game."},
    [PROBLEM_IMPOSSIBLE_COUNTS] = {"impossible-counts", 400, "The position is refused",
                                   "Players move in turn and x begins, so x has as many stones as "
                                   "o, or one more."},
    [PROBLEM_FLOATING_STONE] = {"floating-stone", 400, "The position is refused",
                                "In games with gravity there is no empty cell below a stone."},
    [PROBLEM_BEYOND_THE_END] = {"beyond-the-end", 400, "The position is refused",
                                "The game was over before the last stones were placed."},
    [PROBLEM_UNREACHABLE] = {"unreachable", 400, "The position is refused",
                             "No sequence of moves leads to the position, though the numbers of "
                             "stones are right."},
    [PROBLEM_ILLEGAL_MOVE] = {"illegal-move", 400, "A move cannot be played",
                              "A move is off the board, on an occupied cell or after the end of "
                              "the game."},
    [PROBLEM_BAD_REQUEST] = {"bad-request", 400, "The request is malformed",
                             "The head of the request, or its target, is not valid HTTP."},
    [PROBLEM_BAD_PARAMETER] = {"bad-parameter", 400, "A parameter is not right",
                               "A parameter of the query is not known here, is given twice, or has "
                               "an invalid value."},
    [PROBLEM_BAD_BODY] = {"bad-body", 400, "The body is not right",
                          "The body is not JSON, or not a list of positions, or it has too many."},
    [PROBLEM_NO_SUCH_TABLE] = {"no-such-table", 404, "There is no such table",
                               "The server has no table of this game; /v1/tables lists those that "
                               "it has."},
    [PROBLEM_NO_SUCH_ROUTE] = {"no-such-address", 404, "There is nothing at this address",
                               "/api describes the addresses of this server."},
    [PROBLEM_TABLE_REPLACED] = {"table-replaced", 404, "The table has been replaced",
                                "The parameter v asks for the answers of one particular table, "
                                "which has been replaced by another table of this game."},
    [PROBLEM_NOT_KNOWN] = {"not-known", 404, "The table does not know",
                           "A strategy answers only the positions that arise when its player "
                           "follows it."},
    [PROBLEM_METHOD] = {"method", 405, "The method is not allowed here",
                        "The header Allow lists the methods of this address."},
    [PROBLEM_LENGTH_NEEDED] = {"length-needed", 411, "The length of the body is needed",
                               "A request with a body needs a Content-Length; Transfer-Encoding is "
                               "not supported."},
    [PROBLEM_BODY_TOO_LARGE] = {"body-too-large", 413, "The body is too large",
                                "/v1 lists how many bytes and positions a request may have."},
    [PROBLEM_TOO_MUCH_WORK] = {"too-much-work", 413, "The positions take too long",
                               "/v1 lists how long the server works for one batch. Fewer positions "
                               "in a request take less."},
    [PROBLEM_TARGET_TOO_LONG] = {"target-too-long", 414, "The target is too long",
                                 "/v1 lists how long the target of a request may be."},
    [PROBLEM_MEDIA_TYPE] = {"media-type", 415, "The type of the body is not supported",
                            "Positions are sent as application/json or text/plain."},
    [PROBLEM_WRONG_HOST] = {"wrong-host", 421, "The request is for another host",
                            "The server only answers requests to its own address, so that a page "
                            "of another site cannot reach it by another name. The option --host "
                            "adds names."},
    [PROBLEM_HEAD_TOO_LARGE] = {"head-too-large", 431, "The head of the request is too large",
                                "/v1 lists how many bytes and lines it may have."},
    [PROBLEM_DAMAGED_TABLE] = {"damaged-table", 500, "The table is damaged",
                               "What was read from the file is not what was written. No value is "
                               "guessed; other positions of the table may still be answered, "
                               "and `plybase verify` says more."},
    [PROBLEM_OUT_OF_MEMORY] = {"out-of-memory", 503, "Memory does not suffice",
                               "The same request may succeed later."},
    [PROBLEM_BUSY] = {"busy", 503, "The server is busy",
                      "The queue for searches is full, or all connections are in use. "
                      "Retry-After says when to try again. Tables with distances (built with "
                      "--values dtm) need no searches."},
    [PROBLEM_DRAINING] = {"draining", 503, "The server is shutting down",
                          "It finishes the requests that have begun and accepts no new ones."},
};

const problem_description *problem_describe(problem_kind kind) {
    return &descriptions[kind];
}

/* The kinds of errors of the library; others are those of a damaged table. */
static const struct {
    int error;
    problem_kind kind;
} kinds[] = {{PLB_ESYNTAX, PROBLEM_MALFORMED_POSITION}, {PLB_EBOARD, PROBLEM_OTHER_BOARD},
             {PLB_ECOUNTS, PROBLEM_IMPOSSIBLE_COUNTS},  {PLB_EFLOATING, PROBLEM_FLOATING_STONE},
             {PLB_EOVER, PROBLEM_BEYOND_THE_END},       {PLB_EUNREACHABLE, PROBLEM_UNREACHABLE},
             {PLB_EMOVE, PROBLEM_ILLEGAL_MOVE},         {PLB_EARGUMENT, PROBLEM_BAD_PARAMETER},
             {PLB_EUNKNOWN, PROBLEM_NOT_KNOWN},         {PLB_ENOMEM, PROBLEM_OUT_OF_MEMORY}};

/* code: the name of an error; parameter: of the query. NULL where there is none. */
static void write_problem(http_answer *answer, problem_kind kind, const char *detail,
                          const char *code, const char *parameter) {
    const problem_description *d = &descriptions[kind];
    char type[64];
    size_t size = 0;
    json_writer w = {0};
    snprintf(type, sizeof type, "/problems/%s", d->name);
    open_object(&w, NULL);
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
    http_answer_own(answer, line, size);
}

void answer_problem(http_answer *answer, problem_kind kind, const char *format, ...) {
    char detail[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(detail, sizeof detail, format, arguments);
    va_end(arguments);
    write_problem(answer, kind, detail, NULL, NULL);
}

void answer_bad_parameter(http_answer *answer, const char *parameter, const char *format, ...) {
    char detail[512];
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
