/* SPDX-License-Identifier: MIT
 *
 * `plybase solve`: answers positions by forward search; a table is used only with --table.
 */
#include <stdio.h>
#include <string.h>

#include "probe/outcome.h"
#include "tables/games/notation.h"
#include "tools/answers/json_positions.h"
#include "tools/answers/position_answers.h"
#include "tools/commands/commands.h"
#include "tools/search/number_search.h"
#include "tools/search/position_search.h"
#include "tools/terminal/console.h"
#include "tools/terminal/operands.h"
#include "tools/terminal/progress_line.h"
#include "tools/terminal/quantity.h"

enum { DEFAULT_MEMORY = 256 << 20, NO_PLAYER = -1 };

static const char *const player_names[] = {"first", "second"};

typedef struct arguments {
    position_arguments of;
    int player; /* --question of a game of numbers: can this player force a win? or NO_PLAYER */
    int by;     /* at the latest in this round; 0: in any */
    bool depth_table;
    bool distance;
    const char *table; /* a file, or NULL */
    uint64_t nodes;    /* limit of a position; 0: none */
    double seconds;    /* limit of a position; 0: none */
    double memory_bytes;
    int threads;
} arguments;

static const argument_row rows[] = {
    INCLUDED(spec_position_rows, arguments, of),
    FLAG('d', "distance", arguments, distance, "also find the plies to the end of the game"),
    COUNT('n', "nodes", "N", arguments, nodes, 1, MAX_NODES,
          "give up a position after N searched positions (default: never)"),
    SECONDS('s', "seconds", arguments, seconds,
            "give up a position after this time (default: never)"),
    SIZE('M', "memory", arguments, memory_bytes,
         "memory for known positions, such as 512M or 8G (256M)"),
    TEXT('T', "table", "FILE", arguments, table,
         "use this table of the game instead of a search, in games of stones"),
    NUMBER('t', "threads", "N", arguments, threads, 1, MAX_THREADS,
           "threads that search a position together, in Connect-k in normal play (1)"),
    CHOICE('q', "question", "PLAYER", arguments, player, "first or second",
           "ask one question about a game of numbers: can the first, or the second player force a "
           "win?"),
    NUMBER('b', "by", "ROUND", arguments, by, 1, PLB_MAX_TILES,
           "with --question: by this round at the latest"),
    FLAG('D', "depth-table", arguments, depth_table,
         "with --question: print for every depth the positions that were visited, found in memory, "
         "and answered with yes"),
    {0}};
static const command_syntax syntax = {
    .operands = "SPEC [POSITION...|SPEC...]",
    .purpose =
        "Solve positions of a game by forward search, without a table: the value for the player to "
        "move.",
    .details =
        "SPEC names the game, such as connect-6x5-k4; `plybase games` lists the forms. Without a "
        "POSITION the empty board is solved. With several SPECs the empty board of each is solved, "
        "and one line is printed for each: game, value, plies with --distance, nodes and seconds. "
        "Positions near the end are quick; the empty board may take very long, even if its table "
        "is built in seconds. In games of stones the search has its own implementation of the "
        "rules, which is first compared with that of the tables, so it can check tables. The "
        "distance is that of a winner who plays as fast and a loser who plays as slowly as "
        "possible; proving it takes longer. With --table the search takes values of positions from "
        "that table, which must be right; a table with distances answers immediately.\n\nIn games "
        "of numbers, such as numeric-4x4, a position has numbers and dots with commas between "
        "them, as in 3,./.,2, and moves are written as in 3@a2. --question only finds whether one "
        "player can force a win, which is much quicker.\n\n" POSITION_HELP BATCH_HELP(
            "value TAB dtm TAB nodes",
            "dtm is plies to the end of the game, with --distance. With --question the "
            "columns are position TAB yes or no TAB nodes."),
    .rows = rows};

/* ---- the table of --table, from which the search takes values ---- */

typedef struct table_probe {
    plb_table *table; /* NULL: there is none */
    int failed;       /* a probe has failed, and the message is set */
    plb_message message;
} table_probe;

