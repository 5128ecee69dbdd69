/* SPDX-License-Identifier: MIT
 *
 * `plybase build`: solves a game, alone or as one of several ranks, and shows the progress.
 */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "tables/count/position_count.h"
#include "tables/store/store.h"
#include "tables/threads.h"
#include "tools/commands/build_options.h"
#include "tools/commands/commands.h"
#include "tools/commands/rank_launcher.h"
#include "tools/terminal/console.h"
#include "tools/terminal/operands.h"
#include "tools/terminal/progress_line.h"
#include "tools/terminal/quantity.h"

/* ---- progress ---- */

typedef struct build_progress {
    display display;
    int threads;
    double begun;       /* time of the first report of a ply */
    double count_begun; /* time of the first report of counting ahead, which is not in the total;
                           0: there was none */
    /* Forecast processor seconds, summed in the order of the build: all work before ply p of the
     * forward pass is forward[p]; all work until ply p of the backward pass is solved is
     * backward[p]. `skipped` is what an earlier run has done. */
    double forward[PLB_MAX_CELLS + 2], backward[PLB_MAX_CELLS + 2], total, skipped;
    bool has_begun;
    plb_compared compared; /* as in plb_progress */
} build_progress;

static const char *const phase_names[] = {"forward", "backward", "counting", "writing"};

/* ply_memory_bytes: from the budget of the build. */
static build_progress begin_build_progress(const planned_game *planned, int threads,
                                           double ply_memory_bytes) {
    build_progress b = {.display = begin_display(), .threads = threads};
    const plb_forecast *f = &planned->forecast;
    for (int ply = 0; ply <= planned->space.game.cells; ply++) {
        b.forward[ply] = b.total;
        b.total += plb_forecast_forward_seconds(f, ply, ply_memory_bytes);
    }
    b.forward[planned->space.game.cells + 1] = b.total;
    for (int ply = planned->space.game.cells; ply >= 0; ply--) {
        b.backward[ply + 1] = b.total;
        b.total += plb_forecast_backward_seconds(f, ply, ply_memory_bytes);
    }
    b.backward[0] = b.total;
    return b;
}

/* The forecast processor seconds of the work that is done. */
static double seconds_done(const build_progress *b, const plb_progress *p) {
    if (p->phase >= PLB_COUNT) return b->total;
    bool forward = p->phase == PLB_FORWARD;
    double begin = forward ? b->forward[p->ply] : b->backward[p->ply + 1];
    double end = forward ? b->forward[p->ply + 1] : b->backward[p->ply];
    return begin + p->ply_share * (end - begin);
}

/* The exchange between ranks; empty if there was none, as in plies that each rank makes itself. */
static char *describe_ranks(const plb_rank_work *work, char text[96]) {
    char size[32];
    *text = 0;
    if (work->received_bytes > 0)
        snprintf(text, 96, "%s received, %.0f %% of the time waited, imbalance %.0f %%",
                 format_bytes((double)work->received_bytes, size),
                 100 * work->waited_seconds / fmax(work->seconds, 1e-9),
                 100 * (work->max_busy_seconds / fmax(work->busy_seconds, 1e-9) - 1));
    return text;
}

/* Speed and time left; empty while too little is done: the first plies are small, and starting
 * threads and files dominates. The time left is the forecast times (time spent / forecast of what
 * is done). To damp that ratio early on, both of its terms also count `prior` seconds of work that
 * ran exactly as forecast. */
static char *describe_pace(const build_progress *b, const plb_progress *p, char text[96]) {
    const double min_seconds = 2, prior_share = 0.05;
    double spent = seconds_now() - b->begun, done = seconds_done(b, p);
    double prior = prior_share * b->total;
    *text = 0;
    if (spent < min_seconds || done - b->skipped <= 0.001 * b->total) return text;
    double wall_share = (spent + prior / b->threads) / (done - b->skipped + prior);
    return format_pace((p->work_done - p->work_skipped) / spent, "entries",
                       (b->total - done) * wall_share, text);
}

