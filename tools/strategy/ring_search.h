/* SPDX-License-Identifier: MIT
 *
 * Rings of one row and odd width, misere with k = 3: does the second player win, or is it a draw?
 *
 * The second player never loses: after the first stone the other cells, an even number, form pairs
 * of neighbours, and he takes the other cell of each pair that the first player begins. If the ring
 * fills up, the first player makes the last move. So the second player wins exactly if the first
 * player is the first to have only moves that complete a group. This is a game in which the player
 * who cannot move loses. Its positions are sums of independent components; a component and the same
 * component with x and o exchanged cancel. Source: J. H. Conway, On Numbers and Games, chapters 7
 * and 8. Must not know: games, positions.
 */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "tables/message.h"

enum { RING_MAX_WIDTH = 63 };

typedef struct ring_options {
    int width;                                     /* odd, from 3 to RING_MAX_WIDTH */
    double memory_bytes;                           /* of the transposition table */
    const volatile sig_atomic_t *stop;             /* nonzero: PLB_EINTERRUPTED soon; or NULL */
    void (*report)(void *context, uint64_t nodes); /* or NULL */
    void *context;
} ring_options;

typedef struct ring_result {
    bool second_wins; /* false: a draw */
    uint64_t nodes;   /* positions that were searched */
} ring_result;

/* Solve a ring. Errors: PLB_ENOMEM, PLB_EINTERRUPTED. */
int ring_search(const ring_options *options, ring_result *result, plb_message *message);
