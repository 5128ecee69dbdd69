/* SPDX-License-Identifier: MIT */
#include "tools/search/position_search.h"

#include "tables/games/game_spec.h"
#include "tables/games/number_rules.h"
#include "tools/search/naive_rules.h"
#include "tools/search/search_rules.h"

/* ---- two statements of the rules of numbers ---- */

/* A game that is played on both boards. */
typedef struct played_game {
    naive_numbers naive;
    plb_position position;
} played_game;

/* As many moves, and each of them a naive one: the same moves. */
static bool has_same_moves(const plb_game *game, const played_game *g, const int *moves,
                           int count) {
    const naive_numbers *naive = &g->naive;
    int naive_count = 0;
    for (int m = 0; m < count; m++) {
        plb_move move;
        game->rules->to_public_move(game, moves[m], &move);
        if (!naive_numbers_may_place(naive, move.number, move.column, move.row)) return false;
    }
    for (int column = 0; column < naive->size; column++)
        for (int row = 0; row < naive->size; row++)
            for (int number = 1; number <= naive->largest; number++)
                naive_count += naive_numbers_may_place(naive, number, column, row);
    return count == naive_count;
}

/* NULL: there is none. */
static const char *find_difference(const plb_game *game, const played_game *g, const int *moves,
                                   int count) {
    bool complete = naive_numbers_is_complete(&g->naive);
    bool over = complete || g->naive.moves == g->naive.size * g->naive.size;
    if (!has_same_moves(game, g, moves, count)) return "other moves can be played";
    if (complete != (plb_numbers_complete(game, g->position) != 0))
        return "it is not the same when a line is complete";
    if (over != plb_rules_is_over(game, g->position)) return "the end comes at another time";
    if (over && plb_rules_final_value(game, g->position) != (complete ? PLB_LOSS : PLB_DRAW))
        return "another player wins";
    return plb_rules_check(game, g->position, NULL) ? "a position that was played is refused"
                                                    : NULL;
}

/* Play games at random on both, and compare in every position the moves, whether a line is
 * complete, the end and the value there.
 *
 * game  [in]  what is compared; only its name says what it is to be
 *
 * Errors: PLB_ECORRUPT: the two statements of the rules differ, with the first difference; no table
 *         that rests on such rules can be trusted. Cost: milliseconds.  */
static int number_rules_compare(const plb_game *game, plb_message *message) {
    enum { GAMES = 200, SEED = 1 };
    uint64_t random = SEED;
    char spec[PLB_SPEC_TEXT];
    plb_game_format(game, spec);
    for (int n = 0; n < GAMES; n++) {
        played_game g = {.position = {0, 0}};
        if (!naive_numbers_read(spec, &g.naive))
            return search_rules_fail(game, NULL, "its name is none", message);
        for (;;) {
            int moves[PLB_MAX_MOVES], count = plb_rules_moves(game, g.position, moves);
            const char *difference = find_difference(game, &g, moves, count);
            if (difference) return search_rules_fail(game, &g.position, difference, message);
            if (!count) break;
            int chosen = moves[plb_next_random(&random) % count];
            plb_move move;
            game->rules->to_public_move(game, chosen, &move);
            naive_numbers_place(&g.naive, move.number, move.column, move.row);
            g.position = plb_rules_play(game, g.position, chosen);
        }
    }
    return PLB_OK;
}

int position_search_open(const plb_game *game, size_t table_bytes, int threads,
                         position_search *search, plb_message *message) {
    *search = (position_search){.game = game};
    if (game->rules == &plb_rules_of_numbers)
        return number_search_open(game, table_bytes, &search->numbers, message);
    search_rules rules;
    int error = search_rules_make(game, &rules, message);
    if (error) return error;
    if (!drop_search_suits(&rules, table_bytes))
        return forward_search_open(&rules, table_bytes, &search->stones, message);
    search->drop = drop_search_open(&rules, table_bytes, threads);
    search_rules_free(&rules);
    if (search->drop) return PLB_OK;
    return plb_fail(message, PLB_ENOMEM, "out of memory for the search");
}

void position_search_close(position_search *search) {
    drop_search_close(search->drop);
    forward_search_close(search->stones);
    number_search_close(search->numbers);
    *search = (position_search){0};
}

int position_search_compare_rules(const plb_game *game, plb_message *message) {
    search_rules rules;
    if (game->rules == &plb_rules_of_numbers) return number_rules_compare(game, message);
    int error = search_rules_make(game, &rules, message);
    if (!error) search_rules_free(&rules);
    return error;
}

/* ---- numbers ---- */

typedef struct inquiry {
    const plb_game *game;
    number_search *search;
    const search_request *request;
    forward_search_result *result;
} inquiry;

/* Can a player force a win, by a ply (0: whenever)? False: there is no answer within the budget. */
static bool ask(const inquiry *i, int player, int by, bool *yes) {
    const search_request *r = i->request;
    number_question question = {.player = player, .by = by, .stop = r->stop};
    number_result found;
    if (r->node_budget && i->result->nodes >= r->node_budget) return false;
    if (r->node_budget) question.node_budget = r->node_budget - i->result->nodes;
    number_search_ask(i->search, r->position, &question, &found);
    i->result->nodes += found.nodes;
    *yes = found.yes;
    return found.answered;
}

static void solve_numbers(const inquiry *i) {
    plb_position p = i->request->position;
    forward_search_result *r = i->result;
    *r = (forward_search_result){
        .value = PLB_DRAW, .least = PLB_LOSS, .most = PLB_WIN, .dtm = PLB_NO_DTM};
    if (plb_numbers_complete(i->game, p)) {
        *r = (forward_search_result){.proved = true,
                                     .value_proved = true,
                                     .value = PLB_LOSS,
                                     .least = PLB_LOSS,
                                     .most = PLB_LOSS,
                                     .dtm = i->request->distance ? 0 : PLB_NO_DTM};
        return;
    }
    int ply = plb_numbers_ply(p), mover = plb_numbers_mover(p);
    bool yes = false, found = false;
    r->value_proved = ask(i, mover, 0, &yes);
    if (r->value_proved && yes) {
        r->value = PLB_WIN;
    } else if (r->value_proved) {
        r->value_proved = ask(i, !mover, 0, &yes);
        if (r->value_proved && yes) r->value = PLB_LOSS;
    }
    if (r->value_proved) r->least = r->most = r->value;
    r->proved = r->value_proved;
    if (!r->proved || !i->request->distance || r->value == PLB_DRAW) return;
    /* The first of his plies by which the winner can force his win. */
    int winner = r->value == PLB_WIN ? mover : !mover;
    for (int by = ply + (winner == mover ? 1 : 2); r->proved && !found; by += 2) {
        r->proved = ask(i, winner, by, &found);
        r->dtm = r->proved ? by - ply : PLB_NO_DTM;
    }
}

int position_search_solve(position_search *search, const search_request *request,
                          forward_search_result *result) {
    if (search->numbers) {
        solve_numbers(&(inquiry){search->game, search->numbers, request, result});
        return PLB_OK;
    }
    return search->drop ? drop_search_solve(search->drop, request, result)
                        : forward_search_solve(search->stones, request, result);
}
