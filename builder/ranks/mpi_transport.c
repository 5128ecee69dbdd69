/* SPDX-License-Identifier: MIT
 *
 * The transport over MPI: the only file with calls of MPI, compiled once for each implementation
 * that is there. No call blocks: that would burn a processor in all implementations. None is
 * one-sided: they make progress only while the other side happens to be in MPI, or not at all. A
 * message has at most PIECE_BYTES, far below what the counts of MPI hold.
 */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

#include "builder/ranks/transport.h"
#include "tables/array.h"

enum { PIECE_BYTES = 256 << 20 };
enum { PARCEL, WORD };         /* tags */
enum { SPEAKING_SECONDS = 5 }; /* that rank 0 is left to save and say why, before it is ended */

typedef struct joined {
    MPI_Comm all;
    int ranks, number;
    MPI_Request *requests; /* of the exchange */
    int count, capacity;
    MPI_Request *told; /* [ranks] words that may not have left yet */
    int32_t *words;    /* [ranks] */
} joined;

/* Another request; NULL: there is no memory. */
static MPI_Request *add_request(joined *j) {
    bool fits = PLB_ARRAY_EXTEND(j->requests, j->count, j->capacity);
    return fits ? &j->requests[j->count++] : NULL;
}

/* Begin to send or receive a parcel, piece by piece; they arrive in this order. */
static int begin_parcel(joined *j, int rank, const plb_parcel *parcel, bool sends) {
    for (uint64_t at = 0; at < parcel->size; at += PIECE_BYTES) {
        uint64_t left = parcel->size - at;
        int size = (int)(left < PIECE_BYTES ? left : PIECE_BYTES);
        uint8_t *bytes = parcel->bytes + at;
        MPI_Request *request = add_request(j);
        if (!request) return MPI_ERR_NO_MEM;
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

static int test(void *state, bool *done) {
    joined *j = state;
    int all_done = 0;
    int error = MPI_Testall(j->count, j->requests, &all_done, MPI_STATUSES_IGNORE);
    *done = all_done;
    return error;
}

static void tell(void *state, int rank, int32_t word) {
    joined *j = state;
    int has_left = 0;
    if (MPI_Test(&j->told[rank], &has_left, MPI_STATUS_IGNORE) || !has_left) return;
    j->words[rank] = word;
    MPI_Isend(&j->words[rank], 1, MPI_INT32_T, rank, WORD, j->all, &j->told[rank]);
}

static bool hear(void *state, int *rank, int32_t *word) {
    joined *j = state;
    MPI_Status status;
    int is_there = 0;
    if (MPI_Iprobe(MPI_ANY_SOURCE, WORD, j->all, &is_there, &status) || !is_there) return false;
    *rank = status.MPI_SOURCE;
    return !MPI_Recv(word, 1, MPI_INT32_T, *rank, WORD, j->all, MPI_STATUS_IGNORE);
}

static void free_joined(joined *j) {
    if (!j) return;
    free(j->requests);
    free(j->told);
    free(j->words);
    free(j);
}

/* The last words of all are heard, or MPI would warn of them. */
static void leave(void *state) {
    joined *j = state;
    MPI_Request all_leave;
    int rank, done = 0;
    int32_t word;
    int error = MPI_Ibarrier(j->all, &all_leave);
    while (!error && !done) {
        error = MPI_Test(&all_leave, &done, MPI_STATUS_IGNORE);
        usleep(1000);
    }
    while (hear(j, &rank, &word)) continue;
    MPI_Finalize();
    free_joined(j);
}

static void abandon(void *state, int status) {
    joined *j = state;
    if (j->number > 0) sleep(SPEAKING_SECONDS);
    MPI_Abort(j->all, status);
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
    j->told = malloc(j->ranks * sizeof *j->told);
    j->words = malloc(j->ranks * sizeof *j->words);
    if (!j->told || !j->words) {
        free_joined(j);
        return -1;
    }
    for (int rank = 0; rank < j->ranks; rank++) j->told[rank] = MPI_REQUEST_NULL;
    *transport = (plb_transport){.format = PLB_TRANSPORT_FORMAT,
                                 .count = j->ranks,
                                 .number = j->number,
                                 .state = j,
                                 .begin = begin,
                                 .test = test,
                                 .tell = tell,
                                 .hear = hear,
                                 .close = leave,
                                 .abandon = abandon};
    return 0;
}
