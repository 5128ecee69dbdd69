/* SPDX-License-Identifier: MIT
 *
 * Alpha-beta with null windows: each search decides whether the score is greater than s. Invariant:
 * in a searched node the mover cannot win at once, and has a move after which the opponent cannot.
 */
#include "tools/search/drop_search.h"

#include <stdlib.h>
#include <string.h>

#include "tables/stop.h"
#include "tables/threads.h"
#include "tools/search/drop_pairs.h"
#include "tools/search/drop_table.h"

enum {
    /* The first search, for short wins and losses: its limit for each thread; and it ends earlier
     * after a pair of null windows that took more nodes than this. */
    SHORT_NODES = 6000,
    SHORT_STEP = 3000,
    ALONE_NODES = 1000, /* that one thread searches in a null window before it wakes the others */
    MIN_EMPTY_TO_PROBE = 16, /* cells; with fewer, searching a child is as cheap as looking it up */
    MIN_EMPTY_FOR_TABLE = 20, /* cells; with fewer, a search is as cheap as reading a block */
    TABLE_ENTRY_WORK = 32,    /* nodes that a value of the endgame table is taken to have cost */
    MIN_EMPTY_TO_DEFER = 20,  /* cells; with fewer, threads do not avoid searching the same node */
    BUSY_KEYS = 1024,
    CACHE_LINE = 64,        /* bytes */
    REPORT_NODES = 1 << 16, /* between reports */
    STOP_NODES = 1 << 10    /* between looks at the stop flag */
};

typedef struct bounds {
    int lower, upper;
} bounds;

/* Per-thread state of a search. It is written at each node, so no other thread reads its line. */
typedef struct worker {
    _Alignas(CACHE_LINE) drop_search *search;
    uint64_t nodes, node_budget; /* of the current null window */
    bool aborted;                /* results are meaningless */
    uint8_t order[64];           /* [cell] the greatest first */
} worker;

typedef struct node {
    uint64_t mine, occupied; /* stones of the mover, and all */
    uint64_t dangers;        /* empty cells in which the opponent completes k in a row */
    uint64_t key;            /* of the transposition table */
    int stones;
} node;

struct drop_search {
    drop_board board;
    drop_table table;
    uint8_t start_of[PLB_MAX_CELLS]; /* [column] its lowest cell, as search_rules numbers it */
    plb_threads threads;
    worker *workers; /* [threads.count] */
    int defer_below; /* a node with fewer stones defers moves; 0 with one thread */
    uint64_t nodes, node_budget;
    const volatile sig_atomic_t *stop;
    bool aborted;
    const search_request *request;
    int error;    /* of the endgame table */
    bounds found; /* of the score of the root */
    /* The current null window: is the score of the root greater than `score`? */
    node root;
    int score;
    int answered; /* a thread has the answer, or an error: the others stop */
    bool answer;
    bool is_alone;            /* one thread searches */
    uint64_t busy[BUSY_KEYS]; /* [key % BUSY_KEYS] of a node that a thread searches, or 0 */
};

typedef struct move {
    node child;
    int column, order;
} move;

/* ---- scores ---- */

/* The winner's score of a game that ends with the n-th stone. */
static int score_of_end(const drop_board *board, int n) {
    return (board->cells + 2 - n) / 2;
}

/* ---- the endgame table ---- */

/* A set of cells of the board, as search_rules numbers them. */
static uint64_t to_rules(const drop_search *s, uint64_t set) {
    const drop_board *b = &s->board;
    uint64_t cells = 0;
    for (int column = 0; column < b->width; column++)
        cells |= (set >> column * b->stride & plb_low_bits(b->height)) << s->start_of[column];
    return cells;
}

/* The inverse. */
static uint64_t from_rules(const drop_search *s, uint64_t set) {
    const drop_board *b = &s->board;
    uint64_t cells = 0;
    for (int column = 0; column < b->width; column++)
        cells |= (set >> s->start_of[column] & plb_low_bits(b->height)) << column * b->stride;
    return cells;
}

