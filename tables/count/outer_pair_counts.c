/* SPDX-License-Identifier: MIT
 *
 * Pairs of sets of outer columns, by vectors. The words of one outer column that make no group with
 * the three are an open set, by balances; so are those of the other. Pairs in order are, for each
 * group of the class of the three, members in one open set and partners in the other one: numbers
 * of both are counted once for each set, and multiplied.
 */
#include "tables/count/outer_pair_counts.h"

#include <string.h>

#include "tables/count/simd_lanes.h"

_Static_assert(PLB_LACKS_ROWS == 13, "of which MOST_CHUNKS speaks");

enum {
    MOST_CHUNKS = 27, /* 13 rows have 1,716 columns of 6 x, and less of other stones */
    SET = MOST_CHUNKS * PLB_WIDE_LANES
};

/* A batch with the outer columns. */
typedef struct pairs {
    const plb_outer_columns *o;
    const plb_outer_batch *b;
    int lanes; /* of words of a balance */
} pairs;

/* ---- sets ---- */

/* Words of a chunk without stones of a colour in these rows. */
PLB_ALWAYS_INLINE plb_block lacking(const pairs *p, int balance, int chunk, int x, uint32_t rows) {
    return plb_block_lacking(plb_outer_lacks(p->o, balance, chunk, x), rows);
}

PLB_ALWAYS_INLINE plb_block lacking_both(const pairs *p, int balance, int chunk,
                                         const plb_outer_rows *rows) {
    return lacking(p, balance, chunk, 0, rows->of[0]) & lacking(p, balance, chunk, 1, rows->of[1]);
}

/* Chunks that words of a balance fill. */
PLB_ALWAYS_INLINE int chunks_of(const pairs *p, int balance) {
    return p->o->filled[balance];
}

/* The words of a balance that make no group. */
PLB_ALWAYS_INLINE void find_open(const pairs *p, int balance, const plb_outer_rows *rows,
                                 uint64_t *words) {
    for (int c = 0; c < chunks_of(p, balance); c++)
        plb_block_put(words, c, lacking_both(p, balance, c, rows));
}

/* How many words of each lane are in both sets of a balance. */
PLB_ALWAYS_INLINE plb_block count_both(const pairs *p, int balance, const uint64_t *a,
                                       const uint64_t *b) {
    plb_block sum = {0};
    for (int c = 0; c < chunks_of(p, balance); c++)
        sum += plb_block_popcount(plb_block_at(a, c) & plb_block_at(b, c));
    return sum;
}

/* The balance of partners, which make the columns even or odd. */
PLB_ALWAYS_INLINE int balance_of_partners(const pairs *p, int balance, bool odd) {
    return odd - p->b->balance - balance - 2 * p->o->least;
}

PLB_ALWAYS_INLINE bool has_balance(const pairs *p, int balance) {
    return balance >= 0 && balance < p->o->balances;
}

/* ---- what is counted once for some rows ---- */

/* Counts of a step: where those of members are, and of partners, even or odd, or those of them that
 * may be last. */
enum { OF_MEMBERS = 0, OF_PARTNERS = 1, OF_LASTS = 3 };

static inline size_t counts_at(int of) {
    return (size_t)of * PLB_OUTER_LANES * 2;
}

/* Groups of balances of a parity. */
static inline uint32_t begin_parity(const plb_outer_columns *o, uint32_t class, int parity) {
    return plb_outer_first(o, class, parity ? o->evens : 0);
}

static inline uint32_t end_parity(const plb_outer_columns *o, uint32_t class, int parity) {
    return begin_parity(o, class + parity, !parity);
}

static inline size_t steps_of_parity(const plb_outer_columns *o, uint32_t class, int parity) {
    return (end_parity(o, class, parity) - begin_parity(o, class, parity) + 1) / 2;
}

static inline size_t steps_of(const plb_outer_columns *o, uint32_t class) {
    return steps_of_parity(o, class, 0) + steps_of_parity(o, class, 1);
}

/* Those of a group, the first one or the second one of a step. */
PLB_ALWAYS_INLINE void put_counts(const pairs *p, plb_block counts, uint16_t *to) {
    uint64_t lanes[PLB_WIDE_LANES];
    plb_block_put(lanes, 0, counts);
    for (int i = 0; i < p->lanes; i++) to[2 * i] = (uint16_t)lanes[i];
}

