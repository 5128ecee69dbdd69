/* SPDX-License-Identifier: MIT */
#include "tools/answers/position_answers.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "tables/games/notation.h"
#include "tables/message.h"
#include "tables/stop.h"
#include "tools/answers/json_positions.h"
#include "tools/terminal/console.h"

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

void write_moves_column(FILE *to, const plb_move *moves, int count, char end) {
    for (int m = 0; m < count; m++) fprintf(to, m ? ",%s" : "%s", moves[m].text);
    if (!count) putc('-', to);
    putc(end, to);
}

void write_probed_line(FILE *to, const char *text, const plb_analysis *found, const char *why) {
    write_position_column(to, text);
    write_value_columns(to, found->answer.value, found->answer.dtm);
    write_moves_column(to, found->moves, found->best, why ? '\t' : '\n');
    if (why) fprintf(to, "%s\n", why);
}

void write_error_line(FILE *to, const char *text, const plb_message *message) {
    write_position_column(to, text);
    fputs("error\t", to);
    for (const char *c = message->text; *c; c++) putc(*c == '\t' ? ' ' : *c, to);
    putc('\n', to);
}

static void print_json_error(const char *text, int error, const plb_message *message) {
    json_writer w = begin_json_object();
    put_text(&w, "position", text);
    put_number(&w, "error", error);
    put_text(&w, "message", message->text);
    put_text(&w, "code", error_name(error));
    print_json_object(&w);
}

/* ---- for people ---- */

