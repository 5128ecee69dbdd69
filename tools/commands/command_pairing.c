/* SPDX-License-Identifier: MIT
 *
 * `plybase pairing`: proves by pairs of cells and by set matching that a player cannot, or in
 * misere play need not, complete a group.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tables/games/notation.h"
#include "tables/message.h"
#include "tables/proofs/set_matching.h"
#include "tables/stop.h"
#include "tools/answers/position_proofs.h"
#include "tools/commands/commands.h"
#include "tools/strategy/configuration_examples.h"
#include "tools/terminal/arguments.h"
#include "tools/terminal/console.h"
#include "tools/terminal/operands.h"

/* ---- configurations: the numbers of the paper, and those that are computed here ---- */

static void print_configurations(bool json) {
    json_writer w = {0};
    if (json) {
        open_object(&w, NULL);
        open_list(&w, "configurations");
    } else {
        puts("                    markers     groups  reduction      ratio        nodes");
        puts(
            "configuration     paper here paper here paper here paper here  paper  here  position");
    }
    for (int n = 0; plb_configuration_at(n); n++) {
        const plb_configuration *c = plb_configuration_at(n);
        const configuration_example *e = configuration_example_at(n);
        uint32_t read[PLB_MAX_CONFIGURATION_GROUPS];
        int markers = plb_configuration_markers(c), groups = plb_configuration_read(c, read);
        int ratio_percent = (200 * markers + groups) / (2 * groups);
        uint64_t found = configuration_example_nodes(e);
        if (json) {
            open_object(&w, NULL);
            put_word(&w, "name", c->name);
            put_words(&w, "groups", c->groups);
            put_word(&w, "main_markers", c->main);
            put_number(&w, "markers", markers);
            put_real(&w, "coverage_ratio", ratio_percent / 100.0);
            put_number(&w, "nodes", (int64_t)found);
            open_object(&w, "paper");
            put_number(&w, "markers", e->markers);
            put_number(&w, "groups", e->groups);
            put_number(&w, "reduction", e->reduction);
            put_real(&w, "coverage_ratio", e->ratio_percent / 100.0);
            put_known(&w, "nodes", e->nodes, e->nodes);
            close_object(&w);
            put_word(&w, "example_spec", e->spec);
            put_word(&w, "example", e->board);
            close_object(&w);
        } else {
            char nodes[16] = "-";
            if (e->nodes) snprintf(nodes, sizeof nodes, "%d", e->nodes);
            printf("%-17s %4d %4d  %4d %4d  %4d %4d  %4.2f %4.2f  %5s %5llu  %s %s\n", e->name,
                   e->markers, markers, e->groups, groups, e->reduction, 2 * groups - markers,
                   e->ratio_percent / 100.0, ratio_percent / 100.0, nodes,
                   (unsigned long long)found, e->spec, e->board);
        }
    }
    if (!json) return;
    close_list(&w);
    print_json_object(&w);
}

/* ---- the command ---- */

enum { DEFAULT_STEPS = 1000000, WIDEST_PROOF = 15 };

typedef struct arguments {
    operand_list operands; /* SPEC, POSITION */
    bool moves, json, configurations;
    enum { PAIRS_ONLY, SET_MATCHING } rule;
    int player; /* 0: x, 1: o, -1: both */
    uint64_t steps;
} arguments;

static const argument_row rows[] = {
    OPERANDS("SPEC", arguments, operands, 0),
    FLAG('m', "moves", arguments, moves, "also try every legal move"),
    CHOICE('r', "rule", "RULE", arguments, rule, "pairing or set-matching",
           "pairing: pairs alone; set-matching: configurations, too (default)"),
    CHOICE('p', "player", "PLAYER", arguments, player, "x or o",
           "x or o: the player who cannot complete a group (default: both)"),
    COUNT('s', "steps", "N", arguments, steps, 1, MAX_NODES,
          "give up a proof after trying N parts (1000000)"),
    FLAG('c', "configurations", arguments, configurations,
         "list the configurations, with the numbers of the paper and ours"),
    JSON(arguments, json),
    {0}};
static const command_syntax syntax = {
    .operands = "SPEC [POSITION]",
    .purpose =
        "Prove that a player cannot complete a group, or in misere play need never complete one, "
        "by pairs of cells and by set matching.",
    .details =
        "SPEC is a game of stones without gravity, such as mnk-4x4-k4 or square-5x5-misere. A "
        "POSITION is a board " STONES_HELP
        "; or the moves from the empty board, cells as in b3c1. Without a POSITION the empty board "
        "is used.\n\nThe open groups of a player are those without a stone of the other player. A "
        "pairing is a set of disjoint pairs of empty cells, one in every open group: when the "
        "player takes a cell of a pair, the other player takes the second one. A set matching also "
        "has configurations: families of groups that need fewer cells than pairs do. If there is "
        "one, the value is at most a draw for the player, whoever is to move. In misere play the "
        "player himself answers in the pairs, so that he never has to complete a group; there a "
        "set matching has at most one configuration, and only for the player who does not place "
        "the last stone.\n\nCells with the same capital letter are a pair or a configuration; the "
        "markers and groups of configurations are printed below. The answer that there is no set "
        "matching is a proof; the answer that none was found in N steps is not.\n\nExit status: 0 "
        "if something was proven for a player in question, 1 if nothing was, 2 for a mistake in "
        "the command line.",
    .rows = rows};

