/* SPDX-License-Identifier: MIT
 *
 * Opening of spaces.
 */
#include "tables/index/space.h"

#include <string.h>

int plb_space_begin(const char *spec, plb_space *space, plb_message *message) {
    memset(space, 0, sizeof *space);
    int error = plb_game_parse(spec, &space->game, message);
    if (error) return error;
    if (plb_symmetry_init(&space->game, &space->symmetry))
        error = plb_fail(message, PLB_ENOMEM, "out of memory for the symmetries of %s", spec);
    if (error) plb_space_close(space);
    return error;
}

int plb_space_add_index(plb_space *space, plb_index_kind kind, plb_message *message) {
    if (kind == PLB_KEYS) {
        plb_index_init_keys(&space->game, &space->symmetry, &space->index);
        return PLB_OK;
    }
    if (plb_index_kind_of(&space->game) == PLB_SLABS)
        return plb_index_init(&space->game, &space->symmetry, &space->index, message);
    return plb_fail(message, PLB_EARGUMENT,
                    "positions of the game are not sets of stones: its index has keys, not slabs");
}

int plb_space_open(const char *spec, plb_space *space, plb_message *message) {
    int error = plb_space_begin(spec, space, message);
    if (error) return error;
    error = plb_space_add_index(space, plb_index_kind_of(&space->game), message);
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
