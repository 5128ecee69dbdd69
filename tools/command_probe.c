/* SPDX-License-Identifier: MIT
 *
 * `plybase probe`: values of positions, singly for people or line by line for programs.
 * Uses the public header alone.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/board.h"
#include "tools/command.h"
#include "tools/json_answers.h"
#include "tools/position_arguments.h"

static error_t parse_option(int key, char *value, struct argp_state *state) {
    (void)value;
    if (key != ARGP_KEY_INIT) return ARGP_ERR_UNKNOWN;
    state->child_inputs[0] = state->input;
    return 0;
}

static const struct argp_child children[] = {{&position_arguments_parser, 0, NULL, 0}, {0}};
static const struct argp parser = {
    NULL,
    parse_option,
    "FILE POSITION...\nFILE -",
    "Answer positions from a table: value for the player to move, and value of every move.\v"
    "A board is written by rows from the top, / between rows: x, o, and numbers for runs of empty "
    "cells. 5/5/5/2o2/2x2 is a 5x5 board after two moves. With --moves a position is the sequence "
    "of moves from the empty board: columns 1..9, a.. with gravity, as in 33, else cells, as in "
    "b3c1.\n\n"
    "With - positions are read from the standard input, one per line, and each gives one line:\n"
    "position TAB value TAB dtm TAB best-moves, - where there is none. A line that is no position "
    "gives position TAB error TAB message; the rest goes on, and the exit status is 1.",
    children,
    NULL,
    NULL};

/* A position with all that the table knows of it. */
typedef struct answered {
    uint64_t x, o;
    plb_answer answer;
    plb_move moves[PLB_MAX_MOVES];
    int count;
} answered;

static int answer_text(const plb_table *table, const position_arguments *a, const char *text,
                       answered *found, plb_message *message) {
    int error = a->moves ? plb_parse_moves(table, text, &found->x, &found->o, message)
                         : plb_parse_board(table, text, &found->x, &found->o, message);
    if (!error) error = plb_probe(table, found->x, found->o, &found->answer, message);
    if (!error) error = plb_moves(table, found->x, found->o, found->moves, &found->count, message);
    return error;
}

/* ---- for people ---- */

static void print_text(const plb_table *table, const answered *found) {
    char text[32], side = side_to_move(found->x, found->o);
    draw_board(plb_info(table), found->x, found->o, false);
    if (found->answer.over) {
        printf("the game is over: %s for %c\n", plb_value_text(found->answer.value), side);
        return;
    }
    printf("%c to move: %s\n", side, format_outcome(found->answer.value, found->answer.dtm, text));
    for (int m = 0; m < found->count; m++)
        printf("  %-4s %s\n", found->moves[m].text,
               format_outcome(found->moves[m].value, found->moves[m].dtm, text));
}

/* ---- JSON ---- */

static void print_json(const plb_table *table, const answered *found) {
    char side[2] = {side_to_move(found->x, found->o), 0};
    print_json_line(json_pack("{s:o, s:s, s:b, s:s, s:o, s:o}", "position",
                              json_of_board(table, found->x, found->o), "to_move", side, "over",
                              found->answer.over, "value", plb_value_text(found->answer.value),
                              "dtm_plies", json_of_dtm(found->answer.dtm), "moves",
                              json_of_moves(found->moves, found->count)));
}

/* A JSON string of any bytes: what is not UTF-8 becomes `?`. */
static json_t *json_of_text(const char *text) {
    json_t *string = json_string(text);
    if (string) return string;
    char *copy = strdup(text);
    for (char *c = copy; c && *c; c++)
        if ((unsigned char)*c >= 0x80) *c = '?';
    string = copy ? json_string(copy) : json_null();
    free(copy);
    return string;
}

static void print_json_error(const char *text, int error, const plb_message *message) {
    print_json_line(json_pack("{s:o, s:i, s:o}", "position", json_of_text(text), "error", error,
                              "message", json_of_text(message->text)));
}

