/* SPDX-License-Identifier: MIT
 *
 * The pairs of a case are, for each branch of its kind, a member in one outer column and a partner
 * in the other. The numbers of both depend on the rows of one column alone, so they are counted
 * once for all cases with these rows, and multiplied for each case.
 */
#include "tables/count/pair_cases.h"

#include <stdlib.h>

#include "tables/array.h"
#include "tables/vocabulary.h"

enum {
    MIN_CASES = 1 << 12,
    MAX_CASES = 1 << 16,
    FILLING_CASES = 64,     /* cases of a filling, at most; and rows */
    MAX_FILLINGS = 1 << 26, /* more might exceed 31 bits */
    MAX_ROWS = 1 << 12,
    ROW_SLOTS = 2 * MAX_ROWS,
    ROW_BYTES = 1 << 21, /* of all rows, about */
    SETS = 4             /* of the partners of a class: [growing][odd] */
};

/* Members that lead from the columns between to the same classes, and their partners. */
typedef struct plb_pair_branch {
    const uint64_t *members, *partners[SETS];
    uint32_t rows;      /* TOP: of the only member, below its top */
    int balance;        /* of the members */
    int of_partners[2]; /* balance of the partners: [odd]; of an order: [0] */
} branch;

/* Rows of an outer column. */
typedef struct plb_pair_rows {
    uint32_t rows;
    uint32_t found;   /* bit mask of the balances whose words are in `open` */
    uint32_t of_kind; /* 1 + the kind of the counts; 0: there are none */
} column_rows;

/* ---- rows ---- */

/* Lanes with words, of the left and the right column, and chunks of each balance: constants
 * wherever this is inlined. chunks 0: only those that have words, and not constant. */
typedef struct lanes {
    int left, right, chunks;
} lanes;

/* Find the words of a balance that an outer column with these rows may hold. */
PLB_ALWAYS_INLINE void find_open(const plb_outer_columns *o, column_rows *rows, int balance,
                                 int chunks, uint64_t *open) {
    uint32_t o_rows = rows->rows & (uint32_t)plb_low_bits(PLB_FEW_ROWS);
    uint32_t x_rows = rows->rows >> PLB_FEW_ROWS;
    rows->found |= 1U << balance;
    for (int c = 0; c < chunks; c++)
        plb_lanes_put(open, c,
                      plb_rows_without(plb_outer_without(o, balance, c, 0), o_rows) &
                          plb_rows_without(plb_outer_without(o, balance, c, 1), x_rows));
}

/* The number of these words, by lanes, that are in a set. open: of all balances. */
PLB_ALWAYS_INLINE plb_lane_counts count_set(const plb_outer_columns *o, lanes l, column_rows *rows,
                                            uint64_t *open, int balance, const uint64_t *set) {
    plb_lane_counts sums = {0};
    if ((unsigned)balance >= (unsigned)o->balances) return sums;
    int chunks = l.chunks ? l.chunks : o->filled[balance];
    open += balance * (l.chunks ? (size_t)l.chunks * PLB_OUTER_LANES : plb_outer_size(o));
    if (!(rows->found >> balance & 1)) find_open(o, rows, balance, chunks, open);
    for (int c = chunks; c > 0; c--, open += PLB_OUTER_LANES, set += PLB_OUTER_LANES)
#pragma GCC unroll 8
        for (int i = 0; i < l.right; i++) sums[i] += (uint32_t)plb_popcount(open[i] & set[i]);
    return sums;
}

/* The counts of rows for the kind. */
PLB_ALWAYS_INLINE const plb_lane_counts *count_rows(const plb_pair_cases *k, lanes l, uint32_t kind,
                                                    uint32_t number) {
    const plb_outer_columns *o = k->outer;
    int count = k->branch_count, sets = kind ? 1 : SETS;
    plb_lane_counts *counts = k->counts + (size_t)number * (1 + sets) * count;
    uint64_t *open = k->open + (size_t)number * o->balances * plb_outer_size(o);
    column_rows *rows = &k->rows[number];
    if (rows->of_kind == 1 + kind) return counts;
    rows->of_kind = 1 + kind;
    for (int i = 0; i < count; i++) {
        const branch *b = &k->branches[i];
        if (b->members) counts[i] = count_set(o, l, rows, open, b->balance, b->members);
        for (int s = 0; s < sets; s++)
            counts[(1 + s) * count + i] =
                count_set(o, l, rows, open, b->of_partners[s & 1], b->partners[s]);
    }
    return counts;
}

