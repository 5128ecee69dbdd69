/* SPDX-License-Identifier: MIT
 *
 * Many positions at once, as an array of queries or as columns. First, threads take equal shares of
 * the positions, answer those that the rules decide, and list the others. Then the list is sorted
 * by block, and the threads take chunks of it in turn (round robin).
 */
#include <stdlib.h>
#include <string.h>

#include "probe/outcome.h"
#include "tables/threads.h"

enum {
    MAX_THREADS = 64,
    MIN_SHARE = 1 << 12, /* positions that are worth a thread; positions of a chunk */
    AHEAD = 16,          /* positions that are prefetched */
    PLY_SHIFT = 56,      /* of the ply in waiting.block */
    OFFSET_BITS = 20,    /* of waiting.offset */
};

typedef struct batch {
    const plb_table *table;
    plb_query *queries;         /* [count]; NULL: use columns */
    const plb_columns *columns; /* arrays of [count] */
} batch;

/* A position that needs a block. */
typedef struct waiting {
    uint64_t block;                /* sort key: ply, then number of the block */
    uint64_t offset : OFFSET_BITS; /* of the entry in the block */
    uint64_t stored : 1;           /* the outcome is stored there; else it follows from the moves */
    uint64_t number : 63 - OFFSET_BITS; /* index of the position in the batch */
} waiting;
_Static_assert(PLB_SEGMENT_ENTRIES <= 1 << OFFSET_BITS, "offsets fit");

/* Per-thread state. */
typedef struct worker {
    const batch *batch;
    plb_context context;
    size_t begin, end;   /* its share: positions [begin, end) */
    int number, workers; /* worker `number` of `workers` */
    waiting *list;       /* [length], shared by all workers */
    size_t length;
    size_t listed; /* positions that it has listed, from list[begin] on */
} worker;

/* ---- queries or columns ---- */

static void read_bits(const batch *b, size_t number, uint64_t *x, uint64_t *o) {
    *x = b->queries ? b->queries[number].x : b->columns->x[number];
    *o = b->queries ? b->queries[number].o : b->columns->o[number];
}

/* In the order of blocks, accesses to positions are random: prefetch them. */
static inline __attribute__((always_inline)) void prefetch_bits(const batch *b, const waiting *w) {
    size_t number = (size_t)w->number;
    if (b->queries) {
        __builtin_prefetch(&b->queries[number], 1);
        return;
    }
    if (!w->stored) {
        __builtin_prefetch(&b->columns->x[number]);
        __builtin_prefetch(&b->columns->o[number]);
    }
    __builtin_prefetch(&b->columns->values[number], 1);
    __builtin_prefetch(&b->columns->errors[number], 1);
}

static void write_error(const batch *b, size_t number, int error) {
    if (b->queries) {
        b->queries[number].error = error;
        return;
    }
    b->columns->errors[number] = (int8_t)error;
    b->columns->values[number] = 0;
    if (b->columns->dtms) b->columns->dtms[number] = PLB_NO_DTM;
    if (b->columns->bounds) b->columns->bounds[number] = 0;
}

static void write_column(const plb_columns *to, size_t number, plb_outcome outcome, int bound) {
    to->errors[number] = PLB_OK;
    to->values[number] = (int8_t)outcome.value;
    if (to->dtms) to->dtms[number] = (int16_t)outcome.dtm;
    if (to->bounds) to->bounds[number] = (int8_t)bound;
}

static void write_outcome(const batch *b, size_t number, plb_outcome outcome) {
    if (!b->queries) {
        write_column(b->columns, number, outcome, 0);
        return;
    }
    plb_query *q = &b->queries[number];
    q->error = PLB_OK;
    q->answer = plb_make_answer(b->table, plb_position_of_words(b->table, q->x, q->o), outcome);
}

/* ---- positions in the order of blocks ---- */

/* Answer a position if no block is needed. Otherwise return false, and write to *later. */
static bool answer_at_once(const worker *w, size_t number, waiting *later) {
    const batch *b = w->batch;
    uint64_t x, o;
    plb_position position = {0, 0};
    read_bits(b, number, &x, &o);
    int error = plb_read_position(b->table, x, o, &position, NULL);
    if (error) {
        write_error(b, number, error);
        return true;
    }
    plb_static_result result = plb_rules_static_value(&b->table->file.space.game, position);
    if (result.kind == PLB_DECIDED) {
        write_outcome(b, number, plb_static_outcome(b->table, &result));
        return true;
    }
    plb_block_address at = {0};
    plb_outcome outcome;
    bool found = plb_find_stored(b->table, position, &at);
    if (found && plb_outcome_search(&w->context, position, at, &outcome)) {
        write_outcome(b, number, outcome);
        return true;
    }
    bool stored = found && result.kind == PLB_QUIET && plb_static_value_is_stored_ply(at.ply);
    uint64_t block = (uint64_t)at.ply << PLY_SHIFT | at.block;
    *later = (waiting){block, at.offset, stored, number};
    return false;
}

static int resolve_waiting(const worker *w, const waiting *later, plb_outcome *outcome) {
    const plb_table *table = w->batch->table;
    if (later->stored) {
        uint64_t block = later->block & plb_low_bits(PLY_SHIFT);
        plb_block_address at = {(int)(later->block >> PLY_SHIFT), block, later->offset};
        return plb_outcome_find_stored(&w->context, at, outcome, NULL);
    }
    uint64_t x, o;
    read_bits(w->batch, (size_t)later->number, &x, &o);
    return plb_outcome_read(&w->context, plb_position_of_words(table, x, o), outcome, NULL);
}

