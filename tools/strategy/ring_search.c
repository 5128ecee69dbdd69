/* SPDX-License-Identifier: MIT
 *
 * A component is a string of cells (x, o, and `.` for an empty cell) whose gaps are separated by
 * single stones. Gaps with two or more stones between them are independent. At each end a component
 * has one stone, or two of the same colour:
 *
 *     xx..o.x      two gaps; the left one ends at two stones of x
 *
 * A component with one empty cell is worth a move to one player, to both, or to none. The player to
 * move is always x: after each move x and o are exchanged. As long as no two stones are neighbours,
 * the ring is a single string without ends.
 */
#include "tools/strategy/ring_search.h"

#include <stdlib.h>
#include <string.h>

#include "tables/index/perfect_hash.h"
#include "tables/stop.h"

enum {
    MAX_COMPONENTS = RING_MAX_WIDTH / 2 + 1,
    COMPONENT_TEXT = RING_MAX_WIDTH + 4,
    PROGRESS_STEP = 1 << 16,
    RANK = 4
};

typedef struct component {
    int length;
    char cells[COMPONENT_TEXT]; /* [length] */
} component;

typedef struct ring_state {
    bool is_ring; /* components[0] is the whole ring, the only component */
    int count;
    int moves; /* number of single cells that only x may take, minus those that only o may */
    bool star; /* the number of single cells that both may take is odd */
    component components[MAX_COMPONENTS];
} ring_state;

/* An entry of the transposition table: the key; the lowest bit of `value` says whether x wins. */
typedef struct known_state {
    uint64_t key, value;
} known_state;

typedef struct searcher {
    const ring_options *o;
    ring_result *result;
    known_state *known; /* [mask + 1] */
    uint64_t mask;
    bool is_stopped;
} searcher;

static void exchange(component *p) {
    for (int i = 0; i < p->length; i++)
        p->cells[i] = p->cells[i] == 'x' ? 'o' : p->cells[i] == 'o' ? 'x' : p->cells[i];
}

/* ---- components ---- */

static int compare_components(const component *a, const component *b) {
    if (a->length != b->length) return a->length - b->length;
    for (int i = 0; i < a->length; i++)
        if (a->cells[i] != b->cells[i]) return a->cells[i] - b->cells[i];
    return 0;
}

/* Replace a component by its mirror image if that is less. */
static void orient(component *p) {
    component mirrored = {.length = p->length};
    for (int i = 0; i < p->length; i++) mirrored.cells[i] = p->cells[p->length - 1 - i];
    if (compare_components(&mirrored, p) < 0) *p = mirrored;
}

/* Would a stone complete three in a row? */
static bool completes(const char *cells, int length, int at, char stone) {
    int run = 1;
    for (int i = at - 1; i >= 0 && cells[i] == stone; i--) run++;
    for (int i = at + 1; i < length && cells[i] == stone; i++) run++;
    return run >= 3;
}

/* Add a component to a sum. A single empty cell is a number or a star; opposites cancel. */
static void add_component(ring_state *s, component *p) {
    int gaps = 0, at = 0;
    for (int i = 0; i < p->length; i++)
        if (p->cells[i] == '.') gaps++, at = i;
    if (gaps == 1) {
        bool x = !completes(p->cells, p->length, at, 'x');
        bool o = !completes(p->cells, p->length, at, 'o');
        s->moves += x - o;
        s->star ^= x && o;
        return;
    }
    component opposite = *p;
    exchange(&opposite);
    orient(p);
    orient(&opposite);
    for (int i = 0; i < s->count; i++) {
        if (compare_components(&s->components[i], &opposite) != 0) continue;
        s->components[i] = s->components[--s->count];
        return;
    }
    s->components[s->count++] = *p;
}

/* The number of stones of one colour from `at` on in one direction, at most 2. */
static int run_length(const char *cells, int length, int at, int step) {
    int run = 1, next = at + step;
    while (run < 2 && next >= 0 && next < length && cells[next] == cells[at]) run++, next += step;
    return run;
}

