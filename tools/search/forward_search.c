/* SPDX-License-Identifier: MIT
 *
 * Alpha-beta with null windows (questions, search_rules.h): "does the mover win?", "does he at
 * least draw?", "does he win by ply 20?". Each asks whether a player can be kept from his groups.
 *
 * A node has the stones and, for each player, the cells that complete a group. A move updates them
 * from the groups through its cell. Invariant: they do not decide the value of a searched node.
 */
#include "tools/search/forward_search.h"

#include <stdlib.h>

#include "tables/stop.h"
#include "tools/search/known_positions.h"
#include "tools/search/open_groups.h"
#include "tools/search/pairing_proofs.h"
#include "tools/search/search_rules.h"

/* ---- the state of a search ---- */

_Static_assert(FORWARD_SEARCH_MIN_TABLE == (int)KNOWN_MIN_BYTES, "as promised");

struct forward_search {
    search_rules rules;
    open_groups open_groups;
    pairing_proofs pairing_proofs;
    known_positions known;    /* the transposition table */
    uint64_t *groups_through; /* [first_group[c], first_group[c + 1]) are the groups through c */
    int first_group[PLB_MAX_CELLS + 1];
    int64_t history[2][PLB_MAX_CELLS]; /* [player][cell] history heuristic of misere play */

    uint64_t nodes, node_budget;
    const volatile sig_atomic_t *stop;
    bool aborted;
    plb_value lower, upper; /* bounds of the value, so far */
    const search_request *request;
    int error; /* of the endgame table */
};

typedef struct node {
    uint64_t stones[2];
    uint64_t threats[2]; /* [player] cells in which his stone completes a group */
    uint64_t moves;      /* that do not lose at once; set by decide_node */
    int last_cell;       /* of the last move, -1 at the root */
} node;

static uint64_t occupied_cells(const node *n) {
    return n->stones[0] | n->stones[1];
}

static bool has_several(uint64_t set) {
    return (set & (set - 1)) != 0;
}

/* ---- decided nodes ----
 *
 * Normal play: a mover who can complete a group wins. He must answer a threat, cannot answer two,
 * and must not play right below a threat. Misere: he must not complete a group. If every move
 * breaks such a rule, the mover loses: by the next stone of the opponent, in misere play by his
 * own. So the score is exact. */

static bool decide_normal(const search_rules *rules, node *n, int ply, int *score) {
    int mover = ply & 1;
    uint64_t occupied = occupied_cells(n);
    uint64_t playable = search_playable(rules, occupied);
    bool wins = n->threats[mover] & playable;
    *score = wins       ? question_score(rules, PLB_WIN, ply + 1)
             : playable ? question_score(rules, PLB_LOSS, ply + 2)
                        : 0;
    if (wins || !playable) return true;
    uint64_t danger = n->threats[!mover] & ~occupied;
    uint64_t forced = danger & playable;
    n->moves = forced ? forced : playable;
    /* (The shift moves a threat in a bottom cell to another column, but that threat is forced.) */
    if (rules->gravity) n->moves &= ~(danger >> 1);
    return has_several(forced) || !n->moves;
}

/* Is the node's score known without a search? Otherwise n->moves gets its moves, at least one. */
static bool decide_node(const search_rules *rules, node *n, int ply, int *score) {
    if (!rules->misere) return decide_normal(rules, n, ply, score);
    uint64_t playable = search_playable(rules, occupied_cells(n));
    *score = playable ? question_score(rules, PLB_LOSS, ply + 1) : 0;
    n->moves = playable & ~n->threats[ply & 1];
    return !n->moves;
}

/* The same for a question: is the score at least the bound? */
static bool decide(const search_rules *rules, node *n, int ply, int bound, bool *reached) {
    int score;
    if (decide_node(rules, n, ply, &score)) {
        *reached = score >= bound;
        return true;
    }
    *reached = bound <= 0;
    /* The least number of plies to a complete group. Normal play: a player must first make two
     * threats. Misere: the next stone completes nothing. */
    int plies = question_mover_completes(rules, bound) ? 3 : rules->misere ? 2 : 4;
    return question_is_limited(bound) && question_horizon(rules, bound) < ply + plies;
}

/* ---- moves and their order ---- */

typedef struct child {
    node node;
    int64_t score;
} child;

