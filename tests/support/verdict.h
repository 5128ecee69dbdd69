/* SPDX-License-Identifier: MIT
 *
 * Helpers for tests of proofs that can replace a search (tools/search/search_rules.h): rules, the
 * answer for the empty board, and small games with all their positions.
 */
#pragma once

#include <stdio.h>

#include "tests/support/oracle.h"
#include "tests/support/support.h"
#include "tools/search/search_rules.h"

typedef enum verdict { UNKNOWN, NO, YES } verdict;

static inline search_rules verdict_rules(const char *spec) {
    plb_game game = support_game(spec);
    search_rules rules;
    plb_message why;
    support_expect(search_rules_make(&game, &rules, &why), PLB_OK, spec, &why);
    return rules;
}

/* Is the score of the empty board at least the bound? */
static inline verdict verdict_of(bool (*answer)(const search_rules *, int bound, bool *reached),
                                 const char *spec, int bound) {
    search_rules rules = verdict_rules(spec);
    bool reached = false;
    bool answered = answer(&rules, bound, &reached);
    return !answered ? UNKNOWN : reached ? YES : NO;
}

/* Solve each game with the oracle, in normal or in misere play, and call `check`. The commit
 * decides which; with PLYBASE_FAULTS=1/1 both. */
static inline void verdict_check_games(const oracle_game *games, size_t count,
                                       void (*check)(const search_rules *rules,
                                                     const plb_game *game, const oracle *solved)) {
    for (size_t g = 0; g < 2 * count; g++) {
        char spec[ORACLE_TEXT];
        oracle solved;
        oracle_game of = games[g / 2];
        if (!support_has_turn(g + g / 2, 2)) continue;
        of.misere = g % 2;
        oracle_spec_text(&of, spec);
        plb_game game = support_game(spec);
        search_rules rules = verdict_rules(spec);
        assert_true(oracle_solve(&of, &solved));
        printf("%s\n", spec);
        check(&rules, &game, &solved);
        oracle_free(&solved);
    }
}
