/* SPDX-License-Identifier: MIT
 *
 * How many positions a board of Connect-k has on every ply, without visiting any: a transfer matrix
 * over its columns, whose states are frontiers (frontier.h) with states of the automaton of columns
 * (sweep_states.h); boards of few columns by sets of these (narrow_columns.h, four_columns.h,
 * five_columns.h).
 * Counted are the positions that play reaches: nobody has a group, or only the last mover, and some
 * order of moves in which x and o alternate, x first, completes the first group with the last
 * stone.
 *
 * Must not know: tables, indices, files.
 */
#ifndef PLB_TABLES_COUNT_POSITION_COUNT_H
#define PLB_TABLES_COUNT_POSITION_COUNT_H

#include <signal.h>
#include <stdint.h>

#include "tables/count/column_slice.h"
#include "tables/message.h"

/* A count may exceed 2^64. */
__extension__ typedef unsigned __int128 plb_big_count;

enum {
    PLB_COUNT_HEIGHT = 30,
    PLB_COUNT_TEXT = 64, /* bytes for a count as text, with separators and the final zero */
    PLB_COUNT_STACK_BYTES = 1 << 20, /* of each thread but the one that asks */
};

typedef struct plb_count_board {
    int width, height, k; /* as in connect-WxH-kK; misere games have the same positions */
    bool cylinder;        /* the left and the right column are adjacent */
    bool open_only; /* count positions without a group alone, several times as fast: `terminal` is
                       0 then */
} plb_count_board;

/* Positions of a ply. */
typedef struct plb_ply_count {
    plb_big_count total, terminal; /* terminal: a group is complete */
} plb_ply_count;

typedef struct plb_position_counts {
    int plies;          /* cells + 1 */
    plb_ply_count *ply; /* [plies] */
    plb_ply_count all;  /* their sums */
} plb_position_counts;

/* Keeps what was counted, so that a count that was interrupted goes on from there. A part of a
 * count are the positions one of whose columns has certain words; all words are the whole. The
 * numbers of a part are modulo 2^128, or modulo 2^64 on boards where no ply has so many positions,
 * and may be less than nothing, and a position may be in the part of the same words with colours
 * exchanged: only the sum of all parts counts positions. They depend on how parts are counted, of
 * which there has been so many a version. */
enum { PLB_PARTS_VERSION = 8 };
typedef enum plb_kept { PLB_KEPT_NOTHING, PLB_KEPT_PARTS, PLB_KEPT_ALL } plb_kept;

typedef struct plb_count_keeper {
    void *context;
    double part_seconds; /* that a part may take, about */
    /* What is kept of a part. If it is all, its numbers are added to plies [cells + 1]. */
    plb_kept (*find)(void *context, const plb_column_slice *part, plb_ply_count *plies);
    /* Keep the numbers of a part. An error ends the count. */
    int (*keep)(void *context, const plb_column_slice *part, const plb_ply_count *plies);
} plb_count_keeper;

/* How a count is done, and who follows it. */
typedef struct plb_count_work {
    int threads; /* at most so many, 1 or more; fewer where memory does not suffice for as many.
                    Counts do not depend on it */
    const volatile sig_atomic_t *stop; /* becomes not 0 when the work shall end, or NULL */
    /* Such a share is done, of 1; less than before where memory did not suffice and smaller parts
     * are begun. NULL: nobody listens. Threads: one at a time. */
    void (*advance)(void *context, double share);
    void *context;
    const plb_count_keeper *keeper; /* or NULL */
    bool by_frontiers; /* boards of few columns, too, which takes longer: to compare both ways, and
                          without a keeper */
} plb_count_work;

/* Count the positions of a board.
 *
 * work    [in]   of cylinders, and of boards of up to three columns where groups lie in one, no
 *                parts are kept but the whole, and nothing is reported
 * counts  [out]  owned by the caller, who frees it with plb_position_counts_free
 *
 * Errors: PLB_ENOMEM, PLB_EINTERRUPTED, those of the keeper; PLB_ETOOBIG if the counts might not
 * fit in 128 bits, the columns have too many forms or the automaton too many states. Exact
 * otherwise.
 *
 * Cost: 7x6 with k 4 takes 9 s of processor time, several times less for open positions alone, and
 * 0.4 GB; 7x7 63 s and 2.7 GB; ten times as long with each row more. What an allocation fails for
 * is counted in smaller parts (column_sweep.h), which may take five times as long: 7x6 in 60 MB.
 * Up to three columns where groups lie in one: 3x12 with k 4 three seconds. Four columns with k 4:
 * 4x9 4 s, 4x10 23 s, 4x11 two and a half minutes and 0.6 GB, 4x13 14 GB; five, with AVX2: 5x8 12
 * s, 5x9 two minutes and 0.2 GB; four take about three times as long without AVX-512. These are not
 * counted in smaller parts where memory is short. Cylinders: 6x5 with k 4 about 10 s.
 */
int plb_position_count(const plb_count_board *board, const plb_count_work *work,
                       plb_position_counts *counts, plb_message *message);

/* About how many seconds of processor time counting takes, within a factor of three on boards that
 * take more than a tenth of one, on cylinders rather more than it takes; HUGE_VAL for boards that
 * are too big to be counted, unless only their automaton is; for whoever has to decide whether to
 * count. */
double plb_position_count_seconds(const plb_count_board *board);

void plb_position_counts_free(plb_position_counts *counts);

/* A count in decimal, with a separator between groups of three digits or 0 for none. */
char *plb_format_big_count(plb_big_count count, char separator, char text[PLB_COUNT_TEXT]);

#endif
