/* SPDX-License-Identifier: MIT
 *
 * From the naive rules to sets of cells, and the comparison with the other rules.
 */
#include "tools/search/search_rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tables/games/game_spec.h"
#include "tables/games/notation.h"
#include "tools/search/naive_rules.h"

/* What is under way. */
typedef struct making {
    const plb_game *game;
    naive_rules naive;
    search_rules rules;
    uint8_t number[NAIVE_CELLS]; /* of a cell, by its index on the naive board */
    plb_message *message;
} making;

int search_rules_fail(const plb_game *game, const plb_position *at, const char *what,
                      plb_message *message) {
    char spec[PLB_SPEC_TEXT], board[PLB_BOARD_TEXT] = "";
    plb_game_format(game, spec);
    if (at) plb_rules_format_board(game, *at, board);
    return plb_fail(message, PLB_ECORRUPT,
                    "the rules of %s by which tables are built and probed are not those of the "
                    "game: %s%s%s%s; nothing that this program says of the game can be trusted",
                    spec, at ? "at " : "", board, at ? " " : "", what);
}

static int fail_different(const making *m, const char *what) {
    return search_rules_fail(m->game, NULL, what, m->message);
}

/* ---- cells ---- */

static int number_of(const making *m, int column, int row) {
    return m->number[row * m->naive.width + column];
}

static int make_cells(making *m) {
    const naive_rules *naive = &m->naive;
    int cells = naive->width * naive->height;
    m->rules.width = naive->width;
    m->rules.height = naive->height;
    m->rules.cells = cells;
    m->rules.k = naive->k;
    m->rules.gravity = naive->gravity;
    m->rules.misere = naive->misere;
    m->rules.cylinder = naive->cylinder;
    m->rules.board = plb_low_bits(cells);
    if (m->game->width != naive->width || m->game->height != naive->height)
        return fail_different(m, "its board is not as wide and high as its name says");
    for (int column = 0; column < naive->width; column++)
        for (int row = 0; row < naive->height; row++)
            m->number[row * naive->width + column] = plb_game_cell(m->game, column, row);
    uint64_t seen = 0;
    bool ascending = true; /* each number once, and columns from the bottom up */
    for (int column = 0; column < naive->width; column++) {
        int start = number_of(m, column, 0);
        m->rules.column_start[column] = start;
        m->rules.bottom |= 1ULL << start;
        for (int row = 0; row < naive->height; row++) {
            seen |= 1ULL << number_of(m, column, row);
            ascending &= number_of(m, column, row) == start + row;
        }
    }
    return ascending && seen == m->rules.board ? PLB_OK
                                               : fail_different(m, "two cells have one number");
}

/* ---- groups ---- */

static void add_group(void *context, const int *cells, int count) {
    making *m = context;
    uint64_t group = 0;
    for (int i = 0; i < count; i++) group |= 1ULL << m->number[cells[i]];
    m->rules.groups[m->rules.group_count++] = group;
}

static void count_group(void *context, const int *cells, int count) {
    (void)cells, (void)count;
    ++*(size_t *)context;
}

static int compare_sets(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static int make_groups(making *m) {
    search_rules *rules = &m->rules;
    size_t groups = 0;
    m->naive.visit_groups(&m->naive, count_group, &groups);
    rules->groups = malloc((groups + 1) * sizeof *rules->groups);
    if (!rules->groups) return plb_fail(m->message, PLB_ENOMEM, "out of memory for the rules");
    m->naive.visit_groups(&m->naive, add_group, m);
    qsort(rules->groups, rules->group_count, sizeof *rules->groups, compare_sets);
    int distinct = 0;
    for (int g = 0; g < rules->group_count; g++)
        if (!distinct || rules->groups[g] != rules->groups[distinct - 1])
            rules->groups[distinct++] = rules->groups[g];
    rules->group_count = distinct;
    return PLB_OK;
}

/* ---- symmetries ---- */

/* Where the cells go: columns and rows exchanged, each turned round, and the cylinder turned. */
static void fill_image(const making *m, bool exchanged, bool columns, bool rows, int turn,
                       uint8_t image[PLB_MAX_CELLS]) {
    int width = m->naive.width, height = m->naive.height;
    for (int column = 0; column < width; column++)
        for (int row = 0; row < height; row++) {
            int to_column = exchanged ? row : column, to_row = exchanged ? column : row;
            if (columns) to_column = width - 1 - to_column;
            if (rows) to_row = height - 1 - to_row;
            image[number_of(m, column, row)] = number_of(m, (to_column + turn) % width, to_row);
        }
}

static bool plays_alike(const search_rules *rules, const uint8_t image[PLB_MAX_CELLS]) {
    for (int g = 0; g < rules->group_count; g++) {
        uint64_t moved = 0;
        for (uint64_t left = rules->groups[g]; left; left &= left - 1)
            moved |= 1ULL << image[plb_lowest(left)];
        if (!bsearch(&moved, rules->groups, rules->group_count, sizeof moved, compare_sets))
            return false;
    }
    return true;
}

static void make_symmetries(making *m) {
    const naive_rules *naive = &m->naive;
    search_rules *rules = &m->rules;
    bool square = naive->width == naive->height && !naive->cylinder && !naive->gravity;
    for (int turn = 0; turn < (naive->cylinder ? naive->width : 1); turn++)
        for (int way = 0; way < (square ? 8 : naive->gravity ? 2 : 4); way++) {
            uint8_t image[PLB_MAX_CELLS] = {0};
            if (rules->symmetries == SEARCH_SYMMETRIES) return;
            fill_image(m, way & 4, way & 1, way & 2, turn, image);
            bool is_new = plays_alike(rules, image);
            for (int s = 0; s < rules->symmetries && is_new; s++)
                is_new = memcmp(rules->image[s], image, sizeof image) != 0;
            if (is_new) memcpy(rules->image[rules->symmetries++], image, sizeof image);
        }
}

/* ---- comparison ---- */

static int compare_groups(const making *m) {
    const search_rules *rules = &m->rules;
    const plb_game *game = m->game;
    if (game->gravity != rules->gravity || game->misere != rules->misere)
        return fail_different(m, "they differ in gravity or in who loses");
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
             missing ? "a group that is missing" : "no group but taken for one");
    return fail_different(m, what);
}

