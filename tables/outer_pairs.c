/* SPDX-License-Identifier: MIT
 *
 * Pairs of sets of outer columns, by vectors. The words of one outer column that make no group with
 * the three are an open set, by balances; so are those of the other. Pairs in order are, for each
 * group of the class of the three, members in one open set and partners in the other one.
 */
#include "tables/outer_pairs.h"

#include "tables/lane_block.h"

_Static_assert(PLB_LACKS_ROWS == 13, "of which MOST_CHUNKS speaks");

enum {
    MOST_CHUNKS = 27, /* 13 rows have 1,716 columns of 6 x, and less of other stones */
    SET = MOST_CHUNKS * PLB_WIDE_LANES,
    SIDES = 2
};

/* One of the two outer columns with the three others. */
typedef struct side {
    plb_lines lines[2]; /* through all three, in its rows */
    uint32_t rows[2];   /* where a stone makes a group */
    uint64_t open[PLB_OUTER_BALANCES * SET];
} side;

/* Three columns with the outer ones. chunks and lanes: of words of a balance. */
typedef struct pairs {
    const plb_outer_columns *o;
    const plb_outer_three *t;
    int chunks, lanes;
    side *sides; /* [SIDES] */
} pairs;

/* ---- sets ---- */

/* Words of a chunk without stones of a colour in these rows. */
PLB_ALWAYS_INLINE plb_block lacking(const pairs *p, int balance, int chunk, int x, uint32_t rows) {
    return plb_block_lacking(plb_outer_lacks(p->o, balance, chunk, x), rows);
}

PLB_ALWAYS_INLINE plb_block lacking_both(const pairs *p, int balance, int chunk,
                                         const uint32_t rows[2]) {
    return lacking(p, balance, chunk, 0, rows[0]) & lacking(p, balance, chunk, 1, rows[1]);
}

/* Chunks that words of a balance fill. */
PLB_ALWAYS_INLINE int chunks_of(const pairs *p, int balance) {
    return p->chunks == 1 ? 1 : p->o->filled[balance];
}

/* How many words of each lane are in both sets of a balance. */
PLB_ALWAYS_INLINE plb_block count_both(const pairs *p, int balance, const uint64_t *a,
                                       const uint64_t *b) {
    plb_block sum = {0};
    for (int c = 0; c < chunks_of(p, balance); c++)
        sum += plb_block_popcount(plb_block_at(a, c) & plb_block_at(b, c));
    return sum;
}

PLB_ALWAYS_INLINE uint64_t *open_set(const pairs *p, int s, int balance) {
    return p->sides[s].open + (size_t)balance * p->chunks * PLB_WIDE_LANES;
}

/* The balance of partners, which make the columns even or odd. */
PLB_ALWAYS_INLINE int balance_of_partners(const pairs *p, int balance, bool odd) {
    return odd - p->t->balance - balance - 2 * p->o->least;
}

PLB_ALWAYS_INLINE bool has_balance(const pairs *p, int balance) {
    return balance >= 0 && balance < p->o->balances;
}

/* ---- sums ---- */

/* Those of words of two balances: the number of stones is odd where the balance is. */
PLB_ALWAYS_INLINE plb_block *sums_of(const pairs *p, plb_lane_sums sums[2][2], int one, int other) {
    return (plb_block *)sums[(one + p->o->least) & 1][(other + p->o->least) & 1];
}

/* Add pairs, so many in each lane. */
PLB_ALWAYS_INLINE void add_pairs(plb_block *sums, int lanes, plb_block one, plb_block other) {
    uint64_t times[PLB_WIDE_LANES];
    plb_block_put(times, 0, one);
#pragma GCC unroll 8
    for (int i = 0; i < lanes; i++) sums[i] += plb_block_times(other, times[i]);
}

/* ---- open positions, and their last stones ---- */

