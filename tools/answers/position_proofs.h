/* SPDX-License-Identifier: MIT
 *
 * Proofs by pairing of a position, for one player or both, and how they are told.
 */
#ifndef PLB_TOOLS_ANSWERS_POSITION_PROOFS_H
#define PLB_TOOLS_ANSWERS_POSITION_PROOFS_H

#include "probe/plybase.h"
#include "tables/games/game_spec.h"
#include "tables/games/rules.h"

/* What is asked of positions of a game. */
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

enum { PROOF_SENTENCE = 192 };

/* Look for the proofs. Errors: those of plb_prove_pairing. */
int prove_position(const proof_request *request, plb_position position, position_proofs *found,
                   plb_message *message);

/* Was something proven, of any of the players? */
bool proves_something(const proof_request *request, const position_proofs *found);

/* A verdict in one sentence, such as `x cannot complete a group: at most a draw for x`. */
void format_proof(const proof_request *request, char player, const plb_proof *proof,
                  char text[PROOF_SENTENCE]);

/* The same in a few words: `at most a draw`, `no proof`, `not found`. Static storage. */
const char *short_proof(const proof_request *request, const plb_proof *proof);

/* Is a part a configuration, and not a pair? */
bool is_configuration(const plb_proof_part *part);

/* The name of a public cell (column * height + row), such as `b3`. */
void format_cell(const plb_game *game, int public_cell, char text[PLB_MOVE_TEXT]);

/* Print what was found to stdout: for each player the sentence, the board with a letter for each
 * part, and the parts. */
void print_proofs(const proof_request *request, const position_proofs *found);

#endif