/* Radix sort by block, between two arrays; returns the sorted one. (qsort would take five times as
 * long, a sixth of the total.) */
static waiting *sort_by_block(waiting *list, waiting *spare, size_t count) {
    uint64_t differ = 0;
    for (size_t w = 1; w < count; w++) differ |= list[w].block ^ list[0].block;
    for (int shift = 0; shift < 64; shift += 8) {
        if (!(differ >> shift & 255)) continue;
        size_t begin[256] = {0}, sum = 0;
        for (size_t w = 0; w < count; w++) begin[list[w].block >> shift & 255]++;
        for (int byte = 0; byte < 256; byte++) {
            size_t here = begin[byte];
            begin[byte] = sum;
            sum += here;
        }
        for (size_t w = 0; w < count; w++) spare[begin[list[w].block >> shift & 255]++] = list[w];
        waiting *sorted = spare;
        spare = list;
        list = sorted;
    }
    return list;
}

/* ---- threads ---- */

static void list_share(void *context, int thread) {
    worker *w = &((worker *)context)[thread];
    waiting *next = w->list + w->begin;
    for (size_t number = w->begin; number < w->end; number++)
        next += !answer_at_once(w, number, next);
    w->listed = next - (w->list + w->begin);
}

/* Each worker takes every n-th chunk of the list, because positions of some plies take longer. */
static void answer_chunks(void *context, int thread) {
    const worker *w = &((const worker *)context)[thread];
    size_t first = (size_t)w->number * MIN_SHARE, step = (size_t)w->workers * MIN_SHARE;
    for (size_t chunk = first; chunk < w->length; chunk += step)
        for (size_t at = chunk; at < plb_min(chunk + MIN_SHARE, w->length); at++) {
            if (at + AHEAD < w->length) prefetch_bits(w->batch, &w->list[at + AHEAD]);
            const waiting *later = &w->list[at];
            plb_outcome outcome;
            int error = resolve_waiting(w, later, &outcome);
            if (error)
                write_error(w->batch, (size_t)later->number, error);
            else
                write_outcome(w->batch, (size_t)later->number, outcome);
        }
}

/* Run all workers on a list. */
static void share_work(const plb_threads *threads, worker workers[], waiting *list, size_t length,
                       plb_thread_work *work) {
    int count = threads->count;
    for (int w = 0; w < count; w++) {
        workers[w].number = w;
        workers[w].workers = count;
        workers[w].list = list;
        workers[w].length = length;
        workers[w].begin = length / count * w;
        workers[w].end = w + 1 < count ? length / count * (w + 1) : length;
    }
    plb_threads_run(threads, work, workers);
}

/* Move the listed positions of all workers to the front of the list. Returns their number. */
static size_t close_gaps(const worker workers[], int count, waiting *list) {
    size_t listed = 0;
    for (int w = 0; w < count; w++) {
        memmove(list + listed, list + workers[w].begin, workers[w].listed * sizeof *list);
        listed += workers[w].listed;
    }
    return listed;
}

/* Answer one by one, for a strategy, which is in memory and has no blocks. */
static int answer_each(const batch *b, size_t count) {
    for (size_t number = 0; number < count; number++) {
        uint64_t x, o;
        plb_answer answer;
        read_bits(b, number, &x, &o);
        int error = plb_probe(b->table, x, o, &answer, NULL);
        if (error)
            write_error(b, number, error);
        else if (b->queries)
            b->queries[number] = (plb_query){.x = x, .o = o, .answer = answer};
        else
            write_column(b->columns, number, (plb_outcome){answer.value, answer.dtm}, answer.bound);
    }
    return PLB_OK;
}

static int answer_batch(const batch *b, size_t count, int threads) {
    if ((uint64_t)count >> (63 - OFFSET_BITS)) return PLB_ENOMEM;
    if (!b->table->kind->is_whole) return answer_each(b, count);
    worker workers[MAX_THREADS] = {0};
    int wanted =
        (int)plb_min(threads > 1 ? threads : 1, plb_min(MAX_THREADS, count / MIN_SHARE + 1));
    int used = 0; /* workers with a reader; fewer if memory runs out */
    waiting *list = calloc(2 * count + 1, sizeof *list);
    while (list && used < wanted && !plb_context_borrow(b->table, &workers[used].context, NULL))
        workers[used++].batch = b;
    if (used) {
        plb_threads team;
        plb_threads_open(used, &team); /* may have fewer threads */
        share_work(&team, workers, list, count, list_share);
        size_t listed = close_gaps(workers, team.count, list);
        share_work(&team, workers, sort_by_block(list, list + listed, listed), listed,
                   answer_chunks);
        plb_threads_close(&team);
    }
    for (int w = 0; w < used; w++) plb_context_return(&workers[w].context);
    free(list);
    return used ? PLB_OK : PLB_ENOMEM;
}

int plb_probe_many(const plb_table *table, plb_query *queries, size_t count) {
    if (!table || (!queries && count)) return PLB_EARGUMENT;
    batch b = {.table = table, .queries = queries};
    return answer_batch(&b, count, 1);
}

int plb_probe_columns(const plb_table *table, const plb_columns *columns, size_t count) {
    if (!table || !columns) return PLB_EARGUMENT;
    bool given = columns->x && columns->o && columns->values && columns->errors;
    if (!given && count) return PLB_EARGUMENT;
    batch b = {.table = table, .columns = columns};
    return answer_batch(&b, count, columns->threads);
}
