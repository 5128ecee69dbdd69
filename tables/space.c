/* SPDX-License-Identifier: MIT
 *
 * Opening of spaces.
 */
#include "tables/space.h"

#include <string.h>

#include "tables/stones.h"

/* The index counts sets of stones. */
static int check_rules(const plb_game *game, plb_message *message) {
    char spec[PLB_SPEC_TEXT];
    if (game->rules == &plb_rules_of_stones) return PLB_OK;
    plb_game_format(game, spec);
    return plb_fail(message, PLB_ESPEC,
                    "there are no tables of %s, only of games of stones: `plybase solve` answers "
                    "its positions",
                    spec);
}

int plb_space_begin(const char *spec, plb_space *space, plb_message *message) {
    memset(space, 0, sizeof *space);
    int error = plb_game_parse(spec, &space->game, message);
    if (error) return error;
    error = check_rules(&space->game, message);
    if (!error && plb_symmetry_init(&space->game, &space->symmetry))
        error = plb_fail(message, PLB_ENOMEM, "out of memory for the symmetries of %s", spec);
    if (error) plb_space_close(space);
    return error;
}

int plb_space_add_index(plb_space *space, plb_message *message) {
    return plb_index_init(&space->game, &space->symmetry, &space->index, message);
}

int plb_space_open(const char *spec, plb_space *space, plb_message *message) {
    int error = plb_space_begin(spec, space, message);
    if (error) return error;
    error = plb_space_add_index(space, message);
    if (error) plb_space_close(space);
    return error;
}

void plb_space_close(plb_space *space) {
    if (!space) return;
    plb_index_free(&space->index);
    plb_symmetry_free(&space->symmetry);
    plb_game_free(&space->game);
    memset(space, 0, sizeof *space);
}
