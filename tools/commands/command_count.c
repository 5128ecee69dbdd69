/* SPDX-License-Identifier: MIT
 *
 * `plybase count`: counts the positions of boards without visiting them.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builder/memory_budget.h"
#include "tables/games/game_spec.h"
#include "tables/stop.h"
#include "tables/threads.h"
#include "tools/answers/json_writer.h"
#include "tools/answers/table_answers.h"
#include "tools/commands/commands.h"
#include "tools/terminal/arguments.h"
#include "tools/terminal/console.h"
#include "tools/terminal/machine_memory.h"
#include "tools/terminal/operands.h"
#include "tools/terminal/progress_line.h"
#include "tools/terminal/quantity.h"
#include "tools/verify/published.h"

typedef struct arguments {
    operand_list specs;
    bool totals, published, csv, json;
    int threads;
    double memory_bytes, seconds; /* limits; 0: none */
} arguments;

static const argument_row rows[] = {
    OPERANDS("SPEC", arguments, specs, 0),
    FLAG('t', "totals", arguments, totals, "print one line per board: the sums of all plies"),
    FLAG('p', "published", arguments, published,
         "count all boards of Connect-4 whose number of positions is published, and print one line "
         "per board, the fastest first; the last two take from a quarter of an hour to hours"),
    SIZE('m', "memory", arguments, memory_bytes,
         "memory that counting may use, such as 512M or 8G (default: three quarters of what is "
         "free)"),
    FLAG('c', "csv", arguments, csv, "print CSV: ply,total,terminal"),
    JSON(arguments, json),
    NUMBER('T', "threads", "N", arguments, threads, 1, MAX_THREADS,
           "number of threads (default: one per processor)"),
    SECONDS('s', "seconds", arguments, seconds, "stop after this time (default: never)"),
    {0}};
static const command_syntax syntax = {
    .operands = "[SPEC...]",
    .purpose =
        "Count the positions of boards of Connect-k that can arise, exactly, for every ply, "
        "without visiting them or building a table.",
    .details =
        "SPEC is connect-WxH-kK, such as connect-7x6-k4, or connect-WxH-kK-cylinder; misere games "
        "have the same positions. A board may have more cells than a table's: up to 64 columns and "
        "30 rows, if its columns can be filled in fewer than 2^126 ways. Each row takes five to "
        "ten times as much time and memory; columns beyond 2 K take little. A cylinder takes "
        "longer.\n\nTotal counts all positions of a ply, terminal those with a complete group. "
        "With --totals or several boards each board has one line, with the processor time and a "
        "comparison with the published number: the same, rounded (the published number is the "
        "count rounded to a double), DIFFERS, or - if none is published. If the memory is not "
        "sufficient for a board, a message says so, and the other boards are counted. Then, and if "
        "a count differs, the exit status is 1. CSV of such lines has the columns "
        "spec,total,terminal,published,seconds. In JSON counts are strings of digits.",
    .rows = rows};

/* The result of a board. */
typedef struct counted_board {
    const char *spec;
    const plb_position_counts *counts;
    uint64_t published; /* published total; 0: none */
    double seconds;     /* processor time */
} counted_board;

typedef struct counting {
    const arguments *arguments;
    bool totals; /* one line per board, not one per ply */
    const volatile sig_atomic_t *stop;
    bool aborted; /* interrupted: no further board is counted */
    int left;     /* boards after the current one */
    bool differs; /* a count is not the published one */
    int status;   /* the highest exit status of a board */
} counting;

/* ---- boards ---- */

/* Parse a spec of Connect-k; unlike a game, the board may have more than PLB_MAX_CELLS cells. */
static bool read_board(const char *text, plb_count_board *board) {
    plb_game game;
    if (plb_spec_read(text, &game, NULL) != PLB_OK || strcmp(game.family->name, "connect") != 0)
        return false;
    *board = (plb_count_board){game.width, game.height, game.k, game.cylinder};
    return true;
}

/* ---- output ---- */

static void print_plies(const plb_position_counts *counts) {
    static const char *const headings[] = {"total", "terminal"};
    const plb_big_count all[] = {counts->all.total, counts->all.terminal};
    count_columns columns = print_count_headings(headings, all, 2);
    for (int ply = 0; ply < counts->plies; ply++)
        print_count_row(&columns, ply,
                        (plb_big_count[]){counts->ply[ply].total, counts->ply[ply].terminal});
    print_count_row(&columns, -1, all);
}

