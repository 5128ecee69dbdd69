/* SPDX-License-Identifier: MIT
 *
 * Forward search: questions such as "does the mover win?", "does he at least draw?" and "does he
 * win by ply 20?", each answered depth first. Each is asked of one player: can he be kept from
 * completing a group?
 *
 * A node holds, besides the stones, the cells that complete a group for either player; a move
 * brings them up to date with one look at the groups through its cell. Invariant: no node is
 * searched whose value these cells settle.
 */
#include "tools/forward_search.h"

#include <stdlib.h>
#include <string.h>

#include "tables/symmetry.h"

/* ---- what a search holds ---- */

typedef unsigned __int128 position_key;

enum {
    MAX_IMAGES = 8,   /* symmetric images merged in the table */
    BUCKET_WORDS = 8, /* one cache line */
    LEAST_BUCKET_BITS = 12,
};
_Static_assert(PLB_SEARCH_LEAST_TABLE == (8 * BUCKET_WORDS) << LEAST_BUCKET_BITS, "table size");

struct plb_search {
    const plb_game *game;
    uint64_t even_gaps;       /* cells with an even number of cells above them */
    uint64_t *supports;       /* [group_count] its cells, and with gravity those below them */
    uint64_t *groups_through; /* the groups through cell c begin at first_group[c] */
    int first_group[PLB_MAX_CELLS + 1];
    int64_t history[2][PLB_MAX_CELLS]; /* [player][cell] misere: how often a move was the answer */

    int images; /* key of an image: sum of key_steps over the stones */
    position_key key_steps[2][PLB_MAX_CELLS][MAX_IMAGES];
    position_key keys[PLB_MAX_CELLS + 1][MAX_IMAGES]; /* [ply] of the path being searched */

    uint64_t *table;
    int bucket_bits, bucket_slots;
    bool long_keys; /* over 64 bits */
    unsigned age;   /* calls of solve and distance */

    uint64_t nodes, node_budget;
    const volatile sig_atomic_t *stop;
    bool given_up;
};

typedef struct node {
    uint64_t stones[2];
    uint64_t threats[2]; /* cells that complete a group of a player, were they his */
    uint64_t moves;      /* those worth a look; set by settle */
    int last_cell;       /* of the last move, -1 at the root */
} node;

static uint64_t occupied_cells(const node *n) {
    return n->stones[0] | n->stones[1];
}

static bool has_several(uint64_t set) {
    return (set & (set - 1)) != 0;
}

/* ---- scores and questions ----
 *
 * A score is what a node is worth to its mover, the faster win the more and the slower loss:
 *
 *     win   cells + 1 - E      E: the ply at which the game ends
 *     draw  0
 *     loss  E - cells - 1
 *
 * E is counted from the empty board, so that a move only changes the sign. A question is whether
 * the score is at least a bound: 1 asks for a win and 0 for no loss, however long it takes. Other
 * bounds are limited: the one who is to win must do so by a ply, the horizon. A game that goes on
 * there counts as one that he does not win. */

static int score_of(const plb_game *game, plb_value value, int end_ply) {
    return (int)value * (game->cells + 1 - end_ply);
}

static bool is_limited(int bound) {
    return bound < 0 || bound > 1;
}

static int horizon(const plb_game *game, int bound) {
    return bound > 0 ? game->cells + 1 - bound : game->cells + bound;
}

/* ---- settled nodes ----
 *
 * Normal play: a mover who can complete a group wins; he must answer a threat and cannot answer
 * two; he must not play right below a threat. Misere: he must not complete a group. Whoever breaks
 * such a rule loses as fast as anybody can here, so scores tell when the game ends. */

static bool settle_normal(const plb_game *game, node *n, int ply, int *score) {
    int mover = ply & 1;
    uint64_t occupied = occupied_cells(n);
    uint64_t playable = plb_game_playable(game, occupied);
    bool wins = n->threats[mover] & playable;
    *score = wins       ? score_of(game, PLB_WIN, ply + 1)
             : playable ? score_of(game, PLB_LOSS, ply + 2)
                        : 0;
    if (wins || !playable) return true;
    uint64_t danger = n->threats[!mover] & ~occupied;
    uint64_t forced = danger & playable;
    n->moves = forced ? forced : playable;
    /* (A threat in a bottom cell is forced, so that what falls into the next slot is no move.) */
    if (game->gravity) n->moves &= ~(danger >> 1);
    return has_several(forced) || !n->moves;
}

