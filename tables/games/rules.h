/* SPDX-License-Identifier: MIT
 *
 * Positions, and the rules of a game as a table of functions. Code that works with positions of any
 * game asks these; only those who work with one kind of state, such as the index of stones
 * (index.h) and the kernels of the builder, look into a position.
 *
 *     connect, mnk, square   two sets of stones                    stone_rules.h
 *     numeric                numbers, and the cells they lie on    number_rules.h
 *
 * To add a game with another state, write its functions and name them in the rows of its families
 * (game_spec.c). Everything here looks at one position. Must not know: indices, files.
 */
#ifndef PLB_TABLES_GAMES_RULES_H
#define PLB_TABLES_GAMES_RULES_H

#include "tables/games/game.h"

typedef struct plb_symmetry plb_symmetry;                 /* symmetry.h */
typedef struct plb_column_automaton plb_column_automaton; /* tables/reach/column_automaton.h */

/* Two words; what they mean is the game's to say. All bits 0: the empty board. */
typedef struct plb_position {
    uint64_t x, o;
} plb_position;

/* More plies than any game has: the player does not win at all. */
enum { PLB_NEVER = 200 };

/* What the rules alone say of the value of a position (static_value.h). */
typedef enum plb_static_result_kind { PLB_DECIDED, PLB_FORCED, PLB_QUIET } plb_static_result_kind;

typedef struct plb_static_result {
    plb_static_result_kind kind;
    plb_value value; /* when decided, for the player to move */
    int dtm;         /* when decided, plies to the end, or of a draw PLB_NO_DTM */
    uint64_t cells;  /* when forced, the cell of the move; when quiet, those of all moves that do
                        not lose immediately */
} plb_static_result;

static inline plb_static_result plb_static_decided(plb_value value, int dtm) {
    return (plb_static_result){PLB_DECIDED, value, value == PLB_DRAW ? PLB_NO_DTM : dtm, 0};
}

/* All moves but those to safe cells lose immediately, and then the game ends dtm plies from here.
 */
static inline plb_static_result plb_static_among(uint64_t safe, int dtm) {
    if (!safe) return plb_static_decided(PLB_LOSS, dtm);
    return (plb_static_result){safe & (safe - 1) ? PLB_QUIET : PLB_FORCED, PLB_DRAW, PLB_NO_DTM,
                               safe};
}

/* The functions of a game. None fails but those that return an error, none allocates, and any
 * number of threads may call them. A move is a number that the game gives it; its lowest 6 bits are
 * the cell (plb_move_cell), and in games of stones that is all of it. */
struct plb_rules {
    int (*ply)(plb_position position); /* moves that have been made */

    /* Can the position arise by legal moves from the empty board? Errors: PLB_EBOARD, PLB_ECOUNTS,
     * PLB_EFLOATING, PLB_EOVER (a move was made after the game's end), PLB_EUNREACHABLE. columns:
     * the automaton of the board, which answers that sooner than a search does, or NULL. */
    int (*check)(const plb_game *game, const plb_column_automaton *columns, plb_position position,
                 plb_message *message);

    /* Of a position that can arise; so are all below up to the symmetries. Has the last mover
     * completed a group, or is the board full? Its value then, for the player to move. The cells of
     * all complete groups. What the rules alone say of its value. */
    bool (*is_over)(const plb_game *game, plb_position position);
    plb_value (*final_value)(const plb_game *game, plb_position position);
    uint64_t (*complete_groups)(const plb_game *game, plb_position position);
    plb_static_result (*static_value)(const plb_game *game, plb_position position);

    /* Ways to put what players have on a set of cells that are occupied on a ply, ended games too;
     * and the first odd ply, from which on one of x and o can complete a group. */
    double (*fillings)(const plb_game *game, int ply);
    int (*first_end)(const plb_game *game);

    /* A lower bound of the plies in which a player, x or o, can win; PLB_NEVER: not at all. */
    int (*least_plies)(const plb_game *game, plb_position position, bool x_wins);

    /* The moves to some cells, in ascending order of cells, of a position that is not over; returns
     * how many there are. And the position after one of them. */
    int (*list_moves)(const plb_game *game, plb_position position, uint64_t cells,
                      int moves[PLB_MAX_MOVES]);
    plb_position (*play)(plb_position position, int move);