static void print_csv(const plb_position_counts *counts) {
    char text[2][PLB_COUNT_TEXT];
    puts("ply,total,terminal");
    for (int ply = 0; ply < counts->plies; ply++)
        printf("%d,%s,%s\n", ply, plb_format_big_count(counts->ply[ply].total, 0, text[0]),
               plb_format_big_count(counts->ply[ply].terminal, 0, text[1]));
}

static bool is_rounded(const counted_board *b) {
    return (double)b->counts->all.total == (double)b->published;
}

static void print_totals(const counted_board *b, bool csv) {
    enum { WITH_COMMAS = 22 }; /* characters; longer counts get no commas, to fit a line of 80 */
    char text[2][PLB_COUNT_TEXT], published[32] = "";
    plb_format_big_count(b->counts->all.total, ',', text[0]);
    char comma = csv || strlen(text[0]) > WITH_COMMAS ? 0 : ',';
    const char *total = plb_format_big_count(b->counts->all.total, comma, text[0]);
    const char *terminal = plb_format_big_count(b->counts->all.terminal, comma, text[1]);
    const char *remark = !b->published                          ? "-"
                         : b->counts->all.total == b->published ? "the same"
                         : is_rounded(b)                        ? "rounded"
                                                                : "DIFFERS";
    if (b->published)
        snprintf(published, sizeof published, "%llu", (unsigned long long)b->published);
    if (csv)
        printf("%s,%s,%s,%s,%.2f\n", b->spec, total, terminal, published, b->seconds);
    else
        printf("%-18s %22s %21s %7.2f %s\n", b->spec, total, terminal, b->seconds, remark);
}

/* plies: also the counts of each ply. */
static void print_json(const counted_board *board, bool plies) {
    const plb_position_counts *counts = board->counts;
    json_writer w = begin_json_object();
    put_word(&w, "spec", board->spec);
    put_count(&w, "total", counts->all.total);
    put_count(&w, "terminal", counts->all.terminal);
    if (board->published)
        put_count(&w, "published", board->published);
    else
        put_null(&w, "published");
    put_real(&w, "seconds", board->seconds);
    if (plies) open_list(&w, "plies");
    for (int ply = 0; plies && ply < counts->plies; ply++) {
        open_object(&w, NULL);
        put_number(&w, "ply", ply);
        put_count(&w, "total", counts->ply[ply].total);
        put_count(&w, "terminal", counts->ply[ply].terminal);
        close_object(&w);
    }
    if (plies) close_list(&w);
    print_json_object(&w);
}

static void print_heading(const counting *c) {
    if (!c->totals || c->arguments->json) return;
    if (c->arguments->csv)
        puts("spec,total,terminal,published,seconds");
    else
        printf("%-18s %22s %21s %7s %s\n", "board", "total", "terminal", "seconds", "paper");
}

/* ---- counting ---- */

typedef struct board_progress {
    const char *spec;
    display display;
    double begun, first; /* time of the first report, and its share; first < 0: none yet */
} board_progress;

static void show_share(void *context, double share) {
    board_progress *p = context;
    if (p->first < 0) p->first = share, p->begun = seconds_now();
    if (!display_is_due(&p->display)) return;
    double spent = seconds_now() - p->begun, more = share - p->first;
    char left[32];
    if (spent < 2 || more < 0.001)
        show_line(&p->display, "%s  %.1f %%", p->spec, 100 * share);
    else
        show_line(&p->display, "%s  %.1f %%, %s left", p->spec, 100 * share,
                  format_seconds(spent * (1 - share) / more, left));
}

/* Say why a board is not counted. */
static int refuse_board(counting *c, const char *spec, int error, const plb_message *message) {
    char memory[32];
    plb_message named;
    c->aborted = error == PLB_EINTERRUPTED;
    if (error == PLB_EINTERRUPTED && *c->stop == SIGALRM) {
        char rest[32] = "";
        if (c->left) snprintf(rest, sizeof rest, ", nor %d after it", c->left);
        return print_error("%s is not counted within %g s%s; more --seconds may help", spec,
                           c->arguments->seconds, rest);
    }
    if (error == PLB_ENOMEM)
        return print_error("%s is not counted within %s of memory; more --memory may help", spec,
                           format_bytes(c->arguments->memory_bytes, memory));
    return report_error(plb_fail(&named, error, "'%s': %s", spec, message->text), &named);
}

