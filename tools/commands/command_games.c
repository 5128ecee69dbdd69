/* SPDX-License-Identifier: MIT
 *
 * `plybase games`: the forms of specs.
 */
#include <stdio.h>

#include "tables/games/families.h"
#include "tools/commands/commands.h"
#include "tools/terminal/arguments.h"
#include "tools/terminal/console.h"

static const argument_row rows[] = {{0}};
static const command_syntax syntax = {
    .operands = "",
    .purpose = "List the games that can be solved, as the specs that name them.",
    .details =
        "With -misere who completes a group loses; with -cylinder the left and the right column "
        "are adjacent; the two may come in any order. A board has at most 64 cells; `plybase plan "
        "SPEC` forecasts what a board takes.",
    .rows = rows};

int command_games(int argc, char **argv) {
    parse_arguments(argc, argv, &syntax, NULL);
    const plb_family *family;
    for (int f = 0; (family = plb_family_at(f)); f++)
        printf("%-35s  %s\n", family->form, family->help);
    return end_output(EXIT_GOOD);
}
