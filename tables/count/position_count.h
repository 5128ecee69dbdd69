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
 * with each row more. With AVX-512 3x11 1.5 s, 4x10 80 s, 5x8 15 s, all within 0.1 GB. Cylinders:
 * 6x5 about 8 s.
 */
int plb_position_count(const plb_count_board *board, const plb_count_work *work,
                       plb_position_counts *counts, plb_message *message);

/* About how many seconds of processor time counting takes, within a factor of three on boards that
 * take more than a tenth of one, on cylinders rather more than it takes; HUGE_VAL for boards that
 * are too big to be counted, unless only their automaton is; to decide whether to count. */
double plb_position_count_seconds(const plb_count_board *board);

void plb_position_counts_free(plb_position_counts *counts);

/* A count in decimal, with a separator between groups of three digits or 0 for none. */
char *plb_format_big_count(plb_big_count count, char separator, char text[PLB_COUNT_TEXT]);

#endif