/* Sums with words of balances of one parity, in registers: of even partners, and of odd. */
typedef struct partner_sums {
    plb_block open[2][PLB_WIDE_LANES], ends[2][PLB_WIDE_LANES];
} partner_sums;

/* Words of a side that are partners of a group and make the columns even or odd: with all their
 * stones, or `before` with one less. */
PLB_ALWAYS_INLINE plb_block count_partners(const pairs *p, const plb_outer_group *group, int s,
                                           bool growing, bool before, bool odd) {
    int other = balance_of_partners(p, group->balance, odd);
    if (!has_balance(p, other)) return (plb_block){0};
    return count_both(p, other, open_set(p, s, other),
                      plb_outer_partners(p->o, group->next, growing, odd != before));
}

/* With the first outer column on a side; open positions, unless those are counted with the other
 * one; and the top of the second one as the last stone. */
PLB_ALWAYS_INLINE void count_group(const pairs *p, uint32_t g, int s, bool ends,
                                   partner_sums *sums) {
    const plb_outer_group *group = &p->o->groups[g];
    plb_block members =
        count_both(p, group->balance, open_set(p, s, group->balance), plb_outer_members(p->o, g));
#pragma GCC unroll 2
    for (int odd = 0; odd < 2; odd++) {
        if (s == 0)
            add_pairs(sums->open[odd], p->lanes, members,
                      count_partners(p, group, !s, false, false, odd));
        if (ends)
            add_pairs(sums->ends[odd], p->lanes, members,
                      count_partners(p, group, !s, true, false, odd));
    }
}

/* Groups of balances of a parity. */
PLB_ALWAYS_INLINE uint32_t begin_parity(const pairs *p, uint32_t class, int parity) {
    return plb_outer_first(p->o, class, parity ? p->o->evens : 0);
}

/* With the top of one of the three, of colour x, as the last stone. */
PLB_ALWAYS_INLINE void count_before(const pairs *p, uint32_t class, int parity, bool x,
                                    plb_block *sums) {
    uint32_t end = begin_parity(p, class + parity, !parity);
    for (uint32_t g = begin_parity(p, class, parity); g < end; g++) {
        const plb_outer_group *group = &p->o->groups[g];
        plb_block members = count_both(p, group->balance, open_set(p, 0, group->balance),
                                       plb_outer_members(p->o, g));
        add_pairs(sums, p->lanes, members, count_partners(p, group, 1, false, true, x));
    }
}

PLB_ALWAYS_INLINE void count_parity(const pairs *p, int parity, bool open_only) {
    const plb_outer_three *t = p->t;
    uint32_t end = begin_parity(p, t->class + parity, !parity);
    partner_sums sums = {0};
    for (uint32_t g = begin_parity(p, t->class, parity); g < end; g++) {
        count_group(p, g, 0, !open_only, &sums);
        if (!open_only) count_group(p, g, 1, true, &sums);
    }
    for (int c = 0; c < PLB_OUTER_BETWEEN && !open_only; c++) {
        if (t->x[c])
            count_before(p, t->before[c], parity, true, sums.ends[1]);
        else
            count_before(p, t->before[c], parity, false, sums.ends[0]);
    }
#pragma GCC unroll 2
    for (int odd = 0; odd < 2; odd++) {
        int other = (odd + t->balance + parity) & 1;
        plb_block *open = (plb_block *)t->sums->open[parity][other];
        plb_block *ends = (plb_block *)t->sums->ends[parity][other];
#pragma GCC unroll 8
        for (int i = 0; i < p->lanes; i++) {
            open[i] += sums.open[odd][i];
            ends[i] += sums.ends[odd][i];
        }
    }
}

/* ---- several stones that complete the same group ---- */

/* A line through the three columns. */
typedef struct line {
    int x;
    int tops;                           /* how many top stones of the three lie on it .. */
    uint32_t before[PLB_OUTER_BETWEEN]; /* .. and classes without one of these */
    int row[SIDES];                     /* of an outer column, where a stone makes a group .. */
    bool is_there[SIDES];               /* .. that may be the only one */
} line;

