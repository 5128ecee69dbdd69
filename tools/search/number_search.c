/* SPDX-License-Identifier: MIT
 *
 * A position that is not over is identified by its empty cells, the tiles left, and the residual of
 * each line: the sum that its empty cells still need.
 *
 *      1  .  .  .      empty cells of the line: 3, tiles left: all but 1 and 16
 *     16  .  .  .      its residual: 34 - 17 = 17 in the diagonal, 34 - 1 = 33 in the row
 *
 * If the tiles left cannot give this sum, the line is dead and stays so: its residual is set to 0.
 * Moves and wins depend on nothing else, so positions that agree in this share an entry of the
 * transposition table, with all their images under the symmetries of the lines. Three rules decide
 * most positions without a search:
 *
 *     R1  The mover has the residual of a line with one empty cell: he wins at once.
 *     R2  The opponent has such residuals in two cells: the mover loses. In one cell: the mover
 *         must play there, and any number blocks the line.
 *     R3  A move that leaves a line with one empty cell and a residual that the opponent has loses
 *         at once. If all moves do, the mover loses.
 *
 * The other positions have safe moves. The search first tries those that leave the opponent the
 * fewest safe replies; without this order the 4x4 board takes far more than minutes.
 */
#include "tools/search/number_search.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tables/bits.h"
#include "tables/message.h"
#include "tables/stop.h"
#include "tools/search/known_positions.h"

enum {
    MAX_MOVES = 128, /* 16 cells, 8 numbers */
    SETS = 1 << PLB_MAX_TILES,
    REPORT_NODES = 1 << 16,  /* between two reports */
    MAX_LINES_OF_A_CELL = 4, /* the centre of 3x3 */
    WAYS = 4,                /* slots of a bucket of the transposition table */
};

typedef struct state {
    uint64_t reversed[2]; /* [player] values left: bit 63 - v */
    uint32_t empty, left; /* empty cells; tiles left */
    uint32_t own[2];      /* [player] values left: bit v */
    uint8_t residuals[PLB_MAX_LINES];
    uint8_t open[PLB_MAX_LINES]; /* empty cells of a line */
} state;

/* An entry of the transposition table: a position up to symmetry, the question, and its answer. */
typedef struct slot {
    uint64_t high; /* a set bit, tiles left, empty cells, residuals of 4 lines; 0: free */
    uint64_t low;  /* residuals of the other lines, 6 bits each; then the fields below */
} slot;

enum { ANSWER_BIT = 36, PLAYER_BIT = 37, BY_BIT = 38, WORK_BIT = 43 }; /* lowest bits in `low` */

static const uint64_t key_bits = ((1ULL << WORK_BIT) - 1) & ~(1ULL << ANSWER_BIT);

struct number_search {
    const plb_game *game;
    int symmetry_count;
    plb_line_symmetry symmetries[PLB_MAX_LINE_SYMMETRIES];
    uint8_t lines_of[PLB_MAX_TILES][MAX_LINES_OF_A_CELL];
    int line_counts[PLB_MAX_TILES];
    uint64_t sums[SETS]
                 [PLB_MAX_TILES / 4]; /* [tiles left][n - 1] bit s: n of them have the sum s */
    uint16_t min_image[SETS];         /* [empty cells] their least image */
    uint32_t to_min_image[SETS];      /* [empty cells] bit i: symmetry i gives it */
    slot *slots;
    uint64_t slot_count, max_slot_count, used_slots;
    const number_question *question;
    int by; /* of the question, or the last ply */
    uint64_t next_report;
    number_result *result;
    bool stopped;
};

/* ---- symmetries ---- */

static void make_least_images(number_search *s) {
    for (uint32_t empty = 0; empty < 1u << s->game->cells; empty++) {
        uint32_t least = empty;
        for (int i = 0; i < s->symmetry_count; i++) {
            uint32_t cells = empty;
            uint32_t image = 0;
            for (; cells; cells &= cells - 1)
                image |= 1u << s->symmetries[i].cells[plb_lowest(cells)];
            if (image < least) least = image, s->to_min_image[empty] = 0;
            if (image == least) s->to_min_image[empty] |= 1u << i;
        }
        s->min_image[empty] = (uint16_t)least;
    }
}

/* ---- positions ---- */

/* Set the residuals of dead lines to 0. */
static void kill_lines(const number_search *s, state *at) {
    const uint64_t *sums = s->sums[at->left];
    for (int l = 0; l < s->game->group_count; l++)
        if (!at->open[l] || !(sums[at->open[l] - 1] >> at->residuals[l] & 1)) at->residuals[l] = 0;
}