/* Narrow the bounds of a node's score by the endgame table, which knows the score or its sign.
 * False: an error, which ends the search. */
static bool probe_table(drop_search *s, const node *n, int *lower, int *upper) {
    const drop_board *b = &s->board;
    uint64_t mine = to_rules(s, n->mine), others = to_rules(s, n->mine ^ n->occupied);
    plb_position p = n->stones % 2 ? (plb_position){others, mine} : (plb_position){mine, others};
    plb_value value = PLB_DRAW;
    int dtm = PLB_NO_DTM;
    int error = s->request->table->probe(s->request->table->context, p, &value, &dtm);
    if (error) {
        __atomic_store_n(&s->error, error, __ATOMIC_RELAXED);
        __atomic_store_n(&s->answered, true, __ATOMIC_RELAXED);
        return false;
    }
    bool exact = value == PLB_DRAW || dtm != PLB_NO_DTM;
    int score = exact ? (int)value * score_of_end(b, n->stones + dtm) : (int)value;
    if ((exact || value == PLB_WIN) && *lower < score) *lower = score;
    if ((exact || value == PLB_LOSS) && *upper > score) *upper = score;
    return true;
}

/* ---- moves ---- */

/* Set the key of a node, and prefetch its bucket. */
static void set_key(const drop_search *s, node *n) {
    n->key =
        drop_table_key(&s->table, &s->board, n->mine, n->occupied, n->stones <= s->board.cells / 4);
    drop_table_prefetch(&s->table, n->key);
}

/* Sort the moves to `cells`: first the best move of the transposition table, then by the number of
 * cells that then complete k in a row. True: a move wins two plies later in any case. */
static bool list_moves(const worker *w, const node *n, uint64_t cells, int first_column,
                       move moves[], int *count) {
    const drop_search *s = w->search;
    const drop_board *b = &s->board;
    *count = 0;
    for (; cells; cells &= cells - 1) {
        uint64_t stone = cells & -cells, occupied = n->occupied | stone, answers;
        uint64_t threats = drop_completing(b, n->mine | stone, occupied);
        if (drop_is_lost(b, occupied, threats, &answers)) return true;
        int cell = plb_lowest(stone);
        move m = {
            {n->mine ^ n->occupied, occupied, threats, 0, n->stones + 1}, cell / b->stride, 0};
        set_key(s, &m.child);
        m.order = m.column == first_column ? 1 << 20 : 64 * plb_popcount(threats) + w->order[cell];
        int at = (*count)++;
        for (; at > 0 && moves[at - 1].order < m.order; at--) moves[at] = moves[at - 1];
        moves[at] = m;
    }
    return false;
}

/* Do pairs or the transposition table prove that a move has at least this score? */
static bool a_child_proves(const drop_search *s, const move moves[], int count, int score) {
    const drop_board *b = &s->board;
    if (score <= b->height / 2 + 1)
        for (int i = 0; i < count; i++) {
            const node *c = &moves[i].child;
            if (drop_pairing_holds(b, c->mine, c->occupied, c->dangers, score)) return true;
        }
    if (count < 2 || b->cells - moves->child.stones < MIN_EMPTY_TO_PROBE) return false;
    drop_entry known;
    for (int i = 0; i < count; i++)
        if (drop_table_get(&s->table, moves[i].child.key, &known) && -known.upper >= score)
            return true;
    return false;
}

/* ---- the search of a thread ---- */

static plb_value sign_of(int score) {
    return score > 0 ? PLB_WIN : score < 0 ? PLB_LOSS : PLB_DRAW;
}

/* Only the first thread reports. It takes the others to have searched as many nodes. */
static void report(const drop_search *s, const worker *w) {
    if (w != s->workers || !s->request->report) return;
    s->request->report(s->request->context,
                       &(forward_search_result){.lower = sign_of(s->found.lower),
                                                .upper = sign_of(s->found.upper),
                                                .nodes = s->nodes + s->threads.count * w->nodes});
}