/* Words of a side and of a balance, and what balance their partners have. */
typedef struct line_words {
    int s, one, other;
    uint64_t on_line[SET];     /* that make a group on the line, and no other one */
    uint64_t of_partners[SET]; /* such words of the partners, on side 1 */
    plb_block lanes;           /* of the words whose top is not on the line: all ones */
} line_words;

/* None, if the side makes no group there. */
PLB_ALWAYS_INLINE void find_on_line(const pairs *p, const line *l, int s, int balance,
                                    uint64_t *words) {
    uint32_t row = l->is_there[s] ? 1U << l->row[s] : 0, rows[2];
    for (int x = 0; x < 2; x++) rows[x] = p->sides[s].rows[x];
    rows[l->x] &= ~row;
    for (int c = 0; c < chunks_of(p, balance); c++)
        plb_block_put(words, c,
                      lacking_both(p, balance, c, rows) & ~lacking(p, balance, c, l->x, row));
}

/* How many of some words are in all of these sets. */
PLB_ALWAYS_INLINE plb_block count_common(const pairs *p, int balance, const uint64_t *words,
                                         const uint64_t *const *sets, int count) {
    plb_block sum = {0};
    for (int c = 0; c < chunks_of(p, balance); c++) {
        plb_block set = plb_block_at(words, c);
        for (int i = 0; i < count; i++) set &= plb_block_at(sets[i], c);
        sum += plb_block_popcount(set);
    }
    return sum;
}

/* In how many of these sets some words are, less one: last stones that complete the same group. */
PLB_ALWAYS_INLINE plb_block count_repeats(const pairs *p, int balance, const uint64_t *words,
                                          const uint64_t *const *sets, int count) {
    plb_block sum = {0};
    for (int c = 0; c < chunks_of(p, balance); c++) {
        plb_block any = {0}, of = plb_block_at(words, c);
        for (int i = 0; i < count; i++) {
            plb_block set = plb_block_at(sets[i], c) & of;
            sum += plb_block_popcount(set);
            any |= set;
        }
        sum -= plb_block_popcount(any);
    }
    return sum;
}

/* Partners of a class of three and a word, with which the stone of the line is still to come. */
PLB_ALWAYS_INLINE const uint64_t *partners_before(const pairs *p, const line *l, uint32_t class,
                                                  int word) {
    uint32_t next = plb_column_class_next(p->o->classes, PLB_OUTER_BETWEEN, class, word);
    return plb_outer_partners(p->o, next, false, !l->x);
}

/* Words whose top is on the line, one by one: it may have been the last stone, too. */
PLB_ALWAYS_INLINE void repeat_tops(const pairs *p, const line *l, const line_words *w) {
    const plb_column_word *items = p->o->classes->words->items;
    int lane = plb_outer_lane(l->row[w->s] + 1);
    plb_block sum = {0};
    for (int c = 0; c < chunks_of(p, w->one); c++)
        for (uint64_t left = w->on_line[c * PLB_WIDE_LANES + lane]; left; left &= left - 1) {
            int word = plb_outer_word(p->o, w->one, c, lane, plb_lowest(left));
            const uint64_t *sets[PLB_OUTER_BETWEEN + 1];
            for (int i = 0; i < l->tops; i++) sets[i] = partners_before(p, l, l->before[i], word);
            sets[l->tops] = partners_before(p, l, p->t->class, items[word].below);
            sum += count_repeats(p, w->other, open_set(p, !w->s, w->other), sets, l->tops + 1);
        }
    sums_of(p, p->t->sums->ends, w->one, w->other)[lane] += sum;
}

/* Words that are in a group of each of several classes: each of so many tops of the three may have
 * been the last stone. */
