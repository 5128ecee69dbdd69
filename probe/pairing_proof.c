/* SPDX-License-Identifier: MIT
 *
 * Proofs by pairing: converts a position to sets of cells, and the proof to its public form.
 */
#include <stdio.h>
#include <stdlib.h>

#include "probe/plybase.h"
#include "tables/games/game_spec.h"
#include "tables/games/stone_rules.h"
#include "tables/proofs/set_matching.h"

static int check_game(const char *spec, const plb_game *game, plb_message *message) {
    if (game->rules != &plb_rules_of_stones)
        return plb_fail(message, PLB_ESPEC,
                        "'%.80s': pairings are for groups of stones, and numbers have sums", spec);
    if (game->gravity)
        return plb_fail(message, PLB_ESPEC,
                        "'%.80s': with gravity a player cannot choose any cell, so pairings prove "
                        "nothing; mnk and square games have none",
                        spec);
    return PLB_OK;
}

static plb_proof_part public_part(const plb_game *game, const plb_part *part) {
    plb_proof_part to = {.count = part->count};
    const plb_configuration *c = plb_configuration_at(part->configuration);
    snprintf(to.name, sizeof to.name, "%s", c ? c->name : "pair");
    snprintf(to.groups, sizeof to.groups, "%s", c ? c->groups : "ab");
    for (int i = 0; i < part->count; i++) {
        int cell = part->cells[i];
        to.cells[i] =
            (uint8_t)(plb_game_column(game, cell) * game->height + plb_game_row(game, cell));
    }
    return to;
}

static int prove(const plb_game *game, plb_position position, const plb_proof_question *question,
                 plb_proof *proof) {
    bool of_x = question->player == 'x';
    plb_set_matching found = {0};
    plb_pairing_answer answer = PLB_PAIRING_UNDECIDED;
    plb_matching_limits limits = {question->steps, game->misere ? 1 : PLB_MAX_PARTS, NULL};
    /* x places the first stone, and so the last one of a board with an odd number of cells. */
    bool places_last = of_x == (game->cells % 2 == 1);
    if (question->pairs_only || (game->misere && places_last)) limits.configurations = 0;
    uint64_t *sets = calloc(game->group_count + 1, sizeof *sets);
    if (!sets) return PLB_ENOMEM;
    int open =
        plb_pairing_open_sets(game->groups, game->group_count, of_x ? position.x : position.o,
                              of_x ? position.o : position.x, sets);
    int count = plb_pairing_reduce(sets, open);
    int error = plb_set_matching_find(sets, count, &limits, &answer, &found);
    free(sets);
    if (error) return error;
    plb_verdict verdict = answer == PLB_PAIRING_FOUND  ? PLB_PROVEN
                          : answer == PLB_PAIRING_NONE ? PLB_NO_PROOF
                                                       : PLB_NOT_FOUND;
    *proof = (plb_proof){.verdict = verdict, .open_groups = open, .count = found.count};
    for (int i = 0; i < found.count; i++) proof->parts[i] = public_part(game, &found.parts[i]);
    return PLB_OK;
}

int plb_prove_pairing(const char *spec, uint64_t x, uint64_t o, const plb_proof_question *question,
                      plb_proof *proof, plb_message *message) {
    plb_game game;
    plb_position position = {0, 0};
    if (PLB_REJECT_NULL(message, spec, question, proof)) return PLB_EARGUMENT;
    if (question->player != 'x' && question->player != 'o')
        return plb_fail(message, PLB_EARGUMENT, "the player of a proof is 'x' or 'o'");
    int error = plb_game_parse(spec, &game, message);
    if (error) return error;
    error = check_game(spec, &game, message);
    if (!error) {
        error = game.rules->from_words(&game, x, o, &position, message);
        if (!error) error = plb_rules_check(&game, position, message);
    }
    if (!error) error = prove(&game, position, question, proof);
    if (error == PLB_ENOMEM) plb_fail(message, error, "%s", plb_error_text(error));
    return error;
}
