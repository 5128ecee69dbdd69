/* SPDX-License-Identifier: MIT */
#include "tests/support/forked_ranks.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/support.h"

enum { SIGNALLED = 100, NOT_OPENED = 99, STOPPED = -1 };
enum { MANY_BYTES = 1 << 12, MAX_DELAYS = 100 /* calls of test */ };

bool (*forked_ranks_delay)(bool is_first);

typedef struct rank_state {
    int count, number;
    int sockets[FORKED_RANKS]; /* to each other rank */
    int status_sockets[FORKED_RANKS];
    plb_parcel out[FORKED_RANKS], in[FORKED_RANKS];
    int delays; /* of the current exchange */
} rank_state;

typedef struct socket_ends {
    int of[FORKED_RANKS][FORKED_RANKS]; /* [rank][other]: the end of `rank` */
} socket_ends;

/* Send or receive as much as possible without waiting. False: the other end is closed. */
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

static int begin(void *state, const plb_parcel *send, const plb_parcel *receive) {
    rank_state *j = state;
    memcpy(j->out, send, j->count * sizeof *j->out);
    memcpy(j->in, receive, j->count * sizeof *j->in);
    j->delays = 0;
    return 0;
}

static bool is_delayed(rank_state *j) {
    uint64_t bytes = 0;
    for (int rank = 0; rank < j->count; rank++) bytes += j->out[rank].size + j->in[rank].size;
    bool may_be = forked_ranks_delay && bytes >= MANY_BYTES && j->delays < MAX_DELAYS;
    return may_be && forked_ranks_delay(j->delays++ == 0);
}

static int test(void *state, bool *done) {
    rank_state *j = state;
    *done = !is_delayed(j);
    if (!*done) return 0;
    for (int rank = 0; rank < j->count; rank++) {
        if (rank == j->number) continue;
        if (!move(j->sockets[rank], &j->out[rank], true)) return -1;
        if (!move(j->sockets[rank], &j->in[rank], false)) return -1;
        if (j->out[rank].size || j->in[rank].size) *done = false;
    }
    return 0;
}

static void send_status(void *state, int rank, int32_t status) {
    const rank_state *j = state;
    send(j->status_sockets[rank], &status, sizeof status, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static bool receive_status(void *state, int *rank, int32_t *status) {
    const rank_state *j = state;
    for (*rank = 0; *rank < j->count; ++*rank)
        if (*rank != j->number &&
            recv(j->status_sockets[*rank], status, sizeof *status, MSG_DONTWAIT) == sizeof *status)
            return true;
    return false;
}

static void close_sockets(void *state) {
    const rank_state *j = state;
    for (int rank = 0; rank < j->count; rank++) {
        if (rank == j->number) continue;
        close(j->sockets[rank]);
        close(j->status_sockets[rank]);
    }
}

static void abort_all(void *state, int exit_status) {
    (void)exit_status;
    close_sockets(state);
}

/* Connect each two ranks. */
static void open_sockets(int count, int type, socket_ends *ends) {
    for (int a = 0; a < count; a++)
        for (int b = 0; b < a; b++) {
            int pair[2];
            assert_int_equal(socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, pair), 0);
            ends->of[a][b] = pair[0];
            ends->of[b][a] = pair[1];
        }
}

/* Close the ends of all ranks but `number`; its own ends are copied to `kept`. If `number` is
 * `count`, all ends are closed. */
static void close_others(int count, int number, const socket_ends *ends, int *kept) {
    for (int a = 0; a < count; a++)
        for (int b = 0; b < count; b++) {
            if (a == number) kept[b] = ends->of[a][b];
            if (a != number && a != b) close(ends->of[a][b]);
        }
}

static void ignore(void *context) {
    (void)context;
}

/* The child process of a rank. */
static void run_rank(int count, int number, const socket_ends ends[2], forked_rank_work *work,
                     const plb_ranks_options *options, void *context) {
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGSYS};
    for (int c = 0; c < 5; c++) signal(crashes[c], SIG_DFL); /* remove the handlers of cmocka */
    rank_state j = {.count = count, .number = number};
    close_others(count, number, &ends[0], j.sockets);
    close_others(count, number, &ends[1], j.status_sockets);
    plb_transport transport = {.format = PLB_TRANSPORT_FORMAT,
                               .count = count,
                               .number = number,
                               .state = &j,
                               .begin = begin,
                               .test = test,
                               .send_status = send_status,
                               .receive_status = receive_status,
                               .close = close_sockets,
                               .abort_all = abort_all};
    plb_ranks_options patient = {.patience_seconds = 600, .on_failure = ignore};
    plb_ranks *ranks = NULL;
    int status = NOT_OPENED;
    if (!plb_ranks_open(&transport, options ? options : &patient, &ranks, NULL))
        status = work(ranks, context);
    plb_ranks_close(ranks, status);
    _exit(status);
}

static int status_of(int status) {
    return WIFSIGNALED(status) ? SIGNALLED + WTERMSIG(status) : WEXITSTATUS(status);
}

void forked_ranks_run(int count, forked_rank_work *work, const plb_ranks_options *options,
                      void *context, int *statuses) {
    socket_ends ends[2];
    pid_t ranks[FORKED_RANKS];
    int status, none[FORKED_RANKS];
    open_sockets(count, SOCK_STREAM, &ends[0]);
    open_sockets(count, SOCK_DGRAM, &ends[1]);
    for (int rank = 0; rank < count; rank++) {
        ranks[rank] = fork();
        assert_true(ranks[rank] >= 0);
        if (ranks[rank] == 0) run_rank(count, rank, ends, work, options, context);
    }
    for (int e = 0; e < 2; e++) close_others(count, count, &ends[e], none);
    for (int rank = 0; rank < count; rank++) {
        assert_int_equal(waitpid(ranks[rank], &status, WUNTRACED), ranks[rank]);
        statuses[rank] = WIFSTOPPED(status) ? STOPPED : status_of(status);
    }
    for (int rank = 0; rank < count; rank++) {
        if (statuses[rank] != STOPPED) continue;
        kill(ranks[rank], SIGCONT);
        assert_int_equal(waitpid(ranks[rank], &status, 0), ranks[rank]);
        statuses[rank] = status_of(status);
    }
}
