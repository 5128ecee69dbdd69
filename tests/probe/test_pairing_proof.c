/* SPDX-License-Identifier: MIT
 *
 * Pairing proofs for both players of every position of small boards: an independent checker, which
 * lists the groups itself, accepts every part, and no proof contradicts the oracle.
 */
#include <stdio.h>
#include <string.h>

#include "probe/plybase.h"
#include "tests/support/failing_malloc.h"
#include "tests/support/positions.h"
#include "tests/support/support.h"

#define M ORACLE_MNK
#define S ORACLE_SQUARE

static const oracle_game games[] = {
    {M, 3, 3, 3, false, false}, {M, 3, 3, 3, true, false},  {M, 3, 3, 3, false, true},
    {M, 3, 3, 2, true, true},   {M, 4, 3, 3, true, true},   {M, 4, 3, 3, false, false},
    {M, 4, 3, 3, true, false},  {M, 4, 3, 4, false, true},  {M, 9, 1, 3, false, false},
    {M, 9, 1, 3, true, true},   {S, 3, 3, 4, false, false}, {S, 4, 3, 4, true, false},
    {M, 2, 2, 1, false, false}, {M, 2, 2, 3, true, false},
};
enum { GAMES = sizeof games / sizeof games[0], MAX_LINES = 512 };

/* ---- an independent list of groups ---- */

typedef struct lines {
    int count;
    uint64_t cells[MAX_LINES]; /* bit column * height + row */
} lines;

static uint64_t bit_at(const oracle_game *g, int column, int row) {
    if (g->cylinder) column = (column + 8 * g->width) % g->width;
    if (column < 0 || column >= g->width || row < 0 || row >= g->height) return 0;
    return 1ULL << (column * g->height + row);
}

static void add_line(lines *to, const oracle_game *g, int column, int row, int dx, int dy) {
    uint64_t line = 0;
    for (int i = 0; i < g->k; i++) {
        uint64_t bit = bit_at(g, column + i * dx, row + i * dy);
        if (!bit || line & bit) return;
        line |= bit;
    }
    to->cells[to->count++] = line;
}

static void add_square(lines *to, const oracle_game *g, int column, int row, int side) {
    uint64_t corners[] = {bit_at(g, column, row), bit_at(g, column + side, row),
                          bit_at(g, column, row + side), bit_at(g, column + side, row + side)};
    if (corners[0] && corners[1] && corners[2] && corners[3])
        to->cells[to->count++] = corners[0] | corners[1] | corners[2] | corners[3];
}

static lines list_lines(const oracle_game *g) {
    lines all = {0};
    for (int column = 0; column < g->width; column++)
        for (int row = 0; row < g->height; row++)
            for (int d = 0; d < 4; d++) {
                if (g->family == S)
                    add_square(&all, g, column, row, d + 1);
                else
                    add_line(&all, g, column, row, d != 1, d == 0 ? 0 : d == 3 ? -1 : 1);
            }
    return all;
}

/* ---- the checker ---- */

/* The parts use different empty cells, and each open line contains all markers of a group. */
static void check_parts(const oracle_game *g, const lines *all, uint64_t own, uint64_t others,
                        const plb_proof *proof) {
    uint64_t used = own | others, groups[512];
    int count = 0, open = 0;
    for (int p = 0; p < proof->count; p++) {
        const plb_proof_part *part = &proof->parts[p];
        for (int m = 0; m < part->count; m++) {
            assert_in_range(part->cells[m], 0, g->width * g->height - 1);
            assert_false(used >> part->cells[m] & 1);
            used |= 1ULL << part->cells[m];
        }
        groups[count] = 0;
        for (const char *c = part->groups; *c; c++) {
            if (*c == ' ')
                groups[++count] = 0;
            else
                groups[count] |= 1ULL << part->cells[*c - 'a'];
        }
        count++;
    }
    uint64_t seen[MAX_LINES];
    for (int l = 0; l < all->count; l++) {
        bool covered = false, again = false;
        if (all->cells[l] & others) continue;
        for (int s = 0; s < open; s++) again = again || seen[s] == all->cells[l];
        if (!again) seen[open++] = all->cells[l];
        for (int i = 0; i < count; i++) covered = covered || !(groups[i] & ~all->cells[l]);
        assert_true(covered);
    }
    assert_int_equal(open, proof->open_groups);
}

static bool has_configuration(const plb_proof *proof) {
    return proof->count && strcmp(proof->parts[0].name, "pair") != 0;
}

typedef struct verdicts {
    int by_pairs, by_configurations, unproven;
} verdicts;

static void check_player(const oracle_game *g, const char *spec, const lines *all,
                         const oracle_position *p, char player, verdicts *counts) {
    uint64_t x, o;
    plb_proof proof;
    plb_proof_question question = {.player = player, .steps = 20000};
    positions_bits(g, p->board, &x, &o);
    assert_int_equal(plb_prove_pairing(spec, x, o, &question, &proof, NULL), PLB_OK);
    bool moves = (p->ply % 2 == 0) == (player == 'x');
    int value = moves ? p->value : -p->value;
    counts->unproven += proof.verdict != PLB_PROVEN;
    if (proof.verdict != PLB_PROVEN) return;
    check_parts(g, all, player == 'x' ? x : o, player == 'x' ? o : x, &proof);
    assert_true(g->misere ? value >= 0 : value <= 0);
    counts->by_pairs += !has_configuration(&proof);
    counts->by_configurations += has_configuration(&proof);
}

