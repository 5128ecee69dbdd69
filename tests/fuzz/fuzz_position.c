/* SPDX-License-Identifier: MIT
 *
 * Boards and moves from arbitrary text, for a game that the first byte selects. A position that was
 * read equals the one read from its own text; a sequence of moves ends in a position that the rules
 * accept, and so does every move from a position that they accept.
 */
#include "tables/games/game_spec.h"
#include "tables/games/notation.h"
#include "tests/fuzz/fuzz.h"

static const char *const SPECS[] = {
    "connect-7x6-k4",   "connect-4x4-k3-misere-cylinder",
    "mnk-3x3-k3",       "square-5x5",
    "mnk-30x2-k3",      "connect-40x1-k2",
    "connect-1x64-k64", "mnk-8x8-k5-cylinder",
    "connect-8x8-k8",
};
enum { GAMES = sizeof SPECS / sizeof *SPECS };

static const plb_game *choose_game(uint8_t byte) {
    static plb_game games[GAMES];
    plb_game *game = &games[byte % GAMES];
    if (!game->rules) FUZZ_REQUIRE(plb_game_parse(SPECS[byte % GAMES], game, NULL) == PLB_OK);
    return game;
}

static bool is_refusal(int error) {
    return error == PLB_ECOUNTS || error == PLB_EFLOATING || error == PLB_EOVER ||
           error == PLB_EUNREACHABLE;
}

static void require_round_trip(const plb_game *game, plb_position position) {
    char text[PLB_BOARD_TEXT];
    plb_position again;
    plb_notation_format_board(game, position, text);
    FUZZ_REQUIRE(strlen(text) < sizeof text);
    FUZZ_REQUIRE(plb_notation_parse_board(game, text, &again, NULL) == PLB_OK);
    FUZZ_REQUIRE(again.x == position.x && again.o == position.o);
}

static void require_legal_moves(const plb_game *game, plb_position position) {
    if (plb_rules_is_over(game, position)) return;
    uint64_t cells = plb_game_playable(game, plb_stones_occupied(position));
    FUZZ_REQUIRE(cells != 0);
    for (; cells; cells &= cells - 1) {
        plb_position child = plb_stones_play(position, plb_lowest(cells));
        FUZZ_REQUIRE(plb_rules_check(game, child, NULL) == PLB_OK);
    }
}

static void try_board(const plb_game *game, const char *text) {
    plb_position position = {1, 1};
    plb_message why;
    memset(&why, 0xff, sizeof why);
    int error = plb_notation_parse_board(game, text, &position, &why);
    if (error) {
        FUZZ_REQUIRE((error == PLB_ESYNTAX || error == PLB_EBOARD) && fuzz_is_sentence(&why));
        FUZZ_REQUIRE(position.x == 1 && position.o == 1);
        return;
    }
    FUZZ_REQUIRE(((position.x | position.o) & ~game->board) == 0);
    require_round_trip(game, position);
    error = plb_rules_check(game, position, &why);
    FUZZ_REQUIRE(!error || (is_refusal(error) && fuzz_is_sentence(&why)));
    if (!error) require_legal_moves(game, position);
}

static void try_moves(const plb_game *game, const char *text) {
    plb_position position = {0, 0};
    plb_message why;
    memset(&why, 0xff, sizeof why);
    int error = plb_notation_play_moves(game, text, &position, &why);
    if (error) {
        FUZZ_REQUIRE((error == PLB_ESYNTAX || error == PLB_EMOVE) && fuzz_is_sentence(&why));
        FUZZ_REQUIRE(position.x == 0 && position.o == 0);
        return;
    }
    require_round_trip(game, position);
    FUZZ_REQUIRE(plb_rules_check(game, position, NULL) == PLB_OK);
    require_legal_moves(game, position);
}

/* Arbitrary pairs of words, also with stones outside the board or two on a cell. */
static void try_words(const plb_game *game, const uint8_t *data, size_t size) {
    plb_position position = {0, 0};
    if (size < sizeof position) return;
    memcpy(&position, data, sizeof position);
    if (plb_rules_check(game, position, NULL) == PLB_OK) require_legal_moves(game, position);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    const plb_game *game = choose_game(data[0]);
    char *text = fuzz_copy_text(data + 1, size - 1);
    try_board(game, text);
    try_moves(game, text);
    try_words(game, data + 1, size - 1);
    free(text);
    return 0;
}
