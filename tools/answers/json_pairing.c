/* SPDX-License-Identifier: MIT
 *
 * Proofs as jansson has them.
 */
#include "tools/answers/json_pairing.h"

#include <string.h>

#include "tables/bits.h"
#include "tables/games/notation.h"

json_t *json_of_words(const char *words) {
    json_t *list = json_array();
    for (size_t length; *words; words += length + (words[length] == ' ')) {
        length = strcspn(words, " ");
        json_array_append_new(list, json_stringn(words, length));
    }
    return list;
}

static json_t *json_of_named_cell(const plb_game *game, int public_cell) {
    char text[PLB_MOVE_TEXT];
    format_cell(game, public_cell, text);
    return json_string(text);
}

static json_t *json_of_cells(const plb_game *game, uint64_t cells) {
    json_t *list = json_array();
    for (uint64_t bits = plb_game_bits_of_cells(game, cells); bits; bits &= bits - 1)
        json_array_append_new(list, json_of_named_cell(game, plb_lowest(bits)));
    return list;
}

/* The empty cells of the groups without a stone of the other player. */
static json_t *json_of_open_groups(const plb_game *game, uint64_t own, uint64_t others) {
    json_t *list = json_array();
    for (int g = 0; g < game->group_count; g++)
        if (!(game->groups[g] & others))
            json_array_append_new(list, json_of_cells(game, game->groups[g] & ~own));
    return list;
}

static json_t *json_of_configuration(const plb_game *game, const plb_proof_part *part) {
    json_t *markers = json_object();
    for (int m = 0; m < part->count; m++) {
        char letter[2] = {(char)('a' + m), 0};
        json_object_set_new(markers, letter, json_of_named_cell(game, part->cells[m]));
    }
    return json_pack("{s:s, s:o, s:o}", "name", part->name, "markers", markers, "groups",
                     json_of_words(part->groups));
}

static json_t *json_of_part(const plb_game *game, const plb_proof_part *part) {
    if (is_configuration(part)) return json_of_configuration(game, part);
    return json_pack("{s:s, s:[o, o]}", "name", part->name, "cells",
                     json_of_named_cell(game, part->cells[0]),
                     json_of_named_cell(game, part->cells[1]));
}

static json_t *json_of_player_proof(const proof_request *request, const position_proofs *found,
                                    char player, const plb_proof *proof) {
    static const char *verdicts[] = {"not found", "there is none", "proven"};
    const plb_game *game = request->game;
    bool is_x = player == 'x';
    char sentence[PROOF_SENTENCE];
    json_t *parts = json_array();
    for (int p = 0; p < proof->count; p++)
        json_array_append_new(parts, json_of_part(game, &proof->parts[p]));
    format_proof(request, player, proof, sentence);
    return json_pack("{s:o, s:s, s:s, s:o, s:o}", "player", json_of_player(player), "verdict",
                     verdicts[proof->verdict + 1], "sentence", sentence, "open_groups",
                     json_of_open_groups(game, is_x ? found->position.x : found->position.o,
                                         is_x ? found->position.o : found->position.x),
                     "parts", parts);
}

json_t *json_of_proofs(const proof_request *request, const position_proofs *found) {
    int ply = plb_rules_ply(request->game, found->position);
    json_t *players = json_array();
    for (int p = 0; request->players[p]; p++)
        json_array_append_new(
            players, json_of_player_proof(request, found, request->players[p], &found->proofs[p]));
    return json_pack("{s:s, s:s, s:i, s:o, s:s, s:I, s:o}", "spec", request->spec, "position",
                     found->board, "ply", ply, "to_move",
                     json_of_player(plb_ply_x_moves(ply) ? 'x' : 'o'), "rule",
                     request->pairs_only ? "pairing" : "set-matching", "steps",
                     (json_int_t)request->steps, "players", players);
}

void json_add_move_proofs(json_t *object, const proof_request *request, const char *move,
                          const position_proofs *found) {
    json_t *moves = json_object_get(object, "moves");
    json_t *after = json_of_proofs(request, found);
    if (!moves) {
        json_object_set_new(object, "moves", json_array());
        moves = json_object_get(object, "moves");
    }
    json_object_set_new(after, "move", json_string(move));
    json_array_append_new(moves, after);
}
