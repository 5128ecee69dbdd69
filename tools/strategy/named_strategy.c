/* SPDX-License-Identifier: MIT
 *
 * The strategies: where they apply, which moves they allow, and why. Rows of the board are numbered
 * from 0, so that an even row of the paper is an odd one here.
 *
 * On a cylinder take-even needs no change, as the paper says. In a ring take-other keeps its player
 * from k in a row if any k neighbouring cells contain a whole pair: for even widths, and for odd
 * widths from k = 4 on (the cell without a partner and one cell of each pair beside it are three in
 * a row that he can get). The rest of the proof of Theorem 2 is about rows, and a cylinder has the
 * same rows.
 */
#include "tools/strategy/named_strategy.h"

#include <string.h>

#include "tables/bits.h"
#include "tables/games/stone_rules.h"
#include "tools/strategy/bottom_row.h"

/* ---- boards ---- */

bool named_strategy_knows(const plb_game *game) {
    return game->misere && game->gravity && game->k > 0;
}

/* A full row without k neighbouring stones of a player has at least so many of the other player. */
static int min_gaps(const plb_game *g) {
    return g->cylinder ? (g->width + g->k - 1) / g->k : g->width / g->k;
}

/* Does take-other keep its player from a group in the bottom row? */
static bool pairs_suffice(const plb_game *g) {
    return g->k >= 4 || (g->k == 3 && (!g->cylinder || g->width % 2 == 0));
}

static bool refuse(plb_message *why, const char *what) {
    plb_fail(why, PLB_EARGUMENT, "%s", what);
    return false;
}

static bool refuse_player(plb_message *why, int player) {
    plb_fail(why, PLB_EARGUMENT, "here it is a strategy of the %s player",
             player == 0 ? "first" : "second");
    return false;
}

/* ---- turns ---- */

static uint64_t own_stones(const strategy_turn *t) {
    return t->player == 0 ? t->position.x : t->position.o;
}

static uint64_t playable(const strategy_turn *t) {
    return plb_game_playable(t->game, plb_stones_occupied(t->position));
}

static bool is_own_column(const strategy_turn *t, int column) {
    return own_stones(t) >> plb_game_cell(t->game, column, 0) & 1;
}

static bottom_row read_bottom_row(const strategy_turn *t) {
    bottom_row row = {.width = t->game->width};
    uint64_t occupied = plb_stones_occupied(t->position);
    for (int c = 0; c < row.width; c++) {
        bool taken = occupied >> plb_game_cell(t->game, c, 0) & 1;
        row.cells[c] = !taken ? CELL_EMPTY : is_own_column(t, c) ? CELL_OWN : CELL_OTHER;
    }
    return row;
}

/* The cells of the columns that a rule of the bottom row allows. */
static uint64_t bottom_cells(const strategy_turn *t, uint64_t (*rule)(const bottom_row *row)) {
    bottom_row row = read_bottom_row(t);
    uint64_t cells = 0;
    for (uint64_t columns = rule(&row); columns; columns &= columns - 1)
        cells |= 1ULL << plb_game_cell(t->game, plb_lowest(columns), 0);
    return cells;
}

/* The playable cells of every second row, from row `from` on. */
static uint64_t playable_in_rows(const strategy_turn *t, int from) {
    uint64_t cells = 0;
    for (int row = from; row < t->game->height; row += 2) cells |= t->game->bottom << row;
    return cells & playable(t);
}

static uint64_t safe_moves(const strategy_turn *t) {
    uint64_t cells = playable(t);
    return cells & ~plb_game_completing(t->game, own_stones(t), cells);
}

static bool last_was_above_bottom(const strategy_turn *t) {
    return t->last >= 0 && plb_game_row(t->game, t->last) > 0;
}

static bool is_at_bottom(const strategy_turn *t, int cell) {
    return plb_game_row(t->game, cell) == 0;
}

/* ---- take-even ---- */

static bool take_even_applies(const plb_game *g, int player, strategy_terms *terms,
                              plb_message *why) {
    *terms = (strategy_terms){PLB_WIN, g->cells, "none"};
    if (g->height % 2) return refuse(why, "the height is odd: at the top there is no even row");
    if (g->width < g->k) return refuse(why, "no row of the board has room for a group");
    if (player != 1) return refuse_player(why, 1);
    bool standard = g->width == 7 && g->height == 6 && g->k == 4 && !g->cylinder;
    terms->most_plies = 1 + (g->width - min_gaps(g)) * g->height;
    terms->theorem = standard      ? "Theorem 1"
                     : g->cylinder ? "Corollary 1, section IV"
                                   : "Corollary 1";
    return true;
}

static uint64_t take_even_moves(const strategy_turn *t) {
    return playable_in_rows(t, 1);
}