/* Callback of plb_build_options: show the progress, and first where the build resumes. */
static void show_build_progress(void *context, const plb_progress *progress) {
    build_progress *b = context;
    if (progress->phase == PLB_COUNT_AHEAD) {
        char left[32];
        if (b->count_begun == 0) b->count_begun = seconds_now();
        double spent = seconds_now() - b->count_begun;
        if (display_is_due(&b->display))
            show_line(
                &b->display, "counting         %5.1f %%  %s until the first ply",
                100 * progress->count_share,
                format_seconds(
                    spent * (1 - progress->count_share) / fmax(progress->count_share, 1e-3), left));
        return;
    }
    b->compared = progress->compared;
    if (!b->has_begun) {
        plb_progress begun = *progress;
        begun.ply_share = progress->ply_skipped;
        b->skipped = seconds_done(b, &begun);
        b->has_begun = true;
        b->begun = seconds_now();
        if (progress->work_skipped > 0) {
            if (progress->phase >= PLB_COUNT)
                fputs("resuming: every ply is solved, the table is to be written\n", stderr);
            else
                fprintf(stderr, "resuming the %s pass at ply %d; %.1f %% is done\n",
                        phase_names[progress->phase], progress->ply,
                        100 * b->skipped / fmax(b->total, 1e-9));
        }
    }
    if (display_is_due(&b->display)) {
        char pace[96];
        show_line(&b->display, "%-8s ply %2d  %5.1f %%  %s", phase_names[progress->phase],
                  progress->ply, 100 * seconds_done(b, progress) / fmax(b->total, 1e-9),
                  describe_pace(b, progress, pace));
    } else if (progress->ply_done && display_logs_step(&b->display)) {
        char count[32], rate[96], ranks[96];
        describe_pace(b, progress, rate);
        describe_ranks(&progress->ranks, ranks);
        show_line(&b->display, "%-8s ply %2d  %18s positions  %s%s%s", phase_names[progress->phase],
                  progress->ply, format_count(progress->positions, count), rate,
                  *rate && *ranks ? "; " : "", ranks);
    }
}

enum { MAX_SECONDS = 1 << 20 };

/* Positions are also counted independently if this takes at most this share of the processor time
 * of the build. That time is the one with unlimited memory, so that the bytes of the table do not
 * depend on the machine. */
static const double count_share = 0.02;

static const argument_row rows[] = {
    ALL_OF(build_rows),
    TEXT('o', "output", "FILE", build_options, output,
         "the table to write (default: SPEC.plb in this folder)"),
    FLAG('f', "force", build_options, force, "replace a table, or start an unfinished build anew"),
    COUNT('s', "save-every", "SECONDS", build_options, save_seconds, 0, MAX_SECONDS,
          "save after a ply, or after a part of a large ply (not with --shards), if the last save "
          "was at least SECONDS ago (default: 30); an interrupt always saves"),
    FLAG('S', "shards", build_options, shards,
         "write the values to files of their own, FILE.0 by the first process, FILE.1 and so on, "
         "and a small FILE that opens as a table does; with -f the old FILE does not open while "
         "its shards are replaced"),
    COUNT('p', "patience", "SECONDS", build_options, patience_seconds, 1, MAX_SECONDS,
          "with several processes: end all if one is silent for SECONDS (default: 600)"),
    FLAG('q', "quiet", build_options, quiet, "print only errors"),
    {0}};
