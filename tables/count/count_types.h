/* SPDX-License-Identifier: MIT
 *
 * What a count of positions is asked, and what it answers, for all that counts. Must not know: how.
 */
#ifndef PLB_TABLES_COUNT_COUNT_TYPES_H
#define PLB_TABLES_COUNT_COUNT_TYPES_H

#include <signal.h>
#include <stdbool.h>

/* A count may exceed 2^64. */
__extension__ typedef unsigned __int128 plb_big_count;

typedef struct plb_count_board {
    int width, height, k; /* as in connect-WxH-kK; misere games have the same positions */
    bool cylinder;        /* the left and the right column are adjacent */
} plb_count_board;

/* Do groups lie in several columns? */
static inline bool plb_count_has_wide_groups(const plb_count_board *board) {
    if (board->cylinder && board->width > 1 && board->k <= board->height) return true;
    return board->k <= board->width;
}

/* Positions of a ply. */
typedef struct plb_ply_count {
    plb_big_count total, terminal; /* terminal: a group is complete */
} plb_ply_count;

/* How a count is done, and where it is reported. */
typedef struct plb_count_work {
    int threads;                       /* at most so many, 1 or more. Counts do not depend on it */
    const volatile sig_atomic_t *stop; /* becomes not 0 when the work shall end, or NULL */
    /* This share of the work is done, of 1; NULL: it is not reported. Threads: one at a time. */
    void (*advance)(void *context, double share);
    void *context;
    bool by_sweep;  /* boards of few columns, too, which takes longer: to compare both methods */
    bool in_rounds; /* what takes much memory is counted one after another: 1.4 times the time, 0.7
                       times the memory */
} plb_count_work;

#endif