static const char *take_even_reason(const strategy_turn *t, int cell) {
    (void)t, (void)cell;
    return "it is on top of your last stone, in an even row, so that all even rows are mine";
}

/* ---- take-other ---- */

static bool is_single_row(const plb_game *g, plb_message *why) {
    return g->height == 1 || refuse(why, "it is for boards of height 1");
}

static bool take_other_applies(const plb_game *g, int player, strategy_terms *terms,
                               plb_message *why) {
    (void)player;
    *terms = (strategy_terms){PLB_DRAW, g->cells, "none"};
    if (!is_single_row(g, why)) return false;
    if (g->k < 3) return refuse(why, "k must be 3 or more: halves of two pairs can be neighbours");
    if (!pairs_suffice(g))
        return refuse(
            why,
            "in a ring of odd width k must be 4 or more: the cell without a pair can join "
            "halves of two pairs");
    terms->theorem = g->cylinder ? "Theorem 3, in a ring" : "Theorem 3";
    return true;
}

static uint64_t take_other_cells(const strategy_turn *t) {
    return bottom_cells(t, take_other_moves);
}

static const char *take_other_reason(const strategy_turn *t, int cell) {
    int half = plb_game_column(t->game, cell) ^ 1;
    bool taken = half < t->game->width &&
                 (plb_stones_occupied(t->position) >> plb_game_cell(t->game, half, 0) & 1);
    return taken && !is_own_column(t, half)
               ? "it is the other half of the pair of columns that you have begun"
               : "you have begun no pair of columns, and it is the rightmost free one";
}

/* ---- the tally ---- */

static bool tally_applies(const plb_game *g, int player, strategy_terms *terms, plb_message *why) {
    bool drawn = g->width < 3 || g->width == 4 || g->width == 6;
    *terms = (strategy_terms){drawn ? PLB_DRAW : PLB_WIN, g->cells, "none"};
    if (!is_single_row(g, why)) return false;
    if (g->k != 2) return refuse(why, "it is for k = 2");
    if (g->cylinder) return refuse(why, "a ring has no walls");
    if (player != 1) return refuse_player(why, 1);
    terms->theorem = drawn ? "Theorem 4" : g->width % 2 ? "Lemma 1" : "Lemma 2";
    return true;
}

static uint64_t tally_cells(const strategy_turn *t) {
    return bottom_cells(t, tally_moves);
}

static const char *tally_reason(const strategy_turn *t, int cell) {
    bottom_row row = read_bottom_row(t);
    switch (bottom_row_play(&row, plb_game_column(t->game, cell))) {
        case PLAY_OFFENSIVE:
            return "it takes the wall that was yours: one move less for each of us, and you cannot "
                   "do the same there";
        case PLAY_DOUBLE:
            return "it contradicts the stones on both sides, which leaves each of us as many "
                   "moves, and you are to move";
        default:
            return "it alternates with a stone beside it, so that it takes no other move from me";
    }
}

/* ---- canonical boards ---- */

static bool canonical_applies(const plb_game *g, int player, strategy_terms *terms,
                              plb_message *why) {
    *terms = (strategy_terms){PLB_DRAW, g->cells, "none"};
    if (!is_single_row(g, why)) return false;
    if (g->k < 3)
        return refuse(why, "k must be 3 or more: it keeps its player from three in a row");
    if (g->cylinder) return refuse(why, "a ring has no ends: its first board is not canonical");
    terms->theorem = player == 1 || g->k > 3 ? "Theorem 5" : g->width % 2 ? "Lemma 3" : "Lemma 4";
    return true;
}

static uint64_t canonical_cells(const strategy_turn *t) {
    return bottom_cells(t, canonical_board_moves);
}

static const char *canonical_reason(const strategy_turn *t, int cell) {
    bottom_row row = read_bottom_row(t);
    (void)cell;
    return bottom_row_empty(&row) % 2
               ? "it lies at the end of an odd number of free cells, where no two stones of mine "
                 "can be joined"
               : "it is at the end of free cells in the board that comes first by the rule: even "
                 "ones next to two stones of mine, then safe ones";
}

/* ---- delayed take-even ---- */

static bool delayed_applies(const plb_game *g, int player, strategy_terms *terms,
                            plb_message *why) {
    int owner = g->k >= 3 && g->width % 2 ? 0 : 1;
    *terms = (strategy_terms){PLB_WIN, g->cells, "none"};
    if (g->height % 2 == 0) return refuse(why, "the height is even: take-even needs no delay");
    if (g->height < 3) return refuse(why, "above the bottom row there is no room");
    if (g->width < g->k || g->k < 2) return refuse(why, "no row of the board has room for a group");
    if (!pairs_suffice(g) && (g->k != 2 || g->cylinder))
        return refuse(why,
                      "in a ring of this width its player may have to complete a group in the "
                      "bottom row");
    if (player != owner) return refuse_player(why, owner);
    terms->most_plies = 1 + g->width + (g->width - min_gaps(g)) * (g->height - 1);
    terms->theorem = g->k == 2      ? "Theorem 4"
                     : g->cylinder  ? "Theorem 2, with pairs in a ring"
                     : g->width % 2 ? "Corollary 2"
                                    : "Theorem 2";
    return true;
}