static bool settle_misere(const plb_game *game, node *n, int ply, int *score) {
    uint64_t playable = plb_game_playable(game, occupied_cells(n));
    *score = playable ? score_of(game, PLB_LOSS, ply + 1) : 0;
    n->moves = playable & ~n->threats[ply & 1];
    return !n->moves;
}

/* Is the node's score plain to see? Otherwise n->moves gets the moves, at least one. */
static bool settle(const plb_game *game, node *n, int ply, int *score) {
    return game->misere ? settle_misere(game, n, ply, score) : settle_normal(game, n, ply, score);
}

/* Plies that an unsettled game goes on at least, if it ends by a complete group. Normal play: the
 * mover must make two threats first, the other one too, and later. Misere: the next stone of
 * either completes nothing. */
static int least_plies(const plb_game *game, bool mover_completes) {
    if (game->misere) return mover_completes ? 3 : 2;
    return mover_completes ? 3 : 4;
}

/* Is a question plain to answer? Otherwise n->moves gets the moves. */
static bool decide(const plb_game *game, node *n, int ply, int bound, bool *reached) {
    int score;
    if (settle(game, n, ply, &score)) {
        *reached = score >= bound;
        return true;
    }
    *reached = bound <= 0;
    return is_limited(bound) &&
           horizon(game, bound) < ply + least_plies(game, (bound > 0) != game->misere);
}

/* ---- bounds from the open groups ---- */

static bool has_open_group(const plb_game *game, uint64_t others_stones) {
    for (int g = 0; g < game->group_count; g++)
        if (!(game->groups[g] & others_stones)) return true;
    return false;
}

static const uint64_t one = 1ULL << 62; /* as a weight */

/* Free placement. Weigh an open group of a player with 2^-(stones missing).
 *
 * Normal play (Erdos and Selfridge, On a combinatorial game, 1973): his opponent, taking the
 * heaviest cell each time, never lets the sum rise from one of his turns to the next; below 1 at
 * such a turn the player completes nothing. A move of the player at most doubles the sum.
 * Misere: the player himself takes the lightest cell, and the opponent's reply takes away at
 * least what that added; only a last move of his has no reply, and may double the sum. */
static bool never_completes(const plb_game *game, const node *n, int player, bool may_double) {
    const uint64_t limit = may_double ? one / 2 : one;
    uint64_t sum = 0;
    for (int g = 0; g < game->group_count && sum < limit; g++) {
        if (game->groups[g] & n->stones[!player]) continue;
        int missing = plb_popcount(game->groups[g] & ~n->stones[player]);
        sum += one >> (missing < 62 ? missing : 62); /* too much, never too little */
    }
    return sum < limit;
}

/* Is it plain that the player need not be allowed (normal play), or need not be made (misere),
 * ever to complete a group? */
static bool is_harmless(const plb_game *game, const node *n, int ply, int player) {
    if (game->gravity) return !has_open_group(game, n->stones[!player]);
    bool moves_now = player == (ply & 1), moves_last = player != (game->cells & 1);
    return never_completes(game, n, player, game->misere ? moves_last : moves_now);
}

/* Gravity, an even number of empty cells in every column: the player not to move can always
 * answer in the same column, which fixes who gets which cell. Does that keep the mover below the
 * bound? (Where both complete a group it is not known who is first.)
 *
 * Who completes nothing on a full board has completed nothing by a horizon either. But if somebody
 * completes a group, the mover decides when, for he leads: no limited loss follows. */
