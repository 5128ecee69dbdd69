/* SPDX-License-Identifier: MIT
 *
 * Outcomes of single positions.
 */
#include "probe/outcome.h"

#include "tables/index/orbit.h"

int plb_context_borrow(const plb_table *table, plb_context *context, plb_message *message) {
    *context = (plb_context){table, NULL};
    if (!table->lookup) return PLB_OK;
    context->reader = plb_lookup_take_reader(table->lookup);
    return context->reader ? PLB_OK : plb_fail(message, PLB_ENOMEM, "out of memory to read with");
}

void plb_context_return(plb_context *context) {
    if (context->reader) plb_lookup_give_reader(context->table->lookup, context->reader);
}

int plb_outcome_find_stored(const plb_context *c, plb_block_address at, plb_outcome *outcome,
                            plb_message *message) {
    unsigned code;
    int error = plb_lookup_code(c->table->lookup, c->reader, at, &code, message);
    if (!error) *outcome = plb_outcome_code_decode(&c->table->file.coding, at.ply, code);
    return error;
}

/* What is asked of a table, about a position and those it leads to. */
typedef struct question {
    const plb_context *context;
    bool distances; /* are wanted; else values alone */
    int last_read;  /* ply; positions of later plies are searched */
    plb_message *message;
} question;

static int resolve(const question *q, plb_position position, int ply, int enough,
                   plb_outcome *outcome);

/* The best of the moves to some cells, of which there is at least one. Without distances a value of
 * `enough` will do, and a lower one is exact. */
static int find_best(const question *q, plb_position position, int ply, uint64_t cells, int enough,
                     plb_outcome *outcome) {
    const plb_game *game = &q->context->table->file.space.game;
    plb_outcome best = {PLB_LOSS, PLB_NO_DTM};
    int moves[PLB_MAX_MOVES], count = game->rules->list_moves(game, position, cells, moves);
    for (int m = 0; m < count && (q->distances || (int)best.value < enough); m++) {
        plb_outcome reply = {PLB_DRAW, PLB_NO_DTM};
        plb_position next = plb_rules_play(game, position, moves[m]);
        int error = resolve(q, next, ply + 1, -(int)best.value, &reply);
        if (error) return error;
        reply = plb_outcome_before_move(reply);
        if (m == 0 || plb_outcome_is_better(reply, best)) best = reply;
    }
    *outcome = best;
    return PLB_OK;
}

/* With the ply of the position, which need not be asked for again and again. */
static int resolve(const question *q, plb_position position, int ply, int enough,
                   plb_outcome *outcome) {
    const plb_context *c = q->context;
    const plb_space *space = &c->table->file.space;
    plb_static_result result = plb_rules_static_value(&space->game, position);
    if (result.kind == PLB_DECIDED) {
        *outcome = plb_static_outcome(c->table, &result);
        return PLB_OK;
    }
    bool is_stored = result.kind == PLB_QUIET && plb_static_value_is_stored_ply(ply);
    if (is_stored && ply <= q->last_read) {
        plb_block_address at;
        if (plb_find_stored(c->table, position, &at))
            return plb_outcome_find_stored(c, at, outcome, q->message);
        return plb_fail(q->message, PLB_ECORRUPT,
                        "the table is damaged: it does not know a position of ply %d", ply);
    }
    if (!space->game.tiles[0]) return find_best(q, position, ply, result.cells, enough, outcome);
    /* The same, remembered in games of numbers: there a forced cell leaves a choice of numbers, and
     * the same positions are met again and again, 17 times each on the empty 3x3 board. */
    plb_position canonical = plb_orbit_least(&space->game, &space->symmetry, position);
    if (plb_reader_recall(c->reader, canonical, outcome)) return PLB_OK;
    int error = find_best(q, position, ply, result.cells, PLB_WIN, outcome);
    if (!error) plb_reader_remember(c->reader, canonical, *outcome);
    return error;
}

/* Where few cells are empty, a search takes less time than a block: measured; with distances it
 * looks at all moves, and without gravity there are more. The position itself is read if it is
 * stored, so that a check of a table reads all its values. */
int plb_outcome_find(const plb_context *c, plb_position position, plb_outcome *outcome,
                     plb_message *message) {
    const plb_game *game = &c->table->file.space.game;
    bool distances = c->table->file.coding.values == PLB_DTM;
    int searched = game->tiles[0] ? 0 : 4 + 2 * game->gravity + 2 * !distances;
    int ply = plb_rules_ply(game, position), last_read = game->cells - searched - 1;
    question q = {c, distances, ply > last_read ? ply : last_read, message};
    return resolve(&q, position, ply, PLB_WIN, outcome);
}

int plb_read_position(const plb_table *table, uint64_t x, uint64_t o, plb_position *position,
                      plb_message *message) {
    const plb_game *game = &table->file.space.game;
    int error = game->rules->from_words(game, x, o, position, message);
    return error ? error : plb_space_check(&table->file.space, *position, message);
}

int plb_values_answer(const plb_context *c, plb_position position, plb_answer *answer,
                      plb_message *message) {
    plb_outcome outcome;
    int error = plb_outcome_find(c, position, &outcome, message);
    if (!error) *answer = plb_make_answer(c->table, position, outcome);
    return error;
}
