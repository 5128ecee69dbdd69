/* SPDX-License-Identifier: MIT
 *
 * The dialogue of a game between a person and a table: it answers lines of the person on stdout. It
 * does not read them: command_play does.
 */
#pragma once

#include "tools/play/game_session.h"
#include "tools/terminal/board.h"

typedef struct game_dialogue {
    game_session session;
    const char *board, *moves; /* the first position, as text; NULL if not given */
    bool is_framed;            /* draw boards for a terminal; else simple ones, for scripts */
    frame_style style;         /* a simple board uses its colours */
    bool is_done;              /* the person has quit */
    const char *reasons[PLB_MAX_MOVES]; /* [number of a move] why the guide made it */
} game_dialogue;

/* Print the rules; the table moves if it is its turn. Errors: those of plb_find_best. */
int dialogue_begin(game_dialogue *dialogue, plb_message *message);

enum { DIALOGUE_SIDE = 8, DIALOGUE_PROMPT = DIALOGUE_SIDE + 4 };

/* Format the prompt, such as `x> `. Returns text. */
char *dialogue_prompt(const game_dialogue *dialogue, char text[DIALOGUE_PROMPT]);

/* Answer a line: a move, a command of `help`, or anything else. The line is changed.
 * Errors: those of plb_find_best; a wrong line is not an error. */
int dialogue_answer(game_dialogue *dialogue, char *line, plb_message *message);
