/* SPDX-License-Identifier: MIT
 *
 * Outcomes of single positions.
 */
#include "probe/resolve.h"

#include "tables/settle.h"

int plb_context_borrow(const plb_table *table, plb_context *context, plb_message *message) {
    *context = (plb_context){table, plb_lookup_take_reader(table->lookup)};
    return context->reader ? PLB_OK : plb_fail(message, PLB_ENOMEM, "out of memory to read with");
}

void plb_context_return(plb_context *context) {
    plb_lookup_give_reader(context->table->lookup, context->reader);
}

/* The best of some moves, for the player who makes them. */
static int find_best(const plb_context *c, plb_position position, uint64_t cells,
                     plb_outcome *outcome, plb_message *message) {
    plb_outcome best = {PLB_LOSS, PLB_NO_DTM};
    for (; cells && best.value != PLB_WIN; cells &= cells - 1) {
        plb_outcome reply;
        int error = plb_resolve(c, plb_position_play(position, plb_lowest(cells)), &reply, message);
        if (error) return error;
        if (-reply.value > best.value) best.value = (plb_value)-reply.value;
    }
    *outcome = best;
    return PLB_OK;
}

int plb_resolve(const plb_context *c, plb_position position, plb_outcome *outcome,
                plb_message *message) {
    const plb_table *table = c->table;
    plb_settlement settlement = plb_settle(&table->game, position);
    if (settlement.kind == PLB_SETTLED) {
        *outcome = (plb_outcome){settlement.value, PLB_NO_DTM};
        return PLB_OK;
    }
    if (settlement.kind == PLB_QUIET && plb_settle_is_stored_ply(plb_position_ply(position))) {
        outcome->dtm = PLB_NO_DTM;
        return plb_lookup_value(table->lookup, c->reader, plb_index_rank(&table->index, position),
                                &outcome->value, message);
    }
    return find_best(c, position, settlement.moves, outcome, message);
}

/* Bits beyond the board must not be lost when bitboards become cells. */
int plb_read_position(const plb_table *table, uint64_t x, uint64_t o, plb_position *position,
                      plb_message *message) {
    const plb_game *game = &table->game;
    if ((x | o) & ~game->board)
        return plb_fail(message, PLB_EBOARD, "a stone lies beyond the %dx%d board", game->width,
                        game->height);
    position->x = plb_game_cells_of_bits(game, x);
    position->o = plb_game_cells_of_bits(game, o);
    return plb_rules_check(game, *position, message);
}
