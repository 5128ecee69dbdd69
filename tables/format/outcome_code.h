/* SPDX-License-Identifier: MIT
 *
 * Outcome codes: how the outcomes of a game are coded in bits. The builder keeps and the table
 * stores a plane for each bit of the code:
 *
 *     bit 0     x wins
 *     bit 1     o wins                    neither: a draw, and all other bits are 0
 *     bit 2..   the round in which the game ends; inverted where x wins
 *
 * Rounds count the ends of a game from the first ply at which x can have completed a group: where
 * groups of k cells are one player's, round 0 is ply 2k - 1 (x completes it) and ply 2k (o does).
 * Who wins and the round give the ply, and that less the ply of a position its distance. A coding
 * without distances has bits 0 and 1 alone.
 *
 * Codes are for the players, not for the player to move, so a move does not change them: the code
 * of a position is the best code of its children. Of two outcomes the better one for x is that with
 * the higher (bit 0, not bit 1, round bits), and the better one for o the lower: a win is the
 * better the sooner it comes, a loss the later.
 */
#ifndef PLB_TABLES_FORMAT_OUTCOME_CODE_H
#define PLB_TABLES_FORMAT_OUTCOME_CODE_H

#include "tables/games/rules.h"

/* What a table holds of a position. */
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

/* "wdl" or "dtm", and back; false where the text is neither. */
const char *plb_value_kind_text(plb_value_kind values);
bool plb_value_kind_parse(const char *text, plb_value_kind *values);

/* Code of a game that ends by a complete group at a ply (that of the position where it is
 * complete). */
unsigned plb_outcome_code_encode(const plb_outcome_code *coding, int end_ply);

/* The round of a game that ends at a ply, and the ply at which a player (PLB_X_WINS, PLB_O_WINS)
 * wins in a round: its inverse, from the first ply on at which that player can win. */
int plb_outcome_code_round(const plb_outcome_code *coding, int end_ply);
int plb_outcome_code_end_ply(const plb_outcome_code *coding, int winner, int round);

/* The worst outcome that the player to move can get on a ply: where pull begins. In misere play it
 * is what a move that completes a group gives. */
unsigned plb_outcome_code_worst(const plb_outcome_code *coding, int ply);

/* How a game ends from a position on, for the player to move. */
typedef struct plb_outcome {
    plb_value value;
    int dtm; /* plies to the end, or PLB_NO_DTM: a draw, or the coding has no distances */
} plb_outcome;

/* Is an outcome better than another for the player it speaks of? Fast wins are, and slow losses. */
static inline bool plb_outcome_is_better(plb_outcome a, plb_outcome b) {
    if (a.value != b.value) return a.value > b.value;
    return a.value == PLB_WIN ? a.dtm < b.dtm : a.dtm > b.dtm;
}

/* A move's outcome for the player who makes it, from that for the one who is then to move. */
static inline plb_outcome plb_outcome_before_move(plb_outcome after) {
    int dtm = after.dtm == PLB_NO_DTM ? PLB_NO_DTM : after.dtm + 1;
    return (plb_outcome){(plb_value)-after.value, dtm};
}

/* What a code means for a position on a ply. Any code is safe. */
plb_outcome plb_outcome_code_decode(const plb_outcome_code *coding, int ply, unsigned code);

/* ---- planes of a block ----
 *
 * Where nothing need be stored a block holds the value of the position before it, so that blocks
 * compress well, and so that they hold the same whichever codec they went through. */

/* Plane p is words [p * stride, p * stride + words) of values. */
typedef struct plb_block_planes {
    uint64_t *values;
    int planes;
    uint64_t words, stride;
} plb_block_planes;

/* Fill the planes where nothing is stored; of a draw all but the outcome is filled, too.
 *
 * stored   [in]   the positions whose values are there
 * won      [out]  words that it needs: those of them that are no draw */
void plb_block_fill(const plb_block_planes *block, const uint64_t *stored, uint64_t *won);

#endif