PLB_ALWAYS_INLINE void count_group(const pairs *p, uint32_t g, const uint64_t *open, uint16_t *to) {
    const plb_outer_group *group = &p->o->groups[g];
    size_t size = plb_outer_size(p->o);
    put_counts(
        p, count_both(p, group->balance, open + group->balance * size, plb_outer_members(p->o, g)),
        to + counts_at(OF_MEMBERS));
    for (int odd = 0; odd < 2; odd++) {
        int other = balance_of_partners(p, group->balance, odd);
        if (!has_balance(p, other)) continue;
        for (int last = 0; last < 2 - p->b->open_only; last++)
            put_counts(p,
                       count_both(p, other, open + other * size,
                                  plb_outer_partners(p->o, group->next, last, odd)),
                       to + counts_at((last ? OF_LASTS : OF_PARTNERS) + odd));
    }
}

/* counts: zeros. */
PLB_ALWAYS_INLINE void count_rows(const pairs *p, const plb_outer_rows *rows, uint16_t *counts) {
    uint64_t open[PLB_OUTER_BALANCES * SET];
    for (int balance = 0; balance < p->o->balances; balance++)
        find_open(p, balance, rows, open + balance * plb_outer_size(p->o));
    for (int parity = 0; parity < 2; parity++) {
        uint32_t first = begin_parity(p->o, p->b->class, parity);
        uint32_t end = end_parity(p->o, p->b->class, parity);
        for (uint32_t g = first; g < end; g++)
            count_group(p, g, open, counts + (g - first) / 2 * PLB_OUTER_COUNTS + (g - first) % 2);
        counts += steps_of_parity(p->o, p->b->class, parity) * PLB_OUTER_COUNTS;
    }
}

/* ---- pairs ---- */

/* Pairs by lanes, [of one][of the other]. */
typedef struct products {
    plb_half_block of[PLB_OUTER_LANES];
} products;

PLB_ALWAYS_INLINE void add_products(int lanes, const uint16_t *one, const uint16_t *other,
                                    products *to) {
#pragma GCC unroll 8
    for (int i = 0; i < lanes; i++) to->of[i] += plb_half_products(other, one + 2 * i);
}

/* All steps of a parity: so many. */
PLB_ALWAYS_INLINE products multiply(int lanes, size_t steps, const uint16_t *one,
                                    const uint16_t *other) {
    products all;
#pragma GCC unroll 8
    for (int i = 0; i < lanes; i++) all.of[i] = (plb_half_block){0};
    for (size_t i = 0; i < steps * PLB_OUTER_COUNTS; i += PLB_OUTER_COUNTS)
        add_products(lanes, one + i, other + i, &all);
    return all;
}

/* Add them so many times. */
PLB_ALWAYS_INLINE void add_times(int lanes, const products *all, uint32_t times,
                                 plb_lane_sums sums) {
#pragma GCC unroll 8
    for (int i = 0; i < lanes; i++)
        plb_block_add(sums[i], plb_block_times(plb_block_widened(all->of[i]), times));
}

/* Sums of words of balances of a parity, and of partners that make the columns even or odd. */
PLB_ALWAYS_INLINE uint64_t (*sums_of_parity(const pairs *p, plb_lane_sums sums[2][2], int parity,
                                            int odd))[PLB_OUTER_LANES] {
    return sums[parity][(odd + p->b->balance + parity) & 1];
}

/* Counts of both sides. */
typedef struct sides {
    const uint16_t *of[PLB_OUTER_SIDES];
} sides;

/* With all their stones: open positions; or those in which a stone x of the three is still to come,
 * if the columns are even, or a stone o, if they are odd. */
PLB_ALWAYS_INLINE void count_pairs(const pairs *p, const plb_outer_pair *pair, const sides *s,
                                   int parity, int odd) {
    bool x = !odd;
    if (!pair->open && !pair->ends[x][0] && !pair->ends[x][1]) return;
    products all =
        multiply(p->lanes, steps_of_parity(p->o, p->b->class, parity),
                 s->of[0] + counts_at(OF_MEMBERS), s->of[1] + counts_at(OF_PARTNERS + odd));
    if (pair->open)
        add_times(p->lanes, &all, pair->open, sums_of_parity(p, p->b->sums->open, parity, odd));
    for (int fills = 0; fills < 2; fills++)
        if (pair->ends[x][fills])
            add_times(p->lanes, &all, pair->ends[x][fills],
                      sums_of_parity(p, p->b->more[fills]->ends, parity, odd));
}

/* Whose last stone is on an outer column. */
PLB_ALWAYS_INLINE void count_ends(const pairs *p, const plb_outer_pair *pair, const sides *s,
                                  int parity, int odd) {
    for (int side = 0; side < PLB_OUTER_SIDES; side++) {
        products all =
            multiply(p->lanes, steps_of_parity(p->o, p->b->class, parity),
                     s->of[side] + counts_at(OF_MEMBERS), s->of[!side] + counts_at(OF_LASTS + odd));
        add_times(p->lanes, &all, pair->open, sums_of_parity(p, p->b->sums->ends, parity, odd));
    }
}

