/* SPDX-License-Identifier: MIT */
#include "tools/answers/position_answers.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tables/message.h"
#include "tables/stop.h"
#include "tools/answers/answer_lines.h"
#include "tools/answers/json_answers.h"
#include "tools/terminal/console.h"

static bool is_stopped(const position_answerer *answerer) {
    return plb_is_stopped(answerer->stop);
}

/* ---- for people ---- */

static int answer_arguments(const position_arguments *a, const position_answerer *answerer) {
    int status = EXIT_GOOD;
    for (int p = 0; p < a->positions.count && !is_stopped(answerer); p++) {
        plb_message message;
        if (answerer->find(answerer->context, a->positions.items[p], &message) != PLB_OK) {
            status = complain("%s", message.text);
            continue;
        }
        if (p && !a->json && answerer->paragraphs) putchar('\n');
        if ((a->json ? answerer->print_json : answerer->print_text)(answerer->context) != EXIT_GOOD)
            status = EXIT_FAILED;
    }
    return status;
}

/* ---- line by line ---- */

/* What is wrong with a line of so many bytes whatever the positions, or PLB_OK. */
static int check_line(const char *line, size_t bytes, plb_message *message) {
    size_t length = strlen(line);
    if (bytes == 0) return plb_fail(message, PLB_ESYNTAX, "an empty line is not a position");
    if (length == bytes) return PLB_OK;
    return plb_fail(message, PLB_ESYNTAX, "character %zu of the line is a zero byte", length + 1);
}

static int answer_line(const position_arguments *a, const position_answerer *answerer,
                       const char *line, size_t bytes) {
    plb_message message;
    int error = check_line(line, bytes, &message);
    if (!error) error = answerer->find(answerer->context, line, &message);
    if (!error)
        return a->json ? answerer->print_json(answerer->context)
                       : answerer->print_line(answerer->context, line);
    if (a->json)
        print_json_line(json_of_error(line, error, &message));
    else
        write_error_line(stdout, line, &message);
    return EXIT_FAILED;
}

/* What was read and not yet answered. */
typedef struct line_reader {
    char bytes[1 << 16];
    size_t used;
    bool skipping; /* in a line that is too long and was answered */
} line_reader;

/* Answer the whole lines of the buffer and move the rest to its front. */
static int answer_buffer(const position_arguments *a, const position_answerer *answerer,
                         line_reader *r, bool at_end) {
    int status = EXIT_GOOD;
    char *line = r->bytes, *end = r->bytes + r->used;
    for (char *next; line < end && !is_stopped(answerer); line = next) {
        char *stop = memchr(line, '\n', end - line);
        bool full = !stop && line == r->bytes && r->used == sizeof r->bytes - 1;
        if (!stop && !full && !at_end) break;
        next = stop ? stop + 1 : end;
        if (!stop) stop = end;
        if (stop > line && stop[-1] == '\r') stop--;
        *stop = 0;
        if (!r->skipping && answer_line(a, answerer, line, stop - line) != EXIT_GOOD)
            status = EXIT_FAILED;
        r->skipping = full;
    }
    r->used = end - line;
    memmove(r->bytes, line, r->used);
    return status;
}

/* Every answer is written before the command waits for more input, so that a program can use it
 * line by line. */
static int answer_lines(const position_arguments *a, const position_answerer *answerer) {
    static line_reader r;
    int status = EXIT_GOOD;
    for (ssize_t got = 1; got > 0 && !is_stopped(answerer);) {
        got = read(STDIN_FILENO, r.bytes + r.used, sizeof r.bytes - 1 - r.used);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return complain("cannot read the standard input: %s", strerror(errno));
        r.used += got;
        if (answer_buffer(a, answerer, &r, got == 0) != EXIT_GOOD) status = EXIT_FAILED;
        if (fflush(stdout) != 0) return end_output(EXIT_FAILED);
    }
    return status;
}

int answer_positions(const position_arguments *a, const position_answerer *answerer) {
    bool batch = a->positions.count == 1 && strcmp(a->positions.items[0], "-") == 0;
    int status = (batch ? answer_lines : answer_arguments)(a, answerer);
    return is_stopped(answerer) ? interrupted_status() : status;
}
