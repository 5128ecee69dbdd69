/* SPDX-License-Identifier: MIT
 *
 * Counts pairs with vector instructions. For each outer column there is an *open set*: the words
 * that make no group with the columns between. The pairs that have an order are, for each branch of
 * the class of the columns between, a member in the left open set and a partner in the right one.
 */
#include "tables/count/outer_pairs.h"

_Static_assert(PLB_FEW_ROWS == 13, "MAX_CHUNKS is for 13 rows");

enum {
    MAX_CHUNKS = 27, /* 64 words each: of a length and a balance there are at most 1,716 words */
    SET = MAX_CHUNKS * PLB_WIDE_LANES,
    LEFT = 0,
    RIGHT = 1,
    MAX_LASTS = PLB_MAX_BETWEEN + 1
};

/* An outer column beside one filling of the columns between. */
typedef struct outer {
    plb_lines lines[2]; /* [x] with this colour in every column between; by rows of this column */
    uint32_t rows[2];   /* [x] rows where a stone of this colour completes a group */
    uint64_t open[PLB_OUTER_BALANCES * SET]; /* the open set */
} outer;

/* The pairs of one filling. lanes: of the words of the left column, 1 if it is absent. */
typedef struct pairs {
    const plb_outer_columns *o;
    const plb_between *b;
    int lanes;
    outer *outer; /* [LEFT, RIGHT] */
} pairs;

/* ---- sets ---- */

/* The words of a chunk that have no stone of this colour in these rows, as a bit mask. */
PLB_ALWAYS_INLINE plb_lanes without(const pairs *p, int balance, int chunk, int x, uint32_t rows) {
    return plb_rows_without(plb_outer_without(p->o, balance, chunk, x), rows);
}

PLB_ALWAYS_INLINE plb_lanes without_both(const pairs *p, int balance, int chunk,
                                         const uint32_t rows[2]) {
    return without(p, balance, chunk, 0, rows[0]) & without(p, balance, chunk, 1, rows[1]);
}

/* The number of chunks that have words of this balance. */
PLB_ALWAYS_INLINE int chunks_of(const pairs *p, int balance) {
    return p->o->chunks == 1 ? 1 : p->o->filled[balance];
}

/* The number of words of each lane that are in both sets of a balance. */
PLB_ALWAYS_INLINE plb_lane_counts count_both(const pairs *p, int balance, const uint64_t *a,
                                             const uint64_t *b) {
    plb_lane_counts sum = {0};
    for (int c = 0; c < chunks_of(p, balance); c++)
        sum += plb_lanes_popcount(plb_lanes_at(a, c) & plb_lanes_at(b, c));
    return sum;
}

PLB_ALWAYS_INLINE uint64_t *open_set(const pairs *p, int s, int balance) {
    return p->outer[s].open + balance * plb_outer_size(p->o);
}

/* The balance of the partners of a word that make the number of all stones even or odd. */
PLB_ALWAYS_INLINE int balance_of_partners(const pairs *p, int balance, bool odd) {
    return odd - p->b->balance - balance - 2 * p->o->min_balance;
}

PLB_ALWAYS_INLINE bool has_balance(const pairs *p, int balance) {
    return balance >= 0 && balance < p->o->balances;
}

/* Add the pairs of each lane of one column and each lane of the other. */
PLB_ALWAYS_INLINE void add_pairs(plb_lane_counts *sums, int lanes, plb_lane_counts one,
                                 plb_lane_counts other) {
#pragma GCC unroll 8
    for (int i = 0; i < lanes; i++) sums[i] += other * one[i];
}

PLB_ALWAYS_INLINE plb_lanes widen(plb_lane_counts counts) {
    return __builtin_convertvector(counts, plb_lanes);
}

/* ---- open positions, and their last stones ---- */

/* Sums over branches with an even, or an odd, number of stones, in registers; [odd] of all stones.
 * 32 bits suffice: a column of 13 rows has at most 8,192 words in a lane. */
typedef struct partner_sums {
    plb_lane_counts open[2][PLB_WIDE_LANES], ends[2][PLB_WIDE_LANES];
} partner_sums;

/* The number of partners of a branch in an open set that make the number of stones even or odd.
 * growing, set_is_odd: which set of partners. */
PLB_ALWAYS_INLINE plb_lane_counts count_partners(const pairs *p, const plb_outer_branch *branch,
                                                 int s, bool odd, bool growing, bool set_is_odd) {
    int other = balance_of_partners(p, branch->balance, odd);
    if (!has_balance(p, other)) return (plb_lane_counts){0};
    return count_both(p, other, open_set(p, s, other),
                      plb_outer_partners(p->o, branch->next, growing, set_is_odd));
}

