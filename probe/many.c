/* SPDX-License-Identifier: MIT
 *
 * Many positions at once, as an array of queries or as columns. First, threads take chunks of the
 * positions, answer those that need no block, and list the others. Then the list is sorted by
 * block, and the threads take chunks of it.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "probe/outcome.h"
#include "tables/threads.h"

enum {
    MAX_THREADS = 64,
    MIN_SHARE = 1 << 12, /* positions that are worth a thread; maximum of a chunk of the list */
    CHUNK = 1 << 9,      /* positions, before they are listed */
    MIN_CHUNKS = 32,     /* of the list, for each thread */
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

/* What the threads share. */
typedef struct work {
    const batch *batch;
    plb_context contexts[MAX_THREADS];
    waiting *list;
    size_t length, chunk;  /* positions, or listed positions; how many a thread takes at a time */
    _Atomic size_t next;   /* the first one that no thread has taken */
    _Atomic size_t listed; /* positions in the list */
} work;

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
static bool answer_at_once(const batch *b, const plb_context *context, size_t number,
                           waiting *later) {
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
    if (found && plb_outcome_search(context, position, at, &outcome)) {
        write_outcome(b, number, outcome);
        return true;
    }
    bool stored = found && result.kind == PLB_QUIET && plb_static_value_is_stored_ply(at.ply);
    uint64_t block = (uint64_t)at.ply << PLY_SHIFT | at.block;
    *later = (waiting){block, at.offset, stored, number};
    return false;
}

static int resolve_waiting(const batch *b, const plb_context *context, const waiting *later,
                           plb_outcome *outcome) {
    if (later->stored) {
        uint64_t block = later->block & plb_low_bits(PLY_SHIFT);
        plb_block_address at = {(int)(later->block >> PLY_SHIFT), block, later->offset};
        return plb_outcome_find_stored(context, at, outcome, NULL);
    }
    uint64_t x, o;
    read_bits(b, (size_t)later->number, &x, &o);
    return plb_outcome_read(context, plb_position_of_words(b->table, x, o), outcome, NULL);
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

/* The next positions [*begin, *end) for a thread. False: all are taken. */
static bool take_chunk(work *w, size_t *begin, size_t *end) {
    *begin = atomic_fetch_add(&w->next, w->chunk);
    *end = (size_t)plb_min(*begin + w->chunk, w->length);
    return *begin < w->length;
}

static void list_chunks(void *shared, int thread) {
    work *w = shared;
    waiting later[CHUNK];
    size_t begin, end;
    while (take_chunk(w, &begin, &end)) {
        size_t count = 0;
        for (size_t number = begin; number < end; number++)
            count += !answer_at_once(w->batch, &w->contexts[thread], number, &later[count]);
        waiting *to = w->list + atomic_fetch_add(&w->listed, count);
        memcpy(to, later, count * sizeof *later);
    }
}

static void answer_chunks(void *shared, int thread) {
    work *w = shared;
    const batch *b = w->batch;
    size_t begin, end;
    while (take_chunk(w, &begin, &end))
        for (size_t at = begin; at < end; at++) {
            if (at + AHEAD < w->length) prefetch_bits(b, &w->list[at + AHEAD]);
            const waiting *later = &w->list[at];
            plb_outcome outcome;
            int error = resolve_waiting(b, &w->contexts[thread], later, &outcome);
            if (error)
                write_error(b, (size_t)later->number, error);
            else
                write_outcome(b, (size_t)later->number, outcome);
        }
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
    int wanted =
        (int)plb_min(threads > 1 ? threads : 1, plb_min(MAX_THREADS, count / MIN_SHARE + 1));
    int used = 0; /* contexts with a reader; fewer if memory runs out */
    waiting *list = calloc(2 * count + 1, sizeof *list);
    work w = {.batch = b, .list = list, .length = count, .chunk = CHUNK};
    while (list && used < wanted && !plb_context_borrow(b->table, &w.contexts[used], NULL)) used++;
    if (used) {
        plb_threads team;
        plb_threads_open(used, &team); /* may have fewer threads */
        plb_threads_run(&team, list_chunks, &w);
        w.list = sort_by_block(list, list + w.listed, w.listed);
        w.length = w.listed;
        w.chunk = (size_t)plb_min(MIN_SHARE, w.listed / (MIN_CHUNKS * team.count) + 1);
        w.next = 0;
        plb_threads_run(&team, answer_chunks, &w);
        plb_threads_close(&team);
    }
    for (int c = 0; c < used; c++) plb_context_return(&w.contexts[c]);
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
