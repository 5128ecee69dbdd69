/* SPDX-License-Identifier: MIT
 *
 * Records are sent in rounds, so that messages take a bounded amount of memory on both sides. A
 * message is a sequence of records, each behind a head with its number and size.
 */
#include "builder/slabs/rank_exchange.h"

#include <stdlib.h>
#include <string.h>

#include "builder/slabs/rank_cuts.h"
#include "tables/games/rules.h"
#include "tables/stop.h"

/* ---- division of plies ---- */

bool plb_exchange_divides(const plb_slab_engine *engine, int ply) {
    double min_entries = engine->options.slabs.divided_entries;
    if (min_entries == 0) min_entries = PLB_DIVIDED_ENTRIES;
    return engine->options.ranks && ply > 0 &&
           (double)plb_index_size(engine->index, ply) >= min_entries;
}

static plb_parts parts_of(const plb_slab_engine *engine, int ply) {
    return plb_ply_planes_parts(engine, (plb_scratch_file){PLB_SCRATCH_VALUES, ply, 0});
}

static uint64_t *cuts_of(const plb_slab_engine *engine, int ply, int part) {
    size_t number = (size_t)ply * PLB_PLY_PARTS + part;
    return engine->cuts + number * (plb_ranks_count(engine->options.ranks) + 1);
}

static plb_segment_run segments_of(const plb_parts *parts, int part) {
    return (plb_segment_run){plb_parts_first_segment(parts, part),
                             plb_parts_first_segment(parts, part + 1)};
}

static void free_all(plb_bytes *bytes, int count) {
    for (int b = 0; b < count && bytes; b++) plb_bytes_free(&bytes[b]);
    free(bytes);
}

int plb_exchange_open(plb_slab_engine *engine) {
    const plb_engine_options *options = &engine->options;
    plb_rank_cuts cuts = {engine->index, engine->set, options->block_entries,
                          plb_ranks_count(options->ranks)};
    int plies = engine->index->game->cells + 1, error = PLB_OK;
    if (!options->ranks) return PLB_OK;
    engine->cuts = calloc((size_t)plies * PLB_PLY_PARTS * (cuts.ranks + 1), sizeof *engine->cuts);
    engine->sent_messages = calloc(cuts.ranks, sizeof *engine->sent_messages);
    engine->received_messages = calloc(cuts.ranks, sizeof *engine->received_messages);
    if (!engine->cuts || !engine->sent_messages || !engine->received_messages) return PLB_ENOMEM;
    bool is_first = plb_ranks_number(options->ranks) == 0;
    for (int ply = 0; is_first && ply < engine->resumed.ply && ply < plies; ply++) {
        plb_parts parts = parts_of(engine, ply);
        for (int part = 0; part < parts.count && !error && plb_exchange_divides(engine, ply);
             part++)
            error = plb_rank_cuts_make(&cuts, ply, segments_of(&parts, part),
                                       cuts_of(engine, ply, part));
    }
    return error;
}

void plb_exchange_free_buffers(plb_slab_engine *engine) {
    for (int rank = 0; rank < plb_ranks_count(engine->options.ranks); rank++) {
        if (engine->sent_messages) plb_bytes_free(&engine->sent_messages[rank]);
        if (engine->received_messages) plb_bytes_free(&engine->received_messages[rank]);
    }
}

void plb_exchange_close(plb_slab_engine *engine) {
    plb_exchange_free_buffers(engine);
    free(engine->cuts);
    free(engine->sent_messages);
    free(engine->received_messages);
}

int plb_exchange_broadcast_cuts(plb_slab_engine *engine, plb_message *message) {
    plb_ranks *ranks = engine->options.ranks;
    size_t plies = engine->index->game->cells + 1;
    size_t size = plies * PLB_PLY_PARTS * (plb_ranks_count(ranks) + 1) * sizeof *engine->cuts;
    return ranks ? plb_ranks_broadcast(ranks, engine->cuts, size, message) : PLB_OK;
}

