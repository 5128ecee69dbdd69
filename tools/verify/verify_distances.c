/* SPDX-License-Identifier: MIT
 *
 * Are the statistics of distances those of the positions?
 */
#include "tables/format/distance_record.h"

#include "tools/verify/verify_checks.h"

/* ---- counting ---- */

void verify_clear_distances(plb_ply_distances *counts) {
    *counts =
        (plb_ply_distances){.longest_win.plies = PLB_NO_DTM, .longest_loss.plies = PLB_NO_DTM};
}

static plb_position position_of(const verifier *v, const plb_longest *longest) {
    plb_position position = {0, 0};
    v->game->rules->from_words(v->game, longest->x, longest->o, &position, NULL);
    return position;
}

/* Is one longer than another, or as long and visited before it? */
static bool goes_before(const verifier *v, const plb_longest *one, const plb_longest *other) {
    if (one->plies != other->plies || one->plies == PLB_NO_DTM) return one->plies > other->plies;
    return plb_enumeration_goes_before(v->file->positions, position_of(v, one),
                                       position_of(v, other));
}

static void keep_longest(const verifier *v, const plb_longest *found, plb_longest *longest) {
    if (goes_before(v, found, longest)) *longest = *found;
}

void verify_count_distance(const verifier *v, plb_position position, plb_outcome outcome,
                           uint64_t orbit, plb_ply_distances *counts) {
    bool won = outcome.value == PLB_WIN;
    if (outcome.dtm == PLB_NO_DTM) return;
    (won ? counts->wins : counts->losses)[outcome.dtm] += orbit;
    plb_longest found = {.plies = outcome.dtm};
    plb_rules_to_words(v->game, position, &found.x, &found.o);
    if (outcome.dtm) keep_longest(v, &found, won ? &counts->longest_win : &counts->longest_loss);
}

void verify_add_distances(const verifier *v, const plb_ply_distances *more,
                          plb_ply_distances *counts) {
    for (int plies = 0; plies <= v->game->cells; plies++) {
        counts->wins[plies] += more->wins[plies];
        counts->losses[plies] += more->losses[plies];
    }
    keep_longest(v, &more->longest_win, &counts->longest_win);
    keep_longest(v, &more->longest_loss, &counts->longest_loss);
}

/* ---- comparing ---- */

static void compare_counts(verifier *v, int ply, const plb_ply_distances *stated,
                           const plb_ply_distances *counted) {
    plb_message why;
    for (int plies = 0; plies <= v->game->cells; plies++) {
        uint64_t is_stated = plb_distance_count(v->game, stated, plies);
        uint64_t is_counted = plb_distance_count(v->game, counted, plies);
        if (is_stated == is_counted) continue;
        plb_fail(&why, PLB_ECORRUPT,
                 "ply %d: the statistics say that %llu positions end after %d plies; counted were "
                 "%llu",
                 ply, (unsigned long long)is_stated, plies, (unsigned long long)is_counted);
        verify_find_counts(v, ply, &why);
        return;
    }
}

static void find_longest(verifier *v, int ply, plb_value value, const plb_longest *stated) {
    plb_message why;
    char board[PLB_BOARD_TEXT];
    plb_format_board(v->table, stated->x, stated->o, board);
    plb_fail(&why, PLB_ECORRUPT,
             "ply %d: the statistics say that %s is the first %s in %d plies, the longest; it is "
             "not",
             ply, board, plb_value_text(value), stated->plies);
    verify_find_counts(v, ply, &why);
}

static bool is_same_longest(const plb_longest *a, const plb_longest *b) {
    return a->plies == b->plies && a->x == b->x && a->o == b->o;
}

void verify_distances(verifier *v, int ply, const plb_ply_distances *counted) {
    plb_ply_distances stated;
    if (plb_distance_stats(v->table, ply, &stated) != PLB_OK) return;
    compare_counts(v, ply, &stated, counted);
    if (!is_same_longest(&stated.longest_win, &counted->longest_win))
        find_longest(v, ply, PLB_WIN, &stated.longest_win);
    if (!is_same_longest(&stated.longest_loss, &counted->longest_loss))
        find_longest(v, ply, PLB_LOSS, &stated.longest_loss);
}

static void check_longest(verifier *v, int ply, plb_value value, const plb_longest *stated) {
    plb_answer answer;
    if (stated->plies == PLB_NO_DTM) return;
    int error = plb_probe(v->table, stated->x, stated->o, &answer, NULL);
    if (error || answer.value != value || answer.dtm != stated->plies)
        find_longest(v, ply, value, stated);
}

void verify_longest(verifier *v, int ply) {
    plb_ply_distances stated;
    if (plb_distance_stats(v->table, ply, &stated) != PLB_OK) return;
    check_longest(v, ply, PLB_WIN, &stated.longest_win);
    check_longest(v, ply, PLB_LOSS, &stated.longest_loss);
}
