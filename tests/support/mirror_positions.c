/* SPDX-License-Identifier: MIT
 *
 * Half boards are enumerated from the middle outwards. A group across columns lies in four of them;
 * of those that are each other's mirror image one is looked at, once its outermost column is there.
 */
#include "tests/support/mirror_positions.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tables/reach/alternating_order.h"

enum { MOST_HALF = 4 }; /* columns of a half board with that in the middle */

/* What a column may hold, the lowest stone first. */
typedef struct content {
    int stones, excess; /* x's less o's */
    uint32_t x, o;
} content;

typedef struct half {
    int width, height, count;   /* count: of contents */
    content *contents;          /* without four in a row */
    content columns[MOST_HALF]; /* from the middle; of an odd width [0] is its own mirror image */
    int known;                  /* of these columns */
    uint64_t *per_ply;
} half;

static bool has_four(uint32_t stones) {
    return (stones & stones >> 1 & stones >> 2 & stones >> 3) != 0;
}

static void list_contents(half *h) {
    h->contents = calloc((size_t)2 << h->height, sizeof *h->contents);
    if (!h->contents) abort();
    for (int stones = 0; stones <= h->height; stones++)
        for (uint32_t x = 0; x < 1U << stones; x++) {
            uint32_t o = ~x & ((1U << stones) - 1);
            if (has_four(x) || has_four(o)) continue;
            int excess = 2 * __builtin_popcount(x) - stones;
            h->contents[h->count++] = (content){stones, excess, x, o};
        }
}

/* The cells of a column that would make four in a row with three beside it. */
static uint32_t completing(uint32_t a, uint32_t b, uint32_t c) {
    return (a & b & c) | (a >> 1 & b >> 2 & c >> 3) | (a << 1 & b << 2 & c << 3);
}

/* The column of the half board that is as column q from the middle is, q < 0 on the other side. */
static int of_half(const half *h, int q) {
    return q >= 0 ? q : h->width % 2 ? -q : -1 - q;
}

/* Do the four columns of which the last one known is the outermost make one? There are no four
 * while too few are known. */
static bool makes_group(const half *h) {
    int outermost = h->known - 1;
    if (of_half(h, outermost - 3) > outermost) return false;
    const content *a = &h->columns[outermost];
    const content *b = &h->columns[of_half(h, outermost - 1)];
    const content *c = &h->columns[of_half(h, outermost - 2)];
    const content *d = &h->columns[of_half(h, outermost - 3)];
    return (a->x & completing(b->x, c->x, d->x)) || (a->o & completing(b->o, c->o, d->o));
}

static void put(uint64_t *x, uint64_t *all, int at, const content *c) {
    *x |= (uint64_t)c->x << at;
    *all |= (uint64_t)(c->x | c->o) << at;
}

static void count_whole(const half *h) {
    uint64_t x = 0, all = 0;
    for (int i = 0; i < h->known; i++) {
        put(&x, &all, (h->width / 2 + i) * h->height, &h->columns[i]);
        put(&x, &all, ((h->width - 1) / 2 - i) * h->height, &h->columns[i]);
    }
    if (plb_alternating_order_find(x, all, h->width, h->height, PLB_ORDER_STEPS, NULL) ==
        PLB_ORDER_EXISTS)
        h->per_ply[__builtin_popcountll(all)]++;
}

static void enumerate(half *h, int excess) {
    bool is_last = h->known == (h->width - 1) / 2;
    int images = h->width % 2 && h->known == 0 ? 1 : 2;
    for (int i = 0; i < h->count; i++) {
        int now = excess + images * h->contents[i].excess;
        if (is_last && now != 0 && now != 1) continue;
        h->columns[h->known++] = h->contents[i];
        if (!makes_group(h)) {
            if (is_last)
                count_whole(h);
            else
                enumerate(h, now);
        }
        h->known--;
    }
}

void mirror_positions_count(int width, int height, uint64_t per_ply[MIRROR_CELLS + 1]) {
    half h = {.width = width, .height = height, .per_ply = per_ply};
    memset(per_ply, 0, (MIRROR_CELLS + 1) * sizeof *per_ply);
    list_contents(&h);
    enumerate(&h, 0);
    free(h.contents);
}