/* ---- cases ---- */

/* Add the pairs of members and partners of the branches of a parity, by lanes: below 2^26. */
PLB_ALWAYS_INLINE void multiply(const plb_pair_cases *k, int left, int parity,
                                const plb_lane_counts *members, const plb_lane_counts *partners,
                                plb_lane_counts *sums) {
    int end = parity ? k->branch_count : k->evens;
    for (int b = parity ? k->evens : 0; b < end; b++) {
        const plb_lane_counts one = members[b], other = partners[b];
#pragma GCC unroll 8
        for (int i = 0; i < left; i++) sums[i] += other * one[i];
    }
}

PLB_ALWAYS_INLINE void add_lanes(int lanes, plb_lane_counts sums, int times, uint64_t *to) {
#pragma GCC unroll 8
    for (int i = 0; i < lanes; i++) to[i] += (uint64_t)((int64_t)(int32_t)sums[i] * times);
}

PLB_ALWAYS_INLINE void add_times(lanes of, const plb_lane_counts *sums, int times,
                                 plb_lane_sums to) {
#pragma GCC unroll 8
    for (int i = 0; i < of.left; i++) add_lanes(of.right, sums[i], times, to[i]);
}

/* Add a case of the class, for branches of a parity; odd: the number of all stones. */
PLB_ALWAYS_INLINE void count_class_case(const plb_pair_cases *k, lanes l, const plb_pair_case *c,
                                        const plb_lane_counts *const of[2], int parity, int odd) {
    plb_pair_sums *sums = &k->sums[c->sums];
    int other = (odd + k->balance + parity) & 1;
    plb_lane_counts pairs[PLB_OUTER_LANES] = {{0}}, ends[PLB_OUTER_LANES] = {{0}};
    multiply(k, l.left, parity, of[0], of[1] + (1 + odd) * k->branch_count, pairs);
    if (c->next_ends[!odd]) add_times(l, pairs, c->next_ends[!odd], sums[1].ends[parity][other]);
    if (c->times == 0) return;
    add_times(l, pairs, c->times, sums->open[parity][other]);
    multiply(k, l.left, parity, of[0], of[1] + (3 + odd) * k->branch_count, ends);
    if (k->outer->has_left)
        multiply(k, l.left, parity, of[1], of[0] + (3 + odd) * k->branch_count, ends);
    add_times(l, ends, c->times, sums->ends[parity][other]);
}

/* Add a case of an order TWO or ALL, for branches of a parity. */
PLB_ALWAYS_INLINE void count_order_case(const plb_pair_cases *k, lanes l, const plb_pair_case *c,
                                        const plb_lane_counts *const of[2], int parity, int odd) {
    int other = (odd + k->balance + parity) & 1;
    plb_lane_counts pairs[PLB_OUTER_LANES] = {{0}};
    multiply(k, l.left, parity, of[0], of[1] + k->branch_count, pairs);
    add_times(l, pairs, c->times, k->sums[c->sums].ends[parity][other]);
}

/* Add a case of an order TOP. */
PLB_ALWAYS_INLINE void count_top_case(const plb_pair_cases *k, lanes l, const plb_pair_case *c,
                                      const plb_lane_counts *of, const plb_pair_order *order) {
    int height = order->row + 1, other = (order->x + k->balance + height) & 1;
    plb_lane_counts pairs = {0};
    for (int b = 0; b < k->branch_count; b++)
        if ((k->branches[b].rows & c->rows[1]) == 0) pairs += of[k->branch_count + b];
    add_lanes(l.right, pairs, c->times,
              k->sums[c->sums].ends[height & 1][other][plb_outer_lane(height)]);
}

PLB_ALWAYS_INLINE void count_cases(const plb_pair_cases *k, lanes l, uint32_t kind) {
    const plb_pair_order *order = kind ? plb_tuple_set_at(&k->orders, kind - 1) : NULL;
    const plb_pair_case *items = k->items, *c;
    for (uint32_t i = k->first[kind]; i; i = c->next) {
        c = &items[i - 1];
        const plb_lane_counts *of[2] = {count_rows(k, l, kind, c->number[0])};
        if (order && order->lasts == PLB_PAIRS_TOP) {
            count_top_case(k, l, c, of[0], order);
            continue;
        }
        of[1] = count_rows(k, l, kind, c->number[1]);
        for (int parity = 0; parity < 2; parity++)
            if (order)
                count_order_case(k, l, c, of, parity, order->x);
            else
                for (int odd = 0; odd < 2; odd++) count_class_case(k, l, c, of, parity, odd);
    }
}

