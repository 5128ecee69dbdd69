/* SPDX-License-Identifier: MIT
 *
 * The `plybase` command: finds the subcommand and lets it run.
 */
#include <stdio.h>
#include <string.h>

#include "tools/command.h"

typedef struct command {
    const char *name, *summary;
    int (*run)(int argc, char **argv);
} command;

static const command commands[] = {
    {"build", "solve a game and write its table", command_build},
    {"plan", "forecast a build, without building", command_plan},
    {"probe", "answer positions from a table", command_probe},
    {"best", "distances and best moves from a table", command_best},
    {"line", "play a position to its end, as well as possible", command_line},
    {"stats", "won, drawn and lost positions per ply", command_stats},
    {"info", "what a table is", command_info},
    {"verify", "check a table against rules, search and papers", command_verify},
    {"solve", "answer positions by search, without a table", command_solve},
    {"export", "write positions with their values, as CSV or for numpy", command_export},
    {"play", "play against a table", command_play},
    {"games", "the games that can be solved", command_games},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void print_usage(FILE *to) {
    fputs(
        "Usage: plybase COMMAND ...\n"
        "Solve placement games completely and answer any of their positions.\n\n",
        to);
    for (int c = 0; c < COMMANDS; c++)
        fprintf(to, "  %-8s %s\n", commands[c].name, commands[c].summary);
    fputs(
        "\n`plybase COMMAND --help` tells all of a command. First steps:\n"
        "  plybase build connect-5x5-k4\n"
        "  plybase stats connect-5x5-k4.plb\n"
        "  plybase probe connect-5x5-k4.plb 5/5/5/5/2x2\n",
        to);
}

int main(int argc, char **argv) {
    argp_err_exit_status = EXIT_USAGE;
    if (argc < 2) {
        print_usage(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0) {
        print_usage(stdout);
        return end_output(EXIT_GOOD);
    }
    for (int c = 0; c < COMMANDS; c++) {
        if (strcmp(argv[1], commands[c].name) != 0) continue;
        char name[32];
        snprintf(name, sizeof name, "plybase %s", commands[c].name);
        argv[1] = name;
        return commands[c].run(argc - 1, argv + 1);
    }
    complain("there is no command '%s'; plybase --help lists them", argv[1]);
    return EXIT_USAGE;
}
