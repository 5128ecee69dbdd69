/* SPDX-License-Identifier: MIT
 *
 * Positions, and the rules of a game as a table of functions. Code for any game calls these
 * functions. Only code for one kind of position, such as the index of stones (index.h) and the
 * kernels of the builder, reads the fields of a position.
 *
 *     connect, mnk, square   two sets of stones                    stone_rules.h
 *     numeric                numbers, and the cells they lie on    number_rules.h
 *
 * To add a game with another kind of position, write its functions and put their table in the rows
 * of its families (game_spec.c). Must not know: indices, files.
 */
#pragma once

#include "tables/games/game.h"

typedef struct plb_symmetry plb_symmetry;                 /* symmetry.h */
typedef struct plb_column_automaton plb_column_automaton; /* tables/reach/column_automaton.h */

/* Two 64-bit words, whose meaning depends on the rules. Both 0: the empty board. */
typedef struct plb_position {
    uint64_t x, o;
} plb_position;

/* In place of a number of plies: the player cannot win. More than any game has. */
enum { PLB_NEVER = 200 };

/* What the rules alone say about the value of a position (static_value.h). */
typedef enum plb_static_result_kind { PLB_DECIDED, PLB_FORCED, PLB_QUIET } plb_static_result_kind;

typedef struct plb_static_result {
    plb_static_result_kind kind;
    plb_value value; /* if decided, for the player to move */
    int dtm;         /* if decided, plies to the end; PLB_NO_DTM for a draw */
    uint64_t cells; /* if forced, the cell of the move; if quiet, the cells of all moves that do not
                       lose immediately */
} plb_static_result;

static inline plb_static_result plb_static_decided(plb_value value, int dtm) {
    return (plb_static_result){PLB_DECIDED, value, value == PLB_DRAW ? PLB_NO_DTM : dtm, 0};
}

/* The result if every move to a cell outside `safe` loses, and the game then ends in dtm plies. */
static inline plb_static_result plb_static_safe_moves(uint64_t safe, int dtm) {
    if (!safe) return plb_static_decided(PLB_LOSS, dtm);
    return (plb_static_result){safe & (safe - 1) ? PLB_QUIET : PLB_FORCED, PLB_DRAW, PLB_NO_DTM,
                               safe};
}

/* The functions of a game. Only those that return an error can fail; none allocates memory.
 * Threads: safe. A move is an int: its lowest 6 bits are the cell (plb_move_cell); in games of
 * stones it has no others. */
struct plb_rules {
    int (*ply)(plb_position position);

    /* Can the position arise by legal moves from the empty board? columns: the automaton of the
     * board, which is faster than a search; or NULL. Errors: PLB_EBOARD, PLB_ECOUNTS,
     * PLB_EFLOATING, PLB_EOVER (a move was made after the end of the game), PLB_EUNREACHABLE. */
    int (*check)(const plb_game *game, const plb_column_automaton *columns, plb_position position,
                 plb_message *message);

    /* The functions from here to add_symmetries are for positions that can arise. */

    /* Has the last mover completed a group, or is the board full? */
    bool (*is_over)(const plb_game *game, plb_position position);

    /* The value of a position that is over, for the player to move. */
    plb_value (*final_value)(const plb_game *game, plb_position position);

    /* The cells of all complete groups. */
    uint64_t (*complete_groups)(const plb_game *game, plb_position position);
    plb_static_result (*static_value)(const plb_game *game, plb_position position);

    /* The number of ways to fill a set of cells that are occupied on a ply, legal or not. */
    double (*fillings)(const plb_game *game, int ply);

    /* The first odd ply such that a group can be complete on it or on the next ply. */
    int (*first_end)(const plb_game *game);

    /* A lower bound of the plies until a player, x or o, can win; PLB_NEVER: he cannot. */
    int (*least_plies)(const plb_game *game, plb_position position, bool x_wins);

    /* List the moves to these cells, in ascending order of cells; returns their number. The
     * position is not over. */
    int (*list_moves)(const plb_game *game, plb_position position, uint64_t cells,
                      int moves[PLB_MAX_MOVES]);
    plb_position (*play)(plb_position position, int move);

    /* Add the symmetries of a game with plb_symmetry_add. NULL: those of a rectangle. */
    void (*add_symmetries)(const plb_game *game, plb_symmetry *symmetry);

    /* The image of a position under an element of the symmetry group. */
    plb_position (*map)(const plb_symmetry *symmetry, int element, plb_position position);

    /* The smallest image under these elements, which give the field o the same image
     * (tables/index/orbit.h). */
    plb_position (*min_image)(const plb_symmetry *symmetry, const uint8_t *elements, int count,
                              plb_position position);

    /* One of the images. For symmetric positions it is nearly always the same one: a key for
     * caches. */
    plb_position (*representative)(const plb_symmetry *symmetry, plb_position position);

    /* Convert from and to the two words of the public library. Whether the position can arise is
     * not checked. Errors: PLB_EBOARD, PLB_ECOUNTS: no position of the board has these words. */
    int (*from_words)(const plb_game *game, uint64_t x, uint64_t o, plb_position *position,
                      plb_message *message);
    void (*to_words)(const plb_game *game, plb_position position, uint64_t *x, uint64_t *o);

    /* Convert from and to a public move: column, row and number; to_public_move also writes text.
     * Errors: PLB_EMOVE (off the board, not playable, the game is over). */
    int (*from_public_move)(const plb_game *game, plb_position position, const plb_move *from,
                            int *move, plb_message *message);
    void (*to_public_move)(const plb_game *game, int move, plb_move *to);

    /* The contents of each cell; cells are numbered column * height + row. */
    void (*read_cells)(const plb_game *game, plb_position position, plb_cell cells[PLB_MAX_CELLS]);

    /* Parse and write a board. Errors: PLB_ESYNTAX, PLB_EBOARD; only the form is checked. */
    int (*parse_board)(const plb_game *game, const char *text, plb_position *position,
                       plb_message *message);
    void (*format_board)(const plb_game *game, plb_position position, char text[PLB_BOARD_TEXT]);

    /* Parse the move at *next in `text`, and set *next to its end. Errors: PLB_ESYNTAX, PLB_EMOVE
     * (it cannot be played). */
    int (*read_move)(const plb_game *game, plb_position position, const char *text,
                     const char **next, int *move, plb_message *message);
};

/* ---- plies, of all games: x moves first ---- */

static inline bool plb_ply_x_moves(int ply) {
    return ply % 2 == 0;
}

/* The number of moves of x on a ply. */
static inline int plb_ply_ones(int ply) {
    return (ply + 1) / 2;
}

/* ---- shorter names of some functions ---- */

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

/* List all legal moves, none if the game is over; returns their number. */
static inline int plb_rules_moves(const plb_game *game, plb_position position,
                                  int moves[PLB_MAX_MOVES]) {
    if (game->rules->is_over(game, position)) return 0;
    return game->rules->list_moves(game, position, game->board, moves);
}

/* The cell of a move. */
static inline int plb_move_cell(int move) {
    return move % PLB_MAX_CELLS;
}
