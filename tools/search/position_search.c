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

typedef struct number_solving {
    const search_request *request;
    forward_search_result *result;
} number_solving;

static void report_numbers(void *context, const number_result *so_far) {
    const number_solving *solving = context;
    forward_search_result r = *solving->result;
    r.nodes += so_far->nodes;
    solving->request->report(solving->request->context, &r);
}

/* *yes: can a player force a win by a ply (0: any)? False: the search ended without an answer. */
static bool ask(const position_search *s, const search_request *r, int player, int by,
                forward_search_result *result, bool *yes) {
    number_solving solving = {r, result};
    number_question question = {.player = player,
                                .by = by,
                                .stop = r->stop,
                                .report = r->report ? report_numbers : NULL,
                                .context = &solving};
    number_result found;
    if (r->node_budget && result->nodes >= r->node_budget) return false;
    if (r->node_budget) question.node_budget = r->node_budget - result->nodes;
    number_search_ask(s->numbers, r->position, &question, &found);
    result->nodes += found.nodes;
    *yes = found.yes;
    return found.answered;
}

/* Who can force a win? False: the search ended without an answer; the bounds are proved. */
static bool find_winner(const position_search *s, const search_request *request,
                        forward_search_result *r) {
    int mover = plb_numbers_mover(request->position);
    bool wins, loses;
    if (!ask(s, request, mover, 0, r, &wins)) return false;
    if (wins) r->lower = PLB_WIN;
    if (wins) return true;
    r->upper = PLB_DRAW;
    if (!ask(s, request, !mover, 0, r, &loses)) return false;
    if (loses)
        r->upper = PLB_LOSS;
    else
        r->lower = PLB_DRAW;
    return true;
}

static void solve_numbers(const position_search *s, const search_request *request,
                          forward_search_result *r) {
    plb_position p = request->position;
    *r = (forward_search_result){
        .value = PLB_DRAW, .lower = PLB_LOSS, .upper = PLB_WIN, .dtm = PLB_NO_DTM};
    int ply = plb_numbers_ply(p), mover = plb_numbers_mover(p);
    bool is_lost = plb_numbers_complete(s->game, p), found = is_lost;
    if (is_lost) r->upper = PLB_LOSS;
    r->proved = r->value_proved = is_lost || find_winner(s, request, r);
    if (!r->proved) return;
    r->value = r->lower;
    if (!request->distance || r->value == PLB_DRAW) return;
    bool wins = r->value == PLB_WIN;
    if (is_lost) r->dtm = 0;
    /* Find the first ply of the winner by which he can force his win. */
    for (int by = ply + (wins ? 1 : 2); r->proved && !found; by += 2) {
        r->proved = ask(s, request, wins ? mover : !mover, by, r, &found);
        r->dtm = r->proved ? by - ply : PLB_NO_DTM;
    }
}

int position_search_solve(position_search *search, const search_request *request,
                          forward_search_result *result) {
    if (search->numbers) {
        solve_numbers(search, request, result);
        return PLB_OK;
    }
    return search->drop ? drop_search_solve(search->drop, request, result)
                        : forward_search_solve(search->stones, request, result);
}