plb_segment_run plb_exchange_share(const plb_slab_engine *engine, plb_scratch_file file) {
    int number = plb_ranks_number(engine->options.ranks);
    plb_parts parts = plb_ply_planes_parts(engine, file);
    plb_segment_run all = segments_of(&parts, file.part), none = {all.first, all.first};
    bool is_cut = parts_of(engine, file.ply).count == parts.count; /* of reach there is one part */
    if (plb_exchange_divides(engine, file.ply) && is_cut) {
        const uint64_t *first = cuts_of(engine, file.ply, file.part) + number;
        return (plb_segment_run){first[0], first[1]};
    }
    return number > 0 ? none : all;
}

/* Has rank 0 all planes of a part, and no other rank any? */
static bool is_on_rank_0(const plb_slab_engine *engine, plb_scratch_file file) {
    return file.kind == PLB_SCRATCH_REACH || !plb_exchange_divides(engine, file.ply) ||
           plb_build_point_needs(&engine->resumed, file);
}

plb_segment_run plb_exchange_own(const plb_slab_engine *engine, plb_scratch_file file) {
    plb_parts parts = plb_ply_planes_parts(engine, file);
    plb_segment_run all = segments_of(&parts, file.part), none = {all.first, all.first};
    if (!is_on_rank_0(engine, file)) return plb_exchange_share(engine, file);
    return plb_ranks_number(engine->options.ranks) == 0 ? all : none;
}

/* The rank that has the planes of a slab. */
static int find_owner(const plb_slab_engine *engine, plb_scratch_file file, const plb_parts *parts,
                      uint64_t slab) {
    file.part = plb_parts_find(parts, slab);
    if (is_on_rank_0(engine, file)) return 0;
    return plb_rank_cuts_find(cuts_of(engine, file.ply, file.part),
                              plb_ranks_count(engine->options.ranks),
                              slab / parts->layout.slabs_per_segment);
}

/* ---- rounds ---- */

/* An exchange of records in rounds: `fill` and `receive` are called in each, until no rank has
 * records left. */
typedef struct rounds {
    const plb_slab_engine *engine;
    plb_message *message;
    int count;          /* ranks */
    plb_bytes *send;    /* [count] messages */
    uint64_t max_bytes; /* of a message, before its last slab or segment is added */
    uint64_t left;      /* > 0: this rank has more to send */
    /* fill: append records to `send`, set `left`. receive: process a message, also the own one. */
    int (*fill)(struct rounds *r);
    int (*receive)(struct rounds *r, plb_bytes *message);
    void *context;
    plb_scratch *file;     /* for put_records, */
    uint64_t first_record; /* with the number of its first record */
} rounds;

static int run_rounds(rounds *r, int error) {
    plb_ranks *ranks = r->engine->options.ranks;
    int number = plb_ranks_number(ranks);
    plb_bytes *receive = r->engine->received_messages;
    uint64_t bytes = r->engine->options.slabs.round_bytes;
    r->count = plb_ranks_count(ranks);
    r->send = r->engine->sent_messages;
    r->max_bytes = plb_divide_up(bytes ? bytes : PLB_ROUND_BYTES, r->count);
    error = plb_ranks_agree(ranks, error, r->message);
    for (uint64_t left = 1; left && !error;) {
        for (int rank = 0; rank < r->count; rank++) r->send[rank].size = receive[rank].size = 0;
        r->left = 0;
        error = plb_ranks_agree(ranks, r->fill(r), r->message);
        if (!error) error = plb_ranks_all_to_all(ranks, r->send, receive, r->message);
        for (int rank = 0; rank < r->count && !error; rank++)
            error = r->receive(r, rank == number ? &r->send[rank] : &receive[rank]);
        error = plb_ranks_agree(ranks, error, r->message);
        left = r->left;
        if (!error) error = plb_ranks_sum(ranks, &left, 1, r->message);
    }
    return error;
}

typedef struct record_head {
    uint64_t number, size;
} record_head;

