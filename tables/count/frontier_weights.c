/* SPDX-License-Identifier: MIT
 *
 * Adds up weights, for one owner at a time, in an array with an entry for every state; only touched
 * entries are read and cleared. A few owners are merged instead, which reads and writes memory in
 * order.
 */
#include "tables/count/frontier_weights.h"

#include <stdlib.h>
#include <string.h>

#include "tables/array.h"
#include "tables/vocabulary.h"

/* Most runs have at most this many numbers, of one byte each. They are read and added as if they
 * had exactly this length: a loop of varying length is slower, as branches are mispredicted. So
 * arrays of values and of sums have room for this many more. */
enum { SHORT_RUN = PLB_WEIGHT_BYTES };

void plb_weights_free(plb_weights *weights) {
    free(weights->runs);
    free(weights->values);
    free(weights->runs_end);
    free(weights->values_end);
    *weights = (plb_weights){.limbs = weights->limbs};
}

enum { MANY_BYTES = 1 << 24 };

/* Grow large arrays by an eighth only: unused capacity counts as memory, too. */
static size_t more_capacity(size_t capacity, size_t bytes) {
    return capacity + (capacity * bytes < MANY_BYTES ? capacity / 2 : capacity / 8);
}

/* Reserve one owner with `runs` runs and `values` bytes. No array is NULL afterwards, even if both
 * are 0. */
static int reserve(plb_weights *w, size_t runs, size_t values) {
    if (w->owners == w->owner_capacity) {
        uint32_t capacity = 2 * w->owner_capacity + 16;
        if (!PLB_ARRAY_RESIZE(w->runs_end, capacity) || !PLB_ARRAY_RESIZE(w->values_end, capacity))
            return PLB_ENOMEM;
        w->owner_capacity = capacity;
    }
    if (w->run_count + runs >= w->run_capacity) {
        size_t capacity = more_capacity(w->run_capacity, sizeof *w->runs) + runs + 16;
        if (!PLB_ARRAY_RESIZE(w->runs, capacity)) return PLB_ENOMEM;
        w->run_capacity = capacity;
    }
    if (w->value_count + values + SHORT_RUN >= w->value_capacity) {
        size_t capacity = more_capacity(w->value_capacity, 1) + values + 64;
        if (!PLB_ARRAY_RESIZE(w->values, capacity)) return PLB_ENOMEM;
        w->value_capacity = capacity;
    }
    return PLB_OK;
}

static void end_owner(plb_weights *w) {
    w->runs_end[w->owners] = w->run_count;
    w->values_end[w->owners++] = w->value_count;
}

static int grow_states(plb_weight_sums *s, uint32_t state) {
    uint32_t capacity = (2 * state + 256) / 64 * 64;
    size_t row = (size_t)s->max_stride * s->limbs;
    if (!PLB_ARRAY_RESIZE(s->sums, capacity * row + SHORT_RUN) ||
        !PLB_ARRAY_RESIZE(s->spans, capacity) || !PLB_ARRAY_RESIZE(s->touched, capacity / 64))
        return PLB_ENOMEM;
    memset(s->sums + s->state_capacity * row, 0,
           ((capacity - s->state_capacity) * row + SHORT_RUN) * sizeof *s->sums);
    memset(s->spans + s->state_capacity, 0, (capacity - s->state_capacity) * sizeof *s->spans);
    memset(s->touched + s->state_capacity / 64, 0,
           (capacity - s->state_capacity) / 64 * sizeof *s->touched);
    s->state_capacity = capacity;
    return PLB_OK;
}

static inline int reserve_states(plb_weight_sums *s, uint32_t state) {
    return state < s->state_capacity ? PLB_OK : grow_states(s, state);
}

void plb_weight_sums_free(plb_weight_sums *sums) {
    free(sums->sums);
    free(sums->spans);
    free(sums->touched);
    for (int i = 0; i < 2; i++) plb_weights_free(&sums->merged[i]);
    *sums = (plb_weight_sums){
        .limbs = sums->limbs, .max_stride = sums->max_stride, .stride = sums->stride};
}

