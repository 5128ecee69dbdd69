/* SPDX-License-Identifier: MIT
 *
 * How bytes travel between ranks: the interface of the plugins for MPI (mpi_transport.c), and of
 * what tests have in their place. A plugin is a library with the one symbol plb_transport_open. Any
 * thread calls its functions, one at a time; none of them waits.
 */
#ifndef PLB_BUILDER_RANKS_TRANSPORT_H
#define PLB_BUILDER_RANKS_TRANSPORT_H

#include <stdbool.h>
#include <stdint.h>

/* Of this interface: a plugin of another program is refused. */
enum { PLB_TRANSPORT_FORMAT = 2 };

/* Bytes for another rank, or the place for those that it sends. */
typedef struct plb_parcel {
    uint8_t *bytes;
    uint64_t size;
} plb_parcel;

typedef struct plb_transport {
    int format;        /* PLB_TRANSPORT_FORMAT */
    int count, number; /* ranks, and which of them this is */
    void *state;

    /* Begin to send every rank its parcel and to receive one from every rank; their sizes are known
     * on both sides, 0 for none. All ranks call it. Then: is that done? One exchange at a time. 0,
     * or any other number if a rank cannot be reached. */
    int (*begin)(void *state, const plb_parcel *send, const plb_parcel *receive);
    int (*test)(void *state, bool *done);

    /* Beside the exchange: tell a rank a word, which is lost if the last one has not left yet; the
     * next word that any has told this one, false: there is none. */
    void (*tell)(void *state, int rank, int32_t word);
    bool (*hear)(void *state, int *rank, int32_t *word);

    /* Leave the others, who leave as well; or make them end, who may not answer, with an exit
     * status. */
    void (*close)(void *state);
    void (*abandon)(void *state, int status);
} plb_transport;

/* Join the other ranks; 0, or any other number if that fails. */
typedef int plb_transport_opener(plb_transport *transport);
#define PLB_TRANSPORT_SYMBOL "plb_transport_open"

#endif