PLB_ALWAYS_INLINE void count_lanes(const plb_pair_cases *k, uint32_t kind) {
    int height = k->outer->classes->words->height;
    if (!k->outer->has_left)
        count_cases(k, (lanes){1, PLB_OUTER_LANES, 0}, kind);
    else if (height < 6)
        count_cases(k, (lanes){3, 3, 1}, kind);
    else if (height < 8)
        count_cases(k, (lanes){4, 4, 1}, kind);
    else
        count_cases(k, (lanes){PLB_OUTER_LANES, PLB_OUTER_LANES, 0}, kind);
}

PLB_AVX2 static void count_avx2(const plb_pair_cases *k, uint32_t kind) {
    count_lanes(k, kind);
}

static void count_any(const plb_pair_cases *k, uint32_t kind) {
    count_lanes(k, kind);
}

/* ---- branches ---- */

/* Balance of the partners of columns with a balance, all from min_balance on. odd: the number of
 * all stones. */
static int balance_of_partners(const plb_pair_cases *k, int balance, int odd) {
    return odd - k->balance - balance - 2 * k->outer->min_balance;
}

static void class_branches(plb_pair_cases *k) {
    const uint32_t *first = k->outer->first + 2 * (size_t)k->class;
    k->branch_count = (int)(first[2] - first[0]);
    k->evens = (int)(first[1] - first[0]);
    for (int i = 0; i < k->branch_count; i++) {
        const plb_outer_branch *from = &k->outer->branches[first[0] + i];
        branch *b = &k->branches[i];
        *b = (branch){.balance = from->balance,
                      .members = plb_outer_members(k->outer, first[0] + i)};
        for (int odd = 0; odd < 2; odd++)
            b->of_partners[odd] = balance_of_partners(k, b->balance, odd);
        for (int set = 0; set < SETS; set++)
            b->partners[set] = plb_outer_partners(k->outer, from->next, set >> 1, set & 1);
    }
}

/* The words in order with a class of the columns between and a word of an outer column. */
static const uint64_t *words_beside(const plb_pair_cases *k, uint32_t class, int word, bool odd) {
    const plb_outer_columns *o = k->outer;
    if (o->has_left) return plb_outer_partners(o, plb_outer_next(o, class, word), false, odd);
    bool is_partner =
        plb_outer_partners(o, class, false, odd)[o->places[word] / 64] >> (o->places[word] % 64) &
        1;
    uint32_t empty = is_partner ? class : PLB_DEAD_CLASS;
    return empty ? plb_outer_members(o, o->first[2 * empty]) : plb_outer_partners(o, 0, false, 0);
}

/* A branch for each word of the right column that has the stone on top. */
static void top_branches(plb_pair_cases *k, const plb_pair_order *order) {
    const plb_column_words *words = k->outer->classes->words;
    size_t size = plb_outer_size(k->outer);
    for (int w = 1; w < words->count && words->items[w].stones <= order->row + 1; w++) {
        const plb_column_word *word = &words->items[w], *below = &words->items[word->below];
        int balance = balance_of_partners(k, word->balance - k->outer->min_balance, order->x);
        uint64_t *partners = k->words + k->branch_count * size, any = 0;
        if (word->stones <= order->row || plb_column_word_x_on_top(word) != order->x) continue;
        if (balance < 0 || balance >= k->outer->balances) continue;
        if (!k->outer->has_left && balance != -k->outer->min_balance) continue;
        memset(partners, 0, size * sizeof *partners);
        for (int c = 0; c < PLB_MAX_BETWEEN && order->before[c]; c++) {
            const uint64_t *more = words_beside(k, order->before[c], w, !order->x);
            for (size_t i = 0; i < size; i++) partners[i] |= more[i];
        }
        const uint64_t *all = words_beside(k, k->class, word->below, !order->x);
        for (size_t i = 0; i < size; i++) any |= partners[i] &= all[i];
        if (!any) continue;
        uint32_t rows = plb_pair_rows(plb_column_word_stones(below, 0), below->x);
        k->branches[k->branch_count++] =
            (branch){.partners = {partners}, .of_partners = {balance}, .rows = rows};
    }
}

