/* SPDX-License-Identifier: MIT
 *
 * A search answers whether one player can force a win; that a player can get a draw is that the
 * other one cannot.
 */
#include "tools/strategy/strategy_source.h"

#include "tables/stop.h"

/* Positions after a move of the player; the rules alone tell of those that are settled. */
static bool is_kept(const strategy_source *s, const strategy_claim *c) {
    plb_static_result settled = plb_rules_settle(s->game, c->position);
    bool own_turn = plb_rules_x_to_move(s->game, c->position) == (c->player == 0);
    if (settled.kind == PLB_SETTLED)
        return (own_turn ? settled.value : (plb_value)-settled.value) >= c->value;
    plb_position least = plb_orbit_least(s->game, s->symmetry, c->position);
    return plb_position_set_has(s->kept, least, plb_position_hash(least));
}

int strategy_source_ask(strategy_source *source, const strategy_claim *claim, bool *holds,
                        bool *known, plb_message *message) {
    if (source->search) {
        number_question question = {
            .player = claim->value == PLB_WIN ? claim->player : !claim->player,
            .node_budget = source->node_budget,
            .stop = source->stop};
        number_result result;
        number_search_ask(source->search, claim->position, &question, &result);
        source->nodes += result.nodes;
        if (plb_is_stopped(source->stop)) return plb_fail(message, PLB_EINTERRUPTED, "interrupted");
        *known = result.answered;
        *holds = result.answered && result.yes == (claim->value == PLB_WIN);
        return PLB_OK;
    }
    *known = true;
    if (plb_is_stopped(source->stop)) return plb_fail(message, PLB_EINTERRUPTED, "interrupted");
    if (source->kept) {
        *holds = is_kept(source, claim);
        return PLB_OK;
    }
    uint64_t x, o;
    plb_answer answer;
    plb_rules_to_words(source->game, claim->position, &x, &o);
    int error = plb_probe(source->table, x, o, &answer, message);
    if (error) return error;
    bool own_turn = plb_rules_x_to_move(source->game, claim->position) == (claim->player == 0);
    *holds = (own_turn ? answer.value : (plb_value)-answer.value) >= claim->value;
    return PLB_OK;
}

/* Where no win is near, the rule need look no further than for a forced move. */
plb_strategy_rule strategy_source_find_rule(const strategy_source *source,
                                            const plb_undertaking *undertaking,
                                            plb_position position, int *move) {
    plb_undertaking near = *undertaking;
    if (source->search && near.claim == PLB_WIN) {
        if (number_search_wins_within(source->search, position, near.look_ahead))
            return PLB_RULE_CLAIM;
        near.look_ahead = 1;
    }
    return plb_strategy_find_rule(source->game, &near, position, move);
}

int strategy_source_count_replies(const strategy_source *source, plb_position position,
                                  const plb_static_result *settlement) {
    int moves[PLB_MAX_MOVES];
    if (source->search) return number_search_safe_moves(source->search, position);
    return source->game->rules->list_moves(source->game, position, settlement->cells, moves);
}
