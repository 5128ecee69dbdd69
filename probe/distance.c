/* SPDX-License-Identifier: MIT
 *
 * Depth-first search for the distance of a position whose winner is known. Each call decides
 * whether the distance of a node is at most `limit`, and narrows its bounds:
 *
 *     the winner moves   one child within limit - 1 is enough; only children that are lost for the
 *                        player to move (by the table) qualify
 *     the loser moves    every child must be within limit - 1; all of them are won
 *
 * The limit of the root is its lower bound, which rises by two plies at a time, because the winner
 * determines the parity. Invariant: all bounds are proven, lower <= distance <= upper.
 */
#include "probe/distance.h"

#include <stdlib.h>

#include "tables/stop.h"

enum {
    DEFAULT_MEMORY = 64 << 20,
    NODES_PER_CLOCK = 1 << 8, /* nodes between two readings of the clock */
    MIN_TO_PROBE = 8,         /* plies; below this limit a search is cheaper than a probe */
    MIN_TO_CACHE = 4,         /* plies; below this limit a search is cheaper than the cache */
};
#define SECONDS_BETWEEN_REPORTS 0.05

struct plb_distance_search {
    const plb_game *game;
    plb_context context;
    plb_limits limits;
    plb_bound_cache *cache;
    int64_t history[2][PLB_MAX_CELLS]; /* [winner moves][cell] history heuristic of move order */
    bool x_wins;                       /* in the current root */
    plb_bounds bounds;                 /* of the current root, and the cost of all searches */
    double begun, reported;            /* seconds: start; last report, since the start */
    bool stopped;
    int error;
    plb_message *message;
};

typedef struct node {
    plb_position position, key; /* key: the same for all symmetric images */
    uint64_t cells;             /* of the moves to search; at least one */
    plb_known_bounds span;      /* upper is PLB_NEVER until it is proven that the winner wins */
    bool winner_moves;
    int last;      /* cell of the last move */
    int64_t score; /* for move ordering */
} node;

static int after(int plies) {
    return plies == PLB_NEVER ? PLB_NEVER : plies + 1;
}

/* ---- bounds without a search ---- */

/* The greatest possible distance, by the number of empty cells. */
static int longest(const plb_distance_search *s, const node *n) {
    int empty = s->game->cells - plb_rules_ply(s->game, n->position);
    bool is_odd =
        n->winner_moves != s->game->misere; /* the winner moves last, the misere loser too */
    return empty - (empty % 2 != is_odd);
}

/* Narrow bounds by others that were proven. */
static void narrow(plb_known_bounds *span, plb_known_bounds known) {
    if (known.lower > span->lower) span->lower = known.lower;
    if (known.upper < span->upper) span->upper = known.upper;
}

static void remember(plb_distance_search *s, const node *n, uint64_t nodes) {
    plb_bound_cache_put(s->cache, n->key, s->x_wins, n->span, nodes);
}

/* Make the node of a position, with bounds from the rules and, unless the limit is low, from the
 * cache. */
static void enter(plb_distance_search *s, plb_position position, int limit, node *n) {
    plb_static_result result = plb_rules_static_value(s->game, position);
    *n = (node){.position = position, .cells = result.cells};
    n->winner_moves = plb_rules_x_to_move(s->game, position) == s->x_wins;
    if (result.kind == PLB_DECIDED) {
        bool won = result.value == (n->winner_moves ? PLB_WIN : PLB_LOSS);
        int plies = won ? result.dtm : PLB_NEVER;
        n->span = (plb_known_bounds){plies, plies};
        return;
    }
    /* Otherwise both players have a move that does not end the game. */
    int lower = (s->game->misere ? 3 : 4) - n->winner_moves;
    n->span = (plb_known_bounds){
        (int)plb_max(lower, s->game->rules->least_plies(s->game, n->position, s->x_wins)),
        PLB_NEVER};
    if (limit < MIN_TO_CACHE) return;
    n->key = s->game->rules->representative(&s->context.table->file.space.symmetry, position);
    plb_known_bounds known;
    if (plb_bound_cache_get(s->cache, n->key, s->x_wins, &known)) narrow(&n->span, known);
}

/* ---- limits ---- */