PLB_ALWAYS_INLINE void repeat_members(const pairs *p, const line *l, const line_words *w,
                                      const uint32_t *groups, int count) {
    const uint64_t *members[PLB_OUTER_BETWEEN], *partners[PLB_OUTER_BETWEEN];
    plb_block *sums = sums_of(p, p->t->sums->ends, w->one, w->other);
    for (int i = 0; i < count; i++) {
        members[i] = plb_outer_members(p->o, groups[i]);
        partners[i] = plb_outer_partners(p->o, p->o->groups[groups[i]].next, false, !l->x);
    }
    plb_block of_one = count_common(p, w->one, w->on_line, members, count);
    /* one stone less than there are is too many: of two or three, all pairs but all three */
    if (count == 3) of_one = -of_one;
    add_pairs(sums, p->lanes, of_one & w->lanes,
              count_common(p, w->other, open_set(p, !w->s, w->other), partners, count));
    if (w->s == 0 && l->is_there[1])
        add_pairs(sums, p->lanes, of_one,
                  count_common(p, w->other, w->of_partners, partners, count));
}

PLB_ALWAYS_INLINE void repeat_two(const pairs *p, const line *l, const line_words *w,
                                  uint32_t before, uint32_t also) {
    uint32_t end[2] = {plb_outer_end(p->o, before, w->one), plb_outer_end(p->o, also, w->one)};
    uint32_t g[2];
    for (g[0] = plb_outer_begin(p->o, before, w->one); g[0] < end[0]; g[0]++)
        for (g[1] = plb_outer_begin(p->o, also, w->one); g[1] < end[1]; g[1]++)
            repeat_members(p, l, w, g, 2);
}

PLB_ALWAYS_INLINE void repeat_three(const pairs *p, const line *l, const line_words *w) {
    uint32_t g[3], first[3], end[3];
    for (int i = 0; i < 3; i++) {
        first[i] = plb_outer_begin(p->o, l->before[i], w->one);
        end[i] = plb_outer_end(p->o, l->before[i], w->one);
    }
    for (g[0] = first[0]; g[0] < end[0]; g[0]++)
        for (g[1] = first[1]; g[1] < end[1]; g[1]++)
            for (g[2] = first[2]; g[2] < end[2]; g[2]++) repeat_members(p, l, w, g, 3);
}

/* All groups on the line in which a side has a stone, with those of both sides on side 0. */
PLB_ALWAYS_INLINE void count_line(const pairs *p, const line *l, int s) {
    int height = l->row[s] + 1;
    for (int one = 0; one < p->o->balances; one++) {
        bool may_end = ((one + p->o->least + height) & 1) == 0;
        line_words w; /* not cleared: that would take longer than what is done */
        w.s = s, w.one = one, w.other = balance_of_partners(p, one, l->x);
        uint64_t lanes[PLB_WIDE_LANES];
        if (!has_balance(p, w.other) || (l->tops == 1 && !may_end)) continue;
        find_on_line(p, l, s, one, w.on_line);
        if (may_end) repeat_tops(p, l, &w);
        if (l->tops == 1) continue;
        find_on_line(p, l, 1, w.other, w.of_partners);
        for (int i = 0; i < PLB_WIDE_LANES; i++)
            lanes[i] = may_end && i == plb_outer_lane(height) ? 0 : ~0ULL;
        w.lanes = plb_block_at(lanes, 0);
        for (int i = 0; i < l->tops; i++)
            for (int j = 0; j < i; j++) repeat_two(p, l, &w, l->before[i], l->before[j]);
        if (l->tops == 3) repeat_three(p, l, &w);
    }
}

/* The line through a row of the third column. */
PLB_ALWAYS_INLINE line line_at(const pairs *p, int x, int at) {
    int direction = at / PLB_LINE_ROWS, row = at % PLB_LINE_ROWS;
    line l = {.x = x, .row = {row - PLB_OUTER_BETWEEN * (direction - 1), row + direction - 1}};
    for (int c = 0; c < PLB_OUTER_BETWEEN; c++)
        if (p->t->top[c] >> at & 1) l.before[l.tops++] = p->t->before[c];
    for (int s = 0; s < SIDES; s++) {
        plb_lines alone = plb_lines_alone(p->sides[s].lines[x]);
        l.is_there[s] = l.row[s] >= 0 && l.row[s] < p->o->classes->words->height &&
                        alone >> (direction * PLB_LINE_ROWS + l.row[s]) & 1;
    }
    return l;
}

