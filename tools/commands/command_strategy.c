/* SPDX-License-Identifier: MIT
 *
 * `plybase strategy`: writes how a player wins, or at least draws, against every reply. The moves
 * come from a table, from a search, or from a named rule. Then the file is played against every
 * move of the opponent.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tables/games/symmetry.h"
#include "tables/threads.h"
#include "tools/answers/json_writer.h"
#include "tools/commands/commands.h"
#include "tools/commands/strategy_commands.h"
#include "tools/terminal/console.h"
#include "tools/terminal/operands.h"
#include "tools/terminal/output_file.h"
#include "tools/terminal/quantity.h"

enum {
    DEFAULT_LOOK_AHEAD = 5,
    DEFAULT_WIDTH = 3,
    DEFAULT_MEMORY = 256 << 20, /* of a search */
    NODE_BUDGET = 2000000,      /* of a search that decides whether a move keeps the claim */
};

static const argument_row rows[] = {
    OPERAND("SPEC|FILE", strategy_arguments, source, NULL),
    OPERANDS("NAME", strategy_arguments, names, 0),
    TEXT('o', "output", "OUT", strategy_arguments, output, "the file to write"),
    CHOICE('p', "player", "PLAYER", strategy_arguments, player, "first or second",
           "whose strategy: first or second (default: the player who wins)"),
    CHOICE('c', "choose", "WAY", strategy_arguments, choice, "first, forcing or fewest",
           "which of the moves that keep the claim is taken: first, forcing or fewest (fewest)"),
    NUMBER('w', "width", "N", strategy_arguments, width, 1, PLB_MAX_MOVES,
           "how many moves of a position fewest compares (3)"),
    NUMBER('l', "look-ahead", "PLIES", strategy_arguments, look_ahead, 1, PLB_MAX_LOOK_AHEAD,
           "leave out moves that a search of PLIES finds, an odd number (5)"),
    SIZE('M', "memory", strategy_arguments, memory_bytes,
         "memory for positions, such as 512M (for a search 256M, with NAME 1G)"),
    FLAG('v', "verify", strategy_arguments, verify,
         "play the strategy of NAME against every sequence of replies"),
    FLAG('f', "force", strategy_arguments, force,
         "replace OUT if it is a strategy; use NAME also on boards for which there is no theorem"),
    JSON(strategy_arguments, json),
    {0}};
static const command_syntax syntax = {
    .operands = "SPEC|FILE [NAME]",
    .purpose =
        "Write a complete strategy of one player: for every position that can arise when he "
        "follows it, the move by which he wins, or gets at least a draw.",
    .details =
        "FILE is a table of any game, which `plybase build` has written. SPEC is a game of "
        "numbers, such as numeric-4x4, for which a search finds the moves, or with a NAME one of "
        "misere Connect-k, such as connect-7x6-k4-misere. The claim is a win if the player can "
        "force one, otherwise a draw; a player who can force neither has no strategy.\n\nOf "
        "symmetric positions one is stored. Nothing is stored if a rule gives the move: a search "
        "of a few plies finds it, all other moves lose at once, or, for a draw, the opponent "
        "cannot win any more.\n\nOf the moves that keep the claim, --choose first takes the first "
        "one; forcing takes the one that leaves the opponent the fewest moves; fewest compares the "
        "most forcing ones and takes the one that adds the fewest stored positions, which takes "
        "longer and writes less.\n\nOUT appears when it is complete; after an interruption an "
        "existing OUT is unchanged. Then the strategy is played against every move of the "
        "opponent, which `plybase verify OUT` repeats. probe, best and play take OUT like a "
        "table.\n\nWith only the SPEC of a misere Connect-k, the strategies of the theory for the "
        "board are listed: who plays them, what they reach, after how many plies at most, and by "
        "which theorem of R. Steele and D. B. Larremore, Misere Connect Four is Solved. A NAME is "
        "one of take-even, delayed-take-even, take-other, tally, canonical and on-top, or "
        "delayed-as-written, which fails on some boards. With --verify it is played against every "
        "sequence of replies, with all moves that the rule allows. The result is `holds: N "
        "positions, longest game L plies` (positions are those with the opponent to move), or "
        "`fails after LINE: why` and exit status 1.",
    .rows = rows};