static const command_syntax syntax = {
    .operands = "SPEC",
    .purpose = "Solve a game and write the table of all its positions.",
    .details =
        "SPEC names the game, such as connect-6x5-k4 or mnk-4x4-k4-misere; `plybase games` lists "
        "the forms. The table appears when it is complete; until then the work is kept in "
        "FILE.part. Ctrl-C, SIGTERM and SIGUSR1 save and stop. After any interruption the same "
        "command resumes the build, without --force, which begins anew.\n\nThe positions of "
        "Connect-k are also counted, as by `plybase count`, if the build needs this or it takes at "
        "most 2 % of its time. If the numbers of a ply differ, the build fails.\n\nIf a launcher "
        "of MPI starts it, as in `mpirun -n 4 plybase build SPEC -o FILE`, the processes build one "
        "table together. Rank 0 writes it; with --shards each process writes a part. The same "
        "command resumes with any number of processes (builder/CLUSTER.md).",
    .rows = rows};

/* Does the build fit on the disk? Without --force, an existing output is only checked: no disk.
 * With shards, ranks other than 0 need space for their share, perhaps on disks of their own. */
static int check_disk(const planned_game *planned, const char *output, const build_options *o,
                      const plb_ranks *ranks, plb_message *message) {
    char need[32], have[32];
    build_needs needs = find_build_needs(o, planned);
    bool keeps_share = o->shards && plb_ranks_number(ranks) > 0;
    if (keeps_share) needs.disk_needed *= largest_share / plb_ranks_count(ranks);
    if (needs.disk_has == 0 || needs.disk_needed <= needs.disk_has ||
        (!o->force && access(output, F_OK) == 0))
        return PLB_OK;
    return plb_fail(message, PLB_ETOOBIG,
                    "%s needs up to %s of disk while it is built and may use %s, with what its "
                    "build has made already: choose another disk with -o",
                    planned->spec, format_need(needs.disk_needed, need),
                    format_bytes(needs.disk_has, have));
}

/* Say whether the positions were counted independently, for games where this is possible. */
static void print_counts(const planned_game *planned, plb_compared compared) {
    plb_count_board board;
    int plies = planned->space.game.cells + 1;
    if (!plb_count_check_find_board(&planned->space.game, &board)) return;
    if (compared == PLB_COMPARED_ALL)
        fprintf(stderr, "positions counted independently: all %d plies agree\n", plies);
    else if (compared == PLB_COMPARED_OPEN)
        fprintf(stderr, "positions without a group counted independently: all %d plies agree\n",
                plies);
    else
        fputs(
            "positions not counted independently, which would take more than 2 % of the time of "
            "the build; `plybase verify` counts them\n",
            stderr);
}

/* After an error that leaves an unfinished build: say in the message how to resume it. The advice
 * leaves out --force, with which the build would start anew. */
static int advise(int error, const build_options *o, const plb_ranks *ranks, const char *output,
                  plb_message *message) {
    plb_message why = *message;
    const char *same = !o->force ? "the same command"
                       : access(output, F_OK) != 0
                           ? "the same command without --force"
                           : "once the old file is moved away, the same command without --force";
    if (error == PLB_ENOMEM && !ranks) /* with ranks, keep the message: it names the rank */
        return plb_fail(message, error,
                        "the memory does not suffice: %s, with fewer --threads or more "
                        "--memory, resumes it (%s" PLB_UNFINISHED_SUFFIX ")",
                        same, output);
    if (error == PLB_EINTERRUPTED)
        return plb_fail(message, error, "%s; %s resumes it%s (%s" PLB_UNFINISHED_SUFFIX ")",
                        why.text, same, ranks ? ", also with another number of ranks" : "", output);
    if (error == PLB_ENOSPACE)
        return plb_fail(message, error, "%s; %s resumes it when there is more free space", why.text,
                        same);
    return error;
}

/* Refuse more threads than processors: a launcher of MPI may bind each rank to one processor. */
static int check_processors(const build_options *o, const plb_ranks *ranks, plb_message *message) {
    int processors = plb_threads_available();
    if (!ranks || o->threads <= processors) return PLB_OK;
    return plb_fail(message, PLB_EARGUMENT,
                    "%d threads would share %d processor%s: start with --bind-to none (Open MPI), "
                    "with more --cpus-per-task (SLURM), or with fewer --threads",
                    o->threads, processors, processors == 1 ? "" : "s");
}