PLB_ALWAYS_INLINE void count_pair(const pairs *p, const plb_outer_pair *pair) {
    size_t size = steps_of(p->o, p->b->class) * PLB_OUTER_COUNTS;
    sides s = {{p->b->counts + pair->rows[0] * size, p->b->counts + pair->rows[1] * size}};
    for (int parity = 0; parity < 2; parity++) {
        for (int odd = 0; odd < 2; odd++) {
            count_pairs(p, pair, &s, parity, odd);
            if (pair->open && !p->b->open_only) count_ends(p, pair, &s, parity, odd);
        }
        for (int side = 0; side < PLB_OUTER_SIDES; side++)
            s.of[side] += steps_of_parity(p->o, p->b->class, parity) * PLB_OUTER_COUNTS;
    }
}

/* ---- several stones that complete the same group ---- */

/* What is counted of a line, [odd number of stones of the words of its side]. */
typedef plb_lane_sums line_sums[2];

/* Add pairs, so many in each lane. */
PLB_ALWAYS_INLINE void add_pairs(plb_block *sums, int lanes, plb_block one, plb_block other) {
    uint64_t times[PLB_WIDE_LANES];
    plb_block_put(times, 0, one);
#pragma GCC unroll 8
    for (int i = 0; i < lanes; i++) sums[i] += plb_block_times(other, times[i]);
}

/* Words of a side and of a balance, and what balance their partners have. */
typedef struct line_words {
    const plb_outer_line *line;
    plb_block *sums; /* [PLB_WIDE_LANES] */
    int s, one, other;
    uint64_t on_line[SET];     /* that make a group on the line, and no other one */
    uint64_t open[SET];        /* words of the partners that make no group */
    uint64_t of_partners[SET]; /* on side 1: that make one on the line, and no other one */
    plb_block lanes;           /* of the words whose top is not on the line: all ones */
} line_words;

