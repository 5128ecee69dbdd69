/* SPDX-License-Identifier: MIT */
#include "tests/support/forked_ranks.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/support.h"

enum { SIGNALLED = 100, NOT_OPENED = 99 };

typedef struct joined {
    int count, number;
    int sockets[FORKED_RANKS]; /* to each other rank */
} joined;

/* Move what the socket takes or has; false: the other end is gone. */
static bool move(int socket, plb_parcel *rest, bool sends) {
    if (rest->size == 0) return true;
    ssize_t moved = sends ? send(socket, rest->bytes, rest->size, MSG_DONTWAIT | MSG_NOSIGNAL)
                          : recv(socket, rest->bytes, rest->size, MSG_DONTWAIT);
    if (moved < 0) return errno == EAGAIN || errno == EINTR;
    if (moved == 0) return false;
    rest->bytes += moved;
    rest->size -= moved;
    return true;
}

static int exchange(void *state, const plb_parcel *send, const plb_parcel *receive) {
    const joined *j = state;
    plb_parcel out[FORKED_RANKS], in[FORKED_RANKS];
    struct pollfd polled[FORKED_RANKS];
    memcpy(out, send, j->count * sizeof *out);
    memcpy(in, receive, j->count * sizeof *in);
    for (;;) {
        int open = 0;
        for (int rank = 0; rank < j->count; rank++) {
            if (rank == j->number) continue;
            if (!move(j->sockets[rank], &out[rank], true)) return -1;
            if (!move(j->sockets[rank], &in[rank], false)) return -1;
            short events = (short)((out[rank].size ? POLLOUT : 0) | (in[rank].size ? POLLIN : 0));
            if (events) polled[open++] = (struct pollfd){j->sockets[rank], events, 0};
        }
        if (!open) return 0;
        poll(polled, open, -1);
    }
}

static void close_sockets(void *state) {
    const joined *j = state;
    for (int rank = 0; rank < j->count; rank++)
        if (rank != j->number) close(j->sockets[rank]);
}

/* Of the rank that is forked: it keeps its own ends. */
static void run_rank(int count, int number, int ends[][FORKED_RANKS], forked_rank_work *work,
                     void *context) {
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGSYS};
    for (int c = 0; c < 5; c++) signal(crashes[c], SIG_DFL); /* not those of the parent's cmocka */
    joined j = {count, number, {0}};
    for (int a = 0; a < count; a++)
        for (int b = 0; b < count; b++) {
            if (a == number) j.sockets[b] = ends[a][b];
            if (a != number && a != b) close(ends[a][b]);
        }
    plb_transport transport = {PLB_TRANSPORT_FORMAT, count, number, &j, exchange, close_sockets};
    plb_ranks *ranks = NULL;
    int status = plb_ranks_open(&transport, &ranks) ? NOT_OPENED : work(ranks, context);
    plb_ranks_close(ranks);
    _exit(status);
}

void forked_ranks_run(int count, forked_rank_work *work, void *context, int *statuses) {
    int ends[FORKED_RANKS][FORKED_RANKS];
    pid_t ranks[FORKED_RANKS];
    for (int a = 0; a < count; a++)
        for (int b = 0; b < a; b++) {
            int pair[2];
            assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
            ends[a][b] = pair[0];
            ends[b][a] = pair[1];
        }
    for (int rank = 0; rank < count; rank++) {
        ranks[rank] = fork();
        assert_true(ranks[rank] >= 0);
        if (ranks[rank] == 0) run_rank(count, rank, ends, work, context);
    }
    for (int a = 0; a < count; a++)
        for (int b = 0; b < count; b++)
            if (a != b) close(ends[a][b]);
    for (int rank = 0; rank < count; rank++) {
        int status;
        assert_int_equal(waitpid(ranks[rank], &status, 0), ranks[rank]);
        statuses[rank] = WIFSIGNALED(status) ? SIGNALLED + WTERMSIG(status) : WEXITSTATUS(status);
    }
}
