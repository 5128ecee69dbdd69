/* SPDX-License-Identifier: MIT */
#include "tools/commands/build_progress.h"

#include <math.h>
#include <stdio.h>

#include "tools/terminal/interrupts.h"
#include "tools/terminal/quantity.h"

static const char *const phase_names[] = {"forward", "backward", "counting", "writing"};

build_progress begin_build_progress(const planned_game *planned, int threads,
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

/* What the forecast gave for all that is done by now. */
static double seconds_done(const build_progress *b, const plb_progress *p) {
    if (p->phase >= PLB_COUNT) return b->total;
    bool forward = p->phase == PLB_FORWARD;
    double begin = forward ? b->forward[p->ply] : b->backward[p->ply + 1];
    double end = forward ? b->forward[p->ply + 1] : b->backward[p->ply];
    return begin + p->ply_share * (end - begin);
}

/* Speed and time left; empty while too little is done to tell a speed: the first plies are small
 * and take the time that threads and files take. How many times as long as forecast the rest takes
 * is seen from what is done, as if a part of the build had been done before just as forecast. */
static char *describe_pace(const build_progress *b, const plb_progress *p, char text[96]) {
    const double least_seconds = 2, believed_share = 0.05;
    double spent = seconds_now() - b->begun, done = seconds_done(b, p);
    double believed = believed_share * b->total;
    *text = 0;
    if (spent < least_seconds || done - b->skipped <= 0.001 * b->total) return text;
    double wall_share = (spent + believed / b->threads) / (done - b->skipped + believed);
    return format_pace((p->work_done - p->work_skipped) / spent, "entries",
                       (b->total - done) * wall_share, text);
}

static void show_live(build_progress *b, const plb_progress *p) {
    char pace[96];
    show_line(&b->display, "%-8s ply %2d  %5.1f %%  %s", phase_names[p->phase], p->ply,
              100 * seconds_done(b, p) / fmax(b->total, 1e-9), describe_pace(b, p, pace));
}

static void show_ply(const build_progress *b, const plb_progress *p) {
    char count[32], pace[96];
    fprintf(stderr, "%-8s ply %2d  %18s positions  %s\n", phase_names[p->phase], p->ply,
            format_count(p->positions, count), describe_pace(b, p, pace));
}

/* Where a build resumes that an earlier run began, from its first report. */
static void show_resumption(const build_progress *b, const plb_progress *p) {
    if (p->work_skipped == 0) return;
    if (p->phase >= PLB_COUNT)
        fputs("resuming: every ply is solved, the table is to be written\n", stderr);
    else
        fprintf(stderr, "resuming the %s pass at ply %d; %.1f %% is done\n", phase_names[p->phase],
                p->ply, 100 * b->skipped / fmax(b->total, 1e-9));
}

/* Positions are counted before all else. */
static void show_count(build_progress *b, double share) {
    char left[32];
    if (b->count_begun == 0) b->count_begun = seconds_now();
    double spent = seconds_now() - b->count_begun;
    if (display_is_due(&b->display))
        show_line(&b->display, "counting         %5.1f %%  %s until the first ply", 100 * share,
                  format_seconds(spent * (1 - share) / fmax(share, 1e-3), left));
}

void show_build_progress(void *context, const plb_progress *progress) {
    build_progress *b = context;
    if (progress->phase == PLB_COUNT_AHEAD) {
        show_count(b, progress->count_share);
        return;
    }
    b->compared = progress->compared;
    if (!b->has_begun) {
        plb_progress begun = *progress;
        begun.ply_share = progress->ply_skipped;
        b->skipped = seconds_done(b, &begun);
        b->has_begun = true;
        b->begun = seconds_now();
        show_resumption(b, progress);
    }
    if (display_is_due(&b->display))
        show_live(b, progress);
    else if (!b->display.terminal && progress->ply_done)
        show_ply(b, progress);
}