/* Cut a string that begins and ends with a stone into components. */
static void add_string(ring_state *s, const char *cells, int length) {
    for (int end = 1; end < length; end++) {
        if (cells[end] != '.') continue;
        int first = end - run_length(cells, length, end - 1, -1);
        for (;; end++) {
            while (end < length && cells[end] == '.') end++;
            if (end + 1 >= length || cells[end + 1] != '.') break; /* not a single stone */
        }
        component p = {.length = end + run_length(cells, length, end, 1) - first};
        memcpy(p.cells, cells + first, (size_t)p.length);
        add_component(s, &p);
    }
}

/* ---- moves ---- */

static void exchange_all(ring_state *s) {
    s->moves = -s->moves;
    for (int i = 0; i < s->count; i++) {
        exchange(&s->components[i]);
        if (!s->is_ring) orient(&s->components[i]);
    }
}

/* Make a move of x in a component. False: it completes three in a row. */
static bool move_in_component(const ring_state *s, int which, int at, ring_state *after) {
    component moved = s->components[which];
    if (completes(moved.cells, moved.length, at, 'x')) return false;
    moved.cells[at] = 'x';
    *after = (ring_state){.moves = s->moves, .star = s->star};
    for (int i = 0; i < s->count; i++)
        if (i != which) after->components[after->count++] = s->components[i];
    add_string(after, moved.cells, moved.length);
    exchange_all(after);
    return true;
}

/* Make a move of x in a ring without neighbouring stones, where it completes three in a row only
 * between two stones of x. False: it does. */
static bool move_in_ring(const ring_state *s, int at, ring_state *after) {
    component ring = s->components[0];
    int n = ring.length, cut = 0; /* cut: the first of two neighbouring stones */
    if (ring.cells[(at + 1) % n] == 'x' && ring.cells[(at + n - 1) % n] == 'x') return false;
    ring.cells[at] = 'x';
    *after = (ring_state){.is_ring = true, .count = 1};
    while (cut < n && (ring.cells[cut] == '.' || ring.cells[(cut + 1) % n] == '.')) cut++;
    if (cut == n) {
        after->components[0] = ring;
    } else {
        char line[COMPONENT_TEXT];
        for (int i = 0; i < n + 2; i++) line[i] = ring.cells[(cut + i) % n];
        after->is_ring = false;
        after->count = 0;
        add_string(after, line, n + 2);
    }
    exchange_all(after);
    return true;
}

/* ---- the transposition table ---- */

static plb_key_hash hash_component(const component *p) {
    uint64_t words[2 * ((COMPONENT_TEXT + 31) / 32)] = {0};
    plb_key_hash hash = {(uint64_t)p->length, 0};
    for (int i = 0; i < p->length; i++)
        words[i / 32] |= (uint64_t)(p->cells[i] == 'x'   ? 1
                                    : p->cells[i] == 'o' ? 2
                                                         : 0)
                         << (2 * (i % 32));
    for (int w = 0; w <= p->length / 32; w++)
        hash = plb_key_hash_make(hash.low ^ words[w], hash.high + (uint64_t)w);
    return hash;
}

/* The hashes of components are added, because their order does not matter. */
static plb_key_hash hash_state(const ring_state *s) {
    if (s->is_ring) {
        /* Hash the least of all rotations and mirror images. */
        const component *ring = &s->components[0];
        component least = *ring;
        for (int turn = 0; turn < ring->length; turn++)
            for (int way = -1; way <= 1; way += 2) {
                component one = {.length = ring->length};
                for (int i = 0; i < ring->length; i++)
                    one.cells[i] = ring->cells[(turn + way * i + ring->length) % ring->length];
                if (compare_components(&one, &least) < 0) least = one;
            }
        return hash_component(&least);
    }
    plb_key_hash sum = plb_key_hash_make((uint64_t)(s->moves + 1000), s->star + 2u);
    for (int i = 0; i < s->count; i++) {
        plb_key_hash one = hash_component(&s->components[i]);
        sum.low += one.low;
        sum.high += one.high;
    }
    return sum;
}

/* ---- search ---- */

static bool wins(searcher *r, const ring_state *s);

static bool loses_after(searcher *r, const ring_state *after) {
    return !r->is_stopped && !wins(r, after);
}

typedef struct ring_move {
    int component, at, rank;
} ring_move;