PLB_ALWAYS_INLINE void count_lines(const pairs *p) {
    const plb_outer_three *t = p->t;
    for (int x = 0; x < 2; x++) {
        plb_lines ends = t->lines[x] & (t->top[0] | t->top[1] | t->top[2]);
        for (; ends; ends &= ends - 1) {
            line l = line_at(p, x, plb_lowest(ends));
            for (int s = 0; s < SIDES; s++)
                if (l.is_there[s]) count_line(p, &l, s);
        }
    }
}

/* ---- three columns ---- */

PLB_ALWAYS_INLINE void open_side(const pairs *p, int s) {
    side *side = &p->sides[s];
    uint32_t height = (uint32_t)plb_low_bits(p->o->classes->words->height);
    for (int x = 0; x < 2; x++) {
        side->lines[x] = s ? plb_lines_next(p->t->lines[x]) : plb_lines_before(p->t->lines[x]);
        side->rows[x] = plb_lines_rows(side->lines[x]) & height;
    }
    for (int b = 0; b < p->o->balances; b++)
        for (int c = 0; c < chunks_of(p, b); c++)
            plb_block_put(open_set(p, s, b), c, lacking_both(p, b, c, side->rows));
}

PLB_ALWAYS_INLINE void count_threes(const plb_outer_columns *o, int chunks, int lanes,
                                    const plb_outer_three *threes, int count, bool open_only) {
    side sides[SIDES];
    pairs p = {o, NULL, chunks, lanes, sides};
    for (int i = 0; i < count; i++) {
        p.t = &threes[i];
        for (int s = 0; s < SIDES; s++) open_side(&p, s);
        for (int parity = 0; parity < 2; parity++) count_parity(&p, parity, open_only);
        if (!open_only) count_lines(&p);
    }
}

/* The compiler makes code of its own for few lanes and chunks. */
PLB_ALWAYS_INLINE void count_shapes(const plb_outer_columns *o, const plb_outer_three *threes,
                                    int count, bool open_only) {
    int lanes = plb_outer_lane(o->classes->words->height) + 1;
    if (o->chunks == 1 && lanes <= 4)
        count_threes(o, 1, 4, threes, count, open_only);
    else if (o->chunks == 1)
        count_threes(o, 1, 5, threes, count, open_only);
    else if (lanes <= 5)
        count_threes(o, o->chunks, 5, threes, count, open_only);
    else if (lanes <= 6)
        count_threes(o, o->chunks, 6, threes, count, open_only);
    else
        count_threes(o, o->chunks, PLB_WIDE_LANES, threes, count, open_only);
}

#ifdef PLB_LANES_AVX2
void plb_outer_pairs_count_avx2(const plb_outer_columns *outer, const plb_outer_three *threes,
                                int count, bool open_only) {
    count_shapes(outer, threes, count, open_only);
}
#else
PLB_AVX512 static void count_avx512(const plb_outer_columns *o, const plb_outer_three *threes,
                                    int count, bool open_only) {
    count_shapes(o, threes, count, open_only);
}

void plb_outer_pairs_count(const plb_outer_columns *outer, const plb_outer_three *threes, int count,
                           bool open_only, plb_vectors vectors) {
    if (vectors == PLB_AVX512_VECTORS) count_avx512(outer, threes, count, open_only);
#ifdef __x86_64__
    else if (vectors == PLB_AVX2_VECTORS)
        plb_outer_pairs_count_avx2(outer, threes, count, open_only);
#endif
    else
        count_shapes(outer, threes, count, open_only);
}
#endif
