/* SPDX-License-Identifier: MIT
 *
 * The watch of a rank over the others, by a thread of its own: whatever else the ranks do, they
 * know within a second that one of them has failed, and after a while that one is silent. Rank 0
 * hears all others a few times a second, and tells them what it knows; who finds a rank lost tells
 * all. Must not know: why.
 */
#ifndef PLB_BUILDER_RANKS_RANK_WATCH_H
#define PLB_BUILDER_RANKS_RANK_WATCH_H

#include "builder/ranks/transport.h"

typedef struct plb_rank_watch plb_rank_watch;

/* patience_seconds: after which a rank that is not heard counts as lost. end is called once, from
 * the thread, as soon as a rank has failed or is lost. The transport must outlive the watch.
 * Errors: PLB_ENOMEM. Close accepts NULL. */
int plb_rank_watch_open(const plb_transport *transport, double patience_seconds,
                        void (*end)(void *context), void *context, plb_rank_watch **watch);
void plb_rank_watch_close(plb_rank_watch *watch);

/* This rank has failed. */
void plb_rank_watch_alarm(plb_rank_watch *watch);

/* The rank that is lost; -1: none is known to be. */
int plb_rank_watch_lost(plb_rank_watch *watch);

/* Exchange parcels as the transport does, and sleep meanwhile. Not 0: a rank cannot be reached, or
 * is lost. */
int plb_rank_watch_exchange(plb_rank_watch *watch, const plb_parcel *send,
                            const plb_parcel *receive);

#endif
