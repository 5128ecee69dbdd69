/* SPDX-License-Identifier: MIT
 *
 * `plybase pairing`: proves by pairs of cells and by set matching that a player cannot, or in
 * misere play need not, complete a group.
 *
 * On the printed board each cell of a part has the letter of the part: a capital letter, since x
 * and o are stones. The JSON has all that is needed to check a proof: the open groups of a player,
 * each as a list of its empty cells, and the parts of the proof.
 *
 *     players  [{player, verdict, sentence, open_groups: [["a1", ..], ..], parts}, ..]
 *     verdict  `proven`, `there is none` or `not found`
 *     parts    {name: "pair", cells: ["a1", "b2"]}, or
 *              {name: "Triangle", markers: {a: "a1", ..}, groups: ["ab", "adc", "bec"]}
 */
#include <stdio.h>
#include <string.h>

#include "tables/bits.h"
#include "tables/games/game_spec.h"
#include "tables/games/notation.h"
#include "tables/message.h"
#include "tables/proofs/set_matching.h"
#include "tables/stop.h"
#include "tools/answers/json_writer.h"
#include "tools/commands/commands.h"
#include "tools/strategy/configuration_examples.h"
#include "tools/terminal/console.h"
#include "tools/terminal/operands.h"
#include "tools/terminal/quantity.h"

/* What to prove about positions of a game. */
typedef struct proof_request {
    const plb_game *game;
    char spec[PLB_SPEC_TEXT];
    char players[3]; /* "xo", "x" or "o" */
    bool pairs_only;
    uint64_t steps; /* limit for each proof */
} proof_request;

/* The proofs of one position. */
typedef struct position_proofs {
    plb_position position;
    char board[PLB_BOARD_TEXT];
    plb_proof proofs[2]; /* in the order of proof_request.players */
} position_proofs;

static int prove_position(const proof_request *request, plb_position position,
                          position_proofs *found, plb_message *message) {
    uint64_t x, o;
    *found = (position_proofs){.position = position};
    plb_rules_to_words(request->game, position, &x, &o);
    plb_rules_format_board(request->game, position, found->board);
    int error = PLB_OK;
    for (int p = 0; request->players[p] && !error; p++) {
        plb_proof_question question = {.player = request->players[p],
                                       .pairs_only = request->pairs_only,
                                       .steps = request->steps};
        error = plb_prove_pairing(request->spec, x, o, &question, &found->proofs[p], message);
    }
    return error;
}

/* Is a part a configuration? Else it is a pair. */
static bool is_configuration(const plb_proof_part *part) {
    return part->count > 2;
}

/* Format a public cell (column * height + row), such as `b3`. */
static void format_cell(const plb_game *game, int public_cell, char text[PLB_MOVE_TEXT]) {
    int cell = plb_game_cell(game, public_cell / game->height, public_cell % game->height);
    plb_notation_format_move(game, cell, text);
}

/* ---- for people ---- */

enum { PROOF_SENTENCE = 192 };

/* Format a verdict as a sentence, such as `x cannot complete a group: at most a draw for x`. */
static void format_proof(const proof_request *request, char player, const plb_proof *proof,
                         char text[PROOF_SENTENCE]) {
    const char *rule = request->pairs_only ? "pairing" : "set matching";
    bool misere = request->game->misere;
    char steps[32];
    if (proof->verdict == PLB_PROVEN)
        snprintf(text, PROOF_SENTENCE, "%c %s complete a group: at %s a draw for %c", player,
                 misere ? "need never" : "cannot", misere ? "least" : "most", player);
    else if (proof->verdict == PLB_NO_PROOF)
        snprintf(text, PROOF_SENTENCE, "nothing is proven for %c: the open groups have no %s",
                 player, rule);
    else
        snprintf(text, PROOF_SENTENCE,
                 "nothing is proven for %c: no %s was found in %s steps; more --steps may help",
                 player, rule, format_count(request->steps, steps));
}

/* A verdict in a few words. */
static const char *short_proof(const proof_request *request, const plb_proof *proof) {
    if (proof->verdict == PLB_PROVEN)
        return request->game->misere ? "at least a draw" : "at most a draw";
    return proof->verdict == PLB_NO_PROOF ? "no proof" : "not found";
}

static void print_board(const plb_game *game, plb_position position, const plb_proof *proof,
                        const char *part_letters) {
    plb_cell cells[PLB_MAX_CELLS];
    char letters[PLB_MAX_CELLS];
    game->rules->read_cells(game, position, cells);
    for (int c = 0; c < game->cells; c++) letters[c] = cells[c].player ? cells[c].player : '.';
    for (int p = 0; p < proof->count; p++)
        for (int m = 0; m < proof->parts[p].count; m++)
            letters[proof->parts[p].cells[m]] = part_letters[p];
    for (int row = game->height - 1; row >= 0; row--) {
        printf("%5d", row + 1);
        for (int column = 0; column < game->width; column++)
            printf(" %c", letters[column * game->height + row]);
        putchar('\n');
    }
    fputs("     ", stdout);
    for (int column = 0; column < game->width; column++) printf(" %c", 'a' + column % 26);
    putchar('\n');
}

