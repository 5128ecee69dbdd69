/* SPDX-License-Identifier: MIT */
#include "tables/format/outcome_code.h"

#include <string.h>

#include "tables/bits.h"

static const char *const texts[] = {[PLB_WDL] = "wdl", [PLB_DTM] = "dtm"};

const char *plb_value_kind_text(plb_value_kind values) {
    return texts[values];
}

bool plb_value_kind_parse(const char *text, plb_value_kind *values) {
    for (int v = PLB_WDL; v <= PLB_DTM; v++) {
        if (strcmp(text, texts[v]) != 0) continue;
        *values = (plb_value_kind)v;
        return true;
    }
    return false;
}

/* Plies before the first possible end have round 0. */
int plb_outcome_code_round(const plb_outcome_code *coding, int end_ply) {
    return end_ply < coding->first_end ? 0 : (end_ply - coding->first_end) / 2;
}

plb_outcome_code plb_outcome_code_make(const plb_game *game, plb_value_kind values) {
    plb_outcome_code coding = {values, PLB_ROUND, game->rules->first_end(game), game->misere};
    if (values == PLB_DTM)
        while (plb_outcome_code_round(&coding, game->cells) >> (coding.planes - PLB_ROUND))
            coding.planes++;
    return coding;
}

static unsigned round_mask(const plb_outcome_code *coding) {
    return (1u << (coding->planes - PLB_ROUND)) - 1;
}

unsigned plb_outcome_code_encode(const plb_outcome_code *coding, int end_ply) {
    bool x_wins = !plb_ply_x_moves(end_ply) != coding->misere;
    unsigned round = (unsigned)plb_outcome_code_round(coding, end_ply) & round_mask(coding);
    if (x_wins) return 1u << PLB_X_WINS | (round ^ round_mask(coding)) << PLB_ROUND;
    return 1u << PLB_O_WINS | round << PLB_ROUND;
}

unsigned plb_outcome_code_worst(const plb_outcome_code *coding, int ply) {
    bool x_to_move = plb_ply_x_moves(ply);
    int others_first = coding->first_end + x_to_move;
    return plb_outcome_code_encode(coding, coding->misere ? ply + 1 : others_first);
}

int plb_outcome_code_end_ply(const plb_outcome_code *coding, int winner, int round) {
    bool x_completes = (winner == PLB_X_WINS) != coding->misere;
    return coding->first_end + 2 * round + !x_completes;
}

plb_outcome plb_outcome_code_decode(const plb_outcome_code *coding, int ply, unsigned code) {
    bool x_wins = code >> PLB_X_WINS & 1, o_wins = code >> PLB_O_WINS & 1;
    if (!x_wins && !o_wins) return (plb_outcome){PLB_DRAW, PLB_NO_DTM};
    bool x_to_move = plb_ply_x_moves(ply);
    plb_outcome outcome = {x_wins == x_to_move ? PLB_WIN : PLB_LOSS, PLB_NO_DTM};
    if (coding->values == PLB_DTM) {
        unsigned round = code >> PLB_ROUND;
        if (x_wins) round ^= round_mask(coding);
        outcome.dtm =
            plb_outcome_code_end_ply(coding, x_wins ? PLB_X_WINS : PLB_O_WINS, (int)round) - ply;
    }
    return outcome;
}

/* ---- planes of a block ---- */

/* Gives every bit outside `stored` the value of the nearest stored bit before it, or 0. */
void plb_block_fill(const plb_block_planes *block, const uint64_t *stored, uint64_t *won) {
    const uint64_t *x_wins = block->values + PLB_X_WINS * block->stride;
    const uint64_t *o_wins = block->values + PLB_O_WINS * block->stride;
    for (uint64_t w = 0; w < block->words; w++) won[w] = stored[w] & (x_wins[w] | o_wins[w]);
    for (int p = 0; p < block->planes; p++) {
        uint64_t *plane = block->values + p * block->stride, before = 0;
        const uint64_t *known = p < PLB_ROUND ? stored : won;
        for (uint64_t w = 0; w < block->words; w++) {
            plane[w] = plb_run_on(plane[w], ~known[w], before);
            before = plb_spread_last(plane[w]);
        }
    }
}
