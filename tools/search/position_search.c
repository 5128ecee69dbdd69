/* SPDX-License-Identifier: MIT
 *
 * The search of a game by its rules; values of numbers from questions.
 */
#include "tools/search/position_search.h"

#include "tools/search/number_rules_check.h"
#include "tools/search/search_rules.h"

int position_search_open(const plb_game *game, size_t table_bytes, position_search *search,
                         plb_message *message) {
    *search = (position_search){.game = game};
    if (game->rules == &plb_rules_of_numbers)
        return number_search_open(game, table_bytes, &search->numbers, message);
    search_rules rules;
    int error = search_rules_make(game, &rules, message);
    if (error) return error;
    if (!drop_search_suits(&rules, table_bytes))
        return forward_search_open_with(&rules, table_bytes, &search->stones, message);
    search->drop = drop_search_open(&rules, table_bytes);
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

static bool find_value(const inquiry *i, int mover) {
    bool yes;
    if (!ask(i, mover, 0, &yes)) return false;
    if (yes) i->result->value = PLB_WIN;
    if (yes) return true;
    if (!ask(i, !mover, 0, &yes)) return false;
    i->result->value = yes ? PLB_LOSS : PLB_DRAW;
    return true;
}

/* The first of his plies by which the winner can force his win. */
static bool find_distance(const inquiry *i, int mover) {
    int ply = plb_numbers_ply(i->request->position), winner = mover;
    bool yes = false;
    if (i->result->value == PLB_DRAW) return true;
    if (i->result->value == PLB_LOSS) winner = !mover;
    for (int by = ply + (winner == mover ? 1 : 2); !yes; by += 2) {
        if (!ask(i, winner, by, &yes)) return false;
        i->result->dtm = by - ply;
    }
    return true;
}

static void solve_numbers(const inquiry *i) {
    plb_position p = i->request->position;
    forward_search_result *r = i->result;
    *r = (forward_search_result){.value = PLB_DRAW, .dtm = PLB_NO_DTM};
    if (plb_numbers_complete(i->game, p)) {
        *r =
            (forward_search_result){true, true, PLB_LOSS, i->request->distance ? 0 : PLB_NO_DTM, 0};
        return;
    }
    r->value_proved = find_value(i, plb_numbers_mover(p));
    r->proved =
        r->value_proved && (!i->request->distance || find_distance(i, plb_numbers_mover(p)));
    if (!r->proved || !i->request->distance) r->dtm = PLB_NO_DTM;
}

int position_search_solve(position_search *search, const search_request *request,
                          forward_search_result *result) {
    if (search->numbers) {
        solve_numbers(&(inquiry){search->game, search->numbers, request, result});
        return PLB_OK;
    }
    if (search->drop)
        return (request->distance ? drop_search_distance : drop_search_solve)(
            search->drop, request->position, request->node_budget, request->stop, result);
    return (request->distance ? forward_search_distance : forward_search_solve)(
        search->stones, request->position, request->node_budget, request->stop, result);
}
