/* SPDX-License-Identifier: MIT */
#include "tests/support/strategies.h"

#include <stdio.h>
#include <string.h>

void extract_strategy(const char *spec, const char *table, plb_strategy_claim claim,
                      strategy_choice choice, made_strategy *m) {
    plb_message why;
    memset(m, 0, sizeof *m);
    support_expect(plb_space_begin(spec, &m->space, &why), PLB_OK, spec, &why);
    if (table)
        support_expect(plb_open(table, &m->table, &why), PLB_OK, spec, &why);
    else
        support_expect(number_search_open(&m->space.game, 1 << 24, &m->search, &why), PLB_OK, spec,
                       &why);
    strategy_source source = {.game = &m->space.game,
                              .table = m->table,
                              .search = m->search,
                              .symmetry = &m->space.symmetry,
                              .node_budget = 100000};
    const extract_options options = {
        .claim = claim, .source = &source, .choice = choice, .width = 3};
    support_expect(strategy_extract(&options, &m->strategy, &why), PLB_OK, spec, &why);
    m->meta = (plb_strategy_meta){.claim = claim,
                                  .level = 3,
                                  .builder = "test",
                                  .symmetries = m->space.symmetry.order,
                                  .block_entries = 100};
    snprintf(m->meta.spec, sizeof m->meta.spec, "%s", spec);
}

void discard_strategy(made_strategy *m) {
    plb_strategy_free(&m->strategy);
    number_search_close(m->search);
    plb_close(m->table);
    plb_space_close(&m->space);
}

void write_strategy(const made_strategy *m, const char *path) {
    plb_message why;
    remove(path);
    support_expect(plb_strategy_write(path, &m->meta, &m->strategy, m->space.game.cells + 1, &why),
                   PLB_OK, path, &why);
}

int check_strategy(const char *path, int threads, strategy_report *report) {
    const strategy_check_options options = {.threads = threads};
    plb_message why;
    plb_table *table = support_open_table(path);
    int error = verify_strategy(table, &options, report, &why);
    plb_close(table);
    return error;
}