/* Print the verdict as a sentence, the board with a letter for each part, and the parts. */
static void print_proof(const proof_request *request, const position_proofs *found, int player) {
    static const char part_letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ123456"; /* at most 32 parts */
    const plb_proof *proof = &found->proofs[player];
    char sentence[PROOF_SENTENCE];
    format_proof(request, request->players[player], proof, sentence);
    printf("%s (%d open group%s)\n", sentence, proof->open_groups,
           proof->open_groups == 1 ? "" : "s");
    if (proof->count) print_board(request->game, found->position, proof, part_letters);
    for (int p = 0; p < proof->count; p++) {
        const plb_proof_part *part = &proof->parts[p];
        printf("    %c %s", part_letters[p], part->name);
        for (int m = 0; m < part->count; m++) {
            char cell[PLB_MOVE_TEXT];
            format_cell(request->game, part->cells[m], cell);
            if (is_configuration(part))
                printf(" %c=%s", 'a' + m, cell);
            else
                printf(" %s", cell);
        }
        if (is_configuration(part)) printf(" (%s)", part->groups);
        putchar('\n');
    }
}

/* ---- for programs ---- */

/* Write the words of a text, which are separated by blanks, as a list. */
static void put_words(json_writer *to, const char *key, const char *words) {
    open_list(to, key);
    for (size_t length; *words; words += length + (words[length] == ' ')) {
        char word[64];
        length = strcspn(words, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, words);
        put_word(to, NULL, word);
    }
    close_list(to);
}

static void put_cell(json_writer *to, const char *key, const plb_game *game, int public_cell) {
    char text[PLB_MOVE_TEXT];
    format_cell(game, public_cell, text);
    put_word(to, key, text);
}

/* Write the groups without a stone of the other player, each as a list of its empty cells. */
static void put_open_groups(json_writer *to, const plb_game *game, uint64_t own, uint64_t others) {
    open_list(to, "open_groups");
    for (int g = 0; g < game->group_count; g++) {
        if (game->groups[g] & others) continue;
        open_list(to, NULL);
        uint64_t cells = plb_game_bits_of_cells(game, game->groups[g] & ~own);
        for (; cells; cells &= cells - 1) put_cell(to, NULL, game, plb_lowest(cells));
        close_list(to);
    }
    close_list(to);
}

static void put_player_proof(json_writer *to, const proof_request *request,
                             const position_proofs *found, int player) {
    static const char *verdicts[] = {"not found", "there is none", "proven"};
    const plb_game *game = request->game;
    const plb_proof *proof = &found->proofs[player];
    char letter = request->players[player], sentence[PROOF_SENTENCE];
    uint64_t x = found->position.x, o = found->position.o;
    format_proof(request, letter, proof, sentence);
    open_object(to, NULL);
    put_word(to, "player", (char[2]){letter, 0});
    put_word(to, "verdict", verdicts[proof->verdict + 1]);
    put_text(to, "sentence", sentence);
    put_open_groups(to, game, letter == 'x' ? x : o, letter == 'x' ? o : x);
    open_list(to, "parts");
    for (int p = 0; p < proof->count; p++) {
        const plb_proof_part *part = &proof->parts[p];
        open_object(to, NULL);
        put_word(to, "name", part->name);
        if (is_configuration(part)) {
            open_object(to, "markers");
            for (int m = 0; m < part->count; m++)
                put_cell(to, (char[2]){(char)('a' + m), 0}, game, part->cells[m]);
            close_object(to);
            put_words(to, "groups", part->groups);
        } else {
            open_list(to, "cells");
            for (int c = 0; c < 2; c++) put_cell(to, NULL, game, part->cells[c]);
            close_list(to);
        }
        close_object(to);
    }
    close_list(to);
    close_object(to);
}

static void put_proofs(json_writer *to, const proof_request *request,
                       const position_proofs *found) {
    int ply = plb_rules_ply(request->game, found->position);
    put_word(to, "spec", request->spec);
    put_word(to, "position", found->board);
    put_number(to, "ply", ply);
    put_word(to, "to_move", plb_ply_x_moves(ply) ? "x" : "o");
    put_word(to, "rule", request->pairs_only ? "pairing" : "set-matching");
    put_count(to, "steps", request->steps);
    open_list(to, "players");
    for (int p = 0; request->players[p]; p++) put_player_proof(to, request, found, p);
    close_list(to);
}

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
            int width = request->players[1] ? WIDEST_PROOF : 0;
            printf("  %-3s  %c %-*s", text, request->players[0], width,
                   short_proof(request, &after.proofs[0]));
            if (request->players[1])
                printf("  %c %s", request->players[1], short_proof(request, &after.proofs[1]));
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
    bool is_proven = false;
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
    if (!error && a->json) put_proofs(&w, &request, &found);
    for (int p = 0; request.players[p] && !error; p++) {
        if (!a->json) print_proof(&request, &found, p);
        is_proven |= found.proofs[p].verdict == PLB_PROVEN;
    }
    if (!error && a->moves) error = print_moves(&request, position, a->json ? &w : NULL, &message);
    if (!error && a->json) print_json_object(&w);
    drop_json(&w);
    if (error) return report_error(error, &message);
    return is_proven ? EXIT_GOOD : EXIT_FAILED;
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
