/* SPDX-License-Identifier: MIT
 *
 * Questions of games of numbers, and their answers.
 */
#include "tools/commands/solve_question.h"

#include <stdio.h>
#include <string.h>

#include "tools/answers/json_reports.h"
#include "tools/terminal/interrupts.h"
#include "tools/terminal/progress_line.h"
#include "tools/terminal/quantity.h"

static const char *const names[] = {"first", "second"}; /* of players */

static bool read_player(const char *text, void *to) {
    for (int player = 0; player < 2; player++) {
        if (strcmp(text, names[player]) != 0) continue;
        *(int *)to = player;
        return true;
    }
    return false;
}

const argument_row question_rows[] = {
    WORD('q', "question", "PLAYER", question_options, player, read_player, "first or second",
         "ask one question of a game of numbers: can the first, or the second player force a win?"),
    NUMBER('b', "by", "ROUND", question_options, by, 1, PLB_MOST_TILES,
           "with --question: with the number of this round at the latest"),
    FLAG('D', "depth-table", question_options, depth_table,
         "with --question: print for every depth the positions that were visited, found in memory, "
         "and answered with yes"),
    {0}};

/* ---- the search ---- */

static void show_progress(void *context, const number_result *so_far) {
    display *d = context;
    char effort[112];
    if (display_is_due(d))
        show_line(d, "%s", format_effort(so_far->nodes, seconds_now() - d->begun, effort));
}

void ask_question(asked_question *q) {
    display d = begin_display();
    number_question question = {.player = q->options->player,
                                .by = q->options->by,
                                .node_budget = q->node_budget,
                                .stop = q->stop,
                                .report = show_progress,
                                .context = &d};
    number_search_ask(q->search, q->position, &question, &q->result);
    q->seconds = seconds_now() - d.begun;
    clear_display(&d);
}

/* ---- answers ---- */

static void print_depths(const asked_question *q) {
    char visited[32], known[32], yes[32];
    printf("depth %20s %20s %20s\n", "visited", "found in memory", "yes");
    for (int ply = 0; ply <= q->game->cells; ply++) {
        const number_depth *d = &q->result.depths[ply];
        printf("%5d %20s %20s %20s\n", ply, format_count(d->visited, visited),
               format_count(d->known, known), format_count(d->yes, yes));
    }
}

void print_answer(const asked_question *q) {
    char by[32] = "";
    char effort[112];
    if (q->options->by) snprintf(by, sizeof by, " by round %d", q->options->by);
    printf("%s  %c to move: the %s player %s force a win%s  (%s)\n", q->board,
           plb_rules_x_to_move(q->game, q->position) ? 'x' : 'o', names[q->options->player],
           q->result.yes ? "can" : "cannot", by,
           format_effort(q->result.nodes, q->seconds, effort));
    if (q->options->depth_table) print_depths(q);
    fflush(stdout);
}

void print_answer_json(const asked_question *q) {
    print_json_question(
        &(answered_question){.board = q->board,
                             .to_move = plb_rules_x_to_move(q->game, q->position) ? 'x' : 'o',
                             .question = names[q->options->player],
                             .by = q->options->by,
                             .depths = q->options->depth_table ? q->game->cells + 1 : 0,
                             .result = &q->result,
                             .seconds = q->seconds});
    fflush(stdout);
}

void print_answer_line(const asked_question *q, const char *text) {
    printf("%s\t%s\t%llu\n", text, q->result.answered ? q->result.yes ? "yes" : "no" : "-",
           (unsigned long long)q->result.nodes);
}
