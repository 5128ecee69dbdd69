/* SPDX-License-Identifier: MIT
 *
 * `plybase export`: writes positions of a table with their values, for other programs.
 */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "probe/export_rows.h"
#include "tables/threads.h"
#include "tools/commands/commands.h"
#include "tools/terminal/arguments.h"
#include "tools/terminal/console.h"
#include "tools/terminal/operands.h"
#include "tools/terminal/output_file.h"
#include "tools/terminal/progress_line.h"
#include "tools/terminal/quantity.h"

typedef struct arguments {
    const char *file, *folder, *output;
    bool force;
    int threads;
    given_count seed;
    plb_export_options options; /* format NULL: by the ending of OUT */
} arguments;

static bool read_format(const char *text, void *to) {
    *(const char **)to = text;
    return plb_row_format_find(text);
}

/* The format for the ending of a path; NULL: none. */
static const char *format_of(const char *path) {
    size_t length = strlen(path);
    const char *dot = length > 4 ? path + length - 4 : "";
    if (strcmp(path, "-") == 0) return "csv";
    return strcmp(dot, ".csv") == 0 || strcmp(dot, ".npy") == 0 ? dot + 1 : NULL;
}

static const argument_row rows[] = {
    OPERAND("FILE", arguments, file, NULL),
    TEXT('o', "output", "OUT", arguments, output,
         "the file to write: OUT.csv, OUT.npy, or - for stdout; with --format any name"),
    PARSED('F', "format", "NAME", arguments, options.format, read_format, PLB_ROW_FORMATS,
           "format of the rows: " PLB_ROW_FORMATS
           " (default: by the end of the name OUT, csv for -)"),
    PARSED('p', "ply", "N", arguments, options, parse_plies, PLIES_NEEDED,
           "only positions with N stones, or of several plies, as in 2-4 (default: every ply)"),
    PARSED('w', "where", "WHICH", arguments, options, parse_where, WHERE_NEEDED,
           "only positions that are a win, draw or loss for the player to move; or quiet ones: the "
           "game is not over, and no single stone of either player completes a group"),
    FLAG('c', "canonical", arguments, options.canonical,
         "one position of each class of symmetric ones, not all"),
    COUNT('s', "sample", "N", arguments, options.samples, 1, 1ULL << 40,
          "N positions drawn at random, not all"),
    COUNT_IF_GIVEN('r', "seed", "N", arguments, seed, 0, UINT64_MAX,
                   "seed of the sample; another one gives another sample (1)"),
    THREADS(arguments, threads),
    FLAG('f', "force", arguments, force, "replace OUT"),
    TABLES(arguments, folder),
    {0}};
static const command_syntax syntax = {
    .operands = "FILE -o OUT",
    .purpose =
        "Write positions of a table with value, distance and best moves, as CSV or for numpy.",
    .details =
        "Every position that can arise is written, ply by ply. CSV has the columns "
        "position,ply,to_move,value,dtm,best_moves: the value is for the player to move, dtm is "
        "plies to the end of the game (empty for a draw, or if the table has no distances), moves "
        "are separated by blanks. A position with commas is in quotes. NPY is an array of records "
        "x, o, ply, value, dtm, best: bit column * height + row of x, o and best is a cell, value "
        "is 1, 0 or -1, dtm is -1 if there is none. In games of numbers x has 4 bits for each "
        "cell, o has the occupied cells, and best has the cells of the best moves without their "
        "numbers. uci (games of stones) has rows like the UCI Connect-4 data set: cells column by "
        "column, each from the bottom, and the value for x; only quiet positions, one of each "
        "symmetric class. pons (tables with gravity and distances) has the moves that lead to a "
        "position, and its score; finished games and the empty board are left out.\n\nIn a sample "
        "every row that would "
        "be written without --sample has exactly the same probability, and may be drawn more than "
        "once; a longer sample with the same seed begins with the shorter one. The same command "
        "gives the same bytes on any machine. For a large OUT the number of rows and the size are "
        "printed first; if the disk has no space for it, nothing is written. OUT appears when it "
        "is complete.",
    .rows = rows};

/* ---- threads make the bytes of tasks in parallel, and write them in order ---- */

typedef struct exporter {
    const plb_export_source *export;
    output_file *file;
    _Atomic uint64_t next;  /* the next task that no thread has taken */
    pthread_mutex_t lock;   /* guards all below */
    pthread_cond_t changed; /* `written` or `error` has changed */
    uint64_t written;       /* tasks that are written */
    _Atomic int error;      /* the first error; also read without the lock */
    plb_message *message;   /* of this error */
    display display;
    uint64_t rows, done; /* of all written tasks */
} exporter;

