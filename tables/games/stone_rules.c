/* SPDX-License-Identifier: MIT */
#include "tables/games/stone_rules.h"

#include "tables/binomial.h"
#include "tables/cpu_dispatch.h"
#include "tables/games/notation.h"
#include "tables/games/static_value.h"
#include "tables/games/symmetry.h"
#include "tables/reach/alternating_order.h"
#include "tables/reach/column_automaton.h"

/* ---- can it arise? ---- */

/* For public words: bit column * height + row. */
static int check_cells(const plb_game *game, uint64_t x, uint64_t o, plb_message *message) {
    if ((x | o) & ~game->board)
        return plb_fail(message, PLB_EBOARD, "a stone lies beyond the %dx%d board", game->width,
                        game->height);
    if (x & o) {
        int cell = plb_lowest(x & o);
        return plb_fail(message, PLB_ECOUNTS,
                        "column %d, row %d has both an x and an o; a cell has one stone at most",
                        cell / game->height + 1, cell % game->height + 1);
    }
    return PLB_OK;
}

static int check_stones(const plb_game *game, plb_position p, plb_message *message) {
    int x = plb_popcount(p.x), o = plb_popcount(p.o);
    int error = check_cells(game, p.x, p.o, message);
    if (error) return error;
    if (x != o && x != o + 1)
        return plb_fail(message, PLB_ECOUNTS,
                        "impossible piece counts: %d x and %d o; x moves first, so x has as many "
                        "stones as o or one more",
                        x, o);
    uint64_t occupied = p.x | p.o;
    if (game->gravity && (occupied & ~((occupied << 1) | game->bottom))) {
        int cell = plb_lowest(occupied & ~((occupied << 1) | game->bottom));
        return plb_fail(message, PLB_EFLOATING,
                        "a stone floats in the air: column %d, row %d has nothing below it",
                        plb_game_column(game, cell) + 1, plb_game_row(game, cell) + 1);
    }
    return PLB_OK;
}

typedef struct complete_groups_found {
    uint64_t shared; /* stones in all complete groups of the last mover; all bits if he has none */
    bool of_mover;   /* has the player to move a complete group? */
} complete_groups_found;

PLB_ALWAYS_INLINE complete_groups_found find_complete(const plb_game *game, plb_position position) {
    uint64_t last = plb_stones_last(position), mover = plb_stones_mover(position);
    uint64_t shared = ~0ULL, complete = 0;
    for (int g = 0; g < game->group_count; g++) {
        uint64_t group = game->groups[g];
        complete |= (group & ~mover) == 0 ? ~0ULL : 0;
        shared &= (group & ~last) == 0 ? group : ~0ULL;
    }
    return (complete_groups_found){shared, complete != 0};
}

PLB_AVX2 static complete_groups_found find_complete_avx2(const plb_game *game,
                                                         plb_position position) {
    return find_complete(game, position);
}

static plb_alternating_order find_order(const plb_game *game, const plb_column_automaton *columns,
                                        plb_position p) {
    if (columns)
        return plb_column_automaton_accepts(columns, p.x, plb_stones_occupied(p)) ? PLB_ORDER_EXISTS
                                                                                  : PLB_ORDER_NONE;
    return plb_alternating_order_find(p.x, plb_stones_occupied(p), game->width, game->height,
                                      PLB_ORDER_STEPS, NULL);
}

/* Is there an order of moves that ends with one of the `completing` stones? 0: with any stone. */
static plb_alternating_order find_order_before(const plb_game *game,
                                               const plb_column_automaton *columns,
                                               plb_position position, uint64_t completing) {
    plb_alternating_order answer = PLB_ORDER_NONE;
    if (!game->gravity) return PLB_ORDER_EXISTS;
    if (!completing) return find_order(game, columns, position);
    for (; completing && answer != PLB_ORDER_EXISTS; completing &= completing - 1) {
        uint64_t kept = ~(completing & -completing);
        plb_position before = {position.x & kept, position.o & kept};
        plb_alternating_order one = find_order(game, columns, before);
        if (one != PLB_ORDER_NONE) answer = one;
    }
    return answer;
}

