/* SPDX-License-Identifier: MIT
 *
 * Named strategies, by rule: lists those of a board, and plays one against every line.
 */
#include "tools/commands/strategy_commands.h"

#include <stdio.h>

#include "tables/strategies/strategy_file.h"
#include "tools/answers/json_writer.h"
#include "tools/terminal/arguments.h"
#include "tools/terminal/console.h"
#include "tools/terminal/operands.h"
#include "tools/terminal/quantity.h"

/* ---- strategies and players ---- */

const named_strategy *require_named_strategy(const char *name) {
    const named_strategy *found = named_strategy_find(name);
    char names[256] = "";
    size_t used = 0;
    if (found) return found;
    for (const named_strategy *s = named_strategies; s->name; s++)
        used +=
            (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", s->name);
    fail_usage("there is no strategy '%.40s'; the strategies are %s", name, names);
}

static int refuse_game(const plb_game *game, plb_message *message) {
    char spec[PLB_SPEC_TEXT];
    plb_game_format(game, spec);
    return plb_fail(message, PLB_ESPEC,
                    "strategies with names are of misere Connect-k, such as connect-7x6-k4-misere, "
                    "not of %s; for other games give a table",
                    spec);
}

int find_named_player(const plb_game *game, const named_strategy *strategy, named_player *who,
                      plb_message *message) {
    char spec[PLB_SPEC_TEXT];
    plb_message why = {""}, first;
    if (!named_strategy_knows(game)) return refuse_game(game, message);
    for (int p = 1; p >= 0; p--) {
        first = why;
        if (who->wanted == !p) continue;
        who->player = p;
        if (strategy->applies(game, p, &who->terms, &why)) return PLB_OK;
    }
    if (who->force) {
        if (who->wanted == BOTH_PLAYERS) who->player = 1;
        return PLB_OK;
    }
    plb_game_format(game, spec);
    return plb_fail(message, PLB_EARGUMENT,
                    "%s does not apply to %s: %s; `plybase strategy --force` tries it",
                    strategy->name, spec, *first.text ? first.text : why.text);
}

/* ---- the list ---- */

static void put_named_strategy(json_writer *to, const char *key, const named_strategy *s,
                               int player, const strategy_terms *terms) {
    open_object(to, key);
    put_word(to, "name", s->name);
    put_word(to, "player", plb_strategy_player_text(player));
    put_word(to, "claim", plb_value_text(terms->reaches));
    put_number(to, "most_plies", terms->most_plies);
    put_text(to, "theorem", terms->theorem);
    put_text(to, "rule", s->rule);
    close_object(to);
}

/* Print the strategies of a board, or only `wanted`, which applies to it. */
static int list_named_strategies(const strategy_arguments *a, const plb_game *game,
                                 const named_strategy *wanted) {
    char spec[PLB_SPEC_TEXT];
    plb_message message;
    int count = 0;
    if (!named_strategy_knows(game)) return report_error(refuse_game(game, &message), &message);
    json_writer w = begin_json_object();
    plb_game_format(game, spec);
    put_word(&w, "spec", spec);
    open_list(&w, "strategies");
    for (const named_strategy *s = named_strategies; s->name; s++)
        for (int player = 0; player < 2; player++) {
            strategy_terms terms;
            if ((wanted ? wanted != s : s->refuted) || a->player == !player) continue;
            if (!s->applies(game, player, &terms, &message)) continue;
            put_named_strategy(&w, NULL, s, player, &terms);
            if (a->json) {
                count++;
                continue;
            }
            if (!count++)
                printf("%s\n  %-18s %-7s %-8s %6s  %s\n", spec, "strategy", "player", "reaches",
                       "by ply", "theorem");
            printf("  %-18s %-7s %-8s %6d  %s\n", s->name, plb_strategy_player_text(player),
                   plb_value_text(terms.reaches), terms.most_plies, terms.theorem);
        }
    close_list(&w);
    if (a->json)
        print_json_object(&w);
    else if (count && wanted)
        printf("  rule: %s\n", wanted->rule);
    drop_json(&w);
    return count ? EXIT_GOOD : print_error("the theory has no strategy for %s", spec);
}

/* ---- progress ---- */

static void show_walk(void *context, int ply, uint64_t done, uint64_t positions) {
    display *d = context;
    char count[32];
    if (done == positions && !d->terminal)
        fprintf(stderr, "ply %2d  %18s positions\n", ply, format_count(positions, count));
    else if (done < positions && display_is_due(d))
        show_line(d, "ply %2d  %5.1f %%", ply, 100 * (double)done / (double)positions);
}

rule_walk_options walk_of_arguments(const strategy_arguments *a, const plb_game *game, int player,
                                    plb_value claim, display *shown) {
    enum { DEFAULT_MEMORY = 1 << 30 };
    return (rule_walk_options){
        .game = game,
        .strategy = require_named_strategy(a->names.items[0]),
        .player = player,
        .claim = claim,
        .memory_bytes = a->memory_bytes > 0 ? a->memory_bytes : DEFAULT_MEMORY,
        .stop = catch_interrupts(),
        .report = show_walk,
        .context = shown};
}

/* ---- playing one against every line ---- */

typedef struct verification_run {
    rule_walk_options walk;
    strategy_terms terms;
    bool is_late; /* the longest game is longer than the theorem allows */
    bool is_good;
    rule_walk_result result, immune; /* immune: if the opponent may complete groups */
    double seconds;
} verification_run;

static void print_failure(const char *what, const rule_walk_result *r) {
    printf("%s after %s: %s\n", what, *r->line ? r->line : "no move", r->why.text);
}

static void print_run(const verification_run *run) {
    const rule_walk_result *r = &run->result;
    const named_strategy *s = run->walk.strategy;
    char spec[PLB_SPEC_TEXT], count[32];
    plb_game_format(run->walk.game, spec);
    printf("%s by the %s player of %s: %s, by ply %d (%s)\n", s->name,
           plb_strategy_player_text(run->walk.player), spec,
           run->terms.reaches == PLB_WIN ? "win" : "at least a draw", run->terms.most_plies,
           run->terms.theorem);
    if (!r->holds) {
        print_failure("fails", r);
        return;
    }
    printf("holds: %s positions, longest game %d plies\n", format_count(r->positions, count),
           r->longest);
    if (run->is_late) printf("fails: the longest game is longer than the theorem allows\n");
    if (!s->is_immune) return;
    if (run->immune.holds)
        printf("holds also if the opponent may complete groups: %s positions\n",
               format_count(run->immune.positions, count));
    else
        print_failure("fails, if the opponent may complete groups,", &run->immune);
}

static void print_json_run(const verification_run *run) {
    const rule_walk_result *r = &run->result;
    const named_strategy *s = run->walk.strategy;
    char spec[PLB_SPEC_TEXT];
    plb_game_format(run->walk.game, spec);
    bool is_immune = s->is_immune && run->immune.holds;
    json_writer w = begin_json_object();
    put_word(&w, "spec", spec);
    put_named_strategy(&w, "strategy", s, run->walk.player, &run->terms);
    put_flag(&w, "holds", run->is_good);
    put_count(&w, "positions", r->positions);
    if (is_immune)
        put_count(&w, "immune_positions", run->immune.positions);
    else
        put_null(&w, "immune_positions");
    put_known(&w, "longest_plies", r->holds, r->longest);
    put_text(&w, "line", r->holds ? NULL : r->line);
    put_text(&w, "message", r->holds ? NULL : r->why.text);
    put_real(&w, "seconds", run->seconds);
    print_json_object(&w);
}

static int verify_player(const strategy_arguments *a, const plb_game *game, int player,
                         int *status) {
    display shown = begin_display();
    verification_run run = {.walk = walk_of_arguments(a, game, player, PLB_DRAW, &shown)};
    plb_message message;
    bool is_immune = run.walk.strategy->is_immune;
    bool applies = run.walk.strategy->applies(game, player, &run.terms, &message);
    run.walk.claim = run.terms.reaches;
    int error = rule_walk(&run.walk, &run.result, &message);
    clear_display(&shown);
    if (!error && is_immune && run.result.holds) {
        run.walk.is_immune = true;
        error = rule_walk(&run.walk, &run.immune, &message);
        clear_display(&shown);
    }
    if (error) {
        *status = report_error(error, &message);
        return error;
    }
    run.seconds = seconds_now() - shown.begun;
    run.is_late = applies && run.result.longest > run.terms.most_plies;
    run.is_good = run.result.holds && (!is_immune || run.immune.holds) && !run.is_late;
    (a->json ? print_json_run : print_run)(&run);
    if (!run.is_good) *status = EXIT_FAILED;
    return PLB_OK;
}

int show_named_strategies(const strategy_arguments *a) {
    plb_game game;
    plb_message message;
    named_player who = {.wanted = a->player, .force = a->force};
    const named_strategy *strategy = NULL;
    int error = PLB_OK, status = read_game(a->source, &game);
    if (status) return status;
    if (a->names.count) strategy = require_named_strategy(a->names.items[0]);
    if (strategy) error = find_named_player(&game, strategy, &who, &message);
    if (error) return report_error(error, &message);
    if (!a->verify || !strategy) return list_named_strategies(a, &game, strategy);
    /* For the player that was found, and without --player for each for whom it applies. */
    for (int p = 0; p < 2 && !error; p++)
        if (p == who.player ||
            (a->player == BOTH_PLAYERS && strategy->applies(&game, p, &who.terms, &message)))
            error = verify_player(a, &game, p, &status);
    return status;
}