/* Append a record; the caller writes it to the place that is returned. NULL: out of memory. If
 * possible twice the needed size is reserved, because growing may copy the message. */
static uint8_t *append_record(plb_bytes *message, uint64_t number, size_t size) {
    record_head head = {number, size};
    size_t end = message->size + sizeof head + size;
    if (end > message->capacity && plb_bytes_reserve(message, 2 * end) &&
        plb_bytes_reserve(message, end))
        return NULL;
    if (!message->bytes) return NULL;
    uint8_t *place = message->bytes + message->size;
    memcpy(place, &head, sizeof head);
    message->size = end;
    return place + sizeof head;
}

/* Read the record at offset *at of a message, and advance the offset; false at the end. */
static bool next_record(const plb_bytes *message, size_t *at, uint64_t *number, plb_bytes *record) {
    record_head head;
    if (*at == message->size) return false;
    memcpy(&head, message->bytes + *at, sizeof head);
    *number = head.number;
    *record = (plb_bytes){message->bytes + *at + sizeof head, head.size, 0};
    *at += sizeof head + head.size;
    return true;
}

static int fail_memory(plb_message *message) {
    return plb_fail(message, PLB_ENOMEM, "out of memory for what the ranks exchange");
}

/* Bit of the number of a record that was packed from memory: it has the wins that scratch files do
 * not store. */
static const uint64_t has_wins = 1ULL << 63;

/* Write the records of a message to the file. */
static int put_records(rounds *r, plb_bytes *message) {
    plb_bytes record;
    uint64_t number;
    size_t at = 0;
    int error = PLB_OK;
    while (!error && next_record(message, &at, &number, &record))
        error = plb_scratch_put(r->file, (number & ~has_wins) - r->first_record, record.bytes,
                                record.size, r->message);
    return error;
}

/* ---- planes ---- */

typedef struct plane_exchange {
    const plb_ply_planes *layer;
    const plb_scratch_codec *codec;
    plb_bytes *to_send; /* [ranks] slabs that each rank has requested, 64 bits each */
    size_t *sent;       /* [ranks] bytes of these lists that are done */
    plb_packed_record packed;
    const volatile sig_atomic_t *stop; /* ends the exchange; NULL: nothing does */
    int failed;                        /* error of the work that runs meanwhile */
    plb_message why;
} plane_exchange;

/* Of a slab: this rank does not read it; another rank will send it; this rank has it. */
enum { NOT_READ, REQUESTED, HERE };

struct plb_received {
    const plb_slab_engine *engine;
    plane_exchange exchange;
    bool is_running;          /* from plb_exchange_begin to plb_exchange_end */
    plb_scratch_codec *codec; /* of the background thread */
    plb_message message;      /* of the background thread */
    plb_bytes *requests;      /* [ranks] slabs that this rank requests of each, 64 bits each */
    plb_bytes *buffers;       /* [count] messages that were received */
    int count;
    plb_received_record *records; /* [slabs << run_bits] in the buffers */
    uint8_t *states;              /* [slabs] */
    pthread_mutex_t lock;         /* guards records, states and the fields below */
    pthread_cond_t changed;
    bool is_receiving; /* may more records arrive? */
    int error;
    double waited_seconds; /* sum of all workers */
};

void plb_exchange_free_received(plb_received *received) {
    if (!received) return;
    int ranks = plb_ranks_count(received->engine->options.ranks);
    plb_bytes *messages = received->engine->received_messages;
    for (int b = 0; b < received->count && b < ranks; b++) { /* reuse the buffers */
        plb_bytes_free(&messages[b]);
        messages[b] = received->buffers[b];
        received->buffers[b] = (plb_bytes){NULL, 0, 0};
    }
    free_all(received->requests, ranks);
    free_all(received->exchange.to_send, ranks);
    free_all(received->buffers, received->count);
    plb_packed_record_free(&received->exchange.packed);
    plb_scratch_codec_close(received->codec);
    pthread_mutex_destroy(&received->lock);
    pthread_cond_destroy(&received->changed);
    free(received->exchange.sent);
    free(received->records);
    free(received->states);
    free(received);
}