PLB_ALWAYS_INLINE plb_lane_counts count_members(const pairs *p, uint32_t branch, int s) {
    int balance = p->o->branches[branch].balance;
    return count_both(p, balance, open_set(p, s, balance), plb_outer_members(p->o, branch));
}

/* Add the pairs of a branch: open positions, with the member on the left; and those in which the
 * top stone of the partner may be the last, with the member on either side. */
PLB_ALWAYS_INLINE void count_branch(const pairs *p, uint32_t b, partner_sums *sums) {
    const plb_outer_branch *branch = &p->o->branches[b];
    plb_lane_counts left = count_members(p, b, LEFT), right = {0};
    if (p->o->has_left) right = count_members(p, b, RIGHT);
#pragma GCC unroll 2
    for (int odd = 0; odd < 2; odd++) {
        add_pairs(sums->open[odd], p->lanes, left,
                  count_partners(p, branch, RIGHT, odd, false, odd));
        add_pairs(sums->ends[odd], p->lanes, left,
                  count_partners(p, branch, RIGHT, odd, true, odd));
        if (p->o->has_left)
            add_pairs(sums->ends[odd], p->lanes, right,
                      count_partners(p, branch, LEFT, odd, true, odd));
    }
}

/* The range of the branches of a class with an even, or an odd, number of stones. */
PLB_ALWAYS_INLINE uint32_t begin_parity(const pairs *p, uint32_t class, int parity) {
    return p->o->first[2 * class + parity];
}

PLB_ALWAYS_INLINE uint32_t end_parity(const pairs *p, uint32_t class, int parity) {
    return p->o->first[2 * class + parity + 1];
}

/* Add the pairs in which the top stone of a column between, of colour x, may be the last. class: of
 * the columns between without this stone. */
PLB_ALWAYS_INLINE void count_before(const pairs *p, uint32_t class, int parity, bool x,
                                    plb_lane_counts *sums) {
    for (uint32_t b = begin_parity(p, class, parity); b < end_parity(p, class, parity); b++)
        add_pairs(sums, p->lanes, count_members(p, b, LEFT),
                  count_partners(p, &p->o->branches[b], RIGHT, x, false, !x));
}

PLB_ALWAYS_INLINE void count_parity(const pairs *p, int parity) {
    const plb_between *b = p->b;
    partner_sums sums = {0};
    for (uint32_t i = begin_parity(p, b->class, parity); i < end_parity(p, b->class, parity); i++)
        count_branch(p, i, &sums);
    for (int c = 0; c < PLB_MAX_BETWEEN; c++) {
        if (b->x[c])
            count_before(p, b->before[c], parity, true, sums.ends[1]);
        else
            count_before(p, b->before[c], parity, false, sums.ends[0]);
    }
#pragma GCC unroll 2
    for (int odd = 0; odd < 2; odd++) {
        int other = (odd + b->balance + parity) & 1;
        plb_lanes *open = (plb_lanes *)b->sums->open[parity][other];
        plb_lanes *ends = (plb_lanes *)b->sums->ends[parity][other];
#pragma GCC unroll 8
        for (int i = 0; i < p->lanes; i++) {
            open[i] += widen(sums.open[odd][i]);
            ends[i] += widen(sums.ends[odd][i]);
        }
    }
}

/* ---- repeats: several stones that may complete the same groups ---- */

/* A top stone on the line that may be the last, and the partners with which it may. */
typedef struct last_stone {
    uint32_t class;    /* of the columns between, without this stone if it is one of theirs */
    bool growing, odd; /* which set of partners */
} last_stone;

/* A line through the columns between. */
typedef struct line {
    int x;     /* its colour */
    int lasts; /* number of `last`: tops of the columns between, and perhaps of an outer one */
    last_stone last[MAX_LASTS];
    int top_lane;     /* lane of the words whose top stone is the growing one of `last` */
    int row[2];       /* [LEFT, RIGHT] row where the line meets an outer column */
    bool is_there[2]; /* [LEFT, RIGHT] can a stone there complete only groups on this line? */
} line;

/* Find the words of a balance, of an outer column, that make a group on the line and no other.
 * False: there are none. */
