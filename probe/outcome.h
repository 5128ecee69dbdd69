/* SPDX-License-Identifier: MIT
 *
 * Finds the outcome of a position that can arise: by the rules, from a stored value, or as the
 * outcome of its best move. Shared by the functions of the library; programs include plybase.h
 * alone.
 */
#ifndef PLB_PROBE_OUTCOME_H
#define PLB_PROBE_OUTCOME_H

#include "probe/table.h"
#include "tables/games/static_value.h"

/* A table, and the reader that the calling thread uses. */
struct plb_context {
    const plb_table *table;
    plb_reader *reader;
};

/* Borrow a reader for a while. Errors: PLB_ENOMEM. Give it back with plb_context_return. */
int plb_context_borrow(const plb_table *table, plb_context *context, plb_message *message);
void plb_context_return(plb_context *context);

/* Outcome of a position that can arise (plb_rules_check); it is not checked again.
 * Errors: PLB_ECORRUPT, PLB_ENOMEM. Threads: each its own context. */
int plb_outcome_find(const plb_context *context, plb_position position, plb_outcome *outcome,
                     plb_message *message);

/* The same for a quiet position on a stored ply (tables/games/static_value.h), from where its code
 * is stored; false: nowhere, the table is damaged. */
int plb_outcome_find_stored(const plb_context *context, plb_block_address at, plb_outcome *outcome,
                            plb_message *message);
static inline bool plb_find_stored(const plb_table *table, plb_position position,
                                   plb_block_address *at) {
    plb_entry entry;
    if (!plb_index_find(&table->file.space.index, position, &entry)) return false;
    *at = plb_block_layout_find(&table->file.codec->layouts[entry.ply], entry);
    return true;
}

/* The outcome of a position that the rules decide, as far as the table holds such things. */
static inline plb_outcome plb_static_outcome(const plb_table *table, const plb_static_result *s) {
    return (plb_outcome){s->value, table->file.coding.values == PLB_DTM ? s->dtm : PLB_NO_DTM};
}

/* The position of two words, if it can arise. Errors: those of plb_probe about positions. */
int plb_read_position(const plb_table *table, uint64_t x, uint64_t o, plb_position *position,
                      plb_message *message);

/* The same of words that were checked; and the inverse. */
static inline plb_position plb_position_of_words(const plb_table *table, uint64_t x, uint64_t o) {
    plb_position position = {0, 0};
    table->file.space.game.rules->from_words(&table->file.space.game, x, o, &position, NULL);
    return position;
}
static inline void plb_write_position(const plb_table *table, plb_position position, uint64_t *x,
                                      uint64_t *o) {
    plb_rules_to_words(&table->file.space.game, position, x, o);
}

/* The public form of an outcome. */
static inline plb_answer plb_make_answer(const plb_table *table, plb_position position,
                                         plb_outcome outcome) {
    return (plb_answer){.value = outcome.value,
                        .dtm = outcome.dtm,
                        .over = plb_rules_is_over(&table->file.space.game, position)};
}

/* The answer to a position that can arise. Errors: those of plb_probe. Threads: as above. */
static inline int plb_answer_position(const plb_context *context, plb_position position,
                                      plb_answer *answer, plb_message *message) {
    return context->table->kind->answer(context, position, answer, message);
}

/* Its moves, as of plb_moves. Errors: those of plb_moves. Threads: as above. */
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

/* The functions of plb_table_of_values. */
int plb_values_answer(const plb_context *context, plb_position position, plb_answer *answer,
                      plb_message *message);
int plb_values_list_moves(const plb_table *table, plb_position position, int moves[PLB_MAX_MOVES],
                          int *count, plb_message *message);
int plb_values_find_distance(const plb_table *table, struct plb_seeker *seeker,
                             plb_position position, int wanted, plb_best *best,
                             plb_message *message);

#endif
