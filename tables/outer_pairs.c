/* SPDX-License-Identifier: MIT
 *
 * Pairs of sets of outer columns, by vectors. The words of one outer column that make no group with
 * the three are an open set, by balances; so are those of the other. Pairs in order are, for each
 * group of the class of the three, members in one open set and partners in the other one.
 */
#include "tables/outer_pairs.h"

#include <string.h>

#include "tables/lane_block.h"

_Static_assert(PLB_LACKS_ROWS == 13, "of which MOST_CHUNKS speaks");

enum {
    MOST_CHUNKS = 27, /* 13 rows have 1,716 columns of 6 x, and less of other stones */
    SET = MOST_CHUNKS * PLB_WIDE_LANES
};

/* Words of each side that make no group, by balances. */
typedef struct open_sets {
    uint64_t of[PLB_OUTER_SIDES][PLB_OUTER_BALANCES * SET];
} open_sets;

/* A task with the outer columns. chunks and lanes: of words of a balance. */
typedef struct pairs {
    const plb_outer_columns *o;
    const plb_outer_task *t;
    uint32_t times;
    int chunks, lanes;
    open_sets *open;
} pairs;

/* ---- sets ---- */

/* Words of a chunk without stones of a colour in these rows. */
PLB_ALWAYS_INLINE plb_block lacking(const pairs *p, int balance, int chunk, int x, uint32_t rows) {
    return plb_block_lacking(plb_outer_lacks(p->o, balance, chunk, x), rows);
}

