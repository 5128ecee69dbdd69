/* SPDX-License-Identifier: MIT
 *
 * Alpha-beta on scores, by questions of the form "more than s?". No node is searched whose mover
 * can win at once, or has lost because two stones threaten, or because each of his moves lets the
 * opponent win.
 */
#include "tools/search/drop_search.h"

#include <stdlib.h>
#include <string.h>

#include "tables/stop.h"
#include "tables/threads.h"
#include "tools/search/drop_table.h"

enum {
    NEAR_NODES = 6000,     /* near ends are looked for first, in at most so many nodes */
    NEAR_STEP = 3000,      /* and while a question takes at most so many */
    MIN_EMPTY_TO_ASK = 16, /* cells; with fewer, searching a child costs no more than this */
    TABLE_EMPTY = 20,      /* cells; with fewer, searching costs no more than reading blocks */
    TABLE_WORK = 32,       /* nodes; what the table has told is worth as much */
    REPORT_NODES = 1 << 16,
    STOP_NODES = 1 << 10 /* between looks at the stop flag */
};

typedef struct bounds {
    int least, most;
} bounds;

/* What a thread of a search has of its own. */
typedef struct worker {
    drop_search *search;
    uint64_t nodes, node_budget; /* of this question */
    bool given_up;               /* answers mean nothing any more */
    uint8_t order[64];           /* [cell] the greatest first */
} worker;

typedef struct node {
    uint64_t mine, occupied; /* stones of the mover, and all */
    uint64_t dangers;        /* empty cells with which the opponent completes a row */
    uint64_t key;
    int stones;
} node;

struct drop_search {
    uint64_t cells; /* of the rules, all */
    drop_board board;
    drop_table table;
    uint8_t start_of[PLB_MAX_CELLS]; /* [column] its cell of the rules in row 0 */
    plb_threads threads;
    worker *workers; /* [threads.count] */
    uint64_t nodes, node_budget;
    const volatile sig_atomic_t *stop;
    bool given_up;
    const search_request *request;
    int error;    /* of its table */
    bounds found; /* of the score of the root */
    /* The question that is asked. */
    node root;
    int score;
    int answered; /* by a thread, the others end */
    bool answer;
};

typedef struct move {
    node child;
    int column, order;
} move;

/* ---- scores ---- */

/* Of who completes a row with the n-th stone of the game. */
static int score_of_end(const drop_board *board, int n) {
    return (board->cells + 2 - n) / 2;
}

/* ---- a table that was built before ---- */

/* Cells of the board as those of the rules. */
static uint64_t cells_of_rules(const drop_search *s, uint64_t set) {
    const drop_board *b = &s->board;
    uint64_t cells = 0;
    for (int column = 0; column < b->width; column++)
        cells |= (set >> column * b->stride & plb_low_bits(b->height)) << s->start_of[column];
    return cells;
}

/* And back. */
static uint64_t cells_of(const drop_search *s, uint64_t set) {
    const drop_board *b = &s->board;
    uint64_t cells = 0;
    for (int column = 0; column < b->width; column++)
        cells |= (set >> s->start_of[column] & plb_low_bits(b->height)) << column * b->stride;
    return cells;
}

/* Narrow the bounds of a node's score to what the table says: the score, or the sign. False: an
 * error, which ends the search. */
static bool ask_table(drop_search *s, const node *n, int *least, int *most) {
    const drop_board *b = &s->board;
    uint64_t mine = cells_of_rules(s, n->mine), others = cells_of_rules(s, n->mine ^ n->occupied);
    plb_position p = n->stones % 2 ? (plb_position){others, mine} : (plb_position){mine, others};
    plb_value value = PLB_DRAW;
    int dtm = PLB_NO_DTM;
    int error = s->request->table->ask(s->request->table->context, p, &value, &dtm);
    if (error) {
        __atomic_store_n(&s->error, error, __ATOMIC_RELAXED);
        __atomic_store_n(&s->answered, true, __ATOMIC_RELAXED);
        return false;
    }
    bool exact = value == PLB_DRAW || dtm != PLB_NO_DTM;
    int score = exact ? (int)value * score_of_end(b, n->stones + dtm) : (int)value;
    if ((exact || value == PLB_WIN) && *least < score) *least = score;
    if ((exact || value == PLB_LOSS) && *most > score) *most = score;
    return true;
}

/* ---- moves ---- */

/* Give a node its key, and ask for the cache line early. */
static void set_key(const drop_search *s, node *n) {
    n->key =
        drop_table_key(&s->table, &s->board, n->mine, n->occupied, n->stones <= s->board.cells / 4);
    drop_table_prefetch(&s->table, n->key);
}

/* The moves that do not lose at once, the best first: from the last time, then by how many cells
 * complete a row after them. True: one of them wins two plies later, whatever is played. */
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