static int count_one(counting *c, const char *spec, const plb_count_board *board) {
    plb_position_counts counts = {0};
    plb_message message;
    board_progress progress = {.spec = spec, .display = begin_display(), .first = -1};
    const plb_count_work work = {.threads = c->arguments->threads,
                                 .stop = c->stop,
                                 .advance = show_share,
                                 .context = &progress};
    double begun = plb_clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
    int error;
    if (*c->stop) { /* after the previous board */
        error = plb_fail(&message, PLB_EINTERRUPTED, "%s", plb_error_text(PLB_EINTERRUPTED));
    } else {
        if (display_is_due(&progress.display)) show_line(&progress.display, "%s", spec);
        error = plb_position_count(board, &work, &counts, &message);
        clear_display(&progress.display);
    }
    if (error) return refuse_board(c, spec, error, &message);
    counted_board counted = {spec, &counts, 0, plb_clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - begun};
    if (board->k == 4 && !board->cylinder)
        counted.published = published_count(board->width, board->height);
    if (counted.published && counts.all.total != counted.published && !is_rounded(&counted))
        c->differs = true;
    if (c->arguments->json)
        print_json(&counted, !c->totals);
    else if (c->totals)
        print_totals(&counted, c->arguments->csv);
    else
        (c->arguments->csv ? print_csv : print_plies)(&counts);
    fflush(stdout);
    plb_position_counts_free(&counts);
    return EXIT_GOOD;
}

/* Count the next board, also if an earlier one failed, but not after an interrupt. */
static void count_next(counting *c, const char *spec, const plb_count_board *board) {
    int status = c->aborted ? EXIT_GOOD : count_one(c, spec, board);
    if (status > c->status) c->status = status;
}

static void count_specs(counting *c, const operand_list *specs) {
    plb_count_board board;
    for (int s = 0; s < specs->count; s++)
        if (!read_board(specs->items[s], &board)) {
            plb_game game;
            plb_message message;
            int error = plb_game_parse(specs->items[s], &game, &message);
            explain_spec(specs->items[s], error, &message);
            c->status = error ? report_error(error, &message) : EXIT_USAGE;
            if (error) return;
            print_error("%s is not counted: counts are of boards connect-WxH-kK[-cylinder]",
                        specs->items[s]);
            return;
        }
    print_heading(c);
    for (int s = 0; s < specs->count; s++) {
        read_board(specs->items[s], &board);
        c->left = specs->count - s - 1;
        count_next(c, specs->items[s], &board);
    }
}

typedef struct published_board {
    plb_count_board board;
    double seconds; /* estimated time of counting */
} published_board;

static int compare_seconds(const void *a, const void *b) {
    const published_board *left = a, *right = b;
    return (left->seconds > right->seconds) - (left->seconds < right->seconds);
}

/* The fastest boards come first. */
static void count_published(counting *c) {
    published_board boards[PUBLISHED_MAX * PUBLISHED_MAX] = {0};
    int count = 0;
    for (int height = 1; height <= PUBLISHED_MAX; height++)
        for (int width = 1; width <= PUBLISHED_MAX; width++) {
            plb_count_board board = {width, height, 4, false};
            if (published_count(width, height))
                boards[count++] = (published_board){board, plb_position_count_seconds(&board)};
        }
    qsort(boards, count, sizeof *boards, compare_seconds);
    print_heading(c);
    for (int i = 0; i < count; i++) {
        char spec[PLB_SPEC_TEXT];
        snprintf(spec, sizeof spec, "connect-%dx%d-k4", boards[i].board.width,
                 boards[i].board.height);
        c->left = count - i - 1;
        count_next(c, spec, &boards[i].board);
    }
}

int command_count(int argc, char **argv) {
    arguments a = {.threads = plb_threads_available(),
                   .memory_bytes = 0.75 * machine_memory_bytes(MEMORY_FREE, "")};
    parse_arguments(argc, argv, &syntax, &a);
    if (a.published == (a.specs.count > 0))
        fail_usage("either SPECs, such as connect-7x6-k4, or --published");
    if (a.csv && a.json) fail_usage("--csv or --json, not both");
    counting c = {.arguments = &a,
                  .totals = a.totals || a.published || a.specs.count > 1,
                  .stop = catch_interrupts()};
    set_deadline(a.seconds);
    if (a.memory_bytes > 0)
        plb_budget_bound_process(a.memory_bytes, (a.threads - 1.0) * PLB_STACK_BYTES);
    mallopt(M_ARENA_MAX, 1); /* memory that one thread frees can be used by all */
    if (a.published)
        count_published(&c);
    else
        count_specs(&c, &a.specs);
    if (!c.status && c.differs) c.status = print_error("a count differs from the published one");
    return end_output(c.status);
}
