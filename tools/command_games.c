/* SPDX-License-Identifier: MIT
 *
 * `plybase games`: the forms of specs.
 */
#include <stdio.h>

#include "tables/game.h"
#include "tools/command.h"

static const struct argp parser = {
    .doc =
        "List the games that can be solved, as the specs that name them.\v"
        "With -misere who completes a group loses; with -cylinder the left and the right "
        "column are adjacent. A board has at most 64 cells; `plybase plan SPEC` tells what a "
        "board costs."};

int command_games(int argc, char **argv) {
    argp_parse(&parser, argc, argv, 0, NULL, NULL);
    for (int line = 0; plb_game_family_help(line); line++) puts(plb_game_family_help(line));
    return end_output(EXIT_GOOD);
}
