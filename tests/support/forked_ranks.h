/* SPDX-License-Identifier: MIT
 *
 * Ranks without MPI: forked processes that are connected by sockets.
 */
#pragma once

#include "builder/ranks/ranks.h"

enum { FORKED_RANKS = 16 }; /* maximal number */

/* Callback: should an exchange of many bytes be delayed? It is called repeatedly while it returns
 * true, for at most a tenth of a second or so. NULL: no delay. */
extern bool (*forked_ranks_delay)(bool is_first);

/* The work of a rank. Returns its exit status, below 99. */
typedef int forked_rank_work(plb_ranks *ranks, void *context);

/* Run the work in `count` ranks, with options or NULL. Statuses [count] gets their exit statuses;
 * of a rank that a signal has ended, 100 plus the signal. A rank that has stopped itself is
 * continued when all others have ended. */
void forked_ranks_run(int count, forked_rank_work *work, const plb_ranks_options *options,
                      void *context, int *statuses);
