/* SPDX-License-Identifier: MIT
 *
 * Ranks without MPI: processes that are forked, joined by sockets.
 */
#ifndef TESTS_FORKED_RANKS_H
#define TESTS_FORKED_RANKS_H

#include "builder/ranks/ranks.h"

enum { FORKED_RANKS = 16 }; /* at most */

/* If it is not NULL it is asked again and again, up to a tenth of a second or so, whether an
 * exchange of many bytes is to be held up. */
extern bool (*forked_ranks_holds)(bool is_first);

/* What a rank does; its exit status, below 100. */
typedef int forked_rank_work(plb_ranks *ranks, void *context);

/* Do it in so many ranks, of these options or NULL; statuses [count] are theirs. A rank that a
 * signal ended has 100 and its number, one that sanitizers stopped what they exit with; one that
 * has stopped itself is made to go on when all others have ended. */
void forked_ranks_run(int count, forked_rank_work *work, const plb_ranks_options *options,
                      void *context, int *statuses);

#endif
