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
 * The search takes stones back from the tops of the columns, x and o in turn, until none is left.
 * Nearly always the first way leads down. Sets of cells that turned out to be dead ends are
 * remembered, so that none is tried twice: in a few slots on the stack, then in memory. */

enum { FIRST_SLOTS = 64 };

typedef struct unplay {
    const plb_game *game;
    uint64_t x;
    uint64_t *dead_ends; /* [slots] a hash set; 0, the empty board, is never one */
    uint64_t slots, used;
    bool out_of_memory;
    uint64_t first[FIRST_SLOTS];
} unplay;

/* Where a set is, or would be. */
static uint64_t *dead_end_slot(const unplay *search, uint64_t occupied) {
    uint64_t slot = (occupied * 0x9E3779B97F4A7C15ULL) >> 32;
    while (search->dead_ends[slot & (search->slots - 1)] &&
           search->dead_ends[slot & (search->slots - 1)] != occupied)
        slot++;
    return &search->dead_ends[slot & (search->slots - 1)];
}

static void free_dead_ends(unplay *search) {
    if (search->dead_ends != search->first) free(search->dead_ends);
}

static void grow_dead_ends(unplay *search) {
    unplay grown = *search;
    grown.slots *= 4;
    grown.dead_ends = calloc(grown.slots, sizeof *grown.dead_ends);
    if (!grown.dead_ends) {
        search->out_of_memory = true;
        return;
    }
    for (uint64_t slot = 0; slot < search->slots; slot++)
        if (search->dead_ends[slot])
            *dead_end_slot(&grown, search->dead_ends[slot]) = search->dead_ends[slot];
    free_dead_ends(search);
    search->dead_ends = grown.dead_ends;
    search->slots = grown.slots;
}

static void add_dead_end(unplay *search, uint64_t occupied) {
    if (2 * (search->used + 1) > search->slots) grow_dead_ends(search);
    if (search->out_of_memory) return;
    *dead_end_slot(search, occupied) = occupied;
    search->used++;
}

/* x_last: the stone to take back is x's. */
static bool can_unplay(unplay *search, uint64_t occupied, bool x_last) {
    if (occupied == 0) return true;
    if (search->out_of_memory) return false;
    if (search->used && *dead_end_slot(search, occupied)) return false;
    uint64_t tops = plb_game_removable(search->game, occupied);
    for (tops &= x_last ? search->x : ~search->x; tops; tops &= tops - 1)
        if (can_unplay(search, occupied ^ (tops & -tops), !x_last)) return true;
    if (!search->out_of_memory) add_dead_end(search, occupied);
    return false;
}

/* Are the stones of a position without a complete group playable in alternating order?
 * Errors: PLB_ENOMEM, PLB_EUNREACHABLE. */
static int check_alternation(const plb_game *game, plb_position position) {
    if (!game->gravity) return PLB_OK;
    unplay search = {.game = game, .x = position.x, .slots = FIRST_SLOTS};
    search.dead_ends = search.first;
    bool found =
        can_unplay(&search, plb_position_occupied(position), !plb_position_x_to_move(position));
    free_dead_ends(&search);
    return found ? PLB_OK : search.out_of_memory ? PLB_ENOMEM : PLB_EUNREACHABLE;
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

/* Is there an order of moves, the last of which places one of the completing stones if there are
 * any? */
static int check_order(const plb_game *game, plb_position position, uint64_t completing,
                       plb_message *message) {
    int error = PLB_EUNREACHABLE;
    if (!completing) error = check_alternation(game, position);
    for (; completing && error == PLB_EUNREACHABLE; completing &= completing - 1)
        error = check_alternation(game, take_back(position, completing & -completing));
    if (error == PLB_ENOMEM) return plb_fail(message, error, "out of memory");
    if (error == PLB_OK) return PLB_OK;
    return plb_fail(message, error,
                    "the position cannot be reached: no order of moves in which x and o alternate "
                    "gives these columns");
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
    return check_order(game, position, complete ? completing : 0, message);
}