/* ---- the source of moves ---- */

typedef struct job {
    const strategy_arguments *arguments;
    plb_position_set kept; /* positions that a named strategy reaches */
    plb_game game;
    plb_symmetry symmetry;
    plb_table *table;
    strategy_source source;
    plb_strategy_claim claim;
    char spec[PLB_SPEC_TEXT];
    display display;
    double reported; /* share of the work at the last line of the log */
    output_file output;
} job;

/* Is SPEC|FILE a file: does it exist, or end in .plb? */
static bool is_strategy_source_file(const char *text) {
    return access(text, F_OK) == 0 || ends_as_table(text);
}

static int open_search(job *j, plb_message *message) {
    int error = plb_game_parse(j->arguments->source, &j->game, message);
    if (error) return error;
    if (j->arguments->names.count) return PLB_OK;
    if (!j->game.tiles[0])
        return plb_fail(message, PLB_ESPEC,
                        "a strategy of %s is made from its table: `plybase build %s`, then "
                        "`plybase strategy` with the table",
                        j->arguments->source, j->arguments->source);
    double bytes = j->arguments->memory_bytes;
    return number_search_open(&j->game, bytes > 0 ? (size_t)bytes : DEFAULT_MEMORY,
                              &j->source.search, message);
}

static int open_source_table(job *j, plb_message *message) {
    int error = plb_open(j->arguments->source, &j->table, message);
    if (error == PLB_ENOTFOUND) suggest_table(j->arguments->source, NULL, message);
    if (error) return error;
    const plb_table_info *info = plb_info(j->table);
    j->source.table = j->table;
    if (info->player)
        return plb_fail(message, PLB_EARGUMENT,
                        "%s is a strategy; a new one is made from a table, or from a game of "
                        "numbers",
                        j->arguments->source);
    return plb_game_parse(info->spec, &j->game, message);
}

/* --force replaces a strategy, or a file of Plybase that is damaged or of another version; but not
 * a table, which may have taken hours, or a file of another kind. */
static int check_output(const char *output, plb_message *message) {
    plb_table *old = NULL;
    plb_message why;
    if (access(output, F_OK) != 0) return PLB_OK;
    int error = plb_open(output, &old, &why);
    bool is_strategy = !error && plb_info(old)->player;
    plb_close(old);
    if (is_strategy || error == PLB_ECORRUPT || error == PLB_EVERSION) return PLB_OK;
    return plb_fail(message, PLB_EARGUMENT,
                    "%s exists and is not a strategy: choose another output with -o", output);
}

/* ---- the claim ---- */

static int find_claim(job *j, plb_message *message) {
    int player = j->arguments->player, winner = BOTH_PLAYERS; /* BOTH_PLAYERS: nobody */
    for (int p = 0; p < 2 && winner == BOTH_PLAYERS; p++) {
        bool wins = false, known;
        plb_strategy_claim claim = {p, PLB_WIN, 0};
        int error =
            strategy_source_ask(&j->source, (plb_position){0, 0}, &claim, &wins, &known, message);
        if (error) return error;
        if (wins) winner = p;
    }
    if (player == BOTH_PLAYERS) player = winner;
    if (player == BOTH_PLAYERS)
        return plb_fail(
            message, PLB_EARGUMENT,
            "neither player can force a win in %s: --player first or --player second has a "
            "strategy for a draw",
            j->spec);
    if (winner == !player)
        return plb_fail(message, PLB_EARGUMENT,
                        "the %s player has no such strategy: the %s player can force a win",
                        plb_strategy_player_text(player), plb_strategy_player_text(!player));
    j->claim = (plb_strategy_claim){player, winner == player ? PLB_WIN : PLB_DRAW,
                                    j->arguments->look_ahead};
    return PLB_OK;
}

