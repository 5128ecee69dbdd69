/* SPDX-License-Identifier: MIT
 *
 * Enumeration. The children of a ply are gathered in a set with open addressing, most of them many
 * times, and sorted in the end.
 */
#include "tables/index/enumerate_keys.h"

#include <stdlib.h>

#include "tables/index/position_set.h"
#include "tables/stop.h"

static int add_children(const plb_game *game, const plb_symmetry *symmetry, plb_position p,
                        plb_position_set *set) {
    int moves[PLB_MAX_MOVES], count = plb_rules_moves(game, p, moves), error = PLB_OK;
    for (int m = 0; m < count && !error; m++) {
        plb_position child = plb_orbit_least(game, symmetry, plb_rules_play(game, p, moves[m]));
        error = plb_position_set_add(set, child, plb_position_hash(child));
    }
    return error;
}

static int compare_positions(const void *a, const void *b) {
    plb_position p = *(const plb_position *)a, q = *(const plb_position *)b;
    return plb_position_is_less(q, p) - plb_position_is_less(p, q);
}

/* A ply from the positions of a set, which is left without them. */
static plb_key_ply take_ply(plb_position_set *set) {
    plb_key_ply ply = {plb_position_set_pack(set), NULL};
    if (ply.count) {
        plb_position *less = realloc(set->slots, ply.count * sizeof *less);
        ply.positions = less ? less : set->slots;
        set->slots = NULL;
        qsort(ply.positions, ply.count, sizeof *ply.positions, compare_positions);
    } /* cppcheck-suppress memleak ; the ply has it */
    plb_position_set_free(set);
    return ply;
}

int plb_key_ply_next(const plb_game *game, const plb_symmetry *symmetry, const plb_key_ply *ply,
                     const volatile sig_atomic_t *stop, plb_key_ply *next) {
    plb_position_set set;
    int error = PLB_OK;
    plb_position_set_begin(&set, UINT64_MAX);
    for (uint64_t p = 0; p < ply->count && !error; p++)
        error = plb_is_stopped(stop) ? PLB_EINTERRUPTED
                                     : add_children(game, symmetry, ply->positions[p], &set);
    if (error)
        plb_position_set_free(&set);
    else
        *next = take_ply(&set);
    return error;
}

int plb_key_ply_first(plb_key_ply *first) {
    first->count = 1;
    first->positions = calloc(1, sizeof *first->positions);
    return first->positions ? PLB_OK : PLB_ENOMEM;
}

void plb_key_ply_free(plb_key_ply *ply) {
    free(ply->positions);
    *ply = (plb_key_ply){0, NULL};
}
