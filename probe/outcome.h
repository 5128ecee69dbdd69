/* SPDX-License-Identifier: MIT
 *
 * Finds the outcome of a position that can arise: by the rules, from a stored value, from its best
 * move, or by search. Internal to the library; programs include only plybase.h.
 */
#pragma once

#include "probe/table.h"
#include "tables/games/static_value.h"

/* Per-thread state for probes: a table and a reader. */
struct plb_context {
    const plb_table *table;
    plb_reader *reader;
};

/* Borrow a reader; plb_context_return gives it back. Errors: PLB_ENOMEM. */
int plb_context_borrow(const plb_table *table, plb_context *context, plb_message *message);
void plb_context_return(plb_context *context);

/* The outcome of a position, which must be one that can arise (plb_rules_check).
 * Errors: PLB_ECORRUPT, PLB_ENOMEM. Threads: each with its own context. */
int plb_outcome_find(const plb_context *context, plb_position position, plb_outcome *outcome,
                     plb_message *message);

/* The same without the search. */
int plb_outcome_read(const plb_context *context, plb_position position, plb_outcome *outcome,
                     plb_message *message);

/* The same for a quiet position on a stored ply (tables/games/static_value.h), whose code is stored
 * at an address; and this address. False: there is none, the table is damaged. */
int plb_outcome_find_stored(const plb_context *context, plb_block_address at, plb_outcome *outcome,
                            plb_message *message);
static inline bool plb_find_stored(const plb_table *table, plb_position position,
                                   plb_block_address *at) {
    plb_entry entry;
    if (!plb_index_find(&table->file.space.index, position, &entry)) return false;
    *at = plb_block_layout_find(&table->file.codec->layouts[entry.ply], entry);
    return true;
}

/* The outcome of a position that the rules do not decide, by search, if that is likely to take less
 * time than reading the block. at: where plb_find_stored finds the position. */
bool plb_outcome_search(const plb_context *context, plb_position position, plb_block_address at,
                        plb_outcome *outcome);

/* The outcome of a position that the rules decide, without a distance if the table has none. */
static inline plb_outcome plb_static_outcome(const plb_table *table, const plb_static_result *s) {
    return (plb_outcome){s->value, table->file.coding.values == PLB_DTM ? s->dtm : PLB_NO_DTM};
}

/* Convert two public words to a position, and check that it can arise. Errors: those of plb_probe
 * about positions. */
int plb_read_position(const plb_table *table, uint64_t x, uint64_t o, plb_position *position,
                      plb_message *message);

/* The same for words that were checked before. */
static inline plb_position plb_position_of_words(const plb_table *table, uint64_t x, uint64_t o) {
    plb_position position = {0, 0};
    table->file.space.game.rules->from_words(&table->file.space.game, x, o, &position, NULL);
    return position;
}

/* The public form of an outcome. */
static inline plb_answer plb_make_answer(const plb_table *table, plb_position position,
                                         plb_outcome outcome) {
    return (plb_answer){.value = outcome.value,
                        .dtm = outcome.dtm,
                        .over = plb_rules_is_over(&table->file.space.game, position)};
}

/* plb_moves of a position that can arise. Errors: those of plb_moves. Threads: as above. */
int plb_answer_moves(const plb_context *context, plb_position position,
                     plb_move moves[PLB_MAX_MOVES], int *count, plb_message *message);

/* The position after a legal move. */
static inline plb_position plb_position_after(const plb_table *table, plb_position position,
                                              const plb_move *move) {
    const plb_game *game = &table->file.space.game;
    int made = 0;
    game->rules->from_public_move(game, position, move, &made, NULL);
    return plb_rules_play(game, position, made);
}

/* find_distance of plb_table_of_values. */
int plb_values_find_distance(const plb_table *table, struct plb_best_search *search,
                             plb_position position, int wanted, plb_best *best,
                             plb_message *message);