static bool should_continue(worker *w) {
    const drop_search *s = w->search;
    if (w->nodes % REPORT_NODES == 0) report(s, w);
    if (w->nodes >= w->node_budget || (w->nodes % STOP_NODES == 0 && plb_is_stopped(s->stop)) ||
        __atomic_load_n(&s->answered, __ATOMIC_RELAXED))
        w->aborted = true;
    return !w->aborted;
}

static bool exceeds(worker *w, const node *n, int score);

/* Does a move have a score greater than this one? *best gets its column. With `defers`, a move
 * after the first that another thread searches is put off until the others are done. Then the table
 * often knows its score (simplified ABDADA, T. Kerrigan). */
static inline bool some_move_exceeds(worker *w, const move moves[], int count, int score,
                                     bool defers, int *best) {
    drop_search *s = w->search;
    int deferred[DROP_NO_COLUMN], all = count;
    for (int i = 0; i < all; i++) {
        const move *m = &moves[i < count ? i : deferred[i - count]];
        uint64_t key = m->child.key, *busy = &s->busy[key % BUSY_KEYS];
        if (defers && i > 0 && i < count && __atomic_load_n(busy, __ATOMIC_RELAXED) == key) {
            deferred[all++ - count] = i;
            continue;
        }
        if (defers) __atomic_store_n(busy, key, __ATOMIC_RELAXED);
        bool held = exceeds(w, &m->child, -score - 1);
        if (defers) __atomic_store_n(busy, 0, __ATOMIC_RELAXED);
        if (w->aborted) return false;
        *best = m->column;
        if (!held) return true;
    }
    *best = DROP_NO_COLUMN;
    return false;
}

/* Is the node's score greater than this one? */
static bool exceeds(worker *w, const node *n, int score) {
    const drop_search *s = w->search;
    const drop_board *b = &s->board;
    if (!should_continue(w)) return false;
    w->nodes++;
    uint64_t cells, before = w->nodes;
    drop_is_lost(b, n->occupied, n->dangers, &cells);
    if (n->stones >= b->cells - 2) return 0 > score;
    /* Nobody wins sooner: the opponent in four plies, the mover in three. */
    drop_entry known = {-score_of_end(b, n->stones + 4), score_of_end(b, n->stones + 3),
                        DROP_NO_COLUMN};
    if (known.lower > score || known.upper <= score) return known.lower > score;

    bool has_choice = cells & (cells - 1);
    if (has_choice && drop_table_get(&s->table, n->key, &known) &&
        (known.lower > score || known.upper <= score))
        return known.lower > score;
    bool has_sign = known.lower > 0 || known.upper < 0 || known.lower == known.upper;
    if (has_choice && s->request->table && !has_sign &&
        b->cells - n->stones >= MIN_EMPTY_FOR_TABLE) {
        w->aborted = !probe_table(w->search, n, &known.lower, &known.upper);
        if (w->aborted) return false;
        drop_table_put(&w->search->table, n->key, &known, TABLE_ENTRY_WORK);
        if (known.lower > score || known.upper <= score) return known.lower > score;
    }

    move moves[DROP_NO_COLUMN];
    int count;
    if (list_moves(w, n, cells, known.column, moves, &count)) return true;
    int upper = score_of_end(b, n->stones + 5);
    if (upper < known.upper) known.upper = upper;
    if (known.upper <= score) return false;
    if (a_child_proves(s, moves, count, score + 1)) return true;
    bool more = n->stones < s->defer_below
                    ? some_move_exceeds(w, moves, count, score, true, &known.column)
                    : some_move_exceeds(w, moves, count, score, false, &known.column);
    if (w->aborted || !has_choice) return more;
    if (more && known.lower < score + 1) known.lower = score + 1;
    if (!more && known.upper > score) known.upper = score;
    drop_table_put(&w->search->table, n->key, &known, w->nodes - before);
    return more;
}

/* ---- the root ---- */

