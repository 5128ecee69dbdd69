/* SPDX-License-Identifier: MIT */
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

static int resolve(const plb_context *c, plb_position position, int ply, plb_outcome *outcome,
                   plb_message *message);

/* The best outcome of the moves to `cells`, of which there is at least one. Without distances the
 * first win is enough. */
static int find_best(const plb_context *c, plb_position position, int ply, uint64_t cells,
                     plb_outcome *outcome, plb_message *message) {
    const plb_game *game = &c->table->file.space.game;
    bool distances = c->table->file.coding.values == PLB_DTM;
    plb_outcome best = {PLB_LOSS, PLB_NO_DTM};
    int moves[PLB_MAX_MOVES], count = game->rules->list_moves(game, position, cells, moves);
    for (int m = 0; m < count && (distances || best.value != PLB_WIN); m++) {
        plb_outcome reply = {PLB_DRAW, PLB_NO_DTM};
        int error = resolve(c, plb_rules_play(game, position, moves[m]), ply + 1, &reply, message);
        if (error) return error;
        reply = plb_outcome_before_move(reply);
        if (m == 0 || plb_outcome_is_better(reply, best)) best = reply;
    }
    *outcome = best;
    return PLB_OK;
}

/* As resolve, for a position that the rules do not decide. */
static int resolve_undecided(const plb_context *c, plb_position position, int ply,
                             const plb_static_result *result, plb_outcome *outcome,
                             plb_message *message) {
    const plb_space *space = &c->table->file.space;
    if (result->kind == PLB_QUIET && plb_static_value_is_stored_ply(ply)) {
        plb_block_address at;
        if (plb_find_stored(c->table, position, &at))
            return plb_outcome_find_stored(c, at, outcome, message);
        return plb_fail(message, PLB_ECORRUPT,
                        "the table is damaged: it lacks a position of ply %d", ply);
    }
    /* Games of numbers need a cache: a forced cell leaves a choice of numbers, so the same
     * positions are met many times, 17 times each from the empty 3x3 board. */
    if (!space->game.tiles[0]) return find_best(c, position, ply, result->cells, outcome, message);
    plb_position canonical = plb_orbit_least(&space->game, &space->symmetry, position);
    if (plb_reader_recall(c->reader, canonical, outcome)) return PLB_OK;
    int error = find_best(c, position, ply, result->cells, outcome, message);
    if (!error) plb_reader_remember(c->reader, canonical, *outcome);
    return error;
}

/* The ply is passed so that it need not be computed again. */
static int resolve(const plb_context *c, plb_position position, int ply, plb_outcome *outcome,
                   plb_message *message) {
    plb_static_result result = plb_rules_static_value(&c->table->file.space.game, position);
    if (result.kind != PLB_DECIDED)
        return resolve_undecided(c, position, ply, &result, outcome, message);
    *outcome = plb_static_outcome(c->table, &result);
    return PLB_OK;
}

bool plb_outcome_search(const plb_context *c, plb_position position, plb_block_address at,
                        plb_outcome *outcome) {
    const plb_table *t = c->table;
    if (at.ply < t->late.first_ply || plb_lookup_prefers_block(t->lookup, c->reader, at))
        return false;
    return plb_late_search_find(&t->late, &t->file.space.game, position, t->file.coding.values,
                                outcome);
}

int plb_outcome_read(const plb_context *c, plb_position position, plb_outcome *outcome,
                     plb_message *message) {
    int ply = plb_rules_ply(&c->table->file.space.game, position);
    return resolve(c, position, ply, outcome, message);
}

int plb_outcome_find(const plb_context *c, plb_position position, plb_outcome *outcome,
                     plb_message *message) {
    const plb_table *t = c->table;
    int ply = plb_rules_ply(&t->file.space.game, position);
    if (ply < t->late.first_ply) return resolve(c, position, ply, outcome, message);
    plb_static_result result = plb_rules_static_value(&t->file.space.game, position);
    plb_block_address at;
    if (result.kind == PLB_DECIDED)
        *outcome = plb_static_outcome(t, &result);
    else if (!plb_find_stored(t, position, &at) || !plb_outcome_search(c, position, at, outcome))
        return resolve_undecided(c, position, ply, &result, outcome, message);
    return PLB_OK;
}

int plb_read_position(const plb_table *table, uint64_t x, uint64_t o, plb_position *position,
                      plb_message *message) {
    const plb_game *game = &table->file.space.game;
    int error = game->rules->from_words(game, x, o, position, message);
    return error ? error : plb_space_check(&table->file.space, *position, message);
}