static int check(const plb_game *game, const plb_column_automaton *columns, plb_position position,
                 plb_message *message) {
    int error = check_stones(game, position, message);
    if (error) return error;
    const char *mover = plb_stones_x_to_move(position) ? "x" : "o";
    const char *last = plb_stones_x_to_move(position) ? "o" : "x";
    complete_groups_found found =
        plb_has_avx2() ? find_complete_avx2(game, position) : find_complete(game, position);
    if (found.of_mover)
        return plb_fail(message, PLB_EOVER,
                        "the position continues after the end of the game: %s has a complete "
                        "group, yet %s moved after it",
                        mover, last);
    bool complete = found.shared != ~0ULL;
    uint64_t removable = plb_game_removable(game, plb_stones_occupied(position));
    uint64_t completing = found.shared & removable & plb_stones_last(position);
    if (complete && !completing)
        return plb_fail(message, PLB_EOVER,
                        "the position continues after the end of the game: no last move of %s "
                        "completes every group it has",
                        last);
    plb_alternating_order order =
        find_order_before(game, columns, position, complete ? completing : 0);
    if (order == PLB_ORDER_EXISTS) return PLB_OK;
    if (order == PLB_ORDER_UNDECIDED)
        return plb_fail(message, PLB_EUNKNOWN,
                        "a search of %d steps could not decide whether the position can be reached",
                        PLB_ORDER_STEPS);
    return plb_fail(message, PLB_EUNREACHABLE,
                    "the position cannot be reached: no order of moves in which x and o alternate "
                    "gives these columns");
}

/* ---- the end of the game ---- */

static plb_value final_value(const plb_game *game, plb_position position) {
    if (!plb_game_has_group(game, plb_stones_last(position))) return PLB_DRAW;
    return game->misere ? PLB_WIN : PLB_LOSS;
}

static uint64_t complete_groups(const plb_game *game, plb_position position) {
    uint64_t stones = plb_stones_last(position), cells = 0;
    for (int g = 0; g < game->group_count; g++)
        cells |= (game->groups[g] & ~stones) == 0 ? game->groups[g] : 0;
    return cells;
}

/* For each group that can still be completed: its missing stones come at every second ply; with
 * gravity all cells below are filled first; and the player who completes it moves last. */
static int least_plies(const plb_game *game, plb_position position, bool x_wins) {
    bool x_completes = x_wins != game->misere;
    bool odd = plb_stones_x_to_move(position) == x_completes;
    uint64_t own = x_completes ? position.x : position.o;
    uint64_t other = x_completes ? position.o : position.x;
    int least = PLB_NEVER;
    for (int g = 0; g < game->group_count; g++) {
        if (game->groups[g] & other) continue;
        int stones = 2 * plb_popcount(game->groups[g] & ~own) - odd;
        int filled = plb_popcount(game->supports[g] & ~(own | other));
        int plies = stones > filled ? stones : filled + (filled % 2 != odd);
        if (plies < least) least = plies;
    }
    return least;
}

/* ---- static values (static_value.h) ---- */

typedef struct group_summary {
    bool last_has_group;        /* has the last mover a complete group? */
    uint64_t by_last, by_mover; /* empty cells where this player completes a group */
} group_summary;

/* One pass over the groups, in which a probe spends most of its time. All masks have 64 bits, for
 * fast vector instructions. */
PLB_ALWAYS_INLINE group_summary read_groups(const plb_game *game, plb_position position) {
    uint64_t last = plb_stones_last(position), mover = plb_stones_mover(position);
    uint64_t complete = 0, by_last = 0, by_mover = 0;
    for (int g = 0; g < game->group_count; g++) {
        uint64_t lacks = game->groups[g] & ~last, needs = game->groups[g] & ~mover;
        complete |= lacks == 0 ? ~0ULL : 0;
        by_last |= (lacks & (lacks - 1)) == 0 ? lacks : 0;
        by_mover |= (needs & (needs - 1)) == 0 ? needs : 0;
    }
    uint64_t empty = game->board & ~(last | mover);
    return (group_summary){complete != 0, by_last & empty, by_mover & empty};
}

PLB_AVX2 static group_summary read_groups_avx2(const plb_game *game, plb_position position) {
    return read_groups(game, position);
}

plb_static_result plb_static_value(const plb_game *game, plb_position position) {
    uint64_t occupied = plb_stones_occupied(position);
    group_summary summary =
        plb_has_avx2() ? read_groups_avx2(game, position) : read_groups(game, position);
    if (summary.last_has_group) return plb_static_decided(game->misere ? PLB_WIN : PLB_LOSS, 0);
    if (occupied == game->board) return plb_static_decided(PLB_DRAW, 0);
    uint64_t playable = plb_game_playable(game, occupied);
    if (game->misere) return plb_static_safe_moves(playable & ~summary.by_mover, 1);
    if (summary.by_mover & playable) return plb_static_decided(PLB_WIN, 1);
    /* safe: moves after which the opponent cannot complete a group immediately */
    uint64_t threats = summary.by_last & playable, safe = threats ? threats : playable;
    if (threats & (threats - 1)) safe = 0;
    if (game->gravity) safe &= ~((summary.by_last & ~game->bottom) >> 1);
    return plb_static_safe_moves(safe, 2);
}

/* ---- moves ---- */