/* Write the rows of a task, and count its positions. */
static void end_task(exporter *x, const plb_text_rows *text, uint64_t done, int error,
                     const plb_message *why) {
    if (x->error) return;
    if (error)
        *x->message = *why;
    else
        error = output_file_add(x->file, text->text, text->size, x->message);
    x->error = error;
    x->rows += text->count;
    x->done += done;
    char rate[96], count[32];
    uint64_t samples = x->export->options.samples;
    double all_done = (double)x->done, all = (double)(samples ? samples : x->export->positions);
    if (!display_is_due(&x->display)) return;
    show_line(&x->display, "%18s rows  %5.1f %%  %s", format_count(x->rows, count),
              100 * all_done / fmax(all, 1),
              format_rate(&x->display, all_done, fmax(all - all_done, 0), "positions", rate));
}

/* Take tasks one by one; write each when all earlier ones are written. */
static void run_tasks(void *context, int thread) {
    exporter *x = context;
    plb_text_rows text = {.export = x->export};
    (void)thread;
    for (uint64_t task; (task = x->next++) < x->export->tasks && !x->error;) {
        plb_message why;
        uint64_t done = 0;
        text.size = text.count = 0;
        int error = plb_export_run(x->export, task, &(plb_export_taker){plb_text_rows_take, &text},
                                   &done, &why);
        pthread_mutex_lock(&x->lock);
        while (x->written < task && !x->error) pthread_cond_wait(&x->changed, &x->lock);
        end_task(x, &text, done, error, &why);
        x->written++;
        pthread_cond_broadcast(&x->changed);
        pthread_mutex_unlock(&x->lock);
    }
    free(text.text);
}

static int run_threads(exporter *x, int wanted, plb_message *message) {
    plb_threads threads;
    if (plb_threads_open(wanted, &threads) != PLB_OK)
        return plb_fail(message, PLB_ENOMEM, "out of memory for %d threads", wanted);
    plb_threads_run(&threads, run_tasks, x);
    plb_threads_close(&threads);
    return x->error;
}

/* ---- the expected size ---- */

typedef struct wanted_rows {
    plb_text_rows text; /* the rows that its source wants */
    uint64_t drawn;     /* rows that were drawn, wanted or not */
} wanted_rows;

static bool take_wanted(void *context, const plb_export_row *row) {
    wanted_rows *r = context;
    const plb_export_source *export = r->text.export;
    plb_position position;
    r->drawn++;
    export->game->rules->from_words(export->game, row->x, row->o, &position, NULL);
    return !plb_export_wants(export, position, row->value) || plb_text_rows_take(&r->text, row);
}

/* Estimate the size of the file from some rows, drawn at random; 0 if there are none. *rows is the
 * number of rows: exact, but an estimate with --canonical or --where. */
static double estimate_bytes(const plb_export_source *export, double *rows) {
    enum {
        SAMPLED_ROWS = 200,
        SAMPLED_WHERE = 1000
    }; /* with --where, the share is estimated too */
    plb_export_options options = export->options;
    plb_export_source sample;
    plb_message message;
    wanted_rows wanted = {.text.export = export};
    double whole = (double)export->positions;
    uint64_t done;
    if (options.canonical) whole /= plb_info(export->table)->symmetries;
    options.samples = options.stage || options.values ? SAMPLED_WHERE : SAMPLED_ROWS;
    options.format = NULL;
    options.stage = PLB_STAGE_ALL;
    options.values = 0;
    int error = plb_export_vary(export, &options, &sample, &message);
    if (!error)
        error =
            plb_export_run(&sample, 0, &(plb_export_taker){take_wanted, &wanted}, &done, &message);
    double taken = (double)wanted.text.count;
    *rows = (double)export->options.samples;
    if (!export->options.samples) *rows = whole * taken / fmax((double)wanted.drawn, 1);
    free(wanted.text.text);
    return error || !wanted.text.count ? 0 : *rows * (double)wanted.text.size / taken;
}

