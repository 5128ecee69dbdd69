/* SPDX-License-Identifier: MIT */
#include "tools/commands/stats_distances.h"

#include <inttypes.h>
#include <stdio.h>

#include "tools/terminal/board.h"
#include "tools/terminal/quantity.h"

bool has_distance_stats(const plb_table *table) {
    plb_ply_distances d;
    return plb_distance_stats(table, 0, &d) == PLB_OK;
}

/* ---- text ---- */

static void print_sum(int plies, plb_value value, uint64_t positions) {
    char text[32];
    if (positions)
        printf("%5d %5s %18s\n", plies, plb_value_text(value), format_count(positions, text));
}

static void print_sums(const plb_table *table) {
    plb_ply_distances sum = {0}, d;
    int cells = plb_info(table)->cells;
    for (int ply = 0; ply <= cells; ply++) {
        plb_distance_stats(table, ply, &d);
        for (int plies = 0; plies <= cells; plies++) {
            sum.wins[plies] += d.wins[plies];
            sum.losses[plies] += d.losses[plies];
        }
    }
    printf("\nHow far from the end, for the player to move, all plies:\n");
    printf("%5s %5s %18s\n", "plies", "value", "positions");
    for (int plies = 0; plies <= cells; plies++) {
        print_sum(plies, PLB_WIN, sum.wins[plies]);
        print_sum(plies, PLB_LOSS, sum.losses[plies]);
    }
}

static void print_longest(const plb_table *table, int ply, plb_value value,
                          const plb_longest *longest) {
    char board[PLB_BOARD_TEXT];
    if (longest->plies == PLB_NO_DTM) return;
    plb_format_board(table, longest->x, longest->o, board);
    printf("%5d %5s %5d  %s\n", ply, plb_value_text(value), longest->plies, board);
}

void print_distance_text(const plb_table *table) {
    plb_ply_distances d;
    if (!has_distance_stats(table)) return;
    print_sums(table);
    printf("\nThe longest of each ply, with a position:\n");
    printf("%5s %5s %5s  %s\n", "ply", "value", "plies", "position");
    for (int ply = 0; plb_distance_stats(table, ply, &d) == PLB_OK; ply++) {
        print_longest(table, ply, PLB_WIN, &d.longest_win);
        print_longest(table, ply, PLB_LOSS, &d.longest_loss);
    }
}

/* ---- CSV ---- */

static void print_csv_lines(const plb_table *table, int ply, plb_value value,
                            const uint64_t counts[], const plb_longest *longest) {
    char board[CSV_BOARD_TEXT] = "";
    for (int plies = 0; plies <= plb_info(table)->cells; plies++) {
        if (plies == longest->plies) format_csv_board(table, longest->x, longest->o, board);
        if (counts[plies])
            printf("%d,%s,%d,%" PRIu64 ",%s\n", ply, plb_value_text(value), plies, counts[plies],
                   plies == longest->plies ? board : "");
    }
}

void print_distance_csv(const plb_table *table) {
    plb_ply_distances d;
    puts("ply,value,dtm,positions,longest");
    for (int ply = 0; plb_distance_stats(table, ply, &d) == PLB_OK; ply++) {
        print_csv_lines(table, ply, PLB_WIN, d.wins, &d.longest_win);
        print_csv_lines(table, ply, PLB_LOSS, d.losses, &d.longest_loss);
    }
}
