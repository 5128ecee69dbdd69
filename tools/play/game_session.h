/* SPDX-License-Identifier: MIT
 *
 * A game between a person and a table: its moves, whose turn it is, parsing of moves, and the move
 * that the table makes. It uses only the public header, and prints nothing.
 */
#pragma once

#include "probe/plybase.h"

typedef struct game_session game_session;

/* A player in place of the table, which then knows only the rules of the game. */
typedef struct session_guide {
    /* The moves that the guide allows itself, in its turn. Errors: PLB_EUNKNOWN: it allows none. */
    int (*list_moves)(void *context, const game_session *session, plb_move moves[PLB_MAX_MOVES],
                      int *count, plb_message *message);

    /* Why it makes a move: a clause that follows `I played 4:`. Static storage. */
    const char *(*explain)(void *context, const game_session *session, const plb_move *move);

    const char *introduction; /* a sentence about its rule */
    void *context;
} session_guide;

/* At level L the table makes a worse move on purpose, LEVELS - L times in LEVELS. */
enum { LEVELS = 10 };

/* How to choose a move. */
typedef struct move_choice {
    bool is_random;  /* a random one of the best moves; else the one that resists most */
    int level;       /* 1 to LEVELS - 1; 0: no mistakes */
    uint64_t random; /* state of the generator */
} move_choice;

struct game_session {
    const plb_table *table;
    const session_guide *guide;    /* or NULL: the table plays */
    uint64_t start_x, start_o;     /* the first position */
    uint64_t x, o;                 /* the current position */
    char person;                   /* the side of the person, 'x' or 'o' */
    move_choice choice;            /* how the table chooses moves */
    int count;                     /* number of moves since the start */
    plb_move moves[PLB_MAX_MOVES]; /* [count] */
};

/* Is the person to move? After the end of the game: would he be? */
bool session_is_persons_turn(const game_session *session);

/* Make a legal move. */
void session_play(game_session *session, const plb_move *move);

/* Go back to the person's last turn before this position. Returns the number of moves that were
 * taken back; if there was no such turn, 0, and nothing changes. */
int session_undo(game_session *session);

/* Go back to the start; the person keeps the side. */
void session_restart(game_session *session);

/* Parse a move in lower case.
 *
 * text  [in]   "4" with gravity, else "b3", and in games of numbers "5@b3"
 *
 * Errors:  PLB_ESYNTAX: the text is not a move; PLB_EMOVE: off the board, column full, cell taken
 *          or game over; the message is a complete sentence that says what would be right.  */
int session_find_move(const game_session *session, const char *text, plb_move *move,
                      plb_message *message);

enum { SESSION_NAMES = 48 };

/* Describe the moves of a board: `columns 1 to 5`, `cells a1 to c3` or
 * `a number, @ and a cell a1 to c3`. Returns text. */
char *session_name_moves(const plb_table_info *info, char text[SESSION_NAMES]);

/* ---- the best moves, and the move that the table makes ---- */

/* Explain the level in a sentence. Returns text. */
enum { LEVEL_TEXT = 112 };
char *describe_level(const game_session *session, char text[LEVEL_TEXT]);

/* Choose a move for the side to move. With a guide it is a move that the guide allows. With a level
 * it is, LEVELS - level times in LEVELS, a random one of the moves that have a lower value than the
 * best ones, if there are any. Errors: those of plb_find_resistance; PLB_EMOVE: the game is over;
 * PLB_EUNKNOWN: the guide has no move. */
int choose_move(game_session *session, plb_move *move, plb_message *message);

/* Find the best moves of the side to move, ordered by the resistance within `plies` (0 if the table
 * is a strategy). Errors: those of plb_find_best. */
int advice_best(const game_session *session, int plies, plb_resistance *found,
                plb_message *message);

/* List all moves, best first as in plb_moves, with their distances if a short search finds them. An
 * unknown distance counts as longer than any other. Errors: those of plb_find_best. */
int advice_moves(const game_session *session, plb_move moves[PLB_MAX_MOVES], int *count,
                 plb_message *message);
