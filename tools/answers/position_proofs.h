/* SPDX-License-Identifier: MIT
 *
 * Pairing proofs of a position, for one player or both, as text and as JSON. The JSON has all that
 * is needed to check a proof: the open groups of a player, each as a list of its empty cells, and
 * the parts of the proof.
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

/* What to prove about positions of a game. */
typedef struct proof_request {
    const plb_game *game;
    char spec[PLB_SPEC_TEXT];
    char players[3]; /* "xo", "x" or "o" */
    bool pairs_only;
    uint64_t steps; /* limit for each proof; 0: none */
} proof_request;

/* The proofs of one position. */
typedef struct position_proofs {
    plb_position position;
    char board[PLB_BOARD_TEXT];
    plb_proof proofs[2]; /* in the order of proof_request.players */
} position_proofs;

/* Look for the proofs. Errors: those of plb_prove_pairing. */
int prove_position(const proof_request *request, plb_position position, position_proofs *found,
                   plb_message *message);

/* Is there a proof for any of the players? */
bool proves_something(const proof_request *request, const position_proofs *found);

/* A verdict in a few words: `at most a draw`, `no proof`, `not found`. Static storage. */
const char *short_proof(const proof_request *request, const plb_proof *proof);

/* The name of a public cell (column * height + row), such as `b3`. */
void format_cell(const plb_game *game, int public_cell, char text[PLB_MOVE_TEXT]);

/* Print the proofs to stdout: for each player the verdict as a sentence, the board with a letter
 * for each part, and the parts. */
void print_proofs(const proof_request *request, const position_proofs *found);

/* Write the proofs as members of an object, which the caller opens and closes. */
void put_proofs(json_writer *to, const proof_request *request, const position_proofs *found);

/* Write the words of a text, which are separated by blanks, as a list. */
void put_words(json_writer *to, const char *key, const char *words);

#endif
