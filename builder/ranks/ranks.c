/* SPDX-License-Identifier: MIT
 *
 * What ranks say to each other, made from the exchange of parcels alone: there are few of them for
 * each ply, so that it does not matter that sums travel from each rank to each.
 */
#include "builder/ranks/ranks.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How a rank is. */
typedef struct rank_state {
    int32_t error;
    char host[64];
    char text[sizeof(plb_message)];
} rank_state;

struct plb_ranks {
    plb_transport transport;
    bool is_broken; /* a rank does not answer */
    int failed;     /* the error that all have; PLB_OK: they go on */
    plb_message why;
    plb_parcel *send, *receive;   /* [count] */
    uint64_t *sent_sizes, *sizes; /* [count] */
    rank_state *states;           /* [count] */
};

int plb_ranks_open(const plb_transport *transport, plb_ranks **ranks) {
    size_t count = transport->count;
    plb_ranks *made = calloc(1, sizeof *made);
    if (made) {
        made->transport = *transport;
        made->send = calloc(count, sizeof *made->send);
        made->receive = calloc(count, sizeof *made->receive);
        made->sent_sizes = calloc(count, sizeof *made->sent_sizes);
        made->sizes = calloc(count, sizeof *made->sizes);
        made->states = calloc(count, sizeof *made->states);
    }
    if (made && made->send && made->receive && made->sent_sizes && made->sizes && made->states) {
        *ranks = made;
        return PLB_OK;
    }
    if (made)
        plb_ranks_close(made);
    else
        transport->close(transport->state);
    return PLB_ENOMEM;
}

void plb_ranks_close(plb_ranks *ranks) {
    if (!ranks) return;
    ranks->transport.close(ranks->transport.state);
    free(ranks->send);
    free(ranks->receive);
    free(ranks->sent_sizes);
    free(ranks->sizes);
    free(ranks->states);
    free(ranks);
}

int plb_ranks_count(const plb_ranks *ranks) {
    return ranks ? ranks->transport.count : 1;
}

int plb_ranks_number(const plb_ranks *ranks) {
    return ranks ? ranks->transport.number : 0;
}

/* The parcels that have been named, but for its own. */
static int exchange(plb_ranks *ranks, plb_message *message) {
    plb_transport *t = &ranks->transport;
    ranks->send[t->number].size = ranks->receive[t->number].size = 0;
    if (!ranks->failed && t->exchange(t->state, ranks->send, ranks->receive) != 0) {
        ranks->is_broken = true;
        ranks->failed =
            plb_fail(&ranks->why, PLB_EIO, "rank %d cannot reach all other ranks", t->number);
    }
    return ranks->failed ? plb_fail(message, ranks->failed, "%s", ranks->why.text) : PLB_OK;
}

/* Every rank gives every other `bytes`, and gets as many of each: all [count * size], its own too.
 */
static int gather(plb_ranks *ranks, const void *bytes, size_t size, uint8_t *all,
                  plb_message *message) {
    for (int rank = 0; rank < ranks->transport.count; rank++) {
        ranks->send[rank] = (plb_parcel){(uint8_t *)bytes, size};
        ranks->receive[rank] = (plb_parcel){all + rank * size, size};
    }
    memcpy(all + ranks->transport.number * size, bytes, size);
    return exchange(ranks, message);
}

int plb_ranks_tell(plb_ranks *ranks, int error, plb_message *message) {
    if (!ranks) return error;
    if (ranks->failed) return error ? error : exchange(ranks, message);
    int count = ranks->transport.count, rank = 0;
    rank_state own = {.error = error}, *all = ranks->states;
    gethostname(own.host, sizeof own.host - 1);
    if (error && message) memcpy(own.text, message->text, sizeof own.text);
    int broken = gather(ranks, &own, sizeof own, (uint8_t *)all, message);
    if (broken) return error ? error : broken;
    while (rank < count && !all[rank].error) rank++;
    if (rank == count) return PLB_OK;
    all[rank].host[sizeof all[rank].host - 1] = all[rank].text[sizeof all[rank].text - 1] = 0;
    ranks->failed = all[rank].error;
    if (strcmp(all[rank].text, ranks->why.text) != 0) /* else they had it before they recovered */
        plb_fail(&ranks->why, ranks->failed, "rank %d on %s: %s", rank, all[rank].host,
                 all[rank].text);
    return plb_fail(message, ranks->failed, "%s", ranks->why.text);
}

void plb_ranks_recover(plb_ranks *ranks) {
    if (ranks && !ranks->is_broken) ranks->failed = PLB_OK;
}

int plb_ranks_sum(plb_ranks *ranks, uint64_t *values, size_t count, plb_message *message) {
    if (!ranks) return PLB_OK;
    size_t size = count * sizeof *values;
    uint64_t *all = malloc(ranks->transport.count * size);
    int error = all ? PLB_OK : plb_fail(message, PLB_ENOMEM, "out of memory");
    error = plb_ranks_agree(ranks, error, message);
    if (!error) error = gather(ranks, values, size, (uint8_t *)all, message);
    for (int rank = 0; rank < ranks->transport.count && all && !error; rank++)
        for (size_t i = 0; i < count && rank != ranks->transport.number; i++)
            values[i] += all[rank * count + i];
    free(all);
    return error;
}

int plb_ranks_swap(plb_ranks *ranks, const plb_bytes *send, plb_bytes *receive,
                   plb_message *message) {
    if (!ranks) return PLB_OK;
    int count = ranks->transport.count, number = ranks->transport.number;
    for (int rank = 0; rank < count; rank++) {
        ranks->sent_sizes[rank] = send[rank].size;
        ranks->send[rank] = (plb_parcel){(uint8_t *)&ranks->sent_sizes[rank], sizeof *ranks->sizes};
        ranks->receive[rank] = (plb_parcel){(uint8_t *)&ranks->sizes[rank], sizeof *ranks->sizes};
    }
    int error = exchange(ranks, message);
    for (int rank = 0; rank < count && !error; rank++) {
        if (rank == number) continue;
        if (plb_bytes_reserve(&receive[rank], ranks->sizes[rank]))
            error = plb_fail(message, PLB_ENOMEM, "out of memory for what rank %d sends", rank);
        else
            receive[rank].size = ranks->sizes[rank];
    }
    error = plb_ranks_agree(ranks, error, message);
    if (error) return error;
    for (int rank = 0; rank < count; rank++) {
        ranks->send[rank] = (plb_parcel){send[rank].bytes, send[rank].size};
        ranks->receive[rank] = (plb_parcel){receive[rank].bytes, receive[rank].size};
    }
    return exchange(ranks, message);
}