/* Callback of the search. If several threads fail, the first one sets the message. */
static int probe_table(void *context, plb_position position, plb_value *value, int *dtm) {
    table_probe *probe = context;
    plb_context reader;
    plb_outcome outcome;
    plb_message message;
    int error = plb_context_borrow(probe->table, &reader, &message);
    if (!error) {
        error = plb_outcome_find(&reader, position, &outcome, &message);
        plb_context_return(&reader);
    }
    if (error && !__atomic_exchange_n(&probe->failed, true, __ATOMIC_RELAXED))
        probe->message = message;
    if (error) return error;
    *value = outcome.value;
    *dtm = outcome.dtm;
    return PLB_OK;
}

/* Open the table of --table, if there is one. Returns the exit status. */
static int open_probe(const arguments *a, const position_search *search, table_probe *probe) {
    char spec[PLB_SPEC_TEXT];
    plb_game_format(search->game, spec);
    if (!a->table) return EXIT_GOOD;
    if (search->numbers)
        return print_error("--table is for games of stones; `plybase probe` asks tables of %s",
                           spec);
    probe->table = open_whole_table(a->table, NULL);
    if (!probe->table) return EXIT_FAILED;
    if (strcmp(plb_info(probe->table)->spec, spec) != 0)
        return print_error("--table %s: this is a table of %s; one of %s is needed", a->table,
                           plb_info(probe->table)->spec, spec);
    return EXIT_GOOD;
}

/* ---- one position ---- */

typedef struct question {
    const plb_game *game;
    const char *spec; /* if several games are solved; otherwise NULL */
    const arguments *arguments;
    position_search *search;
    table_probe probe;
    const volatile sig_atomic_t *stop;
    int stopped_by; /* the signal that ended the search; SIGALRM: the deadline; 0: none */
    plb_position position;
    forward_search_result result;
    double seconds;
    char board[PLB_BOARD_TEXT];
    number_result answer; /* with --question */
} question;

static int read_board(const question *q, const char *text, plb_position *position,
                      plb_message *message) {
    typedef int parser(const plb_game *, const char *, plb_position *, plb_message *);
    const position_arguments *of = &q->arguments->of;
    const plb_rules *rules = q->game->rules;
    parser *parse = of->moves ? plb_notation_play_moves : rules->parse_board;
    parser *parse_other = of->moves ? rules->parse_board : plb_notation_play_moves;
    plb_position other = {0, 0};
    *position = (plb_position){0, 0}; /* moves begin at the empty board */
    int error = parse(q->game, text, position, message);
    if (error && *text && parse_other(q->game, text, &other, NULL) == PLB_OK)
        suggest_notation(of, text, message);
    return error ? error : plb_rules_check(q->game, *position, message);
}

/* The proven bounds of a value, such as "at least a draw"; empty if nothing is proven. */
static const char *format_bounds(const forward_search_result *r) {
    if (r->lower == r->upper) return plb_value_text(r->lower);
    if (r->lower == PLB_DRAW) return "at least a draw";
    return r->upper == PLB_DRAW ? "at most a draw" : "";
}

static void show_search(void *context, const forward_search_result *so_far) {
    display *d = context;
    char effort[112];
    const char *bounds = format_bounds(so_far);
    if (display_is_due(d) && seconds_now() - d->begun > 0.2)
        show_line(d, "%s%s%s", format_effort(so_far->nodes, seconds_now() - d->begun, effort),
                  *bounds ? ", " : "", bounds);
}

static int find(void *context, const char *text, plb_list_known *known, plb_message *message) {
    question *q = context;
    const arguments *a = q->arguments;
    int error = read_board(q, text, &q->position, message);
    if (error) return error;
    display d = begin_display();
    set_deadline(a->seconds);
    const search_table table = {probe_table, &q->probe};
    const search_request request = {.position = q->position,
                                    .distance = a->distance,
                                    .node_budget = a->nodes,
                                    .stop = q->stop,
                                    .table = a->table ? &table : NULL,
                                    .report = show_search,
                                    .context = &d};
    q->probe.failed = false;
    error = position_search_solve(q->search, &request, &q->result);
    q->stopped_by = *q->stop;
    set_deadline(0);
    q->seconds = seconds_now() - d.begun;
    clear_display(&d);
    if (error && !q->probe.failed) return plb_fail(message, error, "%s", plb_error_text(error));
    if (error) *message = q->probe.message;
    if (error) return error;
    plb_rules_format_board(q->game, q->position, q->board);
    known->value = q->result.value;
    known->dtm = q->result.dtm;
    known->ply = plb_rules_ply(q->game, q->position);
    return PLB_OK;
}