static bool follow_up_refutes(const plb_search *s, const node *n, int mover, int bound) {
    const plb_game *game = s->game;
    uint64_t occupied = occupied_cells(n), empty = game->board & ~occupied;
    if (bound < 0 || !game->gravity || (plb_game_playable(game, occupied) & s->even_gaps))
        return false;
    uint64_t leader = n->stones[mover] | (empty & ~s->even_gaps);
    uint64_t follower = n->stones[!mover] | (empty & s->even_gaps);
    uint64_t must_not = game->misere ? follower : leader;
    if (plb_game_has_group(game, must_not)) return false;
    return bound == 0 ? plb_game_has_group(game, game->misere ? leader : follower) : true;
}

/* ---- bounds from the horizon ----
 *
 * A group is in reach when its player can complete it by the horizon if nobody hinders him: he has
 * moves enough for the missing cells, and both together for what must be filled below. What
 * is_harmless says of the whole game holds by a horizon all the more; its arguments are about any
 * family of groups, so that the groups out of reach need no weight. */

typedef struct prospects {
    uint64_t cells;  /* empty ones of groups in reach */
    uint64_t weight; /* of these groups, as in never_completes; `one` or more is not told apart */
} prospects;

static prospects find_prospects(const plb_search *s, const node *n, int player, int moves,
                                int plies) {
    const plb_game *game = s->game;
    uint64_t occupied = occupied_cells(n);
    prospects found = {0, 0};
    for (int g = 0; g < game->group_count; g++) {
        uint64_t missing = game->groups[g] & ~n->stones[player];
        if (missing & n->stones[!player]) continue;
        int count = plb_popcount(missing);
        if (count > moves || plb_popcount(s->supports[g] & ~occupied) > plies) continue;
        found.cells |= missing;
        if (found.weight < one) found.weight += one >> count;
    }
    return found;
}

/* Misere: a player is made to complete a group once every move of his does. Before that, all cells
 * must be filled but those of his groups in reach and, with gravity, those above them. */
static int count_free_cells(const plb_game *game, const node *n, uint64_t reach) {
    uint64_t empty = game->board & ~occupied_cells(n);
    for (uint64_t above = game->gravity ? reach : 0; above; reach |= above)
        above = above << 1 & empty & ~game->bottom & ~reach;
    return plb_popcount(empty & ~reach);
}

/* As is_harmless, by the horizon of a limited question. */
static bool is_harmless_so_long(const plb_search *s, const node *n, int ply, int bound,
                                int player) {
    const plb_game *game = s->game;
    int plies = horizon(game, bound) - ply;
    bool moves_now = player == (ply & 1), moves_last = player != (game->cells & 1);
    prospects p = find_prospects(s, n, player, (plies + moves_now) / 2, plies);
    if (!p.cells) return true;
    if (!game->gravity && p.weight < ((game->misere ? moves_last : moves_now) ? one / 2 : one))
        return true;
    return game->misere && count_free_cells(game, n, p.cells) >= plies;
}

/* ---- moves and their order ---- */

typedef struct child {
    node node;
    int64_t score;
} child;

/* Place a stone of the mover; only groups through the cell can have become threats. */
static node play(const plb_search *s, const node *n, int mover, int cell) {
    node next = *n;
    next.stones[mover] |= 1ULL << cell;
    next.last_cell = cell;
    for (int g = s->first_group[cell]; g < s->first_group[cell + 1]; g++) {
        uint64_t missing = s->groups_through[g] & ~next.stones[mover];
        if (!has_several(missing)) next.threats[mover] |= missing;
    }
    return next;
}

/* Cells where the mover now completes a group, playable or not. */
static int count_threats(const node *n, int mover) {
    return plb_popcount(n->threats[mover] & ~occupied_cells(n));
}

/* A group in which at most two cells are missing. */
static bool is_advanced(uint64_t missing) {
    return !has_several(missing & (missing - 1));
}

/* Normal play: make threats; then cells in many groups, open and advanced ones above all, the
 * player's as well as those which the stone spoils. */
