/* SPDX-License-Identifier: MIT
 *
 * Places of words in sets; what words lack; groups and partners.
 */
#include "tables/count/outer_column_sets.h"

#include <stdlib.h>
#include <string.h>

#include "tables/bits.h"
#include "tables/vocabulary.h"

enum { WIDTH = 5, LANE_BITS = 64, CHUNK_BITS = LANE_BITS * PLB_OUTER_LANES };

/* Where words are: their bits in the sets of their balance. */
typedef uint16_t places;

static void set_bit(uint64_t *set, size_t bit) {
    set[bit / LANE_BITS] |= 1ULL << (bit % LANE_BITS);
}

static int balance_of(const plb_outer_columns *o, int word) {
    return o->classes->words->items[word].balance - o->least;
}

/* ---- places ---- */

/* Words of a height and a balance get one place after another, 64 in each chunk. */
static int find_places(plb_outer_columns *o, places **of) {
    const plb_column_words *words = o->classes->words;
    int height = words->height;
    int most = 0;
    for (int w = 0; w < words->count; w++) {
        int balance = (int)words->items[w].balance;
        if (balance > most) most = balance;
    }
    o->least = -most;
    o->balances = 2 * most + 1;
    for (int b = 0; b < o->balances; b++)
        if ((b + o->least) % 2 == 0) o->rank[b] = o->evens++;
    for (int b = 0, odds = 0; b < o->balances; b++)
        if ((b + o->least) % 2) o->rank[b] = o->evens + odds++;
    *of = calloc(words->count, sizeof **of);
    int *taken = calloc((size_t)o->balances * (height + 1), sizeof *taken);
    if (!*of || !taken) return free(taken), PLB_ENOMEM;
    for (int w = 0; w < words->count; w++) {
        int stones = words->items[w].stones;
        int number = taken[balance_of(o, w) * (height + 1) + stones]++;
        int chunk = number / LANE_BITS, lane = chunk * PLB_OUTER_LANES + plb_outer_lane(stones);
        (*of)[w] = (places)(lane * LANE_BITS + number % LANE_BITS);
        if (chunk >= o->chunks) o->chunks = chunk + 1;
        if (chunk >= o->filled[balance_of(o, w)]) o->filled[balance_of(o, w)] = chunk + 1;
    }
    free(taken);
    return PLB_OK;
}

static void put_word(plb_outer_columns *o, int word, size_t bit) {
    const plb_column_word *w = &o->classes->words->items[word];
    int balance = balance_of(o, word), chunk = (int)(bit / CHUNK_BITS);
    o->word_at[(size_t)balance * o->chunks * CHUNK_BITS + bit] = (uint16_t)word;
    for (int x = 0; x < 2; x++)
        plb_lacks_put(plb_outer_lacks(o, balance, chunk, x), plb_column_word_stones(w, x),
                      bit % CHUNK_BITS);
}

static int put_words(plb_outer_columns *o, const places *of) {
    size_t set = (size_t)o->balances * o->chunks;
    o->word_at = calloc(set * CHUNK_BITS, sizeof *o->word_at);
    o->lacks = calloc(set * 2 * PLB_LACKS * PLB_OUTER_LANES, sizeof *o->lacks);
    if (!o->word_at || !o->lacks) return PLB_ENOMEM;
    for (int w = 0; w < o->classes->words->count; w++) put_word(o, w, of[w]);
    return PLB_OK;
}

/* ---- partners ---- */

static void put_partners(plb_outer_columns *o, const places *of, uint32_t class) {
    const plb_column_words *words = o->classes->words;
    const uint8_t *row = plb_tuple_set_at(&o->classes->layers[WIDTH - 1], class);
    uint64_t *sets[2][2];
    for (int i = 0; i < 4; i++)
        sets[i / 2][i % 2] = (uint64_t *)plb_outer_partners(o, class, i / 2, i % 2);
    for (int w = 0; w < words->count; w++) {
        if (row[w] == PLB_DEAD_CLASS) continue;
        bool x = w && plb_column_word_x_on_top(&words->items[w]), odd = row[w] == PLB_ODD_CLASS;
        uint8_t before = x ? PLB_EVEN_CLASS : PLB_ODD_CLASS;
        set_bit(sets[0][odd], of[w]);
        if (w && row[words->items[w].below] == before) set_bit(sets[1][odd], of[w]);
    }
}

