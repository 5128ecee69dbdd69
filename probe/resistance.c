/* SPDX-License-Identifier: MIT
 *
 * Resistance of best moves: the formula of plybase.h. Iterative deepening, so that all moves have
 * the same depth when a limit is reached.
 */
#include <string.h>

#include "probe/distance.h"
#include "tables/stop.h"

/* State of a search for replies. */
typedef struct weigher {
    const plb_context *context;
    const plb_limits *limits;
    plb_value value;    /* for the opponent, as long as he makes no mistake */
    plb_bounds *bounds; /* nodes and seconds so far */
    double begun;
    bool is_limited, stopped;
} weigher;

static bool may_continue(weigher *w) {
    enum { NODES_PER_CLOCK = 1 << 6 };
    const plb_limits *limits = w->limits;
    plb_bounds *b = w->bounds;
    b->nodes++;
    if (!w->is_limited) return true;
    if (limits->nodes && b->nodes > limits->nodes) w->stopped = true;
    if (b->nodes % NODES_PER_CLOCK == 0) {
        b->seconds = plb_clock_seconds(CLOCK_MONOTONIC) - w->begun;
        if (limits->seconds > 0 && b->seconds >= limits->seconds) w->stopped = true;
        if (limits->report && !limits->report(limits->context, b)) w->stopped = true;
    }
    return !w->stopped;
}

static int weigh_moves(weigher *w, plb_position position, int plies, double *share,
                       plb_message *message);

/* Evaluate the replies of the opponent, who is to move. If a limit is reached, the result is
 * incomplete. */
static int weigh_replies(weigher *w, plb_position position, int plies, plb_replies *found,
                         plb_message *message) {
    const plb_table *table = w->context->table;
    plb_move replies[PLB_MAX_MOVES];
    double sum = 0;
    *found = (plb_replies){.count = 0};
    if (!may_continue(w)) return PLB_OK;
    int error = plb_answer_moves(w->context, position, replies, &found->count, message);
    for (int r = 0; r < found->count && !error && !w->stopped; r++) {
        double share = 1;
        if (replies[r].value < w->value)
            found->worse++;
        else
            error = weigh_moves(w, plb_position_after(table, position, &replies[r]), plies - 1,
                                &share, message);
        sum += share;
    }
    if (found->count) found->share = (double)(uint64_t)(sum / found->count * 1e9 + 0.5) / 1e9;
    return error;
}

/* The greatest share after a move of ours that keeps the value. */
static int weigh_moves(weigher *w, plb_position position, int plies, double *share,
                       plb_message *message) {
    plb_move moves[PLB_MAX_MOVES];
    int count = 0;
    *share = 0;
    if (plies < 2 || w->value == PLB_LOSS || !may_continue(w)) return PLB_OK;
    int error = plb_answer_moves(w->context, position, moves, &count, message);
    for (int m = 0; m < count && moves[m].value == moves[0].value && !error && !w->stopped; m++) {
        plb_replies after;
        error = weigh_replies(w, plb_position_after(w->context->table, position, &moves[m]),
                              plies - 1, &after, message);
        if (after.share > *share) *share = after.share;
    }
    return error;
}

/* Sort stably by share, the greatest first. */
static void sort_moves(plb_best *best, plb_replies *replies) {
    for (int m = 1; m < best->count; m++) {
        plb_move move = best->moves[m];
        plb_replies its = replies[m];
        int to = m;
        for (; to > 0 && replies[to - 1].share < its.share; to--) {
            best->moves[to] = best->moves[to - 1];
            replies[to] = replies[to - 1];
        }
        best->moves[to] = move;
        replies[to] = its;
    }
}

/* Evaluate all best moves, first with 1 ply. found->plies: in, the wanted depth; out, the depth
 * that was reached. */
static int weigh_best(weigher *w, plb_position position, plb_resistance *found,
                      plb_message *message) {
    const plb_best *best = &found->best;
    plb_replies replies[PLB_MAX_MOVES];
    int max_plies = found->plies, error = PLB_OK;
    w->value = (plb_value)-best->value;
    for (int plies = 1; plies <= max_plies; plies += 2) {
        for (int m = 0; m < best->count && !error && !w->stopped; m++)
            error =
                weigh_replies(w, plb_position_after(w->context->table, position, &best->moves[m]),
                              plies, &replies[m], message);
        if (error || w->stopped) break;
        found->plies = plies;
        memcpy(found->replies, replies, best->count * sizeof *replies);
        w->is_limited = true;
    }
    return error;
}

int plb_find_resistance(const plb_table *table, uint64_t x, uint64_t o, const plb_limits *limits,
                        plb_resistance *resistance, plb_message *message) {
    static const plb_limits none;
    plb_resistance found;
    plb_context context;
    weigher w = {
        .context = &context, .limits = limits ? limits : &none, .bounds = &found.best.bounds};
    if (PLB_REJECT_NULL(message, table, resistance)) return PLB_EARGUMENT;
    found.plies = resistance->plies;
    if (found.plies < 0 || found.plies > PLB_MAX_RESIST || (found.plies && found.plies % 2 == 0))
        return plb_fail(message, PLB_EARGUMENT,
                        "resistance of %d plies: an odd number from 1 to %d is needed, or 0",
                        found.plies, PLB_MAX_RESIST);
    if (found.plies && !table->kind->is_whole)
        return plb_fail(message, PLB_EUNKNOWN,
                        "a strategy has no resistance: it does not have the values of all replies");
    w.begun = plb_clock_seconds(CLOCK_MONOTONIC);
    int error = plb_find_best(table, x, o, limits, &found.best, message);
    if (!error && !found.best.exact) found.plies = 0;
    if (!error && found.plies) error = plb_context_borrow(table, &context, message);
    if (error) return error;
    if (found.plies) {
        error = weigh_best(&w, plb_position_of_words(table, x, o), &found, message);
        plb_context_return(&context);
        if (error) return error;
        found.best.bounds.seconds = plb_clock_seconds(CLOCK_MONOTONIC) - w.begun;
        sort_moves(&found.best, found.replies);
    }
    resistance->plies = found.plies;
    resistance->best = found.best;
    memcpy(resistance->replies, found.replies,
           (found.plies ? found.best.count : 0) * sizeof *found.replies);
    return PLB_OK;
}
