/* SPDX-License-Identifier: MIT
 *
 * Pairs of sets of outer columns, by vectors. The words of one outer column that make no group with
 * the columns between are an open set, by balances; so are those of the other. Pairs in order are,
 * for each branch of the class of the columns between, members in one open set and partners in the
 * other one.
 */
#include "tables/count/outer_pairs.h"

_Static_assert(PLB_FEW_ROWS == 13, "of which MAX_CHUNKS speaks");

enum {
    MAX_CHUNKS = 27, /* 13 rows have 1,716 columns of 6 x, and less of other stones */
    SET = MAX_CHUNKS * PLB_WIDE_LANES,
    LEFT = 0,
    RIGHT = 1,
    MAX_LASTS = PLB_MAX_BETWEEN + 1
};

/* An outer column with the columns between. */
typedef struct outer {
    plb_lines lines[2]; /* through all of these, in its rows */
    uint32_t rows[2];   /* where a stone makes a group */
    uint64_t open[PLB_OUTER_BALANCES * SET];
} outer;

/* What is counted at a time. lanes: of words of the left column, or of the empty one. */
typedef struct pairs {
    const plb_outer_columns *o;
    const plb_between *b;
    int lanes;
    outer *outer; /* [LEFT, RIGHT] */
} pairs;

/* ---- sets ---- */

/* Words of a chunk without stones of a colour in these rows. */
PLB_ALWAYS_INLINE plb_lanes without(const pairs *p, int balance, int chunk, int x, uint32_t rows) {
    return plb_rows_without(plb_outer_without(p->o, balance, chunk, x), rows);
}

PLB_ALWAYS_INLINE plb_lanes without_both(const pairs *p, int balance, int chunk,
                                         const uint32_t rows[2]) {
    return without(p, balance, chunk, 0, rows[0]) & without(p, balance, chunk, 1, rows[1]);
}

/* Chunks that words of a balance fill. */
PLB_ALWAYS_INLINE int chunks_of(const pairs *p, int balance) {
    return p->o->chunks == 1 ? 1 : p->o->filled[balance];
}

/* How many words of each lane are in both sets of a balance. */
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

/* The balance of partners, which make the columns even or odd. */
PLB_ALWAYS_INLINE int balance_of_partners(const pairs *p, int balance, bool odd) {
    return odd - p->b->balance - balance - 2 * p->o->least;
}

PLB_ALWAYS_INLINE bool has_balance(const pairs *p, int balance) {
    return balance >= 0 && balance < p->o->balances;
}

/* Add pairs, so many in each lane. */
PLB_ALWAYS_INLINE void add_pairs(plb_lane_counts *sums, int lanes, plb_lane_counts one,
                                 plb_lane_counts other) {
#pragma GCC unroll 8
    for (int i = 0; i < lanes; i++) sums[i] += other * one[i];
}

PLB_ALWAYS_INLINE plb_lanes widen(plb_lane_counts counts) {
    return __builtin_convertvector(counts, plb_lanes);
}

/* ---- open positions, and their last stones ---- */

/* Sums with words of balances of one parity, in registers: of even partners, and of odd. 32 bits
 * are enough: a column of 13 rows has at most 8,192 words in a lane. */
typedef struct partner_sums {
    plb_lane_counts open[2][PLB_WIDE_LANES], ends[2][PLB_WIDE_LANES];
} partner_sums;

/* Words of an outer column that are partners of a branch, by a set of its class, and make the
 * columns even or odd with all their stones. */
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

/* With members on the left: open positions; and with members on either side those whose last stone
 * is the top of the partner. */
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

/* Branches with balances of a parity. */
PLB_ALWAYS_INLINE uint32_t begin_parity(const pairs *p, uint32_t class, int parity) {
    return p->o->first[2 * class + parity];
}

PLB_ALWAYS_INLINE uint32_t end_parity(const pairs *p, uint32_t class, int parity) {
    return p->o->first[2 * class + parity + 1];
}

/* With the top of one of the columns between, of colour x, as the last stone. */
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

/* ---- several stones that complete the same group ---- */

/* A stone on the line that may have been the last: a class without it, or of the growing partners.
 */
typedef struct last_stone {
    uint32_t class;
    bool growing, odd; /* which partners */
} last_stone;

