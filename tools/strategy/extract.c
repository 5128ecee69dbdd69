/* SPDX-License-Identifier: MIT
 *
 * Each visited position has a byte: the number of its move, or one of the states below.
 */
#include "tools/strategy/extract.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "tables/array.h"
#include "tables/index/orbit.h"
#include "tables/stop.h"

/* ---- the source of values ---- */

/* Does the claim hold? The rules, or the set of positions in which it does, decide. */
static bool is_kept(const strategy_source *s, plb_position position,
                    const plb_strategy_claim *claim) {
    plb_static_result result = plb_rules_static_value(s->game, position);
    bool own_turn = plb_rules_x_to_move(s->game, position) == (claim->player == 0);
    if (result.kind == PLB_DECIDED)
        return (own_turn ? result.value : (plb_value)-result.value) >= claim->value;
    plb_position least = plb_orbit_least(s->game, s->symmetry, position);
    return plb_position_set_has(s->kept, least, plb_position_hash(least));
}

int strategy_source_ask(strategy_source *source, plb_position position,
                        const plb_strategy_claim *claim, bool *holds, bool *known,
                        plb_message *message) {
    if (source->search) {
        /* A player can get a draw if the other player cannot force a win. */
        number_question question = {
            .player = claim->value == PLB_WIN ? claim->player : !claim->player,
            .node_budget = source->node_budget,
            .stop = source->stop};
        number_result result;
        number_search_ask(source->search, position, &question, &result);
        source->nodes += result.nodes;
        if (plb_is_stopped(source->stop)) return plb_fail(message, PLB_EINTERRUPTED, "interrupted");
        *known = result.answered;
        *holds = result.answered && result.yes == (claim->value == PLB_WIN);
        return PLB_OK;
    }
    *known = true;
    if (plb_is_stopped(source->stop)) return plb_fail(message, PLB_EINTERRUPTED, "interrupted");
    if (source->kept) {
        *holds = is_kept(source, position, claim);
        return PLB_OK;
    }
    uint64_t x, o;
    plb_answer answer;
    plb_rules_to_words(source->game, position, &x, &o);
    int error = plb_probe(source->table, x, o, &answer, message);
    if (error) return error;
    bool own_turn = plb_rules_x_to_move(source->game, position) == (claim->player == 0);
    *holds = (own_turn ? answer.value : (plb_value)-answer.value) >= claim->value;
    return PLB_OK;
}

/* plb_strategy_find_rule, but faster with a search: if the search sees no win within the
 * look-ahead, the rule only looks for a forced move. *move is written only if there is one. */
static plb_strategy_rule find_rule(const strategy_source *source, const plb_strategy_claim *claim,
                                   plb_position position, int *move) {
    plb_strategy_claim near = *claim;
    if (source->search && near.value == PLB_WIN) {
        if (number_search_wins_within(source->search, position, near.look_ahead))
            return PLB_RULE_CLAIM;
        near.look_ahead = 1;
    }
    return plb_strategy_find_rule(source->game, &near, position, move);
}

/* ---- what is extracted ---- */

/* States of a position, greater than all numbers of moves: a rule keeps the claim, a rule gives the
 * forced move, it needs a stored move, it has not been looked at. */
enum { BY_RULE = 200, FORCED, NEEDED, NEW };

/* A position of a ply, by its number (tables/index/orbit.h). */
typedef struct known_position {
    plb_code code;
    uint8_t byte; /* the number of its move, or a state */
} known_position;

static int compare_codes(const void *a, const void *b) {
    const known_position *m = a, *n = b;
    return m->code < n->code ? -1 : m->code > n->code;
}

enum { MAX_CHILDREN = 1 << 20 };

/* A position of the player that needs a stored move. */
typedef struct child {
    plb_position position; /* canonical */
    known_position *known;
} child;

typedef struct child_list {
    child *children; /* [count], with capacity for more */
    int count, capacity;
} child_list;

typedef struct extraction {
    const extract_options *o;
    const plb_game *game;
    void *known[PLB_MAX_CELLS + 1];     /* [ply] a tree of known_position */
    uint64_t stored[PLB_MAX_CELLS + 1]; /* [ply] number of positions with a move */
    double done;                        /* share of the game */
    uint64_t positions;
    uint64_t steps;
    plb_message *message;
} extraction;