static void search_root(void *context, int number) {
    drop_search *s = context;
    worker *w = &s->workers[number];
    w->nodes = 0;
    uint64_t left = s->node_budget - s->nodes, threads = s->threads.count;
    w->node_budget =
        plb_min((left - 1) / threads + 1, s->is_alone ? ALONE_NODES : drop_table_space(&s->table));
    w->aborted = false;
    bool more = exceeds(w, &s->root, s->score);
    if (!w->aborted && !__atomic_exchange_n(&s->answered, true, __ATOMIC_RELAXED)) s->answer = more;
}

/* Decide whether the score of the root is greater than this one, and narrow its bounds. One thread
 * begins, because waking the others takes longer than a short search. The first thread that has the
 * answer stops the others. If the transposition table fills up, it grows and the search starts
 * again, with what the table knows. False: the search is aborted. */
static bool decide_null_window(drop_search *s, int score) {
    s->score = score;
    s->answered = false;
    s->is_alone = s->threads.count > 1;
    while (!s->answered && s->nodes < s->node_budget && !plb_is_stopped(s->stop)) {
        uint64_t before = s->nodes;
        int searching = s->is_alone ? 1 : s->threads.count;
        if (s->is_alone)
            search_root(s, 0);
        else
            plb_threads_run(&s->threads, search_root, s);
        for (int i = 0; i < searching; i++) s->nodes += s->workers[i].nodes;
        drop_table_fit(&s->table, s->nodes - before);
        s->is_alone = false;
    }
    s->aborted = !s->answered || s->error;
    if (s->aborted) return false;
    if (s->answer)
        s->found.lower = score + 1;
    else
        s->found.upper = score;
    return true;
}

/* Look for short wins and short losses by turns. */
static void search_short_ends(drop_search *s) {
    bounds *found = &s->found;
    uint64_t budget = s->node_budget, nodes = SHORT_NODES * s->threads.count, before;
    if (s->nodes + nodes < budget) s->node_budget = s->nodes + nodes;
    do {
        before = s->nodes;
        if (found->upper > 0 && !decide_null_window(s, found->upper - 1)) break;
        if (found->lower < found->upper && found->lower < 0 && !decide_null_window(s, found->lower))
            break;
    } while (found->lower < found->upper && (found->upper > 0 || found->lower < 0) &&
             s->nodes < s->node_budget && s->nodes - before <= SHORT_STEP);
    s->node_budget = budget;
    s->aborted = s->nodes >= budget || plb_is_stopped(s->stop);
}

/* Is the score known without a search? */
static bool find_obvious_score(const drop_search *s, const node *root, bounds *found) {
    const drop_board *b = &s->board;
    uint64_t opponent = root->mine ^ root->occupied, moves;
    uint64_t mine = drop_completing(b, root->mine, root->occupied);
    int score;
    if (drop_has_row(b, opponent))
        score = -score_of_end(b, root->stones);
    else if (root->stones == b->cells)
        score = 0;
    else if (mine & drop_playable(b, root->occupied))
        score = score_of_end(b, root->stones + 1);
    else if (drop_is_lost(b, root->occupied, root->dangers, &moves))
        score = -score_of_end(b, root->stones + 2);
    else
        return false;
    *found = (bounds){score, score};
    return true;
}

