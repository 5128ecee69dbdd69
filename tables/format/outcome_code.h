/* SPDX-License-Identifier: MIT
 *
 * Outcome codes: the outcome of a position as a number. The builder and the table have a plane for
 * each bit of the code:
 *
 *     bit 0     x wins
 *     bit 1     o wins                    neither: a draw, and all other bits are 0
 *     bit 2..   the round in which the game ends; inverted where x wins
 *
 * A round is two plies in which a game can end; round 0 begins with the first ply at which x can
 * have completed a group. If groups are k stones of one player, it is ply 2k - 1 (x completes a
 * group) and ply 2k (o does). The winner and the round give the ply of the end; the distance is
 * this ply minus the ply of the position. A coding without distances has only bits 0 and 1.
 *
 * Codes are from the view of x and o, not of the player to move, so that a move does not change
 * them: the code of a position is the best code of its children. The better outcome for x is the
 * one with the higher (bit 0, not bit 1, round bits), for o the one with the lower: an earlier win
 * is better, and a later loss.
 */
#pragma once

#include "tables/games/rules.h"

/* What a table stores of a position. */
typedef enum plb_value_kind { PLB_WDL, PLB_DTM } plb_value_kind;

enum {
    PLB_X_WINS = 0, /* numbers of bits and planes */
    PLB_O_WINS = 1,
    PLB_ROUND = 2,                           /* the first of the round */
    PLB_ROUND_BITS = 5,                      /* at most: 64 cells have 32 rounds */
    PLB_PLANES = PLB_ROUND + PLB_ROUND_BITS, /* at most */
};

typedef struct plb_outcome_code {
    plb_value_kind values;
    int planes;    /* bits of a code: 2 without distances */
    int first_end; /* the first ply of round 0 */
    bool misere;
} plb_outcome_code;

plb_outcome_code plb_outcome_code_make(const plb_game *game, plb_value_kind values);

/* "wdl" or "dtm", and back; false if the text is neither. */
const char *plb_value_kind_text(plb_value_kind values);
bool plb_value_kind_parse(const char *text, plb_value_kind *values);

/* The code of a game that ends with a complete group; end_ply is the ply of the final position. */
unsigned plb_outcome_code_encode(const plb_outcome_code *coding, int end_ply);

/* The round of a game that ends at a ply; and its inverse: the ply at which a player (PLB_X_WINS,
 * PLB_O_WINS) wins in a round. */
int plb_outcome_code_round(const plb_outcome_code *coding, int end_ply);
int plb_outcome_code_end_ply(const plb_outcome_code *coding, int winner, int round);

/* The worst outcome that the player to move can get on a ply: the initial value of pull. In misere
 * play it is the outcome of a move that completes a group. */
unsigned plb_outcome_code_worst(const plb_outcome_code *coding, int ply);

/* The outcome of a position, for the player to move. */
typedef struct plb_outcome {
    plb_value value;
    int dtm; /* plies to the end, or PLB_NO_DTM: a draw, or the coding has no distances */
} plb_outcome;

/* Is outcome a better than b for the same player? Fast wins and slow losses are better. */
static inline bool plb_outcome_is_better(plb_outcome a, plb_outcome b) {
    if (a.value != b.value) return a.value > b.value;
    return a.value == PLB_WIN ? a.dtm < b.dtm : a.dtm > b.dtm;
}

/* The outcome of a move for the player who makes it, from the outcome of the position after it. */
static inline plb_outcome plb_outcome_before_move(plb_outcome after) {
    int dtm = after.dtm == PLB_NO_DTM ? PLB_NO_DTM : after.dtm + 1;
    return (plb_outcome){(plb_value)-after.value, dtm};
}

/* Decode the code of a position on a ply. Any code is safe. */
plb_outcome plb_outcome_code_decode(const plb_outcome_code *coding, int ply, unsigned code);

/* ---- planes of a block ----
 *
 * An entry that needs no stored value gets the value of the stored entry before it. So blocks
 * compress well, and both codecs give the same planes. */

/* Plane p is words [p * stride, p * stride + words) of values. */
typedef struct plb_block_planes {
    uint64_t *values;
    int planes;
    uint64_t words, stride;
} plb_block_planes;

/* Fill the entries that are not stored; in planes of rounds also the draws.
 *
 * stored   [in]   [words] the entries that have values
 * won      [out]  [words] those of them that are not drawn */
void plb_block_fill(const plb_block_planes *block, const uint64_t *stored, uint64_t *won);
