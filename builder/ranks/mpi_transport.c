/* SPDX-License-Identifier: MIT
 *
 * The transport over MPI: the only file that calls MPI, compiled once for each installed
 * implementation. It uses no blocking calls, since all implementations wait for those in a busy
 * loop, and no one-sided calls, which progress only while the other side is inside MPI, or not at
 * all. A message has at most PIECE_BYTES, because counts of MPI are of type int.
 */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

#include "builder/ranks/transport.h"
#include "tables/array.h"

enum { PIECE_BYTES = 256 << 20 };
enum { PARCEL, STATUS };    /* tags */
enum { GRACE_SECONDS = 5 }; /* in which rank 0 can save and report, before it is ended */

typedef struct joined {
    MPI_Comm all;
    int ranks, number;
    MPI_Request *requests; /* [count] of the exchange */
    int count, capacity;
    MPI_Request *status_requests; /* [ranks] of the last status that was sent to each */
    int32_t *statuses;            /* [ranks] */
} joined;

/* Begin to send or receive a parcel in pieces, which arrive in order. */
static int begin_parcel(joined *j, int rank, const plb_parcel *parcel, bool sends) {
    for (uint64_t at = 0; at < parcel->size; at += PIECE_BYTES) {
        int size = (int)plb_min(parcel->size - at, PIECE_BYTES);
        uint8_t *bytes = parcel->bytes + at;
        if (!PLB_ARRAY_EXTEND(j->requests, j->count, j->capacity)) return MPI_ERR_NO_MEM;
        MPI_Request *request = &j->requests[j->count++];
        int error = sends ? MPI_Isend(bytes, size, MPI_BYTE, rank, PARCEL, j->all, request)
                          : MPI_Irecv(bytes, size, MPI_BYTE, rank, PARCEL, j->all, request);
        if (error) return error;
    }
    return MPI_SUCCESS;
}

static int begin(void *state, const plb_parcel *send, const plb_parcel *receive) {
    joined *j = state;
    int error = MPI_SUCCESS;
    j->count = 0;
    for (int step = 1; step < j->ranks && !error; step++) {
        int rank = (j->number + j->ranks - step) % j->ranks;
        error = begin_parcel(j, rank, &receive[rank], false);
    }
    for (int step = 1; step < j->ranks && !error; step++) {
        int rank = (j->number + step) % j->ranks;
        error = begin_parcel(j, rank, &send[rank], true);
    }
    return error;
}

/* Twice, because Open MPI looks for messages only after it has looked at the requests. */
static int test(void *state, bool *done) {
    joined *j = state;
    int all_done = 0;
    int error = MPI_SUCCESS;
    for (int look = 0; look < 2 && !error && !all_done; look++)
        error = MPI_Testall(j->count, j->requests, &all_done, MPI_STATUSES_IGNORE);
    *done = all_done;
    return error;
}

static void send_status(void *state, int rank, int32_t status) {
    joined *j = state;
    MPI_Request *request = &j->status_requests[rank];
    int has_left = 0;
    if (MPI_Test(request, &has_left, MPI_STATUS_IGNORE) || !has_left) return;
    j->statuses[rank] = status;
    MPI_Isend(&j->statuses[rank], 1, MPI_INT32_T, rank, STATUS, j->all, request);
}

static bool receive_status(void *state, int *rank, int32_t *status) {
    joined *j = state;
    MPI_Status envelope;
    int is_there = 0;
    if (MPI_Iprobe(MPI_ANY_SOURCE, STATUS, j->all, &is_there, &envelope) || !is_there) return false;
    *rank = envelope.MPI_SOURCE;
    return !MPI_Recv(status, 1, MPI_INT32_T, *rank, STATUS, j->all, MPI_STATUS_IGNORE);
}

static void free_joined(joined *j) {
    if (!j) return;
    free(j->requests);
    free(j->status_requests);
    free(j->statuses);
    free(j);
}

/* Receives the last statuses, because MPI warns of messages that nobody has received. */
static void leave(void *state) {
    joined *j = state;
    MPI_Request all_leave;
    int rank, done = 0;
    int32_t status;
    int error = MPI_Ibarrier(j->all, &all_leave);
    while (!error && !done) {
        error = MPI_Test(&all_leave, &done, MPI_STATUS_IGNORE);
        usleep(1000);
    }
    while (receive_status(j, &rank, &status)) continue;
    MPI_Finalize();
    free_joined(j);
}

static void abort_all(void *state, int exit_status) {
    joined *j = state;
    if (j->number > 0) sleep(GRACE_SECONDS);
    MPI_Abort(j->all, exit_status);
}

extern plb_transport_opener plb_transport_open;

int plb_transport_open(plb_transport *transport) {
    int provided;
    joined *j = calloc(1, sizeof *j);
    if (!j || MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS ||
        provided < MPI_THREAD_SERIALIZED) {
        free(j);
        return -1;
    }
    j->all = MPI_COMM_WORLD;
    MPI_Comm_set_errhandler(j->all, MPI_ERRORS_RETURN);
    MPI_Comm_size(j->all, &j->ranks);
    MPI_Comm_rank(j->all, &j->number);
    j->status_requests = malloc(j->ranks * sizeof *j->status_requests);
    j->statuses = malloc(j->ranks * sizeof *j->statuses);
    if (!j->status_requests || !j->statuses) {
        free_joined(j);
        return -1;
    }
    for (int rank = 0; rank < j->ranks; rank++) j->status_requests[rank] = MPI_REQUEST_NULL;
    *transport = (plb_transport){.format = PLB_TRANSPORT_FORMAT,
                                 .count = j->ranks,
                                 .number = j->number,
                                 .state = j,
                                 .begin = begin,
                                 .test = test,
                                 .send_status = send_status,
                                 .receive_status = receive_status,
                                 .close = leave,
                                 .abort_all = abort_all};
    return 0;
}