/* ---- numbers ---- */

/* A number of up to 8 bytes. */
static inline int64_t word_at(const uint8_t *values, int bytes) {
    int16_t two;
    int32_t four;
    int64_t eight;
    switch (bytes) {
        case 1:
            return (int8_t)*values;
        case 2:
            return memcpy(&two, values, sizeof two), two;
        case 4:
            return memcpy(&four, values, sizeof four), four;
        default:
            return memcpy(&eight, values, sizeof eight), eight;
    }
}

plb_weight plb_weight_at(const uint8_t *values, int bytes) {
    plb_weight wide;
    if (bytes <= 8) return word_at(values, bytes);
    return memcpy(&wide, values, sizeof wide), wide;
}

/* Read a sum of two limbs, which may be unaligned for 128 bits. */
static plb_weight wide_at(const uint64_t *at) {
    plb_weight sum;
    return memcpy(&sum, at, sizeof sum), sum;
}

/* The bytes that every one of these sums fits in. */
static int bytes_for(const uint64_t *sums, int count, int limbs) {
    uint64_t bits = 0;
    for (int i = 0; i < count; i++) {
        int64_t low = (int64_t)sums[i * limbs];
        if (limbs == 2 && wide_at(sums + 2 * i) != low) return 16;
        bits |= (uint64_t)(low < 0 ? ~low : low);
    }
    return bits < 1U << 7 ? 1 : bits < 1U << 15 ? 2 : bits < 1U << 31 ? 4 : 8;
}

/* `bytes` is a constant in most calls of this and of add_numbers, so each gets its own loop. */
static inline void put_words(const uint64_t *sums, int count, int limbs, int bytes, uint8_t *to) {
    for (int i = 0; i < count; i++) memcpy(to + (size_t)i * bytes, sums + (size_t)i * limbs, bytes);
}

static void put_numbers(const uint64_t *sums, int count, int limbs, int bytes, uint8_t *to) {
    switch (bytes) {
        case 1:
            put_words(sums, count, limbs, 1, to);
            break;
        case 2:
            put_words(sums, count, limbs, 2, to);
            break;
        case 4:
            put_words(sums, count, limbs, 4, to);
            break;
        default:
            put_words(sums, count, limbs, bytes, to);
    }
}

/* ---- sums ---- */

static void add_short_run(uint64_t *sums, const uint8_t *values, int count, int times) {
    uint64_t bytes;
    int8_t numbers[SHORT_RUN];
    memcpy(&bytes, values, sizeof bytes);
    bytes &= plb_low_bits(8 * count);
    memcpy(numbers, &bytes, sizeof bytes);
    for (int i = 0; i < SHORT_RUN; i++) sums[i] += (uint64_t)(int64_t)(numbers[i] * times);
}

static inline void add_numbers(uint64_t *sums, const uint8_t *values, int bytes, int count,
                               int times) {
    for (int i = 0; i < count; i++)
        sums[i] += (uint64_t)word_at(values + (size_t)i * bytes, bytes) * (uint64_t)times;
}

static void add_to_words(uint64_t *sums, const uint8_t *values, const plb_weight_run *run,
                         int times) {
    int count = run->count;
    switch (run->bytes) {
        case 1:
            if (count <= SHORT_RUN)
                add_short_run(sums, values, count, times);
            else
                add_numbers(sums, values, 1, count, times);
            break;
        case 2:
            add_numbers(sums, values, 2, count, times);
            break;
        case 4:
            add_numbers(sums, values, 4, count, times);
            break;
        default:
            add_numbers(sums, values, 8, count, times);
    }
}

static void add_to_wide(uint64_t *sums, const uint8_t *values, const plb_weight_run *run,
                        int times) {
    for (int i = 0; i < (int)run->count; i++, values += run->bytes) {
        plb_weight sum = wide_at(sums + 2 * i);
        sum += times * plb_weight_at(values, run->bytes);
        memcpy(sums + 2 * i, &sum, sizeof sum);
    }
}

