/* SPDX-License-Identifier: MIT */
#include "tables/count/outer_columns.h"

#include <stdlib.h>
#include <string.h>

#include "tables/vocabulary.h"

enum { LANE_BITS = 64, CHUNK_BITS = LANE_BITS * PLB_OUTER_LANES };

static void set_bit(uint64_t *set, size_t bit) {
    set[bit / LANE_BITS] |= 1ULL << (bit % LANE_BITS);
}

static int balance_of(const plb_outer_columns *o, int word) {
    return o->classes->words->items[word].balance - o->min_balance;
}

static int greater(int a, int b) {
    return a > b ? a : b;
}

/* The words of a length and a balance get consecutive bits of their lane, 64 in each chunk. */
static int find_places(plb_outer_columns *o) {
    const plb_column_words *words = o->classes->words;
    int max = 0, taken[PLB_OUTER_BALANCES][PLB_FEW_ROWS + 1] = {{0}};
    for (int w = 0; w < words->count; w++) max = greater(max, words->items[w].balance);
    o->min_balance = -max;
    o->balances = 2 * max + 1;
    o->places = calloc(PLB_MAX_WORDS, sizeof *o->places);
    if (!o->places) return PLB_ENOMEM;
    for (int w = 0; w < words->count; w++) {
        int stones = words->items[w].stones, *filled = &o->filled[balance_of(o, w)];
        int number = taken[balance_of(o, w)][stones]++;
        int chunk = number / LANE_BITS, lane = chunk * PLB_OUTER_LANES + plb_outer_lane(stones);
        o->places[w] = (uint16_t)(lane * LANE_BITS + number % LANE_BITS);
        *filled = greater(*filled, chunk + 1);
        o->chunks = greater(o->chunks, chunk + 1);
    }
    return PLB_OK;
}

static int put_words(plb_outer_columns *o) {
    size_t chunks = (size_t)o->balances * o->chunks;
    o->without = calloc(chunks * 2 * PLB_ROWS_WITHOUT * PLB_OUTER_LANES, sizeof *o->without);
    if (!o->without) return PLB_ENOMEM;
    for (int w = 0; w < o->classes->words->count; w++)
        for (int x = 0; x < 2; x++)
            plb_rows_without_put(
                plb_outer_without(o, balance_of(o, w), o->places[w] / CHUNK_BITS, x),
                plb_column_word_stones(&o->classes->words->items[w], x), o->places[w] % CHUNK_BITS);
    return PLB_OK;
}

static int make_partners(plb_outer_columns *o) {
    const plb_column_words *words = o->classes->words;
    const plb_tuple_set *classes = &o->classes->layers[o->classes->width - 1];
    o->partners = calloc((size_t)classes->count * 4 * plb_outer_size(o), sizeof *o->partners);
    if (!o->partners) return PLB_ENOMEM;
    for (uint32_t class = PLB_DEAD_CLASS + 1; class < classes->count; class ++) {
        const uint8_t *row = plb_tuple_set_at(classes, class);
        for (int w = 0; w < words->count; w++) {
            if (row[w] == PLB_DEAD_CLASS) continue;
            bool x = w && plb_column_word_x_on_top(&words->items[w]), odd = row[w] == PLB_ODD_CLASS;
            uint8_t before = x ? PLB_EVEN_CLASS : PLB_ODD_CLASS;
            bool grows = w && row[words->items[w].below] == before;
            for (int growing = 0; growing <= (grows ? 1 : 0); growing++)
                set_bit((uint64_t *)plb_outer_partners(o, class, growing, odd), o->places[w]);
        }
    }
    return PLB_OK;
}

typedef struct branch_maker {
    plb_outer_columns *o;
    uint32_t *branch_of; /* [classes with left] 1 + the last branch that leads there */
    uint32_t count;      /* of branches */
} branch_maker;

/* Count the branches of a class, and make them if o->branches is allocated. */
static void put_branches(branch_maker *m, uint32_t class) {
    plb_outer_columns *o = m->o;
    uint32_t first = m->count;
    for (int parity = 0; parity < 2; parity++) {
        o->first[2 * class + parity] = m->count;
        for (int w = 0; w < (o->has_left ? o->classes->words->count : 1); w++) {
            uint32_t next = plb_outer_next(o, class, w), *branch = &m->branch_of[next];
            if (o->classes->words->items[w].stones % 2 != parity || next == PLB_DEAD_CLASS)
                continue;
            if (*branch <= first) {
                *branch = ++m->count;
                if (o->branches)
                    o->branches[*branch - 1] = (plb_outer_branch){next, balance_of(o, w)};
            }
            if (o->branches) set_bit((uint64_t *)plb_outer_members(o, *branch - 1), o->places[w]);
        }
    }
}

static void put_all_branches(branch_maker *m) {
    uint32_t classes = m->o->classes->layers[m->o->between].count;
    m->count = 0;
    memset(m->branch_of, 0,
           m->o->classes->layers[m->o->classes->width - 1].count * sizeof *m->branch_of);
    for (uint32_t class = PLB_DEAD_CLASS + 1; class < classes; class ++) put_branches(m, class);
    m->o->first[2 * (size_t)classes] = m->count;
}

static int make_branches(plb_outer_columns *o) {
    const plb_tuple_set *layers = o->classes->layers;
    branch_maker m = {.o = o};
    m.branch_of = calloc(layers[o->classes->width - 1].count, sizeof *m.branch_of);
    o->first = calloc(2 * (size_t)layers[o->between].count + 1, sizeof *o->first);
    int error = m.branch_of && o->first ? PLB_OK : PLB_ENOMEM;
    if (!error) {
        put_all_branches(&m);
        o->members = calloc(m.count * plb_outer_size(o) + 1, sizeof *o->members);
        o->branches = calloc(m.count + 1, sizeof *o->branches);
        if (!o->members || !o->branches) error = PLB_ENOMEM;
    }
    if (!error) put_all_branches(&m);
    free(m.branch_of);
    return error;
}

int plb_outer_columns_make(const plb_column_classes *classes, bool has_left,
                           plb_outer_columns *outer) {
    *outer = (plb_outer_columns){
        .classes = classes, .between = classes->width - 1 - has_left, .has_left = has_left};
    int error = find_places(outer);
    if (!error) error = put_words(outer);
    if (!error) error = make_partners(outer);
    if (!error) error = make_branches(outer);
    return error;
}

void plb_outer_columns_free(plb_outer_columns *outer) {
    free(outer->places);
    free(outer->without);
    free(outer->partners);
    free(outer->members);
    free(outer->branches);
    free(outer->first);
}
