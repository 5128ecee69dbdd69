/* SPDX-License-Identifier: MIT */
#include "tools/answers/position_answers.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tables/games/notation.h"
#include "tables/message.h"
#include "tables/stop.h"
#include "tools/answers/json_positions.h"
#include "tools/terminal/console.h"
#include "tools/terminal/interrupts.h"

static bool is_stopped(const position_answerer *answerer) {
    return plb_is_stopped(answerer->stop);
}

/* ---- columns ---- */

void write_position_column(FILE *to, const char *text) {
    text = plb_notation_skip_mark(text);
    fprintf(to, "%.*s\t", (int)strcspn(text, "\t"), text);
}

void write_value_columns(FILE *to, plb_value value, int dtm) {
    fprintf(to, "%s\t", plb_value_text(value));
    if (dtm == PLB_NO_DTM)
        fputs("-\t", to);
    else
        fprintf(to, "%d\t", dtm);
}

void write_moves_column(FILE *to, const plb_move *moves, int count) {
    for (int m = 0; m < count; m++) fprintf(to, m ? ",%s" : "%s", moves[m].text);
    fputs(count ? "\n" : "-\n", to);
}

void write_probed_line(FILE *to, const char *text, const plb_analysis *found) {
    write_position_column(to, text);
    write_value_columns(to, found->answer.value, found->answer.dtm);
    write_moves_column(to, found->moves, found->best);
}

void write_error_line(FILE *to, const char *text, const plb_message *message) {
    write_position_column(to, text);
    fputs("error\t", to);
    for (const char *c = message->text; *c; c++) putc(*c == '\t' ? ' ' : *c, to);
    putc('\n', to);
}

/* ---- for people ---- */

static int answer_arguments(const position_arguments *a, const position_answerer *answerer) {
    int status = EXIT_GOOD;
    for (int p = 0; p < a->positions.count && !is_stopped(answerer); p++) {
        plb_message message;
        if (answerer->find(answerer->context, a->positions.items[p], &message) != PLB_OK) {
            status = print_error("%s", message.text);
            continue;
        }
        if (p && !a->json && answerer->paragraphs) putchar('\n');
        if ((a->json ? answerer->print_json : answerer->print_text)(answerer->context) != EXIT_GOOD)
            status = EXIT_FAILED;
    }
    return status;
}

/* ---- line by line ---- */

static int answer_line(const position_arguments *a, const position_answerer *answerer,
                       const char *line, size_t bytes) {
    plb_message message;
    size_t length = strlen(line);
    int error;
    if (bytes == 0 && !a->moves)
        error = plb_fail(&message, PLB_ESYNTAX, "an empty line is not a position");
    else if (length < bytes)
        error =
            plb_fail(&message, PLB_ESYNTAX, "character %zu of the line is a zero byte", length + 1);
    else
        error = answerer->find(answerer->context, line, &message);
    if (!error)
        return a->json ? answerer->print_json(answerer->context)
                       : answerer->print_line(answerer->context, line);
    if (a->json) {
        json_writer w = {0};
        open_object(&w, NULL);
        put_text(&w, "position", line);
        put_number(&w, "error", error);
        put_text(&w, "message", message.text);
        put_text(&w, "code", error_name(error));
        close_object(&w);
        print_json_line(&w);
    } else
        write_error_line(stdout, line, &message);
    return EXIT_FAILED;
}

/* Input that was read and is not yet answered. */
typedef struct line_reader {
    char bytes[1 << 16];
    size_t used;
    bool skipping; /* in the rest of a line that was too long and was answered */
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

/* Every answer is written before the command waits for more input, so that a program can use the
 * command line by line. */
static int answer_lines(const position_arguments *a, const position_answerer *answerer) {
    static line_reader r;
    int status = EXIT_GOOD;
    for (ssize_t got = 1; got > 0 && !is_stopped(answerer);) {
        got = read(STDIN_FILENO, r.bytes + r.used, sizeof r.bytes - 1 - r.used);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return print_error("cannot read the standard input: %s", strerror(errno));
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