static void report(plb_distance_search *s) {
    if (!s->limits.report) return;
    s->bounds.seconds = s->reported = plb_clock_seconds(CLOCK_MONOTONIC) - s->begun;
    if (!s->limits.report(s->limits.context, &s->bounds)) s->stopped = true;
}

static bool may_continue(plb_distance_search *s) {
    if (s->limits.nodes && s->bounds.nodes >= s->limits.nodes) s->stopped = true;
    if (s->bounds.nodes % NODES_PER_CLOCK == 0) {
        double seconds = plb_clock_seconds(CLOCK_MONOTONIC) - s->begun;
        if (s->limits.seconds > 0 && seconds >= s->limits.seconds) s->stopped = true;
        if (seconds - s->reported >= SECONDS_BETWEEN_REPORTS) report(s);
    }
    return !s->stopped;
}

/* ---- the search ---- */

static void expand(plb_distance_search *s, const node *n, int limit, node *children, int *count) {
    int moves[PLB_MAX_MOVES];
    *count = s->game->rules->list_moves(s->game, n->position, n->cells, moves);
    for (int m = 0; m < *count; m++) {
        node *child = &children[m];
        enter(s, plb_rules_play(s->game, n->position, moves[m]), limit, child);
        /* The winner wins after every move of the loser. */
        if (!n->winner_moves && n->span.upper != PLB_NEVER)
            narrow(&child->span, (plb_known_bounds){0, longest(s, child)});
        child->last = plb_move_cell(moves[m]);
    }
}

/* Probe the table: does the winner win in a child in which the loser moves? */
static void probe_child(plb_distance_search *s, node *child) {
    plb_outcome outcome;
    int error = plb_outcome_find(&s->context, child->position, &outcome, s->message);
    if (error) {
        s->error = error;
        s->stopped = true;
        return;
    }
    narrow(&child->span, outcome.value == PLB_LOSS ? (plb_known_bounds){0, longest(s, child)}
                                                   : (plb_known_bounds){PLB_NEVER, PLB_NEVER});
    remember(s, child, 1);
}

static void search(plb_distance_search *s, node *n, int limit);

/* Do the bounds leave open whether the distance is within the limit? */
static bool is_open(const node *n, int limit) {
    return n->span.lower <= limit && limit < n->span.upper;
}

/* Reward the move that decided a node, and penalize those that were searched before it. */
static void update_history(plb_distance_search *s, bool winner_moves, node **sorted, int decisive) {
    s->history[winner_moves][sorted[decisive]->last] += decisive;
    for (int i = 0; i < decisive; i++) s->history[winner_moves][sorted[i]->last]--;
}

/* Search a node in which the winner moves: is one child within limit - 1? */
static void search_win(plb_distance_search *s, node *n, int limit, node **sorted, int count) {
    int lower = PLB_NEVER;
    bool forced = count == 1;
    for (int i = 0; i < count && !s->stopped; i++) {
        node *child = sorted[i];
        if (forced && n->span.upper != PLB_NEVER)
            narrow(&child->span, (plb_known_bounds){0, longest(s, child)});
        if (is_open(child, limit - 1) && child->span.upper == PLB_NEVER &&
            limit - 1 >= MIN_TO_PROBE)
            probe_child(s, child);
        if (is_open(child, limit - 1)) search(s, child, limit - 1);
        if (after(child->span.lower) < lower) lower = after(child->span.lower);
        if (after(child->span.upper) < n->span.upper) n->span.upper = after(child->span.upper);
        if (n->span.upper <= limit) {
            update_history(s, true, sorted, i);
            return;
        }
    }
    if (!s->stopped) narrow(&n->span, (plb_known_bounds){lower, PLB_NEVER});
}

/* Search a node in which the loser moves: is every child within limit - 1? */
static void search_loss(plb_distance_search *s, node *n, int limit, node **sorted, int count) {
    int upper = 0;
    for (int i = 0; i < count && !s->stopped; i++) {
        node *child = sorted[i];
        if (is_open(child, limit - 1)) search(s, child, limit - 1);
        if (after(child->span.upper) > upper) upper = after(child->span.upper);
        if (after(child->span.lower) > n->span.lower) n->span.lower = after(child->span.lower);
        if (n->span.lower > limit) {
            update_history(s, false, sorted, i);
            return;
        }
    }
    if (!s->stopped) narrow(&n->span, (plb_known_bounds){0, upper});
}