/* Add to the sums of a state. True if it had no sums before. */
static bool add_to_state(plb_weight_sums *sums, uint32_t state, const plb_weight_run *run,
                         const uint8_t *values, int times) {
    int first = run->first, end = first + run->count;
    uint64_t *to = sums->sums + ((size_t)state * sums->stride + first) * sums->limbs;
    uint16_t *span = sums->spans[state];
    bool had_none = span[1] == 0;
    if (had_none || first < span[0]) span[0] = (uint16_t)first;
    if (end > span[1]) span[1] = (uint16_t)end;
    (sums->limbs == 2 ? add_to_wide : add_to_words)(to, values, run, times);
    return had_none;
}

int plb_weight_sums_add(plb_weight_sums *sums, const plb_weight_run *run, const uint8_t *values,
                        int times) {
    if (reserve_states(sums, run->state)) return PLB_ENOMEM;
    if (!add_to_state(sums, run->state, run, values, times)) return PLB_OK;
    sums->touched[run->state / 64] |= 1ULL << run->state % 64;
    sums->touched_count++;
    return PLB_OK;
}

/* Add all runs of an owner. */
static int add_owner(plb_weight_sums *sums, const plb_weights *weights, uint32_t owner) {
    const uint8_t *values = plb_weights_values(weights, owner);
    int error = PLB_OK;
    for (size_t r = plb_weights_runs_begin(weights, owner); r < weights->runs_end[owner] && !error;
         r++) {
        const plb_weight_run *run = &weights->runs[r];
        error = plb_weight_sums_add(sums, run, values, 1);
        values += plb_weight_run_size(run);
    }
    return error;
}

static bool is_zero(const uint64_t *value, int limbs) {
    return !value[0] && (limbs == 1 || !value[1]);
}

/* Append a run of up to SHORT_RUN one-byte numbers, without the zeros at its ends; none if all are
 * 0. first: half the stones of the lowest byte. */
static void put_short_run(uint32_t state, int first, uint64_t bytes, plb_weights *to) {
    if (!bytes) return;
    int ahead = plb_lowest(bytes) / 8, count = (plb_bit_length(bytes) + 7) / 8 - ahead;
    bytes >>= 8 * ahead;
    memcpy(to->values + to->value_count, &bytes, sizeof bytes);
    to->runs[to->run_count++] = (plb_weight_run){state, first + ahead, count, 1};
    to->value_count += count;
}

/* take_run for a range no longer than a short run. False, and nothing is done, if a number needs
 * more than a byte. */
static bool take_short_run(uint64_t *sums, uint32_t state, int first, int end, plb_weights *to) {
    uint64_t bits = 0, bytes = 0;
    for (int i = 0; i < SHORT_RUN; i++) {
        uint64_t sum = i < end - first ? sums[first + i] : 0;
        bits |= sum + 128;
        bytes |= (sum & 0xFF) << 8 * i;
    }
    if (bits > 255) return false;
    memset(sums + first, 0, (end - first) * sizeof *sums);
    put_short_run(state, first, bytes, to);
    return true;
}

/* Append the nonzero sums of one state as a run, and clear them. */
static void take_run(plb_weight_sums *s, uint32_t state, plb_weights *to) {
    uint16_t *span = s->spans[state];
    int first = span[0], end = span[1], limbs = s->limbs;
    uint64_t *sums = s->sums + (size_t)state * s->stride * limbs;
    span[0] = span[1] = 0;
    if (limbs == 1 && end - first <= SHORT_RUN && take_short_run(sums, state, first, end, to))
        return;
    while (first < end && is_zero(sums + first * limbs, limbs)) first++;
    while (end > first && is_zero(sums + (end - 1) * limbs, limbs)) end--;
    if (first == end) return;
    int bytes = bytes_for(sums + first * limbs, end - first, limbs);
    to->runs[to->run_count++] = (plb_weight_run){state, first, end - first, bytes};
    put_numbers(sums + first * limbs, end - first, limbs, bytes, to->values + to->value_count);
    to->value_count += (size_t)(end - first) * bytes;
    for (int i = first * limbs; i < end * limbs; i++) sums[i] = 0;
}