    /* Propose the symmetries of a game with plb_symmetry_add; NULL: those of its rectangle. */
    void (*add_symmetries)(const plb_game *game, plb_symmetry *symmetry);

    /* The image of a position under an element of the symmetry group; the least one under some that
     * give its second word the same image (tables/index/orbit.h); and one image that represents
     * all: those of symmetric positions are nearly always equal. */
    plb_position (*map)(const plb_symmetry *symmetry, int element, plb_position position);
    plb_position (*least)(const plb_symmetry *symmetry, const uint8_t *elements, int count,
                          plb_position position);
    plb_position (*representative)(const plb_symmetry *symmetry, plb_position position);

    /* From the words of the public library, and back. Errors: PLB_EBOARD, PLB_ECOUNTS: no position
     * of the board has these words; whether one can arise is not checked. */
    int (*from_words)(const plb_game *game, uint64_t x, uint64_t o, plb_position *position,
                      plb_message *message);
    void (*to_words)(const plb_game *game, plb_position position, uint64_t *x, uint64_t *o);

    /* From a public move, of which value, dtm and text are not read, and back: column, row,
     * number and text are written. Errors: PLB_EMOVE (off the board, not playable, the game is
     * over). */
    int (*from_public_move)(const plb_game *game, plb_position position, const plb_move *from,
                            int *move, plb_message *message);
    void (*to_public_move)(const plb_game *game, int move, plb_move *to);

    /* What stands on each cell; cell column * height + row of these. */
    void (*read_cells)(const plb_game *game, plb_position position, plb_cell cells[PLB_MAX_CELLS]);

    /* Text: a board (PLB_ESYNTAX, PLB_EBOARD: only its form is checked), and back; a move that
     * `text` has at *next, which is then its end (PLB_ESYNTAX, PLB_EMOVE: it cannot be played). */
    int (*parse_board)(const plb_game *game, const char *text, plb_position *position,
                       plb_message *message);
    void (*format_board)(const plb_game *game, plb_position position, char text[PLB_BOARD_TEXT]);
    int (*read_move)(const plb_game *game, plb_position position, const char *text,
                     const char **next, int *move, plb_message *message);
};

/* ---- plies, of all games: x moves first ---- */

static inline bool plb_ply_x_moves(int ply) {
    return ply % 2 == 0;
}

/* Moves of x, and so its stones, on a ply. */
static inline int plb_ply_ones(int ply) {
    return (ply + 1) / 2;
}

/* ---- what is asked most, by name ---- */

static inline int plb_rules_ply(const plb_game *game, plb_position position) {
    return game->rules->ply(position);
}
static inline bool plb_rules_x_to_move(const plb_game *game, plb_position position) {
    return plb_ply_x_moves(game->rules->ply(position));
}
static inline int plb_rules_check(const plb_game *game, plb_position position,
                                  plb_message *message) {
    return game->rules->check(game, NULL, position, message);
}
static inline bool plb_rules_is_over(const plb_game *game, plb_position position) {
    return game->rules->is_over(game, position);
}
static inline plb_value plb_rules_final_value(const plb_game *game, plb_position position) {
    return game->rules->final_value(game, position);
}
static inline plb_static_result plb_rules_static_value(const plb_game *game,
                                                       plb_position position) {
    return game->rules->static_value(game, position);
}
static inline plb_position plb_rules_play(const plb_game *game, plb_position position, int move) {
    return game->rules->play(position, move);
}

static inline void plb_rules_to_words(const plb_game *game, plb_position position, uint64_t *x,
                                      uint64_t *o) {
    game->rules->to_words(game, position, x, o);
}
static inline void plb_rules_format_board(const plb_game *game, plb_position position,
                                          char text[PLB_BOARD_TEXT]) {
    game->rules->format_board(game, position, text);
}

/* All legal moves, none when the game is over; returns how many. */
static inline int plb_rules_moves(const plb_game *game, plb_position position,
                                  int moves[PLB_MAX_MOVES]) {
    if (game->rules->is_over(game, position)) return 0;
    return game->rules->list_moves(game, position, game->board, moves);
}

/* The cell of a move. */
static inline int plb_move_cell(int move) {
    return move % PLB_MAX_CELLS;
}

#endif