/* ---- a named strategy ---- */

/* Play the rule against every reply. The claim is that of its theorem; the source of moves is the
 * set of positions that the rule reaches. */
static int follow_rule(job *j, plb_message *message) {
    rule_walk_result result = {.holds = false};
    const strategy_arguments *a = j->arguments;
    const named_strategy *strategy = require_named_strategy(a->names.items[0]);
    named_player who = {a->player, a->force, 0, {PLB_DRAW, 0, ""}};
    int error = find_named_player(&j->game, strategy, &who, message);
    rule_walk_options walk =
        walk_of_arguments(a, &j->game, who.player, who.terms.reaches, &j->display);
    walk.kept = &j->kept;
    walk.symmetry = &j->symmetry;
    if (!error) error = rule_walk(&walk, &result, message);
    clear_display(&j->display);
    if (!error && !result.holds)
        error = plb_fail(message, PLB_EARGUMENT, "%s fails on %s after %s: %s", strategy->name,
                         j->spec, *result.line ? result.line : "no move", result.why.text);
    j->claim = (plb_strategy_claim){who.player, who.terms.reaches, a->look_ahead};
    j->source.kept = &j->kept;
    return error;
}

/* ---- the strategy ---- */

/* Callback of strategy_extract. In a log, print a line for each tenth of the work. */
static void show_progress(void *context, double done, uint64_t positions) {
    job *j = context;
    char count[32];
    format_count(positions, count);
    if (display_is_due(&j->display))
        show_line(&j->display, "%5.1f %%  %s positions", 100 * done, count);
    if (j->display.terminal || done < j->reported + 0.1) return;
    j->reported = done;
    fprintf(stderr, "%5.1f %%  %18s positions\n", 100 * done, count);
}

static int write_strategy(job *j, const plb_strategy *strategy, plb_message *message) {
    plb_strategy_meta meta = {.claim = j->claim,
                              .level = 19,
                              .builder = PLB_BUILDER_NAME,
                              .symmetries = j->symmetry.order,
                              .block_entries = PLB_STRATEGY_BLOCK};
    char link[OUTPUT_LINK];
    snprintf(meta.spec, sizeof meta.spec, "%s", j->spec);
    int error = plb_strategy_write(output_file_link(&j->output, link), &meta, strategy,
                                   j->game.cells + 1, message);
    if (error) /* replace the message, which names the link */
        return plb_fail(message, error, "cannot write %s: %s", j->output.path,
                        plb_error_text(error));
    return output_file_finish(&j->output, message);
}

/* ---- the outcome ---- */

/* Play the written file against every move, which also finds the longest game, and print the
 * result. Returns an exit status. */
static int print_outcome(job *j, const plb_strategy *strategy, plb_message *message) {
    const strategy_arguments *a = j->arguments;
    char count[32], bytes[32], time[32];
    static const char *const choices[] = {
        [CHOOSE_FIRST] = "first", [CHOOSE_FORCING] = "forcing", [CHOOSE_FEWEST] = "fewest"};
    strategy_report report;
    plb_table *written = NULL;
    int threads = usable_threads(plb_threads_available());
    int error = plb_open(a->output, &written, message);
    if (!error) error = check_strategy(written, threads, false, &report, message);
    plb_close(written);
    if (error == PLB_EINTERRUPTED)
        plb_fail(message, error, "interrupted: %s is complete, but not checked", a->output);
    double seconds = seconds_now() - j->display.begun;
    if (error) return report_error(error, message);
    if (a->json) {
        json_writer w = begin_json_object();
        put_word(&w, "spec", j->spec);
        put_word(&w, "player", plb_strategy_player_text(j->claim.player));
        put_word(&w, "claim", plb_value_text(j->claim.value));
        put_word(&w, "choice", choices[a->choice]);
        put_number(&w, "look_ahead", a->look_ahead);
        put_count(&w, "positions", strategy->positions);
        put_number(&w, "size_bytes", (int64_t)report.size_bytes);
        put_number(&w, "longest_plies", report.longest);
        put_number(&w, "nodes", (int64_t)j->source.nodes);
        put_real(&w, "seconds", seconds);
        print_json_object(&w);
    } else {
        printf("%s: the %s player of %s %s: %s positions, %s, games of up to %d plies, %s\n",
               a->output, plb_strategy_player_text(j->claim.player), j->spec,
               j->claim.value == PLB_WIN ? "wins" : "gets at least a draw",
               format_count(strategy->positions, count),
               format_bytes((double)report.size_bytes, bytes), report.longest,
               format_seconds(seconds, time));
    }
    return EXIT_GOOD;
}