static int list_moves(const plb_game *game, plb_position position, uint64_t cells,
                      int moves[PLB_MAX_MOVES]) {
    int count = 0;
    cells &= plb_game_playable(game, plb_stones_occupied(position));
    for (; cells; cells &= cells - 1) moves[count++] = plb_lowest(cells);
    return count;
}

static int from_public_move(const plb_game *game, plb_position position, const plb_move *from,
                            int *move, plb_message *message) {
    if (from->column < 0 || from->column >= game->width || from->row < 0 ||
        from->row >= game->height)
        return plb_fail(message, PLB_EMOVE,
                        "a move to column %lld, row %lld is off the %dx%d board",
                        from->column + 1LL, from->row + 1LL, game->width, game->height);
    int cell = plb_game_cell(game, from->column, from->row);
    uint64_t occupied = plb_stones_occupied(position);
    bool is_over = plb_stones_is_over(game, position);
    *move = cell;
    if (!is_over && plb_game_playable(game, occupied) >> cell & 1) return PLB_OK;
    char text[PLB_MOVE_TEXT];
    plb_notation_format_move(game, cell, text);
    return plb_fail(message, PLB_EMOVE, "move %s to row %d cannot be played: %s", text,
                    from->row + 1,
                    is_over                ? "the game is over"
                    : occupied >> cell & 1 ? "the cell is taken"
                                           : "the cell below is empty");
}

static void to_public_move(const plb_game *game, int move, plb_move *to) {
    to->column = plb_game_column(game, move);
    to->row = plb_game_row(game, move);
    to->number = 0;
    plb_notation_format_move(game, move, to->text);
}

/* ---- symmetry ---- */

static plb_position map(const plb_symmetry *symmetry, int element, plb_position position) {
    return (plb_position){plb_symmetry_map(symmetry, element, position.x),
                          plb_symmetry_map(symmetry, element, position.o)};
}

static plb_position min_image(const plb_symmetry *symmetry, const uint8_t *elements, int count,
                              plb_position p) {
    plb_position min = map(symmetry, elements[0], p);
    for (int i = 1; i < count; i++)
        min.x = plb_min(min.x, plb_symmetry_map(symmetry, elements[i], p.x));
    return min;
}

/* An image with the canonical set of occupied cells. */
static plb_position representative(const plb_symmetry *symmetry, plb_position position) {
    uint64_t canonical;
    int element = plb_symmetry_canonical(symmetry, plb_stones_occupied(position), &canonical);
    if (!element) return position;
    uint64_t x = plb_symmetry_map(symmetry, element, position.x);
    return (plb_position){x, canonical ^ x};
}

/* ---- public words: bit column * height + row ---- */

static int from_words(const plb_game *game, uint64_t x, uint64_t o, plb_position *position,
                      plb_message *message) {
    int error = check_cells(game, x, o, message);
    if (error) return error;
    *position = (plb_position){plb_game_cells_of_bits(game, x), plb_game_cells_of_bits(game, o)};
    return PLB_OK;
}

static void to_words(const plb_game *game, plb_position position, uint64_t *x, uint64_t *o) {
    *x = plb_game_bits_of_cells(game, position.x);
    *o = plb_game_bits_of_cells(game, position.o);
}

static void read_cells(const plb_game *game, plb_position position, plb_cell cells[PLB_MAX_CELLS]) {
    uint64_t x, o;
    to_words(game, position, &x, &o);
    for (int cell = 0; cell < game->cells; cell++) {
        char player = x >> cell & 1 ? 'x' : o >> cell & 1 ? 'o' : 0;
        cells[cell] = (plb_cell){.player = player, .text = {player}};
    }
}

/* ---- the table ---- */

static double fillings(const plb_game *game, int ply) {
    (void)game;
    return (double)plb_binomial[ply][plb_ply_ones(ply)];
}

/* x has k stones on ply 2k - 1. */
static int first_end(const plb_game *game) {
    return 2 * (game->group_count ? game->min_group : game->cells) - 1;
}

const plb_rules plb_rules_of_stones = {
    .ply = plb_stones_ply,
    .check = check,
    .is_over = plb_stones_is_over,
    .final_value = final_value,
    .complete_groups = complete_groups,
    .static_value = plb_static_value,
    .fillings = fillings,
    .first_end = first_end,
    .least_plies = least_plies,
    .list_moves = list_moves,
    .play = plb_stones_play,
    .map = map,
    .min_image = min_image,
    .representative = representative,
    .from_words = from_words,
    .to_words = to_words,
    .from_public_move = from_public_move,
    .to_public_move = to_public_move,
    .read_cells = read_cells,
    .parse_board = plb_notation_parse_board,
    .format_board = plb_notation_format_board,
    .read_move = plb_notation_read_move,
};
