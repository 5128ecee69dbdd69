/* SPDX-License-Identifier: MIT
 *
 * `plybase stats`: prints the numbers of positions of each ply, and their distances, as text, CSV
 * or JSON, or draws them.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "probe/plybase.h"
#include "tools/answers/chart.h"
#include "tools/answers/table_answers.h"
#include "tools/commands/commands.h"
#include "tools/terminal/arguments.h"
#include "tools/terminal/console.h"
#include "tools/terminal/operands.h"
#include "tools/terminal/output_file.h"
#include "tools/terminal/quantity.h"

/* ---- distances, for people and as CSV ---- */

static bool has_distance_stats(const plb_table *table) {
    plb_ply_distances d;
    return plb_distance_stats(table, 0, &d) == PLB_OK;
}

static void print_sum(int plies, plb_value value, uint64_t positions) {
    char text[32];
    if (positions)
        printf("%5d %5s %18s\n", plies, plb_value_text(value), format_count(positions, text));
}

static void print_longest(const plb_table *table, int ply, plb_value value,
                          const plb_longest *longest) {
    char board[PLB_BOARD_TEXT];
    if (longest->plies == PLB_NO_DTM) return;
    plb_format_board(table, longest->x, longest->o, board);
    printf("%5d %5s %5d  %s\n", ply, plb_value_text(value), longest->plies, board);
}

/* Print positions by distance, summed over all plies, and the longest distances of each ply. Prints
 * nothing for a table without distances. */
static void print_distance_text(const plb_table *table) {
    plb_ply_distances d;
    if (!has_distance_stats(table)) return;
    plb_ply_distances sum = {0}, of_ply;
    int cells = plb_info(table)->cells;
    for (int ply = 0; ply <= cells; ply++) {
        plb_distance_stats(table, ply, &of_ply);
        for (int plies = 0; plies <= cells; plies++) {
            sum.wins[plies] += of_ply.wins[plies];
            sum.losses[plies] += of_ply.losses[plies];
        }
    }
    printf("\nHow far from the end, for the player to move, all plies:\n");
    printf("%5s %5s %18s\n", "plies", "value", "positions");
    for (int plies = 0; plies <= cells; plies++) {
        print_sum(plies, PLB_WIN, sum.wins[plies]);
        print_sum(plies, PLB_LOSS, sum.losses[plies]);
    }
    printf("\nThe longest of each ply, with a position:\n");
    printf("%5s %5s %5s  %s\n", "ply", "value", "plies", "position");
    for (int ply = 0; plb_distance_stats(table, ply, &d) == PLB_OK; ply++) {
        print_longest(table, ply, PLB_WIN, &d.longest_win);
        print_longest(table, ply, PLB_LOSS, &d.longest_loss);
    }
}

/* Print a line for every distance of a ply and value; that of the longest has a position, in quotes
 * if it has commas, as boards of numbers have. */
static void print_csv_lines(const plb_table *table, int ply, plb_value value,
                            const uint64_t counts[], const plb_longest *longest) {
    for (int plies = 0; plies <= plb_info(table)->cells; plies++) {
        char board[PLB_BOARD_TEXT] = "";
        if (plies == longest->plies) plb_format_board(table, longest->x, longest->o, board);
        const char *quote = strchr(board, ',') ? "\"" : "";
        if (counts[plies])
            printf("%d,%s,%d,%" PRIu64 ",%s%s%s\n", ply, plb_value_text(value), plies,
                   counts[plies], quote, board, quote);
    }
}

/* ---- picture ---- */

static void draw_counts(FILE *to, const void *of) {
    const plb_table *table = of;
    uint64_t won[PLB_MAX_CELLS + 1], drawn[PLB_MAX_CELLS + 1], lost[PLB_MAX_CELLS + 1];
    plb_ply_stats s, sum = {0};
    int plies = 0;
    char title[256], subtitle[256], number[4][32];
    for (; plb_stats(table, plies, &s) == PLB_OK; plies++) {
        sum.won += won[plies] = s.won;
        sum.drawn += drawn[plies] = s.drawn;
        sum.lost += lost[plies] = s.lost;
    }
    snprintf(title, sizeof title, "%.200s: %s positions", plb_info(table)->spec,
             format_count(plb_info(table)->positions, number[3]));
    snprintf(subtitle, sizeof subtitle, "won by the first player %s, drawn %s, lost %s",
             format_count(sum.won, number[0]), format_count(sum.drawn, number[1]),
             format_count(sum.lost, number[2]));
    const chart_series series[] = {{"won", won}, {"drawn", drawn}, {"lost", lost}};
    const chart_panel panels[] = {{CHART_SHARES, "share of positions"}, {CHART_LOG, "positions"}};
    const chart_drawing chart = {.title = title,
                                 .subtitle = subtitle,
                                 .x_label = "ply (stones on the board)",
                                 .points = plies,
                                 .series = series,
                                 .series_count = 3,
                                 .panels = panels,
                                 .panel_count = 2};
    chart_write(&chart, to);
}

