/* SPDX-License-Identifier: MIT
 *
 * The rules on single positions.
 */
#include "tables/rules.h"

#include <stdlib.h>

bool plb_rules_is_over(const plb_game *game, plb_position position) {
    return plb_position_occupied(position) == game->board ||
           plb_game_has_group(game, plb_position_last(position));
}

plb_value plb_rules_final_value(const plb_game *game, plb_position position) {
    if (!plb_game_has_group(game, plb_position_last(position))) return PLB_DRAW;
    return game->misere ? PLB_WIN : PLB_LOSS;
}

/* ---- can the stones be played in alternating order? ----
 *
 * The search takes stones back from the tops of the columns. Sets of occupied cells from which
 * the empty board cannot be reached are remembered, so that no set is tried twice; a cache of a
 * fixed size is enough, for a forgotten one is only tried again. */

enum { DEAD_END_SLOTS = 512 };

typedef struct unplay {
    const plb_game *game;
    uint64_t x;
    uint64_t dead_ends[DEAD_END_SLOTS];
} unplay;

static uint64_t *dead_end_slot(unplay *search, uint64_t occupied) {
    return &search->dead_ends[(occupied * 0x9E3779B97F4A7C15ULL) >> 55];
}

/* x_last: the stone to take back is x's. */
static bool can_unplay(unplay *search, uint64_t occupied, bool x_last) {
    if (occupied == 0) return true;
    if (*dead_end_slot(search, occupied) == occupied) return false;
    uint64_t tops = plb_game_removable(search->game, occupied);
    for (tops &= x_last ? search->x : ~search->x; tops; tops &= tops - 1)
        if (can_unplay(search, occupied ^ (tops & -tops), !x_last)) return true;
    *dead_end_slot(search, occupied) = occupied;
    return false;
}

/* Are the stones of a position without a complete group playable in alternating order? */
static bool alternates(const plb_game *game, plb_position position) {
    if (!game->gravity) return true;
    unplay search = {.game = game, .x = position.x};
    return can_unplay(&search, plb_position_occupied(position), !plb_position_x_to_move(position));
}

/* ---- refusals ---- */

static int check_stones(const plb_game *game, plb_position p, plb_message *message) {
    int x = plb_popcount(p.x), o = plb_popcount(p.o);
    if ((p.x | p.o) & ~game->board)
        return plb_fail(message, PLB_EBOARD, "a stone lies beyond the %dx%d board", game->width,
                        game->height);
    if (p.x & p.o)
        return plb_fail(message, PLB_ECOUNTS,
                        "impossible piece counts: %d cells hold both an x "
                        "and an o",
                        plb_popcount(p.x & p.o));
    if (x != o && x != o + 1)
        return plb_fail(message, PLB_ECOUNTS,
                        "impossible piece counts: %d x and %d o; x moves first, so x has as many "
                        "stones as o or one more",
                        x, o);
    uint64_t occupied = p.x | p.o;
    if (game->gravity && (occupied & ~((occupied << 1) | game->bottom))) {
        int cell = plb_lowest(occupied & ~((occupied << 1) | game->bottom));
        return plb_fail(message, PLB_EFLOATING,
                        "a stone floats in the air: column %d, row %d has nothing below it",
                        plb_game_column(game, cell) + 1, plb_game_row(game, cell) + 1);
    }
    return PLB_OK;
}

/* The stones that every complete group of a colour shares; all bits where there is no group. */
static uint64_t stones_in_every_group(const plb_game *game, uint64_t stones) {
    uint64_t shared = ~0ULL;
    for (int g = 0; g < game->group_count; g++)
        if ((game->groups[g] & ~stones) == 0) shared &= game->groups[g];
    return shared;
}

static plb_position take_back(plb_position p, uint64_t stone) {
    return (plb_position){p.x & ~stone, p.o & ~stone};
}

int plb_rules_check(const plb_game *game, plb_position position, plb_message *message) {
    int error = check_stones(game, position, message);
    if (error) return error;
    const char *mover = plb_position_x_to_move(position) ? "x" : "o";
    const char *last = plb_position_x_to_move(position) ? "o" : "x";
    if (plb_game_has_group(game, plb_position_mover(position)))
        return plb_fail(message, PLB_EOVER,
                        "the position goes on after the game's end: %s has a complete group, yet "
                        "%s moved after it",
                        mover, last);
    uint64_t shared = stones_in_every_group(game, plb_position_last(position));
    bool complete = shared != ~0ULL;
    uint64_t removable = plb_game_removable(game, plb_position_occupied(position));
    uint64_t completing = shared & removable & plb_position_last(position);
    if (complete && !completing)
        return plb_fail(message, PLB_EOVER,
                        "the position goes on after the game's end: no last move of %s completes "
                        "every group it has",
                        last);
    if (!complete && alternates(game, position)) return PLB_OK;
    for (; complete && completing; completing &= completing - 1)
        if (alternates(game, take_back(position, completing & -completing))) return PLB_OK;
    return plb_fail(message, PLB_EUNREACHABLE,
                    "the position cannot be reached: no order of moves in which x and o alternate "
                    "gives these columns");
}