/* NULL: out of memory. */
static plb_received *open_received(const plb_slab_engine *engine, const plb_ply_planes *layer) {
    static const plb_threads alone = {.count = 1};
    plb_received *made = calloc(1, sizeof *made);
    int ranks = plb_ranks_count(engine->options.ranks);
    uint64_t slabs = layer->parts.layout.slabs;
    if (!made) return NULL;
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->changed, NULL);
    made->engine = engine;
    made->requests = calloc(ranks, sizeof *made->requests);
    made->records = calloc(slabs << layer->run_bits, sizeof *made->records);
    made->states = calloc(slabs, sizeof *made->states);
    plane_exchange *x = &made->exchange;
    int error = plb_scratch_codec_open(&alone, plb_best_vectors(), &made->codec);
    *x = (plane_exchange){.layer = layer, .codec = made->codec, .stop = engine->options.stop};
    x->to_send = calloc(ranks, sizeof *x->to_send);
    x->sent = calloc(ranks, sizeof *x->sent);
    if (!error && made->requests && made->records && made->states && x->to_send && x->sent)
        return made;
    plb_exchange_free_received(made);
    return NULL;
}

int plb_exchange_await(plb_received *received, uint64_t slab, const plb_received_record **records) {
    pthread_mutex_lock(&received->lock);
    if (received->is_receiving && received->states[slab] == REQUESTED) {
        double began = plb_clock_seconds(CLOCK_MONOTONIC);
        while (received->is_receiving && received->states[slab] == REQUESTED)
            pthread_cond_wait(&received->changed, &received->lock);
        received->waited_seconds += plb_clock_seconds(CLOCK_MONOTONIC) - began;
    }
    int error = received->error;
    pthread_mutex_unlock(&received->lock);
    *records = received->records + (slab << received->exchange.layer->run_bits);
    return error;
}

/* Request a slab from the rank that has it, unless it is here or was requested before. */
static int request_slab(const plb_plane_demand *demand, plb_received *received, uint64_t slab) {
    const plb_slab_engine *engine = received->engine;
    const plb_ply_planes *layer = demand->layer;
    plb_bytes number = {(uint8_t *)&slab, sizeof slab, 0};
    if (received->states[slab] != NOT_READ) return PLB_OK;
    int owner = find_owner(engine, demand->read, &layer->parts, slab);
    bool is_here = owner == plb_ranks_number(engine->options.ranks) ||
                   plb_ply_memory_find(layer->memory, slab);
    received->states[slab] = is_here ? HERE : REQUESTED;
    return is_here ? PLB_OK : plb_bytes_append(&received->requests[owner], &number);
}

/* Request the slabs that the work on a slab reads. */
static int request_neighbours(const plb_plane_demand *demand, plb_received *received,
                              uint64_t slab) {
    const plb_index *index = received->engine->index;
    plb_scratch_file part = demand->part, read = demand->read;
    uint64_t occupied = plb_index_slab_cells(index, part.ply, slab), neighbour, cells = 0;
    int error = read.ply == part.ply ? request_slab(demand, received, slab) : PLB_OK;
    if (read.ply > part.ply) cells = plb_game_playable(index->game, occupied);
    if (read.ply < part.ply) cells = plb_game_removable(index->game, occupied);
    for (; cells && !error; cells &= cells - 1) {
        plb_symmetry_canonical(index->symmetry, occupied ^ (cells & -cells), &neighbour);
        error = request_slab(demand, received, plb_index_slab(index, neighbour));
    }
    return error;
}

/* List the requests in the order in which the workers need the slabs: each worker begins at a place
 * of its own (plb_pass_run). */
