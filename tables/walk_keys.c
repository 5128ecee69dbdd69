/* SPDX-License-Identifier: MIT
 *
 * Enumeration. The children of a ply are gathered in a set with open addressing, most of them many
 * times, and sorted in the end.
 */
#include "tables/walk_keys.h"

#include <stdlib.h>
#include <string.h>

#include "tables/bits.h"

enum { FIRST_ROOM = 1 << 10 };

/* Positions, none of which is the empty board. */
typedef struct position_set {
    plb_position *slots; /* [room], a power of two, more than half of them free: both words 0 */
    uint64_t room, count;
} position_set;

static bool is_free(plb_position slot) {
    return !(slot.x | slot.o);
}

static uint64_t hash_of(plb_position p) {
    uint64_t hash = p.x * 0x9E3779B97F4A7C15ULL ^ (p.o + (p.x >> 32)) * 0xC2B2AE3D27D4EB4FULL;
    return hash ^ hash >> 29;
}

/* The slot of a position, or a free one for it. */
static plb_position *slot_of(const position_set *set, plb_position p) {
    uint64_t at = hash_of(p) & (set->room - 1);
    while (!is_free(set->slots[at]) && !plb_position_is_same(set->slots[at], p))
        at = (at + 1) & (set->room - 1);
    return &set->slots[at];
}

static int double_room(position_set *set) {
    position_set bigger = {.room = set->room ? 2 * set->room : FIRST_ROOM, .count = set->count};
    bigger.slots = calloc(bigger.room, sizeof *bigger.slots);
    if (!bigger.slots) return PLB_ENOMEM;
    for (uint64_t s = 0; s < set->room; s++)
        if (!is_free(set->slots[s])) *slot_of(&bigger, set->slots[s]) = set->slots[s];
    free(set->slots);
    *set = bigger;
    return PLB_OK;
}

static int add_position(position_set *set, plb_position p) {
    if (2 * (set->count + 1) > set->room && double_room(set)) return PLB_ENOMEM;
    plb_position *slot = slot_of(set, p);
    set->count += is_free(*slot);
    *slot = p;
    return PLB_OK;
}

static int add_children(const plb_game *game, const plb_symmetry *symmetry, plb_position p,
                        position_set *set) {
    int moves[PLB_MAX_MOVES], count = plb_rules_moves(game, p, moves), error = PLB_OK;
    for (int m = 0; m < count && !error; m++)
        error =
            add_position(set, plb_image_least(game, symmetry, plb_rules_play(game, p, moves[m])));
    return error;
}

static int compare_positions(const void *a, const void *b) {
    plb_position p = *(const plb_position *)a, q = *(const plb_position *)b;
    return plb_position_is_less(q, p) - plb_position_is_less(p, q);
}

/* A ply from the positions of a set, which is left without them. */
static plb_key_ply take_ply(position_set *set) {
    uint64_t count = 0;
    for (uint64_t s = 0; s < set->room; s++)
        if (!is_free(set->slots[s])) set->slots[count++] = set->slots[s];
    plb_key_ply ply = {count, NULL};
    if (count) {
        plb_position *less = realloc(set->slots, count * sizeof *less);
        ply.positions = less ? less : set->slots;
        qsort(ply.positions, count, sizeof *ply.positions, compare_positions);
    } else {
        free(set->slots);
    }
    *set = (position_set){NULL, 0, 0};
    return ply;
}

int plb_key_ply_next(const plb_game *game, const plb_symmetry *symmetry, const plb_key_ply *ply,
                     const volatile sig_atomic_t *stop, plb_key_ply *next) {
    position_set set = {NULL, 0, 0};
    int error = PLB_OK;
    for (uint64_t p = 0; p < ply->count && !error; p++)
        error = stop && *stop ? PLB_EINTERRUPTED
                              : add_children(game, symmetry, ply->positions[p], &set);
    if (error)
        free(set.slots);
    else
        *next = take_ply(&set);
    return error;
}

int plb_key_ply_first(plb_key_ply *first) {
    plb_position *positions = calloc(1, sizeof *positions);
    if (!positions) return PLB_ENOMEM;
    *first = (plb_key_ply){1, positions};
    return PLB_OK;
}

void plb_key_ply_free(plb_key_ply *ply) {
    free(ply->positions);
    *ply = (plb_key_ply){0, NULL};
}