PLB_ALWAYS_INLINE bool find_on_line(const pairs *p, const line *l, int s, int balance,
                                    uint64_t *words) {
    uint32_t row = 1U << l->row[s], rows[2] = {p->outer[s].rows[0], p->outer[s].rows[1]};
    plb_lanes any = {0};
    rows[l->x] &= ~row;
    for (int c = 0; c < chunks_of(p, balance); c++) {
        plb_lanes set = without_both(p, balance, c, rows) & ~without(p, balance, c, l->x, row);
        plb_lanes_put(words, c, set);
        any |= set;
    }
    return !plb_lanes_are_zero(any);
}

/* The number of these sets that a word is in, less one, summed over `words` by lanes. growing: mask
 * for the sets of growing partners. */
PLB_ALWAYS_INLINE plb_lanes count_repeats(const pairs *p, const line *l, int balance,
                                          const uint64_t *words, const uint64_t *const *sets,
                                          plb_lanes growing) {
    plb_lane_counts sum = {0};
    for (int c = 0; c < chunks_of(p, balance); c++) {
        plb_lanes any = {0}, of = plb_lanes_at(words, c);
        for (int i = 0; i < l->lasts; i++) {
            plb_lanes set = plb_lanes_at(sets[i], c) & of;
            if (l->last[i].growing) set &= growing;
            sum += plb_lanes_popcount(set);
            any |= set;
        }
        sum -= plb_lanes_popcount(any);
    }
    return widen(sum);
}

/* Add the repeats of the pairs of `words`, of balance `one` of an outer column, and `on_line`, of
 * balance `other` of the other column. */
PLB_ALWAYS_INLINE void add_repeats(const pairs *p, const line *l, int one, const uint64_t *words,
                                   int other, const uint64_t *on_line) {
    uint64_t of_tops[PLB_WIDE_LANES] = {0}; /* words whose top stone is on the line */
    of_tops[l->top_lane] = ~0ULL;
    plb_lanes *sums =
        (plb_lanes *)
            p->b->sums->ends[(one + p->o->min_balance) & 1][(other + p->o->min_balance) & 1];
    for (int lane = 0; lane < chunks_of(p, one) * PLB_WIDE_LANES; lane++)
        for (uint64_t left = words[lane]; left; left &= left - 1) {
            const uint64_t *sets[MAX_LASTS];
            int word = plb_outer_word(p->o, one, lane * 64 + plb_lowest(left)), live = 0;
            for (int i = 0; i < l->lasts; i++) {
                const last_stone *last = &l->last[i];
                uint32_t class = plb_outer_next(p->o, last->class, word);
                live += class != PLB_DEAD_CLASS;
                sets[i] = plb_outer_partners(p->o, class, last->growing, last->odd);
            }
            if (live > 1)
                sums[lane % PLB_WIDE_LANES] +=
                    count_repeats(p, l, other, on_line, sets, plb_lanes_at(of_tops, 0));
        }
}

/* Add the repeats of the line, for words of balance `one` in outer column s: if only the other
 * outer column has a stone that completes a group; and, once for both values of s, if both have
 * one. */
PLB_ALWAYS_INLINE void count_line(const pairs *p, const line *l, int s, int one) {
    uint64_t on_line[SET], also[SET];
    int other = balance_of_partners(p, one, l->x), other_s = !s;
    if (!has_balance(p, other)) return;
    line with_top = *l;
    int height = l->row[other_s] + 1; /* of an outer column whose top stone is on the line */
    if (((other + p->o->min_balance + height) & 1) == 0) {
        with_top.last[with_top.lasts++] = (last_stone){p->b->class, true, l->x};
        with_top.top_lane = plb_outer_lane(height);
    }
    if (with_top.lasts < 2 || !find_on_line(p, l, other_s, other, on_line)) return;
    add_repeats(p, &with_top, one, open_set(p, s, one), other, on_line);
    if (s == LEFT && l->is_there[LEFT] && l->lasts > 1 && find_on_line(p, l, LEFT, one, also))
        add_repeats(p, l, one, also, other, on_line);
}