/* Say why the search stopped, and what is known: `known`. */
static int report_stop(const question *q, const char *known, uint64_t searched) {
    char nodes[32], time[32];
    const char *what = q->spec ? q->spec : q->board;
    format_count(searched, nodes);
    if (q->stopped_by == SIGALRM)
        return print_error("%s: %s within %s; more --seconds may help", what, known,
                           format_seconds(q->arguments->seconds, time));
    if (q->stopped_by) return print_error("%s: %s, interrupted after %s nodes", what, known, nodes);
    return print_error("%s: %s within %s nodes; more --nodes may help", what, known, nodes);
}

static int report_unsolved(const question *q) {
    const forward_search_result *r = &q->result;
    char known[64] = "not solved";
    if (r->value_proved)
        snprintf(known, sizeof known, "%s, but its distance is not found",
                 plb_value_text(r->value));
    else if (*format_bounds(r))
        snprintf(known, sizeof known, "not solved (it is %s)", format_bounds(r));
    return report_stop(q, known, r->nodes);
}

static char mover_of(const question *q) {
    return plb_rules_x_to_move(q->game, q->position) ? 'x' : 'o';
}

static int print_text(void *context) {
    const question *q = context;
    char outcome[32], effort[112];
    if (!q->result.proved) return report_unsolved(q);
    char side = mover_of(q);
    if (plb_rules_is_over(q->game, q->position))
        printf("%s  the game is over: %s for %c\n", q->board, plb_value_text(q->result.value),
               side);
    else
        printf("%s  %c to move: %s  (%s)\n", q->board, side,
               plb_format_outcome(q->result.value, q->result.dtm, outcome),
               format_effort(q->result.nodes, q->seconds, effort));
    fflush(stdout);
    return EXIT_GOOD;
}

static int print_json(void *context) {
    const question *q = context;
    const forward_search_result *r = &q->result;
    json_writer w = begin_json_object();
    if (q->spec) put_word(&w, "spec", q->spec);
    put_word(&w, "position", q->board);
    put_player(&w, "to_move", mover_of(q));
    put_flag(&w, "proved", r->proved);
    put_text(&w, "value", r->value_proved ? plb_value_text(r->value) : NULL);
    put_number(&w, "nodes", (int64_t)r->nodes);
    put_real(&w, "seconds", q->seconds);
    put_real(&w, "nodes_per_second", q->seconds > 0 ? (double)r->nodes / q->seconds : 0);
    if (q->arguments->distance) put_dtm(&w, "dtm_plies", r->dtm);
    print_json_object(&w);
    fflush(stdout);
    return q->result.proved ? EXIT_GOOD : report_unsolved(q);
}

static int print_line(void *context, const char *text) {
    const question *q = context;
    const forward_search_result *r = &q->result;
    write_position_column(stdout, text);
    if (r->value_proved)
        write_value_columns(stdout, r->value, r->dtm);
    else
        fputs("-\t-\t", stdout);
    printf("%llu\n", (unsigned long long)r->nodes);
    return r->proved ? EXIT_GOOD : EXIT_FAILED;
}

/* ---- one question of --question ---- */

static void show_progress(void *context, const number_result *so_far) {
    display *d = context;
    char effort[112];
    if (display_is_due(d))
        show_line(d, "%s", format_effort(so_far->nodes, seconds_now() - d->begun, effort));
}

