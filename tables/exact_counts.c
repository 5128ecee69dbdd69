/* SPDX-License-Identifier: MIT
 *
 * Statistics against exact counts.
 */
#include "tables/exact_counts.h"

#include <stdio.h>
#include <string.h>

bool plb_exact_counts_find_board(const plb_game *game, plb_count_board *board) {
    char spec[PLB_SPEC_TEXT], begin[PLB_SPEC_TEXT];
    plb_game_format(game, spec);
    snprintf(begin, sizeof begin, "connect-%dx%d-k%d", game->width, game->height, game->k);
    if (game->cylinder || strncmp(spec, begin, strlen(begin)) != 0) return false;
    *board = (plb_count_board){game->width, game->height, game->k};
    return true;
}

bool plb_exact_counts_are_quick(const plb_game *game, double seconds) {
    plb_count_board board;
    return plb_exact_counts_find_board(game, &board) &&
           plb_position_count_seconds(&board) <= seconds;
}

static bool is_same(const plb_ply_count *counted, const plb_ply_stats *stated) {
    return counted->total == stated->total && counted->terminal == stated->terminal;
}

static int compare(const plb_position_counts *counts, const plb_ply_stats *plies,
                   plb_message *message) {
    char total[PLB_COUNT_TEXT], terminal[PLB_COUNT_TEXT];
    int ply = 0;
    while (ply < counts->plies && is_same(&counts->ply[ply], &plies[ply])) ply++;
    if (ply == counts->plies) return PLB_OK;
    return plb_fail(message, PLB_ECORRUPT,
                    "ply %d: the statistics say %llu positions, %llu of them terminal; exact "
                    "counting gives %s and %s",
                    ply, (unsigned long long)plies[ply].total,
                    (unsigned long long)plies[ply].terminal,
                    plb_format_big_count(counts->ply[ply].total, 0, total),
                    plb_format_big_count(counts->ply[ply].terminal, 0, terminal));
}

int plb_exact_counts_compare(const plb_game *game, const plb_ply_stats *plies,
                             const volatile sig_atomic_t *stop, plb_message *message) {
    plb_count_board board;
    plb_position_counts counts;
    if (!plb_exact_counts_find_board(game, &board))
        return plb_fail(message, PLB_EARGUMENT, "the positions of this game cannot be counted");
    int error = plb_position_count(&board, stop, &counts, message);
    if (error) return error;
    error = compare(&counts, plies, message);
    plb_position_counts_free(&counts);
    return error;
}