int drop_search_solve(drop_search *s, const search_request *request,
                      forward_search_result *result) {
    const drop_board *b = &s->board;
    uint64_t x = from_rules(s, request->position.x), o = from_rules(s, request->position.o);
    node root = {.occupied = x | o, .stones = plb_popcount(x | o)};
    root.mine = root.stones % 2 ? o : x;
    root.dangers = drop_completing(b, root.mine ^ root.occupied, root.occupied);
    set_key(s, &root);
    s->root = root;
    s->nodes = 0;
    if (s->threads.count > 1) s->table.entries = 0; /* count those of this position */
    s->node_budget = request->node_budget ? request->node_budget : UINT64_MAX;
    s->stop = request->stop;
    s->request = request;
    s->aborted = false;
    s->error = PLB_OK;

    s->found = (bounds){-1, 1};
    if (request->distance)
        s->found = (bounds){-score_of_end(b, root.stones + 4), score_of_end(b, root.stones + 3)};
    if (!find_obvious_score(s, &root, &s->found)) {
        if (request->table) probe_table(s, &root, &s->found.lower, &s->found.upper);
        if (!s->error && request->distance && s->found.lower < s->found.upper) search_short_ends(s);
        /* Who wins? Then the distance, from long games to short ones. */
        const bounds *found = &s->found;
        while (!s->aborted && !s->error && found->lower < found->upper && s->nodes < s->node_budget)
            decide_null_window(s, found->lower >= 0  ? found->lower
                                  : found->upper > 0 ? 0
                                                     : found->upper - 1);
    }
    if (s->error) return s->error;
    bool proved = s->found.lower >= s->found.upper;
    forward_search_result r = {.proved = proved, .dtm = PLB_NO_DTM, .nodes = s->nodes};
    r.lower = sign_of(s->found.lower);
    r.upper = sign_of(s->found.upper);
    r.value_proved = r.lower == r.upper;
    r.value = r.value_proved ? r.lower : PLB_DRAW;
    if (request->distance && proved && s->found.lower != 0) {
        /* The number of the last stone, or one more: the winner makes the last move. */
        int last = b->cells + 2 - 2 * abs(s->found.lower);
        bool mover_ends = s->found.lower > 0;
        r.dtm = last - root.stones - ((last - root.stones) % 2 != mover_ends);
    }
    *result = r;
    return PLB_OK;
}

/* ---- opening ---- */

static void set_board(drop_search *s, const search_rules *rules) {
    memcpy(s->start_of, rules->column_start, sizeof s->start_of);
    s->board = drop_board_make(rules->width, rules->height, rules->k);
}

bool drop_search_suits(const search_rules *rules, size_t table_bytes) {
    if (!rules->gravity || rules->misere || rules->cylinder || !rules->group_count) return false;
    if (rules->width > DROP_NO_COLUMN || !drop_board_fits(rules->width, rules->height, rules->k))
        return false;
    drop_search s;
    set_board(&s, rules);
    /* Do shifts find exactly the groups of the rules? They find each, and as many. */
    const drop_board *b = &s.board;
    int count = 0, steps[] = {1, b->stride - 1, b->stride, b->stride + 1};
    for (int i = 0; i < 4; i++)
        count += plb_popcount(drop_rows_along(b->cells_of_board, steps[i], b->k));
    for (int g = 0; g < rules->group_count; g++)
        if (!drop_has_row(b, from_rules(&s, rules->groups[g])) ||
            plb_popcount(rules->groups[g]) != b->k)
            return false;
    return count == rules->group_count && drop_table_suits(b, table_bytes);
}

/* Central cells first. Every thread but the first varies this order a little. */
static void set_order(worker *w, int number) {
    const drop_board *b = &w->search->board;
    for (int column = 0; column < b->width; column++)
        for (int row = 0; row < b->height; row++) {
            int right = b->width - 1 - column, above = b->height - 1 - row;
            int cell = column * b->stride + row;
            w->order[cell] =
                8 * (column < right ? column : right) + 4 * (row < above ? row : above);
            w->order[cell] += (cell + 1) * number * 5 % 8;
        }
}

drop_search *drop_search_open(const search_rules *rules, size_t table_bytes, int threads) {
    drop_search *search = calloc(1, sizeof *search);
    if (!search) return NULL;
    set_board(search, rules);
    search->workers = aligned_alloc(CACHE_LINE, threads * sizeof *search->workers);
    if (!search->workers || plb_threads_open(threads, &search->threads) ||
        !drop_table_open(&search->board, table_bytes, search->threads.count > 1, &search->table)) {
        drop_search_close(search);
        return NULL;
    }
    if (search->threads.count > 1) search->defer_below = search->board.cells - MIN_EMPTY_TO_DEFER;
    for (int i = 0; i < search->threads.count; i++) {
        search->workers[i] = (worker){.search = search};
        set_order(&search->workers[i], i);
    }
    return search;
}

void drop_search_close(drop_search *search) {
    if (!search) return;
    drop_table_close(&search->table);
    if (search->threads.count) plb_threads_close(&search->threads);
    free(search->workers);
    free(search);
}
