/* SPDX-License-Identifier: MIT
 *
 * Positions have no history. If the strategy fails, a search finds a line of moves that leads to
 * the position where it fails. There are few such lines, because they use only stones of that
 * position.
 */
#include "tools/strategy/strategy_walk.h"

#include <stdio.h>

#include "tables/bits.h"
#include "tables/games/stone_rules.h"
#include "tables/stop.h"

enum { PROGRESS_STEP = 1 << 12 }; /* positions */

typedef struct walker {
    const rule_walk_options *o;
    rule_walk_result *result;
    plb_position_set next;
    plb_position failed; /* the position in which the strategy fails */
    int failed_last;     /* the opponent's last cell before it; -1: any */
    plb_message *message;
} walker;

static bool is_complete(const walker *w, plb_position p, bool own) {
    return plb_game_has_group(w->o->game, own == (w->o->player == 0) ? p.x : p.o);
}

static bool is_full(const walker *w, plb_position p) {
    return plb_stones_occupied(p) == w->o->game->board;
}

static void end_game(walker *w, plb_position p) {
    int ply = plb_stones_ply(p);
    if (ply > w->result->longest) w->result->longest = ply;
}

/* Record that the strategy fails in a position; only the first failure is kept. */
static void fail_at(walker *w, plb_position p, int last, const char *why) {
    if (!w->result->holds) return;
    w->result->holds = false;
    w->failed = p;
    w->failed_last = last;
    snprintf(w->result->why.text, sizeof w->result->why.text, "%s", why);
}

static uint64_t rule_moves(const walker *w, plb_position p, int last) {
    const strategy_turn turn = {w->o->game, p, w->o->player, last};
    return w->o->strategy->moves(&turn);
}

/* A full board: a draw. */
static void end_full(walker *w, plb_position p) {
    end_game(w, p);
    if (w->o->claim == PLB_WIN) fail_at(w, p, -1, "the board is full, and nobody has lost");
}

/* ---- one step ---- */

static int add_position(const walker *w, plb_position_set *set, plb_position p) {
    if (plb_position_set_is_full(set))
        return plb_fail(w->message, PLB_ETOOBIG,
                        "the positions up to ply %d do not fit the memory given; --memory allows "
                        "more",
                        plb_stones_ply(p));
    return plb_position_set_add(set, p, plb_position_hash(p))
               ? plb_fail(w->message, PLB_ENOMEM, "out of memory for the positions of a strategy")
               : PLB_OK;
}

/* Make all moves that the rule allows. last: the opponent's last cell, or -1. */
static int make_moves(walker *w, plb_position p, int last) {
    uint64_t cells = rule_moves(w, p, last);
    int error = PLB_OK;
    if (!cells) fail_at(w, p, last, "the rule has no move");
    for (; cells && !error && w->result->holds; cells &= cells - 1) {
        plb_position after = plb_stones_play(p, plb_lowest(cells));
        if (is_complete(w, after, true))
            fail_at(w, after, -1, "the rule's move completes a group");
        else if (is_full(w, after))
            end_full(w, after);
        else
            error = add_position(w, &w->next, after);
    }
    return error;
}

/* ---- ply by ply ---- */

static int walk_ply(walker *w, int ply, const plb_position *positions, uint64_t count) {
    int error = PLB_OK;
    for (uint64_t i = 0; i < count && !error && w->result->holds; i++) {
        if (i % PROGRESS_STEP == 0) {
            if (plb_is_stopped(w->o->stop))
                return plb_fail(w->message, PLB_EINTERRUPTED, "interrupted");
            if (w->o->report) w->o->report(w->o->context, ply, i, count);
        }
        plb_position p = positions[i];
        if (w->o->kept && ply > 0)
            error = add_position(w, w->o->kept, plb_orbit_least(w->o->game, w->o->symmetry, p));
        w->result->positions++;
        uint64_t cells = plb_game_playable(w->o->game, plb_stones_occupied(p));
        for (; cells && !error && w->result->holds; cells &= cells - 1) {
            int cell = plb_lowest(cells);
            plb_position after = plb_stones_play(p, cell);
            if (!w->o->is_immune && is_complete(w, after, false))
                end_game(w, after);
            else if (is_full(w, after))
                end_full(w, after);
            else
                error = make_moves(w, after, cell);
        }
    }
    if (!error && w->o->report) w->o->report(w->o->context, ply, count, count);
    return error;
}