static int answer_arguments(const position_arguments *a, const position_answerer *answerer) {
    int status = EXIT_GOOD;
    for (int p = 0; p < a->positions.count && !plb_is_stopped(answerer->stop); p++) {
        plb_message message;
        plb_list_known known;
        if (answerer->number) *answerer->number = (uint64_t)p + 1;
        if (answerer->find(answerer->context, a->positions.items[p], &known, &message) != PLB_OK) {
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

enum { LINE_BYTES = 1 << 16 }; /* buffer for a line with its line end and a zero */

/* A list that is being answered. */
typedef struct batch {
    position_arguments *arguments;
    const position_answerer *answerer;
    uint64_t lines, agreeing;
    bool has_begun; /* a line that is not empty was read */
} batch;

static void begin_list(batch *b, const char *line) {
    position_arguments *a = b->arguments;
    const position_answerer *answerer = b->answerer;
    b->has_begun = true;
    if (a->format) return;
    a->format = plb_guess_list_format(line, answerer->width, answerer->height, a->moves);
    if (!a->format && a->expect) a->format = "plybase";
    if (!a->format) return;
    a->moves = plb_list_has_moves(a->format, a->moves);
    print_error("the list is read as with --input %s, which its first line looks like", a->format);
}

/* Report a line whose answer differs from the list, or which has no answer. */
static int report_difference(const batch *b, const char *as_given, const plb_message *message) {
    enum { MAX_REPORTED = 10 };
    if (b->arguments->expect && b->lines - b->agreeing <= MAX_REPORTED)
        print_error("line %llu, %.80s: %s", (unsigned long long)b->lines, as_given, message->text);
    return EXIT_FAILED;
}

/* full: the line fills the whole buffer, so it is too long. */
static int answer_line(batch *b, char *line, size_t bytes, bool full) {
    const position_arguments *a = b->arguments;
    const position_answerer *answerer = b->answerer;
    size_t mark = plb_notation_skip_mark(line) - line;
    line += mark;
    bytes -= mark;
    list_line read;
    plb_list_known known = {.cells = answerer->width * answerer->height};
    plb_message message;
    b->lines++;
    if (answerer->number) *answerer->number = b->lines;
    if (!b->has_begun && *line) begin_list(b, line);
    const list_form form = {full ? NULL : a->format, a->moves, answerer->width, answerer->height};
    int error = read_list_line(&form, line, bytes, &read, &message);
    if (!error && full)
        error = plb_fail(&message, PLB_ESYNTAX, "the line is longer than %d bytes", LINE_BYTES - 2);
    if (!error) error = answerer->find(answerer->context, read.position, &known, &message);
    if (!a->format) suggest_columns(line, "--input", error, &message);
    if (!error) {
        int status = a->json ? answerer->print_json(answerer->context)
                             : answerer->print_line(answerer->context, read.as_given);
        if (!a->expect) return status;
        if (status != EXIT_GOOD)
            plb_fail(&message, PLB_EUNKNOWN, "the search stopped before it found the answer");
        if (status != EXIT_GOOD ||
            plb_list_agrees(a->format, line, read.of.rest, a->expect, &known, &message) <= 0)
            return report_difference(b, read.as_given, &message);
        b->agreeing++;
        return EXIT_GOOD;
    }
    if (a->json)
        print_json_error(read.as_given, error, &message);
    else if (answerer->refuse)
        answerer->refuse(answerer->context, read.as_given, &message);
    else
        write_error_line(stdout, read.as_given, &message);
    return report_difference(b, read.as_given, &message);
}

/* Input that is not yet answered. */
typedef struct line_reader {
    char bytes[LINE_BYTES];
    size_t used;
    bool skipping; /* the rest of a line that is too long and was answered */
} line_reader;

/* Answer the complete lines of the buffer, and move the rest to its front. */
static int answer_buffer(batch *b, line_reader *r, bool at_end) {
    int status = EXIT_GOOD;
    char *line = r->bytes, *end = r->bytes + r->used;
    for (char *next; line < end && !plb_is_stopped(b->answerer->stop); line = next) {
        char *stop = memchr(line, '\n', end - line);
        bool full = !stop && line == r->bytes && r->used == sizeof r->bytes - 1;
        if (!stop && !full && !at_end) break;
        next = stop ? stop + 1 : end;
        if (!stop) stop = end;
        if (stop > line && stop[-1] == '\r') stop--;
        *stop = 0;
        if (!r->skipping && answer_line(b, line, stop - line, full) != EXIT_GOOD)
            status = EXIT_FAILED;
        r->skipping = full;
    }
    r->used = end - line;
    memmove(r->bytes, line, r->used);
    return status;
}

/* All answers are flushed before more input is read, so that a program can use the command
 * interactively. */
static int answer_lines(position_arguments *a, const position_answerer *answerer) {
    static line_reader r;
    batch b = {.arguments = a, .answerer = answerer};
    int status = EXIT_GOOD;
    for (ssize_t got = 1; got > 0 && !plb_is_stopped(answerer->stop);) {
        got = read(STDIN_FILENO, r.bytes + r.used, sizeof r.bytes - 1 - r.used);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return print_error("cannot read the standard input: %s", strerror(errno));
        r.used += got;
        if (answer_buffer(&b, &r, got == 0) != EXIT_GOOD) status = EXIT_FAILED;
        if (fflush(stdout) != 0) return EXIT_FAILED; /* the command then reports it */
    }
    if (a->expect)
        print_error("%llu of %llu lines agree with column %d", (unsigned long long)b.agreeing,
                    (unsigned long long)b.lines, a->expect);
    return status;
}

int answer_positions(position_arguments *a, const position_answerer *answerer) {
    bool is_list = a->positions.count == 1 && strcmp(a->positions.items[0], "-") == 0;
    if (!is_list && (a->format || a->expect))
        fail_usage("--input and --expect are for a list from the standard input: - as POSITION");
    if (a->format && a->moves && !plb_list_has_moves(a->format, true))
        fail_usage("positions of --input %s are boards, and moves are needed", a->format);
    if (a->format) a->moves = plb_list_has_moves(a->format, a->moves);
    int status = is_list ? answer_lines(a, answerer) : answer_arguments(a, answerer);
    return plb_is_stopped(answerer->stop) ? interrupted_status() : status;
}
