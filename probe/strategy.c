/* SPDX-License-Identifier: MIT
 *
 * Answers from a strategy. A position in which its player is to move is covered if a rule reaches
 * the claim, if it is stored, or if the position after a forced move is covered. A position in
 * which the opponent is to move is covered if the positions after all of his moves are. If `verify`
 * has found the strategy good, the claim is reached from every covered position, however it arose.
 */
#include <stdio.h>
#include <stdlib.h>

#include "probe/outcome.h"
#include "tables/index/orbit.h"
#include "tables/strategies/strategy_file.h"

/* ---- opening ---- */

static int check_segments(const plb_table *table, plb_message *message) {
    uint64_t count;
    const plb_stored_segment *segments = plb_store_segments(table->file.store, &count);
    int plies = table->file.space.game.cells + 1;
    bool fits = plb_store_plies(table->file.store) <= plies;
    for (uint64_t s = 0; s < count; s++) fits &= segments[s].ply < plies;
    return fits ? PLB_OK
                : plb_fail(message, PLB_ECORRUPT, "%s is damaged: it has plies beyond the board",
                           plb_store_path(table->file.store));
}

int plb_strategy_load(plb_table *table, plb_message *message) {
    plb_strategy_meta meta;
    int error = plb_strategy_read_meta(table->file.store, &meta, &table->file.space, message);
    if (error) return error;
    table->strategy = calloc(1, sizeof *table->strategy);
    if (!table->strategy) return plb_fail(message, PLB_ENOMEM, "out of memory for a strategy");
    error = check_segments(table, message);
    if (!error)
        error = plb_strategy_read(table->file.store, &meta, &table->file.space.game,
                                  &table->file.space.symmetry, table->strategy, message);
    if (error) return error;
    table->claim = meta.claim;
    table->file.coding = plb_outcome_code_make(&table->file.space.game, PLB_WDL);
    table->file.meta = (plb_meta){.level = meta.level, .block_entries = meta.block_entries};
    snprintf(table->file.meta.spec, sizeof table->file.meta.spec, "%s", meta.spec);
    snprintf(table->file.meta.builder, sizeof table->file.meta.builder, "%s", meta.builder);
    table->info.values = "strategy";
    table->info.index = "sorted";
    table->info.positions = table->strategy->positions;
    table->info.entries = table->strategy->positions;
    table->info.player = plb_strategy_player_text(meta.claim.player);
    table->info.claim = plb_value_text(meta.claim.value);
    table->info.look_ahead = meta.claim.look_ahead;
    return PLB_OK;
}

/* ---- moves ---- */

static bool is_own_turn(const plb_table *table, plb_position position) {
    return plb_rules_x_to_move(&table->file.space.game, position) == (table->claim.player == 0);
}

/* The move in a position in which its player is to move and the game is not over; symmetric
 * positions get symmetric moves. *rule: the rule that gives it, or PLB_RULE_NONE: it is stored.
 * False: there is none. */
static bool find_own_move(const plb_table *table, plb_position position, plb_strategy_rule *rule,
                          int *move) {
    const plb_game *game = &table->file.space.game;
    const plb_symmetry *symmetry = &table->file.space.symmetry;
    plb_position canonical = plb_orbit_least(game, symmetry, position);
    *rule = plb_strategy_find_rule(game, &table->claim, canonical, move);
    if (*rule == PLB_RULE_NONE) {
        int moves[PLB_MAX_MOVES], count = plb_rules_moves(game, canonical, moves);
        plb_code code = plb_position_number(game, canonical);
        const plb_strategy_ply *stored = &table->strategy->ply[plb_rules_ply(game, canonical)];
        int64_t entry = plb_strategy_find(table->strategy, plb_rules_ply(game, canonical), code);
        if (entry < 0 || stored->moves[entry] >= count) return false;
        *move = moves[stored->moves[entry]];
    }
    int back = 0; /* the first symmetry that maps the canonical position to this one */
    while (!plb_position_is_same(game->rules->map(symmetry, back, canonical), position)) back++;
    int cell = symmetry->image[back][plb_move_cell(*move)], tile = *move / PLB_MAX_CELLS;
    if (game->tiles[0]) tile = symmetry->tiles[back][tile];
    *move = tile * PLB_MAX_CELLS + cell;
    return true;
}

/* ---- covered positions ---- */

