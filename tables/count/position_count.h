/* SPDX-License-Identifier: MIT
 *
 * Counts the positions of every ply of Connect-k without visiting them: by sets of column words
 * where there are few columns (few_columns.h), else by a transfer matrix over columns
 * (plane_count.h, cylinder_count.h).
 *
 * Counted are the positions that can arise in a game: some order of moves, x first, then in turn,
 * leads to the position, and no player has a group before the last move.
 *
 * Must not know: tables, indices, files.
 */
#pragma once

#include "tables/count/count_types.h"
#include "tables/games/game.h"
#include "tables/message.h"

enum {
    PLB_COUNT_HEIGHT = 30, /* rows, at most */
    PLB_COUNT_TEXT = 64,   /* bytes for a count as text, with separators and the final zero */
};

typedef struct plb_position_counts {
    int plies;          /* cells + 1 */
    plb_ply_count *ply; /* [plies] */
    plb_ply_count all;  /* sum over all plies */
} plb_position_counts;

/* Count the positions of a board.
 *
 * work    [in]   for cylinders `advance` is not called
 * counts  [out]  owned by the caller; free with plb_position_counts_free
 *
 * The counts are exact. Errors: PLB_ENOMEM, PLB_EINTERRUPTED; PLB_ETOOBIG if the counts might not
 * fit in 128 bits, there are too many column words, or the automaton has too many states.
 *
 * Cost, processor time: 7x6 with k 4: 7 s and 0.5 GB; 7x7: 60 s and 3 GB; each further row takes
 * ten times as long. 3x11: 2 s, 4x9: 27 s, 5x8: 32 s, each 0.1 GB or less; 4x10: a few
 * minutes, 0.2 GB. Cylinder 6x5: about 8 s. */
int plb_position_count(const plb_count_board *board, const plb_count_work *work,
                       plb_position_counts *counts, plb_message *message);

/* Estimate the processor time of a count, in seconds. Within a factor of three on boards that take
 * more than 0.1 s; often too high for cylinders. HUGE_VAL if the board is too big to be counted;
 * an automaton that is too big is not noticed. */
double plb_position_count_seconds(const plb_count_board *board);

/* Estimate the peak memory of a count with one thread, in bytes. The board can be counted and is
 * no cylinder. in_rounds: see count_types.h. */
double plb_position_count_bytes(const plb_count_board *board, bool in_rounds);

void plb_position_counts_free(plb_position_counts *counts);

/* Write a count in decimal, with `separator` between groups of three digits; 0: none. */
char *plb_format_big_count(plb_big_count count, char separator, char text[PLB_COUNT_TEXT]);

/* ---- statistics against counts ---- */

/* Which numbers were compared. */
typedef enum plb_compared {
    PLB_COMPARED_NOTHING,
    PLB_COMPARED_OPEN, /* positions without a group */
    PLB_COMPARED_ALL   /* all positions, and terminal positions */
} plb_compared;

/* Get the board of a game of Connect-k, normal or misere. False if it is another game. */
bool plb_count_check_find_board(const plb_game *game, plb_count_board *board);

/* The same, but false also if counting takes more than about `seconds` of processor time. */
bool plb_count_check_find_quick(const plb_game *game, double seconds, plb_count_board *board);

/* Count the positions of a board, and compare every ply with the statistics of a table.
 *
 * plies    [in]   [cells + 1] statistics by ply
 * threads  [in]   maximum
 * ply      [out]  with PLB_ECORRUPT, the first ply that differs; may be NULL
 *
 * Errors: PLB_ECORRUPT if a ply differs, the message has both numbers; those of
 * plb_position_count. */
int plb_count_check_compare(const plb_count_board *board, const plb_ply_stats *plies, int threads,
                            const volatile sig_atomic_t *stop, int *ply, plb_message *message);