/* Does pairing, or what is known of a child, show that a move reaches a score? */
static bool a_child_shows(const drop_search *s, const move moves[], int count, int score) {
    const drop_board *b = &s->board;
    if (score <= b->height / 2 + 1)
        for (int i = 0; i < count; i++) {
            const node *c = &moves[i].child;
            if (drop_pairing_holds(b, c->mine, c->occupied, c->dangers, score)) return true;
        }
    if (count < 2 || b->cells - moves->child.stones < MIN_EMPTY_TO_ASK) return false;
    drop_entry known;
    for (int i = 0; i < count; i++)
        if (drop_table_get(&s->table, moves[i].child.key, &known) && -known.most >= score)
            return true;
    return false;
}

/* ---- the search of a thread ---- */

static plb_value sign_of(int score) {
    return score > 0 ? PLB_WIN : score < 0 ? PLB_LOSS : PLB_DRAW;
}

/* By the first thread, of its own nodes and those of earlier questions. */
static void report(const drop_search *s, const worker *w) {
    if (w != s->workers || !s->request->report) return;
    s->request->report(s->request->context,
                       &(forward_search_result){.least = sign_of(s->found.least),
                                                .most = sign_of(s->found.most),
                                                .nodes = s->nodes + s->threads.count * w->nodes});
}

static bool may_go_on(worker *w) {
    const drop_search *s = w->search;
    if (w->nodes % REPORT_NODES == 0) report(s, w);
    if (w->nodes >= w->node_budget || (w->nodes % STOP_NODES == 0 && plb_is_stopped(s->stop)) ||
        __atomic_load_n(&s->answered, __ATOMIC_RELAXED))
        w->given_up = true;
    return !w->given_up;
}

static bool is_more(worker *w, const node *n, int score);

/* Is a child worth more than the score to the mover? *best gets its column. */
static bool some_move_is_more(worker *w, const move moves[], int count, int score, int *best) {
    for (int i = 0; i < count; i++) {
        bool held = is_more(w, &moves[i].child, -score - 1);
        if (w->given_up) return false;
        *best = moves[i].column;
        if (!held) return true;
    }
    *best = DROP_NO_COLUMN;
    return false;
}

/* Is the node's score more than this one? */
static bool is_more(worker *w, const node *n, int score) {
    const drop_search *s = w->search;
    const drop_board *b = &s->board;
    if (!may_go_on(w)) return false;
    w->nodes++;
    uint64_t cells, before = w->nodes;
    drop_is_lost(b, n->occupied, n->dangers, &cells);
    if (n->stones >= b->cells - 2) return 0 > score;
    /* The fastest ends: the opponent's in four plies, the mover's in three. */
    drop_entry known = {-score_of_end(b, n->stones + 4), score_of_end(b, n->stones + 3),
                        DROP_NO_COLUMN};
    if (known.least > score || known.most <= score) return known.least > score;

    bool is_choice = cells & (cells - 1);
    if (is_choice && drop_table_get(&s->table, n->key, &known) &&
        (known.least > score || known.most <= score))
        return known.least > score;
    bool has_sign = known.least > 0 || known.most < 0 || known.least == known.most;
    if (is_choice && s->request->table && !has_sign && b->cells - n->stones >= TABLE_EMPTY) {
        w->given_up = !ask_table(w->search, n, &known.least, &known.most);
        if (w->given_up) return false;
        drop_table_put(&w->search->table, n->key, &known, TABLE_WORK);
        if (known.least > score || known.most <= score) return known.least > score;
    }

    move moves[DROP_NO_COLUMN];
    int count;
    if (list_moves(w, n, cells, known.column, moves, &count)) return true;
    int most = score_of_end(b, n->stones + 5);
    if (most < known.most) known.most = most;
    if (known.most <= score) return false;
    if (a_child_shows(s, moves, count, score + 1)) return true;
    bool more = some_move_is_more(w, moves, count, score, &known.column);
    if (w->given_up || !is_choice) return more;
    if (more && known.least < score + 1) known.least = score + 1;
    if (!more && known.most > score) known.most = score;
    drop_table_put(&w->search->table, n->key, &known, w->nodes - before);
    return more;
}

/* ---- questions at the root ---- */

static void answer_question(void *context, int number) {
    drop_search *s = context;
    worker *w = &s->workers[number];
    w->nodes = 0;
    w->node_budget = plb_min(s->node_budget - s->nodes, drop_table_space(&s->table));
    w->given_up = false;
    bool more = is_more(w, &s->root, s->score);
    if (!w->given_up && !__atomic_exchange_n(&s->answered, true, __ATOMIC_RELAXED))
        s->answer = more;
}

/* The first thread that has an answer ends the others. A table that fills up grows, and the
 * question is asked again, to which much is known then. False: the search is given up. */
static bool ask(drop_search *s, int score) {
    s->score = score;
    s->answered = false;
    do {
        uint64_t before = s->nodes;
        plb_threads_run(&s->threads, answer_question, s);
        for (int i = 0; i < s->threads.count; i++) s->nodes += s->workers[i].nodes;
        drop_table_fit(&s->table, s->nodes - before);
    } while (!s->answered && s->nodes < s->node_budget && !plb_is_stopped(s->stop));
    s->given_up = !s->answered || s->error;
    if (s->given_up) return false;
    if (s->answer)
        s->found.least = score + 1;
    else
        s->found.most = score;
    return true;
}

