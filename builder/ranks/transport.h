/* SPDX-License-Identifier: MIT
 *
 * How bytes travel between ranks: the interface of the plugins for MPI (mpi_transport.c), and of
 * what tests have in their place. A plugin is a library with the one symbol plb_transport_open.
 */
#ifndef PLB_BUILDER_RANKS_TRANSPORT_H
#define PLB_BUILDER_RANKS_TRANSPORT_H

#include <stdint.h>

/* Of this interface: a plugin of another program is refused. */
enum { PLB_TRANSPORT_FORMAT = 1 };

/* Bytes for another rank, or the place for those that it sends. */
typedef struct plb_parcel {
    uint8_t *bytes;
    uint64_t size;
} plb_parcel;

typedef struct plb_transport {
    int format;        /* PLB_TRANSPORT_FORMAT */
    int count, number; /* ranks, and which of them this is */
    void *state;

    /* Send every rank its parcel and receive one from every rank; their sizes are known on both
     * sides, 0 for none. All ranks call it; who waits sleeps. 0, or any other number if a rank
     * cannot be reached. */
    int (*exchange)(void *state, const plb_parcel *send, const plb_parcel *receive);

    /* Leave the others, who need not have left. */
    void (*close)(void *state);
} plb_transport;

/* Join the other ranks; 0, or any other number if that fails. */
typedef int plb_transport_opener(plb_transport *transport);
#define PLB_TRANSPORT_SYMBOL "plb_transport_open"

#endif