static bool covers(const plb_table *table, plb_position position) {
    bool own_turn = is_own_turn(table, position);
    plb_static_result s = plb_rules_static_value(&table->file.space.game, position);
    if (s.kind == PLB_DECIDED)
        return (own_turn ? s.value : (plb_value)-s.value) >= table->claim.value;
    if (own_turn) {
        plb_strategy_rule rule;
        int move;
        if (!find_own_move(table, position, &rule, &move)) return false;
        return rule != PLB_RULE_FORCED ||
               covers(table, plb_rules_play(&table->file.space.game, position, move));
    }
    /* s.cells has all moves of the opponent but those that lose at once. */
    const plb_game *game = &table->file.space.game;
    int moves[PLB_MAX_MOVES], count = game->rules->list_moves(game, position, s.cells, moves);
    for (int m = 0; m < count; m++)
        if (!covers(table, plb_rules_play(game, position, moves[m]))) return false;
    return true;
}

static int fail_unknown(const plb_table *table, plb_message *message) {
    return plb_fail(message, PLB_EUNKNOWN,
                    "the strategy has no answer: the position does not arise when the %s player "
                    "follows it",
                    table->info.player);
}

static int answer_position(const plb_context *context, plb_position position, plb_answer *answer,
                           plb_message *message) {
    const plb_table *table = context->table;
    plb_static_result s = plb_rules_static_value(&table->file.space.game, position);
    if (s.kind == PLB_DECIDED) {
        *answer = plb_make_answer(table, position, plb_static_outcome(table, &s));
        return PLB_OK;
    }
    if (!covers(table, position)) return fail_unknown(table, message);
    bool own_turn = is_own_turn(table, position);
    plb_value claim = table->claim.value;
    *answer = (plb_answer){.value = own_turn ? claim : (plb_value)-claim,
                           .dtm = PLB_NO_DTM,
                           .bound = claim == PLB_WIN ? 0
                                    : own_turn       ? 1
                                                     : -1};
    return PLB_OK;
}

/* The strategy's move if its player is to move; all moves of the opponent, and all moves in a
 * position that is lost for the player. */
static int list_moves(const plb_table *table, plb_position position, int moves[PLB_MAX_MOVES],
                      int *count, plb_message *message) {
    plb_static_result s = plb_rules_static_value(&table->file.space.game, position);
    bool is_lost = s.kind == PLB_DECIDED && s.value < table->claim.value;
    plb_strategy_rule rule;
    *count = 0;
    if (s.kind == PLB_DECIDED && plb_rules_is_over(&table->file.space.game, position))
        return PLB_OK;
    if (is_own_turn(table, position) && !is_lost) {
        if (!covers(table, position) || !find_own_move(table, position, &rule, &moves[0]))
            return fail_unknown(table, message);
        *count = 1;
        return PLB_OK;
    }
    if (s.kind != PLB_DECIDED && !covers(table, position)) return fail_unknown(table, message);
    *count = plb_rules_moves(&table->file.space.game, position, moves);
    return PLB_OK;
}

/* The only known bounds of a distance are those of the board. */
static int find_distance(const plb_table *table, struct plb_best_search *search,
                         plb_position position, int wanted, plb_best *best, plb_message *message) {
    const plb_game *game = &table->file.space.game;
    (void)search, (void)wanted, (void)message;
    best->bounds.least = 1;
    best->bounds.most = game->cells - plb_rules_ply(game, position);
    best->exact = false;
    return PLB_OK;
}

const plb_table_kind plb_table_of_strategy = {
    .answer = answer_position, .list_moves = list_moves, .find_distance = find_distance};

int plb_strategy_move(const plb_table *table, uint64_t x, uint64_t o, plb_move *move,
                      plb_message *message) {
    plb_position position = {0, 0};
    plb_strategy_rule rule;
    int found;
    if (PLB_REJECT_NULL(message, table, move)) return PLB_EARGUMENT;
    int error = plb_read_position(table, x, o, &position, message);
    if (error) return error;
    if (table->kind->is_whole)
        return plb_fail(message, PLB_EUNKNOWN, "a table of %s is not a strategy", table->info.spec);
    if (!is_own_turn(table, position) || plb_rules_is_over(&table->file.space.game, position) ||
        !find_own_move(table, position, &rule, &found))
        return fail_unknown(table, message);
    *move = (plb_move){.value = table->claim.value, .dtm = PLB_NO_DTM};
    table->file.space.game.rules->to_public_move(&table->file.space.game, found, move);
    return PLB_OK;
}
