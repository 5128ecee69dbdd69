/* SPDX-License-Identifier: MIT
 *
 * `plybase line`: optimal lines to the end of the game. Uses the public header alone.
 */
#include <stdio.h>

#include "tools/best_search.h"
#include "tools/board.h"
#include "tools/command.h"
#include "tools/json_answers.h"

static const char doc[] =
    "Play a position to its end, each player in turn the first of his best moves: print the moves, "
    "the final board and who has won at which ply.\v"
    "FILE and POSITION are written as for `plybase probe`, and the moves so that they may follow "
    "those of a position with --moves. A table with distances (built with --values dtm) answers at "
    "once; with any other a search does, whose limits hold for the whole line.";

/* A line from a position to the end. */
typedef struct line {
    uint64_t x, o; /* where it begins */
    plb_value value;
    plb_move moves[PLB_MAX_MOVES];
    int count;
    uint64_t final_x, final_o;
} line;

static int count_stones(const line *l) {
    return __builtin_popcountll(l->final_x | l->final_o);
}

/* 'x', 'o', or 0 for a draw. */
static char winner(const line *l) {
    char side = side_to_move(l->x, l->o);
    if (l->value == PLB_DRAW) return 0;
    return l->value == PLB_WIN ? side : side == 'x' ? 'o' : 'x';
}

static void play_line(const plb_table *table, line *l) {
    l->final_x = l->x;
    l->final_o = l->o;
    for (int m = 0; m < l->count; m++) {
        uint64_t bit = 1ULL << (l->moves[m].column * plb_info(table)->height + l->moves[m].row);
        *(side_to_move(l->final_x, l->final_o) == 'x' ? &l->final_x : &l->final_o) |= bit;
    }
}

static int find_line(const plb_table *table, watched_search *search, line *l,
                     plb_message *message) {
    plb_answer answer;
    int error = plb_probe(table, l->x, l->o, &answer, message);
    if (error) return error;
    l->value = answer.value;
    watch_position(search, answer.value);
    error = plb_find_line(table, l->x, l->o, &search->limits, l->moves, &l->count, message);
    end_watched_position(search);
    if (!error) play_line(table, l);
    return error;
}

static void print_text(const plb_table *table, const line *l) {
    char text[32], side = side_to_move(l->x, l->o);
    int dtm = l->value == PLB_DRAW ? PLB_NO_DTM : l->count;
    if (l->count)
        printf("%c to move: %s\n", side, format_outcome(l->value, dtm, text));
    else
        printf("the game is over: %s for %c\n", plb_value_text(l->value), side);
    for (int m = 0; m < l->count; m++) printf(m ? " %s" : "%s", l->moves[m].text);
    if (l->count) putchar('\n');
    draw_board(plb_info(table), l->final_x, l->final_o, false);
    if (winner(l))
        printf("%c wins at ply %d\n", winner(l), count_stones(l));
    else
        printf("draw at ply %d\n", count_stones(l));
}

static void print_json(const plb_table *table, const line *l) {
    char side[2] = {side_to_move(l->x, l->o), 0}, won[2] = {winner(l), 0};
    print_json_line(json_pack("{s:o, s:s, s:b, s:s, s:o, s:o, s:o, s:s?, s:i}", "position",
                              json_of_board(table, l->x, l->o), "to_move", side, "over",
                              l->count == 0, "value", plb_value_text(l->value), "dtm_plies",
                              json_of_dtm(l->value == PLB_DRAW ? PLB_NO_DTM : l->count), "moves",
                              json_of_moves(l->moves, l->count), "final",
                              json_of_board(table, l->final_x, l->final_o), "winner",
                              *won ? won : NULL, "end_ply", count_stones(l)));
}

static int show_lines(const plb_table *table, const best_arguments *a) {
    watched_search search;
    int status = EXIT_GOOD;
    begin_watched_search(&search, a);
    for (int p = 0; p < a->of.count && !*search.stop; p++) {
        line l = {0};
        plb_message message;
        int error = read_best_position(table, a, a->of.positions[p], &l.x, &l.o, &message);
        if (!error) error = find_line(table, &search, &l, &message);
        if (error) {
            status = complain("%s", message.text);
            continue;
        }
        if (p && !a->of.json) putchar('\n');
        a->of.json ? print_json(table, &l) : print_text(table, &l);
    }
    return status;
}

int command_line(int argc, char **argv) {
    best_arguments a;
    parse_best_arguments(argc, argv, doc, &a);
    plb_table *table = open_table(a.of.source);
    if (!table) return EXIT_FAILED;
    int status = show_lines(table, &a);
    plb_close(table);
    return end_output(status);
}