static int find_answer(void *context, const char *text, plb_list_known *known,
                       plb_message *message) {
    (void)known;
    question *q = context;
    const arguments *a = q->arguments;
    int error = read_board(q, text, &q->position, message);
    if (error) return error;
    plb_rules_format_board(q->game, q->position, q->board);
    display d = begin_display();
    number_question question = {.player = a->player,
                                .by = a->by,
                                .node_budget = a->nodes,
                                .stop = q->stop,
                                .report = show_progress,
                                .context = &d};
    set_deadline(a->seconds);
    number_search_ask(q->search->numbers, q->position, &question, &q->answer);
    q->seconds = seconds_now() - d.begun;
    clear_display(&d);
    q->stopped_by = *q->stop;
    set_deadline(0);
    return PLB_OK;
}

static int end_answer(const question *q) {
    fflush(stdout);
    return q->answer.answered ? EXIT_GOOD : report_stop(q, "no answer", q->answer.nodes);
}

static int print_answer_text(void *context) {
    const question *q = context;
    const arguments *a = q->arguments;
    char by[32] = "", effort[112], visited[32], known[32], yes[32];
    if (!q->answer.answered) return end_answer(q);
    if (a->by) snprintf(by, sizeof by, " by round %d", a->by);
    printf("%s  %c to move: the %s player %s force a win%s  (%s)\n", q->board, mover_of(q),
           player_names[a->player], q->answer.yes ? "can" : "cannot", by,
           format_effort(q->answer.nodes, q->seconds, effort));
    if (a->depth_table) printf("depth %20s %20s %20s\n", "visited", "found in memory", "yes");
    for (int ply = 0; a->depth_table && ply <= q->game->cells; ply++) {
        const number_depth *d = &q->answer.depths[ply];
        printf("%5d %20s %20s %20s\n", ply, format_count(d->visited, visited),
               format_count(d->known, known), format_count(d->yes, yes));
    }
    return end_answer(q);
}

static int print_answer_object(void *context) {
    const question *q = context;
    const arguments *a = q->arguments;
    const number_result *r = &q->answer;
    json_writer w = begin_json_object();
    put_word(&w, "position", q->board);
    put_player(&w, "to_move", mover_of(q));
    put_word(&w, "question", player_names[a->player]);
    put_known(&w, "by_ply", a->by, a->by);
    if (r->answered)
        put_flag(&w, "answer", r->yes);
    else
        put_null(&w, "answer");
    put_number(&w, "nodes", (int64_t)r->nodes);
    put_real(&w, "seconds", q->seconds);
    if (a->depth_table) open_list(&w, "depths");
    for (int ply = 0; a->depth_table && ply <= q->game->cells; ply++) {
        open_object(&w, NULL);
        put_number(&w, "depth", ply);
        put_number(&w, "visited", (int64_t)r->depths[ply].visited);
        put_number(&w, "known", (int64_t)r->depths[ply].known);
        put_number(&w, "yes", (int64_t)r->depths[ply].yes);
        close_object(&w);
    }
    if (a->depth_table) close_list(&w);
    print_json_object(&w);
    return end_answer(q);
}

static int print_answer_columns(void *context, const char *text) {
    const question *q = context;
    write_position_column(stdout, text);
    printf("%s\t%llu\n", q->answer.answered ? q->answer.yes ? "yes" : "no" : "-",
           (unsigned long long)q->answer.nodes);
    return q->answer.answered ? EXIT_GOOD : EXIT_FAILED;
}

/* ---- the command ---- */

static void check_question(const arguments *a, const position_search *search) {
    bool given = a->player != NO_PLAYER;
    if (!given && (a->by || a->depth_table))
        fail_usage("--by and --depth-table go with --question first or --question second");
    if (given && a->of.expect) fail_usage("--expect compares values, and --question asks for none");
    if (given && a->distance) fail_usage("--question has no distance: leave out one of the two");
    if (given && !search->numbers)
        fail_usage(
            "--question is for games of numbers, such as numeric-4x4; %s is not one: leave "
            "it out",
            a->of.source);
    if (a->by > search->game->cells)
        fail_usage("--by %d: %s has %d rounds", a->by, a->of.source, search->game->cells);
}