static int build_table(const build_options *o, plb_ranks *ranks, planned_game *planned,
                       plb_message *message) {
    char default_output[PLB_SPEC_TEXT + 8];
    snprintf(default_output, sizeof default_output, "%s.plb", planned->spec);
    const char *output = o->output ? o->output : default_output;
    plb_build_options build = {.output = output,
                               .save_seconds = (double)o->save_seconds,
                               .force = o->force,
                               .shards = o->shards,
                               .ranks = ranks,
                               .stop = catch_interrupts(),
                               .report = o->quiet ? NULL : show_build_progress};
    plb_built built;
    int error = check_processors(o, ranks, message);
    if (!error) error = budget_build(o, planned, &build, message);
    if (!error) error = check_disk(planned, output, o, ranks, message);
    error = plb_ranks_agree(ranks, error, message);
    if (error) return error;
    if (ranks && planned->space.index.kind == PLB_KEYS && !o->quiet)
        fprintf(stderr, "a table of keys is built by one rank; the other %d wait\n",
                plb_ranks_count(ranks) - 1);
    double ply_memory_bytes = (double)build.budget.ply_memory_bytes;
    build.count_seconds = count_share * plb_forecast_seconds(&planned->forecast, INFINITY);
    build_progress progress = begin_build_progress(planned, o->threads, ply_memory_bytes);
    build.context = &progress;
    error = plb_build(&planned->space, &build, &built, message);
    clear_display(&progress.display);
    if (!error && !o->quiet) {
        char count[32], size[32], time[32];
        char shards[32] = "";
        if (built.shards)
            snprintf(shards, sizeof shards, " in %d shard%s", built.shards,
                     built.shards == 1 ? "" : "s");
        fprintf(stderr, "%s: %s positions, %s%s, %.3f bits per position%s%s\n", output,
                format_count(built.positions, count), format_bytes((double)built.bytes, size),
                shards, 8 * (double)built.bytes / (double)built.positions,
                built.existed ? "; it was complete already" : ", ",
                built.existed ? "" : format_seconds(seconds_now() - progress.display.begun, time));
        char work[96];
        if (*describe_ranks(&built.ranks, work))
            fprintf(stderr, "%d ranks: %s\n", plb_ranks_count(ranks), work);
        if (!ends_as_table(output))
            fprintf(stderr,
                    "%s does not end in .plb: `plybase serve FOLDER` and open_tables, which "
                    "look for tables in folders, do not find it\n",
                    output);
    }
    if (!error && !built.existed && !o->quiet) print_counts(planned, progress.compared);
    return error ? advise(error, o, ranks, output, message) : PLB_OK;
}

int command_build(int argc, char **argv) {
    char plugins[RANK_PLUGINS_TEXT], details[2048];
    build_options o;
    planned_game planned = {0};
    plb_message message;
    plb_ranks *ranks;
    list_rank_plugins(plugins);
    snprintf(details, sizeof details, "%s\n\nPlugins for MPI that are installed: %s.",
             syntax.details, *plugins ? plugins : "none");
    command_syntax whole = syntax;
    whole.details = details;
    parse_build_options(argc, argv, &whole, &o);
    int error = launch_ranks((double)o.patience_seconds, &ranks, &message);
    if (!o.memory_given) o.memory_bytes /= ranks_on_machine();
    if (plb_ranks_number(ranks) > 0) o.quiet = true;
    catch_as_interrupt(SIGUSR1);
    if (!error) error = plan_game(&o, ranks, &planned, &message);
    if (!error) error = build_table(&o, ranks, &planned, &message);
    plb_space_close(&planned.space);
    bool speaks = ranks ? plb_ranks_reports(ranks) : speaks_for_ranks();
    int status = !error ? EXIT_GOOD : speaks ? report_error(error, &message) : error_status(error);
    plb_ranks_close(ranks, status);
    return status;
}