/* Near ends, wins and losses in turn. */
static void look_near(drop_search *s) {
    bounds *found = &s->found;
    uint64_t budget = s->node_budget, before;
    if (s->nodes + NEAR_NODES < budget) s->node_budget = s->nodes + NEAR_NODES;
    do {
        before = s->nodes;
        if (found->most > 0 && !ask(s, found->most - 1)) break;
        if (found->least < found->most && found->least < 0 && !ask(s, found->least)) break;
    } while (found->least < found->most && (found->most > 0 || found->least < 0) &&
             s->nodes < s->node_budget && s->nodes - before <= NEAR_STEP);
    s->node_budget = budget;
    s->given_up = s->nodes >= budget || plb_is_stopped(s->stop);
}

/* Is the score obvious? */
static bool see_score(const drop_search *s, const node *root, bounds *found) {
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
    plb_position p = request->position;
    int surplus = plb_popcount(p.x) - plb_popcount(p.o);
    if (((p.x | p.o) & ~s->cells) || (p.x & p.o) || surplus < 0 || surplus > 1)
        return PLB_EARGUMENT;
    const drop_board *b = &s->board;
    uint64_t x = cells_of(s, p.x), o = cells_of(s, p.o);
    node root = {.occupied = x | o, .stones = plb_popcount(x | o)};
    root.mine = root.stones % 2 ? o : x;
    root.dangers = drop_completing(b, root.mine ^ root.occupied, root.occupied);
    set_key(s, &root);
    s->root = root;
    s->nodes = 0;
    if (s->threads.count > 1) s->table.entries = 0; /* of this position */
    s->node_budget = request->node_budget ? request->node_budget : UINT64_MAX;
    s->stop = request->stop;
    s->request = request;
    s->given_up = false;
    s->error = PLB_OK;

    s->found = (bounds){-1, 1};
    if (request->distance)
        s->found = (bounds){-score_of_end(b, root.stones + 4), score_of_end(b, root.stones + 3)};
    if (!see_score(s, &root, &s->found)) {
        if (request->table) ask_table(s, &root, &s->found.least, &s->found.most);
        if (!s->error && request->distance && s->found.least < s->found.most) look_near(s);
        /* Who wins, then from far ends to near ones. */
        const bounds *found = &s->found;
        while (!s->given_up && !s->error && found->least < found->most && s->nodes < s->node_budget)
            ask(s, found->least >= 0 ? found->least : found->most > 0 ? 0 : found->most - 1);
    }
    if (s->error) return s->error;
    bool proved = s->found.least >= s->found.most;
    forward_search_result r = {.proved = proved, .dtm = PLB_NO_DTM, .nodes = s->nodes};
    r.least = sign_of(s->found.least);
    r.most = sign_of(s->found.most);
    r.value_proved = r.least == r.most;
    r.value = r.value_proved ? r.least : PLB_DRAW;
    if (request->distance && proved && s->found.least != 0) {
        int last = b->cells + 2 - 2 * abs(s->found.least); /* stone, or the one before it */
        bool mover_ends = s->found.least > 0;
        r.dtm = last - root.stones - ((last - root.stones) % 2 != mover_ends);
    }
    *result = r;
    return PLB_OK;
}

/* ---- opening ---- */

static void set_board(drop_search *s, const search_rules *rules) {
    s->cells = rules->board;
    memcpy(s->start_of, rules->column_start, sizeof s->start_of);
    s->board = drop_board_make(rules->width, rules->height, rules->k);
}

bool drop_search_suits(const search_rules *rules, size_t table_bytes) {
    if (!rules->gravity || rules->misere || rules->cylinder || !rules->group_count) return false;
    if (rules->k < 2 || rules->k > DROP_MAX_K || rules->width > DROP_NO_COLUMN ||
        rules->width * (rules->height + 1) > 64 || (rules->k - 1) * (rules->height + 2) > 63)
        return false;
    drop_search s;
    set_board(&s, rules);
    /* Are the groups of the rules those which shifts find? Each is one, and there are as many. */
    const drop_board *b = &s.board;
    int count = 0, steps[] = {1, b->stride - 1, b->stride, b->stride + 1};
    for (int i = 0; i < 4; i++)
        count += plb_popcount(drop_rows_along(b->cells_of_board, steps[i], b->k));
    for (int g = 0; g < rules->group_count; g++)
        if (!drop_has_row(b, cells_of(&s, rules->groups[g])) ||
            plb_popcount(rules->groups[g]) != b->k)
            return false;
    return count == rules->group_count && drop_table_suits(b, table_bytes);
}

/* Central cells first; threads besides the first one take others of much the same order first. */
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
    search->workers = calloc(threads, sizeof *search->workers);
    if (!search->workers || plb_threads_open(threads, &search->threads) ||
        !drop_table_open(&search->board, table_bytes, search->threads.count > 1, &search->table)) {
        drop_search_close(search);
        return NULL;
    }
    for (int i = 0; i < search->threads.count; i++) {
        search->workers[i].search = search;
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