/* Find or add a canonical position. NULL: out of memory. */
static known_position *find_known(extraction *e, plb_position position) {
    void **tree = &e->known[plb_rules_ply(e->game, position)];
    known_position key = {plb_position_number(e->game, position), NEW};
    known_position **place = tsearch(&key, tree, compare_codes);
    if (!place) return NULL;
    if (*place != &key) return *place;
    known_position *found = malloc(sizeof *found);
    if (found)
        *found = key, *place = found;
    else
        tdelete(&key, tree, compare_codes);
    return found;
}

static int fail_memory(const extraction *e) {
    return plb_fail(e->message, PLB_ENOMEM, "out of memory for a strategy of %llu positions",
                    (unsigned long long)e->positions);
}

/* ---- the positions after a move ---- */

static int add_child(const extraction *e, child_list *list, const child *one) {
    for (int k = 0; k < list->count; k++)
        if (list->children[k].known == one->known) return PLB_OK;
    if (!PLB_ARRAY_EXTEND(list->children, list->count, list->capacity)) return fail_memory(e);
    list->children[list->count++] = *one;
    return PLB_OK;
}

static int add_children(extraction *e, plb_position p, int limit, child_list *list);

/* Add what a position of the player needs: itself if it needs a stored move, the positions after
 * its forced move, or nothing if a rule keeps the claim. */
static int add_position(extraction *e, plb_position p, int limit, child_list *list) {
    plb_static_result s = plb_rules_static_value(e->game, p);
    if (s.kind == PLB_DECIDED && s.value >= e->o->claim.value) return PLB_OK;
    child one = {.position = plb_orbit_least(e->game, e->o->source->symmetry, p)};
    one.known = find_known(e, one.position);
    int move;
    if (!one.known) return fail_memory(e);
    if (one.known->byte == NEW) {
        plb_strategy_rule rule = find_rule(e->o->source, &e->o->claim, one.position, &move);
        one.known->byte = rule == PLB_RULE_CLAIM    ? BY_RULE
                          : rule == PLB_RULE_FORCED ? FORCED
                                                    : NEEDED;
    }
    if (one.known->byte == NEEDED) return add_child(e, list, &one);
    if (one.known->byte != FORCED) return PLB_OK;
    plb_strategy_find_rule(e->game, &e->o->claim, one.position, &move);
    return add_children(e, plb_rules_play(e->game, one.position, move), limit, list);
}

/* Add the positions that need a stored move after any reply of the opponent, at most `limit`.
 * Replies that lose at once are left out. */
static int add_children(extraction *e, plb_position p, int limit, child_list *list) {
    int moves[PLB_MAX_MOVES];
    plb_static_result s = plb_rules_static_value(e->game, p);
    if (s.kind == PLB_DECIDED) return PLB_OK;
    int count = e->game->rules->list_moves(e->game, p, s.cells, moves);
    for (int m = 0; m < count && list->count < limit; m++) {
        int error = add_position(e, plb_rules_play(e->game, p, moves[m]), limit, list);
        if (error) return error;
    }
    return PLB_OK;
}

/* ---- the choice of a move ---- */

typedef struct candidate {
    plb_position after;
    uint8_t number; /* among all moves of the position */
    int replies;
} candidate;

static int compare_candidates(const void *a, const void *b) {
    const candidate *c = a, *d = b;
    return c->replies != d->replies ? c->replies - d->replies : c->number - d->number;
}

/* The moves that do not lose at once, in the order in which they are tried. */
static int list_candidates(const extraction *e, plb_position p, candidate list[PLB_MAX_MOVES]) {
    int moves[PLB_MAX_MOVES];
    int count = plb_rules_moves(e->game, p, moves), kept = 0;
    for (int m = 0; m < count; m++) {
        candidate c = {.after = plb_rules_play(e->game, p, moves[m]), .number = (uint8_t)m};
        plb_static_result s = plb_rules_static_value(e->game, c.after);
        if (s.kind == PLB_DECIDED && -s.value < (int)e->o->claim.value) continue;
        if (s.kind != PLB_DECIDED && e->o->choice != CHOOSE_FIRST) {
            /* Without replies that lose at once, if this is known at low cost. */
            int replies[PLB_MAX_MOVES];
            const number_search *search = e->o->source->search;
            c.replies = search ? number_search_safe_moves(search, c.after)
                               : e->game->rules->list_moves(e->game, c.after, s.cells, replies);
        }
        list[kept++] = c;
    }
    if (kept > 1) qsort(list, kept, sizeof *list, compare_candidates);
    return kept;
}

/* Find the best of some moves that keep the claim, as far as the node budget of the source allows.
 * *list gets its children; *best is -1 if there is none. */