/* Put a tile on an empty cell; the caller then calls kill_lines. */
static void put_tile(const number_search *s, state *at, int owner, int value, int tile, int cell) {
    at->empty &= ~(1u << cell);
    at->left &= ~(1u << tile);
    at->own[owner] &= ~(1u << value);
    at->reversed[owner] &= ~(1ULL << (63 - value));
    for (int i = 0; i < s->line_counts[cell]; i++) {
        int l = s->lines_of[cell][i], residual = at->residuals[l];
        at->residuals[l] = residual > value ? residual - value : 0;
        at->open[l]--;
    }
}

static state state_of(const number_search *s, plb_position p) {
    const plb_game *game = s->game;
    state at = {.empty = (uint32_t)plb_low_bits(game->cells),
                .left = game->tiles[0] | game->tiles[1]};
    for (int tile = 0; tile < game->cells; tile++) {
        int owner = game->tiles[1] >> tile & 1, value = plb_numbers_value(game, tile);
        at.own[owner] |= 1u << value;
        at.reversed[owner] |= 1ULL << (63 - value);
    }
    memset(at.residuals, game->target, game->group_count);
    memset(at.open, game->width, game->group_count);
    for (uint64_t cells = p.o; cells; cells &= cells - 1) {
        int cell = plb_lowest(cells), tile = plb_numbers_tile(p, cell);
        put_tile(s, &at, game->tiles[1] >> tile & 1, plb_numbers_value(game, tile), tile, cell);
    }
    kill_lines(s, &at);
    return at;
}

static state state_after(const number_search *s, const state *at, int mover, int cell, int value) {
    state after = *at;
    put_tile(s, &after, mover, value, value - 1 + (s->game->each && mover ? s->game->cells / 2 : 0),
             cell);
    kill_lines(s, &after);
    return after;
}

static int ply_of(const number_search *s, const state *at) {
    return s->game->cells - plb_popcount(at->empty);
}

/* ---- the three rules ---- */

typedef enum verdict { MOVER_WINS, MOVER_LOSES, DRAWN, OPEN } verdict;

typedef struct evaluation {
    verdict verdict;
    int count;                    /* number of safe moves, if OPEN */
    uint32_t safe[PLB_MAX_TILES]; /* [cell] values of the safe moves, bit v */
} evaluation;

static void evaluate(const number_search *s, const state *at, int mover, evaluation *o) {
    uint32_t unsafe[PLB_MAX_TILES] = {0}, threats = 0, live = 0;
    memset(o, 0, sizeof *o);
    for (int l = 0; l < s->game->group_count; l++) {
        int residual = at->residuals[l];
        live |= residual;
        if (!residual || at->open[l] > 2) continue;
        uint32_t cells = s->game->groups[l] & at->empty;
        if (at->open[l] == 1) {
            o->verdict = MOVER_WINS;
            if (at->own[mover] >> residual & 1) return;
            threats |= cells;
        } else {
            uint32_t answered = (uint32_t)(at->reversed[!mover] >> (63 - residual));
            unsafe[plb_lowest(cells)] |= answered;
            unsafe[plb_lowest(cells & (cells - 1))] |= answered;
        }
    }
    if (!live) {
        o->verdict = DRAWN;
    } else if (threats & (threats - 1)) {
        o->verdict = MOVER_LOSES;
    } else {
        /* The safe moves; if there is a threat, only those in its cell. */
        uint32_t cells = threats ? threats : at->empty;
        for (; cells; cells &= cells - 1) {
            int cell = plb_lowest(cells);
            o->safe[cell] = at->own[mover] & ~unsafe[cell];
            o->count += plb_popcount(o->safe[cell]);
        }
        o->verdict = o->count ? OPEN : MOVER_LOSES;
    }
}

/* Do the rules, or the last ply, answer the question? */
static bool is_decided(const number_search *s, const state *at, int mover, const evaluation *o,
                       bool *yes) {
    bool attacks = mover == s->question->player;
    int ply = ply_of(s, at);
    *yes = false;
    if (ply + (attacks ? 1 : 2) > s->by) return true;
    *yes = o->verdict == (attacks ? MOVER_WINS : MOVER_LOSES);
    return o->verdict != OPEN;
}

/* ---- the transposition table ---- */