static int score_normal(const plb_search *s, const node *n, const node *next, int mover) {
    int cell = next->last_cell, score = 32 * count_threats(next, mover);
    for (int g = s->first_group[cell]; g < s->first_group[cell + 1]; g++) {
        uint64_t group = s->groups_through[g];
        score++;
        if (!(group & n->stones[!mover]))
            score += is_advanced(group & ~next->stones[mover]) ? 4 : 1;
        if (!(group & n->stones[mover])) score += is_advanced(group & ~n->stones[!mover]) ? 4 : 1;
    }
    return score;
}

/* Misere: make no threats, for no one may ever complete them but oneself; with gravity answer in
 * the column of the last move (follow_up_refutes); then what was an answer elsewhere. */
static int64_t score_misere(const plb_search *s, const node *n, const node *next, int mover) {
    int cell = next->last_cell;
    int64_t score = s->history[mover][cell] - 32 * count_threats(next, mover);
    score += s->first_group[cell + 1] - s->first_group[cell];
    if (s->game->gravity && n->last_cell == cell - 1) score += 128;
    return score;
}

/* The children that are not decided; true, and no children, when a decided one is an answer. */
static bool expand(const plb_search *s, const node *n, int ply, int bound, child *children,
                   int *count) {
    int mover = ply & 1;
    *count = 0;
    for (uint64_t moves = n->moves; moves; moves &= moves - 1) {
        child *next = &children[*count];
        bool held;
        next->node = play(s, n, mover, plb_lowest(moves));
        if (!decide(s->game, &next->node, ply + 1, 1 - bound, &held)) {
            next->score = s->game->misere ? score_misere(s, n, &next->node, mover)
                                          : score_normal(s, n, &next->node, mover);
            ++*count;
        } else if (!held) {
            return true;
        }
    }
    return false;
}

/* Highest score first; among equals the order of the cells. */
static void sort_children(const child *children, int count, const child **sorted) {
    for (int i = 0; i < count; i++) {
        int j = i;
        for (; j > 0 && sorted[j - 1]->score < children[i].score; j--) sorted[j] = sorted[j - 1];
        sorted[j] = &children[i];
    }
}

static void learn_order(plb_search *s, int mover, const child **sorted, int answer) {
    s->history[mover][sorted[answer]->node.last_cell] += answer;
    for (int i = 0; i < answer; i++) s->history[mover][sorted[i]->node.last_cell]--;
}

/* ---- the table of known positions ----
 *
 * A position's key is exact: with gravity a column of h stones is the number 1 << h plus its x
 * stones, in height + 1 bits (less the 1 of an empty column); else a cell is a digit to the base
 * 3. It is linear in the stones, so the keys of all images follow a move by addition; the least
 * one stands for all.
 *
 *     hash = mix(low ^ multiple of high)   bijective in low, so that (hash, high) is the position
 *
 *     bucket, 64 bytes:  slot | slot | slot | slot | slot | slot | slot | slot   narrow
 *                        slot | slot | slot | slot | rest | rest | rest | rest   wide
 *     slot, 64 bits:     hash without the bucket's number | age 2 | effort 6 | known 4
 *     rest, 64 bits:     most + 128, 8 | least + 128, 8 | high 48
 *
 * The bucket's number is the top of the hash: nothing of the position is lost, and no two
 * positions are ever taken for one another. What is known of a position is a span of scores, so
 * that questions with different horizons answer one another; a narrow slot has room for signs
 * alone. Buckets are wide for keys of over 64 bits, and for distances. */

enum { KNOWN_BITS = 4, EFFORT_BITS = 6, AGE_BITS = 2, HIGH_BITS = 48 };
enum { META_BITS = KNOWN_BITS + EFFORT_BITS + AGE_BITS }; /* as much as the bucket number */

typedef struct table_place {
    uint64_t *bucket, tag, high;
} table_place;

static uint64_t mix(uint64_t v) {
    v *= 0x9E3779B97F4A7C15ULL;
    v ^= v >> 32;
    v *= 0xD6E8FEB86659FD93ULL;
    return v ^ (v >> 29);
}

static void step_keys(plb_search *s, int ply, int cell) {
    for (int i = 0; i < s->images; i++)
        s->keys[ply + 1][i] = s->keys[ply][i] + s->key_steps[ply & 1][cell][i];
}

