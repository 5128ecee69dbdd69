/* SPDX-License-Identifier: MIT
 *
 * Codes of outcomes.
 */
#include "tables/scale.h"

#include <string.h>

static const char *const texts[] = {[PLB_WDL] = "wdl", [PLB_DTM] = "dtm"};

const char *plb_scale_text(plb_values values) {
    return texts[values];
}

bool plb_scale_parse(const char *text, plb_values *values) {
    for (int v = PLB_WDL; v <= PLB_DTM; v++) {
        if (strcmp(text, texts[v]) != 0) continue;
        *values = (plb_values)v;
        return true;
    }
    return false;
}

/* A ply before the first end belongs to round 0, too: nothing ends there. */
int plb_scale_round(const plb_scale *scale, int end_ply) {
    return end_ply < scale->first_end ? 0 : (end_ply - scale->first_end) / 2;
}

plb_scale plb_scale_make(const plb_game *game, plb_values values) {
    int k = game->group_count ? plb_popcount(game->groups[0]) : game->cells;
    plb_scale scale = {values, PLB_ROUND, 2 * k - 1, game->misere};
    if (values == PLB_DTM)
        while (plb_scale_round(&scale, game->cells) >> (scale.planes - PLB_ROUND)) scale.planes++;
    return scale;
}

static unsigned round_mask(const plb_scale *scale) {
    return (1u << (scale->planes - PLB_ROUND)) - 1;
}

static bool x_places(int ply) {
    return ply % 2 == 1;
}

unsigned plb_scale_encode(const plb_scale *scale, int end_ply) {
    bool x_wins = x_places(end_ply) != scale->misere;
    unsigned round = (unsigned)plb_scale_round(scale, end_ply) & round_mask(scale);
    if (x_wins) return 1u << PLB_X_WINS | (round ^ round_mask(scale)) << PLB_ROUND;
    return 1u << PLB_O_WINS | round << PLB_ROUND;
}

unsigned plb_scale_worst(const plb_scale *scale, int ply) {
    bool x_to_move = ply % 2 == 0;
    int others_first = scale->first_end + x_to_move;
    return plb_scale_encode(scale, scale->misere ? ply + 1 : others_first);
}

int plb_scale_end_ply(const plb_scale *scale, int winner, int round) {
    bool x_completes = (winner == PLB_X_WINS) != scale->misere;
    return scale->first_end + 2 * round + !x_completes;
}

/* Plies to the end of a game that somebody wins. */
static int distance(const plb_scale *scale, int ply, bool x_wins, unsigned code) {
    unsigned round = code >> PLB_ROUND;
    if (x_wins) round ^= round_mask(scale);
    return plb_scale_end_ply(scale, x_wins ? PLB_X_WINS : PLB_O_WINS, (int)round) - ply;
}

plb_outcome plb_scale_decode(const plb_scale *scale, int ply, unsigned code) {
    bool x_wins = code >> PLB_X_WINS & 1, o_wins = code >> PLB_O_WINS & 1;
    if (!x_wins && !o_wins) return (plb_outcome){PLB_DRAW, PLB_NO_DTM};
    bool x_to_move = ply % 2 == 0;
    plb_outcome outcome = {x_wins == x_to_move ? PLB_WIN : PLB_LOSS, PLB_NO_DTM};
    if (scale->values == PLB_DTM) outcome.dtm = distance(scale, ply, x_wins, code);
    return outcome;
}