/* None, if the side makes no group there; false: there are none. */
PLB_ALWAYS_INLINE bool find_on_line(const pairs *p, const plb_outer_line *line, int s, int balance,
                                    uint64_t *words) {
    uint32_t row = line->row[s] >= 0 ? 1U << line->row[s] : 0;
    plb_outer_rows rows = line->rows[s];
    plb_block any = {0};
    rows.of[line->x] &= (uint16_t)~row;
    for (int c = 0; c < chunks_of(p, balance); c++) {
        plb_block set = lacking_both(p, balance, c, &rows) & ~lacking(p, balance, c, line->x, row);
        plb_block_put(words, c, set);
        any |= set;
    }
    return !plb_block_is_zero(any);
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
PLB_ALWAYS_INLINE const uint64_t *partners_before(const pairs *p, uint32_t class, int word, int x) {
    uint32_t next = plb_column_class_next(p->o->classes, PLB_OUTER_BETWEEN, class, word);
    return plb_outer_partners(p->o, next, false, !x);
}

/* Words whose top is on the line, one by one: it may have been the last stone, too. */
PLB_ALWAYS_INLINE void repeat_tops(const pairs *p, const line_words *w) {
    const plb_column_word *items = p->o->classes->words->items;
    int lane = plb_outer_lane(w->line->row[w->s] + 1), tops = w->line->tops;
    plb_block sum = {0};
    for (int c = 0; c < chunks_of(p, w->one); c++)
        for (uint64_t left = w->on_line[c * PLB_WIDE_LANES + lane]; left; left &= left - 1) {
            int word = plb_outer_word(p->o, w->one, c, lane, plb_lowest(left));
            const uint64_t *sets[PLB_OUTER_BETWEEN + 1];
            for (int i = 0; i < tops; i++)
                sets[i] = partners_before(p, w->line->before[i], word, w->line->x);
            sets[tops] = partners_before(p, p->b->class, items[word].below, w->line->x);
            sum += count_repeats(p, w->other, w->open, sets, tops + 1);
        }
    w->sums[lane] += sum;
}

/* Words that are in a group of each of several classes: each of so many tops of the three may have
 * been the last stone. */
PLB_ALWAYS_INLINE void repeat_members(const pairs *p, const line_words *w, const uint32_t *groups,
                                      int count) {
    const uint64_t *members[PLB_OUTER_BETWEEN], *partners[PLB_OUTER_BETWEEN];
    for (int i = 0; i < count; i++) {
        members[i] = plb_outer_members(p->o, groups[i]);
        partners[i] = plb_outer_partners(p->o, p->o->groups[groups[i]].next, false, !w->line->x);
    }
    plb_block of_one = count_common(p, w->one, w->on_line, members, count);
    if (plb_block_is_zero(of_one)) return;
    /* one stone less than there are is too many: of two or three, all pairs but all three */
    if (count == 3) of_one = -of_one;
    add_pairs(w->sums, p->lanes, of_one & w->lanes,
              count_common(p, w->other, w->open, partners, count));
    if (w->s == 0 && w->line->row[1] >= 0)
        add_pairs(w->sums, p->lanes, of_one,
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
        first[i] = plb_outer_begin(p->o, w->line->before[i], w->one);
        end[i] = plb_outer_end(p->o, w->line->before[i], w->one);
    }
    for (g[0] = first[0]; g[0] < end[0]; g[0]++)
        for (g[1] = first[1]; g[1] < end[1]; g[1]++)
            for (g[2] = first[2]; g[2] < end[2]; g[2]++) repeat_members(p, w, g, 3);
}

/* With words of a balance on a side that make the group. */
PLB_ALWAYS_INLINE void repeat_balance(const pairs *p, line_words *w) {
    const plb_outer_line *l = w->line;
    int height = l->row[w->s] + 1;
    bool may_end = ((w->one + p->o->least + height) & 1) == 0;
    uint64_t lanes[PLB_WIDE_LANES];
    w->other = balance_of_partners(p, w->one, l->x);
    if (!has_balance(p, w->other) || (l->tops == 1 && !may_end)) return;
    if (!find_on_line(p, l, w->s, w->one, w->on_line)) return;
    find_open(p, w->other, &l->rows[!w->s], w->open);
    if (may_end) repeat_tops(p, w);
    if (l->tops == 1) return;
    find_on_line(p, l, 1, w->other, w->of_partners);
    for (int i = 0; i < PLB_WIDE_LANES; i++)
        lanes[i] = may_end && i == plb_outer_lane(height) ? 0 : ~0ULL;
    w->lanes = plb_block_at(lanes, 0);
    for (int i = 0; i < l->tops; i++)
        for (int j = 0; j < i; j++) repeat_two(p, w, l->before[i], l->before[j]);
    if (l->tops == 3) repeat_three(p, w);
}

/* All groups on the line in which a side has a stone, with those of both sides on side 0. */
PLB_ALWAYS_INLINE void find_repeats(const pairs *p, const plb_outer_line *line, line_sums found) {
    line_words w; /* not cleared: that would take longer than what is done */
    w.line = line;
    for (w.s = 0; w.s < PLB_OUTER_SIDES; w.s++)
        for (w.one = 0; w.one < p->o->balances && line->row[w.s] >= 0; w.one++) {
            w.sums = (plb_block *)found[(w.one + p->o->least) & 1];
            repeat_balance(p, &w);
        }
}

PLB_ALWAYS_INLINE void count_line(const pairs *p, const plb_outer_line *line, uint32_t use) {
    line_sums found;
    memset(found, 0, sizeof found);
    find_repeats(p, line, found);
    for (; use; use = p->b->uses[use - 1].next)
        for (int parity = 0; parity < 2; parity++) {
            const plb_outer_use *u = &p->b->uses[use - 1];
            uint64_t(*to)[PLB_OUTER_LANES] = sums_of_parity(p, u->sums->ends, parity, line->x);
            for (int i = 0; i < p->lanes; i++)
                plb_block_add(to[i], plb_block_times(plb_block_at(found[parity][i], 0), u->times));
        }
}

/* ---- batches ---- */

PLB_ALWAYS_INLINE void do_lanes(const plb_outer_columns *o, const plb_outer_batch *b, int lanes) {
    const pairs p = {o, b, lanes};
    size_t size = steps_of(o, b->class) * PLB_OUTER_COUNTS;
    for (uint32_t i = b->first_row; i < b->row_count; i++) {
        memset(b->counts + i * size, 0, size * sizeof *b->counts);
        count_rows(&p, &b->rows[i], b->counts + i * size);
    }
    for (uint32_t i = 0; i < b->pair_count; i++) count_pair(&p, &b->pairs[i]);
    for (uint32_t i = 0; i < b->line_count; i++) count_line(&p, &b->lines[i], b->line_uses[i]);
}

/* The compiler makes code of its own for few lanes. */
PLB_ALWAYS_INLINE void do_batch(const plb_outer_columns *o, const plb_outer_batch *b) {
    int lanes = plb_outer_lane(o->classes->words->height) + 1;
    if (lanes <= 3)
        do_lanes(o, b, 3);
    else if (lanes <= 5)
        do_lanes(o, b, 5);
    else
        do_lanes(o, b, 7);
}

#ifdef PLB_LANES_AVX2
void plb_outer_pairs_count_avx2(const plb_outer_columns *outer, const plb_outer_batch *batch) {
    do_batch(outer, batch);
}
#else
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
        do_batch(outer, batch);
}

size_t plb_outer_steps(const plb_outer_columns *outer, uint32_t class) {
    return steps_of(outer, class);
}
#endif