static table_place find_place(const plb_search *s, int ply) {
    position_key key = s->keys[ply][0];
    for (int i = 1; i < s->images; i++)
        if (s->keys[ply][i] < key) key = s->keys[ply][i];
    uint64_t high = key >> 64, hash = mix((uint64_t)key ^ high * 0xC2B2AE3D27D4EB4FULL);
    return (table_place){s->table + (hash >> (64 - s->bucket_bits)) * BUCKET_WORDS,
                         hash << s->bucket_bits, high};
}

typedef struct span {
    int least, most; /* scores */
} span;

enum { WIDEST = PLB_MAX_CELLS + 1 };
static const span anything = {-WIDEST, WIDEST};

static bool is_wide(const plb_search *s) {
    return s->bucket_slots < BUCKET_WORDS;
}

static uint64_t *rest_of(const plb_search *s, uint64_t *slot) {
    return slot + s->bucket_slots;
}

/* In a narrow slot, two bits each: at least a draw, a win; 1 yes, 2 no. 0: the slot is free. */
static unsigned known_of(uint64_t slot) {
    return slot & ((1 << KNOWN_BITS) - 1);
}

static unsigned known_of_span(span scores) {
    unsigned draw = scores.least >= 0 ? 1 : scores.most < 0 ? 2 : 0;
    unsigned win = scores.least > 0 ? 1 : scores.most <= 0 ? 2 : 0;
    return draw | win << 2;
}

static span span_of_known(unsigned known) {
    unsigned draw = known & 3, win = known >> 2;
    return (span){win == 1 ? 1 : draw == 1 ? 0 : -WIDEST, draw == 2 ? -1 : win == 2 ? 0 : WIDEST};
}

static uint64_t rest_of_span(span scores, uint64_t high) {
    return (uint64_t)(scores.most + 128) << 56 | (uint64_t)(scores.least + 128) << HIGH_BITS | high;
}

static span span_of_rest(uint64_t rest) {
    return (span){(int)(rest >> HIGH_BITS & 255) - 128, (int)(rest >> 56) - 128};
}

static span scores_of(const plb_search *s, uint64_t *slot) {
    return is_wide(s) ? span_of_rest(*rest_of(s, slot)) : span_of_known(known_of(*slot));
}

static uint64_t *find_slot(const plb_search *s, table_place at) {
    for (int i = 0; i < s->bucket_slots; i++)
        if ((at.bucket[i] ^ at.tag) >> META_BITS == 0 && known_of(at.bucket[i]) &&
            (!is_wide(s) || (*rest_of(s, &at.bucket[i]) ^ at.high) << (64 - HIGH_BITS) == 0))
            return at.bucket + i;
    return NULL;
}

static bool recall(const plb_search *s, table_place at, int bound, bool *answer) {
    uint64_t *slot = find_slot(s, at);
    if (!slot) return false;
    span scores = scores_of(s, slot);
    *answer = scores.least >= bound;
    return *answer || scores.most < bound;
}

static size_t table_size(const plb_search *s) {
    return (size_t)(8 * BUCKET_WORDS) << s->bucket_bits;
}

/* Take narrow or wide buckets; what was known in the other ones is forgotten. */
static void set_layout(plb_search *s, bool wide) {
    int slots = wide ? BUCKET_WORDS / 2 : BUCKET_WORDS;
    if (s->bucket_slots == slots) return;
    s->bucket_slots = slots;
    memset(s->table, 0, table_size(s));
}

/* What would be lost with a slot: the binary logarithm of the nodes it took, less after later
 * calls of solve. */
static int slot_worth(const plb_search *s, uint64_t slot) {
    if (!known_of(slot)) return -100;
    int effort = slot >> KNOWN_BITS & ((1 << EFFORT_BITS) - 1);
    int age = (s->age - (unsigned)(slot >> (KNOWN_BITS + EFFORT_BITS))) & ((1 << AGE_BITS) - 1);
    return effort - 4 * age;
}

static uint64_t *least_slot(const plb_search *s, uint64_t *bucket) {
    uint64_t *least = bucket;
    for (int i = 1; i < s->bucket_slots; i++)
        if (slot_worth(s, bucket[i]) < slot_worth(s, *least)) least = &bucket[i];
    return least;
}

