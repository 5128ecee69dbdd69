/* SPDX-License-Identifier: MIT
 *
 * On the printed board each cell of a part has the letter of the part: a capital letter, since x
 * and o are stones.
 */
#include "tools/answers/position_proofs.h"

#include <stdio.h>
#include <string.h>

#include "tables/bits.h"
#include "tables/games/notation.h"
#include "tools/terminal/quantity.h"

int prove_position(const proof_request *request, plb_position position, position_proofs *found,
                   plb_message *message) {
    uint64_t x, o;
    position_proofs made = {.position = position};
    plb_rules_to_words(request->game, position, &x, &o);
    plb_rules_format_board(request->game, position, made.board);
    for (int p = 0; request->players[p]; p++) {
        plb_proof_question question = {.player = request->players[p],
                                       .pairs_only = request->pairs_only,
                                       .steps = request->steps};
        int error = plb_prove_pairing(request->spec, x, o, &question, &made.proofs[p], message);
        if (error) return error;
    }
    *found = made;
    return PLB_OK;
}

bool proves_something(const proof_request *request, const position_proofs *found) {
    for (int p = 0; request->players[p]; p++)
        if (found->proofs[p].verdict == PLB_PROVEN) return true;
    return false;
}

/* Is a part a configuration? Else it is a pair. */
static bool is_configuration(const plb_proof_part *part) {
    return part->count > 2;
}

/* ---- in words ---- */

enum { PROOF_SENTENCE = 192 };

/* Write a verdict as a sentence, such as `x cannot complete a group: at most a draw for x`. */
static void format_proof(const proof_request *request, char player, const plb_proof *proof,
                         char text[PROOF_SENTENCE]) {
    const char *rule = request->pairs_only ? "pairing" : "set matching";
    bool misere = request->game->misere;
    char steps[32];
    format_count(request->steps, steps);
    if (proof->verdict == PLB_PROVEN)
        snprintf(text, PROOF_SENTENCE, "%c %s complete a group: at %s a draw for %c", player,
                 misere ? "need never" : "cannot", misere ? "least" : "most", player);
    else if (proof->verdict == PLB_NO_PROOF)
        snprintf(text, PROOF_SENTENCE, "nothing is proven for %c: the open groups have no %s",
                 player, rule);
    else
        snprintf(text, PROOF_SENTENCE,
                 "nothing is proven for %c: no %s was found in %s steps; more --steps may help",
                 player, rule, steps);
}

const char *short_proof(const proof_request *request, const plb_proof *proof) {
    if (proof->verdict == PLB_PROVEN)
        return request->game->misere ? "at least a draw" : "at most a draw";
    return proof->verdict == PLB_NO_PROOF ? "no proof" : "not found";
}

void format_cell(const plb_game *game, int public_cell, char text[PLB_MOVE_TEXT]) {
    int cell = plb_game_cell(game, public_cell / game->height, public_cell % game->height);
    plb_notation_format_move(game, cell, text);
}

/* ---- the board ---- */

/* There are at most 32 parts. */
static char part_letter(int part) {
    return "ABCDEFGHIJKLMNOPQRSTUVWXYZ123456"[part];
}

static void print_part(const plb_game *game, const plb_proof_part *part, char letter) {
    printf("    %c %s", letter, part->name);
    for (int m = 0; m < part->count; m++) {
        char cell[PLB_MOVE_TEXT];
        format_cell(game, part->cells[m], cell);
        if (is_configuration(part))
            printf(" %c=%s", 'a' + m, cell);
        else
            printf(" %s", cell);
    }
    if (is_configuration(part)) printf(" (%s)", part->groups);
    putchar('\n');
}

static void print_proof(const proof_request *request, const position_proofs *found, char player,
                        const plb_proof *proof) {
    char sentence[PROOF_SENTENCE], letters[PLB_MAX_CELLS];
    format_proof(request, player, proof, sentence);
    printf("%s (%d open group%s)\n", sentence, proof->open_groups,
           proof->open_groups == 1 ? "" : "s");
    if (proof->count == 0) return;
    plb_cell cells[PLB_MAX_CELLS];
    request->game->rules->read_cells(request->game, found->position, cells);
    for (int c = 0; c < request->game->cells; c++)
        letters[c] = cells[c].player ? cells[c].player : '.';
    for (int p = 0; p < proof->count; p++)
        for (int m = 0; m < proof->parts[p].count; m++)
            letters[proof->parts[p].cells[m]] = part_letter(p);
    const plb_game *game = request->game;
    for (int row = game->height - 1; row >= 0; row--) {
        printf("%5d", row + 1);
        for (int column = 0; column < game->width; column++)
            printf(" %c", letters[column * game->height + row]);
        putchar('\n');
    }
    fputs("     ", stdout);
    for (int column = 0; column < game->width; column++) printf(" %c", 'a' + column % 26);
    putchar('\n');
    for (int p = 0; p < proof->count; p++)
        print_part(request->game, &proof->parts[p], part_letter(p));
}

void print_proofs(const proof_request *request, const position_proofs *found) {
    for (int p = 0; request->players[p]; p++)
        print_proof(request, found, request->players[p], &found->proofs[p]);
}

/* ---- as JSON ---- */

void put_words(json_writer *to, const char *key, const char *words) {
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

void put_proofs(json_writer *to, const proof_request *request, const position_proofs *found) {
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
