/* SPDX-License-Identifier: MIT
 *
 * Can the statistics of all plies be right, and are they those of the board? Is the record of
 * columns the automaton of the board? It is proved, however it was made.
 */
#include <math.h>

#include "tables/reach/automaton_proof.h"
#include "tools/verify/verify_checks.h"

/* Can the statistics of a ply be right? Who completed a group has won, or lost in misere play;
 * a full board without a group is drawn. */
static bool counts_are_possible(const verifier *v, int ply, const plb_ply_stats *s) {
    uint64_t of_last_mover = !plb_ply_x_moves(ply) != v->game->misere ? s->won : s->lost;
    return s->total == s->won + s->drawn + s->lost && s->terminal <= of_last_mover &&
           s->total <= plb_enumeration_most_positions(v->file->positions, ply) &&
           (ply > 0 || (s->total == 1 && s->terminal == 0)) &&
           (ply < v->game->cells || s->drawn == s->total - s->terminal);
}

void verify_counts(verifier *v) {
    bool ended = false; /* in all positions of an earlier ply */
    for (int ply = 0; ply <= v->game->cells && !verify_is_stopped(v); ply++) {
        plb_ply_stats s;
        plb_message why;
        int error = plb_store_get_stats(v->file->store, ply, &s, &why);
        if (error) {
            verify_fail(v, ply, error, &why);
            return;
        }
        if (!counts_are_possible(v, ply, &s) || (ended && s.total)) {
            plb_fail(&why, PLB_ECORRUPT, "the counts of ply %d cannot be right", ply);
            verify_find_counts(v, ply, &why);
        }
        ended = s.total == s.terminal;
    }
}

void verify_exact_counts(verifier *v) {
    plb_ply_stats stats[PLB_MAX_CELLS + 1];
    plb_count_board board;
    plb_message why;
    int wrong = -1;
    if (verify_is_stopped(v)) return;
    v->report->countable = plb_count_check_find_board(v->game, &board) &&
                           plb_position_count_seconds(&board) < HUGE_VAL;
    if (!plb_count_check_find_quick(v->game, v->options->count_seconds, &board)) return;
    verify_begin_ply(v, VERIFY_COUNTING, 0, 1);
    verify_advance(v, 0);
    for (int ply = 0; ply <= v->game->cells; ply++) plb_stats(v->table, ply, &stats[ply]);
    int error =
        plb_count_check_compare(&board, stats, v->options->threads, v->options->stop, &wrong, &why);
    if (!error)
        v->report->exact_counts = PLB_COMPARED_ALL;
    else if (error == PLB_ECORRUPT)
        verify_find_counts(v, wrong, &why);
    else if (error == PLB_ETOOBIG)
        v->report->countable = false;
    else if (error != PLB_EINTERRUPTED) /* else that is found next */
        verify_fail(v, -1, error, &why);
}

/* ---- columns ---- */

void verify_columns(verifier *v) {
    const plb_column_automaton *columns = v->file->space.columns;
    plb_automaton_proof proof;
    plb_message why;
    if (verify_is_stopped(v) || !columns) return;
    int error = plb_automaton_proof_make(columns, v->options->stop, &proof);
    if (error == PLB_EINTERRUPTED) return;
    if (error) {
        plb_fail(&why, error, "%s", plb_error_text(error));
    } else {
        if (proof.refutations)
            error = plb_fail(&why, PLB_ECORRUPT,
                             "the record %s is wrong: it is not the automaton of this board",
                             PLB_RECORD_COLUMNS);
        plb_automaton_proof_free(&proof);
    }
    if (error) verify_fail(v, -1, error, &why);
}