static void remember(const plb_search *s, table_place at, int bound, bool answer, uint64_t nodes) {
    uint64_t *slot = find_slot(s, at);
    span scores = slot ? scores_of(s, slot) : anything;
    if (answer && scores.least < bound) scores.least = bound;
    if (!answer && scores.most >= bound) scores.most = bound - 1;
    if (!slot) slot = least_slot(s, at.bucket);
    uint64_t effort = 63 - __builtin_clzll(nodes | 1);
    uint64_t age = s->age & ((1 << AGE_BITS) - 1);
    unsigned known = is_wide(s) ? 1 : known_of_span(scores);
    *slot = at.tag | age << (KNOWN_BITS + EFFORT_BITS) | effort << KNOWN_BITS | known;
    if (is_wide(s)) *rest_of(s, slot) = rest_of_span(scores, at.high);
}

/* ---- the search ---- */

static bool reaches(plb_search *s, const node *n, int ply, int bound);

enum { LEAST_TO_ASK = 8 }; /* empty cells; with fewer, searching a child costs no more */

/* Before a long search of one child: does the table know another that answers? All of the cache
 * lines are asked for before the first is used. */
static bool a_known_child_answers(plb_search *s, const child **sorted, int count, int ply,
                                  int bound) {
    table_place places[PLB_MAX_CELLS];
    for (int i = 0; i < count; i++) {
        step_keys(s, ply, sorted[i]->node.last_cell);
        places[i] = find_place(s, ply + 1);
        __builtin_prefetch(places[i].bucket);
    }
    bool reached;
    for (int i = 0; i < count; i++)
        if (recall(s, places[i], 1 - bound, &reached) && !reached) return true;
    return false;
}

static bool some_move_reaches(plb_search *s, const node *n, int ply, int bound) {
    child children[PLB_MAX_CELLS];
    const child *sorted[PLB_MAX_CELLS];
    int count, mover = ply & 1;
    if (expand(s, n, ply, bound, children, &count)) return true;
    sort_children(children, count, sorted);
    if (count > 1 && horizon(s->game, bound) - ply > LEAST_TO_ASK &&
        a_known_child_answers(s, sorted, count, ply, bound))
        return true;
    for (int i = 0; i < count; i++) {
        step_keys(s, ply, sorted[i]->node.last_cell);
        bool held = reaches(s, &sorted[i]->node, ply + 1, 1 - bound);
        if (s->given_up) return false;
        if (held) continue;
        if (s->game->misere) learn_order(s, mover, sorted, i);
        return true;
    }
    return false;
}

static bool may_go_on(plb_search *s) {
    if (s->nodes == s->node_budget || (s->stop && *s->stop)) s->given_up = true;
    return !s->given_up;
}

/* Is the node worth at least `bound` to its mover? A child is asked the opposite question: the
 * mover reaches b where his opponent does not reach 1 - b. The node is not decided and its keys
 * are in place. Once s->given_up is set the answer means nothing. */
static bool reaches(plb_search *s, const node *n, int ply, int bound) {
    if (!may_go_on(s)) return false;
    int mover = ply & 1, completer = (bound > 0) != s->game->misere ? mover : !mover;
    uint64_t nodes_before = s->nodes++;
    if (is_limited(bound) ? is_harmless_so_long(s, n, ply, bound, completer)
                          : is_harmless(s->game, n, ply, completer))
        return bound <= 0;
    if (follow_up_refutes(s, n, mover, bound)) return false;
    if (!has_several(n->moves)) return some_move_reaches(s, n, ply, bound);
    table_place at = find_place(s, ply);
    bool answer;
    if (recall(s, at, bound, &answer)) return answer;
    answer = some_move_reaches(s, n, ply, bound);
    if (!s->given_up) remember(s, at, bound, answer, s->nodes - nodes_before);
    return answer;
}

/* ---- the interface ---- */

