/* SPDX-License-Identifier: MIT
 *
 * `plybase verify`: checks a table, or a strategy, and prints what was checked and found.
 */
#include <math.h>
#include <stdio.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "tables/format/meta.h"
#include "tables/threads.h"
#include "tools/answers/json_positions.h"
#include "tools/commands/commands.h"
#include "tools/commands/strategy_commands.h"
#include "tools/terminal/arguments.h"
#include "tools/terminal/console.h"
#include "tools/terminal/operands.h"
#include "tools/terminal/progress_line.h"
#include "tools/terminal/quantity.h"
#include "tools/verify/strategy_entries.h"
#include "tools/verify/verifier.h"

enum {
    WHOLE_ENTRIES = 1 << 22, /* a few seconds with two threads */
    DEFAULT_BLOCKS = 1 << 18,
    DEFAULT_SAMPLES = 64,
    DEFAULT_SEARCHES = 100,
    DEFAULT_NODES = 1000000,
    SEARCH_BYTES = 64 << 20,
    COUNT_SECONDS = 120,
};

typedef struct arguments {
    const char *file, *folder;
    bool all, json, quiet;
    given_count seed;
    verify_options options;
    char digest[DIGEST_TEXT]; /* of the bytes of the file */
} arguments;

static const argument_row rows[] = {
    OPERAND("FILE", arguments, file, NULL),
    FLAG('a', "all", arguments, all, "check every position and count every ply, not only samples"),
    COUNT('b', "blocks", "N", arguments, options.blocks, 1, 1ULL << 62,
          "blocks of a ply in which entries are checked, if not all are checked (262144)"),
    COUNT('s', "samples", "N", arguments, options.samples, 0, 1ULL << 32,
          "entries to check in each of those blocks (64)"),
    COUNT('S', "searches", "N", arguments, options.searches, 0, 1 << 24,
          "positions of a ply to be solved again by search (100)"),
    COUNT('n', "nodes", "N", arguments, options.search_nodes, 1, MAX_NODES,
          "stop a search after N positions (1000000)"),
    THREADS(arguments, options.threads),
    COUNT_IF_GIVEN('r', "seed", "N", arguments, seed, 0, INT64_MAX,
                   "draw the samples of the run that printed this seed"),
    FLAG('q', "quiet", arguments, quiet,
         "print only what is wrong; the exit status says whether anything is"),
    JSON(arguments, json),
    TABLES(arguments, folder),
    {0}};
static const command_syntax syntax = {
    .operands = "FILE",
    .purpose =
        "Verify a table: every block is as it was written, values and distances follow from those "
        "of the next moves, a forward search finds the same values for some positions, and the "
        "empty board has the published value, if there is one.",
    .details =
        "The smallest plies are checked whole, up to 4,194,304 index entries in all: every "
        "position is checked and the statistics are counted again. With --all every ply is checked "
        "whole, and always if the index has keys. In the other plies random blocks, and random "
        "entries of them, are checked. Nobody can predict the seed, unless --seed gives it; the "
        "report prints it, and how likely such a run is to find one wrong value, block or row of "
        "the statistics. The first error is printed with its position, and the exit status is 1. "
        "The report says how many searches stopped at --nodes; with distances, they may still have "
        "proved the value.\n\nIf a tool of LMDB has copied or edited the file, and all values are "
        "right, the report says that it was rewritten; the exit status is 1, because the file is "
        "not as it was made.\n\nA strategy is played against every move of the opponent, with "
        "independent rules. If it fails or has no move, the line of moves is printed, and so is a "
        "stored position that these games do not need. For a strategy only --threads and --json "
        "have an effect.",
    .rows = rows};

/* ---- progress ---- */

static const char *const phase_names[] = {"blocks", "counting", "positions", "values", "searches"};

