/* SPDX-License-Identifier: MIT */
#include "tools/search/position_search.h"

#include "tables/games/number_rules.h"
#include "tools/search/search_rules.h"

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
    if (search->drop) return PLB_OK;
    return plb_fail(message, PLB_ENOMEM, "out of memory for the search");
}

void position_search_close(position_search *search) {
    drop_search_close(search->drop);
    forward_search_close(search->stones);
    number_search_close(search->numbers);
    *search = (position_search){0};
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
        .value = PLB_DRAW, .lower = PLB_LOSS, .upper = PLB_WIN, .dtm = PLB_NO_DTM};
    int ply = plb_numbers_ply(p), mover = plb_numbers_mover(p);
    bool is_lost = plb_numbers_complete(i->game, p), wins = false, loses = is_lost, found = is_lost;
    r->value_proved = is_lost || (ask(i, mover, 0, &wins) && (wins || ask(i, !mover, 0, &loses)));
    r->proved = r->value_proved;
    if (!r->proved) return;
    r->value = r->lower = r->upper = wins ? PLB_WIN : loses ? PLB_LOSS : PLB_DRAW;
    if (!i->request->distance || r->value == PLB_DRAW) return;
    if (is_lost) r->dtm = 0;
    /* The first of his plies by which the winner can force his win. */
    for (int by = ply + (wins ? 1 : 2); r->proved && !found; by += 2) {
        r->proved = ask(i, wins ? mover : !mover, by, &found);
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
