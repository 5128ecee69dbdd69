/* SPDX-License-Identifier: MIT
 *
 * `plybase stats`: counts of reachable positions per ply, as a table, CSV or JSON.
 */
#include <jansson.h>
#include <stdio.h>

#include "tools/arguments.h"
#include "tools/command.h"

typedef struct arguments {
    const char *file;
    bool csv, json;
} arguments;

static error_t parse_option(int key, char *value, struct argp_state *state) {
    (void)value;
    arguments *a = state->input;
    switch (key) {
        case ARGP_KEY_INIT:
            state->child_inputs[0] = &a->file;
            return 0;
        case 'c':
            a->csv = true;
            return 0;
        case 'j':
            a->json = true;
            return 0;
        case ARGP_KEY_END:
            if (a->csv && a->json) argp_error(state, "either --csv or --json");
            return 0;
        default:
            return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"csv", 'c', NULL, 0, "print CSV: ply,total,terminal,won,drawn,lost", 0},
    {"json", 'j', NULL, 0, "print one JSON object", 0},
    {0}};
static const struct argp parser = {
    options,
    parse_option,
    "FILE",
    "Print how many reachable positions each ply has, and how many of them are won, drawn and "
    "lost for the first player.\v"
    "A ply is the number of stones. Won and lost include terminal positions; terminal counts "
    "those in which a group is complete.",
    file_argument_child,
    NULL,
    NULL};

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
}

static void print_csv(const plb_table *table) {
    plb_ply_stats s;
    puts("ply,total,terminal,won,drawn,lost");
    for (int ply = 0; plb_stats(table, ply, &s) == PLB_OK; ply++)
        printf("%d,%llu,%llu,%llu,%llu,%llu\n", ply, (unsigned long long)s.total,
               (unsigned long long)s.terminal, (unsigned long long)s.won,
               (unsigned long long)s.drawn, (unsigned long long)s.lost);
}

static void print_json(const plb_table *table) {
    json_t *plies = json_array();
    plb_ply_stats s;
    for (int ply = 0; plb_stats(table, ply, &s) == PLB_OK; ply++)
        json_array_append_new(
            plies,
            json_pack("{s:i, s:I, s:I, s:I, s:I, s:I}", "ply", ply, "total", (json_int_t)s.total,
                      "terminal", (json_int_t)s.terminal, "won", (json_int_t)s.won, "drawn",
                      (json_int_t)s.drawn, "lost", (json_int_t)s.lost));
    json_t *object = json_pack("{s:s, s:o}", "spec", plb_info(table)->spec, "plies", plies);
    json_dumpf(object, stdout, JSON_COMPACT);
    putchar('\n');
    json_decref(object);
}

int command_stats(int argc, char **argv) {
    arguments a = {0};
    argp_parse(&parser, argc, argv, 0, NULL, &a);
    plb_table *table = open_table(a.file);
    if (!table) return EXIT_FAILED;
    (a.csv ? print_csv : a.json ? print_json : print_text)(table);
    plb_close(table);
    return end_output(EXIT_GOOD);
}