static void show_progress(void *context, const verify_progress *p) {
    display *d = context;
    char time[32];
    if (display_is_due(d))
        show_line(d, "%-9s ply %2d  %5.1f %%", phase_names[p->phase], p->ply,
                  p->total ? 100.0 * (double)p->done / (double)p->total : 100);
    else if (p->ply_done && display_logs_step(d))
        show_line(d, "%-9s ply %2d  done after %s", phase_names[p->phase], p->ply,
                  format_seconds(seconds_now() - d->begun, time));
}

/* ---- for people ---- */

static verify_ply sum_plies(const verify_report *report, int *whole) {
    verify_ply sum = {0};
    *whole = 0;
    for (int ply = 0; ply < report->plies; ply++) {
        sum.blocks += report->ply[ply].blocks;
        sum.checked += report->ply[ply].checked;
        sum.proved += report->ply[ply].proved;
        sum.unproved += report->ply[ply].unproved;
        *whole += report->ply[ply].whole;
    }
    return sum;
}

static void print_row(const char *name, const verify_ply *p, const char *whole) {
    char text[4][32];
    printf("%5s %14s %18s %-5s %10s %10s\n", name, format_count(p->blocks, text[0]),
           format_count(p->checked, text[1]), whole, format_count(p->proved, text[2]),
           format_count(p->unproved, text[3]));
}

/* Print what was checked of each ply, if anything was. */
static void print_plies(const verify_report *report) {
    int whole;
    verify_ply sum = sum_plies(report, &whole);
    if (!sum.blocks && !sum.checked) return;
    printf("%5s %14s %18s %-5s %10s %10s\n", "ply", "blocks", "checked", "", "proved", "unproved");
    for (int ply = 0; ply < report->plies; ply++) {
        char name[16];
        snprintf(name, sizeof name, "%d", ply);
        print_row(name, &report->ply[ply], report->ply[ply].whole ? "all" : "");
    }
    print_row("all", &sum, "");
    putchar('\n');
}

/* A probability in percent, rounded down to two decimals. */
static double percent_of(double chance) {
    return floor(chance * 1e4) / 1e2;
}

static const char *describe_exact_counts(const verify_report *report) {
    if (report->exact_counts == PLB_COMPARED_ALL)
        return "all plies have as many positions, and terminal ones, as the board";
    if (report->exact_counts == PLB_COMPARED_OPEN)
        return "all plies have as many positions without a group as the board";
    return report->countable ? "not compared with the board, which would take minutes to count"
                             : "not compared with the board, which `plybase count` does not take";
}

static void print_good(const arguments *a, const verify_report *report) {
    char text[32], other[32];
    bool distances = report->values == PLB_DTM;
    int whole;
    verify_ply sum = sum_plies(report, &whole);
    printf("%s: good\n", report->spec);
    printf("  blocks     %s are as written\n", format_count(sum.blocks, text));
    printf("  values     %s positions follow from their children%s\n",
           format_count(sum.checked, text), distances ? ", with their distances" : "");
    printf("  counts     %d of %d plies counted again, as in the statistics\n", whole,
           report->plies);
    printf("             %s\n", describe_exact_counts(report));
    printf("  searches   %s values%s proved", format_count(sum.proved, text),
           distances ? " and distances" : "");
    printf(", %s ran out of %s nodes\n", format_count(sum.unproved, text),
           format_count(a->options.search_nodes, other));
    printf("  first player %s", plb_value_text(report->empty_board.value));
    printf(report->published_value ? ", as published: %s\n" : "\n", report->published_value);
    if (report->empty_board.dtm != PLB_NO_DTM)
        printf("  distance   %d plies\n", report->empty_board.dtm);
    if (report->published_total)
        printf("  positions  as many as published: %s\n", report->published_total);
    const verify_chances *c = &report->chances;
    if (c->value < 1 && c->value > 0)
        printf("  chance     of seeing one wrong value: 1 in %.0f at least\n", 1 / c->value);
    else
        printf("  chance     of seeing one wrong value: %.0f %%\n", 100 * c->value);
    printf("             one block with wins and losses exchanged: %g %%\n", percent_of(c->block));
    printf("             one wrong row of the statistics: %g %%\n", percent_of(c->row));
    printf("  seed       %llu\n", (unsigned long long)a->seed.count);
    printf("  contents   %s\n", report->contents);
    printf("  file       %s\n", a->digest);
}