static void no_proof_contradicts_the_oracle(void **state) {
    (void)state;
    verdicts counts = {0};
    for (int n = 0; n < GAMES; n++) {
        oracle solved;
        char spec[ORACLE_TEXT];
        lines all = list_lines(&games[n]);
        assert_true(oracle_solve(&games[n], &solved));
        oracle_spec_text(&games[n], spec);
        for (size_t i = 0; i < solved.count; i++) {
            check_player(&games[n], spec, &all, &solved.positions[i], 'x', &counts);
            check_player(&games[n], spec, &all, &solved.positions[i], 'o', &counts);
        }
        oracle_free(&solved);
    }
    print_message("%d by pairs, %d by configurations, %d not\n", counts.by_pairs,
                  counts.by_configurations, counts.unproven);
    assert_true(counts.by_pairs > 10000);
    assert_true(counts.by_configurations > 500);
    assert_true(counts.unproven > 10000);
}

/* ---- single proofs ---- */

static int prove(const char *spec, uint64_t x, uint64_t o, char player, bool pairs_only,
                 plb_proof *proof) {
    plb_message message;
    plb_proof_question question = {.player = player, .pairs_only = pairs_only, .steps = 100000};
    int error = plb_prove_pairing(spec, x, o, &question, proof, &message);
    if (error) print_message("%s\n", message.text);
    return error;
}

static void normal_and_misere_play_have_different_proofs(void **state) {
    (void)state;
    plb_proof proof;
    assert_int_equal(prove("mnk-4x4-k4", 0, 0, 'x', false, &proof), PLB_OK);
    assert_int_equal(proof.verdict, PLB_PROVEN);
    assert_true(has_configuration(&proof));
    assert_int_equal(proof.open_groups, 10);
    assert_int_equal(prove("mnk-4x4-k4", 0, 0, 'x', true, &proof), PLB_OK);
    assert_int_equal(proof.verdict, PLB_NO_PROOF);
    assert_int_equal(proof.count, 0);
    /* In misere play x, who does not place the last stone, may use one configuration. */
    assert_int_equal(prove("mnk-4x4-k4-misere", 0, 0, 'x', false, &proof), PLB_OK);
    assert_int_equal(proof.verdict, PLB_PROVEN);
    assert_int_equal(prove("mnk-4x4-k4-misere", 0, 0, 'o', false, &proof), PLB_OK);
    assert_int_equal(proof.verdict, PLB_NO_PROOF);
}

static void the_step_limit_is_kept(void **state) {
    (void)state;
    plb_proof proof;
    plb_proof_question question = {.player = 'o', .steps = 10};
    assert_int_equal(plb_prove_pairing("square-5x5", 0, 0, &question, &proof, NULL), PLB_OK);
    assert_int_equal(proof.verdict, PLB_NOT_FOUND);
}

/* Fault injection: the nth allocation fails, for every n. (qsort can work without memory.) */
static void lack_of_memory_is_an_error(void **state) {
    (void)state;
    plb_proof proof;
    plb_proof_question question = {.player = 'x', .steps = 100000};
    int refused = 0;
    bool failed = true;
    for (uint64_t n = 1; failed; n++) {
        int64_t live = failing_malloc_live();
        failing_malloc_arm(n, false);
        int error = plb_prove_pairing("mnk-4x4-k4", 0, 0, &question, &proof, NULL);
        failed = failing_malloc_disarm();
        assert_int_equal(failing_malloc_live(), live);
        assert_true(error == PLB_OK || (failed && error == PLB_ENOMEM));
        if (!error) assert_int_equal(proof.verdict, PLB_PROVEN);
        refused += error != PLB_OK;
    }
    assert_in_range(refused, 3, 100);
}

static void invalid_arguments_are_refused(void **state) {
    (void)state;
    plb_proof proof;
    assert_int_equal(prove("connect-5x5-k4", 0, 0, 'x', false, &proof), PLB_ESPEC);
    assert_int_equal(prove("numeric-3x3", 0, 0, 'x', false, &proof), PLB_ESPEC);
    assert_int_equal(prove("mnk-3x", 0, 0, 'x', false, &proof), PLB_ESPEC);
    assert_int_equal(prove("mnk-3x3-k3", 0, 0, 'X', false, &proof), PLB_EARGUMENT);
    assert_int_equal(prove("mnk-3x3-k3", 1, 1, 'x', false, &proof), PLB_ECOUNTS);
    assert_int_equal(prove("mnk-3x3-k3", 3, 0, 'x', false, &proof), PLB_ECOUNTS);
    assert_int_equal(prove("mnk-3x3-k3", 512, 0, 'x', false, &proof), PLB_EBOARD);
    assert_int_equal(prove(NULL, 0, 0, 'x', false, &proof), PLB_EARGUMENT);
    assert_int_equal(prove("mnk-3x3-k3", 0, 0, 'x', false, NULL), PLB_EARGUMENT);
    assert_int_equal(plb_prove_pairing("mnk-3x3-k3", 0, 0, NULL, &proof, NULL), PLB_EARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_proof_contradicts_the_oracle),
        cmocka_unit_test(normal_and_misere_play_have_different_proofs),
        cmocka_unit_test(the_step_limit_is_kept),
        cmocka_unit_test(lack_of_memory_is_an_error),
        cmocka_unit_test(invalid_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
