/* SPDX-License-Identifier: MIT
 *
 * Outcomes of single positions.
 */
#include "probe/resolve.h"

int plb_context_borrow(const plb_table *table, plb_context *context, plb_message *message) {
    *context = (plb_context){table, plb_lookup_take_reader(table->lookup)};
    return context->reader ? PLB_OK : plb_fail(message, PLB_ENOMEM, "out of memory to read with");
}

void plb_context_return(plb_context *context) {
    plb_lookup_give_reader(context->table->lookup, context->reader);
}

/* Is an outcome better than another for the player it speaks of? Fast wins are, and slow losses. */
static bool is_better(plb_outcome a, plb_outcome b) {
    if (a.value != b.value) return a.value > b.value;
    return a.value == PLB_WIN ? a.dtm < b.dtm : a.dtm > b.dtm;
}

/* A move's outcome for the player who makes it, from that for the one who is then to move. */
static plb_outcome before_move(plb_outcome after) {
    int dtm = after.dtm == PLB_NO_DTM ? PLB_NO_DTM : after.dtm + 1;
    return (plb_outcome){(plb_value)-after.value, dtm};
}

/* The best of some moves, of which there is at least one. Without distances a win will do. */
static int find_best(const plb_context *c, plb_position position, uint64_t cells,
                     plb_outcome *outcome, plb_message *message) {
    bool distances = c->table->coding.values == PLB_DTM, any = false;
    plb_outcome best = {PLB_LOSS, PLB_NO_DTM};
    for (; cells && (distances || best.value != PLB_WIN); cells &= cells - 1) {
        plb_outcome reply;
        int error = plb_resolve(c, plb_position_play(position, plb_lowest(cells)), &reply, message);
        if (error) return error;
        reply = before_move(reply);
        if (!any || is_better(reply, best)) best = reply;
        any = true;
    }
    *outcome = best;
    return PLB_OK;
}

int plb_resolve_stored(const plb_context *c, plb_position position, plb_outcome *outcome,
                       plb_message *message) {
    const plb_table *table = c->table;
    unsigned code;
    int error = plb_lookup_code(table->lookup, c->reader,
                                plb_index_rank(&table->space.index, position), &code, message);
    if (!error)
        *outcome = plb_outcome_code_decode(&table->coding, plb_position_ply(position), code);
    return error;
}

int plb_resolve(const plb_context *c, plb_position position, plb_outcome *outcome,
                plb_message *message) {
    const plb_table *table = c->table;
    plb_settlement settlement = plb_settle(&table->space.game, position);
    if (settlement.kind == PLB_SETTLED) {
        *outcome = plb_settled_outcome(table, &settlement);
        return PLB_OK;
    }
    if (settlement.kind == PLB_QUIET && plb_settle_is_stored_ply(plb_position_ply(position)))
        return plb_resolve_stored(c, position, outcome, message);
    return find_best(c, position, settlement.moves, outcome, message);
}

/* Bits beyond the board must not be lost when bitboards become cells. */
int plb_read_position(const plb_table *table, uint64_t x, uint64_t o, plb_position *position,
                      plb_message *message) {
    const plb_game *game = &table->space.game;
    if ((x | o) & ~game->board)
        return plb_fail(message, PLB_EBOARD, "a stone lies beyond the %dx%d board", game->width,
                        game->height);
    *position = plb_position_of_bits(table, x, o);
    return plb_rules_check(game, *position, message);
}

void plb_write_position(const plb_table *table, plb_position position, uint64_t *x, uint64_t *o) {
    *x = plb_game_bits_of_cells(&table->space.game, position.x);
    *o = plb_game_bits_of_cells(&table->space.game, position.o);
}

int plb_answer_position(const plb_context *c, plb_position position, plb_answer *answer,
                        plb_message *message) {
    plb_outcome outcome;
    int error = plb_resolve(c, position, &outcome, message);
    if (error) return error;
    *answer = plb_make_answer(c->table, position, outcome);
    return PLB_OK;
}
