/* SPDX-License-Identifier: MIT
 *
 * A breadth-first walk, which visits each position of a ply once. Threads take equal parts of a run
 * of positions. Results are merged in the order of the run: they do not depend on the number of
 * threads.
 */
#include "tools/verify/strategy_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tables/array.h"
#include "tables/message.h"
#include "tables/stop.h"
#include "tables/threads.h"
#include "tools/search/plain_game.h"

enum { RUN = 1 << 14 }; /* positions */

/* A position with the player to move. */
typedef struct node {
    plain_position at;
    uint32_t parent; /* number of the node, two plies before, from which it was first reached */
} node;

typedef struct level {
    node *nodes; /* [count] */
    size_t count, capacity;
} level;

/* A position after a reply, which may be new; key: its least image. */
typedef struct arrival {
    plain_position at, key;
    uint32_t parent;
} arrival;

typedef struct worker {
    arrival *list; /* [count] */
    size_t count, capacity;
    uint64_t replies;
    int longest;
    uint32_t fault; /* number of the first node with a fault; UINT32_MAX: none */
    plb_message why;
    char last[2 * PLB_MOVE_TEXT]; /* moves from this node to the fault */
    bool is_out_of_memory;
} worker;

typedef struct key_table {
    plain_position *keys; /* [capacity], a power of two; x and o all ones: free */
    size_t capacity, count;
} key_table;

typedef struct checker {
    const plb_table *table;
    const strategy_check_options *o;
    strategy_report *report;
    plain_game game;
    int player;    /* 0 or 1 */
    bool must_win; /* false: a draw is enough */
    level levels[PLB_MAX_CELLS + 2];
    plb_threads threads;
    worker *workers; /* [threads] */
    plb_message *message;
} checker;

/* ---- moves ---- */

static plain_move read_move(const checker *c, plain_position p, const plb_move *move) {
    return plain_move_to(&c->game, p, move->column, move->row, move->number);
}

/* Format a move as --moves reads it. */
static void write_move(const checker *c, plain_move move, char text[PLB_MOVE_TEXT]) {
    int column = move.bit / c->game.height, half = c->game.width * c->game.height / 2;
    uint8_t row = (uint8_t)(move.bit % c->game.height + 1);
    uint8_t number = (uint8_t)((c->game.each ? move.tile % half : move.tile) + 1);
    const char *prime = c->game.each && move.tile >= half ? "'" : "";
    if (c->game.gravity)
        snprintf(text, PLB_MOVE_TEXT, "%c", column < 9 ? '1' + column : 'a' + column - 9);
    else if (c->game.numbers)
        snprintf(text, PLB_MOVE_TEXT, "%u%s@%c%u ", number, prime, 'a' + column, row);
    else
        snprintf(text, PLB_MOVE_TEXT, "%c%u", 'a' + column, row);
}

static plain_move move_between(const checker *c, plain_position from, plain_position to) {
    plain_move moves[PLAIN_MAX_MOVES];
    int count = plain_moves(&c->game, from, moves);
    for (int m = 0; m < count; m++) {
        plain_position after = plain_play(&c->game, from, moves[m]);
        if (after.x == to.x && after.o == to.o) return moves[m];
    }
    return (plain_move){0, 0};
}

/* ---- one position ---- */

static void record_fault(worker *w, uint32_t number, const char *last, const char *why) {
    if (w->fault != UINT32_MAX) return;
    w->fault = number;
    snprintf(w->last, sizeof w->last, "%s", last);
    snprintf(w->why.text, sizeof w->why.text, "%s", why);
}

/* Is the game not over? At its end check the result. */
static bool is_open(const checker *c, worker *w, uint32_t number, plain_position p,
                    const char *last) {
    plain_end end = plain_result(&c->game, p);
    int ply = plain_ply(&c->game, p);
    if (end == PLAIN_OPEN) return true;
    if (ply > w->longest) w->longest = ply;
    bool wins = end == (c->player == 0 ? PLAIN_FIRST : PLAIN_SECOND);
    if (!wins && (end != PLAIN_DRAW || c->must_win))
        record_fault(w, number, last,
                     end == PLAIN_DRAW ? "the game ends with a draw" : "the opponent wins");
    return false;
}

static void add_arrival(const checker *c, worker *w, plain_position p, uint32_t parent) {
    bool fits = PLB_ARRAY_EXTEND(w->list, w->count, w->capacity);
    w->is_out_of_memory |= !fits;
    if (fits) w->list[w->count++] = (arrival){p, plain_least_image(&c->game, p), parent};
}

