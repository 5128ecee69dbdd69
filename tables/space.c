/* SPDX-License-Identifier: MIT
 *
 * Opening of spaces.
 */
#include "tables/space.h"

#include <string.h>

int plb_space_begin(const char *spec, plb_space *space, plb_message *message) {
    memset(space, 0, sizeof *space);
    int error = plb_game_parse(spec, &space->game, message);
    if (error) return error;
    if (plb_symmetry_init(&space->game, &space->symmetry) == PLB_OK) return PLB_OK;
    plb_space_close(space);
    return plb_fail(message, PLB_ENOMEM, "out of memory for the symmetries of %s", spec);
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
