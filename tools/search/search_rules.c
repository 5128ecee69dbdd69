/* SPDX-License-Identifier: MIT */
#include "tools/search/search_rules.h"

#include <stdio.h>
#include <stdlib.h>

#include "tables/games/game_spec.h"
#include "tables/games/notation.h"
#include "tools/search/plain_game.h"

typedef struct comparison {
    const plb_game *game;
    plain_game plain;
    uint8_t number[PLAIN_CELLS]; /* [bit of a cell in the plain rules] its number */
    search_rules rules;
    plb_message *message;
} comparison;

/* Fail with the first difference. at: the position, or NULL. */
static int fail_different(const comparison *m, const plb_position *at, const char *what) {
    char spec[PLB_SPEC_TEXT], board[PLB_BOARD_TEXT] = "";
    plb_game_format(m->game, spec);
    if (at) plb_rules_format_board(m->game, *at, board);
    return plb_fail(m->message, PLB_ECORRUPT,
                    "the rules of %s by which tables are built and probed are not those of the "
                    "game: %s%s%s%s; nothing that this program says of the game can be trusted",
                    spec, at ? "at " : "", board, at ? " " : "", what);
}

/* ---- sets of cells ---- */

static int make_cells(comparison *m) {
    const plain_game *plain = &m->plain;
    int cells = plain->width * plain->height;
    m->rules = (search_rules){.width = plain->width,
                              .height = plain->height,
                              .cells = cells,
                              .k = plain->k,
                              .gravity = plain->gravity,
                              .misere = plain->misere,
                              .cylinder = plain->cylinder,
                              .board = plb_low_bits(cells)};
    if (m->game->width != plain->width || m->game->height != plain->height)
        return fail_different(m, NULL, "its board is not as wide and high as its name says");
    uint64_t seen = 0;
    bool ascending = true; /* in each column */
    for (int bit = 0; bit < cells; bit++) {
        int column = bit / plain->height, row = bit % plain->height;
        m->number[bit] = plb_game_cell(m->game, column, row);
        if (!row) m->rules.column_start[column] = m->number[bit];
        seen |= 1ULL << m->number[bit];
        ascending &= m->number[bit] == m->rules.column_start[column] + row;
    }
    for (int column = 0; column < plain->width; column++)
        m->rules.bottom |= 1ULL << m->rules.column_start[column];
    return ascending && seen == m->rules.board
               ? PLB_OK
               : fail_different(m, NULL, "two cells have one number");
}