static bool make_move(const ring_state *s, const ring_move *move, ring_state *after) {
    return s->is_ring ? move_in_ring(s, move->at, after)
                      : move_in_component(s, move->component, move->at, after);
}

static int compare_moves(const void *a, const void *b) {
    const ring_move *m = a, *n = b;
    return m->rank != n->rank             ? m->rank - n->rank
           : m->component != n->component ? m->component - n->component
                                          : m->at - n->at;
}

/* The entry of a position, or NULL. */
static const known_state *find_known(const searcher *r, plb_key_hash hash) {
    const known_state *known = &r->known[hash.low & r->mask];
    return known->key == hash.low && (known->value | 1) == (hash.high | 1) ? known : NULL;
}

/* List the moves in components, best first: those that leave the opponent few moves of his own and
 * short components. Returns -1 if a move is known to win. */
static int list_moves(const searcher *r, const ring_state *s, ring_move moves[RING_MAX_WIDTH]) {
    int count = 0;
    for (int i = 0; i < s->count; i++)
        for (int at = 0; at < s->components[i].length; at++) {
            ring_state after;
            ring_move *move = &moves[count];
            *move = (ring_move){i, at, 0};
            if (s->components[i].cells[at] != '.' || !make_move(s, move, &after)) continue;
            const known_state *known = after.count ? find_known(r, hash_state(&after)) : NULL;
            if (known && !(known->value & 1)) return -1;
            move->rank = RANK * after.moves;
            for (int c = 0; c < after.count; c++) move->rank += after.components[c].length;
            if (!known) count++;
        }
    qsort(moves, (size_t)count, sizeof *moves, compare_moves);
    return count;
}

/* Does x win by a move in a single cell? Without components the sum decides. */
static bool wins_in_single_cell(searcher *r, const ring_state *s) {
    ring_state after = *s;
    if (!s->count) return s->moves > 0 || (s->moves == 0 && s->star);
    if (s->star) {
        after.star = false;
        exchange_all(&after);
        if (loses_after(r, &after)) return true;
    }
    if (s->moves <= 0) return false;
    after = *s;
    after.moves--;
    exchange_all(&after);
    return loses_after(r, &after);
}

/* Does x win? He is to move. */
static bool wins(searcher *r, const ring_state *s) {
    if (!s->count) return wins_in_single_cell(r, s);
    plb_key_hash hash = hash_state(s);
    const known_state *known = find_known(r, hash);
    if (known) return known->value & 1;
    if (r->result->nodes++ % PROGRESS_STEP == 0) {
        if (plb_is_stopped(r->o->stop)) r->is_stopped = true;
        if (r->o->report) r->o->report(r->o->context, r->result->nodes);
    }
    if (r->is_stopped) return false;
    ring_move moves[RING_MAX_WIDTH];
    ring_state after;
    int count = list_moves(r, s, moves);
    bool found = count < 0;
    for (int m = 0; m < count && !found; m++)
        found = make_move(s, &moves[m], &after) && loses_after(r, &after);
    found = found || (!s->is_ring && wins_in_single_cell(r, s));
    if (!r->is_stopped)
        r->known[hash.low & r->mask] = (known_state){hash.low, (hash.high & ~1ULL) | found};
    return found;
}

int ring_search(const ring_options *options, ring_result *result, plb_message *message) {
    searcher r = {.o = options, .result = result, .mask = (1 << 10) - 1};
    int width = options->width;
    *result = (ring_result){.nodes = 0};
    while (2 * (double)(r.mask + 1) * sizeof *r.known <= options->memory_bytes)
        r.mask = 2 * r.mask + 1;
    r.known = calloc(r.mask + 1, sizeof *r.known);
    if (!r.known) return plb_fail(message, PLB_ENOMEM, "out of memory for known positions");
    ring_state first = {.is_ring = true, .count = 1, .components[0].length = width};
    memset(first.components[0].cells, '.', (size_t)width);
    first.components[0].cells[0] = 'o'; /* the first player's stone; the second player is x */
    bool second_wins = wins(&r, &first);
    free(r.known);
    if (r.is_stopped) return plb_fail(message, PLB_EINTERRUPTED, "interrupted");
    result->second_wins = second_wins;
    return PLB_OK;
}