/* Decide whether the distance of a node is within a limit, which is_open. */
static void search(plb_distance_search *s, node *n, int limit) {
    node children[PLB_MAX_MOVES], *sorted[PLB_MAX_MOVES];
    int count;
    if (!may_continue(s)) return;
    uint64_t before = s->bounds.nodes++;
    expand(s, n, limit - 1, children, &count);
    /* Move ordering, best first for the player to move: by the lower bounds, then by history. */
    for (int i = 0; i < count; i++) {
        node *child = &children[i];
        int64_t promise = n->winner_moves ? -child->span.lower : child->span.lower;
        child->score = promise * (1LL << 40) + s->history[n->winner_moves][child->last];
        int j = i;
        for (; j > 0 && sorted[j - 1]->score < child->score; j--) sorted[j] = sorted[j - 1];
        sorted[j] = child;
    }
    if (n->winner_moves)
        search_win(s, n, limit, sorted, count);
    else
        search_loss(s, n, limit, sorted, count);
    if (limit >= MIN_TO_CACHE) remember(s, n, s->bounds.nodes - before);
}

/* ---- the interface ---- */

int plb_distance_open(const plb_table *table, const plb_limits *limits,
                      plb_distance_search **search, plb_message *message) {
    plb_distance_search *made = calloc(1, sizeof *made);
    if (!made) return plb_fail(message, PLB_ENOMEM, "out of memory for a search");
    made->game = &table->file.space.game;
    made->begun = plb_clock_seconds(CLOCK_MONOTONIC);
    if (limits) made->limits = *limits;
    uint64_t bytes = made->limits.memory_bytes ? made->limits.memory_bytes : DEFAULT_MEMORY;
    int error = plb_context_borrow(table, &made->context, message);
    if (!error && plb_bound_cache_open(bytes, &made->cache))
        error = plb_fail(message, PLB_ENOMEM, "out of memory for a search");
    return PLB_HAND_OVER(error, made, search, plb_distance_close);
}

void plb_distance_close(plb_distance_search *search) {
    if (!search) return;
    if (search->context.reader) plb_context_return(&search->context);
    plb_bound_cache_close(search->cache);
    free(search);
}

static void begin(plb_distance_search *s, plb_position position, plb_value value,
                  plb_message *message, node *root) {
    s->message = message;
    s->x_wins = plb_rules_x_to_move(s->game, position) == (value == PLB_WIN);
    enter(s, position, PLB_NEVER - 1, root);
    narrow(&root->span, (plb_known_bounds){0, longest(s, root)});
}

static int end(const plb_distance_search *s, const node *root, plb_known_bounds *span,
               plb_message *message) {
    if (s->error) return s->error;
    if (root->span.lower > root->span.upper)
        return plb_fail(message, PLB_ECORRUPT,
                        "the table is damaged: it has a winner where nobody can win");
    *span = root->span;
    return PLB_OK;
}

int plb_distance_compare(plb_distance_search *s, plb_position position, plb_value value, int limit,
                         plb_known_bounds *span, plb_message *message) {
    node root;
    begin(s, position, value, message, &root);
    if (is_open(&root, limit)) search(s, &root, limit);
    return end(s, &root, span, message);
}

static void show_bounds(plb_distance_search *s, const node *root) {
    s->bounds.least = root->span.lower;
    s->bounds.most = root->span.upper;
}

int plb_distance_find(plb_distance_search *s, plb_position position, plb_value value,
                      plb_known_bounds *span, plb_message *message) {
    node root;
    begin(s, position, value, message, &root);
    show_bounds(s, &root);
    while (root.span.lower < root.span.upper && !s->stopped) {
        search(s, &root, root.span.lower);
        show_bounds(s, &root);
        report(s);
    }
    return end(s, &root, span, message);
}

bool plb_distance_stopped(const plb_distance_search *search) {
    return search->stopped;
}

void plb_distance_cost(const plb_distance_search *search, plb_bounds *bounds) {
    bounds->nodes = search->bounds.nodes;
    bounds->seconds = plb_clock_seconds(CLOCK_MONOTONIC) - search->begun;
}
