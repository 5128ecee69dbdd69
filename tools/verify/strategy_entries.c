/* SPDX-License-Identifier: MIT
 *
 * A bit for each stored position, set when the walk needs its move. Positions without it are wrong.
 */
#include "tools/verify/strategy_entries.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "probe/table.h"
#include "tables/bits.h"
#include "tables/index/orbit.h"
#include "tables/strategies/strategy_file.h"

typedef struct entries {
    const plb_table *table;
    _Atomic uint64_t *used[PLB_MAX_CELLS + 1]; /* [ply][entry / 64] bit entry % 64 */
} entries;

/* If a rule gives the move, a stored move is never used. */
static bool has_rule(const plb_table *table, plb_position canonical) {
    int move;
    return plb_strategy_find_rule(&table->file.space.game, &table->claim, canonical, &move) !=
           PLB_RULE_NONE;
}

/* Mark the position in which the strategy is asked. */
static void use_entry(void *context, uint64_t x, uint64_t o) {
    entries *e = context;
    const plb_game *game = &e->table->file.space.game;
    plb_position position;
    if (game->rules->from_words(game, x, o, &position, NULL)) return;
    plb_position canonical = plb_orbit_least(game, &e->table->file.space.symmetry, position);
    int ply = plb_rules_ply(game, canonical);
    int64_t entry =
        plb_strategy_find(e->table->strategy, ply, plb_position_number(game, canonical));
    if (entry >= 0 && !has_rule(e->table, canonical))
        atomic_fetch_or_explicit(&e->used[ply][entry / 64], 1ULL << entry % 64,
                                 memory_order_relaxed);
}

static int report_unused(const entries *e, int ply, uint64_t entry, strategy_report *report,
                         plb_message *message) {
    const plb_game *game = &e->table->file.space.game;
    plb_position position = {0, 0};
    plb_position_of_number(game, ply, e->table->strategy->ply[ply].codes[entry], &position);
    plb_position least = plb_orbit_least(game, &e->table->file.space.symmetry, position);
    const char *why = !plb_position_is_same(least, position)  ? "it is not the least of its images"
                      : plb_rules_check(game, position, NULL) ? "it cannot arise"
                      : plb_rules_is_over(game, position)     ? "the game is over"
                      : has_rule(e->table, position)
                          ? "a rule gives the move"
                          : "it does not arise when the strategy is followed";
    plb_rules_format_board(game, position, report->position);
    report->holds = false;
    plb_fail(&report->fault, PLB_ECORRUPT, "the strategy stores a move for %s of ply %d, but %s",
             report->position, ply, why);
    return plb_fail(message, PLB_ECORRUPT, "%s", report->fault.text);
}

int verify_strategy(const plb_table *table, const strategy_check_options *options,
                    strategy_report *report, plb_message *message) {
    strategy_check_options o = *options;
    entries e = {.table = table};
    plb_message extra = {""};
    memset(report, 0, sizeof *report);
    int error = PLB_OK;
    for (int ply = 0; ply <= PLB_MAX_CELLS; ply++) {
        e.used[ply] =
            calloc(plb_divide_up(table->strategy->ply[ply].count, 64) + 1, sizeof *e.used[ply]);
        if (!e.used[ply])
            error = plb_fail(message, PLB_ENOMEM, "out of memory for the positions of a strategy");
    }
    bool is_rewritten = false;
    if (!error) error = plb_meta_find_extra(table->file.store, &is_rewritten, &extra);
    if (*extra.text && message) *message = extra;
    if (is_rewritten) error = PLB_OK;
    o.visit = use_entry;
    o.visited = &e;
    if (!error) error = strategy_check(table, &o, report, message);
    for (int ply = 0; ply <= PLB_MAX_CELLS && !error; ply++)
        for (uint64_t entry = 0; entry < table->strategy->ply[ply].count && !error; entry++)
            if (!(e.used[ply][entry / 64] >> entry % 64 & 1))
                error = report_unused(&e, ply, entry, report, message);
    if (!error && is_rewritten)
        error = plb_fail(message, PLB_ECORRUPT, "%s; what it stores was checked, and is right",
                         extra.text);
    for (int ply = 0; ply <= PLB_MAX_CELLS; ply++) free(e.used[ply]);
    return error;
}
