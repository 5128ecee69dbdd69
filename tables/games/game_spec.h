/* SPDX-License-Identifier: MIT
 *
 * Specs, the names of games, such as `connect-7x6-k4-misere-cylinder`; and the families of games. A
 * family is one row of a table in game_spec.c, with all that distinguishes it from the others. To
 * add a family, add its row and a function that lists its groups.
 */
#pragma once

#include "tables/games/game.h"

enum {
    PLB_SPEC_TEXT = 64, /* bytes for any spec, with the final zero */
    PLB_GOAL_TEXT = 32, /* bytes for any goal, with the final zero */
};

/* Make a game from its spec. Suffixes may come in any order.
 * Errors: PLB_ESPEC; the message says what was read and what would be right. */
int plb_game_parse(const char *spec, plb_game *game, plb_message *message);

/* Parse a spec of any board size, even of a board that is too big. Only the fields that the spec
 * gives are set: there are no cells and no groups. Errors: PLB_ESPEC. */
int plb_spec_read(const char *spec, plb_game *game, plb_message *message);

/* Write the canonical spec, in which misere comes before cylinder: inverse of plb_game_parse. */
void plb_game_format(const plb_game *game, char text[PLB_SPEC_TEXT]);

/* Write the goal, what a player completes, for a human reader: `4 in a row`, `a square`. */
void plb_game_format_goal(const plb_game *game, char text[PLB_GOAL_TEXT]);

/* ---- families ---- */

struct plb_family {
    const char *name;    /* specs begin with it */
    int group_stones;    /* stones of a group; 0: given by K of the spec or by read_rest */
    bool gravity;        /* a stone rests on another one or on the bottom */
    bool takes_cylinder; /* specs may have -cylinder */
    plb_group_lister *add_groups;
    const plb_rules *rules;
    /* Parse and write the part of a spec after the board. NULL: [-kK][-misere][-cylinder].
     * Errors: PLB_ESPEC. */
    int (*read_rest)(const char *rest, plb_game *game, plb_message *message);
    void (*format_rest)(const plb_game *game, char *text);
    /* Texts for a human reader: the form of specs, the rules, and the goal without K. */
    const char *form, *help, *goal;
};

/* Family `number`, from 0 on, in the order of listings; NULL after the last. */
const plb_family *plb_family_at(int number);
