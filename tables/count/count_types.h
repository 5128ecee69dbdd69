/* SPDX-License-Identifier: MIT
 *
 * Types for counting positions: the board, the options and the counts. Shared by all methods.
 */
#pragma once

#include <signal.h>
#include <stdbool.h>

/* A count can exceed 2^64. */
__extension__ typedef unsigned __int128 plb_big_count;

typedef struct plb_count_board {
    int width, height, k; /* of connect-WxH-kK; misere does not change the positions */
    bool cylinder;        /* the left and the right column are adjacent */
} plb_count_board;

/* Can a group span several columns? */
static inline bool plb_count_has_wide_groups(const plb_count_board *board) {
    if (board->cylinder && board->width > 1 && board->k <= board->height) return true;
    return board->k <= board->width;
}

/* Number of positions of a ply. */
typedef struct plb_ply_count {
    plb_big_count total, terminal; /* terminal: with a complete group */
} plb_ply_count;

/* Options of a count. */
typedef struct plb_count_work {
    int threads;                       /* maximum, at least 1; does not change the counts */
    const volatile sig_atomic_t *stop; /* set to nonzero to interrupt the count; NULL: never */
    /* Progress callback: `share` of the work is done, 0 to 1. NULL: none. Calls never overlap. */
    void (*advance)(void *context, double share);
    void *context;
    bool by_sweep;  /* use the transfer matrix for few columns, too; slower, for tests */
    bool in_rounds; /* three sweeps, one after another: 1.4 times the time, 0.7 times the memory */
} plb_count_work;
