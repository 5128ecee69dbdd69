/* SPDX-License-Identifier: MIT
 *
 * How bytes travel between ranks: the interface of the MPI plugins (mpi_transport.c), and of the
 * sockets that tests use instead. A plugin is a shared library that exports plb_transport_open. Any
 * thread may call the functions, one call at a time. All but close and abort_all return at once.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Version of this interface: the command refuses a plugin that has another one. */
enum { PLB_TRANSPORT_FORMAT = 2 };

/* Bytes to send to a rank, or the buffer for the bytes that it sends. */
typedef struct plb_parcel {
    uint8_t *bytes;
    uint64_t size;
} plb_parcel;

typedef struct plb_transport {
    int format;        /* PLB_TRANSPORT_FORMAT */
    int count, number; /* how many ranks there are; the number of this one */
    void *state;       /* first argument of the functions */

    /* Begin an exchange, one at a time; all ranks call it. A parcel goes to every rank, and one
     * comes from every rank. Both sides know the sizes; 0: no parcel. test: is the exchange done?
     * Return 0, or another number if a rank cannot be reached. */
    int (*begin)(void *state, const plb_parcel *send, const plb_parcel *receive);
    int (*test)(void *state, bool *done);

    /* Independent of exchanges: send a status to a rank, or drop it if the previous one has not
     * left yet. Receive the next status of any rank; false: there is none. */
    void (*send_status)(void *state, int rank, int32_t status);
    bool (*receive_status)(void *state, int *rank, int32_t *status);

    /* Leave: all ranks call it. Or end the processes of all ranks, also of those that do not
     * answer. */
    void (*close)(void *state);
    void (*abort_all)(void *state, int exit_status);
} plb_transport;

/* Join the other ranks; 0, or another number if that fails. */
typedef int plb_transport_opener(plb_transport *transport);
#define PLB_TRANSPORT_SYMBOL "plb_transport_open"
