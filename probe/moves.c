/* SPDX-License-Identifier: MIT
 *
 * Values of the moves of a position, and of a game. The value of a move comes from the position
 * after it.
 */
#include <stdlib.h>
#include <string.h>

#include "probe/outcome.h"

/* Compare for sorting, best first: fast wins before slow ones, slow losses before fast ones. */
static int compare_moves(const void *a, const void *b) {
    const plb_move *m = a, *n = b;
    plb_outcome by_m = {m->value, m->dtm}, by_n = {n->value, n->dtm};
    if (plb_outcome_is_better(by_m, by_n)) return -1;
    if (plb_outcome_is_better(by_n, by_m)) return 1;
    if (m->column != n->column) return m->column - n->column;
    return m->row != n->row ? m->row - n->row : m->number - n->number;
}

int plb_answer_moves(const plb_context *c, plb_position position, plb_move moves[PLB_MAX_MOVES],
                     int *count, plb_message *message) {
    const plb_game *game = &c->table->file.space.game;
    int legal[PLB_MAX_MOVES], n = 0;
    int error = c->table->kind->list_moves(c->table, position, legal, &n, message);
    for (int m = 0; m < n && !error; m++) {
        plb_answer child = {.value = PLB_DRAW};
        error =
            c->table->kind->answer(c, plb_rules_play(game, position, legal[m]), &child, message);
        moves[m] = (plb_move){.value = (plb_value)-child.value, .dtm = child.dtm};
        game->rules->to_public_move(game, legal[m], &moves[m]);
    }
    if (error) return error;
    qsort(moves, n, sizeof *moves, compare_moves);
    *count = n;
    return PLB_OK;
}

int plb_count_best(const plb_move *moves, int count) {
    int best = 0;
    while (moves && best < count && moves[best].value == moves[0].value &&
           moves[best].dtm == moves[0].dtm)
        best++;
    return best;
}

/* 7 KB, of which little is used: it is neither cleared nor copied as a whole. */
typedef struct found_moves {
    int count;
    plb_move moves[PLB_MAX_MOVES];
} found_moves;

/* Find the moves of a position and, unless `answer` is NULL, its own answer. This is that of the
 * best move: if all moves are known, the position's own value, which may be in another block, need
 * not be read. */
static int answer_all(const plb_table *table, uint64_t x, uint64_t o, found_moves *found,
                      plb_answer *answer, plb_message *message) {
    plb_position position = {0, 0};
    plb_context context;
    int error = plb_read_position(table, x, o, &position, message);
    if (!error) error = plb_context_borrow(table, &context, message);
    if (error) return error;
    error = plb_answer_moves(&context, position, found->moves, &found->count, message);
    if (!error && answer && found->count && table->kind->is_whole) {
        plb_outcome best = {(plb_value)-found->moves[0].value, found->moves[0].dtm};
        *answer = plb_make_answer(table, position, plb_outcome_before_move(best));
    } else if (!error && answer) {
        error = table->kind->answer(&context, position, answer, message);
    }
    plb_context_return(&context);
    return error;
}

int plb_moves(const plb_table *table, uint64_t x, uint64_t o, plb_move moves[PLB_MAX_MOVES],
              int *count, plb_message *message) {
    found_moves found;
    if (PLB_REJECT_NULL(message, table, moves, count)) return PLB_EARGUMENT;
    int error = answer_all(table, x, o, &found, NULL, message);
    if (error) return error;
    memcpy(moves, found.moves, found.count * sizeof *moves);
    *count = found.count;
    return PLB_OK;
}

int plb_analyse(const plb_table *table, uint64_t x, uint64_t o, plb_analysis *analysis,
                plb_message *message) {
    plb_answer answer;
    found_moves found;
    if (PLB_REJECT_NULL(message, table, analysis)) return PLB_EARGUMENT;
    int error = answer_all(table, x, o, &found, &answer, message);
    if (error) return error;
    analysis->answer = answer;
    analysis->count = found.count;
    analysis->best = plb_count_best(found.moves, found.count);
    memcpy(analysis->moves, found.moves, found.count * sizeof *found.moves);
    return PLB_OK;
}

int plb_annotate(const plb_table *table, uint64_t x, uint64_t o, const plb_line *game,
                 plb_annotation *annotations, plb_message *message) {
    if (PLB_REJECT_NULL(message, table, game, annotations)) return PLB_EARGUMENT;
    if (game->count < 0 || game->count > PLB_MAX_CELLS)
        return plb_fail(message, PLB_EARGUMENT, "a game of %d moves: it has 0 to %d", game->count,
                        PLB_MAX_CELLS);
    const plb_game *g = &table->file.space.game;
    for (int m = 0; m < game->count; m++) {
        plb_annotation *a = &annotations[m];
        plb_position position = {0, 0};
        plb_state state;
        plb_answer after;
        int made = 0, error = plb_analyse(table, x, o, &a->before, message);
        if (!error) error = plb_read_position(table, x, o, &position, message);
        if (!error)
            error = g->rules->from_public_move(g, position, &game->moves[m], &made, message);
        if (error) return error;
        plb_rules_to_words(g, plb_rules_play(g, position, made), &x, &o);
        error = plb_probe(table, x, o, &after, message);
        if (!error) error = plb_find_state(table, x, o, &state, message);
        if (error) return error;
        const plb_move *best = &a->before.moves[0];
        a->move = (plb_move){.value = (plb_value)-after.value, .dtm = after.dtm};
        g->rules->to_public_move(g, made, &a->move);
        a->x = x;
        a->o = o;
        a->player = state.to_move == 'x' ? 'o' : 'x';
        a->ply = state.ply;
        a->reserved = 0;
        a->mistake = a->move.value < a->before.answer.value;
        a->plies_lost = a->mistake ? 0 : abs(a->move.dtm - best->dtm);
    }
    return PLB_OK;
}
