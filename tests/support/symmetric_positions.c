/* SPDX-License-Identifier: MIT
 *
 * Half boards are enumerated column by column from the edge; what the mirror image and a column in
 * the middle add is looked up by the three innermost columns. A position counts if alternate moves
 * make its columns, whatever their order, without a group before the last one.
 */
#include "tests/support/symmetric_positions.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEIGHT = SYMMETRIC_HEIGHT,
    WORDS = 31, /* contents of a column: of each length from 0 to 4, all colours */
    HALF = SYMMETRIC_WIDTH / 2,
    COLUMNS = SYMMETRIC_WIDTH,
    WINDOW = 7, /* three columns, the middle, three columns */
    INNER = 3,
    O = 0,
    X = 1,
    NONE = 2
};

/* ---- columns ---- */

/* Words are numbered by length, then by colours, the lowest stone first. */
static int length_of(int word) {
    int length = 0;
    while ((1 << (length + 1)) - 1 <= word) length++;
    return length;
}

static int colour_of(int word, int row) {
    int length = length_of(word);
    return row < length ? (word + 1 - (1 << length)) >> row & 1 : NONE;
}

/* What is asked often. */
static struct {
    int length, excess; /* x's less o's stones */
    int top, below;     /* colour of the top stone; the word without it */
} words[WORDS];
static uint32_t with_excess[2 * HEIGHT + 1]; /* words as bits, by excess + HEIGHT */

static void list_words(void) {
    memset(with_excess, 0, sizeof with_excess);
    for (int word = 0; word < WORDS; word++) {
        int length = length_of(word), excess = 0;
        for (int row = 0; row < length; row++) excess += colour_of(word, row) == X ? 1 : -1;
        int below = (1 << (length - (length > 0))) - 1;
        for (int row = 0; row + 1 < length; row++) below += (colour_of(word, row) == X) << row;
        words[word].length = length;
        words[word].excess = excess;
        words[word].top = length ? colour_of(word, length - 1) : NONE;
        words[word].below = below;
        with_excess[excess + HEIGHT] |= 1U << word;
    }
}

/* ---- can alternate moves make these columns? ---- */

/* Columns whose last stones are taken back, the last of them of a colour. */
typedef struct columns {
    int count, stones, last;
    uint8_t word[COLUMNS];
} columns;

/* How soon to take a stone back: first where it uncovers one of the other colour. */
static int preference(int word) {
    int uncovered = words[words[word].below].top;
    return uncovered == NONE ? 0 : uncovered == words[word].top ? 1 : 2;
}

static void take_back(columns *c, int column) {
    c->word[column] = (uint8_t)words[c->word[column]].below;
    c->stones--;
    c->last = !c->last;
}

/* Always the preferred stone: finds nearly all orders. */
static bool find_order_quickly(columns c) {
    while (c.stones > 0) {
        int best = -1;
        for (int i = 0; i < c.count; i++)
            if (words[c.word[i]].top == c.last &&
                (best < 0 || preference(c.word[i]) > preference(c.word[best])))
                best = i;
        if (best < 0) return false;
        take_back(&c, best);
    }
    return true;
}

/* Columns that have no order, whatever board they are of. */
typedef struct no_order {
    uint8_t numbers[WORDS]; /* of columns with each word but the empty one */
    bool is_used;
} no_order;
static struct {
    no_order *of;
    size_t capacity, used;
} known;

static no_order describe(const columns *c) {
    no_order made = {.is_used = true};
    for (int i = 0; i < c->count; i++)
        if (c->word[i]) made.numbers[c->word[i]]++;
    return made;
}

static no_order *find_known(const no_order *sought) {
    uint64_t hash = 0;
    for (int word = 1; word < WORDS; word++)
        hash = (hash ^ sought->numbers[word]) * 0x100000001b3ULL + (hash >> 29);
    size_t at = hash % known.capacity;
    while (known.of[at].is_used && memcmp(&known.of[at], sought, sizeof *sought) != 0)
        at = (at + 1) % known.capacity;
    return &known.of[at];
}

/* Every order; which colour is the last follows from the columns. */
static bool find_order(const columns *c) {
    if (c->stones == 0) return true;
    no_order state = describe(c);
    if (find_known(&state)->is_used) return false;
    for (int wanted = 2; wanted >= 0; wanted--)
        for (int i = 0; i < c->count; i++) {
            if (words[c->word[i]].top != c->last || preference(c->word[i]) != wanted) continue;
            columns before = *c;
            take_back(&before, i);
            if (find_order(&before)) return true;
        }
    *find_known(&state) = state;
    if (2 * ++known.used > known.capacity) abort();
    return false;
}

