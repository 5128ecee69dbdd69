/* SPDX-License-Identifier: MIT
 *
 * The transport over MPI: the only file with calls of MPI, compiled once for each implementation
 * that is there. One thread makes all of them. Whatever waits polls and sleeps: a call that blocks
 * would burn a processor in all implementations. No call is one-sided: they make progress only
 * while the other side happens to be in MPI, or not at all. A message has at most PIECE_BYTES, far
 * below what the counts of MPI hold.
 */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

#include "builder/ranks/transport.h"

enum { PIECE_BYTES = 256 << 20, LEAST_SLEEP = 1000, MOST_SLEEP = 1000000 /* nanoseconds */ };

typedef struct joined {
    MPI_Comm all;
    MPI_Request *requests;
    int count, capacity;
} joined;

/* Another request; NULL: there is no memory. */
static MPI_Request *add_request(joined *j) {
    if (j->count == j->capacity) {
        int capacity = 2 * j->capacity + 64;
        MPI_Request *requests = realloc(j->requests, capacity * sizeof *requests);
        if (!requests) return NULL;
        j->requests = requests;
        j->capacity = capacity;
    }
    return &j->requests[j->count++];
}

/* Begin to send or receive a parcel, piece by piece; they arrive in this order. */
static int begin(joined *j, int rank, const plb_parcel *parcel, int sends) {
    for (uint64_t at = 0; at < parcel->size; at += PIECE_BYTES) {
        uint64_t left = parcel->size - at;
        int size = (int)(left < PIECE_BYTES ? left : PIECE_BYTES);
        uint8_t *bytes = parcel->bytes + at;
        MPI_Request *request = add_request(j);
        if (!request) return MPI_ERR_NO_MEM;
        int error = sends ? MPI_Isend(bytes, size, MPI_BYTE, rank, 0, j->all, request)
                          : MPI_Irecv(bytes, size, MPI_BYTE, rank, 0, j->all, request);
        if (error) return error;
    }
    return MPI_SUCCESS;
}

static int exchange(void *state, const plb_parcel *send, const plb_parcel *receive) {
    joined *j = state;
    int ranks, number, error, done = 0;
    MPI_Comm_size(j->all, &ranks);
    MPI_Comm_rank(j->all, &number);
    j->count = 0;
    error = MPI_SUCCESS;
    for (int step = 1; step < ranks && !error; step++)
        error =
            begin(j, (number + ranks - step) % ranks, &receive[(number + ranks - step) % ranks], 0);
    for (int step = 1; step < ranks && !error; step++)
        error = begin(j, (number + step) % ranks, &send[(number + step) % ranks], 1);
    for (long sleep = LEAST_SLEEP; !error && !done;
         sleep = sleep < MOST_SLEEP ? 2 * sleep : sleep) {
        error = MPI_Testall(j->count, j->requests, &done, MPI_STATUSES_IGNORE);
        if (!error && !done) nanosleep(&(struct timespec){0, sleep}, NULL);
    }
    return error;
}

static void leave(void *state) {
    joined *j = state;
    MPI_Finalize();
    free(j->requests);
    free(j);
}

extern plb_transport_opener plb_transport_open;

int plb_transport_open(plb_transport *transport) {
    int provided;
    joined *j = calloc(1, sizeof *j);
    if (!j || MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) {
        free(j);
        return -1;
    }
    j->all = MPI_COMM_WORLD;
    MPI_Comm_set_errhandler(j->all, MPI_ERRORS_RETURN);
    *transport = (plb_transport){
        .format = PLB_TRANSPORT_FORMAT, .state = j, .exchange = exchange, .close = leave};
    MPI_Comm_size(j->all, &transport->count);
    MPI_Comm_rank(j->all, &transport->number);
    return 0;
}