static void print_finding(const arguments *a, const verify_report *report) {
    const verify_finding *f = &report->finding;
    const char *distance = report->values == PLB_DTM ? " --distance" : "";
    char text[32];
    printf("%s: %s (%s)\n  %s\n", *report->spec ? report->spec : a->file,
           f->kind == VERIFY_REWRITTEN ? "right" : "wrong", verify_kind_text(f->kind),
           f->message.text);
    printf("  seed       %llu\n", (unsigned long long)a->seed.count);
    if (!*f->position) return;
    if (f->kind != VERIFY_DAMAGE) {
        printf("  stored     %s\n", plb_format_outcome(f->stored.value, f->stored.dtm, text));
        printf("  expected   %s\n", plb_format_outcome(f->expected.value, f->expected.dtm, text));
    }
    printf("  see        plybase probe %s %s\n", a->file, f->position);
    printf("  and        plybase solve%s %s %s\n", distance, report->spec, f->position);
}

/* ---- for programs ---- */

static void put_finding(json_writer *to, const verify_finding *f) {
    if (f->kind == VERIFY_GOOD) {
        put_null(to, "finding");
        return;
    }
    bool values = *f->position && f->kind != VERIFY_DAMAGE;
    open_object(to, "finding");
    put_word(to, "kind", verify_kind_text(f->kind));
    put_text(to, "message", f->message.text);
    put_known(to, "ply", f->ply >= 0, f->ply);
    put_text(to, "position", *f->position ? f->position : NULL);
    put_text(to, "stored", values ? plb_value_text(f->stored.value) : NULL);
    put_dtm(to, "stored_dtm_plies", values ? f->stored.dtm : PLB_NO_DTM);
    put_text(to, "expected", values ? plb_value_text(f->expected.value) : NULL);
    put_dtm(to, "expected_dtm_plies", values ? f->expected.dtm : PLB_NO_DTM);
    close_object(to);
}

static void put_verified_plies(json_writer *to, const verify_report *report) {
    open_list(to, "plies");
    for (int ply = 0; ply < report->plies; ply++) {
        const verify_ply *p = &report->ply[ply];
        open_object(to, NULL);
        put_number(to, "ply", ply);
        put_number(to, "blocks", (int64_t)p->blocks);
        put_number(to, "stored_blocks", (int64_t)p->stored);
        put_number(to, "judged_blocks", (int64_t)p->judged);
        put_count(to, "checked", p->checked);
        put_flag(to, "whole", p->whole);
        put_count(to, "proved", p->proved);
        put_count(to, "unproved", p->unproved);
        close_object(to);
    }
    close_list(to);
}

static void print_json(const arguments *a, const verify_report *report, int error,
                       const plb_message *message) {
    bool good = error == PLB_OK;
    json_writer w = begin_json_object();
    put_word(&w, "spec", report->spec);
    put_text(&w, "values", report->plies ? plb_value_kind_text(report->values) : NULL);
    put_flag(&w, "good", good);
    put_flag(&w, "interrupted", error == PLB_EINTERRUPTED);
    put_text(&w, "message", good ? NULL : message->text);
    put_finding(&w, &report->finding);
    put_text(&w, "first_player", good ? plb_value_text(report->empty_board.value) : NULL);
    put_dtm(&w, "first_player_dtm_plies", good ? report->empty_board.dtm : PLB_NO_DTM);
    put_text(&w, "published_value", report->published_value);
    put_text(&w, "published_total", report->published_total);
    put_text(&w, "exact_counts",
             report->exact_counts == PLB_COMPARED_ALL    ? "all"
             : report->exact_counts == PLB_COMPARED_OPEN ? "open"
                                                         : NULL);
    put_count(&w, "search_nodes", a->options.search_nodes);
    put_count(&w, "seed", a->seed.count);
    put_verified_plies(&w, report);
    if (good) {
        const verify_chances *c = &report->chances;
        open_object(&w, "chances");
        put_real(&w, "value", c->value);
        put_real(&w, "block", c->block);
        put_real(&w, "statistics_row", c->row);
        close_object(&w);
    } else
        put_null(&w, "chances");
    put_text(&w, "contents_xxh128", *report->contents ? report->contents : NULL);
    put_text(&w, "file_xxh128", *a->digest ? a->digest : NULL);
    print_json_object(&w);
}

