/* SPDX-License-Identifier: MIT
 *
 * Positions of a forecast, counted exactly.
 */
#include "builder/forecast/forecast.h"
#include "tables/count/count_check.h"

int plb_forecast_count(const plb_game *game, double seconds, int threads,
                       const volatile sig_atomic_t *stop, plb_forecast *forecast,
                       plb_message *message) {
    plb_count_board board;
    const plb_count_work work = {.threads = threads, .stop = stop};
    plb_position_counts counts;
    if (forecast->counted || !plb_count_check_find_quick(game, seconds, &board)) return PLB_OK;
    int error = plb_position_count(&board, &work, &counts, message);
    if (error) return error == PLB_EINTERRUPTED ? error : PLB_OK;
    for (int ply = 0; ply < counts.plies; ply++) {
        forecast->plies[ply].positions = (double)counts.ply[ply].total;
        forecast->plies[ply].counted = true;
    }
    forecast->positions = (double)counts.all.total;
    forecast->counted = true;
    plb_position_counts_free(&counts);
    return PLB_OK;
}