/* The words that are in two, or in all, of these sets. */
static void find_common(const plb_pair_cases *k, const plb_pair_order *order,
                        const uint32_t next[PLB_MAX_BETWEEN], uint64_t *words) {
    const uint64_t *of[PLB_MAX_BETWEEN];
    for (int c = 0; c < PLB_MAX_BETWEEN; c++)
        of[c] = plb_outer_partners(k->outer, next[c], false, !order->x);
    for (size_t i = 0; i < plb_outer_size(k->outer); i++) {
        uint64_t a = of[0][i], b = of[1][i], c = of[2][i];
        words[i] = order->lasts == PLB_PAIRS_ALL ? a & b & c : (a & b) | (a & c) | (b & c);
    }
}

static int order_branches(plb_pair_cases *k, const plb_pair_order *order) {
    size_t size = plb_outer_size(k->outer);
    const plb_column_words *words = k->outer->classes->words;
    int needed = order->lasts == PLB_PAIRS_ALL ? 3 : 2;
    plb_tuple_set_clear(&k->next);
    for (int parity = 0; parity < 2; parity++) {
        if (parity) k->evens = k->branch_count;
        for (int w = 0; w < (k->outer->has_left ? words->count : 1); w++) {
            uint32_t next[PLB_MAX_BETWEEN] = {0};
            int live = 0, balance = words->items[w].balance - k->outer->min_balance;
            if (words->items[w].stones % 2 != parity) continue;
            for (int c = 0; c < PLB_MAX_BETWEEN && order->before[c]; c++) {
                next[c] = plb_outer_next(k->outer, order->before[c], w);
                live += next[c] != PLB_DEAD_CLASS;
            }
            if (live < needed) continue;
            int64_t number = plb_tuple_set_add(&k->next, next);
            if (number < 0) return (int)number;
            uint64_t *members = k->words + 2 * (size_t)number * size;
            if (number == k->branch_count) {
                memset(members, 0, size * sizeof *members);
                find_common(k, order, next, members + size);
                k->branches[k->branch_count++] =
                    (branch){.members = members,
                             .partners = {members + size},
                             .balance = balance,
                             .of_partners = {balance_of_partners(k, balance, order->x)}};
            }
            members[k->outer->places[w] / 64] |= 1ULL << k->outer->places[w] % 64;
        }
    }
    return PLB_OK;
}

/* ---- all cases ---- */

static int count_kind(plb_pair_cases *k, uint32_t kind) {
    const plb_pair_order *order = kind ? plb_tuple_set_at(&k->orders, kind - 1) : NULL;
    int error = PLB_OK;
    k->branch_count = 0;
    if (!order)
        class_branches(k);
    else if (order->lasts == PLB_PAIRS_TOP)
        top_branches(k, order);
    else
        error = order_branches(k, order);
    uint64_t counts = (uint64_t)k->row_count * (1 + (kind ? 1 : SETS)) * k->branch_count;
    if (error || k->branch_count == 0) return error;
    if (counts > k->counts_capacity && !PLB_ARRAY_RESIZE(k->counts, counts)) return PLB_ENOMEM;
    k->counts_capacity = plb_max(k->counts_capacity, counts);
    (k->vectors == PLB_ANY_VECTORS ? count_any : count_avx2)(k, kind);
    return PLB_OK;
}

int plb_pair_cases_count(plb_pair_cases *k) {
    uint64_t open = (uint64_t)k->row_count * k->outer->balances * plb_outer_size(k->outer);
    if (open > k->open_capacity && !PLB_ARRAY_RESIZE(k->open, open)) return PLB_ENOMEM;
    k->open_capacity = plb_max(k->open_capacity, open);
    int error = PLB_OK;
    for (uint32_t kind = 0; kind <= k->orders.count && !error; kind++) error = count_kind(k, kind);
    memset(k->first, 0, (1 + k->orders.count) * sizeof *k->first);
    for (uint32_t i = 0; i < k->count; i++) k->slots[k->items[i].slot] = 0;
    memset(k->row_slots, 0, ROW_SLOTS * sizeof *k->row_slots);
    plb_tuple_set_clear(&k->orders);
    k->count = k->row_count = k->fillings = 0;
    return error;
}