/* ---- the command ---- */

typedef struct arguments {
    const char *file, *folder, *svg;
    bool csv, json, distances, force;
} arguments;

static const argument_row rows[] = {
    OPERAND("FILE", arguments, file, NULL),
    FLAG('c', "csv", arguments, csv, "print CSV: ply,total,terminal,won,drawn,lost"),
    FLAG('d', "distances", arguments, distances,
         "with --csv, print distances: ply,value,dtm,positions,longest"),
    JSON(arguments, json),
    TEXT('s', "svg", "OUT", arguments, svg, "draw a picture: OUT.svg, or - for stdout"),
    FLAG('f', "force", arguments, force, "replace OUT"),
    TABLES(arguments, folder),
    {0}};
static const command_syntax syntax = {
    .operands = "FILE",
    .purpose =
        "Print how many reachable positions each ply has, and how many of them are won, drawn and "
        "lost for the first player.",
    .details =
        "A ply is the number of stones. Terminal positions are those with a complete group; won "
        "and lost include them. For a table with distances it also prints, for the player to move, "
        "how many positions end after how many plies, and the longest win and loss of every ply, "
        "with such a position. CSV has this position in the line of the longest distance.",
    .rows = rows};

static void print_text(const plb_table *table) {
    static const char *const headings[] = {"total", "terminal", "won", "drawn", "lost"};
    plb_big_count sum[MAX_COLUMNS] = {0};
    plb_ply_stats s;
    for (int ply = 0; plb_stats(table, ply, &s) == PLB_OK; ply++) {
        const uint64_t of_ply[MAX_COLUMNS] = {s.total, s.terminal, s.won, s.drawn, s.lost};
        for (int c = 0; c < MAX_COLUMNS; c++) sum[c] += of_ply[c];
    }
    count_columns columns = print_count_headings(headings, sum, MAX_COLUMNS);
    for (int ply = 0; plb_stats(table, ply, &s) == PLB_OK; ply++)
        print_count_row(&columns, ply,
                        (plb_big_count[]){s.total, s.terminal, s.won, s.drawn, s.lost});
    print_count_row(&columns, -1, sum);
    print_distance_text(table);
}

/* Print or draw the statistics, as the options say. Returns an exit status. */
static int show_stats(const plb_table *table, const arguments *a) {
    plb_message message;
    int error = PLB_OK;
    if (a->svg)
        error = output_file_draw(a->svg, a->force, draw_counts, table, &message);
    else if (a->distances && !has_distance_stats(table))
        return print_error("%s holds no distances; a table that is built with --values dtm does",
                           a->file);
    else if (a->distances) {
        plb_ply_distances d;
        puts("ply,value,dtm,positions,longest");
        for (int ply = 0; plb_distance_stats(table, ply, &d) == PLB_OK; ply++) {
            print_csv_lines(table, ply, PLB_WIN, d.wins, &d.longest_win);
            print_csv_lines(table, ply, PLB_LOSS, d.losses, &d.longest_loss);
        }
    } else if (a->csv)
        write_stats_csv(table, stdout);
    else if (a->json) {
        json_writer w = begin_json_object();
        put_stats(&w, table);
        print_json_object(&w);
    } else
        print_text(table);
    return error ? report_error(error, &message) : EXIT_GOOD;
}

int command_stats(int argc, char **argv) {
    arguments a = {0};
    parse_arguments(argc, argv, &syntax, &a);
    if (a.csv + a.json + (a.svg != NULL) > 1)
        fail_usage("one of --csv, --json and --svg, not several");
    if (a.svg && !is_picture_name(a.svg))
        fail_usage("--svg %s: the name must end in .svg, or be - for stdout", a.svg);
    if (a.distances && !a.csv) fail_usage("--distances needs --csv");
    if (a.force && !a.svg) fail_usage("--force needs --svg");
    plb_table *table = open_whole_table(a.file, a.folder);
    if (!table) return EXIT_FAILED;
    int status = show_stats(table, &a);
    plb_close(table);
    return status ? status : end_output(EXIT_GOOD);
}
