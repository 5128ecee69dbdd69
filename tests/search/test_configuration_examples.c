/* SPDX-License-Identifier: MIT
 *
 * The example of each configuration: neither a Hales-Jewett nor a general pairing proves it, but
 * one configuration of that name does. With the argument `-`, the examples are read from the
 * standard input, as tools/studies/find-examples prints them.
 */
#include "tools/strategy/configuration_examples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/plybase.h"
#include "tables/bits.h"
#include "tables/games/notation.h"
#include "tables/proofs/pairing.h"
#include "tables/proofs/set_matching.h"
#include "tests/support/support.h"

/* ---- the examples ---- */

enum { MAX_FOUND = 64 };

static struct found {
    char name[32], spec[PLB_SPEC_TEXT], board[PLB_BOARD_TEXT];
    configuration_example example;
} found[MAX_FOUND];
static int found_count;
static bool are_found;

static const configuration_example *example_at(int number) {
    if (!are_found) return configuration_example_at(number);
    return number >= 0 && number < found_count ? &found[number].example : NULL;
}

/* Rows as find-examples prints them, in the order of the configurations. */
static void read_found(void) {
    uint32_t groups[PLB_MAX_CONFIGURATION_GROUPS];
    char line[512];
    are_found = true;
    for (; found_count < MAX_FOUND && fgets(line, sizeof line, stdin); found_count++) {
        struct found *f = &found[found_count];
        const plb_configuration *c = plb_configuration_at(found_count);
        if (sscanf(line, " {\"%31[^\"]\", \"%63[^\"]\", \"%191[^\"]\"},", f->name, f->spec,
                   f->board) != 3 ||
            !c) {
            fprintf(stderr, "no row of a configuration: %s", line);
            exit(1);
        }
        f->example = (configuration_example){.name = f->name,
                                             .markers = plb_configuration_markers(c),
                                             .groups = plb_configuration_read(c, groups),
                                             .spec = f->spec,
                                             .board = f->board};
    }
}

/* ---- their properties ---- */

static plb_position read_board(const plb_game *game, const configuration_example *e) {
    plb_position p = {0, 0};
    plb_message why = {""};
    support_expect(plb_notation_parse_board(game, e->board, &p, &why), PLB_OK, e->name, &why);
    return p;
}

static plb_proof prove(const configuration_example *e, bool pairs_only) {
    plb_proof proof = {0};
    plb_game game = support_game(e->spec);
    plb_position p = read_board(&game, e);
    plb_proof_question question = {.player = 'x', .pairs_only = pairs_only};
    assert_int_equal(plb_popcount(p.x), plb_popcount(p.o)); /* x is to move */
    assert_int_equal(plb_prove_pairing(e->spec, plb_game_bits_of_cells(&game, p.x),
                                       plb_game_bits_of_cells(&game, p.o), &question, &proof, NULL),
                     PLB_OK);
    return proof;
}

static void each_configuration_has_one(void **state) {
    (void)state;
    int n = 0;
    for (; plb_configuration_at(n); n++)
        assert_string_equal(example_at(n)->name, plb_configuration_at(n)->name);
    assert_null(example_at(n));
    assert_null(example_at(-1));
}

static void pairs_prove_nothing(void **state) {
    (void)state;
    for (int n = 0; example_at(n); n++)
        assert_int_equal(prove(example_at(n), true).verdict, PLB_NO_PROOF);
}

static void the_configuration_proves_it_alone(void **state) {
    (void)state;
    for (int n = 0; example_at(n); n++) {
        plb_proof proof = prove(example_at(n), false);
        assert_int_equal(proof.verdict, PLB_PROVEN);
        assert_int_equal(proof.count, 1);
        assert_string_equal(proof.parts[0].name, example_at(n)->name);
        assert_int_equal(proof.open_groups, example_at(n)->groups);
    }
}

/* A search takes at least two nodes for each empty cell: a move, and a reply with a pairing. */
static void a_search_with_pairings_takes_nodes(void **state) {
    (void)state;
    for (int n = 0; example_at(n); n++) {
        const configuration_example *e = example_at(n);
        plb_game game = support_game(e->spec);
        plb_position p = read_board(&game, e);
        uint64_t least = 1 + 2 * (uint64_t)(game.cells - plb_popcount(p.x | p.o));
        if (e->markers > 12) continue; /* takes long */
        assert_true(configuration_example_nodes(e) >= least);
        if (e->nodes) assert_int_equal(configuration_example_nodes(e), least);
    }
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "-") == 0) read_found();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_configuration_has_one),
        cmocka_unit_test(pairs_prove_nothing),
        cmocka_unit_test(the_configuration_proves_it_alone),
        cmocka_unit_test(a_search_with_pairings_takes_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
