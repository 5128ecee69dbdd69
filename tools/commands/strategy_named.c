/* SPDX-License-Identifier: MIT
 *
 * Strategies that have names: which there are for a board, and playing one against every line.
 */
#include "tools/commands/strategy_commands.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "tables/strategies/strategy_file.h"
#include "tools/answers/json_writer.h"
#include "tools/terminal/arguments.h"
#include "tools/terminal/console.h"
#include "tools/terminal/operands.h"
#include "tools/terminal/quantity.h"

/* ---- who plays what ---- */

const named_strategy *require_named_strategy(const char *name) {
    const named_strategy *found = named_strategy_find(name);
    char names[256] = "";
    size_t used = 0;
    if (found) return found;
    for (const named_strategy *s = named_strategies; s->name; s++)
        used +=
            (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", s->name);
    fail_usage("there is no strategy '%.40s'; there are %s", name, names);
}

enum { DEFAULT_MEMORY = 1 << 30 };

named_question named_question_of(const strategy_arguments *a, const plb_game *game) {
    return (named_question){
        .game = game,
        .strategy = a->names.count ? require_named_strategy(a->names.items[0]) : NULL,
        .player = a->player,
        .force = a->force,
        .json = a->json,
        .memory_bytes = a->memory_bytes > 0 ? a->memory_bytes : DEFAULT_MEMORY,
        .stop = catch_interrupts()};
}

static int refuse_game(const plb_game *game, plb_message *message) {
    char spec[PLB_SPEC_TEXT];
    plb_game_format(game, spec);
    return plb_fail(message, PLB_ESPEC,
                    "strategies with names are of misere Connect-k, such as connect-7x6-k4-misere, "
                    "not of %s",
                    spec);
}

static bool is_wanted(const named_question *q, int player) {
    return q->player == BOTH_PLAYERS || q->player == player;
}

int find_named_player(const named_question *q, int *player, strategy_terms *terms,
                      plb_message *message) {
    char spec[PLB_SPEC_TEXT];
    plb_message why = {""}, first;
    assert(q->strategy); /* only a list of strategies names none */
    if (!named_strategy_knows(q->game)) return refuse_game(q->game, message);
    for (int p = 1; p >= 0; p--) {
        first = why;
        if (!is_wanted(q, p)) continue;
        *player = p;
        if (q->strategy->applies(q->game, p, terms, &why)) return PLB_OK;
    }
    if (q->force) {
        if (q->player == BOTH_PLAYERS) *player = 1;
        return PLB_OK;
    }
    plb_game_format(q->game, spec);
    return plb_fail(message, PLB_EARGUMENT,
                    "%s does not apply to %s: %s; `plybase strategy --force` tries it",
                    q->strategy->name, spec, *first.text ? first.text : why.text);
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

/* Print the strategies of a board, or one of them, whose player has been found before; returns an
 * exit status. */
static int list_named_strategies(const named_question *q) {
    char spec[PLB_SPEC_TEXT];
    plb_message message;
    int count = 0;
    if (!named_strategy_knows(q->game))
        return report_error(refuse_game(q->game, &message), &message);
    json_writer w = begin_json_object();
    plb_game_format(q->game, spec);
    put_word(&w, "spec", spec);
    open_list(&w, "strategies");
    for (const named_strategy *s = named_strategies; s->name; s++)
        for (int player = 0; player < 2; player++) {
            strategy_terms terms;
            if ((q->strategy ? q->strategy != s : s->refuted) || !is_wanted(q, player)) continue;
            if (!s->applies(q->game, player, &terms, &message)) continue;
            put_named_strategy(&w, NULL, s, player, &terms);
            if (q->json) {
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
    if (q->json)
        print_json_object(&w);
    else if (count && q->strategy)
        printf("  rule: %s\n", q->strategy->rule);
    drop_json(&w);
    return count ? EXIT_GOOD : print_error("the theory has no strategy for %s", spec);
}

/* ---- progress ---- */

void show_walked_ply(void *context, int ply, uint64_t positions) {
    const display *d = context;
    char count[32];
    if (!d->terminal)
        fprintf(stderr, "ply %2d  %18s positions\n", ply, format_count(positions, count));
}

void show_walk(void *context, int ply, double share) {
    display *d = context;
    if (display_is_due(d)) show_line(d, "ply %2d  %5.1f %%", ply, 100 * share);
}

/* ---- playing it against every line ---- */

typedef struct verification_run {
    const named_question *question;
    int player;
    strategy_terms terms;
    bool is_late; /* the longest game is longer than the theorem allows */
    bool is_good;
    rule_walk_result result, immune; /* immune: the opponent may complete groups */
    double seconds;
} verification_run;

static void print_failure(const char *what, const rule_walk_result *r) {
    printf("%s after %s: %s\n", what, *r->line ? r->line : "no move", r->why.text);
}

static void print_run(const verification_run *run) {
    const rule_walk_result *r = &run->result;
    const named_strategy *s = run->question->strategy;
    char spec[PLB_SPEC_TEXT], count[32];
    plb_game_format(run->question->game, spec);
    printf("%s by the %s player of %s: %s, by ply %d (%s)\n", s->name,
           plb_strategy_player_text(run->player), spec,
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
    const named_strategy *s = run->question->strategy;
    char spec[PLB_SPEC_TEXT];
    plb_game_format(run->question->game, spec);
    bool is_immune = s->is_immune && run->immune.holds;
    json_writer w = begin_json_object();
    put_word(&w, "spec", spec);
    put_named_strategy(&w, "strategy", s, run->player, &run->terms);
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

static int verify_player(const named_question *q, int player, int *status) {
    verification_run run = {.question = q, .player = player};
    display shown = begin_display();
    plb_message message;
    int error = PLB_OK;
    assert(q->strategy);
    bool applies = q->strategy->applies(q->game, player, &run.terms, &message);
    bool is_immune = q->strategy->is_immune;
    int walks = is_immune ? 2 : 1; /* the second: the opponent may complete groups */
    for (int walk = 0; walk < walks && !error && (walk == 0 || run.result.holds); walk++) {
        const rule_walk_options o = {.game = q->game,
                                     .strategy = q->strategy,
                                     .player = player,
                                     .claim = run.terms.reaches,
                                     .is_immune = walk == 1,
                                     .memory_bytes = q->memory_bytes,
                                     .stop = q->stop,
                                     .report = show_walked_ply,
                                     .progress = show_walk,
                                     .context = &shown};
        error = rule_walk(&o, walk == 1 ? &run.immune : &run.result, &message);
        clear_display(&shown);
    }
    if (error) {
        *status = report_error(error, &message);
        return error;
    }
    run.seconds = seconds_now() - shown.begun;
    run.is_late = applies && run.result.longest > run.terms.most_plies;
    run.is_good = run.result.holds && (!is_immune || run.immune.holds) && !run.is_late;
    (q->json ? print_json_run : print_run)(&run);
    if (!run.is_good) *status = EXIT_FAILED;
    return PLB_OK;
}

/* Play the strategy against every line and print what was found; returns an exit status. */
static int verify_named_strategy(const named_question *q) {
    int player = 0, status = EXIT_GOOD;
    strategy_terms terms;
    plb_message why;
    assert(q->strategy);
    int error = find_named_player(q, &player, &terms, &why);
    if (error) return report_error(error, &why);
    if (q->player != BOTH_PLAYERS || !q->strategy->applies(q->game, player, &terms, &why)) {
        verify_player(q, player, &status);
        return status;
    }
    for (player = 0; player < 2 && !error; player++)
        if (q->strategy->applies(q->game, player, &terms, &why))
            error = verify_player(q, player, &status);
    return status;
}

int show_named_strategies(const strategy_arguments *a) {
    plb_game game;
    plb_message message;
    int status = read_game(a->source, &game);
    if (status) return status;
    named_question q = named_question_of(a, &game);
    if (a->verify) return verify_named_strategy(&q);
    int player;
    strategy_terms terms;
    int error = q.strategy ? find_named_player(&q, &player, &terms, &message) : PLB_OK;
    return error ? report_error(error, &message) : list_named_strategies(&q);
}