/* Print why the check ended, unless the finding is already printed. Returns the exit status. */
static int end_check(int error, bool has_found, const plb_message *message) {
    if (error == PLB_EINTERRUPTED) {
        print_error("interrupted; what was checked so far is right");
        return end_output(interrupted_status());
    }
    if (error && !has_found) print_error("%s", message->text);
    return end_output(error ? EXIT_FAILED : EXIT_GOOD);
}

/* ---- strategies ---- */

/* Callback of verify_strategy. In a log, print a line for each ply. */
static void show_checked_strategy(void *context, int ply, uint64_t done, uint64_t positions) {
    const display *d = context;
    char count[32];
    if (display_is_due(d))
        show_line(context, "ply %2d  %5.1f %%", ply, 100.0 * (double)done / (double)positions);
    else if (!d->terminal && done == 0)
        fprintf(stderr, "checking ply %2d  %18s positions\n", ply, format_count(positions, count));
}

int check_strategy(const plb_table *table, int threads, bool quiet, strategy_report *report,
                   plb_message *message) {
    display d = begin_display();
    const strategy_check_options o = {.threads = threads,
                                      .stop = catch_interrupts(),
                                      .report = quiet ? NULL : show_checked_strategy,
                                      .context = &d};
    int error = verify_strategy(table, &o, report, message);
    clear_display(&d);
    return error;
}

static void print_json_strategy(const strategy_report *r, int error, const plb_message *message,
                                double seconds) {
    json_writer w = begin_json_object();
    put_word(&w, "spec", r->spec);
    put_word(&w, "player", r->player);
    put_word(&w, "claim", r->claim);
    put_flag(&w, "good", r->holds);
    put_flag(&w, "interrupted", error == PLB_EINTERRUPTED);
    put_text(&w, "message", error ? message->text : NULL);
    put_text(&w, "line", error == PLB_ECORRUPT && !*r->position ? r->line : NULL);
    put_text(&w, "position", *r->position ? r->position : NULL);
    put_count(&w, "stored", r->stored);
    put_count(&w, "positions", r->positions);
    put_number(&w, "replies", (int64_t)r->replies);
    put_known(&w, "longest_plies", r->holds, r->longest);
    put_real(&w, "seconds", seconds);
    print_json_object(&w);
}

/* Check a strategy and print the result; error: why it could not be opened. */
static int verify_moves(const arguments *a, const plb_table *table, int error,
                        plb_message *message) {
    strategy_report report = {.positions = 0};
    double begun = seconds_now();
    if (!error) error = check_strategy(table, a->options.threads, a->quiet, &report, message);
    bool found = error == PLB_ECORRUPT && *report.fault.text;
    if (a->json) {
        print_json_strategy(&report, error, message, seconds_now() - begun);
    } else if (!error && !a->quiet) {
        char text[3][32];
        bool wins = report.claim[0] == 'w';
        printf("%s: good\n", report.spec);
        printf("  claim      the %s player %s\n", report.player,
               wins ? "wins" : "gets at least a draw");
        printf("  positions  %s with the %s player to move, up to symmetry; %s are stored\n",
               format_count(report.positions, text[0]), report.player,
               format_count(report.stored, text[1]));
        printf("  replies    %s of the opponent were tried\n",
               format_count(report.replies, text[2]));
        printf("  longest    %d plies\n", report.longest);
    } else if (found) {
        printf("%s: wrong\n  %s\n", report.spec, report.fault.text);
        if (*report.position) {
            printf("  see        plybase probe %s %s\n", a->file, report.position);
        } else {
            printf("  after      %s\n", *report.line ? report.line : "no moves");
            printf("  see        plybase probe %s --moves '%s'\n", a->file, report.line);
        }
    }
    return end_check(error, found, message);
}