/* ---- line by line ---- */

static void print_line(const char *text, const answered *found) {
    printf("%s\t%s\t", text, plb_value_text(found->answer.value));
    if (found->answer.dtm == PLB_NO_DTM)
        fputs("-\t", stdout);
    else
        printf("%d\t", found->answer.dtm);
    int best = 0;
    while (best < found->count && found->moves[best].value == found->moves[0].value &&
           found->moves[best].dtm == found->moves[0].dtm)
        best++;
    for (int m = 0; m < best; m++) printf(m ? ",%s" : "%s", found->moves[m].text);
    puts(best ? "" : "-");
}

static int probe_line(const plb_table *table, const position_arguments *a, const char *line) {
    answered found;
    plb_message message;
    int error;
    if (*line)
        error = answer_text(table, a, line, &found, &message);
    else {
        error = PLB_ESYNTAX;
        strcpy(message.text, "an empty line is not a position");
    }
    if (!error)
        a->json ? print_json(table, &found) : print_line(line, &found);
    else if (a->json)
        print_json_error(line, error, &message);
    else
        printf("%s\terror\t%s\n", line, message.text);
    return error ? EXIT_FAILED : EXIT_GOOD;
}

/* What was read and not yet answered. */
typedef struct line_reader {
    char bytes[1 << 16];
    size_t used;
    bool skipping; /* in a line that is too long and was answered */
} line_reader;

/* Answer the whole lines of the buffer and move the rest to its front. */
static int probe_buffer(const plb_table *table, const position_arguments *a, line_reader *r,
                        bool at_end) {
    int status = EXIT_GOOD;
    char *line = r->bytes, *end = r->bytes + r->used;
    for (char *next; line < end; line = next) {
        char *stop = memchr(line, '\n', end - line);
        bool full = !stop && line == r->bytes && r->used == sizeof r->bytes - 1;
        if (!stop && !full && !at_end) break;
        next = stop ? stop + 1 : end;
        if (!stop) stop = end;
        if (stop > line && stop[-1] == '\r') stop--;
        *stop = 0;
        if (!r->skipping && probe_line(table, a, line) != EXIT_GOOD) status = EXIT_FAILED;
        r->skipping = full;
    }
    r->used = end - line;
    memmove(r->bytes, line, r->used);
    return status;
}

/* Every answer is out before the command waits for more, so that a program can talk to it line by
 * line. */
static int probe_lines(const plb_table *table, const position_arguments *a) {
    static line_reader r;
    int status = EXIT_GOOD;
    for (ssize_t got = 1; got > 0;) {
        got = read(STDIN_FILENO, r.bytes + r.used, sizeof r.bytes - 1 - r.used);
        if (got < 0) return complain("cannot read the standard input: %s", strerror(errno));
        r.used += got;
        if (probe_buffer(table, a, &r, got == 0) != EXIT_GOOD) status = EXIT_FAILED;
        if (fflush(stdout) != 0) return end_output(EXIT_FAILED);
    }
    return status;
}

/* ---- the command ---- */

static int probe_positions(const plb_table *table, const position_arguments *a) {
    int status = EXIT_GOOD;
    for (int p = 0; p < a->count; p++) {
        answered found;
        plb_message message;
        if (answer_text(table, a, a->positions[p], &found, &message) != PLB_OK) {
            status = complain("%s", message.text);
            continue;
        }
        if (p && !a->json) putchar('\n');
        (a->json ? print_json : print_text)(table, &found);
    }
    return status;
}

int command_probe(int argc, char **argv) {
    position_arguments a = {0};
    argp_parse(&parser, argc, argv, 0, NULL, &a);
    plb_table *table = open_table(a.source);
    if (!table) return EXIT_FAILED;
    bool batch = a.count == 1 && strcmp(a.positions[0], "-") == 0;
    int status = batch ? probe_lines(table, &a) : probe_positions(table, &a);
    plb_close(table);
    return end_output(status);
}