static int make(job *j, plb_message *message) {
    plb_strategy strategy = {.positions = 0};
    int error = j->arguments->names.count ? follow_rule(j, message) : find_claim(j, message);
    if (!error) {
        const strategy_arguments *a = j->arguments;
        extract_options o = {.claim = j->claim,
                             .source = &j->source,
                             .choice = a->choice,
                             .width = a->width,
                             .report = show_progress,
                             .context = j};
        j->source.node_budget = NODE_BUDGET;
        error = strategy_extract(&o, &strategy, message);
        clear_display(&j->display);
    }
    if (!error) error = write_strategy(j, &strategy, message);
    int status = error ? report_error(error, message) : print_outcome(j, &strategy, message);
    plb_strategy_free(&strategy);
    return status;
}

/* Write the strategy to OUT, and play it against every move. Returns an exit status. */
static int write_strategy_file(const strategy_arguments *a) {
    plb_message message;
    job j = {.arguments = a, .display = begin_display()};
    int error = is_strategy_source_file(a->source) ? open_source_table(&j, &message)
                                                   : open_search(&j, &message);
    if (!error) {
        plb_game_format(&j.game, j.spec);
        j.source.game = &j.game;
        j.source.symmetry = &j.symmetry;
        j.source.stop = catch_interrupts();
        error = plb_symmetry_init(&j.game, &j.symmetry);
        if (error) plb_fail(&message, error, "out of memory for the symmetries of %s", j.spec);
    }
    if (!error) error = check_output(a->output, &message);
    if (!error) error = output_file_open(a->output, a->force, &j.output, &message);
    int status = error ? report_error(error, &message) : make(&j, &message);
    output_file_close(&j.output);
    number_search_close(j.source.search);
    plb_position_set_free(&j.kept);
    plb_symmetry_free(&j.symmetry);
    plb_close(j.table);
    return status;
}

/* ---- the command ---- */

int command_strategy(int argc, char **argv) {
    strategy_arguments a = {.player = BOTH_PLAYERS,
                            .choice = CHOOSE_FEWEST,
                            .look_ahead = DEFAULT_LOOK_AHEAD,
                            .width = DEFAULT_WIDTH};
    parse_arguments(argc, argv, &syntax, &a);
    bool is_named = a.names.count > 0;
    if (a.names.count > 1)
        fail_usage("one NAME at a time: '%.40s' is one too many", a.names.items[1]);
    if (is_named && is_strategy_source_file(a.source))
        fail_usage("a NAME goes with a SPEC, such as connect-7x6-k4-misere, not with a file");
    if (a.verify && !is_named) fail_usage("--verify needs the NAME of a strategy");
    if (a.verify && a.output) fail_usage("--verify and -o exclude each other: OUT is checked");
    if (!a.output && !is_named &&
        (is_strategy_source_file(a.source) || strncmp(a.source, "numeric", strlen("numeric")) == 0))
        fail_usage("an output is needed: -o OUT, such as -o numeric-4x4-second.plb");
    if (a.look_ahead % 2 == 0)
        fail_usage("--look-ahead %d: a player wins with a move of his own, so the number is odd",
                   a.look_ahead);
    if (!a.output) return end_output(show_named_strategies(&a));
    require_table_name(a.output, "strategy");
    return end_output(write_strategy_file(&a));
}