/* ---- adding cases ---- */

bool plb_pair_cases_accept(plb_pair_cases *k) {
    const uint32_t *first = k->outer->first + 2 * (size_t)k->class;
    size_t counts = (1 + SETS) * (size_t)(first[2] - first[0]) * sizeof *k->counts;
    size_t bytes = counts + k->outer->balances * plb_outer_size(k->outer) * sizeof *k->open;
    uint32_t rows = k->row_count + FILLING_CASES;
    bool has_room = rows <= 4 * FILLING_CASES || (rows <= MAX_ROWS && rows * bytes <= ROW_BYTES);
    return has_room && k->count + FILLING_CASES <= k->max_cases && k->fillings++ < MAX_FILLINGS;
}

int64_t plb_pair_cases_order(plb_pair_cases *k, const plb_pair_order *order) {
    int64_t number = plb_tuple_set_add(&k->orders, order);
    return number < 0 ? number : number + 1;
}

/* The number of rows, which are added if they are new. */
static uint32_t number_rows(plb_pair_cases *k, uint32_t rows) {
    for (uint32_t at = rows * 0x9E3779B1U >> 16;; at++) {
        uint16_t *slot = &k->row_slots[at % ROW_SLOTS];
        if (!*slot) {
            k->rows[k->row_count] = (column_rows){.rows = rows};
            *slot = (uint16_t)++k->row_count;
        }
        if (k->rows[*slot - 1].rows == rows) return *slot - 1U;
    }
}

static plb_pair_case *add_case(plb_pair_cases *k, const plb_pair_case *c) {
    plb_pair_case *added = &k->items[k->count++];
    *added = *c;
    for (int s = 0; s < 2; s++)
        if (c->rows[s] >> 31 == 0) added->number[s] = number_rows(k, c->rows[s]);
    added->next = k->first[c->kind];
    k->first[c->kind] = k->slots[c->slot] = k->count;
    return added;
}

/* Which column is which does not matter, so the rows are sorted. */
plb_pair_case *plb_pair_cases_find(plb_pair_cases *k, const uint32_t rows[2], uint32_t kind,
                                   uint32_t sums) {
    uint32_t low = rows[rows[0] > rows[1]], high = rows[rows[0] <= rows[1]];
    uint64_t hash = (low | (uint64_t)high << 32) ^ ((uint64_t)kind << 24 ^ sums) << 20;
    for (uint64_t at = hash * 0x9E3779B97F4A7C15ULL >> 40;; at++) {
        uint32_t slot = (uint32_t)at & (2 * k->max_cases - 1), number = k->slots[slot];
        if (!number) return add_case(k, &(plb_pair_case){{low, high}, kind, sums, .slot = slot});
        plb_pair_case *c = &k->items[number - 1];
        if (c->rows[0] == low && c->rows[1] == high && c->kind == kind && c->sums == sums) return c;
    }
}

int plb_pair_cases_begin(plb_pair_cases *k) {
    uint64_t words = k->outer->classes->words->count;
    for (k->max_cases = MIN_CASES; k->max_cases < plb_min(MAX_CASES, words * words);)
        k->max_cases *= 2;
    k->orders.bytes = sizeof(plb_pair_order);
    k->next.bytes = PLB_MAX_BETWEEN * sizeof(uint32_t);
    k->items = malloc(k->max_cases * sizeof *k->items);
    k->slots = calloc(2 * (size_t)k->max_cases, sizeof *k->slots);
    k->first = calloc(k->max_cases + 1, sizeof *k->first);
    k->rows = malloc(MAX_ROWS * sizeof *k->rows);
    k->row_slots = calloc(ROW_SLOTS, sizeof *k->row_slots);
    k->branches = malloc(words * sizeof *k->branches);
    k->words = malloc(2 * words * plb_outer_size(k->outer) * sizeof *k->words);
    bool is_made = k->items && k->slots && k->first && k->rows && k->row_slots && k->branches;
    return is_made && k->words ? PLB_OK : PLB_ENOMEM;
}

void plb_pair_cases_end(plb_pair_cases *k) {
    plb_tuple_set_free(&k->orders);
    plb_tuple_set_free(&k->next);
    void *arrays[] = {k->items,    k->slots, k->first, k->rows,  k->row_slots,
                      k->branches, k->words, k->open,  k->counts};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
}
