/* SPDX-License-Identifier: MIT
 *
 * Families of games: one row for each says all that distinguishes it from the others. To add a
 * family of groups, write its row in families.c and the function that lists its groups. Must not
 * know: indices, files.
 */
#ifndef PLB_TABLES_GAMES_FAMILIES_H
#define PLB_TABLES_GAMES_FAMILIES_H

#include "tables/games/game.h"

struct plb_family {
    const char *name;    /* what its specs begin with */
    int group_stones;    /* stones of a group; 0: K of the spec, or what read_rest says */
    bool gravity;        /* a stone rests on another or on the bottom */
    bool takes_cylinder; /* its specs may end with -cylinder; all without read_rest with -misere */
    plb_group_lister *add_groups;
    const plb_rules *rules;
    /* Read what follows the board in a spec, and write it; NULL: [-kK][-misere][-cylinder].
     * Errors: PLB_ESPEC. */
    int (*read_rest)(const char *rest, plb_game *game, plb_message *message);
    void (*format_rest)(const plb_game *game, char *text);
    /* For people: the form of its specs, its rules, and what a player completes, after K if it has
     * one. */
    const char *form, *help, *goal;
};

/* The families in the order in which they are listed; NULL after the last. */
const plb_family *plb_family_at(int number);

#endif
