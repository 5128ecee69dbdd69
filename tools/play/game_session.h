/* SPDX-License-Identifier: MIT
 *
 * A game between a person and a table: its moves, whose turn it is, which moves a text can mean.
 * Uses the public header alone; prints nothing and chooses no moves.
 */
#ifndef PLB_TOOLS_PLAY_GAME_SESSION_H
#define PLB_TOOLS_PLAY_GAME_SESSION_H

#include "probe/plybase.h"

typedef struct game_session game_session;

/* Who plays in place of the table, which then knows only the rules of the game. */
typedef struct session_guide {
    /* All legal moves, none at the end of the game; and those of which it would make any one, in
     * its turn. Errors: PLB_EUNKNOWN: there are none of these. */
    int (*list_moves)(void *context, const game_session *session, plb_move moves[PLB_MAX_MOVES],
                      int *count, plb_message *message);
    int (*list_replies)(void *context, const game_session *session, plb_move moves[PLB_MAX_MOVES],
                        int *count, plb_message *message);

    /* Why it makes a move, as a clause that follows `I played 4:`. Static storage. */
    const char *(*explain)(void *context, const game_session *session, const plb_move *move);

    const char *introduction; /* what it does, in a sentence */
    void *context;
} session_guide;

struct game_session {
    const plb_table *table;
    const session_guide *guide;    /* or NULL: the table plays */
    uint64_t start_x, start_o;     /* where the game began */
    uint64_t x, o;                 /* where it is now */
    char person;                   /* the side of the person, 'x' or 'o' */
    int count;                     /* moves since the start */
    plb_move moves[PLB_MAX_MOVES]; /* [count] */
};

/* The bit of the move that was made last; 0 where none was made since the start. */
uint64_t session_last_bit(const game_session *session);

/* Is it the person's turn? Also after the end of the game: the side that would be to move. */
bool session_is_persons_turn(const game_session *session);

/* Play a legal move for the side to move. */
void session_play(game_session *session, const plb_move *move);

/* Go back to the person's turn before this one, or from the table's turn to the one before it.
 * Returns how many moves were taken back; 0, and nothing changes, where there is no such turn. */
int session_undo(game_session *session);

/* Go back to the start; the person keeps the side. */
void session_restart(game_session *session);

/* The move that a text in small letters names.
 *
 * text  [in]   "4" with gravity, else "b3", and in games of numbers "5@b3"
 * move  [out]
 *
 * Errors:  PLB_ESYNTAX: the text is not the name of a move; PLB_EMOVE: off the board, column full,
 *          cell taken, game over; the message is a whole sentence that says what would be right.
 *          Those of plb_moves.  */
int session_find_move(const game_session *session, const char *text, plb_move *move,
                      plb_message *message);

enum { SESSION_NAMES = 48 };

/* How moves are called on a board, as in `columns 1 to 5`, `cells a1 to c3` or
 * `a number, @ and a cell a1 to c3`. Returns text. */
char *session_name_moves(const plb_table_info *info, char text[SESSION_NAMES]);

#endif
