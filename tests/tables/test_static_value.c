/* SPDX-License-Identifier: MIT
 *
 * Static rules: decided values are right, forced moves are best, and bit planes and single
 * positions agree on which positions are quiet.
 */
#include "tables/games/static_value.h"

#include <stdlib.h>
#include <string.h>

#include "builder/planes/quiet_planes.h"
#include "tests/support/positions.h"
#include "tests/support/words.h"

/* ---- against the oracle ---- */

static const oracle_game games[] = {
    {ORACLE_CONNECT, 4, 3, 3, false, false}, {ORACLE_CONNECT, 4, 3, 3, true, false},
    {ORACLE_CONNECT, 5, 3, 4, false, false}, {ORACLE_CONNECT, 4, 4, 3, false, true},
    {ORACLE_CONNECT, 4, 3, 3, true, true},   {ORACLE_CONNECT, 3, 4, 2, true, false},
    {ORACLE_CONNECT, 3, 3, 2, false, false}, {ORACLE_CONNECT, 3, 3, 1, false, false},
    {ORACLE_CONNECT, 3, 3, 1, true, false},  {ORACLE_CONNECT, 2, 5, 5, false, false},
    {ORACLE_MNK, 3, 3, 3, false, false},     {ORACLE_MNK, 4, 3, 3, false, false},
    {ORACLE_MNK, 4, 3, 3, true, true},       {ORACLE_MNK, 3, 3, 2, true, false},
    {ORACLE_MNK, 3, 3, 1, true, false},      {ORACLE_SQUARE, 4, 3, 4, false, false},
    {ORACLE_SQUARE, 4, 3, 4, true, false}};
enum { GAMES = sizeof games / sizeof games[0] };

/* The best value of the moves to some cells; -2 if there are none. */
static int best_of(const oracle *solved, const oracle_position *p, const plb_game *game,
                   uint64_t cells) {
    oracle_move moves[ORACLE_CELLS];
    int count = oracle_moves(solved, p, moves), best = -2;
    for (int m = 0; m < count; m++)
        if (cells >> plb_game_cell(game, moves[m].column, moves[m].row) & 1 &&
            -moves[m].child->value > best)
            best = -moves[m].child->value;
    return best;
}

static void check_static_value(const oracle *solved, const oracle_position *p,
                               const plb_game *game) {
    plb_static_result s = plb_static_value(game, positions_of_board(game, p->board));
    if (s.kind == PLB_DECIDED) {
        if (s.value != p->value) fail_msg("%s is decided as %d", p->board, s.value);
        return;
    }
    if (p->over) fail_msg("%s is over but not decided", p->board);
    uint64_t playable =
        plb_game_playable(game, plb_stones_occupied(positions_of_board(game, p->board)));
    assert_int_equal(s.cells & ~playable, 0);
    assert_int_equal(plb_popcount(s.cells) == 1, s.kind == PLB_FORCED);
    assert_true(s.cells != 0);
    if (best_of(solved, p, game, s.cells) != p->value)
        fail_msg("%s has its best move outside %llx", p->board, (unsigned long long)s.cells);
}

static void for_every_game(void (*check)(const oracle *solved, const oracle_position *p,
                                         const plb_game *game)) {
    for (int g = 0; g < GAMES; g++) {
        oracle solved;
        char spec[ORACLE_TEXT];
        oracle_spec_text(&games[g], spec);
        plb_game game = support_game(spec);
        assert_true(oracle_solve(&games[g], &solved));
        for (size_t p = 0; p < solved.count; p++) check(&solved, &solved.positions[p], &game);
        oracle_free(&solved);
    }
}

static void decided_and_forced_positions_have_the_right_value(void **state) {
    (void)state;
    for_every_game(check_static_value);
}

/* Does the move that led to p lose at once? In misere play by completing a group, in normal play if
 * a reply completes one. */
static bool ends_badly(const oracle *solved, const oracle_position *p, bool misere) {
    if (misere) return p->complete;
    oracle_move replies[ORACLE_CELLS];
    int count = oracle_moves(solved, p, replies);
    for (int r = 0; r < count; r++)
        if (replies[r].child->complete) return true;
    return false;
}