static uint64_t delayed_moves(const strategy_turn *t) {
    uint64_t above = playable_in_rows(t, 2);
    if (above || last_was_above_bottom(t)) return above;
    return t->game->k == 2 ? tally_cells(t) : take_other_cells(t);
}

static const char *delayed_reason(const strategy_turn *t, int cell) {
    if (!is_at_bottom(t, cell)) return "it is on top of your last stone, above the bottom row";
    return t->game->k == 2 ? tally_reason(t, cell) : take_other_reason(t, cell);
}

/* As Theorem 2 says: any move in the bottom row that does not lose. */
static uint64_t written_moves(const strategy_turn *t) {
    uint64_t above = playable_in_rows(t, 2);
    return above || last_was_above_bottom(t) ? above : safe_moves(t) & t->game->bottom;
}

static const char *written_reason(const strategy_turn *t, int cell) {
    return is_at_bottom(t, cell) ? "it is in the bottom row and does not lose"
                                 : "it is on top of your last stone, above the bottom row";
}

static bool written_applies(const plb_game *g, int player, strategy_terms *terms,
                            plb_message *why) {
    if (!delayed_applies(g, player, terms, why)) return false;
    return g->k >= 3 || refuse(why, "Theorem 2 is about k >= 3");
}

/* ---- on top ---- */

static bool on_top_applies(const plb_game *g, int player, strategy_terms *terms, plb_message *why) {
    (void)player;
    *terms = (strategy_terms){PLB_DRAW, g->cells, "none"};
    if (g->width >= g->k) return refuse(why, "rows have room for a group: it is for narrow boards");
    if (g->cylinder && g->height >= g->k)
        return refuse(why, "on a cylinder diagonals have room for a group, however narrow it is");
    terms->theorem = "section III.F";
    return true;
}

static uint64_t on_top_moves(const strategy_turn *t) {
    if (t->last >= 0 && plb_game_row(t->game, t->last) + 1 < t->game->height)
        return 1ULL << (t->last + 1);
    return safe_moves(t);
}

static const char *on_top_reason(const strategy_turn *t, int cell) {
    if (t->last >= 0 && cell == t->last + 1)
        return "it is on top of your last stone, so that you get no column for yourself";
    return t->last < 0 ? "nothing is there yet, so that any move will do"
                       : "the column of your last stone is full, and it completes nothing";
}

/* ---- the table of strategies ---- */

const named_strategy named_strategies[] = {
    {.name = "take-even",
     .rule = "play in an even row, counted from 1: on top of the opponent's stone",
     .applies = take_even_applies,
     .moves = take_even_moves,
     .reason = take_even_reason},
    {.name = "delayed-take-even",
     .rule =
         "in the bottom row answer in the bottom row, by take-other, or for k = 2 by the tally; "
         "else play on top of the opponent's stone",
     .applies = delayed_applies,
     .moves = delayed_moves,
     .reason = delayed_reason},
    {.name = "take-other",
     .is_immune = true,
     .rule = "pair columns 1-2, 3-4 ..; take the other half of a pair that the opponent has begun, "
             "else the rightmost free column",
     .applies = take_other_applies,
     .moves = take_other_cells,
     .reason = take_other_reason},
    {.name = "tally",
     .rule = "begin at a wall, with an offensive move if there is one; then move as an alternating "
             "stone, once by a double contradiction where nothing contradicts yet",
     .applies = tally_applies,
     .moves = tally_cells,
     .reason = tally_reason},
    {.name = "canonical",
     .is_immune = true,
     .rule =
         "move at the ends of canonical boards: of odd A and B, or of even D, A or odd B, even B "
         "or C, in this order",
     .applies = canonical_applies,
     .moves = canonical_cells,
     .reason = canonical_reason},
    {.name = "on-top",
     .rule =
         "play on top of the opponent's last stone, where that column is full any move that does "
         "not lose",
     .applies = on_top_applies,
     .moves = on_top_moves,
     .reason = on_top_reason},
    {.name = "delayed-as-written",
     .refuted = true,
     .rule =
         "in the bottom row answer with any move in the bottom row that does not lose; else play "
         "on top of the opponent's stone",
     .applies = written_applies,
     .moves = written_moves,
     .reason = written_reason},
    {.name = NULL}};

const named_strategy *named_strategy_find(const char *name) {
    for (const named_strategy *s = named_strategies; s->name; s++)
        if (strcmp(s->name, name) == 0) return s;
    return NULL;
}
