/* SPDX-License-Identifier: MIT
 *
 * Statistics against exact counts: of a game of Connect-k, how many positions every ply has is
 * known without solving anything (position_count.h). Statistics of a game, whatever program made
 * them, are compared with that. Must not know: files.
 */
#ifndef PLB_TABLES_COUNT_COUNT_CHECK_H
#define PLB_TABLES_COUNT_COUNT_CHECK_H

#include "tables/count/position_count.h"
#include "tables/games/game.h"

/* What was compared: nothing, numbers of positions without a group, or of all positions and of
 * terminal ones. */
typedef enum plb_compared {
    PLB_COMPARED_NOTHING,
    PLB_COMPARED_OPEN,
    PLB_COMPARED_ALL
} plb_compared;

/* The board of a game whose positions can be counted: Connect-k, normal and misere, which have the
 * same positions. False where the game is none. */
bool plb_count_check_find_board(const plb_game *game, plb_count_board *board);

/* The board of a game if it can be counted in about so many seconds of processor time. */
bool plb_count_check_find_quick(const plb_game *game, double seconds, plb_count_board *board);

/* Count the positions of a board, and compare all plies.
 *
 * plies    [in]  statistics, one of each ply from 0 to the number of cells
 * threads  [in]  at most so many count
 *
 * ply    [out]  the first one that differs, with PLB_ECORRUPT; NULL: not asked for
 *
 * Errors: PLB_ECORRUPT, and the message has the ply, what the statistics say of it and what was
 * counted; those of plb_position_count. */
int plb_count_check_compare(const plb_count_board *board, const plb_ply_stats *plies, int threads,
                            const volatile sig_atomic_t *stop, int *ply, plb_message *message);

#endif