/* Add the repeats of the line with bit `at`, by rows of the last column between. */
PLB_ALWAYS_INLINE void count_line_at(const pairs *p, int x, int at) {
    int direction = at / PLB_LINE_ROWS, row = at % PLB_LINE_ROWS, empty = -p->o->min_balance;
    int first = p->o->has_left ? 0 : empty, end = p->o->has_left ? p->o->balances : empty + 1;
    line l = {.x = x, .row = {row - PLB_MAX_BETWEEN * (direction - 1), row + direction - 1}};
    for (int s = p->o->has_left ? LEFT : RIGHT; s <= RIGHT; s++)
        l.is_there[s] =
            l.row[s] >= 0 && l.row[s] < p->o->classes->words->height &&
            plb_lines_alone(p->outer[s].lines[x]) >> (direction * PLB_LINE_ROWS + l.row[s]) & 1;
    for (int c = 0; c < PLB_MAX_BETWEEN; c++)
        if (p->b->top[c] >> at & 1) l.last[l.lasts++] = (last_stone){p->b->before[c], false, !x};
    for (int s = LEFT; s <= RIGHT; s++) /* the group has a stone of the outer column !s */
        for (int one = first; one < end && l.is_there[!s]; one++) count_line(p, &l, s, one);
}

PLB_ALWAYS_INLINE void count_lines(const pairs *p) {
    const plb_between *b = p->b;
    for (int x = 0; x < 2; x++)
        for (plb_lines ends = b->lines[x] & (b->top[0] | b->top[1] | b->top[2]); ends;
             ends &= ends - 1)
            count_line_at(p, x, plb_lowest(ends));
}

/* ---- columns between ---- */

PLB_ALWAYS_INLINE void open_outer(const pairs *p, int s) {
    outer *outer = &p->outer[s];
    uint32_t height = (uint32_t)plb_low_bits(p->o->classes->words->height);
    for (int x = 0; x < 2; x++) {
        outer->lines[x] =
            s == RIGHT ? plb_lines_next(p->b->lines[x]) : plb_lines_before(p->b->lines[x]);
        outer->rows[x] = plb_lines_rows(outer->lines[x]) & height;
    }
    /* if the left column is absent, partners have only two balances */
    int first = p->o->has_left ? 0 : balance_of_partners(p, -p->o->min_balance, false);
    int end = p->o->has_left ? p->o->balances : first + 2;
    for (int b = first < 0 ? 0 : first; b < end && b < p->o->balances; b++)
        for (int c = 0; c < chunks_of(p, b); c++)
            plb_lanes_put(open_set(p, s, b), c, without_both(p, b, c, outer->rows));
}

/* count_lines does not depend on the number of lanes: one function for each kind of vectors. */
typedef void count_lines_with(const pairs *p);

static void count_lines_any(const pairs *p) {
    count_lines(p);
}

PLB_AVX2 static void count_lines_avx2(const pairs *p) {
    count_lines(p);
}

PLB_AVX512 static void count_lines_avx512(const pairs *p) {
    count_lines(p);
}

/* `lanes` is a constant wherever this is inlined. */
PLB_ALWAYS_INLINE void count_all(const plb_outer_columns *o, const plb_between *between, int count,
                                 int lanes, count_lines_with *lines) {
    outer outer[2];
    pairs p = {o, between, lanes, outer};
    if (!o->has_left) {
        memset(outer[LEFT].open, 0, o->balances * plb_outer_size(o) * sizeof *outer->open);
        *open_set(&p, LEFT, -o->min_balance) = 1; /* the empty word is the first */
    }
    for (; p.b < between + count; p.b++) {
        for (int s = o->has_left ? LEFT : RIGHT; s <= RIGHT; s++) open_outer(&p, s);
        for (int parity = 0; parity <= (o->has_left ? 1 : 0); parity++) count_parity(&p, parity);
        lines(&p);
    }
}

PLB_ALWAYS_INLINE void count_shapes(const plb_outer_columns *o, const plb_between *between,
                                    int count, count_lines_with *lines) {
    int lanes = plb_outer_lane(o->classes->words->height) + 1;
    if (!o->has_left)
        count_all(o, between, count, 1, lines);
    else if (lanes <= 3)
        count_all(o, between, count, 3, lines);
    else if (lanes <= 5)
        count_all(o, between, count, 5, lines);
    else
        count_all(o, between, count, 7, lines);
}

PLB_AVX2 static void count_avx2(const plb_outer_columns *o, const plb_between *between, int count) {
    count_shapes(o, between, count, count_lines_avx2);
}

PLB_AVX512 static void count_avx512(const plb_outer_columns *o, const plb_between *between,
                                    int count) {
    count_shapes(o, between, count, count_lines_avx512);
}

void plb_outer_pairs_count(const plb_outer_columns *outer, const plb_between *between, int count,
                           plb_vectors vectors) {
    if (vectors == PLB_AVX512_VECTORS)
        count_avx512(outer, between, count);
    else if (vectors == PLB_AVX2_VECTORS)
        count_avx2(outer, between, count);
    else
        count_shapes(outer, between, count, count_lines_any);
}
