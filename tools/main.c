/* SPDX-License-Identifier: MIT
 *
 * The `plybase` command: finds and runs the subcommand.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/commands/commands.h"
#include "tools/commands/rank_launcher.h"
#include "tools/terminal/arguments.h"
#include "tools/terminal/console.h"

typedef struct command {
    const char *name, *summary;
    int (*run)(int argc, char **argv);
} command;

static const command commands[] = {
    {"build", "solve a game and write its table", command_build},
    {"plan", "forecast a build: memory, disk, time", command_plan},
    {"probe", "answer positions from a table", command_probe},
    {"best", "find distances and best moves", command_best},
    {"line", "play a position to its end with best moves", command_line},
    {"annotate", "judge each move of a game", command_annotate},
    {"picture", "draw a board with the values of its moves, as SVG", command_picture},
    {"stats", "count won, drawn and lost positions by ply", command_stats},
    {"info", "describe tables", command_info},
    {"verify", "check a table or a strategy", command_verify},
    {"solve", "answer positions by search, without a table", command_solve},
    {"export", "write positions with their values, as CSV or for numpy", command_export},
    {"strategy", "write how a player wins or draws against every reply", command_strategy},
    {"ring", "find who wins misere Connect-3 in a ring of odd width", command_ring},
    {"play", "play against a table", command_play},
    {"serve", "answer over HTTP, and show a page to play on", command_serve},
    {"site", "write a folder that shows tables from any web host", command_site},
    {"pairing", "prove that a player cannot complete a group", command_pairing},
    {"count", "count the positions of a board without solving it", command_count},
    {"games", "list the games that can be solved", command_games},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static const char introduction[] =
    "Usage: plybase COMMAND ...\n"
    "Solve placement games completely and answer any of their positions.\n\n";
static const char ending[] =
    "\n`plybase COMMAND --help` or `plybase help COMMAND` describes a command, `plybase\n"
    "--version` prints the version. First steps:\n"
    "  plybase build connect-5x5-k4\n"
    "  plybase stats connect-5x5-k4.plb\n"
    "  plybase probe connect-5x5-k4.plb 5/5/5/5/2x2\n"
    "\nFILE may be the SPEC of a table: then SPEC.plb is looked for in --tables DIR, here and in\n"
    "the folders of $PLYBASE_PATH. Numbers may be written 1e6, 1M or 1_000_000. An option may\n"
    "be given once.\n"
    "\nExit status: 0 good; 1 a negative answer or a failure; 2 a mistake in the command line.\n"
    "A long command that a signal stopped ends with 128 + its number: 130 after Ctrl-C, 143 after\n"
    "SIGTERM.\n";

static void print_usage(FILE *to) {
    fputs(introduction, to);
    for (int c = 0; c < COMMANDS; c++)
        fprintf(to, "  %-8s %s\n", commands[c].name, commands[c].summary);
    fputs(ending, to);
}

static bool is_one_of(const char *text, const char *a, const char *b) {
    return strcmp(text, a) == 0 || strcmp(text, b) == 0;
}

static int run_command(int argc, char **argv) {
    for (int c = 0; c < COMMANDS; c++) {
        if (strcmp(argv[0], commands[c].name) != 0) continue;
        char name[32];
        snprintf(name, sizeof name, "plybase %s", commands[c].name);
        argv[0] = name;
        return commands[c].run(argc, argv);
    }
    const char *meant = NULL;
    if (is_one_of(argv[0], "version", "-v"))
        meant = "--version";
    else if (is_one_of(argv[0], "make", "create"))
        meant = "build";
    for (int c = 0; c < COMMANDS && !meant; c++)
        if (resembles(argv[0], commands[c].name)) meant = commands[c].name;
    print_error("there is no command '%s'; %s%s%splybase --help lists them", argv[0],
                meant ? "did you mean plybase " : "", meant ? meant : "", meant ? "? " : "");
    return EXIT_USAGE;
}

/* `help`, or `help COMMAND`. */
static int show_help(int argc, char **argv) {
    static char option[] = "--help";
    if (argc > 2) {
        print_error("'%s' is one argument too many: plybase help COMMAND", argv[2]);
        return EXIT_USAGE;
    }
    if (argc > 1 && !is_one_of(argv[1], "--help", "-h"))
        return run_command(2, (char *[]){argv[1], option, NULL});
    print_usage(stdout);
    return end_output(EXIT_GOOD);
}

/* If the parent has closed stdin, stdout or stderr, open /dev/null in its place; otherwise a file
 * that is opened later would get the descriptor. The access mode is the wrong one, so that reading
 * stdin or writing the others still fails. */
static bool open_standard_files(void) {
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        if (fcntl(file, F_GETFD) == -1 &&
            open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY) != file)
            return false;
    return true;
}

int main(int argc, char **argv) {
    if (!open_standard_files()) return EXIT_FAILED; /* there is nowhere to say why */
    signal(SIGXFSZ, SIG_IGN);                       /* a write beyond the limit is an error */
    if (argc < 2) {
        print_usage(stderr);
        return EXIT_USAGE;
    }
    if (is_one_of(argv[1], "--version", "-V")) {
        char plugins[RANK_PLUGINS_TEXT];
        list_rank_plugins(plugins);
        puts("plybase " PLB_VERSION_TEXT);
        if (*plugins) printf("builds by several ranks: %s\n", plugins);
        return end_output(EXIT_GOOD);
    }
    if (is_one_of(argv[1], "--help", "-h")) return show_help(argc - 1, argv + 1);
    if (strcmp(argv[1], "help") == 0) return show_help(argc - 1, argv + 1);
    return run_command(argc - 1, argv + 1);
}