static slot key_of(const number_search *s, const state *at) {
    slot least = {~0ULL, ~0ULL};
    for (uint32_t which = s->to_min_image[at->empty]; which; which &= which - 1) {
        const uint8_t *lines = s->symmetries[plb_lowest(which)].lines;
        uint8_t moved[PLB_MAX_LINES] = {0};
        slot one = {0, 0};
        for (int l = 0; l < s->game->group_count; l++) moved[lines[l]] = at->residuals[l];
        for (int l = 0; l < 4; l++) one.high = one.high << 6 | moved[l];
        for (int l = 4; l < PLB_MAX_LINES; l++) one.low = one.low << 6 | moved[l];
        if (one.high < least.high || (one.high == least.high && one.low < least.low)) least = one;
    }
    least.high |= 1ULL << 63 | (uint64_t)at->left << 44 | (uint64_t)s->min_image[at->empty] << 28;
    least.low |= (uint64_t)s->question->player << PLAYER_BIT | (uint64_t)s->by << BY_BIT;
    return least;
}

static bool is_same(slot a, slot b) {
    return a.high == b.high && ((a.low ^ b.low) & key_bits) == 0;
}

static slot *bucket_of(const number_search *s, slot key) {
    uint64_t hash = key.high * 0x9E3779B97F4A7C15ULL ^ (key.low & key_bits) * 0xC2B2AE3D27D4EB4FULL;
    hash = (hash ^ hash >> 32) * 0xD6E8FEB86659FD93ULL;
    return s->slots + ((hash ^ hash >> 29) & (s->slot_count - WAYS));
}

static const slot *find_slot(const number_search *s, slot key) {
    const slot *bucket = bucket_of(s, key);
    for (int way = 0; way < WAYS; way++)
        if (is_same(bucket[way], key)) return &bucket[way];
    return NULL;
}

/* Double the number of slots, so that a short search stays in little memory. A bucket is divided
 * between two new ones, which have room. If there is no memory, the table stays as it is. */
static void grow(number_search *s) {
    slot *old = s->slots, *slots = known_map_pages(2 * s->slot_count * sizeof *slots);
    uint64_t count = s->slot_count;
    if (!slots) s->max_slot_count = count;
    if (!slots) return;
    s->slots = slots;
    s->slot_count = 2 * count;
    for (uint64_t from = 0; from < count; from++) {
        known_release_pages(old, from * sizeof *old);
        if (!old[from].high) continue;
        slot *to = bucket_of(s, old[from]);
        while (to->high) to++;
        *to = old[from];
    }
    munmap(old, count * sizeof *old);
}

/* In a full bucket the slot that took the least work is replaced. */
static void put_slot(number_search *s, slot key, bool yes, uint64_t nodes) {
    slot *bucket = bucket_of(s, key), *at = bucket;
    for (int way = 1; way < WAYS && at->high; way++)
        if (!bucket[way].high || bucket[way].low >> WORK_BIT < at->low >> WORK_BIT)
            at = &bucket[way];
    s->used_slots += !at->high;
    *at = key;
    at->low |= (uint64_t)yes << ANSWER_BIT | (uint64_t)(64 - __builtin_clzll(nodes | 1))
                                                 << WORK_BIT;
    if (s->slot_count < s->max_slot_count && s->used_slots > s->slot_count / 4) grow(s);
}

/* ---- the search ---- */

typedef struct move {
    state after;
    slot key;
    int replies; /* number of safe replies */
} move;

static void count_answer(number_search *s, const state *at, bool known, bool yes) {
    number_depth *depth = &s->result->depths[ply_of(s, at)];
    depth->visited++;
    depth->known += known;
    depth->yes += yes;
}

/* List the safe moves after which no rule decides. *decided: a rule says that one of the moves
 * reaches what the mover wants. */
static int list_moves(number_search *s, const state *at, int mover, const evaluation *o,
                      move *moves, bool *decided) {
    bool wanted = mover == s->question->player, yes;
    int count = 0;
    evaluation next;
    for (uint32_t cells = at->empty; cells; cells &= cells - 1) {
        int cell = plb_lowest(cells);
        for (uint32_t values = o->safe[cell]; values; values &= values - 1) {
            move *m = &moves[count];
            m->after = state_after(s, at, mover, cell, plb_lowest(values));
            evaluate(s, &m->after, !mover, &next);
            m->replies = next.count;
            count++;
            if (!is_decided(s, &m->after, !mover, &next, &yes)) continue;
            count_answer(s, &m->after, false, yes);
            count--;
            *decided = yes == wanted;
            if (*decided) return 0;
        }
    }
    return count;
}

