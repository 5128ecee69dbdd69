/* SPDX-License-Identifier: MIT
 *
 * Rings of one row and odd width, misere with k = 3: does the second player win, or is it a draw?
 *
 * The second player never loses: behind the first stone the other cells, an even number, are pairs,
 * and he takes the other cell of each pair that the first player begins. If the ring fills up, the
 * first player moves last. So the second player wins if the first player is the first one who has
 * no move left that completes no group: a game in which the player who cannot move loses. Its
 * positions are sums of components that do not touch each other; a component and the same component
 * with exchanged stones cancel. Source: J. H. Conway, On Numbers and Games, chapters 7 and 8. Must
 * not know: games, positions.
 */
#ifndef PLB_TOOLS_STRATEGY_RING_SEARCH_H
#define PLB_TOOLS_STRATEGY_RING_SEARCH_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "tables/message.h"

enum { RING_MAX_WIDTH = 63 };

typedef struct ring_options {
    int width;                                     /* odd, from 3 to RING_MAX_WIDTH */
    double memory_bytes;                           /* of known positions */
    const volatile sig_atomic_t *stop;             /* raised: PLB_EINTERRUPTED soon; or NULL */
    void (*report)(void *context, uint64_t nodes); /* now and then, or NULL */
    void *context;
} ring_options;

typedef struct ring_result {
    bool second_wins; /* else a draw */
    uint64_t nodes;   /* positions that were searched */
} ring_result;

/* Errors: PLB_EARGUMENT: the width; PLB_ENOMEM, PLB_EINTERRUPTED. */
int ring_search(const ring_options *options, ring_result *result, plb_message *message);

#endif