/* Is a position quiet, by its moves and their replies? No move wins at once, and at least two moves
 * do not lose at once. */
static bool is_quiet(const oracle *solved, const oracle_position *p, bool misere) {
    oracle_move moves[ORACLE_CELLS];
    int count = oracle_moves(solved, p, moves), safe = 0;
    for (int m = 0; m < count; m++) {
        if (moves[m].child->complete && !misere) return false;
        safe += !ends_badly(solved, moves[m].child, misere);
    }
    return safe >= 2;
}

static void check_quiet(const oracle *solved, const oracle_position *p, const plb_game *game) {
    plb_static_result s = plb_static_value(game, positions_of_board(game, p->board));
    bool quiet = is_quiet(solved, p, game->misere);
    if (quiet != (s.kind == PLB_QUIET))
        fail_msg("%s is%s quiet, but decided as kind %d", p->board, quiet ? "" : " not", s.kind);
}

static void quiet_means_two_moves_that_do_not_lose_at_once(void **state) {
    (void)state;
    for_every_game(check_quiet);
}

/* ---- on bit planes ---- */

/* A position without a complete group. */
static bool is_open(const plb_slab *slab, uint64_t word) {
    return words_bit(slab, word) >= 0 && !words_has_group(slab, word, 0, 0) &&
           !words_has_group(slab, word, 1, 0);
}

static plb_position position_of_word(const plb_slab *slab, uint64_t word) {
    uint64_t x = plb_scatter_bits(word, slab->occupied);
    return (plb_position){x, slab->occupied ^ x};
}

static void check_plane(plb_quiet *quiet, uint64_t occupied) {
    const plb_game *game = quiet->game;
    plb_slab slab = words_shape(game, occupied, PLB_LIVE);
    uint64_t *open = words_new_plane(&slab), word = words_first(&slab);
    do {
        if (is_open(&slab, word)) words_set(open, words_bit(&slab, word));
    } while ((word = words_next(&slab, word)));
    assert_int_equal(plb_quiet_keep(quiet, &slab, (plb_block_range){0, slab.blocks}, NULL, open),
                     PLB_OK);
    word = words_first(&slab);
    do {
        int64_t bit = words_bit(&slab, word);
        if (bit < 0) continue;
        bool expected = is_open(&slab, word) && occupied != game->board &&
                        plb_static_value(game, position_of_word(&slab, word)).kind == PLB_QUIET;
        if (words_get(open, bit) != expected)
            fail_msg("%dx%d k%d occupied %llx word %llx: quiet is %d", game->width, game->height,
                     game->k, (unsigned long long)occupied, (unsigned long long)word, !expected);
    } while ((word = words_next(&slab, word)));
    free(open);
    plb_slab_free(&slab);
}

static void planes_and_positions_agree_on_what_is_quiet(void **state) {
    (void)state;
    static const char *const specs[] = {"connect-5x4-k4",
                                        "connect-5x4-k4-misere",
                                        "connect-4x5-k3-misere-cylinder",
                                        "connect-4x4-k3",
                                        "connect-4x4-k2-misere",
                                        "mnk-4x4-k4",
                                        "mnk-4x4-k3-misere",
                                        "square-4x4",
                                        "square-4x4-misere",
                                        "connect-4x4-k1-misere",
                                        "mnk-4x4-k9"};
    uint64_t random = support_seed("sets of cells", 20240911);
    plb_quiet quiet = {0};
    for (const plb_kernels *const *kernels = support_kernels(); *kernels; kernels++)
        for (size_t s = 0; s < sizeof specs / sizeof specs[0]; s++) {
            plb_game game = support_game(specs[s]);
            quiet.game = &game;
            quiet.kernels = *kernels;
            for (int stones = 0; stones <= 16; stones++)
                for (int trial = 0; trial < 3; trial++)
                    check_plane(&quiet, words_random_set(&game, stones, &random));
        }
    plb_quiet_free(&quiet);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decided_and_forced_positions_have_the_right_value),
        cmocka_unit_test(quiet_means_two_moves_that_do_not_lose_at_once),
        cmocka_unit_test(planes_and_positions_agree_on_what_is_quiet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