int plb_weight_sums_take(plb_weight_sums *sums, plb_weights *weights) {
    size_t bytes = (size_t)sums->touched_count * sums->stride * sums->limbs * sizeof *sums->sums;
    if (reserve(weights, sums->touched_count, bytes)) return PLB_ENOMEM;
    for (uint32_t word = 0; sums->touched_count; word++) {
        uint64_t *touched = &sums->touched[word];
        for (; *touched; *touched &= *touched - 1, sums->touched_count--)
            take_run(sums, 64 * word + plb_lowest(*touched), weights);
    }
    end_owner(weights);
    return PLB_OK;
}

/* ---- owners ---- */

/* An owner in one of the sources. */
typedef struct owner {
    const plb_weights *weights;
    uint32_t number;
} owner;

/* Sort the owners by their new numbers; those of number p end at end[p]. Counting sort. */
static int sort_owners(const plb_weight_source *from, int sources, uint32_t places, size_t **end,
                       owner **sorted) {
    size_t *at = *end = calloc((size_t)places + 1, sizeof *at), all = 0;
    for (int s = 0; s < sources; s++) all += from[s].weights->owners;
    *sorted = calloc(all + 1, sizeof **sorted);
    if (!at || !*sorted) return PLB_ENOMEM;
    for (int s = 0; s < sources; s++)
        for (uint32_t o = 0; o < from[s].weights->owners; o++)
            if (from[s].to[o] != PLB_NOWHERE) at[from[s].to[o] + 1]++;
    for (uint32_t p = 0; p < places; p++) at[p + 1] += at[p];
    for (int s = 0; s < sources; s++)
        for (uint32_t o = 0; o < from[s].weights->owners; o++)
            if (from[s].to[o] != PLB_NOWHERE)
                (*sorted)[at[from[s].to[o]]++] = (owner){from[s].weights, o};
    return PLB_OK;
}

static int copy_owner(const owner *from, plb_weights *to) {
    const plb_weights *weights = from->weights;
    size_t runs_begin = plb_weights_runs_begin(weights, from->number);
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): every place up to its end was filled */
    size_t runs = weights->runs_end[from->number] - runs_begin;
    const uint8_t *values = plb_weights_values(weights, from->number);
    size_t bytes = weights->values + weights->values_end[from->number] - values;
    if (reserve(to, runs, bytes)) return PLB_ENOMEM;
    if (runs) {
        memcpy(to->runs + to->run_count, weights->runs + runs_begin, runs * sizeof *to->runs);
        memcpy(to->values + to->value_count, values, bytes);
    }
    to->run_count += runs;
    to->value_count += bytes;
    end_owner(to);
    return PLB_OK;
}

/* ---- merging ---- */

enum { MAX_MERGED = 8 }; /* owners; merging more would copy the same runs too often */

/* The runs of an owner that are not merged yet. */
typedef struct queue {
    const plb_weight_run *run, *end;
    const uint8_t *values; /* numbers of the first run */
} queue;

static queue queue_of(const owner *o) {
    return (queue){o->weights->runs + plb_weights_runs_begin(o->weights, o->number),
                   o->weights->runs + o->weights->runs_end[o->number],
                   plb_weights_values(o->weights, o->number)};
}

static void pop(queue *q) {
    q->values += plb_weight_run_size(q->run++);
}

static void move_run(queue *q, plb_weights *to) {
    size_t size = plb_weight_run_size(q->run);
    memcpy(to->values + to->value_count, q->values, size <= SHORT_RUN ? SHORT_RUN : size);
    to->runs[to->run_count++] = *q->run;
    to->value_count += size;
    pop(q);
}

/* The first run, of one-byte numbers, as SHORT_RUN bytes. first: half the stones of the lowest. */
static uint64_t short_run_from(const queue *q, int first) {
    uint64_t bytes;
    memcpy(&bytes, q->values, sizeof bytes);
    return (bytes & plb_low_bits(8 * (int)q->run->count)) << 8 * ((int)q->run->first - first);
}

