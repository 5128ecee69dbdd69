/* SPDX-License-Identifier: MIT
 *
 * Progress of a build: how far it is and what is left by the forecast, how fast it is by the clock;
 * in the beginning, when little is done, the forecast is believed about that, too.
 */
#ifndef PLB_TOOLS_COMMANDS_BUILD_PROGRESS_H
#define PLB_TOOLS_COMMANDS_BUILD_PROGRESS_H

#include "tools/commands/build_options.h"
#include "tools/terminal/progress_line.h"

typedef struct build_progress {
    display display;
    int threads;
    double begun; /* seconds_now of the first report of a ply; counting ahead is shown apart, and
                     not in the total: */
    double count_begun; /* of the first report of that; 0: there was none */
    /* Processor seconds by the forecast that are over before a ply in the forward pass and after it
     * in the backward pass, that is before the ply below; in all; and of what an earlier run has
     * done. */
    double forward[PLB_MAX_CELLS + 2], backward[PLB_MAX_CELLS + 2], total, skipped;
    bool has_begun;
    plb_compared compared; /* as in plb_progress */
} build_progress;

/* ply_memory_bytes: of the build's budget. */
build_progress begin_build_progress(const planned_game *planned, int threads,
                                    double ply_memory_bytes);

/* Show the progress of a build, and first where it resumes: the report of its plb_build_options,
 * whose context is a build_progress. */
void show_build_progress(void *context, const plb_progress *progress);

#endif