/* ---- the answer ---- */

/* Print the verdicts after each move. to: write JSON instead; NULL: text. */
static int print_moves(const proof_request *request, plb_position position, json_writer *to,
                       plb_message *message) {
    const plb_game *game = request->game;
    const volatile sig_atomic_t *stop = catch_interrupts();
    bool over = plb_rules_is_over(game, position);
    int count = 0;
    if (!to) puts(over ? "the game is over: there are no moves" : "after each move:");
    for (int c = 0; c < game->cells; c++) {
        position_proofs after;
        char text[PLB_MOVE_TEXT];
        int moves[PLB_MAX_MOVES], cell = plb_game_cell(game, c / game->height, c % game->height);
        if (over || !game->rules->list_moves(game, position, 1ULL << cell, moves)) continue;
        if (plb_is_stopped(stop)) return plb_fail(message, PLB_EINTERRUPTED, "interrupted");
        int error =
            prove_position(request, plb_rules_play(game, position, moves[0]), &after, message);
        if (error) return error;
        format_cell(game, c, text);
        if (to) {
            if (count++ == 0) open_list(to, "moves");
            open_object(to, NULL);
            put_proofs(to, request, &after);
            put_word(to, "move", text);
            close_object(to);
        } else {
            bool both = request->players[1];
            printf("  %-3s  %c %s", text, request->players[0],
                   short_proof(request, &after.proofs[0]));
            if (both) {
                int width = (int)strlen(short_proof(request, &after.proofs[0]));
                printf("%*s  %c %s", WIDEST_PROOF - width, "", request->players[1],
                       short_proof(request, &after.proofs[1]));
            }
            putchar('\n');
        }
    }
    if (count) close_list(to);
    return PLB_OK;
}

static int answer(const plb_game *game, const arguments *a) {
    plb_message message;
    plb_position position = {0, 0};
    position_proofs found;
    json_writer w = begin_json_object();
    proof_request request = {
        .game = game, .players = "xo", .pairs_only = a->rule == PAIRS_ONLY, .steps = a->steps};
    if (a->player >= 0) snprintf(request.players, sizeof request.players, "%c", "xo"[a->player]);
    plb_game_format(game, request.spec);
    /* Try both notations. A board has a `/` unless it has one row: if there is one, the message is
     * that of the board, otherwise that of the moves. */
    const char *text = a->operands.count > 1 ? a->operands.items[1] : "";
    plb_message other;
    bool is_board = strchr(text, '/');
    int error = game->rules->parse_board(game, text, &position, is_board ? &message : &other);
    if (error) {
        position = (plb_position){0, 0};
        error = plb_notation_play_moves(game, text, &position, is_board ? &other : &message);
    }
    if (!error) error = plb_rules_check(game, position, &message);
    if (!error) error = prove_position(&request, position, &found, &message);
    if (!error && a->json)
        put_proofs(&w, &request, &found);
    else if (!error)
        print_proofs(&request, &found);
    if (!error && a->moves) error = print_moves(&request, position, a->json ? &w : NULL, &message);
    if (!error && a->json) print_json_object(&w);
    drop_json(&w);
    if (error) return report_error(error, &message);
    return proves_something(&request, &found) ? EXIT_GOOD : EXIT_FAILED;
}

int command_pairing(int argc, char **argv) {
    arguments a = {.steps = DEFAULT_STEPS, .rule = SET_MATCHING, .player = -1};
    plb_game game;
    parse_arguments(argc, argv, &syntax, &a);
    if (a.configurations && a.operands.count)
        fail_usage("--configurations lists what is the same in all games: leave '%s' out",
                   a.operands.items[0]);
    if (!a.configurations && !a.operands.count)
        fail_usage("SPEC is missing, such as mnk-4x4-k4; plybase pairing --help says more");
    if (a.operands.count > 2)
        fail_usage("one POSITION at a time: '%s' is one too many", a.operands.items[2]);
    if (a.configurations) {
        print_configurations(a.json);
        return end_output(EXIT_GOOD);
    }
    int status = read_game(a.operands.items[0], &game);
    return status ? status : end_output(answer(&game, &a));
}