static bool can_be_made(columns c) {
    int excess = 0;
    for (int i = 0; i < c.count; i++) {
        c.stones += words[c.word[i]].length;
        excess += words[c.word[i]].excess;
    }
    if (excess != 0 && excess != 1) return false;
    c.last = excess == 1 ? X : O;
    return find_order_quickly(c) || find_order(&c);
}

/* ---- groups ---- */

/* The groups of a colour in some columns, as sets of cells: how many, and the cells of all. */
typedef struct group_set {
    int count;
    uint32_t common;
} group_set;

/* The cells of the line of four that begins at a cell, if all have the colour; else 0. */
static uint32_t group_at(const int *window, int column, int row, const int *step, int colour) {
    uint32_t cells = 0;
    for (int s = 0; s < 4; s++) {
        int c = column + s * step[0], r = row + s * step[1];
        if (r < 0 || r >= HEIGHT || colour_of(window[c], r) != colour) return 0;
        cells |= 1U << (c * HEIGHT + r);
    }
    return cells;
}

/* Vertical groups of one column alone, other ones if they end in columns from `last` on. */
static group_set find_groups(const int *window, int count, int colour, int vertical, int last) {
    static const int steps[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    group_set found = {0, ~0U};
    for (int s = 0; s < 4; s++)
        for (int column = 0; column + 3 * steps[s][0] < count; column++)
            for (int row = 0; row < HEIGHT; row++) {
                if (s == 0 ? column != vertical : column + 3 < last) continue;
                uint32_t cells = group_at(window, column, row, steps[s], colour);
                if (!cells) continue;
                found.count++;
                found.common &= cells;
            }
    return found;
}

/* Of three columns a, b, c: the words that make no group beside them, as bits. */
static uint32_t allowed[WORDS][WORDS][WORDS];

static uint32_t list_allowed(int a, int b, int c) {
    uint32_t made = 0;
    for (int d = 0; d < WORDS; d++) {
        int window[4] = {a, b, c, d};
        if (!find_groups(window, 4, X, 3, 3).count && !find_groups(window, 4, O, 3, 3).count)
            made |= 1U << d;
    }
    return made;
}

/* The middles, as bits, that complete nothing between three inner columns and their mirror image;
 * and those with which a colour has groups that all contain the top stone of the middle, or of an
 * inner column. Without a middle: bit 0. */
typedef struct middles {
    uint32_t open, by_middle[2], by_inner[2][INNER];
} middles;
static middles between[WORDS][WORDS][WORDS];

static bool is_top_common(const int *window, int column, uint32_t common) {
    int length = words[window[column]].length;
    return length > 0 && (common >> (column * HEIGHT + length - 1) & 1);
}

static void add_middle(const int *inner, int middle, bool is_odd, middles *made) {
    int window[WINDOW], count = 0;
    for (int i = 0; i < INNER; i++) window[count++] = inner[i];
    if (is_odd) window[count++] = middle;
    for (int i = INNER - 1; i >= 0; i--) window[count++] = inner[i];
    int vertical = is_odd ? INNER : -1;
    group_set groups[2];
    for (int colour = O; colour <= X; colour++)
        groups[colour] = find_groups(window, count, colour, vertical, 0);
    if (!groups[O].count && !groups[X].count) made->open |= 1U << middle;
    if (!groups[O].count == !groups[X].count) return;
    int winner = groups[X].count ? X : O;
    if (is_odd && is_top_common(window, INNER, groups[winner].common))
        made->by_middle[winner] |= 1U << middle;
    for (int i = 0; i < INNER; i++)
        if (is_top_common(window, i, groups[winner].common))
            made->by_inner[winner][i] |= 1U << middle;
}

static void list_windows(bool is_odd) {
    memset(between, 0, sizeof between);
    for (int a = 0; a < WORDS; a++)
        for (int b = 0; b < WORDS; b++)
            for (int c = 0; c < WORDS; c++) {
                int inner[INNER] = {a, b, c};
                allowed[a][b][c] = list_allowed(a, b, c);
                for (int middle = 0; middle < (is_odd ? WORDS : 1); middle++)
                    add_middle(inner, middle, is_odd, &between[a][b][c]);
            }
}

/* ---- half boards ---- */

/* Middles that were asked of, as bits, and those with which the board can be made. */
typedef struct answers {
    uint32_t known, yes;
} answers;

/* A half board: its columns in their order, and sorted; its number among all sorted ones. */
typedef struct half_board {
    uint8_t word[HALF], sorted[HALF];
    uint64_t number;
    int stones, excess;
} half_board;

typedef struct enumeration {
    int half, is_odd;
    uint64_t *per_ply;
    answers *whole;    /* of sorted half boards */
    answers *less_one; /* of each and one of its columns, without a stone on one side */
} enumeration;

static uint64_t choose(int n, int k) {
    uint64_t made = 1;
    for (int i = 1; i <= k; i++) made = made * (n - k + i) / i;
    return made;
}

static uint64_t choices[WORDS + HALF][HALF + 1]; /* choose(n, k) */

static void sort_columns(const enumeration *e, half_board *h) {
    h->number = 0;
    h->stones = h->excess = 0;
    for (int i = 0; i < e->half; i++) {
        int at = i;
        for (; at > 0 && h->sorted[at - 1] > h->word[i]; at--) h->sorted[at] = h->sorted[at - 1];
        h->sorted[at] = h->word[i];
        h->stones += words[h->word[i]].length;
        h->excess += words[h->word[i]].excess;
    }
    for (int i = 0; i < e->half; i++) h->number += choices[h->sorted[i] + i][i + 1];
}

/* Can a half board, its image and a middle be made? less: the sorted column that lacks a stone on
 * one side, -1 for none. */
static bool ask(const enumeration *e, const half_board *h, int less, int middle) {
    answers *a =
        less < 0 ? &e->whole[h->number] : &e->less_one[h->number * (unsigned)e->half + less];
    if (!(a->known >> middle & 1)) {
        columns c = {0};
        for (int i = 0; i < e->half; i++) {
            int word = h->sorted[i];
            c.word[c.count++] = (uint8_t)word;
            c.word[c.count++] = (uint8_t)(i == less ? words[word].below : word);
        }
        c.word[c.count++] = (uint8_t)middle;
        a->known |= 1U << middle;
        a->yes |= (uint32_t)can_be_made(c) << middle;
    }
    return a->yes >> middle & 1;
}

/* The last stone is the top one of the middle, or of an inner column. */
static bool can_end(const enumeration *e, const half_board *h, const middles *m, int middle,
                    int last) {
    if (m->by_middle[last] >> middle & 1 && ask(e, h, -1, words[middle].below)) return true;
    for (int i = 0; i < INNER && i < e->half; i++) {
        if (!(m->by_inner[last][INNER - 1 - i] >> middle & 1)) continue;
        int less = 0;
        while (h->sorted[less] != h->word[e->half - 1 - i]) less++;
        if (ask(e, h, less, middle)) return true;
    }
    return false;
}

static void count_half_board(const enumeration *e, half_board *h, const middles *m) {
    uint32_t ends = 0;
    sort_columns(e, h);
    for (int last = O; last <= X; last++) {
        int excess = (last == X) - 2 * h->excess; /* of the middle */
        if (excess < -HEIGHT || excess > HEIGHT) continue;
        ends = m->by_middle[last];
        for (int i = 0; i < INNER; i++) ends |= m->by_inner[last][i];
        uint32_t left = with_excess[excess + HEIGHT] & (m->open | ends) & (e->is_odd ? ~0U : 1);
        for (; left; left &= left - 1) {
            int middle = __builtin_ctz(left);
            bool counts =
                m->open >> middle & 1 ? ask(e, h, -1, middle) : can_end(e, h, m, middle, last);
            e->per_ply[2 * h->stones + words[middle].length] += counts;
        }
    }
}

/* The columns at the edge have empty ones beside them, which complete nothing. */
static void enumerate(const enumeration *e, half_board *h, int column, const int *inner) {
    if (column == e->half) {
        count_half_board(e, h, &between[inner[0]][inner[1]][inner[2]]);
        return;
    }
    uint32_t left = allowed[inner[0]][inner[1]][inner[2]];
    for (; left; left &= left - 1) {
        int next[INNER] = {inner[1], inner[2], __builtin_ctz(left)};
        h->word[column] = (uint8_t)next[INNER - 1];
        enumerate(e, h, column + 1, next);
    }
}

static void *allocate(size_t count, size_t size) {
    void *made = calloc(count, size);
    if (!made) abort();
    return made;
}

void symmetric_positions_count(int width, uint64_t per_ply[SYMMETRIC_PLIES]) {
    enumeration e = {.half = width / 2, .is_odd = width % 2, .per_ply = per_ply};
    half_board h = {0};
    const int edge[INNER] = {0};
    uint64_t sorted = choose(WORDS + e.half - 1, e.half);
    memset(per_ply, 0, SYMMETRIC_PLIES * sizeof *per_ply);
    list_words();
    list_windows(e.is_odd);
    for (int n = 0; n < WORDS + HALF; n++)
        for (int k = 0; k <= HALF; k++) choices[n][k] = k > n ? 0 : choose(n, k);
    e.whole = allocate(sorted, sizeof *e.whole);
    e.less_one = allocate(sorted * (unsigned)e.half, sizeof *e.less_one);
    known.capacity = 1 << 19;
    known.used = 0;
    known.of = allocate(known.capacity, sizeof *known.of);
    enumerate(&e, &h, 0, edge);
    free(known.of);
    free(e.less_one);
    free(e.whole);
}
