/* SPDX-License-Identifier: MIT
 *
 * The statistics of all plies against exact counts of the board.
 */
#include <math.h>

#include "tools/verify/verify_checks.h"

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