/* Print the expected size of a large file; refuse it if the disk has too little space. */
static int announce(const arguments *a, const plb_export_source *export, const output_file *file,
                    plb_message *message) {
    const double announced_bytes = 0x1p24; /* smaller files take no time */
    char size[32], room[32], count[32];
    double rows, bytes = estimate_bytes(export, &rows);
    double room_bytes = output_file_room(file);
    bool is_stdout = strcmp(a->output, "-") == 0;
    bool is_estimate = export->options.canonical || export->options.stage || export->options.values;
    if (room_bytes > 0 && bytes > room_bytes)
        return plb_fail(message, PLB_ENOSPACE,
                        "%s needs about %s for %s rows and %s are free: choose another disk, or "
                        "--ply or --sample",
                        is_stdout ? "the output" : a->output, format_bytes(bytes, size),
                        format_count((uint64_t)rows, count), format_bytes(room_bytes, room));
    if (bytes >= announced_bytes && !is_stdout)
        fprintf(stderr, "%s: %s%s rows, about %s\n", a->output,
                is_estimate && !export->options.samples ? "about " : "",
                format_count((uint64_t)rows, count), format_bytes(bytes, size));
    return PLB_OK;
}

/* ---- the command ---- */

/* rows: 0 if not known yet. */
static int write_header(const plb_export_source *export, uint64_t rows, output_file *file,
                        plb_message *message) {
    char header[PLB_EXPORT_HEADER];
    return output_file_add(file, header, export->format->write_header(rows, header), message);
}

static int write_file(const arguments *a, const plb_export_source *export, plb_message *message) {
    output_file file;
    char count[32], time[32];
    bool to_stdout = strcmp(a->output, "-") == 0;
    exporter x = {.export = export,
                  .file = &file,
                  .lock = PTHREAD_MUTEX_INITIALIZER,
                  .changed = PTHREAD_COND_INITIALIZER,
                  .message = message,
                  .display = begin_display()};
    int error = output_file_open(a->output, a->force, &file, message);
    if (!error) error = announce(a, export, &file, message);
    if (!error) error = write_header(export, 0, &file, message);
    if (!error) error = run_threads(&x, a->threads, message);
    if (!error) error = plb_export_check_done(export, x.done, message);
    if (!error && !to_stdout) error = output_file_rewind(&file, message);
    if (!error && !to_stdout) error = write_header(export, x.rows, &file, message);
    if (!error) error = output_file_finish(&file, message);
    output_file_close(&file);
    clear_display(&x.display);
    if (!error && !to_stdout)
        fprintf(stderr, "%s: %s %s, %s\n", a->output, format_count(x.rows, count),
                x.rows == 1 ? "row" : "rows",
                format_seconds(seconds_now() - x.display.begun, time));
    if (error == PLB_EINTERRUPTED)
        plb_fail(message, error, "interrupted; %s",
                 to_stdout ? "the output is not complete" : "nothing was written");
    return error;
}

int command_export(int argc, char **argv) {
    arguments a = {.seed = {.count = 1}, .threads = plb_threads_available()};
    plb_export_source export = {0};
    plb_message message;
    parse_arguments(argc, argv, &syntax, &a);
    a.threads = usable_threads(a.threads);
    if (!a.output)
        fail_usage("an output is needed: -o OUT.csv, -o OUT.npy, or -o - for CSV to stdout");
    if (!a.options.format) a.options.format = format_of(a.output);
    if (!a.options.format)
        fail_usage(
            "-o %s: the name must end in .csv or .npy, or be - for CSV to stdout; or "
            "--format " PLB_ROW_FORMATS " is needed",
            a.output);
    if (strcmp(a.output, "-") == 0 && strcmp(a.options.format, "npy") == 0)
        fail_usage("--format npy needs a file, whose first line is written last: -o OUT.npy");
    if (strcmp(a.options.format, "pons") == 0 && a.options.end_ply == 1)
        fail_usage("--format pons writes moves, and at ply 0 there are none");
    if (a.seed.given && !a.options.samples) fail_usage("--seed needs --sample");
    a.options.seed = a.seed.count;
    plb_table *table = open_whole_table(a.file, a.folder);
    if (!table) return EXIT_FAILED;
    const plb_table_info *info = plb_info(table);
    if (a.options.end_ply > info->cells + 1)
        fail_usage("--ply %d: %s has plies 0 to %d", a.options.end_ply - 1, info->spec,
                   info->cells);
    a.options.stop = catch_interrupts();
    int error = plb_export_init(table, &a.options, &export, &message);
    if (!error) error = write_file(&a, &export, &message);
    plb_close(table);
    return error ? report_error(error, &message) : EXIT_GOOD;
}
