/* SPDX-License-Identifier: MIT
 *
 * Ranks: the processes, on one machine or many, that make one table together. Each has a number
 * from 0; what they say to each other is said by all of them at the same place of the program: a
 * function that says "all ranks" waits for the others, and a rank that leaves it out leaves them
 * waiting. So a rank that fails does not return before it has told the others (plb_ranks_agree);
 * as soon as it tells them, they are asked to end what they do, within a second.
 *
 * A process that is alone is the trivial case: ranks NULL, every function returns at once. Must not
 * know: plies, slabs, files; how bytes travel (transport.h).
 */
#ifndef PLB_BUILDER_RANKS_RANKS_H
#define PLB_BUILDER_RANKS_RANKS_H

#include "builder/buffer.h"
#include "builder/ranks/transport.h"
#include "tables/message.h"

typedef struct plb_ranks plb_ranks;

enum { PLB_MAX_RANKS = 1024 }; /* more are not known to work */

typedef struct plb_ranks_options {
    double patience_seconds; /* a rank that does not answer so long is lost, and all end */
    /* Called once, from another thread: another rank has failed or is lost, so what this one does
     * is to end soon. */
    void (*end)(void *context);
    void *context;
} plb_ranks_options;

/* The ranks that a transport joins: all of them call it. It is closed with them, or at once if
 * there is an error: PLB_ENOMEM, PLB_EIO. One thread at a time. */
int plb_ranks_open(const plb_transport *transport, const plb_ranks_options *options,
                   plb_ranks **ranks, plb_message *message);

/* Leave the others; where one of them does not answer all processes are made to end, with this exit
 * status. Accepts NULL. */
void plb_ranks_close(plb_ranks *ranks, int status);

/* Does this rank speak for all? Rank 0 does, unless it is the one that is lost. */
bool plb_ranks_speaks(const plb_ranks *ranks);

/* How many they are, and the number of this one; 1 and 0 of NULL. */
int plb_ranks_count(const plb_ranks *ranks);
int plb_ranks_number(const plb_ranks *ranks);

/* All ranks: the error of the lowest rank that has one, with its message, which then says which
 * rank and machine that is; PLB_OK if none has. One that was interrupted counts only if nothing
 * else has happened, which others may have been interrupted for. Errors: also PLB_EIO, where a rank
 * does not answer. After an error the ranks say no more to each other: it is what all functions
 * return, at once, but for an error that this one is given. */
int plb_ranks_tell(plb_ranks *ranks, int error, plb_message *message);
static inline int plb_ranks_agree(plb_ranks *ranks, int error, plb_message *message) {
    int agreed = plb_ranks_tell(ranks, error, message);
    return agreed ? agreed : error; /* so that one sees that no error is lost */
}

/* After an error that all ranks have: let them speak again, as all of them will, to save what they
 * have. Where a rank does not answer that remains so. */
void plb_ranks_recover(plb_ranks *ranks);

/* All ranks: the sums of what each has. Errors: PLB_EIO, PLB_ENOMEM. */
int plb_ranks_sum(plb_ranks *ranks, uint64_t *values, size_t count, plb_message *message);

/* All ranks: their bytes become those of rank 0. Errors: PLB_EIO. */
int plb_ranks_broadcast(plb_ranks *ranks, void *bytes, size_t size, plb_message *message);

/* All ranks: each gives each other one some bytes, which may be none, or as many as one likes.
 *
 * send     [in]   [count] its own is ignored
 * receive  [out]  [count] zeroed or of an earlier call; its own stays as it is; to be freed by the
 *                 caller, also after an error
 *
 * Errors: PLB_EIO; PLB_ENOMEM, which all ranks get. */
int plb_ranks_swap(plb_ranks *ranks, const plb_bytes *send, plb_bytes *receive,
                   plb_message *message);

/* All ranks: talk to the others in a thread of its own while this one works, and calls no other
 * function that talks to them; without memory for a thread the talk comes first. Then wait for its
 * end, and return its error.
 *
 * waited_seconds  [in]  that the work has waited meanwhile for what the talk brings */
typedef int plb_rank_talk(void *context);
void plb_ranks_begin_aside(plb_ranks *ranks, plb_rank_talk *talk, void *context);
int plb_ranks_end_aside(plb_ranks *ranks, double waited_seconds);

/* What ranks have done in some time. */
typedef struct plb_rank_work {
    uint64_t received_bytes;               /* by all, of plb_ranks_swap */
    double seconds, waited_seconds;        /* on the clock, mean of the ranks */
    double busy_seconds, max_busy_seconds; /* of processors: mean, and of the rank with most */
} plb_rank_work;

static inline void plb_rank_work_add(const plb_rank_work *work, plb_rank_work *sum) {
    sum->received_bytes += work->received_bytes;
    sum->seconds += work->seconds;
    sum->waited_seconds += work->waited_seconds;
    sum->busy_seconds += work->busy_seconds;
    sum->max_busy_seconds += work->max_busy_seconds;
}

/* Seconds on the clock, from some moment on. */
double plb_ranks_clock_seconds(void);

/* All ranks: what they have done since the last call, or since they were opened. Errors: PLB_EIO,
 * PLB_ENOMEM. */
int plb_ranks_measure(plb_ranks *ranks, plb_rank_work *work, plb_message *message);

#endif
