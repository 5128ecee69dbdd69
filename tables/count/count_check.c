/* SPDX-License-Identifier: MIT
 *
 * Statistics against exact counts.
 */
#include "tables/count/count_check.h"

/* Games with gravity are those of Connect-k. */
bool plb_count_check_find_board(const plb_game *game, plb_count_board *board) {
    if (!game->gravity) return false;
    *board = (plb_count_board){
        .width = game->width, .height = game->height, .k = game->k, .cylinder = game->cylinder};
    return true;
}

bool plb_count_check_find_quick(const plb_game *game, double seconds, plb_count_board *board) {
    plb_count_board found;
    if (!plb_count_check_find_board(game, &found)) return false;
    if (plb_position_count_seconds(&found) > seconds) return false;
    *board = found;
    return true;
}

int plb_count_check_compare(const plb_count_board *board, const plb_ply_stats *plies, int threads,
                            const volatile sig_atomic_t *stop, int *ply, plb_message *message) {
    const plb_count_work work = {.threads = threads, .stop = stop};
    plb_position_counts counts;
    char text[4][PLB_COUNT_TEXT];
    int error = plb_position_count(board, &work, &counts, message);
    if (error) return error;
    for (int n = 0; n < counts.plies && !error; n++) {
        const plb_ply_count *counted = &counts.ply[n];
        if (plies[n].total == counted->total && plies[n].terminal == counted->terminal) continue;
        if (ply) *ply = n;
        error = plb_fail(message, PLB_ECORRUPT,
                         "ply %d: the statistics say %s positions, %s of them terminal; the board "
                         "has %s and %s",
                         n, plb_format_big_count(plies[n].total, ',', text[0]),
                         plb_format_big_count(plies[n].terminal, ',', text[1]),
                         plb_format_big_count(counted->total, ',', text[2]),
                         plb_format_big_count(counted->terminal, ',', text[3]));
    }
    plb_position_counts_free(&counts);
    return error;
}
