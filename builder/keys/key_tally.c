/* SPDX-License-Identifier: MIT
 *
 * Results, position by position.
 */
#include "builder/keys/key_tally.h"

#include "tables/index/orbit.h"

plb_key_tally plb_key_tally_begin(const plb_game *game, const plb_outcome_code *coding, int ply) {
    plb_key_tally tally = {.game = game, .coding = coding, .ply = ply};
    tally.distances.longest_win.plies = tally.distances.longest_loss.plies = PLB_NO_DTM;
    return tally;
}

/* Of several that are as long the least key is kept. */
static void keep_longest(plb_longest *longest, plb_position *kept, int plies, plb_position key) {
    if (plies == PLB_NO_DTM || plies < longest->plies ||
        (plies == longest->plies && !plb_position_is_less(key, *kept)))
        return;
    longest->plies = plies;
    *kept = key;
}

static void count_distance(plb_key_tally *t, plb_position key, uint64_t orbit,
                           plb_outcome outcome) {
    bool wins = outcome.value == PLB_WIN;
    if (outcome.dtm == PLB_NO_DTM) return;
    (wins ? t->distances.wins : t->distances.losses)[outcome.dtm] += orbit;
    if (outcome.dtm == 0) return;
    if (wins)
        keep_longest(&t->distances.longest_win, &t->longest_win, outcome.dtm, key);
    else
        keep_longest(&t->distances.longest_loss, &t->longest_loss, outcome.dtm, key);
}

void plb_key_tally_add(plb_key_tally *t, plb_position key, int orbit, unsigned code) {
    plb_outcome outcome = plb_outcome_code_decode(t->coding, t->ply, code);
    uint64_t positions = (uint64_t)orbit;
    t->stats.total += positions;
    if (t->game->rules->complete_groups(t->game, key)) t->stats.terminal += positions;
    if (code >> PLB_X_WINS & 1)
        t->stats.won += positions;
    else if (code >> PLB_O_WINS & 1)
        t->stats.lost += positions;
    else
        t->stats.drawn += positions;
    count_distance(t, key, positions, outcome);
}

void plb_key_tally_merge(const plb_key_tally *other, plb_key_tally *t) {
    t->stats.total += other->stats.total;
    t->stats.terminal += other->stats.terminal;
    t->stats.won += other->stats.won;
    t->stats.drawn += other->stats.drawn;
    t->stats.lost += other->stats.lost;
    for (int plies = 0; plies <= PLB_MAX_CELLS; plies++) {
        t->distances.wins[plies] += other->distances.wins[plies];
        t->distances.losses[plies] += other->distances.losses[plies];
    }
    keep_longest(&t->distances.longest_win, &t->longest_win, other->distances.longest_win.plies,
                 other->longest_win);
    keep_longest(&t->distances.longest_loss, &t->longest_loss, other->distances.longest_loss.plies,
                 other->longest_loss);
}

static void write_words(const plb_game *game, plb_position key, plb_longest *longest) {
    if (longest->plies != PLB_NO_DTM) plb_rules_to_words(game, key, &longest->x, &longest->o);
}

void plb_key_tally_end(const plb_key_tally *t, plb_ply_results *results) {
    results->stats = t->stats;
    if (t->coding->values != PLB_DTM) return;
    results->distances = t->distances;
    write_words(t->game, t->longest_win, &results->distances.longest_win);
    write_words(t->game, t->longest_loss, &results->distances.longest_loss);
}