static int compare_moves(extraction *e, const candidate *candidates, int count, child_list *list,
                         int *best) {
    int width = e->o->choice == CHOOSE_FEWEST ? e->o->width : 1, error = PLB_OK,
        fewest = MAX_CHILDREN;
    child_list other = {NULL, 0, 0};
    *best = -1;
    for (int c = 0; c < count && width > 0 && !error && fewest > 0; c++) {
        bool holds = false, known;
        error = strategy_source_ask(e->o->source, candidates[c].after, &e->o->claim, &holds, &known,
                                    e->message);
        if (error || !holds) continue;
        width--;
        other.count = 0;
        error = add_children(e, candidates[c].after, fewest, &other);
        if (error || other.count >= fewest) continue;
        child_list last = *list;
        fewest = other.count;
        *list = other;
        other = last;
        *best = c;
    }
    free(other.children);
    return error;
}

static int choose(extraction *e, plb_position p, child_list *list, uint8_t *number) {
    candidate candidates[PLB_MAX_MOVES];
    int count = list_candidates(e, p, candidates), best;
    int error = compare_moves(e, candidates, count, list, &best);
    if (!error && best < 0 && e->o->source->node_budget) { /* try again without a limit */
        uint64_t budget = e->o->source->node_budget;
        e->o->source->node_budget = 0;
        error = compare_moves(e, candidates, count, list, &best);
        e->o->source->node_budget = budget;
    }
    if (error) return error;
    if (best >= 0) {
        *number = candidates[best].number;
        return PLB_OK;
    }
    char board[PLB_BOARD_TEXT];
    plb_rules_format_board(e->game, p, board);
    return plb_fail(e->message, PLB_ECORRUPT,
                    "no strategy can be made: %s has no move that keeps the claim", board);
}

/* ---- the visit of the game ---- */

/* Choose the moves of positions and of all positions that follow; `share` of the game. */
static int visit_all(extraction *e, const child_list *list, double share) {
    if (plb_is_stopped(e->o->source->stop))
        return plb_fail(e->message, PLB_EINTERRUPTED, "interrupted");
    int error = PLB_OK;
    if (!list->count) e->done += share;
    for (int k = 0; k < list->count && !error; k++) {
        const child *at = &list->children[k];
        if (at->known->byte < BY_RULE) {
            e->done += share / list->count;
            continue;
        }
        child_list next = {NULL, 0, 0};
        if (e->o->report && e->steps++ % 64 == 0)
            e->o->report(e->o->context, e->done, e->positions);
        error = choose(e, at->position, &next, &at->known->byte);
        e->positions += !error;
        e->stored[plb_rules_ply(e->game, at->position)] += !error;
        if (!error) error = visit_all(e, &next, share / list->count);
        free(next.children);
    }
    return error;
}

/* ---- the result ---- */

static void store_move(const void *node, VISIT when, void *ply_) {
    const known_position *known = *(known_position *const *)node;
    plb_strategy_ply *ply = ply_;
    if ((when != postorder && when != leaf) || known->byte >= BY_RULE) return;
    ply->codes[ply->count] = known->code;
    ply->moves[ply->count++] = known->byte;
}

int strategy_extract(const extract_options *options, plb_strategy *strategy, plb_message *message) {
    memset(strategy, 0, sizeof *strategy);
    extraction *e = calloc(1, sizeof *e);
    if (!e) return plb_fail(message, PLB_ENOMEM, "out of memory for a strategy");
    e->o = options;
    e->game = options->source->game;
    e->message = message;
    const plb_position empty = {0, 0};
    child_list list = {NULL, 0, 0};
    int error = e->o->claim.player == 0 ? add_position(e, empty, MAX_CHILDREN, &list)
                                        : add_children(e, empty, MAX_CHILDREN, &list);
    if (!error) error = visit_all(e, &list, 1);
    free(list.children);
    for (int n = 0; n <= e->game->cells; n++) {
        plb_strategy_ply *ply = &strategy->ply[n];
        if (!error) {
            ply->codes = malloc((e->stored[n] + 1) * sizeof *ply->codes);
            ply->moves = malloc(e->stored[n] + 1);
            if (!ply->codes || !ply->moves) error = fail_memory(e);
        }
        if (!error) twalk_r(e->known[n], store_move, ply); /* in the order of the codes */
        strategy->positions += ply->count;
        tdestroy(e->known[n], free);
    }
    free(e);
    return error;
}