/* Remove moves to a position of the transposition table, or to the position of an earlier move. */
static int remove_known(number_search *s, int mover, move *moves, int count, bool *decided) {
    bool wanted = mover == s->question->player;
    int kept = 0;
    for (int m = 0; m < count; m++) {
        moves[m].key = key_of(s, &moves[m].after);
        __builtin_prefetch(bucket_of(s, moves[m].key));
    }
    for (int m = 0; m < count; m++) {
        const slot *known = find_slot(s, moves[m].key);
        bool yes = known && known->low >> ANSWER_BIT & 1, is_duplicate = false;
        if (known) {
            count_answer(s, &moves[m].after, true, yes);
            *decided = yes == wanted;
            if (*decided) return 0;
            continue;
        }
        for (int k = 0; k < kept && !is_duplicate; k++)
            is_duplicate = is_same(moves[k].key, moves[m].key);
        if (!is_duplicate) moves[kept++] = moves[m];
    }
    return kept;
}

static bool search_moves(number_search *s, const state *at, int mover, slot key);

/* Search the moves, those with the fewest replies first. The search of one may have stored the
 * answers of others. */
static bool try_moves(number_search *s, int mover, const move *moves, int count) {
    bool wanted = mover == s->question->player;
    uint8_t order[MAX_MOVES];
    for (int m = 0; m < count; m++) {
        int at = m;
        for (; at > 0 && moves[order[at - 1]].replies > moves[m].replies; at--)
            order[at] = order[at - 1];
        order[at] = (uint8_t)m;
    }
    for (int i = 0; i < count && !s->stopped; i++) {
        const move *m = &moves[order[i]];
        const slot *known = i ? find_slot(s, m->key) : NULL;
        bool yes =
            known ? known->low >> ANSWER_BIT & 1 : search_moves(s, &m->after, !mover, m->key);
        if (!s->stopped) count_answer(s, &m->after, known, yes);
        if (!s->stopped && yes == wanted) return wanted;
    }
    return !wanted;
}

/* Answer the question for an open position. After a stop the answer is meaningless. */
static bool search_moves(number_search *s, const state *at, int mover, slot key) {
    move moves[MAX_MOVES];
    evaluation o;
    bool wanted = mover == s->question->player, decided = false, yes = wanted;
    uint64_t before = s->result->nodes++;
    const number_question *q = s->question;
    s->stopped |= (q->node_budget && s->result->nodes >= q->node_budget) || plb_is_stopped(q->stop);
    if (s->result->nodes >= s->next_report) {
        if (q->report) q->report(q->context, s->result);
        s->next_report += REPORT_NODES;
    }
    if (s->stopped) return false;
    evaluate(s, at, mover, &o);
    int count = list_moves(s, at, mover, &o, moves, &decided);
    if (!decided) count = remove_known(s, mover, moves, count, &decided);
    if (!decided) yes = try_moves(s, mover, moves, count);
    if (!s->stopped) put_slot(s, key, yes, s->result->nodes - before);
    return yes;
}

/* ---- the interface ---- */

void number_search_ask(number_search *search, plb_position position,
                       const number_question *question, number_result *result) {
    int cells = search->game->cells;
    *result = (number_result){.answered = false};
    search->question = question;
    search->by = question->by > 0 && question->by < cells ? question->by : cells;
    search->result = result;
    search->stopped = false;
    search->next_report = REPORT_NODES;
    state at = state_of(search, position);
    int mover = plb_numbers_mover(position);
    evaluation o;
    bool yes;
    evaluate(search, &at, mover, &o);
    if (plb_numbers_complete(search->game, position)) {
        yes = mover != question->player && plb_numbers_ply(position) <= search->by;
    } else if (!is_decided(search, &at, mover, &o, &yes)) {
        slot key = key_of(search, &at);
        const slot *known = find_slot(search, key);
        yes = known ? known->low >> ANSWER_BIT & 1 : search_moves(search, &at, mover, key);
    }
    result->answered = !search->stopped;
    result->yes = yes && result->answered;
    number_depth *here = &result->depths[plb_numbers_ply(position)];
    here->visited++;
    here->yes += result->yes;
}

/* An open position after a move. */
typedef struct lookahead {
    state at;
    evaluation eval;
} lookahead;