static int solve_positions(const plb_game *game, arguments *a, position_search *search) {
    question q = {.game = game, .arguments = a, .search = search, .stop = catch_interrupts()};
    position_answerer values = {find, print_text,  print_json,   print_line,
                                &q,   game->width, game->height, .stop = q.stop};
    position_answerer answers = {
        find_answer, print_answer_text, print_answer_object, print_answer_columns,
        &q,          game->width,       game->height,        .stop = q.stop};
    check_question(a, search);
    int status = open_probe(a, search, &q.probe);
    if (status == EXIT_GOOD)
        status = answer_positions(&a->of, a->player == NO_PLAYER ? &values : &answers);
    plb_close(q.probe.table);
    return status;
}

/* ---- several games ---- */

static int solve_game(arguments *a, const char *spec, const volatile sig_atomic_t *stop) {
    plb_game game;
    plb_message message;
    position_search search = {.game = NULL};
    question q = {.game = &game, .spec = spec, .arguments = a, .search = &search, .stop = stop};
    int status = EXIT_GOOD, error = plb_game_parse(spec, &game, &message);
    if (error) return report_error(error, &message);
    error = position_search_open(&game, (size_t)a->memory_bytes, a->threads, &search, &message);
    plb_list_known known;
    if (!error) error = find(&q, "", &known, &message);
    if (error)
        status = report_error(error, &message);
    else if (a->of.json)
        status = print_json(&q);
    else {
        const forward_search_result *r = &q.result;
        char plies[16] = "-", nodes[32];
        const char *bounds = format_bounds(r);
        if (r->value_proved && r->dtm != PLB_NO_DTM) snprintf(plies, sizeof plies, "%d", r->dtm);
        printf("%-31s %-15s %5s %16s %9.2f\n", spec, *bounds ? bounds : "-", plies,
               format_count(r->nodes, nodes), q.seconds);
        fflush(stdout);
    }
    if (!error && !a->of.json && !q.result.proved) status = report_unsolved(&q);
    position_search_close(&search);
    return status;
}

/* Solve the empty boards of a list of games: the operands SPEC and POSITION... are specs. */
static int solve_games(arguments *a) {
    int status = EXIT_GOOD, count = a->of.positions.count;
    plb_game game;
    if (a->of.moves || a->of.format || a->of.expect || a->table || a->player != NO_PLAYER)
        fail_usage(
            "with several SPECs only empty boards are solved: leave out --moves, --input, "
            "--expect, --table and --question");
    for (int s = -1; s < count; s++) {
        const char *spec = s < 0 ? a->of.source : a->of.positions.items[s];
        status = read_game(spec, &game);
        if (status) return status;
    }
    const volatile sig_atomic_t *stop = catch_interrupts();
    a->of.moves = true;
    if (!a->of.json)
        printf("%-31s %-15s %5s %16s %9s\n", "game", "value", "plies", "nodes", "seconds");
    for (int s = -1; s < count && (!*stop || *stop == SIGALRM); s++) {
        int one = solve_game(a, s < 0 ? a->of.source : a->of.positions.items[s], stop);
        if (one > status) status = one;
    }
    return *stop && *stop != SIGALRM ? interrupted_status() : status;
}

int command_solve(int argc, char **argv) {
    arguments a = {.memory_bytes = DEFAULT_MEMORY, .threads = 1, .player = NO_PLAYER};
    plb_game game;
    plb_message message;
    position_search search;
    parse_arguments(argc, argv, &syntax, &a);
    if (a.of.positions.count && plb_game_parse(a.of.positions.items[0], &game, NULL) == PLB_OK)
        return end_output(solve_games(&a));
    default_to_empty_board(&a.of);
    int status = read_game(a.of.source, &game);
    if (status) return status;
    int error = position_search_open(&game, (size_t)a.memory_bytes, a.threads, &search, &message);
    status = error == PLB_ENOMEM
                 ? print_error("out of memory for the search: less --memory may help")
             : error ? report_error(error, &message)
                     : solve_positions(&game, &a, &search);
    position_search_close(&search);
    return end_output(status);
}
