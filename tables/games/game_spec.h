/* SPDX-License-Identifier: MIT
 *
 * Specs: the names of games, such as `connect-7x6-k4-misere-cylinder`, and the families of games.
 * One row for each family says all that distinguishes it from the others, and what comes after the
 * board in its specs. To add a family of groups, write its row in game_spec.c and the function that
 * lists its groups.
 */
#ifndef PLB_TABLES_GAMES_GAME_SPEC_H
#define PLB_TABLES_GAMES_GAME_SPEC_H

#include "tables/games/game.h"

enum {
    PLB_SPEC_TEXT = 64, /* bytes for any spec, with the final zero */
    PLB_GOAL_TEXT = 32, /* the same for what a player completes */
};

/* A game from its spec; the suffixes may come in any order.
 * Errors: PLB_ESPEC with what was read and what would be right. */
int plb_game_parse(const char *spec, plb_game *game, plb_message *message);

/* What a spec says of a game with a board of any size; the game has neither cells nor groups.
 * Errors: PLB_ESPEC. */
int plb_spec_read(const char *spec, plb_game *game, plb_message *message);

/* The canonical spec, in which misere comes before cylinder: inverse of plb_game_parse. */
void plb_game_format(const plb_game *game, char text[PLB_SPEC_TEXT]);

/* What a player completes, for people: `4 in a row`, `a square`. */
void plb_game_format_goal(const plb_game *game, char text[PLB_GOAL_TEXT]);

/* ---- families ---- */

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