/* Try all replies to a move. */
static void try_replies(const checker *c, worker *w, uint32_t number, plain_position p,
                        plain_move own) {
    plain_move replies[PLAIN_MAX_MOVES];
    int count = plain_moves(&c->game, p, replies);
    char last[2 * PLB_MOVE_TEXT];
    for (int r = 0; r < count; r++) {
        plain_position after = plain_play(&c->game, p, replies[r]);
        write_move(c, own, last);
        write_move(c, replies[r], last + strlen(last));
        w->replies++;
        if (!is_open(c, w, number, after, last)) continue;
        if (!plain_wins_at_once(&c->game, after))
            add_arrival(c, w, after, number);
        else if (plain_ply(&c->game, after) + 1 > w->longest)
            w->longest = plain_ply(&c->game, after) + 1;
    }
}

static void play_node(const checker *c, worker *w, uint32_t number, plain_position p) {
    plb_move given;
    plb_message why;
    char last[PLB_MOVE_TEXT];
    if (c->o->visit) c->o->visit(c->o->visited, p.x, p.o);
    int error = plb_strategy_move(c->table, p.x, p.o, &given, &why);
    if (error) {
        record_fault(w, number, "",
                     error == PLB_EUNKNOWN ? "the strategy has no move here" : why.text);
        return;
    }
    plain_move own = read_move(c, p, &given);
    if (!plain_may_move(&c->game, p, own)) {
        record_fault(w, number, "", "the strategy makes a move that the rules do not allow");
        return;
    }
    plain_position after = plain_play(&c->game, p, own);
    write_move(c, own, last);
    if (is_open(c, w, number, after, last)) try_replies(c, w, number, after, own);
}

/* ---- new positions ---- */

static size_t find_key(const key_table *keys, plain_position key) {
    uint64_t hash = key.x * 0x9E3779B97F4A7C15ULL;
    hash = (hash ^ hash >> 29 ^ key.o) * 0xC2B2AE3D27D4EB4FULL;
    size_t at = (hash ^ hash >> 32) & (keys->capacity - 1);
    while ((keys->keys[at].x & keys->keys[at].o) != UINT64_MAX &&
           (keys->keys[at].x != key.x || keys->keys[at].o != key.o))
        at = (at + 1) & (keys->capacity - 1);
    return at;
}

static bool grow_keys(key_table *keys) {
    key_table more = {.capacity = keys->capacity ? 2 * keys->capacity : 1 << 12,
                      .count = keys->count};
    more.keys = malloc(more.capacity * sizeof *more.keys);
    if (!more.keys) return false;
    memset(more.keys, 255, more.capacity * sizeof *more.keys);
    for (size_t at = 0; at < keys->capacity; at++)
        if ((keys->keys[at].x & keys->keys[at].o) != UINT64_MAX)
            more.keys[find_key(&more, keys->keys[at])] = keys->keys[at];
    free(keys->keys);
    *keys = more;
    return true;
}

static bool add_node(level *to, const arrival *a) {
    if (!PLB_ARRAY_EXTEND(to->nodes, to->count, to->capacity)) return false;
    to->nodes[to->count++] = (node){a->at, a->parent};
    return true;
}

/* False: out of memory. */
static bool add_new(key_table *keys, level *to, const arrival *a) {
    if (2 * (keys->count + 1) > keys->capacity && !grow_keys(keys)) return false;
    size_t at = find_key(keys, a->key);
    if ((keys->keys[at].x & keys->keys[at].o) != UINT64_MAX) return true;
    if (to->count >= UINT32_MAX - 1) return false;
    keys->keys[at] = a->key;
    keys->count++;
    return add_node(to, a);
}

static int collect(checker *c, key_table *keys, level *to) {
    for (int t = 0; t < c->threads.count; t++) {
        worker *w = &c->workers[t];
        bool fits = !w->is_out_of_memory;
        for (size_t i = 0; i < w->count && fits; i++) fits = add_new(keys, to, &w->list[i]);
        if (!fits)
            return plb_fail(c->message, PLB_ENOMEM,
                            "out of memory for the positions of a strategy");
        w->count = 0;
    }
    return PLB_OK;
}

/* ---- faults ---- */

static void append(char line[STRATEGY_LINE], const char *text) {
    size_t length = strlen(line);
    snprintf(line + length, STRATEGY_LINE - length, "%s", text);
}

/* Write the moves that lead to a node. The positions of every second ply are known. */
static void write_line(const checker *c, int ply, uint32_t number, char *line) {
    const node *at = &c->levels[ply].nodes[number];
    char text[2 * PLB_MOVE_TEXT];
    plb_move given;
    if (ply < 2) {
        if (ply == 1) write_move(c, move_between(c, (plain_position){0, 0}, at->at), line);
        return;
    }
    write_line(c, ply - 2, at->parent, line);
    plain_position before = c->levels[ply - 2].nodes[at->parent].at;
    if (plb_strategy_move(c->table, before.x, before.o, &given, NULL)) return;
    plain_move own = read_move(c, before, &given);
    plain_position between = plain_play(&c->game, before, own);
    write_move(c, own, text);
    write_move(c, move_between(c, between, at->at), text + strlen(text));
    append(line, text);
}