static int make_partners(plb_outer_columns *o, const places *of) {
    uint32_t classes = o->classes->layers[WIDTH - 1].count;
    o->partners = calloc((size_t)classes * 4 * plb_outer_size(o), sizeof *o->partners);
    if (!o->partners) return PLB_ENOMEM;
    for (uint32_t class = PLB_DEAD_CLASS + 1; class < classes; class ++) put_partners(o, of, class);
    return PLB_OK;
}

/* ---- groups ---- */

/* Words by the ranks of their balances. */
static uint16_t *sort_words(const plb_outer_columns *o) {
    const plb_column_words *words = o->classes->words;
    uint16_t *sorted = calloc(words->count, sizeof *sorted);
    int count = 0;
    for (int rank = 0; rank < o->balances && sorted; rank++)
        for (int w = 0; w < words->count; w++)
            if (o->rank[balance_of(o, w)] == rank) sorted[count++] = (uint16_t)w;
    return sorted;
}

/* While groups are made. */
typedef struct group_maker {
    plb_outer_columns *o;
    const places *of;
    const uint16_t *sorted; /* words */
    uint32_t *group_of;     /* [classes of four] the last group that leads there, + 1 */
    uint32_t count;
} group_maker;

/* The groups of a class, which are counted; if there is room, they are made, too. */
static void put_groups(group_maker *m, uint32_t class) {
    plb_outer_columns *o = m->o;
    const uint32_t *row = plb_tuple_set_at(&o->classes->layers[WIDTH - 2], class);
    uint32_t first = m->count, *first_of = o->first + (size_t) class * o->balances;
    int ranks = 0; /* that are begun */
    for (int i = 0; i < o->classes->words->count; i++) {
        int w = m->sorted[i];
        while (ranks <= o->rank[balance_of(o, w)]) first_of[ranks++] = m->count;
        uint32_t next = row[w], *group = &m->group_of[next];
        if (next == PLB_DEAD_CLASS) continue;
        if (*group <= first) {
            *group = ++m->count;
            if (o->groups) o->groups[*group - 1] = (plb_outer_group){next, balance_of(o, w)};
        }
        if (o->groups) set_bit((uint64_t *)plb_outer_members(o, *group - 1), m->of[w]);
    }
}

static void put_all_groups(group_maker *m) {
    uint32_t classes = m->o->classes->layers[WIDTH - 2].count;
    m->count = 0;
    memset(m->group_of, 0, m->o->classes->layers[WIDTH - 1].count * sizeof *m->group_of);
    for (uint32_t class = PLB_DEAD_CLASS + 1; class < classes; class ++) put_groups(m, class);
    m->o->first[(size_t)classes * m->o->balances] = m->count;
}

static int make_groups(plb_outer_columns *o, const places *of) {
    uint16_t *sorted = sort_words(o);
    group_maker m = {o, of, sorted, calloc(o->classes->layers[WIDTH - 1].count, sizeof *m.group_of),
                     0};
    o->first =
        calloc((size_t)o->classes->layers[WIDTH - 2].count * o->balances + 1, sizeof *o->first);
    int error = sorted && m.group_of && o->first ? PLB_OK : PLB_ENOMEM;
    if (!error) {
        put_all_groups(&m);
        o->members = calloc(m.count * plb_outer_size(o) + 1, sizeof *o->members);
        o->groups = calloc(m.count + 1, sizeof *o->groups);
        if (!o->members || !o->groups) error = PLB_ENOMEM;
    }
    if (!error) put_all_groups(&m);
    free(m.group_of);
    free(sorted);
    return error;
}

/* ---- make and free ---- */

int plb_outer_columns_make(const plb_column_classes *classes, plb_outer_columns *outer) {
    places *of = NULL;
    *outer = (plb_outer_columns){.classes = classes};
    int error = find_places(outer, &of);
    if (!error) error = put_words(outer, of);
    if (!error) error = make_partners(outer, of);
    if (!error) error = make_groups(outer, of);
    free(of);
    return error;
}

void plb_outer_columns_free(plb_outer_columns *outer) {
    free(outer->word_at);
    free(outer->lacks);
    free(outer->partners);
    free(outer->members);
    free(outer->groups);
    free(outer->first);
    *outer = (plb_outer_columns){.least = 0};
}
