/* SPDX-License-Identifier: MIT
 *
 * Extract, write and verify strategies of small games. A failure fails the test.
 */
#pragma once

#include "tests/support/open_table.h"
#include "tools/search/number_search.h"
#include "tools/strategy/extract.h"
#include "tools/verify/strategy_entries.h"

typedef struct made_strategy {
    plb_space space;
    plb_table *table;
    number_search *search;
    plb_strategy strategy;
    plb_strategy_meta meta;
} made_strategy;

/* Extract the strategy of a player from a table, or, if that is NULL, from a search of a game of
 * numbers. Free with discard_strategy. */
void extract_strategy(const char *spec, const char *table, plb_strategy_claim claim,
                      strategy_choice choice, made_strategy *m);
void discard_strategy(made_strategy *m);

void write_strategy(const made_strategy *m, const char *path);

/* verify_strategy of a file, which must open. */
int check_strategy(const char *path, int threads, strategy_report *report);