static int report_first_fault(checker *c, int ply) {
    for (int t = 0; t < c->threads.count; t++) {
        const worker *w = &c->workers[t];
        if (w->longest > c->report->longest) c->report->longest = w->longest;
        c->report->replies += w->replies;
        c->workers[t].replies = 0;
        if (w->fault == UINT32_MAX) continue;
        write_line(c, ply, w->fault, c->report->line);
        append(c->report->line, w->last);
        size_t length = strlen(c->report->line);
        if (length && c->report->line[length - 1] == ' ') c->report->line[length - 1] = 0;
        c->report->fault = w->why;
        return plb_fail(c->message, PLB_ECORRUPT, "%s", w->why.text);
    }
    return PLB_OK;
}

/* ---- the walk ---- */

/* Nodes of a ply; each thread takes an equal share. */
typedef struct run {
    checker *c;
    const node *nodes;
    size_t begin, end;
} run;

static void play_share(void *context, int thread) {
    const run *r = context;
    size_t length = r->end - r->begin, threads = r->c->threads.count;
    size_t end = r->begin + length * (thread + 1) / threads;
    for (size_t n = r->begin + length * thread / threads; n < end; n++)
        play_node(r->c, &r->c->workers[thread], (uint32_t)n, r->nodes[n].at);
}

static int play_level(checker *c, int ply) {
    const level *from = &c->levels[ply];
    key_table keys = {NULL, 0, 0};
    int error = PLB_OK;
    for (size_t begin = 0; begin < from->count && !error; begin += RUN) {
        run nodes = {c, from->nodes, begin, begin + RUN < from->count ? begin + RUN : from->count};
        if (c->o->report) c->o->report(c->o->context, ply, begin, from->count);
        if (plb_is_stopped(c->o->stop))
            error = plb_fail(c->message, PLB_EINTERRUPTED, "interrupted");
        if (!error) plb_threads_run(&c->threads, play_share, &nodes);
        if (!error) error = report_first_fault(c, ply);
        if (!error) error = collect(c, &keys, &c->levels[ply + 2]);
    }
    c->report->positions += from->count;
    free(keys.keys);
    return error;
}

static int walk(checker *c) {
    /* The first positions with the player to move. */
    const plain_position empty = {0, 0};
    key_table keys = {NULL, 0, 0};
    plain_move moves[PLAIN_MAX_MOVES];
    int count = c->player == 1 ? plain_moves(&c->game, empty, moves) : 0;
    bool fits = true;
    if (c->player == 0) fits = add_node(&c->levels[0], &(arrival){.at = empty});
    for (int m = 0; m < count && fits; m++) {
        plain_position p = plain_play(&c->game, empty, moves[m]);
        if (!is_open(c, &c->workers[0], 0, p, "")) continue;
        fits = add_new(&keys, &c->levels[1], &(arrival){p, plain_least_image(&c->game, p), 0});
    }
    free(keys.keys);
    int error = fits ? PLB_OK : plb_fail(c->message, PLB_ENOMEM, "out of memory");
    for (int t = 0; t < c->threads.count; t++) c->workers[t].fault = UINT32_MAX;
    for (int ply = c->player; ply < c->game.width * c->game.height && !error; ply += 2)
        error = play_level(c, ply);
    return error;
}

int strategy_check(const plb_table *table, const strategy_check_options *options,
                   strategy_report *report, plb_message *message) {
    const plb_table_info *info = plb_info(table);
    memset(report, 0, sizeof *report);
    snprintf(report->spec, sizeof report->spec, "%s", info->spec);
    snprintf(report->player, sizeof report->player, "%s", info->player);
    snprintf(report->claim, sizeof report->claim, "%s", info->claim);
    report->stored = info->positions;
    report->size_bytes = info->size_bytes;
    checker *c = calloc(1, sizeof *c);
    if (!c) return plb_fail(message, PLB_ENOMEM, "out of memory");
    *c = (checker){.table = table, .o = options, .report = report, .message = message};
    c->player = strcmp(info->player, "second") == 0;
    c->must_win = strcmp(info->claim, "win") == 0;
    int error = plb_threads_open(options->threads, &c->threads);
    c->workers = error ? NULL : calloc(c->threads.count, sizeof *c->workers);
    error = c->workers && plain_read(info->spec, &c->game)
                ? walk(c)
                : plb_fail(message, PLB_ENOMEM, "out of memory for the rules of %s", info->spec);
    report->holds = !error;
    for (int t = 0; c->workers && t < c->threads.count; t++) free(c->workers[t].list);
    for (int ply = 0; ply < PLB_MAX_CELLS + 2; ply++) free(c->levels[ply].nodes);
    free(c->workers);
    plb_threads_close(&c->threads);
    free(c);
    return error;
}
