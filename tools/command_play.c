/* SPDX-License-Identifier: MIT
 *
 * `plybase play`: a person plays against a table. One line in, one answer out, so that scripts can
 * play too. Uses the public header alone.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/arguments.h"
#include "tools/board.h"
#include "tools/command.h"
#include "tools/game_dialogue.h"

typedef enum colouring { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER } colouring;

typedef struct arguments {
    const char *file, *moves, *board;
    char person; /* 'x', 'o', or 0: who is to move */
    bool random; /* among equal moves */
    uint64_t seed;
    colouring colour;
} arguments;

static colouring parse_colouring(const char *text, struct argp_state *state) {
    if (strcmp(text, "auto") == 0) return COLOUR_AUTO;
    if (strcmp(text, "always") == 0) return COLOUR_ALWAYS;
    if (strcmp(text, "never") != 0)
        argp_error(state, "--color %s: auto, always or never is needed", text);
    return COLOUR_NEVER;
}

static void choose_side(arguments *a, char person, struct argp_state *state) {
    if (a->person && a->person != person)
        argp_error(state, "--first and --second exclude each other");
    a->person = person;
}

static error_t parse_option(int key, char *value, struct argp_state *state) {
    arguments *a = state->input;
    switch (key) {
        case ARGP_KEY_INIT:
            state->child_inputs[0] = &a->file;
            return 0;
        case 'm':
            a->moves = value;
            return 0;
        case 'b':
            a->board = value;
            return 0;
        case '1':
            choose_side(a, 'x', state);
            return 0;
        case '2':
            choose_side(a, 'o', state);
            return 0;
        case 'r':
            a->random = true;
            if (!parse_count(value, 0, UINT64_MAX, &a->seed))
                argp_error(state, "--seed %s: a number is needed", value);
            return 0;
        case 'c':
            a->colour = parse_colouring(value, state);
            return 0;
        case ARGP_KEY_END:
            if (a->moves && a->board) argp_error(state, "--moves and --board exclude each other");
            return 0;
        default:
            return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"moves", 'm', "MOVES", 0, "begin after these moves", 0},
    {"board", 'b', "BOARD", 0, "begin at this board", 0},
    {"first", '1', NULL, 0, "you are x (default: you are to move)", 0},
    {"second", '2', NULL, 0, "you are o", 0},
    {"seed", 'r', "N", 0, "choose at random among equal moves; another number, other games", 0},
    {"color", 'c', "WHEN", 0, "colour: auto, always or never (auto: on a terminal)", 0},
    {0}};
static const struct argp parser = {
    options,
    parse_option,
    "FILE",
    "Play against a table.\v"
    "Enter a move, a column such as 4 with gravity, else a cell such as b3, or one of the words "
    "that `help` lists: hint, analyse, undo, swap and others. The table never plays a move that is "
    "worse than another. Lines are read from the standard input; its end ends the game.\n\n"
    "MOVES and BOARD are written as for `plybase probe`.",
    file_argument_child,
    NULL,
    NULL};

/* ---- the command ---- */

/* All that was said is out before the command waits. False at the end of input or output. */
static bool read_line(const plb_dialogue *d, char **line, size_t *capacity) {
    bool terminal = isatty(STDIN_FILENO);
    if (terminal) printf("%c> ", d->session.person);
    if (fflush(stdout) != 0) return false;
    if (getline(line, capacity, stdin) >= 0) return true;
    if (terminal) putchar('\n');
    return false;
}

static int converse(plb_dialogue *d) {
    plb_message message;
    char *line = NULL;
    size_t capacity = 0;
    int error = plb_dialogue_begin(d, &message);
    while (!error && !d->is_done && read_line(d, &line, &capacity))
        error = plb_dialogue_answer(d, line, &message);
    free(line);
    if (error) return complain_of(error, &message);
    if (ferror(stdin)) return complain("cannot read the standard input: %s", strerror(errno));
    return EXIT_GOOD;
}

static bool wants_colour(colouring colour) {
    const char *terminal = getenv("TERM"), *none = getenv("NO_COLOR");
    if (colour != COLOUR_AUTO) return colour == COLOUR_ALWAYS;
    return isatty(STDOUT_FILENO) && terminal && strcmp(terminal, "dumb") != 0 && !(none && *none);
}

/* Go to the position where the game begins; only one that can arise will do. */
static int set_up(plb_session *s, const arguments *a, plb_message *message) {
    plb_answer answer;
    int error = PLB_OK;
    if (a->moves)
        error = plb_parse_moves(s->table, a->moves, &s->start_x, &s->start_o, message);
    else if (a->board)
        error = plb_parse_board(s->table, a->board, &s->start_x, &s->start_o, message);
    if (!error) error = plb_probe(s->table, s->start_x, s->start_o, &answer, message);
    s->person = a->person ? a->person : side_to_move(s->start_x, s->start_o);
    plb_session_restart(s);
    return error;
}

static int play(plb_table *table, const arguments *a) {
    plb_dialogue dialogue = {.session.table = table,
                             .board = a->board,
                             .moves = a->moves,
                             .is_random = a->random,
                             .random = a->seed,
                             .colour = wants_colour(a->colour)};
    plb_message message;
    int error = set_up(&dialogue.session, a, &message);
    return error ? complain_of(error, &message) : converse(&dialogue);
}

int command_play(int argc, char **argv) {
    arguments a = {0};
    argp_parse(&parser, argc, argv, 0, NULL, &a);
    plb_table *table = open_table(a.file);
    if (!table) return EXIT_FAILED;
    int status = play(table, &a);
    plb_close(table);
    return end_output(status);
}