/* ---- tables ---- */

/* Nobody can predict the seed, not even the author of the file: it is a hash of the file, the time
 * and random bytes of the system. Numbers in JSON are exact up to 2^53. */
static uint64_t make_seed(XXH128_hash_t file) {
    struct {
        XXH128_hash_t file;
        struct timespec now;
        uint64_t random[2];
    } source = {.file = file};
    clock_gettime(CLOCK_REALTIME, &source.now);
    if (getrandom(source.random, sizeof source.random, 0) < 0) source.random[0] = getpid();
    return XXH3_64bits(&source, sizeof source) >> 11;
}

/* Verify a table and print the result; error: why it could not be opened. */
static int verify_values_of(arguments *a, const plb_table *table, int error, plb_message *message) {
    verify_options o = a->options;
    verify_report report = {.plies = 0};
    XXH128_hash_t bytes = {0, 0};
    if (digest_file(a->file, &bytes, NULL) == PLB_OK) digest_format(bytes, a->digest);
    if (!a->seed.given) a->seed.count = make_seed(bytes);
    display d = begin_display();
    if (a->all) o.whole_entries = UINT64_MAX;
    o.seed = a->seed.count;
    o.stop = catch_interrupts();
    o.report = a->quiet ? NULL : show_progress;
    o.context = &d;
    if (error == PLB_ECORRUPT)
        report.finding = (verify_finding){.kind = VERIFY_DAMAGE, .message = *message, .ply = -1};
    if (!error) error = verify_table(table, &o, &report, message);
    clear_display(&d);
    if (a->json)
        print_json(a, &report, error, message);
    else if (error || !a->quiet) {
        print_plies(&report);
        if (!error) print_good(a, &report);
        if (error && report.finding.kind != VERIFY_GOOD) print_finding(a, &report);
    }
    if (error == PLB_ENOTFOUND) suggest_table(a->file, a->folder, message);
    return end_check(error, report.finding.kind != VERIFY_GOOD, message);
}

/* ---- the command ---- */

/* Is a file that cannot be opened a strategy? */
static bool is_strategy_file(const char *path) {
    plb_store *store = NULL;
    bool found = plb_store_open(path, &store, NULL) == PLB_OK && plb_meta_is_strategy(store);
    plb_store_close(store);
    return found;
}

int command_verify(int argc, char **argv) {
    arguments a = {.options = {.whole_entries = WHOLE_ENTRIES,
                               .count_seconds = COUNT_SECONDS,
                               .blocks = DEFAULT_BLOCKS,
                               .samples = DEFAULT_SAMPLES,
                               .searches = DEFAULT_SEARCHES,
                               .search_nodes = DEFAULT_NODES,
                               .search_bytes = SEARCH_BYTES,
                               .threads = plb_threads_available()}};
    plb_table *table = NULL;
    plb_message message;
    char found[TABLE_NAME];
    parse_arguments(argc, argv, &syntax, &a);
    a.file = find_table(a.file, a.folder, !a.quiet, found);
    a.options.threads = usable_threads(a.options.threads);
    int error = plb_open(a.file, &table, &message);
    bool is_strategy = error ? is_strategy_file(a.file) : plb_info(table)->player != NULL;
    int status = is_strategy ? verify_moves(&a, table, error, &message)
                             : verify_values_of(&a, table, error, &message);
    plb_close(table);
    return status;
}
