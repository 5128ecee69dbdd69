/* SPDX-License-Identifier: MIT
 *
 * `plybase stats`: counts of reachable positions per ply, and their distances, as a table, CSV,
 * JSON or a picture.
 */
#include <stdio.h>

#include "tools/answers/table_answers.h"
#include "tools/commands/commands.h"
#include "tools/commands/stats_distances.h"
#include "tools/commands/stats_picture.h"
#include "tools/terminal/arguments.h"
#include "tools/terminal/console.h"
#include "tools/terminal/quantity.h"
#include "tools/terminal/table_names.h"

typedef struct arguments {
    const char *file, *svg;
    bool csv, json, distances, force;
} arguments;

static const argument_row rows[] = {
    OPERAND("FILE", arguments, file, NULL),
    FLAG('c', "csv", arguments, csv, "print CSV: ply,total,terminal,won,drawn,lost"),
    FLAG('d', "distances", arguments, distances,
         "with --csv, print distances: ply,value,dtm,positions,longest"),
    JSON(arguments, json),
    TEXT('s', "svg", "OUT", arguments, svg,
         "draw them: the picture to write, OUT.svg, or - for stdout"),
    FLAG('f', "force", arguments, force, "replace OUT"),
    {0}};
static const command_syntax syntax = {
    .operands = "FILE",
    .purpose =
        "Print how many reachable positions each ply has, and how many of them are won, drawn and "
        "lost for the first player.",
    .details =
        "A ply is the number of stones. Won and lost include terminal positions; terminal counts "
        "those in which a group is complete. A table with distances adds these, for the player to "
        "move: how many positions end after how many plies, and the longest win and loss of every "
        "ply with a position that attains it. CSV has that position in the line of the longest.",
    .rows = rows};

static void check_arguments(const arguments *a) {
    if (a->csv + a->json + (a->svg != NULL) > 1)
        fail_usage("one of --csv, --json and --svg, not several");
    if (a->svg && !stats_picture_may_be(a->svg))
        fail_usage("--svg %s: the name must end in .svg, or be - for stdout", a->svg);
    if (a->distances && !a->csv) fail_usage("--distances needs --csv");
    if (a->force && !a->svg) fail_usage("--force needs --svg");
}

static void print_row(const char *ply, const plb_ply_stats *s) {
    char text[5][32];
    printf("%5s %18s %18s %18s %18s %18s\n", ply, format_count(s->total, text[0]),
           format_count(s->terminal, text[1]), format_count(s->won, text[2]),
           format_count(s->drawn, text[3]), format_count(s->lost, text[4]));
}

static void print_text(const plb_table *table) {
    plb_ply_stats sum = {0}, s;
    printf("%5s %18s %18s %18s %18s %18s\n", "ply", "total", "terminal", "won", "drawn", "lost");
    for (int ply = 0; plb_stats(table, ply, &s) == PLB_OK; ply++) {
        char name[16];
        snprintf(name, sizeof name, "%d", ply);
        print_row(name, &s);
        sum.total += s.total;
        sum.terminal += s.terminal;
        sum.won += s.won;
        sum.drawn += s.drawn;
        sum.lost += s.lost;
    }
    print_row("all", &sum);
    print_distance_text(table);
}

static void print_csv(const plb_table *table) {
    write_stats_csv(table, stdout);
}

static void print_json(const plb_table *table) {
    json_writer w = {0};
    open_object(&w, NULL);
    put_stats(&w, table);
    close_object(&w);
    print_json_line(&w);
}

static int print_distances(const plb_table *table, const char *file) {
    if (!has_distance_stats(table))
        return complain("%s holds no distances; a table that is built with --values dtm does",
                        file);
    print_distance_csv(table);
    return EXIT_GOOD;
}

static int draw(const plb_table *table, const arguments *a) {
    plb_message message;
    int error = write_stats_picture(table, a->svg, a->force, &message);
    return error ? complain_of(error, &message) : EXIT_GOOD;
}

int command_stats(int argc, char **argv) {
    arguments a = {0};
    parse_arguments(argc, argv, &syntax, &a);
    check_arguments(&a);
    plb_table *table = open_whole_table(a.file);
    if (!table) return EXIT_FAILED;
    int status = EXIT_GOOD;
    if (a.svg)
        status = draw(table, &a);
    else if (a.distances)
        status = print_distances(table, a.file);
    else
        (a.csv ? print_csv : a.json ? print_json : print_text)(table);
    plb_close(table);
    return status ? status : end_output(EXIT_GOOD);
}