static int compare_sets(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void make_groups(comparison *m) {
    search_rules *rules = &m->rules;
    rules->group_count = m->plain.group_count;
    for (int g = 0; g < rules->group_count; g++)
        for (uint64_t bits = m->plain.groups[g]; bits; bits &= bits - 1)
            rules->groups[g] |= 1ULL << m->number[plb_lowest(bits)];
    qsort(rules->groups, rules->group_count, sizeof *rules->groups, compare_sets);
    rules->symmetries = (int)plb_min(m->plain.symmetry_count, SEARCH_SYMMETRIES);
    for (int s = 0; s < rules->symmetries; s++)
        for (int bit = 0; bit < rules->cells; bit++)
            rules->image[s][m->number[bit]] = m->number[m->plain.symmetries[s][bit]];
}

/* ---- comparison ---- */

static int compare_groups(const comparison *m) {
    const search_rules *rules = &m->rules;
    const plb_game *game = m->game;
    if (game->gravity != rules->gravity || game->misere != rules->misere)
        return fail_different(m, NULL, "they differ in gravity or in who loses");
    int same = 0;
    while (same < rules->group_count && same < game->group_count &&
           rules->groups[same] == game->groups[same])
        same++;
    if (same == rules->group_count && same == game->group_count) return PLB_OK;
    char board[PLB_BOARD_TEXT], what[PLB_BOARD_TEXT + 64];
    bool missing = same < rules->group_count &&
                   (same == game->group_count || rules->groups[same] < game->groups[same]);
    plb_position cells = {missing ? rules->groups[same] : game->groups[same], 0};
    plb_notation_format_board(game, cells, board);
    snprintf(what, sizeof what, "the cells %s are %s", board,
             missing ? "a group that is missing" : "not a group, but taken for one");
    return fail_different(m, NULL, what);
}

/* A random game, played by both rules, and the moves of its position. */
typedef struct played_game {
    plb_position position;
    plain_position plain;
    int count, moves[PLB_MAX_MOVES];
    plain_move plain_moves[PLB_MAX_MOVES];
} played_game;

/* Are the moves the same? They are if there are as many, and each is legal by the plain rules. */
static bool has_same_moves(const comparison *m, played_game *g, int plain_count) {
    g->count = plb_rules_moves(m->game, g->position, g->moves);
    bool same = g->count == plain_count;
    for (int i = 0; i < g->count && same; i++) {
        plb_move move;
        m->game->rules->to_public_move(m->game, g->moves[i], &move);
        g->plain_moves[i] = plain_move_to(&m->plain, g->plain, move.column, move.row, move.number);
        same = plain_may_move(&m->plain, g->plain, g->plain_moves[i]);
    }
    return same;
}

/* Do the bit masks give the same groups and moves? */
static bool has_same_sets(const comparison *m, const played_game *g, bool complete) {
    uint64_t occupied = plb_stones_occupied(g->position), cells = 0;
    for (int i = 0; i < g->count; i++) cells |= 1ULL << m->number[g->plain_moves[i].bit];
    return complete == search_has_group(&m->rules, plb_stones_last(g->position)) &&
           (complete || cells == search_playable(&m->rules, occupied));
}

/* Compare a position. NULL: no difference. (The mover never has a complete group: the game would
 * have ended before.) */
static const char *find_difference(const comparison *m, played_game *g) {
    const plb_game *game = m->game;
    plain_end end = plain_result(&m->plain, g->plain);
    plain_move moves[PLAIN_MAX_MOVES];
    bool complete = end == PLAIN_FIRST || end == PLAIN_SECOND;
    bool mover_wins = (end == PLAIN_FIRST) == (plain_ply(&m->plain, g->plain) % 2 == 0);
    plb_value value = !complete ? PLB_DRAW : mover_wins ? PLB_WIN : PLB_LOSS;
    int count = end == PLAIN_OPEN ? plain_moves(&m->plain, g->plain, moves) : 0;
    uint64_t x, o;
    plb_rules_to_words(game, g->position, &x, &o);
    if (complete != (game->rules->complete_groups(game, g->position) != 0))
        return "a group is complete by one of them only";
    if ((end != PLAIN_OPEN) != plb_rules_is_over(game, g->position))
        return "the game is over by one of them only";
    if (end != PLAIN_OPEN && value != plb_rules_final_value(game, g->position))
        return "the winner differs";
    if (!has_same_moves(m, g, count)) return "the legal moves differ";
    if (!m->plain.numbers && !has_same_sets(m, g, complete))
        return "the search has other groups or moves";
    if (x != g->plain.x || o != g->plain.o) return "the words of the position differ";
    return plb_rules_check(game, g->position, NULL) ? "a position that was played is refused"
                                                    : NULL;
}

static int compare_games(const comparison *m) {
    enum { GAMES = 16, GAMES_OF_NUMBERS = 200, SEED = 1 };
    uint64_t random = SEED;
    for (int n = 0; n < (m->plain.numbers ? GAMES_OF_NUMBERS : GAMES); n++) {
        played_game g = {.count = 0};
        for (;;) {
            const char *difference = find_difference(m, &g);
            if (difference) return fail_different(m, &g.position, difference);
            if (!g.count) break;
            int move = (int)plb_random_below(&random, g.count);
            g.position = plb_rules_play(m->game, g.position, g.moves[move]);
            g.plain = plain_play(&m->plain, g.plain, g.plain_moves[move]);
        }
    }
    return PLB_OK;
}

int search_rules_make(const plb_game *game, search_rules *rules, plb_message *message) {
    comparison m = {.game = game, .message = message};
    char spec[PLB_SPEC_TEXT];
    plb_game_format(game, spec);
    int error = plain_read(spec, &m.plain) ? make_cells(&m)
                                           : fail_different(&m, NULL, "its name is not a spec");
    if (error) return error;
    make_groups(&m);
    error = compare_groups(&m);
    if (!error) error = compare_games(&m);
    if (!error) *rules = m.rules;
    return error;
}