static bool wins_within(const number_search *s, const state *at, int mover, const evaluation *o,
                        int plies);

/* Does the mover win after every safe move of the opponent? */
static bool wins_after(const number_search *s, const lookahead *g, int mover, int plies) {
    evaluation o;
    for (uint32_t cells = g->at.empty; cells; cells &= cells - 1) {
        int cell = plb_lowest(cells);
        for (uint32_t values = g->eval.safe[cell]; values; values &= values - 1) {
            state after = state_after(s, &g->at, !mover, cell, plb_lowest(values));
            evaluate(s, &after, mover, &o);
            if (!wins_within(s, &after, mover, &o, plies)) return false;
        }
    }
    return true;
}

typedef struct lookaheads {
    lookahead list[MAX_MOVES];
    uint8_t order[MAX_MOVES];
} lookaheads;

/* List the open positions after the safe moves. *wins: a move leaves the opponent lost. order:
 * those with the fewest replies first. */
static int list_lookaheads(const number_search *s, const state *at, int mover, const evaluation *o,
                           lookaheads *g, bool *wins) {
    int count = 0;
    for (uint32_t cells = at->empty; cells; cells &= cells - 1) {
        int cell = plb_lowest(cells);
        for (uint32_t values = o->safe[cell]; values; values &= values - 1) {
            lookahead *one = &g->list[count];
            int place = count;
            one->at = state_after(s, at, mover, cell, plb_lowest(values));
            evaluate(s, &one->at, !mover, &one->eval);
            *wins = one->eval.verdict == MOVER_LOSES;
            if (*wins) return 0;
            if (one->eval.verdict != OPEN) continue;
            for (; place > 0 && g->list[g->order[place - 1]].eval.count > one->eval.count; place--)
                g->order[place] = g->order[place - 1];
            g->order[place] = (uint8_t)count++;
        }
    }
    return count;
}

static bool wins_within(const number_search *s, const state *at, int mover, const evaluation *o,
                        int plies) {
    lookaheads g;
    bool wins = o->verdict == MOVER_WINS;
    if (o->verdict != OPEN || plies < 3) return wins;
    int count = list_lookaheads(s, at, mover, o, &g, &wins);
    for (int i = 0; i < count && plies >= 5 && !wins; i++)
        wins = wins_after(s, &g.list[g.order[i]], mover, plies - 2);
    return wins;
}

bool number_search_wins_within(const number_search *search, plb_position position, int plies) {
    state at = state_of(search, position);
    int mover = plb_numbers_mover(position);
    evaluation o;
    evaluate(search, &at, mover, &o);
    return wins_within(search, &at, mover, &o, plies);
}

int number_search_safe_moves(const number_search *search, plb_position position) {
    state at = state_of(search, position);
    evaluation o;
    evaluate(search, &at, plb_numbers_mover(position), &o);
    return o.verdict == OPEN ? o.count : 0;
}

int number_search_open(const plb_game *game, size_t table_bytes, number_search **search,
                       plb_message *message) {
    number_search *s = calloc(1, sizeof *s);
    if (s) {
        s->game = game;
        s->slot_count = s->max_slot_count = NUMBER_SEARCH_MIN_TABLE / sizeof(slot);
        while (s->max_slot_count * 2 * sizeof(slot) <= table_bytes) s->max_slot_count *= 2;
        s->slots = known_map_pages(s->slot_count * sizeof *s->slots);
    }
    if (!s || !s->slots) {
        number_search_close(s);
        return plb_fail(message, PLB_ENOMEM, "out of memory for a search");
    }
    s->symmetry_count = plb_numbers_symmetries(game, s->symmetries);
    for (uint32_t left = 1; left < 1u << game->cells; left++) {
        uint32_t others = left & (left - 1);
        int value = plb_numbers_value(game, plb_lowest(left));
        for (int n = 0; n < game->width; n++)
            s->sums[left][n] = s->sums[others][n] | (n ? s->sums[others][n - 1] : 1) << value;
    }
    make_least_images(s);
    for (int cell = 0; cell < game->cells; cell++)
        for (int l = 0; l < game->group_count; l++)
            if (game->groups[l] >> cell & 1) s->lines_of[cell][s->line_counts[cell]++] = (uint8_t)l;
    *search = s;
    return PLB_OK;
}

void number_search_close(number_search *search) {
    if (!search) return;
    if (search->slots) munmap(search->slots, search->slot_count * sizeof *search->slots);
    free(search);
}