static node make_root(const plb_game *game, plb_position position) {
    node root = {.stones = {position.x, position.o}, .last_cell = -1};
    for (int g = 0; g < game->group_count; g++)
        for (int player = 0; player < 2; player++) {
            uint64_t missing = game->groups[g] & ~root.stones[player];
            if (!has_several(missing)) root.threats[player] |= missing;
        }
    return root;
}

static void set_root_keys(plb_search *s, const node *root, int ply) {
    memset(s->keys[ply], 0, sizeof s->keys[ply]);
    for (int player = 0; player < 2; player++)
        for (uint64_t left = root->stones[player]; left; left &= left - 1)
            for (int i = 0; i < s->images; i++)
                s->keys[ply][i] += s->key_steps[player][plb_lowest(left)][i];
}

/* Is the score plain to see? Otherwise the root is made ready to be searched. */
static bool see_score(plb_search *s, plb_position position, node *root, int *score) {
    int ply = plb_position_ply(position);
    if (plb_rules_is_over(s->game, position)) {
        *score = score_of(s->game, plb_rules_final_value(s->game, position), ply);
        return true;
    }
    *root = make_root(s->game, position);
    set_root_keys(s, root, ply);
    return settle(s->game, root, ply, score);
}

/* The score if it is 0, else one of the same sign. */
static int find_sign(plb_search *s, const node *root, int ply) {
    if (reaches(s, root, ply, 1)) return 1;
    return reaches(s, root, ply, 0) ? 0 : -1;
}

/* The score, which is not 0. The horizon moves on by two plies, for the end is always by the same
 * player's stone. From below, because a short horizon makes a short search. */
static int find_score(plb_search *s, const node *root, int ply, int sign) {
    const plb_game *game = s->game;
    bool mover_completes = (sign > 0) != game->misere;
    int end = ply + (mover_completes ? 1 : 2);
    for (; end <= game->cells && !s->given_up; end += 2) {
        int score = score_of(game, (plb_value)sign, end);
        if (sign > 0 ? reaches(s, root, ply, score) : !reaches(s, root, ply, score + 1))
            return score;
    }
    return sign;
}

static bool is_possible(const plb_game *game, plb_position position) {
    int surplus = plb_popcount(position.x) - plb_popcount(position.o);
    return !((position.x | position.o) & ~game->board) && !(position.x & position.o) &&
           surplus >= 0 && surplus <= 1;
}

static void begin(plb_search *s, bool wide, uint64_t node_budget,
                  const volatile sig_atomic_t *stop) {
    s->nodes = 0;
    s->node_budget = node_budget ? node_budget : UINT64_MAX;
    s->stop = stop;
    s->given_up = false;
    s->age++;
    set_layout(s, wide);
}

static plb_value value_of(int score) {
    return score > 0 ? PLB_WIN : score < 0 ? PLB_LOSS : PLB_DRAW;
}

int plb_search_solve(plb_search *search, plb_position position, uint64_t node_budget,
                     const volatile sig_atomic_t *stop, plb_search_result *result) {
    if (!is_possible(search->game, position)) return PLB_EARGUMENT;
    node root;
    int score;
    begin(search, search->long_keys, node_budget, stop);
    if (!see_score(search, position, &root, &score))
        score = find_sign(search, &root, plb_position_ply(position));
    bool proved = !search->given_up;
    *result = (plb_search_result){proved, proved, proved ? value_of(score) : PLB_DRAW, PLB_NO_DTM,
                                  search->nodes};
    return PLB_OK;
}

int plb_search_distance(plb_search *search, plb_position position, uint64_t node_budget,
                        const volatile sig_atomic_t *stop, plb_search_result *result) {
    if (!is_possible(search->game, position)) return PLB_EARGUMENT;
    plb_search_result r = {.value = PLB_DRAW, .dtm = PLB_NO_DTM};
    int ply = plb_position_ply(position), score;
    node root;
    begin(search, true, node_budget, stop);
    bool seen = see_score(search, position, &root, &score);
    if (!seen) score = find_sign(search, &root, ply);
    r.value_proved = !search->given_up;
    if (r.value_proved) r.value = value_of(score);
    if (!seen && r.value != PLB_DRAW) score = find_score(search, &root, ply, score);
    r.proved = !search->given_up;
    if (r.proved && score != 0) r.dtm = search->game->cells + 1 - abs(score) - ply;
    r.nodes = search->nodes;
    *result = r;
    return PLB_OK;
}

