/* SPDX-License-Identifier: MIT */
#include "tools/commands/build_options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "builder/forecast/rank_forecast.h"
#include "tables/bits.h"
#include "tables/store/checksum.h"
#include "tables/threads.h"
#include "tools/commands/rank_launcher.h"
#include "tools/terminal/console.h"
#include "tools/terminal/machine_memory.h"
#include "tools/terminal/operands.h"
#include "tools/terminal/quantity.h"

static bool read_values(const char *text, void *values) {
    return plb_value_kind_parse(text, values);
}

static bool read_engine(const char *text, void *engine) {
    plb_index_kind kind;
    if (!plb_index_kind_parse(text, &kind)) return false;
    *(int *)engine = (int)kind;
    return true;
}

const argument_row build_rows[] = {
    OPERAND("SPEC", build_options, spec, "such as connect-5x5-k4"),
    SIZE('m', "memory", build_options, memory_bytes,
         "memory that the build may use, such as 512M or 8G "
         "(default: three quarters of what is free)"),
    THREADS(build_options, threads),
    PARSED('v', "values", "KIND", build_options, values, read_values,
           "wdl (win, draw, loss) or dtm (distances too)",
           "what to store: wdl (win, draw, loss; the default) or dtm "
           "(also the plies to the end of the game)"),
    PARSED('e', "engine", "ENGINE", build_options, engine, read_engine,
           "slabs (bit planes, games of stones) or keys (any game)",
           "how to solve: slabs (by bit planes; the default for games "
           "of stones) or keys (position by position; any game, but "
           "only small boards)"),
    {0}};

void parse_build_options(int argc, char **argv, const command_syntax *syntax, build_options *o) {
    *o = (build_options){.threads = plb_threads_available(),
                         .save_seconds = 30,
                         .patience_seconds = 600,
                         .engine = -1,
                         .trial = -1};
    parse_arguments(argc, argv, syntax, o);
    require_table_name(o->output, o->spec);
    o->threads = usable_threads(o->threads);
    o->memory_given = o->memory_bytes > 0;
    if (o->memory_given) return;
    double free_bytes = machine_memory_bytes(MEMORY_FREE, "");
    o->memory_bytes = 0.75 * fmin(free_bytes, address_space_bytes(o->threads));
}

/* Ranks of another version may differ in what they send, so this is the first thing they compare.
 */
static int compare_versions(plb_ranks *ranks, plb_message *message) {
    uint64_t own = plb_checksum_identity(PLB_VERSION_TEXT), first = own;
    int error = plb_ranks_broadcast(ranks, &first, sizeof first, message);
    if (error || first == own) return error;
    return plb_fail(message, PLB_EARGUMENT,
                    "it is plybase " PLB_VERSION_TEXT
                    ", and rank 0 is another version: start all "
                    "ranks with the same program");
}

static int open_game(const build_options *o, planned_game *planned, plb_message *message) {
    int error = plb_space_begin(o->spec, &planned->space, message);
    if (error) return explain_spec(o->spec, error, message);
    plb_game_format(&planned->space.game, planned->spec);
    if (planned->space.game.group_count == 0)
        return plb_fail(message, PLB_ESPEC,
                        "%s: no group fits on the board, so there is nothing to solve",
                        planned->spec);
    error = plb_space_add_index(
        &planned->space,
        o->engine < 0 ? plb_index_kind_of(&planned->space.game) : (plb_index_kind)o->engine,
        message);
    if (error != PLB_EARGUMENT) return error;
    return plb_fail(message, PLB_ESPEC, "%s is solved by keys, not by slabs: leave out --engine",
                    planned->spec);
}

int plan_game(const build_options *o, plb_ranks *ranks, planned_game *planned,
              plb_message *message) {
    memset(planned, 0, sizeof *planned);
    int error = compare_versions(ranks, message);
    if (!error) error = open_game(o, planned, message);
    error = plb_ranks_agree(ranks, error, message);
    if (error) return error;
    if (plb_ranks_number(ranks) == 0)
        plb_forecast_make(&planned->space.index, o->values, o->threads, &planned->forecast);
    return plb_ranks_broadcast(ranks, &planned->forecast, sizeof planned->forecast, message);
}

build_needs find_build_needs(const build_options *o, const planned_game *planned) {
    char output[PLB_SPEC_TEXT + 8], label[PLB_SPEC_TEXT + 16];
    const plb_forecast *f = &planned->forecast;
    snprintf(output, sizeof output, "%s.plb", planned->spec);
    snprintf(label, sizeof label, "%s %s" PLB_LABEL_SHARDS " ", planned->spec,
             plb_value_kind_text(o->values));
    build_needs n = {.memory_needed = plb_budget_make(&f->memory, o->threads, 0).needed_bytes,
                     .memory_has = o->memory_bytes,
                     .disk_needed = plb_forecast_scratch_bytes(
                         f, planned->space.game.cells + 1, (double)o->save_seconds * o->threads,
                         o->shards ? INFINITY : PLB_PART_ENTRIES),
                     .disk_has = plb_build_folder_max_bytes(o->output ? o->output : output,
                                                            o->shards ? label : NULL)};
    n.memory_fits = n.memory_needed <= n.memory_has;
    n.disk_fits = n.disk_has == 0 || n.disk_needed <= n.disk_has;
    return n;
}

int budget_build(const build_options *o, const planned_game *planned, plb_build_options *build,
                 plb_message *message) {
    char need[32], have[32];
    const plb_memory_needs *needs = &planned->forecast.memory;
    plb_rank_forecast of_ranks;
    bool divides = build->ranks && planned->space.index.kind != PLB_KEYS;
    build->values = o->values;
    build->threads = o->threads;
    build->budget = plb_budget_make(needs, o->threads, o->memory_bytes);
    if (divides &&
        !plb_rank_budget_make_ample(needs, o->threads, o->memory_bytes, &build->budget)) {
        const plb_rank_forecast_options options = {o->values, plb_ranks_count(build->ranks),
                                                   o->threads, &build->budget, o->shards};
        plb_rank_forecast_make(&planned->space.index, &planned->forecast, &options, &of_ranks);
        build->budget = plb_budget_make(&of_ranks.memory, o->threads, o->memory_bytes);
    }
    if (build->budget.needed_bytes > o->memory_bytes)
        return plb_fail(message, PLB_ETOOBIG, "%s needs about %s of memory and may use %s%s",
                        planned->spec, format_need(build->budget.needed_bytes, need),
                        format_room(o->memory_bytes, have),
                        o->memory_given ? " (--memory)" : ", three quarters of what is free");
    /* Rank 0 counts while the other ranks wait, so it may use the processors of its machine. */
    int counting = (int)plb_min(o->threads * ranks_on_machine(), plb_threads_available());
    if (divides && counting > o->threads) plb_budget_count_with(&build->budget, needs, counting);
    int threads = (int)plb_max(o->threads, build->budget.ahead_threads);
    plb_budget_bound_process(
        o->memory_bytes, (double)threads * PLB_STACK_BYTES + (build->ranks ? launched_bytes() : 0));
    return PLB_OK;
}
