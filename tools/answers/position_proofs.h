/* SPDX-License-Identifier: MIT
 *
 * Proofs by pairing of a position, for one player or both, as text and as JSON. The JSON has
 * everything that is needed to check a proof: the open groups of a player as lists of their empty
 * cells, and the parts.
 *
 *     players  [{player, verdict, sentence, open_groups: [["a1", ..], ..], parts}, ..]
 *     verdict  `proven`, `there is none` or `not found`
 *     parts    {name: "pair", cells: ["a1", "b2"]}, or
 *              {name: "Triangle", markers: {a: "a1", ..}, groups: ["ab", "adc", "bec"]}
 */
#ifndef PLB_TOOLS_ANSWERS_POSITION_PROOFS_H
#define PLB_TOOLS_ANSWERS_POSITION_PROOFS_H

#include "probe/plybase.h"
#include "tables/games/game_spec.h"
#include "tables/games/rules.h"
#include "tools/answers/json_writer.h"

/* What is asked about positions of a game. */
typedef struct proof_request {
    const plb_game *game;
    char spec[PLB_SPEC_TEXT];
    char players[3]; /* "xo", "x" or "o" */
    bool pairs_only;
    uint64_t steps; /* of a proof, at most; 0: any number */
} proof_request;

/* What was found of one of them. */
typedef struct position_proofs {
    plb_position position;
    char board[PLB_BOARD_TEXT];
    plb_proof proofs[2]; /* of the players of the request in turn */
} position_proofs;

/* Look for the proofs. Errors: those of plb_prove_pairing. */
int prove_position(const proof_request *request, plb_position position, position_proofs *found,
                   plb_message *message);

/* Was something proven, of any of the players? */
bool proves_something(const proof_request *request, const position_proofs *found);

/* A verdict in a few words: `at most a draw`, `no proof`, `not found`. Static storage. */
const char *short_proof(const proof_request *request, const plb_proof *proof);

/* The name of a public cell (column * height + row), such as `b3`. */
void format_cell(const plb_game *game, int public_cell, char text[PLB_MOVE_TEXT]);

/* Print what was found to stdout: for each player the sentence, the board with a letter for each
 * part, and the parts. */
void print_proofs(const proof_request *request, const position_proofs *found);

/* Write what was found as members of an object, which the caller opens and closes. */
void put_proofs(json_writer *to, const proof_request *request, const position_proofs *found);

/* Write words, which stand in a text with a blank between them, as a list. */
void put_words(json_writer *to, const char *key, const char *words);

#endif
