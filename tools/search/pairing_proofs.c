/* SPDX-License-Identifier: MIT */
#include "tools/search/pairing_proofs.h"

#include "tables/bits.h"

/* ---- does it pay? ----
 *
 * Costs were measured on boards of 5x5 to 7x7, where a node takes 0.4 microseconds. Random
 * positions of mnk-6x6-k4 take 0.8 times as long with these accounts as without pairs; with a fixed
 * limit on the weight of the groups instead they took 1.7 times as long. */

enum {
    MAX_STEPS = 30,   /* of an attempt: proofs with more steps cost more than they save */
    COST = 3,         /* of an attempt, and 1 more for each step */
    BLIND = 8,        /* attempts at a ply before the first search there has ended */
    CHEAP = 256,      /* an attempt pays if it costs less than 1 / CHEAP of a search */
    FREE = 1000,      /* cost that may always be spent to explore, */
    EXPLORE = 32,     /* and 1 more for each EXPLORE questions */
    MEMORY = 1 << 12, /* attempts, or searches, after which their counts are halved */
};

static bool pays(const pairing_account *a) {
    if (!a->searches) return a->attempts < BLIND;
    return a->proofs * a->work > a->cost * a->searches ||
           a->attempts * a->work > a->cost * a->searches * CHEAP;
}

void pairing_proofs_learn(pairing_proofs *proofs, int ply, int bound, uint64_t work) {
    if (proofs->rules->gravity || question_is_limited(bound)) return;
    pairing_account *a = &proofs->account[bound][ply];
    a->work += work;
    if (++a->searches < MEMORY) return;
    a->searches /= 2;
    a->work /= 2;
}

/* ---- sets ---- */

/* The cell with the greatest weight. A set of n cells has the weight 2^-n, as in open_groups.c. */
static int find_heaviest(const uint64_t *sets, int count) {
    uint64_t weight[PLB_MAX_CELLS] = {0};
    int heaviest = 0;
    for (int i = 0; i < count; i++) {
        int cells = plb_popcount(sets[i]);
        uint64_t part = 1ULL << (cells < 48 ? 48 - cells : 0);
        for (uint64_t left = sets[i]; left; left &= left - 1) weight[plb_lowest(left)] += part;
    }
    for (int cell = 1; cell < PLB_MAX_CELLS; cell++)
        if (weight[cell] > weight[heaviest]) heaviest = cell;
    return heaviest;
}

/* Does every set contain a pair? With `stone`, sets that all share one cell need none. */
static bool is_served(const plb_pairing *pairing, const uint64_t *sets, int count, bool stone) {
    uint64_t common = ~0ULL; /* to all sets without a pair */
    for (int i = 0; i < count && common; i++) {
        bool has_pair = false;
        for (int p = 0; p < pairing->count && !has_pair; p++)
            has_pair = !(pairing->pairs[p] & ~sets[i]);
        if (!has_pair) common = stone ? common & sets[i] : 0;
    }
    return common != 0;
}

/* ---- questions ---- */

/* Find pairs for the sets; with `stone` only for those that a stone in the heaviest cell leaves. */
static bool find_pairing(pairing_proofs *p, int count, bool stone, plb_pairing *latest,
                         uint64_t *cost) {
    const plb_pairing_limits limits = {.steps = MAX_STEPS};
    uint64_t *sets = p->sets, steps;
    bool has_single_cell = false; /* a set of one cell contains no pair */
    for (int i = 0; i < count && !stone && !has_single_cell; i++)
        has_single_cell = !(sets[i] & (sets[i] - 1));
    if (has_single_cell) {
        ++*cost;
        return false;
    }
    if (is_served(latest, sets, count, stone)) return true;
    count = plb_pairing_reduce(sets, count);
    if (stone && count) {
        uint64_t taken = 1ULL << find_heaviest(sets, count);
        count = plb_pairing_open_sets(sets, count, 0, taken, p->rest);
        sets = p->rest;
    }
    plb_pairing_answer answer = plb_pairing_find(sets, count, &limits, latest, &steps);
    *cost += steps;
    return answer == PLB_PAIRING_FOUND;
}

/* Normal play: the pairs are for the opponent of the completer; if he is to move, he first places a
 * stone. Misere: they are for the completer, in his own groups, and an additional stone of his does
 * not help. (Not inlined: most questions end before this call and should save few registers.) */
__attribute__((noinline)) static bool attempt(pairing_proofs *p, const uint64_t stones[2], int ply,
                                              int bound, bool known_to_pay) {
    const search_rules *rules = p->rules;
    uint64_t cost = COST;
    int mover = ply & 1;
    int completer = question_mover_completes(rules, bound) ? mover : !mover;
    int count = plb_pairing_open_sets(rules->groups, rules->group_count, stones[completer],
                                      stones[!completer], p->sets);
    bool proof = find_pairing(p, count, !rules->misere && completer != mover,
                              &p->latest[completer][ply], &cost);
    pairing_account *a = &p->account[bound][ply];
    a->proofs += proof;
    a->cost += cost;
    if (++a->attempts >= MEMORY) {
        a->attempts /= 2;
        a->proofs /= 2;
        a->cost /= 2;
    }
    p->spent += cost;
    if (!known_to_pay) p->explored += cost;
    return proof;
}

bool pairing_proofs_answer(pairing_proofs *proofs, const uint64_t stones[2], int ply, int bound,
                           bool *reached) {
    if (proofs->rules->gravity || question_is_limited(bound)) return false;
    proofs->questions++;
    bool known_to_pay = pays(&proofs->account[bound][ply]);
    if (!known_to_pay && proofs->explored >= FREE + proofs->questions / EXPLORE) return false;
    *reached = bound <= 0;
    return attempt(proofs, stones, ply, bound, known_to_pay);
}
