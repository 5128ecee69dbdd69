/* SPDX-License-Identifier: MIT
 *
 * A search answers whether one player can force a win; that a player can get a draw is that the
 * other one cannot.
 */
#include "tools/strategy/strategy_source.h"

#include "tables/stop.h"

/* Positions after a move of the player; the rules alone decide some. */
static bool is_kept(const strategy_source *s, plb_position position,
                    const plb_strategy_claim *claim) {
    plb_static_result result = plb_rules_static_value(s->game, position);
    bool own_turn = plb_rules_x_to_move(s->game, position) == (claim->player == 0);
    if (result.kind == PLB_DECIDED)
        return (own_turn ? result.value : (plb_value)-result.value) >= claim->value;
    plb_position least = plb_orbit_least(s->game, s->symmetry, position);
    return plb_position_set_has(s->kept, least, plb_position_hash(least));
}

int strategy_source_ask(strategy_source *source, plb_position position,
                        const plb_strategy_claim *claim, bool *holds, bool *known,
                        plb_message *message) {
    if (source->search) {
        number_question question = {
            .player = claim->value == PLB_WIN ? claim->player : !claim->player,
            .node_budget = source->node_budget,
            .stop = source->stop};
        number_result result;
        number_search_ask(source->search, position, &question, &result);
        source->nodes += result.nodes;
        if (plb_is_stopped(source->stop)) return plb_fail(message, PLB_EINTERRUPTED, "interrupted");
        *known = result.answered;
        *holds = result.answered && result.yes == (claim->value == PLB_WIN);
        return PLB_OK;
    }
    *known = true;
    if (plb_is_stopped(source->stop)) return plb_fail(message, PLB_EINTERRUPTED, "interrupted");
    if (source->kept) {
        *holds = is_kept(source, position, claim);
        return PLB_OK;
    }
    uint64_t x, o;
    plb_answer answer;
    plb_rules_to_words(source->game, position, &x, &o);
    int error = plb_probe(source->table, x, o, &answer, message);
    if (error) return error;
    bool own_turn = plb_rules_x_to_move(source->game, position) == (claim->player == 0);
    *holds = (own_turn ? answer.value : (plb_value)-answer.value) >= claim->value;
    return PLB_OK;
}

/* Where no win is near, the rule need look no further than for a forced move. */
plb_strategy_rule strategy_source_find_rule(const strategy_source *source,
                                            const plb_strategy_claim *claim, plb_position position,
                                            int *move) {
    plb_strategy_claim near = *claim;
    if (source->search && near.value == PLB_WIN) {
        if (number_search_wins_within(source->search, position, near.look_ahead))
            return PLB_RULE_CLAIM;
        near.look_ahead = 1;
    }
    return plb_strategy_find_rule(source->game, &near, position, move);
}

int strategy_source_count_replies(const strategy_source *source, plb_position position,
                                  const plb_static_result *result) {
    int moves[PLB_MAX_MOVES];
    if (source->search) return number_search_safe_moves(source->search, position);
    return source->game->rules->list_moves(source->game, position, result->cells, moves);
}