static int list_requests(const plb_plane_demand *demand, plb_received *received) {
    const plb_slab_engine *engine = received->engine;
    plb_parts parts = plb_ply_planes_parts(engine, demand->part);
    plb_segment_run share = plb_exchange_share(engine, demand->part);
    uint64_t segments = share.last - share.first, workers = engine->options.threads;
    int error = PLB_OK;
    for (int rank = 0; rank < plb_ranks_count(engine->options.ranks); rank++)
        received->requests[rank].size = 0;
    for (uint64_t i = 0; i < plb_divide_up(segments, workers) * workers && !error; i++) {
        uint64_t slab, last, segment = segments * (i % workers) / workers + i / workers;
        plb_block_layout_slabs(&parts.layout, share.first + segment, &slab, &last);
        for (; slab < last && !error; slab++)
            if (!demand->sample || plb_ply_prediction_samples_slab(demand->sample, slab))
                error = request_neighbours(demand, received, slab);
    }
    return error;
}

/* Append the record of a run: from the scratch file of its part, or else packed from memory. */
static int append_run(rounds *r, plb_bytes *message, uint64_t number, const plb_planes *planes) {
    plane_exchange *x = r->context;
    const plb_ply_planes *layer = x->layer;
    int bits = layer->run_bits, part = plb_parts_find(&layer->parts, number >> bits);
    uint64_t in_part = number - (plb_parts_first_slab(&layer->parts, part) << bits);
    const plb_scratch *scratch = layer->scratch[part];
    size_t size = scratch ? plb_scratch_size_bytes(scratch, in_part) : 0;
    bool is_in_file = size > 0;
    if (!is_in_file && planes) {
        plb_plane_words words = plb_ply_planes_run_words(planes, bits, number & plb_low_bits(bits));
        if (words.words && plb_scratch_codec_pack(x->codec, &words, &x->packed))
            return fail_memory(r->message);
        size = words.words ? x->packed.record.size : 0;
    }
    if (size == 0) return PLB_OK;
    uint8_t *place = append_record(message, is_in_file ? number : number | has_wins, size);
    if (!place) return fail_memory(r->message);
    if (is_in_file) return plb_scratch_get(scratch, in_part, place, r->message);
    memcpy(place, x->packed.record.bytes, size);
    return PLB_OK;
}

static int append_slab(rounds *r, plb_bytes *message, uint64_t slab) {
    const plb_ply_planes *layer = ((plane_exchange *)r->context)->layer;
    const plb_planes *planes = plb_ply_memory_find(layer->memory, slab);
    int error = PLB_OK;
    for (uint64_t run = 0; run < 1ULL << layer->run_bits && !error; run++)
        error = append_run(r, message, slab << layer->run_bits | run, planes);
    return error;
}

static int fill_planes(rounds *r) {
    plane_exchange *x = r->context;
    int error = __atomic_load_n(&x->failed, __ATOMIC_ACQUIRE);
    if (error) return plb_fail(r->message, error, "%s", x->why.text);
    if (plb_is_stopped(x->stop)) return plb_fail(r->message, PLB_EINTERRUPTED, "interrupted");
    for (int rank = 0; rank < r->count && !error; rank++) {
        const plb_bytes *slabs = &x->to_send[rank];
        while (x->sent[rank] < slabs->size && !error && r->send[rank].size < r->max_bytes) {
            uint64_t slab;
            memcpy(&slab, slabs->bytes + x->sent[rank], sizeof slab);
            error = append_slab(r, &r->send[rank], slab);
            x->sent[rank] += sizeof slab;
        }
        r->left += slabs->size - x->sent[rank];
    }
    return error;
}

