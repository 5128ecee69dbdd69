/* SPDX-License-Identifier: MIT
 *
 * Tests of what answers questions of a search (tools/search/search_rules.h) without one: the
 * rules that it is given, and its answer for the empty board.
 */
#ifndef TESTS_VERDICT_H
#define TESTS_VERDICT_H

#include "tests/support/support.h"
#include "tools/search/search_rules.h"

typedef enum verdict { UNKNOWN, NO, YES } verdict;

/* To be freed with search_rules_free. */
static inline search_rules verdict_rules(const char *spec) {
    plb_game game = support_game(spec);
    search_rules rules;
    plb_message why;
    support_expect(search_rules_make(&game, &rules, &why), PLB_OK, spec, &why);
    plb_game_free(&game);
    return rules;
}

/* Asks whether the score of the empty board is at least the bound. */
static inline verdict verdict_of(bool (*answer)(const search_rules *, int bound, bool *reached),
                                 const char *spec, int bound) {
    search_rules rules = verdict_rules(spec);
    bool reached = false;
    bool answered = answer(&rules, bound, &reached);
    search_rules_free(&rules);
    return !answered ? UNKNOWN : reached ? YES : NO;
}

#endif