/* Place a stone of the mover. Only groups through its cell can give new threats. */
static node play(const forward_search *s, const node *n, int mover, int cell) {
    node next = *n;
    next.stones[mover] |= 1ULL << cell;
    next.last_cell = cell;
    for (int g = s->first_group[cell]; g < s->first_group[cell + 1]; g++) {
        uint64_t missing = s->groups_through[g] & ~next.stones[mover];
        if (!has_several(missing)) next.threats[mover] |= missing;
    }
    return next;
}

/* Empty cells in which the player completes a group, playable or not. */
static int count_threats(const node *n, int mover) {
    return plb_popcount(n->threats[mover] & ~occupied_cells(n));
}

/* Does a group lack at most two cells? */
static bool is_advanced(uint64_t missing) {
    return !has_several(missing & (missing - 1));
}

/* Normal play: prefer threats, then cells in many groups, above all in almost complete groups of
 * the mover, or of the opponent, which the stone blocks. */
static int score_normal(const forward_search *s, const node *n, const node *next, int mover) {
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

/* Misere: avoid own threats, because nobody but the player himself will have to complete them. With
 * gravity prefer an answer in the column of the last move (follow_up_refutes). Otherwise use the
 * history heuristic. */
static int64_t score_misere(const forward_search *s, const node *n, const node *next, int mover) {
    int cell = next->last_cell;
    int64_t score = s->history[mover][cell] - 32 * count_threats(next, mover);
    score += s->first_group[cell + 1] - s->first_group[cell];
    if (s->rules.gravity && n->last_cell == cell - 1) score += 128;
    return score;
}

/* List the children that need a search. True: a decided child shows that the bound is reached. */
static bool expand(const forward_search *s, const node *n, int ply, int bound, child *children,
                   int *count) {
    int mover = ply & 1;
    *count = 0;
    for (uint64_t moves = n->moves; moves; moves &= moves - 1) {
        child *next = &children[*count];
        bool held;
        next->node = play(s, n, mover, plb_lowest(moves));
        if (!decide(&s->rules, &next->node, ply + 1, 1 - bound, &held)) {
            next->score = s->rules.misere ? score_misere(s, n, &next->node, mover)
                                          : score_normal(s, n, &next->node, mover);
            ++*count;
        } else if (!held) {
            return true;
        }
    }
    return false;
}

/* ---- the search ---- */

static bool reaches(forward_search *s, const node *n, int ply, int bound);

enum { MIN_PLIES_TO_PROBE = 8 }; /* up to the horizon; with fewer, a search costs no more */

/* Enhanced transposition cutoff: does the transposition table know a child that reaches the bound?
 * All buckets are prefetched before the first is read. */
static bool a_known_child_answers(forward_search *s, const child **sorted, int count, int ply,
                                  int bound) {
    known_hash hashes[PLB_MAX_CELLS];
    for (int i = 0; i < count; i++) {
        known_step(&s->known, ply, sorted[i]->node.last_cell);
        hashes[i] = known_hash_of(&s->known, ply + 1);
        known_prefetch(&s->known, &hashes[i]);
    }
    bool reached;
    for (int i = 0; i < count; i++)
        if (known_recall(&s->known, &hashes[i], 1 - bound, &reached) && !reached) return true;
    return false;
}

static bool some_move_reaches(forward_search *s, const node *n, int ply, int bound) {
    child children[PLB_MAX_CELLS];
    const child *sorted[PLB_MAX_CELLS];
    int count, mover = ply & 1;
    if (expand(s, n, ply, bound, children, &count)) return true;
    /* Highest score first; equal scores stay in the order of the cells. */
    for (int i = 0; i < count; i++) {
        int j = i;
        for (; j > 0 && sorted[j - 1]->score < children[i].score; j--) sorted[j] = sorted[j - 1];
        sorted[j] = &children[i];
    }
    if (count > 1 && question_horizon(&s->rules, bound) - ply > MIN_PLIES_TO_PROBE &&
        a_known_child_answers(s, sorted, count, ply, bound))
        return true;
    for (int i = 0; i < count; i++) {
        known_step(&s->known, ply, sorted[i]->node.last_cell);
        bool held = reaches(s, &sorted[i]->node, ply + 1, 1 - bound);
        if (s->aborted) return false;
        if (held) continue;
        if (s->rules.misere) {
            s->history[mover][sorted[i]->node.last_cell] += i;
            for (int k = 0; k < i; k++) s->history[mover][sorted[k]->node.last_cell]--;
        }
        return true;
    }
    return false;
}

enum { REPORT_NODES = 1 << 14 };

static void report(const forward_search *s) {
    s->request->report(
        s->request->context,
        &(forward_search_result){.lower = s->lower, .upper = s->upper, .nodes = s->nodes});
}

/* The cost so far: nodes, and attempts of pairing proofs in the same unit. */
static uint64_t work_done(const forward_search *s) {
    return s->nodes + s->pairing_proofs.spent;
}

/* Probe the endgame table. False: only the sign of *score is right, or the search is aborted. */
static bool probe_table(forward_search *s, const node *n, int ply, int *score) {
    int dtm = PLB_NO_DTM;
    plb_value value = PLB_DRAW;
    plb_position position = {n->stones[0], n->stones[1]};
    s->error = s->request->table->probe(s->request->table->context, position, &value, &dtm);
    if (s->error) s->aborted = true;
    bool exact = value == PLB_DRAW || dtm != PLB_NO_DTM;
    *score = exact ? question_score(&s->rules, value, ply + dtm) : (int)value;
    return exact && !s->error;
}

/* Does the endgame table know whether the score is at least the bound? */
static bool table_answers(forward_search *s, const node *n, int ply, int bound, bool *answer) {
    int score;
    if (!s->request->table || question_horizon(&s->rules, bound) - ply <= MIN_PLIES_TO_PROBE)
        return false;
    bool exact = probe_table(s, n, ply, &score);
    *answer = score >= bound;
    return exact || *answer == (score > 0);
}

/* Is the score at least the bound? By pairs of cells or by searching the moves. */
static bool prove(forward_search *s, const node *n, int ply, int bound) {
    bool answer;
    if (pairing_proofs_answer(&s->pairing_proofs, n->stones, ply, bound, &answer)) return answer;
    uint64_t before = work_done(s);
    answer = some_move_reaches(s, n, ply, bound);
    if (!s->aborted) pairing_proofs_learn(&s->pairing_proofs, ply, bound, work_done(s) - before);
    return answer;
}

/* Is the node's score at least the bound? The mover reaches b by a move after which the opponent
 * does not reach 1 - b. The node is not decided, and the keys of its ply are set. If s->aborted,
 * the answer means nothing. */
static bool reaches(forward_search *s, const node *n, int ply, int bound) {
    if (s->nodes % REPORT_NODES == 0 && s->request->report) report(s);
    if (s->nodes == s->node_budget || plb_is_stopped(s->stop)) s->aborted = true;
    if (s->aborted) return false;
    uint64_t before = work_done(s);
    bool answer;
    s->nodes++;
    if (open_groups_answer(&s->open_groups, n->stones, ply, bound, &answer)) return answer;
    if (!has_several(n->moves)) return some_move_reaches(s, n, ply, bound);
    known_hash hash = known_hash_of(&s->known, ply);
    if (known_recall(&s->known, &hash, bound, &answer)) return answer;
    if (!table_answers(s, n, ply, bound, &answer) && !s->aborted) answer = prove(s, n, ply, bound);
    if (!s->aborted) known_remember(&s->known, &hash, bound, answer, work_done(s) - before);
    return answer;
}

/* ---- the interface ---- */

/* Is the score known without a search? Otherwise *root is ready to be searched. */
static bool find_obvious_score(forward_search *s, plb_position position, node *root, int *score) {
    const search_rules *rules = &s->rules;
    int ply = plb_stones_ply(position);
    if (search_has_group(rules, plb_stones_last(position))) {
        *score = question_score(rules, rules->misere ? PLB_WIN : PLB_LOSS, ply);
        return true;
    }
    *root = (node){.stones = {position.x, position.o}, .last_cell = -1};
    for (int g = 0; g < rules->group_count; g++)
        for (int player = 0; player < 2; player++) {
            uint64_t missing = rules->groups[g] & ~root->stones[player];
            if (!has_several(missing)) root->threats[player] |= missing;
        }
    known_set_root(&s->known, root->stones, ply);
    return decide_node(rules, root, ply, score);
}

/* A score with the right sign. It is exact if it is 0, or if *exact is set. */
static int find_sign(forward_search *s, const node *root, int ply, bool *exact) {
    int score;
    if (s->request->table) {
        *exact = probe_table(s, root, ply, &score);
        return score;
    }
    bool wins = reaches(s, root, ply, 1);
    if (s->aborted) return 0;
    if (wins) s->lower = PLB_WIN;
    if (wins) return 1;
    s->upper = PLB_DRAW;
    bool holds = reaches(s, root, ply, 0);
    if (s->aborted) return 0;
    *(holds ? &s->lower : &s->upper) = holds ? PLB_DRAW : PLB_LOSS;
    return holds ? 0 : -1;
}

/* Does the game end by ply `end`? Its score has this sign. */
static bool ends_by(forward_search *s, const node *root, int ply, int sign, int end) {
    int score = question_score(&s->rules, (plb_value)sign, end);
    return sign > 0 ? reaches(s, root, ply, score) : !reaches(s, root, ply, score + 1);
}

/* Find the score, which is not 0. The horizon moves in steps of two plies, because the same player
 * always makes the last move. It moves up in normal play, where a near horizon gives a short
 * search, and down in misere play, where most games end late. */
static int find_score(forward_search *s, const node *root, int ply, int sign) {
    const search_rules *rules = &s->rules;
    bool mover_completes = (sign > 0) != rules->misere;
    int first = ply + (mover_completes ? 1 : 2), last = first + (rules->cells - first) / 2 * 2;
    int end = rules->misere ? last : first;
    if (rules->misere)
        while (end > first && !s->aborted && ends_by(s, root, ply, sign, end - 2)) end -= 2;
    else
        while (end < last && !s->aborted && !ends_by(s, root, ply, sign, end)) end += 2;
    return question_score(rules, (plb_value)sign, end);
}

int forward_search_solve(forward_search *s, const search_request *request,
                         forward_search_result *result) {
    plb_position p = request->position;
    int ply = plb_stones_ply(p), score;
    forward_search_result r = {.value = PLB_DRAW, .dtm = PLB_NO_DTM};
    node root;
    s->nodes = 0;
    s->node_budget = request->node_budget ? request->node_budget : UINT64_MAX;
    s->stop = request->stop;
    s->request = request;
    s->aborted = false;
    s->error = PLB_OK;
    s->lower = PLB_LOSS;
    s->upper = PLB_WIN;
    known_begin(&s->known, request->distance);
    bool seen = find_obvious_score(s, p, &root, &score);
    if (!seen) score = find_sign(s, &root, ply, &seen);
    r.value_proved = !s->aborted;
    if (r.value_proved) r.value = s->lower = s->upper = (plb_value)((score > 0) - (score < 0));
    if (request->distance && !seen && r.value != PLB_DRAW) score = find_score(s, &root, ply, score);
    if (s->error) return s->error;
    r.proved = !s->aborted;
    if (request->distance && r.proved && score != 0) r.dtm = s->rules.cells + 1 - abs(score) - ply;
    r.lower = s->lower;
    r.upper = s->upper;
    r.nodes = s->nodes;
    *result = r;
    return PLB_OK;
}

/* ---- opening ---- */

int forward_search_open(const search_rules *rules, size_t table_bytes, forward_search **search,
                        plb_message *message) {
    forward_search *s = calloc(1, sizeof *s);
    int count = 0;
    for (int g = 0; g < rules->group_count; g++) count += plb_popcount(rules->groups[g]);
    if (s) s->groups_through = malloc((count + 1) * sizeof *s->groups_through);
    if (!s || !s->groups_through || known_open(rules, table_bytes, &s->known)) {
        forward_search_close(s);
        return plb_fail(message, PLB_ENOMEM, "out of memory for the search");
    }
    s->rules = *rules;
    count = 0;
    for (int cell = 0; cell < rules->cells; cell++) {
        for (int g = 0; g < rules->group_count; g++)
            if (rules->groups[g] >> cell & 1) s->groups_through[count++] = rules->groups[g];
        s->first_group[cell + 1] = count;
    }
    open_groups_begin(&s->rules, &s->open_groups);
    s->pairing_proofs.rules = &s->rules;
    *search = s;
    return PLB_OK;
}

void forward_search_close(forward_search *search) {
    if (!search) return;
    known_close(&search->known);
    free(search->groups_through);
    free(search);
}