/* A line through the columns between. */
typedef struct line {
    int x;
    int lasts; /* tops of the columns between, and room for one of an outer column */
    last_stone last[MAX_LASTS];
    int top_lane;     /* of words of the outer column whose top is among them */
    int row[2];       /* [LEFT, RIGHT] where a stone makes a group .. */
    bool is_there[2]; /* .. that may be the only one */
} line;

/* Words of an outer column, of a balance, that make a group on the line and no other one; false:
 * there are none. */
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

/* In how many of these sets some words are, less one; in growing ones only those of some lanes. */
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

/* Pairs of words of one outer column, of a balance, and words of the other that make the group. */
PLB_ALWAYS_INLINE void add_repeats(const pairs *p, const line *l, int one, const uint64_t *words,
                                   int other, const uint64_t *on_line) {
    uint64_t of_tops[PLB_WIDE_LANES] = {0}; /* their column is as high as the row of the line */
    of_tops[l->top_lane] = ~0ULL;
    plb_lanes *sums =
        (plb_lanes *)p->b->sums->ends[(one + p->o->least) & 1][(other + p->o->least) & 1];
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

/* All groups on the line, with words of a balance on one outer column: those with a stone of the
 * other; and on the left those with stones of both. */
PLB_ALWAYS_INLINE void count_line(const pairs *p, const line *l, int s, int one) {
    uint64_t on_line[SET], also[SET];
    int other = balance_of_partners(p, one, l->x), other_s = !s;
    if (!has_balance(p, other)) return;
    line with_top = *l;
    int height = l->row[other_s] + 1; /* of a column whose top is on the line */
    if (((other + p->o->least + height) & 1) == 0) {
        with_top.last[with_top.lasts++] = (last_stone){p->b->class, true, l->x};
        with_top.top_lane = plb_outer_lane(height);
    }
    if (with_top.lasts < 2 || !find_on_line(p, l, other_s, other, on_line)) return;
    add_repeats(p, &with_top, one, open_set(p, s, one), other, on_line);
    if (s == LEFT && l->is_there[LEFT] && l->lasts > 1 && find_on_line(p, l, LEFT, one, also))
        add_repeats(p, l, one, also, other, on_line);
}

/* The line through a row of the last column between. */
PLB_ALWAYS_INLINE void count_line_at(const pairs *p, int x, int at) {
    int direction = at / PLB_LINE_ROWS, row = at % PLB_LINE_ROWS, empty = -p->o->least;
    int first = p->o->has_left ? 0 : empty, end = p->o->has_left ? p->o->balances : empty + 1;
    line l = {.x = x, .row = {row - PLB_MAX_BETWEEN * (direction - 1), row + direction - 1}};
    for (int s = p->o->has_left ? LEFT : RIGHT; s <= RIGHT; s++)
        l.is_there[s] =
            l.row[s] >= 0 && l.row[s] < p->o->classes->words->height &&
            plb_lines_alone(p->outer[s].lines[x]) >> (direction * PLB_LINE_ROWS + l.row[s]) & 1;
    for (int c = 0; c < PLB_MAX_BETWEEN; c++)
        if (p->b->top[c] >> at & 1) l.last[l.lasts++] = (last_stone){p->b->before[c], false, !x};
    for (int s = LEFT; s <= RIGHT; s++) /* words of one outer column, the group has the other */
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
    /* beside the empty word only words of two balances are partners */
    int first = p->o->has_left ? 0 : balance_of_partners(p, -p->o->least, false);
    int end = p->o->has_left ? p->o->balances : first + 2;
    for (int b = first < 0 ? 0 : first; b < end && b < p->o->balances; b++)
        for (int c = 0; c < chunks_of(p, b); c++)
            plb_lanes_put(open_set(p, s, b), c, without_both(p, b, c, outer->rows));
}

/* Lanes do not matter for lines: one function for each kind of vectors. */
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

/* Lanes are constants where this is inlined. */
PLB_ALWAYS_INLINE void count_all(const plb_outer_columns *o, const plb_between *between, int count,
                                 int lanes, count_lines_with *lines) {
    outer outer[2];
    pairs p = {o, between, lanes, outer};
    if (!o->has_left) {
        memset(outer[LEFT].open, 0, o->balances * plb_outer_size(o) * sizeof *outer->open);
        *open_set(&p, LEFT, -o->least) = 1; /* the empty word is the first */
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
