/* SPDX-License-Identifier: MIT
 *
 * Numbers of ways. They are summed for one owner at a time, in an array with room for every state,
 * of which only what was touched is read and cleared again.
 */
#include "tables/frontier_ways.h"

#include <stdlib.h>
#include <string.h>

#include "tables/bits.h"
#include "tables/vocabulary.h"

/* Most runs are no longer and of bytes. They are read and summed as if they were of this length,
 * for how long they are cannot be foreseen, and a loop that ends at their end takes longer; so
 * there is room for as much after all values and all sums. */
enum { SHORT_RUN = PLB_WAY_BYTES };

/* ---- room ---- */

void plb_ways_free(plb_ways *ways) {
    free(ways->runs);
    free(ways->values);
    free(ways->runs_end);
    free(ways->values_end);
    *ways = (plb_ways){.limbs = ways->limbs};
}

/* Room for one owner more, with so many runs and bytes of values, and never none: they have
 * addresses also while there are none of them. */
static int make_room(plb_ways *w, size_t runs, size_t values) {
    if (w->owners == w->owner_room) {
        uint32_t room = 2 * w->owner_room + 16;
        size_t *grown = realloc(w->runs_end, room * sizeof *grown);
        if (!grown) return PLB_ENOMEM;
        w->runs_end = grown;
        grown = realloc(w->values_end, room * sizeof *grown);
        if (!grown) return PLB_ENOMEM;
        w->values_end = grown, w->owner_room = room;
    }
    if (w->run_count + runs >= w->run_room) {
        size_t room = w->run_room + w->run_room / 2 + runs + 16;
        plb_way_run *grown = realloc(w->runs, room * sizeof *grown);
        if (!grown) return PLB_ENOMEM;
        w->runs = grown, w->run_room = room;
    }
    if (w->value_count + values + SHORT_RUN >= w->value_room) {
        size_t room = w->value_room + w->value_room / 2 + values + 64;
        uint8_t *grown = realloc(w->values, room * sizeof *grown);
        if (!grown) return PLB_ENOMEM;
        w->values = grown, w->value_room = room;
    }
    return PLB_OK;
}

static void end_owner(plb_ways *w) {
    w->runs_end[w->owners] = w->run_count;
    w->values_end[w->owners++] = w->value_count;
}

static int make_states_room(plb_way_sums *s, uint32_t state) {
    if (state < s->state_room) return PLB_OK;
    uint32_t room = 2 * state + 256;
    size_t row = (size_t)s->most * s->limbs;
    uint64_t *sums = realloc(s->sums, (room * row + SHORT_RUN) * sizeof *sums);
    if (!sums) return PLB_ENOMEM;
    s->sums = sums;
    uint16_t(*spans)[2] = realloc(s->spans, room * sizeof *spans);
    if (!spans) return PLB_ENOMEM;
    s->spans = spans;
    uint32_t *touched = realloc(s->touched, room * sizeof *touched);
    if (!touched) return PLB_ENOMEM;
    s->touched = touched;
    memset(sums + s->state_room * row, 0,
           ((room - s->state_room) * row + SHORT_RUN) * sizeof *sums);
    memset(spans + s->state_room, 0, (room - s->state_room) * sizeof *spans);
    s->state_room = room;
    return PLB_OK;
}

void plb_way_sums_free(plb_way_sums *sums) {
    free(sums->sums);
    free(sums->spans);
    free(sums->touched);
    *sums = (plb_way_sums){.limbs = sums->limbs, .most = sums->most, .stride = sums->stride};
}

/* ---- numbers ---- */

plb_way_number plb_way_number_at(const uint8_t *values, int bytes) {
    int16_t two;
    int32_t four;
    int64_t eight;
    plb_way_number sixteen;
    switch (bytes) {
        case 1:
            return (int8_t)*values;
        case 2:
            return memcpy(&two, values, sizeof two), two;
        case 4:
            return memcpy(&four, values, sizeof four), four;
        case 8:
            return memcpy(&eight, values, sizeof eight), eight;
        default:
            return memcpy(&sixteen, values, sizeof sixteen), sixteen;
    }
}

/* Sums of two words need not lie where wide numbers would have to. */
static plb_way_number wide_at(const uint64_t *at) {
    plb_way_number sum;
    return memcpy(&sum, at, sizeof sum), sum;
}