/* Keep a message and index its records. A message has all records of a slab. */
static int receive_planes(rounds *r, plb_bytes *message) {
    const plb_ply_planes *layer = ((const plane_exchange *)r->context)->layer;
    plb_received *received = layer->received;
    plb_bytes record;
    size_t at = 0;
    uint64_t number;
    if (message->size == 0) return PLB_OK;
    plb_bytes *buffers =
        realloc(received->buffers, (received->count + 1) * sizeof *received->buffers);
    if (!buffers) return fail_memory(r->message);
    received->buffers = buffers;
    received->buffers[received->count++] = *message;
    pthread_mutex_lock(&received->lock);
    while (next_record(message, &at, &number, &record)) {
        uint64_t run = number & ~has_wins, slab = run >> layer->run_bits;
        received->records[run].packed = record;
        received->records[slab << layer->run_bits].has_wins = (number & has_wins) != 0;
        received->states[slab] = HERE;
    }
    pthread_cond_broadcast(&received->changed);
    pthread_mutex_unlock(&received->lock);
    *message = (plb_bytes){NULL, 0, 0};
    return PLB_OK;
}

/* The background task. */
static int exchange_planes(void *context) {
    plb_received *received = context;
    rounds r = {.engine = received->engine,
                .message = &received->message,
                .fill = fill_planes,
                .receive = receive_planes,
                .context = &received->exchange};
    int error = run_rounds(&r, PLB_OK);
    pthread_mutex_lock(&received->lock);
    received->is_receiving = false;
    received->error = error;
    pthread_cond_broadcast(&received->changed);
    pthread_mutex_unlock(&received->lock);
    return error;
}

int plb_exchange_begin(const plb_slab_engine *engine, const plb_plane_demand *demand,
                       plb_message *message) {
    plb_ranks *ranks = engine->options.ranks;
    bool is_needed = plb_exchange_divides(engine, demand->part.ply) ||
                     plb_exchange_divides(engine, demand->read.ply);
    if (!is_needed) return PLB_OK; /* rank 0 has all that it reads */
    plb_received *received = demand->layer->received;
    if (!received) demand->layer->received = received = open_received(engine, demand->layer);
    int error = received && !list_requests(demand, received) ? PLB_OK : fail_memory(message);
    error = plb_ranks_agree(ranks, error, message);
    if (!error)
        error =
            plb_ranks_all_to_all(ranks, received->requests, received->exchange.to_send, message);
    if (error) return error;
    memset(received->exchange.sent, 0, plb_ranks_count(ranks) * sizeof *received->exchange.sent);
    received->is_running = received->is_receiving = true;
    plb_ranks_begin_background(ranks, exchange_planes, received);
    return PLB_OK;
}

int plb_exchange_end(const plb_ply_planes *layer, int error, plb_message *message) {
    plb_received *received = layer ? layer->received : NULL;
    if (!received || !received->is_running) return error;
    plane_exchange *x = &received->exchange;
    const plb_engine_options *options = &received->engine->options;
    if (error && message) x->why = *message;
    __atomic_store_n(&x->failed, error, __ATOMIC_RELEASE);
    int failed =
        plb_ranks_end_background(options->ranks, received->waited_seconds / options->threads);
    received->is_running = false;
    received->waited_seconds = 0;
    return failed ? plb_fail(message, failed, "%s", received->message.text) : error;
}

/* ---- saving ---- */

int plb_exchange_values(const plb_slab_engine *engine, plb_scratch_file file,
                        const plb_ply_planes *layer, plb_scratch *collected, int error,
                        plb_message *message) {
    int count = plb_ranks_count(engine->options.ranks);
    bool is_there = collected && collected == layer->scratch[file.part];
    plb_parts parts = plb_ply_planes_parts(engine, file);
    plb_segment_run share = plb_exchange_share(engine, file);
    uint64_t step = parts.layout.slabs_per_segment;
    uint64_t last = is_there ? 0 : plb_min(share.last * step, parts.layout.slabs);
    plane_exchange x = {.layer = layer, .codec = engine->codec};
    if (!engine->options.ranks) return error;
    x.to_send = calloc(count, sizeof *x.to_send); /* all that this rank has solved, to rank 0 */
    x.sent = calloc(count, sizeof *x.sent);
    if (!error && (!x.to_send || !x.sent)) error = fail_memory(message);
    for (uint64_t slab = share.first * step; slab < last && !error; slab++)
        if (plb_bytes_append(&x.to_send[0], &(plb_bytes){(uint8_t *)&slab, sizeof slab, 0}))
            error = fail_memory(message);
    rounds r = {.engine = engine,
                .message = message,
                .fill = fill_planes,
                .receive = put_records,
                .context = &x,
                .file = collected,
                .first_record = plb_parts_first_slab(&parts, file.part) << layer->run_bits};
    error = run_rounds(&r, error);
    if (x.to_send) plb_bytes_free(&x.to_send[0]);
    free(x.to_send);
    free(x.sent);
    plb_packed_record_free(&x.packed);
    return error;
}