static uint64_t max_positions(const walker *w) {
    double fitting = w->o->memory_bytes / 2 / PLB_POSITION_SET_BYTES;
    return fitting < 1 ? 1 : (uint64_t)fitting;
}

/* ---- the line to a failure ---- */

typedef struct line {
    walker *w;
    plb_position_set tried;
    int cells[PLB_MAX_CELLS], count;
} line;

/* Has this position been tried before? If memory is short, the answer may be no. */
static bool was_tried(line *l, plb_position p) {
    uint64_t before = l->tried.count;
    if (plb_stones_ply(p) == 0 || plb_position_set_is_full(&l->tried)) return false;
    return plb_position_set_add(&l->tried, p, plb_position_hash(p)) == PLB_OK &&
           l->tried.count == before;
}

/* Extend a line that leads to p by moves to cells of the target, until it leads to the target. */
static bool extend(line *l, plb_position p) {
    const walker *w = l->w;
    bool own_turn = plb_stones_x_to_move(p) == (w->o->player == 0);
    int last = own_turn && l->count ? l->cells[l->count - 1] : -1;
    if (plb_position_is_same(p, w->failed)) return w->failed_last < 0 || w->failed_last == last;
    if (!own_turn && was_tried(l, p)) return false;
    uint64_t cells =
        own_turn ? rule_moves(w, p, last) : plb_game_playable(w->o->game, plb_stones_occupied(p));
    for (; cells; cells &= cells - 1) {
        int cell = plb_lowest(cells);
        plb_position after = plb_stones_play(p, cell);
        bool ends =
            !plb_position_is_same(after, w->failed) &&
            (is_complete(w, after, true) || (!w->o->is_immune && is_complete(w, after, false)));
        if (ends || (after.x & ~w->failed.x) || (after.o & ~w->failed.o)) continue;
        l->cells[l->count++] = cell;
        if (extend(l, after)) return true;
        l->count--;
    }
    return false;
}

int rule_walk(const rule_walk_options *options, rule_walk_result *result, plb_message *message) {
    walker w = {.o = options, .result = result, .message = message};
    if (options->kept)
        plb_position_set_begin(options->kept,
                               (uint64_t)(options->memory_bytes / PLB_POSITION_SET_BYTES));
    *result = (rule_walk_result){.holds = true};
    plb_position_set_begin(&w.next, max_positions(&w));
    /* The positions that one ply has collected in w.next are those of the next. */
    const plb_position empty = {0, 0};
    int error = w.o->player == 0 ? make_moves(&w, empty, -1) : walk_ply(&w, 0, &empty, 1);
    for (int ply = w.o->player + 1; w.next.count && !error && w.result->holds; ply += 2) {
        plb_position_set here = w.next;
        uint64_t count = plb_position_set_pack(&here);
        plb_position_set_begin(&w.next, max_positions(&w));
        error = walk_ply(&w, ply, here.slots, count);
        plb_position_set_free(&here);
    }
    plb_position_set_free(&w.next);
    if (!error && !result->holds) {
        line l = {.w = &w};
        plb_position_set_begin(&l.tried, max_positions(&w));
        if (extend(&l, (plb_position){0, 0})) {
            int used = 0;
            for (int m = 0; m < l.count && used < RULE_WALK_LINE; m++) {
                plb_move move;
                options->game->rules->to_public_move(options->game, l.cells[m], &move);
                used +=
                    snprintf(result->line + used, (size_t)(RULE_WALK_LINE - used), "%s", move.text);
            }
        }
        plb_position_set_free(&l.tried);
    }
    if (error) result->holds = false;
    return error;
}
