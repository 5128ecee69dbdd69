/* SPDX-License-Identifier: MIT
 *
 * Failure detector of a rank. A thread of its own exchanges heartbeats with other ranks, whatever
 * the rest of the process does. So every rank knows within a second that one has failed, and after
 * `patience_seconds` that one does not answer. Rank 0 exchanges heartbeats with all others. A rank
 * that finds another one lost tells all. Must not know why a rank has failed.
 */
#pragma once

#include "builder/ranks/transport.h"

typedef struct plb_rank_watch plb_rank_watch;

/* on_failure: called once, from the thread, as soon as a rank has failed or is lost (silent for
 * patience_seconds). The transport must outlive the watch. Errors: PLB_ENOMEM. Close accepts NULL.
 */
int plb_rank_watch_open(const plb_transport *transport, double patience_seconds,
                        void (*on_failure)(void *context), void *context, plb_rank_watch **watch);
void plb_rank_watch_close(plb_rank_watch *watch);

/* Tell the others at once that this rank has failed. */
void plb_rank_watch_alarm(plb_rank_watch *watch);

/* The rank that is lost; -1 if none is known to be. */
int plb_rank_watch_lost(plb_rank_watch *watch);

/* Exchange parcels by the transport, and sleep until that is done. Returns 0, or another number if
 * a rank cannot be reached or is lost. */
int plb_rank_watch_exchange(plb_rank_watch *watch, const plb_parcel *send,
                            const plb_parcel *receive);
