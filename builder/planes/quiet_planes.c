/* SPDX-License-Identifier: MIT
 *
 * Quiet positions. In normal play a position is quiet if no player can complete a group immediately
 * and at least two moves do not let the opponent complete one on the cell above. In misere play it
 * is quiet if at least two moves do not complete a group of the mover. The planes `one` and `two`
 * have the positions with at least one and at least two such moves.
 */
#include "builder/planes/quiet_planes.h"

#include <stdlib.h>
#include <string.h>

#include "tables/games/rules.h"

void plb_quiet_free(plb_quiet *quiet) {
    if (!quiet) return;
    free(quiet->one);
    free(quiet->two);
    free(quiet->plane);
    *quiet = (plb_quiet){.game = quiet->game, .kernels = quiet->kernels};
}

static int reserve(plb_quiet *quiet, size_t words) {
    if (quiet->capacity < words) {
        plb_quiet_free(quiet);
        quiet->one = malloc(words * sizeof *quiet->one);
        quiet->two = malloc(words * sizeof *quiet->two);
        quiet->plane = malloc((words + PLB_BLOCK_WORDS) * sizeof *quiet->plane);
        if (!quiet->one || !quiet->two || !quiet->plane) return PLB_ENOMEM;
        quiet->capacity = words;
    }
    return PLB_OK;
}

/* range_words = positions in which a colour completes a group on one of the cells. (A group of one
 * cell: all positions.) */
static void complete_on(plb_quiet *quiet, const plb_slab *slab, plb_block_range range,
                        uint64_t cells, unsigned colour, uint64_t *range_words) {
    int count = plb_slab_list_completable(quiet->game, slab->occupied, cells, quiet->groups);
    quiet->kernels->lines(slab, range, quiet->groups, count, colour, range_words);
}

int plb_quiet_find_completing(plb_quiet *quiet, const plb_slab *slab, plb_block_range range,
                              uint64_t *range_words) {
    if (range.first == range.last) return PLB_OK;
    if (reserve(quiet, plb_slab_range_words(slab, range))) return PLB_ENOMEM;
    complete_on(quiet, slab, range, plb_game_playable(quiet->game, slab->occupied),
                plb_ply_x_moves(slab->stones), range_words);
    return PLB_OK;
}

/* The cell on which a completed group makes a move lose: in misere play the cell of the move itself
 * (completed by the mover), in normal play the one above (completed by the opponent). */
static uint64_t losing_cells(const plb_game *game, uint64_t cell) {
    if (game->misere) return cell;
    return game->gravity ? (cell << 1) & game->board & ~game->bottom : 0;
}

int plb_quiet_keep(plb_quiet *quiet, const plb_slab *slab, plb_block_range range,
                   const uint64_t *completing, uint64_t *open) {
    const plb_game *game = quiet->game;
    if (range.first == range.last) return PLB_OK;
    size_t words = plb_slab_range_words(slab, range);
    if (reserve(quiet, words)) return PLB_ENOMEM;
    unsigned mover = plb_ply_x_moves(slab->stones);
    uint64_t playable = plb_game_playable(game, slab->occupied);
    int safe = 0; /* moves that lose in no position; two of them are enough for all positions */
    for (uint64_t cells = playable; cells && safe < 2; cells &= cells - 1) {
        uint64_t loses = losing_cells(game, cells & -cells);
        safe += !loses || !plb_slab_list_completable(game, slab->occupied, loses, quiet->groups);
    }
    if (safe < 2) {
        memset(quiet->one, 0, words * sizeof *quiet->one);
        memset(quiet->two, 0, words * sizeof *quiet->two);
        for (uint64_t cells = playable; cells; cells &= cells - 1) {
            complete_on(quiet, slab, range, losing_cells(game, cells & -cells),
                        game->misere ? mover : !mover, quiet->plane);
            for (size_t w = 0; w < words; w++) {
                quiet->two[w] |= quiet->one[w] & ~quiet->plane[w];
                quiet->one[w] |= ~quiet->plane[w];
            }
        }
        for (size_t w = 0; w < words; w++) open[w] &= quiet->two[w];
    }
    /* In normal play neither player may be able to complete a group immediately. */
    for (unsigned colour = 0; colour < 2 && !game->misere; colour++) {
        bool known = completing && colour == mover;
        const uint64_t *plane = known ? completing : quiet->plane;
        if (!known) complete_on(quiet, slab, range, playable, colour, quiet->plane);
        for (size_t w = 0; w < words; w++) open[w] &= ~plane[w];
    }
    return PLB_OK;
}
