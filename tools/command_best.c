/* SPDX-License-Identifier: MIT
 *
 * `plybase best`: distance and best moves of positions, searched for where the table holds none.
 * Uses the public header alone.
 */
#include <stdio.h>

#include "tools/best_search.h"
#include "tools/board.h"
#include "tools/command.h"
#include "tools/json_answers.h"

static const char doc[] =
    "Tell in how many plies a position is won or lost, and the best moves: those that win as fast "
    "or lose as slowly as possible.\v"
    "FILE and POSITION are written as for `plybase probe`. A table with distances (built with "
    "--values dtm) answers at once; with any other a search does, which is quick near the end "
    "and may take long near the beginning. A search that is stopped, by a limit or by Ctrl-C, "
    "tells the bounds that it has proven, and the exit status is then 1.";

typedef struct answered {
    uint64_t x, o;
    plb_best best;
} answered;

/* ---- for people ---- */

static void print_text(const plb_table *table, const watched_search *search,
                       const answered *found) {
    char bounds[64], stop[96], side = side_to_move(found->x, found->o);
    const plb_best *best = &found->best;
    draw_board(plb_info(table), found->x, found->o, false);
    if (!best->count) {
        printf("the game is over: %s for %c\n", plb_value_text(best->value), side);
        return;
    }
    printf("%c to move: %s", side, format_bounds(best->value, &best->bounds, bounds));
    if (!best->exact) printf(", %s", format_stop(search, &best->bounds, stop));
    fputs(best->exact ? "\nbest moves:" : "\nmost promising:", stdout);
    for (int m = 0; m < best->count; m++) printf(" %s", best->moves[m].text);
    putchar('\n');
}

/* ---- JSON ---- */

static void print_json(const plb_table *table, const answered *found) {
    const plb_best *best = &found->best;
    bool draw = best->value == PLB_DRAW;
    int least = draw ? PLB_NO_DTM : best->bounds.least,
        most = draw ? PLB_NO_DTM : best->bounds.most;
    char side[2] = {side_to_move(found->x, found->o), 0};
    print_json_line(json_pack("{s:o, s:s, s:b, s:s, s:o, s:o, s:o, s:b, s:o, s:I, s:f}", "position",
                              json_of_board(table, found->x, found->o), "to_move", side, "over",
                              best->count == 0, "value", plb_value_text(best->value), "dtm_plies",
                              json_of_dtm(least == most ? least : PLB_NO_DTM), "least_plies",
                              json_of_dtm(least), "most_plies", json_of_dtm(most), "exact",
                              best->exact, "moves", json_of_moves(best->moves, best->count),
                              "nodes", (json_int_t)best->bounds.nodes, "seconds",
                              best->bounds.seconds));
}

/* ---- the command ---- */

static int find_answer(const plb_table *table, watched_search *search, answered *found,
                       plb_message *message) {
    plb_answer answer;
    int error = plb_probe(table, found->x, found->o, &answer, message);
    if (error) return error;
    watch_position(search, answer.value);
    error = plb_find_best(table, found->x, found->o, &search->limits, &found->best, message);
    end_watched_position(search);
    return error;
}

static int answer_positions(const plb_table *table, const best_arguments *a) {
    watched_search search;
    int status = EXIT_GOOD;
    begin_watched_search(&search, a);
    for (int p = 0; p < a->of.count && !*search.stop; p++) {
        answered found = {0};
        plb_message message;
        int error = read_best_position(table, a, a->of.positions[p], &found.x, &found.o, &message);
        if (!error) error = find_answer(table, &search, &found, &message);
        if (error) {
            status = complain("%s", message.text);
            continue;
        }
        if (p && !a->of.json) putchar('\n');
        a->of.json ? print_json(table, &found) : print_text(table, &search, &found);
        if (!found.best.exact) status = EXIT_FAILED;
    }
    return status;
}

int command_best(int argc, char **argv) {
    best_arguments a;
    parse_best_arguments(argc, argv, doc, &a);
    plb_table *table = open_table(a.of.source);
    if (!table) return EXIT_FAILED;
    int status = answer_positions(table, &a);
    plb_close(table);
    return end_output(status);
}