/* Add the first runs of two queues, which are of one state, if the sum is a short run of one-byte
 * numbers; else false. All eight bytes are added at once; the sign bits are added separately, so
 * that nothing is carried from one byte to the next. */
static bool add_short_runs(const queue *a, const queue *b, plb_weights *to) {
    const uint64_t signs = 0x8080808080808080ULL;
    const plb_weight_run *run_a = a->run, *run_b = b->run;
    int first = (int)plb_min(run_a->first, run_b->first);
    int end = (int)plb_max(run_a->first + run_a->count, run_b->first + run_b->count);
    if (run_a->bytes > 1 || run_b->bytes > 1 || end - first > SHORT_RUN) return false;
    uint64_t bytes_a = short_run_from(a, first), bytes_b = short_run_from(b, first);
    uint64_t sum = ((bytes_a & ~signs) + (bytes_b & ~signs)) ^ ((bytes_a ^ bytes_b) & signs);
    if (~(bytes_a ^ bytes_b) & (bytes_a ^ sum) & signs) return false; /* overflow */
    put_short_run(run_a->state, first, sum, to);
    return true;
}

/* Add any two runs. Uses the sums of state 0, which no run has, so they stay in the cache. */
static void add_runs(plb_weight_sums *sums, const queue *a, const queue *b, plb_weights *to) {
    if (add_short_runs(a, b, to)) return;
    size_t at = to->run_count;
    add_to_state(sums, 0, a->run, a->values, 1);
    add_to_state(sums, 0, b->run, b->values, 1);
    take_run(sums, 0, to);
    if (to->run_count > at) to->runs[at].state = a->run->state;
}

static int merge_two(plb_weight_sums *sums, const owner *first, const owner *second,
                     plb_weights *to) {
    queue a = queue_of(first), b = queue_of(second);
    size_t runs = (a.end - a.run) + (b.end - b.run);
    size_t bytes = runs * sums->stride * sums->limbs * sizeof *sums->sums;
    if (reserve(to, runs, bytes) || reserve_states(sums, 0)) return PLB_ENOMEM;
    while (a.run < a.end && b.run < b.end) {
        if (a.run->state == b.run->state) {
            add_runs(sums, &a, &b, to);
            pop(&a);
            pop(&b);
        } else {
            move_run(a.run->state < b.run->state ? &a : &b, to);
        }
    }
    while (a.run < a.end) move_run(&a, to);
    while (b.run < b.end) move_run(&b, to);
    end_owner(to);
    return PLB_OK;
}

/* Append the sum of two or more owners to `to`. */
static int merge(plb_weight_sums *sums, const owner *owners, size_t count, plb_weights *to) {
    owner merged = owners[0];
    int error = PLB_OK;
    for (size_t i = 1; i < count && !error; i++) {
        plb_weights *made = i == count - 1 ? to : &sums->merged[i % 2];
        if (made != to) plb_weights_clear(made);
        error = merge_two(sums, &merged, &owners[i], made);
        merged = (owner){made, 0};
    }
    return error;
}

int plb_weights_gather(const plb_weight_source *from, int sources, uint32_t places,
                       plb_weight_sums *sums, plb_weights *made) {
    size_t *end = NULL, at = 0;
    owner *sorted = NULL;
    int error = sort_owners(from, sources, places, &end, &sorted);
    for (uint32_t place = 0; place < places && !error; place++) {
        const owner *owners = sorted + at;
        size_t count = end[place] - at;
        if (count == 1) {
            error = copy_owner(owners, made);
        } else if (count && count <= MAX_MERGED) {
            error = merge(sums, owners, count, made);
        } else {
            for (size_t i = 0; i < count && !error; i++)
                error = add_owner(sums, owners[i].weights, owners[i].number);
            if (!error) error = plb_weight_sums_take(sums, made);
        }
        at = end[place];
    }
    free(end);
    free(sorted);
    return error;
}
