/* SPDX-License-Identifier: MIT
 *
 * How many positions a board of Connect-k has on every ply, without visiting any: by sets of words
 * where there are few columns (few_columns.h), else by a transfer matrix over columns
 * (plane_count.h, cylinder_count.h). Counted are the positions that play reaches: no player has
 * a group, or only the last mover, and some order of moves in which x and o alternate, x first,
 * completes the first group with the last stone.
 *
 * Must not know: tables, indices, files.
 */
#ifndef PLB_TABLES_COUNT_POSITION_COUNT_H
#define PLB_TABLES_COUNT_POSITION_COUNT_H

#include "tables/count/count_types.h"
#include "tables/games/game.h"
#include "tables/message.h"

enum {
    PLB_COUNT_HEIGHT = 30,
    PLB_COUNT_TEXT = 64, /* bytes for a count as text, with separators and the final zero */
};

typedef struct plb_position_counts {
    int plies;          /* cells + 1 */
    plb_ply_count *ply; /* [plies] */
    plb_ply_count all;  /* their sums */
} plb_position_counts;

/* Count the positions of a board.
 *
 * work    [in]   of cylinders nothing is reported
 * counts  [out]  owned by the caller, who frees it with plb_position_counts_free
 *
 * Errors: PLB_ENOMEM, PLB_EINTERRUPTED; PLB_ETOOBIG if the counts might not fit in 128 bits, the
 * columns have too many forms or the automaton too many states. Exact otherwise.
 *
 * Cost: 7x6 with k 4 takes 7 s of processor time and 0.5 GB; 7x7 60 s and 3 GB; ten times as long
 * with each row more. With AVX-512 3x11 1.5 s, 4x10 80 s, 5x8 17 s, all within 0.1 GB. Cylinders:
 * 6x5 about 8 s.
 */
int plb_position_count(const plb_count_board *board, const plb_count_work *work,
                       plb_position_counts *counts, plb_message *message);

/* About how many seconds of processor time counting takes, within a factor of three on boards that
 * take more than a tenth of one, on cylinders rather more than it takes; HUGE_VAL for boards that
 * are too big to be counted, unless only their automaton is; to decide whether to count. */
double plb_position_count_seconds(const plb_count_board *board);

/* About how many bytes one thread takes at most, at once or in rounds (count_types.h); of a board
 * that can be counted, no cylinder. */
double plb_position_count_bytes(const plb_count_board *board, bool in_rounds);

void plb_position_counts_free(plb_position_counts *counts);

/* A count in decimal, with a separator between groups of three digits or 0 for none. */
char *plb_format_big_count(plb_big_count count, char separator, char text[PLB_COUNT_TEXT]);

/* ---- statistics against counts ---- */

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