/* ---- counts ---- */

int plb_exchange_sample(const plb_slab_engine *engine, int ply, plb_ply_prediction *prediction,
                        int error, plb_message *message) {
    plb_ranks *ranks = engine->options.ranks;
    if (!plb_exchange_divides(engine, ply)) return error;
    uint64_t blocks[] = {prediction->blocks, prediction->packed_bytes};
    error = plb_ranks_agree(ranks, error, message);
    if (!error)
        error = plb_ranks_sum(ranks, &prediction->counts.seen[0][0],
                              sizeof prediction->counts.seen / sizeof(uint64_t), message);
    if (!error) error = plb_ranks_sum(ranks, blocks, 2, message);
    prediction->blocks = blocks[0];
    prediction->packed_bytes = blocks[1];
    return error;
}

int plb_exchange_sums(const plb_slab_engine *engine, int ply, plb_ply_sums *sums, int error,
                      plb_message *message) {
    plb_ranks *ranks = engine->options.ranks;
    if (!plb_exchange_divides(engine, ply)) return error;
    plb_bytes *send = engine->sent_messages, *receive = engine->received_messages;
    for (int rank = 0; rank < plb_ranks_count(ranks); rank++) {
        send[rank].size = 0;
        if (!error && plb_bytes_append(&send[rank], &(plb_bytes){(uint8_t *)sums, sizeof *sums, 0}))
            error = fail_memory(message);
    }
    error = plb_ranks_agree(ranks, error, message);
    if (!error) error = plb_ranks_all_to_all(ranks, send, receive, message);
    for (int rank = 0; rank < plb_ranks_count(ranks) && !error; rank++) {
        plb_ply_sums other;
        if (rank == plb_ranks_number(ranks)) continue;
        memcpy(&other, receive[rank].bytes, sizeof other);
        sums->reached.total += other.reached.total;
        sums->reached.terminal += other.reached.terminal;
        plb_outcome_tally_merge(&other.tally, &sums->tally);
    }
    return error;
}

/* ---- segments ---- */

/* Segments go to rank 0. context: those of this rank that it has not sent yet. */
static int fill_segments(rounds *r) {
    plb_segment_run *rest = r->context;
    plb_bytes *message = &r->send[0];
    int error = PLB_OK;
    if (plb_ranks_number(r->engine->options.ranks) == 0) return PLB_OK;
    while (rest->first < rest->last && message->size < r->max_bytes && !error) {
        uint64_t segment = rest->first++, record = segment - r->first_record;
        uint8_t *place = append_record(message, segment, plb_scratch_size_bytes(r->file, record));
        error =
            place ? plb_scratch_get(r->file, record, place, r->message) : fail_memory(r->message);
    }
    r->left = rest->last - rest->first;
    return error;
}

int plb_exchange_segments(const plb_slab_engine *engine, plb_scratch_file file, plb_scratch *table,
                          int error, plb_message *message) {
    if (!plb_exchange_divides(engine, file.ply) || engine->options.keeps_segments) return error;
    plb_parts parts = parts_of(engine, file.ply);
    plb_segment_run rest = plb_exchange_own(engine, file);
    rounds r = {.engine = engine,
                .message = message,
                .fill = fill_segments,
                .receive = put_records,
                .context = &rest,
                .file = table,
                .first_record = plb_parts_first_segment(&parts, file.part)};
    return run_rounds(&r, error);
}
