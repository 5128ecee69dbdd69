/* SPDX-License-Identifier: MIT
 *
 * The dialogue of a game between a person and a table: it reads lines of the person, and writes
 * answers to stdout. Must not know where lines come from.
 */
#ifndef PLB_TOOLS_PLAY_GAME_DIALOGUE_H
#define PLB_TOOLS_PLAY_GAME_DIALOGUE_H

#include "tools/play/game_session.h"
#include "tools/play/move_choice.h"
#include "tools/terminal/board.h"

typedef struct game_dialogue {
    game_session session;
    const char *board, *moves; /* where the game began, as text; NULL where not given */
    move_choice choice;        /* of the table's moves */
    bool is_framed;            /* boards are drawn for a terminal; else simple, for scripts */
    frame_style style;         /* a simple board has colours, too */
    bool is_done;              /* the person has had enough */
    const char *reasons[PLB_MAX_MOVES]; /* of a guide's moves, by their number in the session */
} game_dialogue;

/* Greet the person; the table moves if it is its turn. Errors: those of plb_find_best. */
int dialogue_begin(game_dialogue *dialogue, plb_message *message);

enum { DIALOGUE_SIDE = 8, DIALOGUE_PROMPT = DIALOGUE_SIDE + 4 };

/* What invites the person to enter a line, as in `x> `. Returns text. */
char *dialogue_prompt(const game_dialogue *dialogue, char text[DIALOGUE_PROMPT]);

/* Answer a line: a move, a word of `help`, or anything. The line is changed.
 * Errors: those of plb_find_best, nothing that a person can say. */
int dialogue_answer(game_dialogue *dialogue, char *line, plb_message *message);

#endif