/* The bits that tell how many bytes a number needs: all but those that repeat its sign. */
static uint64_t magnitude(int64_t number) {
    return (uint64_t)(number < 0 ? ~number : number);
}

static int bytes_for(const uint64_t *sums, int count, int limbs) {
    uint64_t bits = 0;
    for (int i = 0; i < count; i++) {
        int64_t low = (int64_t)sums[i * limbs];
        if (limbs == 2 && wide_at(sums + 2 * i) != low) return 16;
        bits |= magnitude(low);
    }
    return bits < 1U << 7 ? 1 : bits < 1U << 15 ? 2 : bits < 1U << 31 ? 4 : 8;
}

static void put_numbers(const uint64_t *sums, int count, int limbs, int bytes, uint8_t *to) {
    for (int i = 0; i < count; i++, to += bytes, sums += limbs) {
        uint16_t two = (uint16_t)*sums;
        uint32_t four = (uint32_t)*sums;
        switch (bytes) {
            case 1:
                *to = (uint8_t)*sums;
                break;
            case 2:
                memcpy(to, &two, sizeof two);
                break;
            case 4:
                memcpy(to, &four, sizeof four);
                break;
            case 8:
                memcpy(to, sums, 8);
                break;
            default:
                memcpy(to, sums, 16);
        }
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

static void add_to_words(uint64_t *sums, const uint8_t *values, const plb_way_run *run, int times) {
    int count = run->count, bytes = run->bytes;
    if (bytes == 1 && count <= SHORT_RUN) {
        add_short_run(sums, values, count, times);
        return;
    }
    for (int i = 0; i < count; i++, values += bytes) {
        int64_t value = bytes == 1 ? (int8_t)*values : (int64_t)plb_way_number_at(values, bytes);
        sums[i] += (uint64_t)value * (uint64_t)times;
    }
}

static void add_to_wide(uint64_t *sums, const uint8_t *values, const plb_way_run *run, int times) {
    for (int i = 0; i < (int)run->count; i++, values += run->bytes) {
        plb_way_number sum = wide_at(sums + 2 * i);
        sum += times * plb_way_number_at(values, run->bytes);
        memcpy(sums + 2 * i, &sum, sizeof sum);
    }
}

int plb_way_sums_add(plb_way_sums *sums, const plb_way_run *run, const uint8_t *values, int times) {
    if (make_states_room(sums, run->state)) return PLB_ENOMEM;
    int first = run->first, end = first + run->count;
    uint64_t *to = sums->sums + ((size_t)run->state * sums->stride + first) * sums->limbs;
    uint16_t *span = sums->spans[run->state];
    if (span[1] == 0) {
        sums->touched[sums->touched_count++] = run->state;
        span[0] = (uint16_t)first;
    }
    if (first < span[0]) span[0] = (uint16_t)first;
    if (end > span[1]) span[1] = (uint16_t)end;
    (sums->limbs == 2 ? add_to_wide : add_to_words)(to, values, run, times);
    return PLB_OK;
}

int plb_way_sums_add_owner(plb_way_sums *sums, const plb_ways *ways, uint32_t owner) {
    const uint8_t *values = plb_ways_values(ways, owner);
    int error = PLB_OK;
    for (size_t r = plb_ways_runs_begin(ways, owner); r < ways->runs_end[owner] && !error; r++) {
        const plb_way_run *run = &ways->runs[r];
        error = plb_way_sums_add(sums, run, values, 1);
        values += plb_way_run_size(run);
    }
    return error;
}

static bool is_zero(const uint64_t *value, int limbs) {
    return !value[0] && (limbs == 1 || !value[1]);
}

/* The same as take_run for what is no longer than a short run; false if numbers need more than a
 * byte, and nothing was done. */
static bool take_short_run(uint64_t *sums, uint32_t state, int first, int end, plb_ways *to) {
    uint64_t bits = 0, bytes = 0;
    for (int i = 0; i < SHORT_RUN; i++) {
        uint64_t sum = i < end - first ? sums[first + i] : 0;
        bits |= sum + 128;
        bytes |= (sum & 0xFF) << 8 * i;
    }
    if (bits > 255) return false;
    memset(sums + first, 0, (end - first) * sizeof *sums);
    if (!bytes) return true;
    int ahead = plb_lowest(bytes) / 8, count = (plb_bit_length(bytes) + 7) / 8 - ahead;
    bytes >>= 8 * ahead;
    memcpy(to->values + to->value_count, &bytes, sizeof bytes);
    to->runs[to->run_count++] = (plb_way_run){state, first + ahead, count, 1};
    to->value_count += count;
    return true;
}

/* What is not 0 of the sums of one state. */
static void take_run(plb_way_sums *s, uint32_t state, plb_ways *to) {
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
    to->runs[to->run_count++] = (plb_way_run){state, first, end - first, bytes};
    put_numbers(sums + first * limbs, end - first, limbs, bytes, to->values + to->value_count);
    to->value_count += (size_t)(end - first) * bytes;
    for (int i = first * limbs; i < end * limbs; i++) sums[i] = 0;
}

int plb_way_sums_take(plb_way_sums *sums, plb_ways *ways) {
    size_t bytes = (size_t)sums->touched_count * sums->stride * sums->limbs * sizeof *sums->sums;
    if (make_room(ways, sums->touched_count, bytes)) return PLB_ENOMEM;
    for (uint32_t t = 0; t < sums->touched_count; t++) take_run(sums, sums->touched[t], ways);
    sums->touched_count = 0;
    end_owner(ways);
    return PLB_OK;
}

/* ---- gathering ---- */

/* An owner of one of several sources. */
typedef struct owner {
    const plb_ways *ways;
    uint32_t number;
} owner;

/* Owners by the place that they go to, those of place p up to end[p]. Counting sort. */
static int sort_owners(const plb_way_source *from, int sources, uint32_t places, size_t **end,
                       owner **sorted) {
    size_t *at = *end = calloc((size_t)places + 1, sizeof *at), all = 0;
    for (int s = 0; s < sources; s++) all += from[s].ways->owners;
    *sorted = calloc(all + 1, sizeof **sorted);
    if (!at || !*sorted) return PLB_ENOMEM;
    for (int s = 0; s < sources; s++)
        for (uint32_t o = 0; o < from[s].ways->owners; o++)
            if (from[s].to[o] != PLB_NOWHERE) at[from[s].to[o] + 1]++;
    for (uint32_t p = 0; p < places; p++) at[p + 1] += at[p];
    for (int s = 0; s < sources; s++)
        for (uint32_t o = 0; o < from[s].ways->owners; o++)
            if (from[s].to[o] != PLB_NOWHERE)
                (*sorted)[at[from[s].to[o]]++] = (owner){from[s].ways, o};
    return PLB_OK;
}

/* One owner as it is. */
static int copy_owner(const owner *from, plb_ways *to) {
    const plb_ways *ways = from->ways;
    size_t runs_begin = plb_ways_runs_begin(ways, from->number);
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): every place up to its end was filled */
    size_t runs = ways->runs_end[from->number] - runs_begin;
    const uint8_t *values = plb_ways_values(ways, from->number);
    size_t bytes = ways->values + ways->values_end[from->number] - values;
    if (make_room(to, runs, bytes)) return PLB_ENOMEM;
    if (runs) {
        memcpy(to->runs + to->run_count, ways->runs + runs_begin, runs * sizeof *to->runs);
        memcpy(to->values + to->value_count, values, bytes);
    }
    to->run_count += runs;
    to->value_count += bytes;
    end_owner(to);
    return PLB_OK;
}

int plb_ways_gather(const plb_way_source *from, int sources, uint32_t places, plb_way_sums *sums,
                    plb_ways *made) {
    size_t *end = NULL, at = 0;
    owner *sorted = NULL;
    int error = sort_owners(from, sources, places, &end, &sorted);
    for (uint32_t place = 0; place < places && !error; place++) {
        if (end[place] - at == 1) {
            error = copy_owner(&sorted[at++], made);
            continue;
        }
        for (; at < end[place] && !error; at++)
            error = plb_way_sums_add_owner(sums, sorted[at].ways, sorted[at].number);
        if (!error) error = plb_way_sums_take(sums, made);
    }
    free(end);
    free(sorted);
    return error;
}