PLB_ALWAYS_INLINE plb_block lacking_both(const pairs *p, int balance, int chunk,
                                         const uint16_t rows[2]) {
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
    return p->open->of[s] + (size_t)balance * p->chunks * PLB_WIDE_LANES;
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

/* So many in each lane, as often as the task is to be done. */
PLB_ALWAYS_INLINE plb_block all_times(const pairs *p, plb_block block) {
    return plb_block_times(block, p->times);
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
    plb_block members = all_times(p, count_both(p, group->balance, open_set(p, s, group->balance),
                                                plb_outer_members(p->o, g)));
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

PLB_ALWAYS_INLINE uint32_t end_parity(const pairs *p, uint32_t class, int parity) {
    return begin_parity(p, class + parity, !parity);
}

PLB_ALWAYS_INLINE void add_sums(const pairs *p, plb_block *to, const plb_block *sums) {
#pragma GCC unroll 8
    for (int i = 0; i < p->lanes; i++) to[i] += sums[i];
}

/* Those of words of balances of a parity, and of partners that make the columns even or odd. */
PLB_ALWAYS_INLINE plb_block *sums_of_parity(const pairs *p, plb_lane_sums sums[2][2], int parity,
                                            int odd) {
    return (plb_block *)sums[parity][(odd + p->t->balance + parity) & 1];
}

PLB_ALWAYS_INLINE void count_open(const pairs *p, int parity, bool open_only) {
    uint32_t class = p->t->class, end = end_parity(p, class, parity);
    partner_sums sums = {0};
    for (uint32_t g = begin_parity(p, class, parity); g < end; g++) {
        count_group(p, g, 0, !open_only, &sums);
        if (!open_only) count_group(p, g, 1, true, &sums);
    }
#pragma GCC unroll 2
    for (int odd = 0; odd < 2; odd++) {
        add_sums(p, sums_of_parity(p, p->t->sums->open, parity, odd), sums.open[odd]);
        if (!open_only)
            add_sums(p, sums_of_parity(p, p->t->sums->ends, parity, odd), sums.ends[odd]);
    }
}

/* With the top of one of the three, of colour x, as the last stone. */
PLB_ALWAYS_INLINE void count_top(const pairs *p, int parity, bool x) {
    uint32_t class = p->t->class, end = end_parity(p, class, parity);
    plb_block sums[PLB_WIDE_LANES] = {0};
    for (uint32_t g = begin_parity(p, class, parity); g < end; g++) {
        const plb_outer_group *group = &p->o->groups[g];
        plb_block members =
            all_times(p, count_both(p, group->balance, open_set(p, 0, group->balance),
                                    plb_outer_members(p->o, g)));
        add_pairs(sums, p->lanes, members, count_partners(p, group, 1, false, true, x));
    }
    add_sums(p, sums_of_parity(p, p->t->sums->ends, parity, x), sums);
}

/* ---- several stones that complete the same group ---- */

/* Words of a side and of a balance, and what balance their partners have. */
typedef struct line_words {
    int s, one, other;
    uint64_t on_line[SET];     /* that make a group on the line, and no other one */
    uint64_t of_partners[SET]; /* such words of the partners, on side 1 */
    plb_block lanes;           /* of the words whose top is not on the line: all ones */
} line_words;

/* None, if the side makes no group there. */
PLB_ALWAYS_INLINE void find_on_line(const pairs *p, int s, int balance, uint64_t *words) {
    uint32_t row = p->t->row[s] >= 0 ? 1U << p->t->row[s] : 0;
    uint16_t rows[2] = {p->t->rows[s][0], p->t->rows[s][1]};
    rows[p->t->x] &= (uint16_t)~row;
    for (int c = 0; c < chunks_of(p, balance); c++)
        plb_block_put(words, c,
                      lacking_both(p, balance, c, rows) & ~lacking(p, balance, c, p->t->x, row));
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
PLB_ALWAYS_INLINE const uint64_t *partners_before(const pairs *p, uint32_t class, int word) {
    uint32_t next = plb_column_class_next(p->o->classes, PLB_OUTER_BETWEEN, class, word);
    return plb_outer_partners(p->o, next, false, !p->t->x);
}

/* Words whose top is on the line, one by one: it may have been the last stone, too. */
PLB_ALWAYS_INLINE void repeat_tops(const pairs *p, const line_words *w) {
    const plb_column_word *items = p->o->classes->words->items;
    int lane = plb_outer_lane(p->t->row[w->s] + 1), tops = p->t->tops;
    plb_block sum = {0};
    for (int c = 0; c < chunks_of(p, w->one); c++)
        for (uint64_t left = w->on_line[c * PLB_WIDE_LANES + lane]; left; left &= left - 1) {
            int word = plb_outer_word(p->o, w->one, c, lane, plb_lowest(left));
            const uint64_t *sets[PLB_OUTER_BETWEEN + 1];
            for (int i = 0; i < tops; i++) sets[i] = partners_before(p, p->t->before[i], word);
            sets[tops] = partners_before(p, p->t->class, items[word].below);
            sum += count_repeats(p, w->other, open_set(p, !w->s, w->other), sets, tops + 1);
        }
    sums_of(p, p->t->sums->ends, w->one, w->other)[lane] += all_times(p, sum);
}

/* Words that are in a group of each of several classes: each of so many tops of the three may have
 * been the last stone. */
PLB_ALWAYS_INLINE void repeat_members(const pairs *p, const line_words *w, const uint32_t *groups,
                                      int count) {
    const uint64_t *members[PLB_OUTER_BETWEEN], *partners[PLB_OUTER_BETWEEN];
    plb_block *sums = sums_of(p, p->t->sums->ends, w->one, w->other);
    for (int i = 0; i < count; i++) {
        members[i] = plb_outer_members(p->o, groups[i]);
        partners[i] = plb_outer_partners(p->o, p->o->groups[groups[i]].next, false, !p->t->x);
    }
    plb_block of_one = all_times(p, count_common(p, w->one, w->on_line, members, count));
    /* one stone less than there are is too many: of two or three, all pairs but all three */
    if (count == 3) of_one = -of_one;
    add_pairs(sums, p->lanes, of_one & w->lanes,
              count_common(p, w->other, open_set(p, !w->s, w->other), partners, count));
    if (w->s == 0 && p->t->row[1] >= 0)
        add_pairs(sums, p->lanes, of_one,
                  count_common(p, w->other, w->of_partners, partners, count));
}

PLB_ALWAYS_INLINE void repeat_two(const pairs *p, const line_words *w, uint32_t before,
                                  uint32_t also) {
    uint32_t end[2] = {plb_outer_end(p->o, before, w->one), plb_outer_end(p->o, also, w->one)};
    uint32_t g[2];
    for (g[0] = plb_outer_begin(p->o, before, w->one); g[0] < end[0]; g[0]++)
        for (g[1] = plb_outer_begin(p->o, also, w->one); g[1] < end[1]; g[1]++)
            repeat_members(p, w, g, 2);
}

PLB_ALWAYS_INLINE void repeat_three(const pairs *p, const line_words *w) {
    uint32_t g[3], first[3], end[3];
    for (int i = 0; i < 3; i++) {
        first[i] = plb_outer_begin(p->o, p->t->before[i], w->one);
        end[i] = plb_outer_end(p->o, p->t->before[i], w->one);
    }
    for (g[0] = first[0]; g[0] < end[0]; g[0]++)
        for (g[1] = first[1]; g[1] < end[1]; g[1]++)
            for (g[2] = first[2]; g[2] < end[2]; g[2]++) repeat_members(p, w, g, 3);
}

/* All groups on the line in which a side has a stone, with those of both sides on side 0. */
PLB_ALWAYS_INLINE void count_line(const pairs *p, int s) {
    const plb_outer_task *t = p->t;
    int height = t->row[s] + 1;
    for (int one = 0; one < p->o->balances; one++) {
        bool may_end = ((one + p->o->least + height) & 1) == 0;
        line_words w; /* not cleared: that would take longer than what is done */
        w.s = s, w.one = one, w.other = balance_of_partners(p, one, t->x);
        uint64_t lanes[PLB_WIDE_LANES];
        if (!has_balance(p, w.other) || (t->tops == 1 && !may_end)) continue;
        find_on_line(p, s, one, w.on_line);
        if (may_end) repeat_tops(p, &w);
        if (t->tops == 1) continue;
        find_on_line(p, 1, w.other, w.of_partners);
        for (int i = 0; i < PLB_WIDE_LANES; i++)
            lanes[i] = may_end && i == plb_outer_lane(height) ? 0 : ~0ULL;
        w.lanes = plb_block_at(lanes, 0);
        for (int i = 0; i < t->tops; i++)
            for (int j = 0; j < i; j++) repeat_two(p, &w, t->before[i], t->before[j]);
        if (t->tops == 3) repeat_three(p, &w);
    }
}

/* ---- tasks ---- */

PLB_ALWAYS_INLINE void open_side(const pairs *p, int s) {
    for (int b = 0; b < p->o->balances; b++)
        for (int c = 0; c < chunks_of(p, b); c++)
            plb_block_put(open_set(p, s, b), c, lacking_both(p, b, c, p->t->rows[s]));
}

PLB_ALWAYS_INLINE void do_task(const pairs *p, bool open_only) {
    const plb_outer_task *t = p->t;
    for (int parity = 0; parity < 2; parity++) {
        if (t->what == PLB_OUTER_OPEN) count_open(p, parity, open_only);
        /* the compiler makes code of its own for each colour */
        if (t->what == PLB_OUTER_TOP && t->x) count_top(p, parity, true);
        if (t->what == PLB_OUTER_TOP && !t->x) count_top(p, parity, false);
    }
    for (int s = 0; s < PLB_OUTER_SIDES; s++)
        if (t->what == PLB_OUTER_LINE && t->row[s] >= 0) count_line(p, s);
}

/* What sets are open is found once for tasks in a row. */
PLB_ALWAYS_INLINE void do_tasks(const plb_outer_columns *o, int chunks, int lanes,
                                const plb_outer_batch *b) {
    open_sets open;
    for (uint32_t i = 0; i < b->count; i++) {
        const plb_outer_task *t = &b->tasks[i];
        pairs p = {o, t, b->times[i], chunks, lanes, &open};
        for (int s = 0; s < PLB_OUTER_SIDES; s++)
            if (i == 0 || memcmp(t->rows[s], t[-1].rows[s], sizeof t->rows[s]) != 0)
                open_side(&p, s);
        do_task(&p, b->open_only);
    }
}

PLB_ALWAYS_INLINE int lanes_of(const plb_outer_columns *o) {
    return plb_outer_lane(o->classes->words->height) + 1;
}

/* The compiler makes code of its own for few lanes and chunks. */
PLB_ALWAYS_INLINE void do_batch(const plb_outer_columns *o, const plb_outer_batch *b) {
    int lanes = lanes_of(o);
    if (o->chunks == 1 && lanes <= 4)
        do_tasks(o, 1, 4, b);
    else if (o->chunks == 1)
        do_tasks(o, 1, 5, b);
    else if (lanes <= 5)
        do_tasks(o, o->chunks, 5, b);
    else if (lanes <= 6)
        do_tasks(o, o->chunks, 6, b);
    else
        do_tasks(o, o->chunks, PLB_WIDE_LANES, b);
}

#ifdef PLB_LANES_AVX2
void plb_outer_pairs_count_avx2(const plb_outer_columns *outer, const plb_outer_batch *batch) {
    do_batch(outer, batch);
}
#else
/* Without vectors code of its own is many times as long, and takes the compiler as much longer:
 * only for the smallest boards. */
static void do_batch_by_lanes(const plb_outer_columns *o, const plb_outer_batch *b) {
    if (o->chunks == 1 && lanes_of(o) <= 4)
        do_tasks(o, 1, 4, b);
    else
        do_tasks(o, o->chunks, lanes_of(o), b);
}

PLB_AVX512 static void count_avx512(const plb_outer_columns *o, const plb_outer_batch *b) {
    do_batch(o, b);
}

void plb_outer_pairs_count(const plb_outer_columns *outer, const plb_outer_batch *batch,
                           plb_vectors vectors) {
    if (vectors == PLB_AVX512_VECTORS) count_avx512(outer, batch);
#ifdef __x86_64__
    else if (vectors == PLB_AVX2_VECTORS)
        plb_outer_pairs_count_avx2(outer, batch);
#endif
    else
        do_batch_by_lanes(outer, batch);
}
#endif
