/* SPDX-License-Identifier: MIT
 *
 * `plybase solve`: answers positions by forward search, without any table.
 */
#include <jansson.h>
#include <stdio.h>

#include "tables/notation.h"
#include "tools/board.h"
#include "tools/command.h"
#include "tools/forward_search.h"
#include "tools/json_answers.h"
#include "tools/position_arguments.h"

enum { DEFAULT_MEMORY = 256 << 20 };

typedef struct arguments {
    position_arguments of;
    bool distance;
    uint64_t nodes; /* 0: no limit */
    double memory_bytes;
} arguments;

static error_t parse_option(int key, char *value, struct argp_state *state) {
    arguments *a = state->input;
    switch (key) {
        case ARGP_KEY_INIT:
            state->child_inputs[0] = &a->of;
            return 0;
        case 'd':
            a->distance = true;
            return 0;
        case 'n':
            if (!parse_count(value, 1, 1ULL << 62, &a->nodes))
                argp_error(state, "--nodes %s: a number from 1 on is needed", value);
            return 0;
        case 'M':
            a->memory_bytes = parse_size(value);
            if (!(a->memory_bytes > 0 && a->memory_bytes < 0x1p60))
                argp_error(state, "--memory %s: a size such as 512M or 8G is needed", value);
            return 0;
        default:
            return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"distance", 'd', NULL, 0, "plies to the end of the game, too", 0},
    {"nodes", 'n', "N", 0, "give a position up after so many searched ones (default: never)", 0},
    {"memory", 'M', "SIZE", 0, "memory for known positions, such as 512M or 8G (256M)", 0},
    {0}};
static const struct argp_child children[] = {{&position_arguments_parser, 0, NULL, 0}, {0}};
static const struct argp parser = {
    options,
    parse_option,
    "SPEC POSITION...",
    "Solve positions of a game by forward search, without a table: value for the player to move.\v"
    "SPEC and POSITION are written as for `plybase build` and `plybase probe`. The search shares "
    "nothing with tables but the rules, so it can tell whether a table is right. Positions near "
    "the end are quick; the empty board may take very long, even where its table is built in "
    "seconds. The distance is that of a winner who plays as fast and a loser who plays as slowly "
    "as possible; to prove it takes longer.",
    children,
    NULL,
    NULL};

/* ---- one position ---- */

typedef struct solved {
    plb_position position;
    plb_search_result result;
    double seconds;
} solved;

static int read_position(const plb_game *game, const arguments *a, const char *text,
                         plb_position *position, plb_message *message) {
    int error = a->of.moves ? plb_notation_parse_moves(game, text, position, message)
                            : plb_notation_parse_board(game, text, position, message);
    return error ? error : plb_rules_check(game, *position, message);
}

static double nodes_per_second(const solved *s) {
    return s->seconds > 0 ? (double)s->result.nodes / s->seconds : 0;
}

static void print_text(const solved *s, const char *board) {
    char outcome[32], nodes[32], rate[32], time[32];
    printf("%s  %c to move: %s  (%s nodes in %s, %s nodes/s)\n", board,
           plb_position_x_to_move(s->position) ? 'x' : 'o',
           format_outcome(s->result.value, s->result.dtm, outcome),
           format_count(s->result.nodes, nodes), format_seconds(s->seconds, time),
           format_count((uint64_t)nodes_per_second(s), rate));
}

static void print_json(const solved *s, const char *board, bool distance) {
    const plb_search_result *r = &s->result;
    json_t *object =
        json_pack("{s:s, s:s, s:b, s:s?, s:I, s:f, s:f}", "position", board, "to_move",
                  plb_position_x_to_move(s->position) ? "x" : "o", "proved", r->proved, "value",
                  r->value_proved ? plb_value_text(r->value) : NULL, "nodes", (json_int_t)r->nodes,
                  "seconds", s->seconds, "nodes_per_second", nodes_per_second(s));
    if (distance) json_object_set_new(object, "dtm_plies", json_of_dtm(r->dtm));
    json_dumpf(object, stdout, JSON_COMPACT | JSON_REAL_PRECISION(6));
    putchar('\n');
    json_decref(object);
}

/* Why there is no answer, or only half of one. */
static int complain_unsolved(const plb_search_result *r, const char *board, bool stopped) {
    char nodes[32], known[64] = "not solved";
    format_count(r->nodes, nodes);
    if (r->value_proved)
        snprintf(known, sizeof known, "%s, but its distance is not found",
                 plb_value_text(r->value));
    if (stopped) return complain("%s: interrupted after %s nodes", board, nodes);
    return complain("%s: %s within %s nodes; more --nodes may help", board, known, nodes);
}

static int report_solved(const solved *s, const plb_game *game, const arguments *a, bool stopped) {
    char board[PLB_BOARD_TEXT];
    plb_notation_format_board(game, s->position, board);
    if (a->of.json)
        print_json(s, board, a->distance);
    else if (s->result.proved)
        print_text(s, board);
    fflush(stdout);
    return s->result.proved ? EXIT_GOOD : complain_unsolved(&s->result, board, stopped);
}

/* ---- the command ---- */

typedef int solver(plb_search *search, plb_position position, uint64_t node_budget,
                   const volatile sig_atomic_t *stop, plb_search_result *result);

static int solve_positions(const plb_game *game, const arguments *a, plb_search *search) {
    const volatile sig_atomic_t *stop = catch_interrupts();
    solver *solve = a->distance ? plb_search_distance : plb_search_solve;
    int status = EXIT_GOOD;
    for (int p = 0; p < a->of.count && !*stop; p++) {
        solved s;
        plb_message message;
        int error = read_position(game, a, a->of.positions[p], &s.position, &message);
        double begun = seconds_now();
        if (!error) error = solve(search, s.position, a->nodes, stop, &s.result);
        s.seconds = seconds_now() - begun;
        if (error)
            status = complain("%s", message.text);
        else if (report_solved(&s, game, a, *stop) != EXIT_GOOD)
            status = EXIT_FAILED;
    }
    return status;
}

int command_solve(int argc, char **argv) {
    arguments a = {.memory_bytes = DEFAULT_MEMORY};
    plb_game game;
    plb_message message;
    plb_search *search = NULL;
    argp_parse(&parser, argc, argv, 0, NULL, &a);
    int error = plb_game_parse(a.of.source, &game, &message);
    if (error) return complain_of(error, &message);
    int status = plb_search_open(&game, (size_t)a.memory_bytes, &search)
                     ? complain("out of memory for the search: less --memory may help")
                     : solve_positions(&game, &a, search);
    plb_search_close(search);
    plb_game_free(&game);
    return end_output(status);
}