/* A game that is played on both boards. */
typedef struct played_game {
    naive_board board;
    plb_position position;
    uint64_t moves;
    bool over;
} played_game;

/* Is the other player's last move the end, and who has won? What the mover has is never complete:
 * the game would have been over. */
static const char *find_difference(const making *m, played_game *g) {
    uint64_t occupied = plb_stones_occupied(g->position);
    char last = plb_stones_x_to_move(g->position) ? 'o' : 'x';
    bool complete = naive_is_complete(&m->naive, g->board, last);
    plb_value value = !complete ? PLB_DRAW : m->naive.misere ? PLB_WIN : PLB_LOSS;
    g->moves = 0;
    for (int column = 0; column < m->naive.width; column++)
        for (int row = 0; row < m->naive.height; row++)
            if (naive_may_place(&m->naive, g->board, column, row))
                g->moves |= 1ULL << number_of(m, column, row);
    g->over = complete || !g->moves;
    if (g->moves != plb_game_playable(m->game, occupied)) return "other moves can be played";
    if (g->moves != search_playable(&m->rules, occupied)) return "the search has other moves";
    if (complete != plb_game_has_group(m->game, plb_stones_last(g->position)) ||
        complete != search_has_group(&m->rules, plb_stones_last(g->position)))
        return "it is not the same when a group is complete";
    if (g->over != plb_rules_is_over(m->game, g->position)) return "the end comes at another time";
    if (g->over && value != plb_rules_final_value(m->game, g->position))
        return "another player wins";
    return plb_rules_check(m->game, g->position, NULL) ? "a position that was played is refused"
                                                       : NULL;
}

static int compare_games(const making *m) {
    enum { GAMES = 16, SEED = 1 };
    uint64_t random = SEED;
    for (int n = 0; n < GAMES; n++) {
        played_game g = {.over = false};
        naive_clear(g.board);
        for (;;) {
            const char *difference = find_difference(m, &g);
            if (difference) return search_rules_fail(m->game, &g.position, difference, m->message);
            if (g.over) break;
            char mover = plb_stones_x_to_move(g.position) ? 'x' : 'o';
            uint64_t left = g.moves;
            for (uint64_t skip = plb_next_random(&random) % plb_popcount(g.moves); skip; skip--)
                left &= left - 1;
            int cell = plb_lowest(left), index = 0;
            while (m->number[index] != cell) index++;
            g.board[index] = mover;
            g.position = plb_stones_play(g.position, cell);
        }
    }
    return PLB_OK;
}

int search_rules_make(const plb_game *game, search_rules *rules, plb_message *message) {
    making m = {.game = game, .message = message};
    char spec[PLB_SPEC_TEXT];
    plb_game_format(game, spec);
    int error = naive_read(spec, &m.naive) ? PLB_OK : fail_different(&m, "its name is none");
    if (!error) error = make_cells(&m);
    if (!error) error = make_groups(&m);
    if (!error) error = compare_groups(&m);
    if (!error) error = compare_games(&m);
    if (!error) make_symmetries(&m);
    if (error)
        free(m.rules.groups);
    else
        *rules = m.rules;
    return error;
}

void search_rules_free(search_rules *rules) {
    free(rules->groups);
    rules->groups = NULL;
}