/* ---- opening ---- */

static void find_even_gaps(plb_search *s) {
    for (int cell = 0; cell < s->game->cells; cell++)
        if ((s->game->height - 1 - plb_game_row(s->game, cell)) % 2 == 0)
            s->even_gaps |= 1ULL << cell;
}

static int sort_groups_by_cell(plb_search *s) {
    const plb_game *game = s->game;
    int count = 0;
    for (int g = 0; g < game->group_count; g++) count += plb_popcount(game->groups[g]);
    s->groups_through = malloc((count + 1) * sizeof *s->groups_through);
    if (!s->groups_through) return PLB_ENOMEM;
    count = 0;
    for (int cell = 0; cell < game->cells; cell++) {
        for (int g = 0; g < game->group_count; g++)
            if (game->groups[g] >> cell & 1) s->groups_through[count++] = game->groups[g];
        s->first_group[cell + 1] = count;
    }
    return PLB_OK;
}

static int find_supports(plb_search *s) {
    const plb_game *game = s->game;
    s->supports = malloc((game->group_count + 1) * sizeof *s->supports);
    if (!s->supports) return PLB_ENOMEM;
    for (int g = 0; g < game->group_count; g++) {
        s->supports[g] = game->groups[g];
        for (int row = 1; game->gravity && row < game->height; row++)
            s->supports[g] |= (s->supports[g] & ~game->bottom) >> 1;
    }
    return PLB_OK;
}

/* What an o stone adds to a key; an x stone adds twice as much. Columns of one cell are digits to
 * the base 3, too, for many of them would not leave the room that `rest` needs. */
static position_key key_of_cell(const plb_game *game, int cell) {
    if (game->gravity && game->height > 1) return (position_key)1 << (cell + cell / game->height);
    position_key power = 1;
    for (int i = 0; i < cell; i++) power *= 3;
    return power;
}

static int make_key_steps(plb_search *s) {
    plb_symmetry symmetry;
    int error = plb_symmetry_init(s->game, &symmetry);
    if (error) return error;
    s->images = symmetry.order < MAX_IMAGES ? symmetry.order : MAX_IMAGES;
    for (int i = 0; i < s->images; i++)
        for (int cell = 0; cell < s->game->cells; cell++) {
            position_key step = key_of_cell(s->game, symmetry.image[i][cell]);
            s->key_steps[0][cell][i] = 2 * step;
            s->key_steps[1][cell][i] = step;
        }
    plb_symmetry_free(&symmetry);
    return PLB_OK;
}

static int make_table(plb_search *s, size_t table_bytes) {
    s->bucket_bits = LEAST_BUCKET_BITS;
    while (table_bytes >> s->bucket_bits >= 2 * 8 * BUCKET_WORDS) s->bucket_bits++;
    s->table = aligned_alloc(8 * BUCKET_WORDS, table_size(s));
    if (!s->table) return PLB_ENOMEM;
    const plb_game *game = s->game;
    s->long_keys = game->gravity && game->height > 1 ? (game->height + 1) * game->width > 64
                                                     : game->cells > 40;
    return PLB_OK;
}

int plb_search_open(const plb_game *game, size_t table_bytes, plb_search **search) {
    plb_search *s = calloc(1, sizeof *s);
    if (!s) return PLB_ENOMEM;
    s->game = game;
    find_even_gaps(s);
    int error = sort_groups_by_cell(s);
    if (!error) error = find_supports(s);
    if (!error) error = make_key_steps(s);
    if (!error) error = make_table(s, table_bytes);
    if (error)
        plb_search_close(s);
    else
        *search = s;
    return error;
}

void plb_search_close(plb_search *search) {
    if (!search) return;
    free(search->supports);
    free(search->groups_through);
    free(search->table);
    free(search);
}
